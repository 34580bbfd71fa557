//! Verifies a test set line by line.
//!
//! A shipped set, and a file named like one, must hold positions without immediate wins, because it was generated so. In
//! other files these are warnings. Duplicates are a warning everywhere (the originals hold a few).

use crate::in_order::in_order;
use crate::sets::by_board;
use crate::sets::draw::Pick;
use crate::sets::protocol::Protocol;
use crate::sets::test_set::{Item, parse_line, protocol, read, stem};
use crate::text::sha256;
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Solve};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Warning,
    Error,
    Wrong,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub severity: Severity,
    pub line: Option<usize>,
    pub text: String,
}

impl Finding {
    pub fn about(&self, file: &str) -> String {
        let line = self.line.map(|line| format!(", line {line}")).unwrap_or_default();
        let warning = if self.severity == Severity::Warning { "warning: " } else { "" };
        format!("{file}{line}: {warning}{}", self.text)
    }
}

#[derive(Debug)]
pub struct Verification {
    pub findings: Vec<Finding>,
    pub positions: usize,
    pub checked: usize,
    pub sha256: String,
    /// True if `sha256` is the digest of a published or shipped file.
    pub known: bool,
    board: BoardSize,
    protocol: Option<&'static Protocol>,
    generated: bool,
    /// The line of every board, up to mirror.
    lines: HashMap<(u128, u128), usize>,
    immediate_wins: usize,
}

/// Solves positions to check their scores. Calls `progress` with the checked line and the number of lines.
pub struct ScoreCheck<'a> {
    /// The solvers, at least one, each on its own thread. The findings do not depend on their number.
    pub solvers: &'a mut [Box<dyn Solve>],
    pub limits: Limits<'a>,
    /// The lines whose scores are checked; `None` for all.
    pub pick: Option<Pick>,
    pub progress: &'a dyn Fn(usize, usize),
}

/// Verifies the set `name` ([`TestSet::open`](crate::sets::test_set::TestSet::open)), with a `judge` also its scores.
pub fn verify(name: &str, board: BoardSize, judge: Option<ScoreCheck<'_>>) -> anyhow::Result<Verification> {
    let (bytes, shipped) = read(name, board)?;
    let sha256 = sha256(&bytes);
    let protocol = protocol(name, &sha256);
    let mut verification = Verification {
        findings: Vec::new(),
        positions: 0,
        checked: 0,
        sha256,
        known: false,
        board,
        protocol,
        generated: shipped || !name.starts_with("original/") && protocol.is_some_and(|set| stem(name) == set.name),
        lines: HashMap::new(),
        immediate_wins: 0,
    };
    verification.check_digest(shipped);
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let picked = judge.as_ref().and_then(|judge| judge.pick).map(|pick| pick.of(filled(&lines)));
    let mut claims = Vec::new();
    for (index, bytes) in lines.iter().enumerate() {
        let Some((position, score)) = verification.line(index + 1, bytes) else { continue };
        verification.positions += 1;
        if judge.is_some() && picked.as_ref().is_none_or(|picked| picked.contains(&(index + 1))) {
            claims.push(Item { line: index + 1, position, score });
        }
    }
    verification.checked = claims.len();
    if let Some(judge) = judge {
        verification.check_scores(&claims, judge, lines.len())?;
    }
    verification.finish();
    Ok(verification)
}

fn filled(lines: &[&[u8]]) -> impl Iterator<Item = usize> {
    let filled = lines.iter().enumerate().filter(|(_, line)| !line.trim_ascii().is_empty());
    filled.map(|(index, _)| index + 1)
}

impl Verification {
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    fn find(&mut self, severity: Severity, line: Option<usize>, text: impl Into<String>) {
        self.findings.push(Finding { severity, line, text: text.into() });
    }

    /// The severity of a finding that is an error only in a generated set.
    fn promised(&self) -> Severity {
        if self.generated { Severity::Error } else { Severity::Warning }
    }

    /// Compares the digest with that which the name promises.
    fn check_digest(&mut self, shipped: bool) {
        let Some(set) = self.protocol else { return };
        let (own, known) = match by_board::of(self.board, set) {
            Some(own) => (own.name, vec![own.sha256]),
            None if self.board != BoardSize::STANDARD => return,
            None => (set.name, vec![set.shipped_sha256, set.original_sha256, set.development_sha256]),
        };
        self.known = known.contains(&self.sha256.as_str());
        if !self.known {
            // A file may have been generated from another seed; a set in the binary may not.
            let is_promised = shipped || !self.generated;
            let severity = if is_promised { Severity::Error } else { Severity::Warning };
            let (promised, digest) = if self.generated {
                (format!("shipped set {own}"), known[0])
            } else {
                (format!("original {}", set.original), set.original_sha256)
            };
            self.find(severity, None, format!("not the {promised}, whose SHA-256 is {digest}"));
        }
    }

    fn line(&mut self, line: usize, bytes: &[u8]) -> Option<(Position, Score)> {
        match parse_line(self.board, bytes) {
            Ok(parsed) => parsed.inspect(|(position, score)| self.position(line, position, *score)),
            Err(reason) => {
                self.find(Severity::Error, Some(line), reason);
                None
            }
        }
    }

    fn position(&mut self, line: usize, position: &Position, score: Score) {
        let (board, ply) = (position.size(), position.ply());
        if let Some(&first) = self.lines.get(&position.up_to_mirror()) {
            self.find(Severity::Warning, Some(line), format!("the position of line {first}, up to mirror"));
        } else {
            self.lines.insert(position.up_to_mirror(), line);
        }
        if position.is_over() {
            return self.find(self.promised(), Some(line), "the game is over");
        }
        if (0..board.width()).any(|column| position.wins_by(column)) {
            self.immediate_wins += 1;
            if self.generated {
                self.find(Severity::Error, Some(line), "the mover wins at once");
            }
        }
        if !(board.least(ply)..=board.win_at(ply)).contains(&score) {
            self.find(Severity::Error, Some(line), format!("score {score} is impossible with {ply} stones"));
        } else if let Some(misfit) = self.protocol.and_then(|set| set.misfit(position, score)) {
            self.find(Severity::Error, Some(line), misfit);
        }
    }

    /// Checks the scores of `claims`. A wrong score comes after the other findings of its line.
    fn check_scores(&mut self, claims: &[Item], judge: ScoreCheck<'_>, lines: usize) -> anyhow::Result<()> {
        let ScoreCheck { solvers, limits, progress, .. } = judge;
        let stop = AtomicBool::new(false);
        // A search that is stopped also stops the others.
        let limits = Limits { interrupt: limits.interrupt.or(Some(&stop)), ..limits };
        let solve = |solver: &mut Box<dyn Solve>, claim: &Item| {
            solver.reset();
            solver.solve(&claim.position, Goal::Strong, &limits)
        };
        let work = |solver: &mut Box<dyn Solve>, claim| (claim, solve(solver, claim));
        in_order(solvers, claims.iter(), &stop, work, |(&Item { line, score, .. }, solved)| {
            let found = solved?.score;
            if found != score {
                self.find(Severity::Wrong, Some(line), format!("the score is {found}, not {score}"));
            }
            progress(line, lines);
            Ok(ControlFlow::Continue(()))
        })?;
        self.findings.sort_by_key(|finding| finding.line);
        Ok(())
    }

    fn finish(&mut self) {
        if self.positions == 0 {
            self.find(Severity::Error, None, "no position in it");
        }
        if self.immediate_wins > 0 && !self.generated {
            let text = format!("the mover wins at once in {} of {} positions", self.immediate_wins, self.positions);
            self.find(Severity::Warning, None, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::search::{Options, Stopped, registry};

    fn findings(name: &str, text: &[u8]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let verdict = verify(path.to_str().unwrap(), BoardSize::STANDARD, None).unwrap();
        verdict.findings.iter().map(|finding| finding.about(name)).collect()
    }

    #[test]
    fn a_file_of_no_protocol_needs_form_and_legality_only() {
        assert_eq!(findings("mine.txt", b"44 1\r\n- 1\r\n\r\n4455 2"), [""; 0]);
        assert_eq!(findings("mine.txt", b" \n"), ["mine.txt: no position in it"]);
        assert_eq!(
            findings("mine.txt", b"44\n48 1\n\xff 1\n4455 19\n112233 -18\n"),
            [
                "mine.txt, line 1: no score after the moves (`c4lab solve <FILE` finds scores)",
                "mine.txt, line 2: ply 2: '8' is not a column (1 to 7)",
                "mine.txt, line 3: not text",
                "mine.txt, line 4: 19 is not a score of this board (-18 to 18)",
                "mine.txt: warning: the mover wins at once in 1 of 1 positions",
            ]
        );
        assert_eq!(
            findings("mine.txt", b"14466712177263347631642446711227325553 18\n1212121 18\n"),
            ["mine.txt, line 1: score 18 is impossible with 38 stones", "mine.txt, line 2: warning: the game is over"]
        );
    }

    #[test]
    fn duplicates_up_to_mirror_are_warnings_and_immediate_wins_errors_where_sets_are_generated() {
        assert_eq!(
            findings("mine.txt", b"1223 0\n7665 0\n"),
            ["mine.txt, line 2: warning: the position of line 1, up to mirror"]
        );
        let mut found = findings("begin-hard.txt", b"1223 0\n7665 0\n112233 18\n");
        // There may be a finding that this is not the shipped file.
        found.retain(|finding| finding.contains("line"));
        assert_eq!(found[0], "begin-hard.txt, line 2: warning: the position of line 1, up to mirror");
        assert_eq!(found[1], "begin-hard.txt, line 3: the mover wins at once");
        assert_eq!(found[2], "begin-hard.txt, line 3: 1 plies to play; begin-hard has 29 to 42");
        // A name promises a digest.
        let found = findings("Test_L1_R3", b"1223 0\n");
        assert!(found[0].starts_with("Test_L1_R3: not the original Test_L1_R3, whose SHA-256 is 7b6e"), "{found:?}");
    }

    #[test]
    fn a_judge_finds_wrong_scores() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.txt");
        std::fs::write(&path, "16321324 4\n112233 18\n112233 17\n").unwrap();
        let solver = |_| registry::find("pons-12").unwrap().build(&Options::default()).unwrap();
        let mut solvers: Vec<_> = (0..3).map(solver).collect();
        let judge = ScoreCheck {
            solvers: &mut solvers,
            limits: Limits { nodes: Some(100), ..Limits::default() },
            pick: None,
            progress: &|_, _| {},
        };
        // The search of the first position reaches the node limit, which is an error, not a finding.
        assert!(verify(path.to_str().unwrap(), BoardSize::STANDARD, Some(judge)).unwrap_err().is::<Stopped>());
        std::fs::write(&path, "112233 18\n112233 17\n").unwrap();
        let mut judged_by = |threads, pick| {
            let solvers = &mut solvers[..threads];
            let judge = ScoreCheck { solvers, limits: Limits::default(), pick, progress: &|_, _| {} };
            verify(path.to_str().unwrap(), BoardSize::STANDARD, Some(judge))
        };
        assert!(judged_by(0, None).is_err(), "without a solver no score is checked");
        let mut judged = |pick| judged_by(1, pick).unwrap();
        // Only the last line may be drawn.
        let picked = judged(Some(Pick { count: 1, seed: 1, from: 2 }));
        assert_eq!((picked.checked, picked.count(Severity::Wrong)), (1, 1));
        let verdict = judged(None);
        assert_eq!(verdict.checked, 2);
        assert_eq!(verdict.count(Severity::Wrong), 1);
        assert_eq!(verdict.findings[1].about("x"), "x, line 2: the score is 18, not 17");
        // Findings stand in the order of lines, and those without a score come before a score of their line.
        std::fs::write(&path, "112233 17\n\n112233 17\n").unwrap();
        let found: Vec<_> = judged(None).findings.iter().map(|it| (it.line, it.severity)).collect();
        let (warning, wrong) = (Severity::Warning, Severity::Wrong);
        assert_eq!(found[..3], [(Some(1), wrong), (Some(3), warning), (Some(3), wrong)]);
    }
}
