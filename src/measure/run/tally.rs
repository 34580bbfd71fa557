//! The tally of errors that make rows worthless: wrong scores, and contradicting rows. Scores and node counts must
//! agree between machines, processes and builds. Times are not compared.

use crate::files::sample::{Sample, Status};
use crate::plan::experiment::TableState;
use crate::text::{name_of, pluralize};
use c4lab_solver::search::Goal;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most rows whose faults are told one by one.
const MOST_TOLD: usize = 5;

#[derive(Debug, Default)]
pub struct Tally {
    pub wrong: usize,
    /// Rows whose nodes differ from those of another row of the search, and failed rows of variants.
    pub mismatches: usize,
    pub failed: usize,
    /// The engines that gave no answer, each with the reason of its first row.
    silent: BTreeMap<String, String>,
    heard: HashSet<String>,
    /// The number of warnings.
    told: usize,
    /// The number of each name.
    names: HashMap<String, usize>,
    /// The first value of each position or search, and the number of its row.
    expected: HashMap<(usize, u64), (i32, usize)>,
    scores: HashMap<Search, (i32, usize)>,
    nodes: HashMap<Search, (u64, usize)>,
}

/// Number of the set, line, number of the variant, goal, bytes of the table.
type Search = (usize, u64, usize, Goal, u64);

impl Tally {
    pub fn of(rows: &[Sample]) -> Self {
        let mut tally = Tally::default();
        rows.iter().for_each(|row| drop(tally.enter(row)));
        tally
    }

    /// True if no engine failed: each gave some answer, and no cell failed.
    pub fn is_whole(&self) -> bool {
        self.failed == 0 && self.silent.is_empty()
    }

    /// True if no score is wrong and no node counts differ. Failed cells of engines do not spoil other rows.
    pub fn is_clean(&self) -> bool {
        self.wrong == 0 && self.mismatches == 0
    }

    pub fn summary(&self) -> String {
        let failed =
            if self.failed > 0 { format!(", {} that failed", pluralize(self.failed, "cell")) } else { String::new() };
        let (wrong, moved) = (pluralize(self.wrong, "wrong score"), pluralize(self.mismatches, "differing node count"));
        let silent =
            self.silent.iter().map(|(name, reason)| format!("; {name} gave no answer (first reason: {reason})"));
        format!("{wrong}, {moved}{failed}{}", silent.collect::<String>())
    }

    /// Enters a row. Returns what is wrong with it, for the first `MOST_TOLD` of such rows.
    pub fn enter(&mut self, row: &Sample) -> Option<String> {
        self.listen(row);
        let warning = self.judge(row)?;
        self.told += 1;
        match self.told {
            ..=MOST_TOLD => Some(warning),
            told => (told == MOST_TOLD + 1).then(|| "more like these: c4lab report DIR --tables failures".to_string()),
        }
    }

    fn judge(&mut self, row: &Sample) -> Option<String> {
        let shown = |score: Option<i32>| score.map_or("none".to_string(), |score| score.to_string());
        match row.status {
            Status::Wrong => {
                self.wrong += 1;
                let expected = row.expected_score.map(|score| row.goal.of(score));
                let (expected, score) = (shown(expected), shown(row.score));
                Some(format!("{}: the score is {expected}, the answer was {score}", place(row)))
            }
            Status::Error | Status::Oom | Status::Signal => {
                // A variant's search has nodes even if it fails; a failed row without nodes is an engine's.
                *(if row.nodes.is_some() { &mut self.mismatches } else { &mut self.failed }) += 1;
                Some(format!("{}: {}", place(row), row.marks.as_deref().unwrap_or("failed")))
            }
            _ => {
                let (_, warning) = self.nodes(0, row)?;
                self.mismatches += 1;
                Some(warning)
            }
        }
    }

    fn listen(&mut self, row: &Sample) {
        if row.nodes.is_some() || self.heard.contains(&row.variant) {
            return;
        }
        if matches!(row.status, Status::Ok | Status::Wrong) {
            self.silent.remove(&row.variant);
            self.heard.insert(row.variant.clone());
        } else if !self.silent.contains_key(&row.variant) {
            let reason = row.marks.clone().unwrap_or_else(|| name_of(&row.status));
            self.silent.insert(row.variant.clone(), reason);
        }
    }

    fn number(&mut self, name: &str) -> usize {
        let next = self.names.len();
        self.names.get(name).copied().unwrap_or_else(|| *self.names.entry(name.to_string()).or_insert(next))
    }

    fn search(&mut self, row: &Sample) -> Search {
        (self.number(&row.set_sha256), row.position_id, self.number(&row.variant), row.goal, row.tt_bytes)
    }

    /// The number of an earlier row that differs from `row`, row `number`, and a message.
    fn expected(&mut self, number: usize, row: &Sample) -> Option<(usize, String)> {
        let (expected, set) = (row.expected_score?, self.number(&row.set_sha256));
        let (known, first) = differing(self.expected.entry((set, row.position_id)), expected, number)?;
        let place = format!("{}, line {}", row.set, row.position_id);
        Some((first, format!("{place}: the scores {known} and {expected} are expected")))
    }

    fn score(&mut self, number: usize, row: &Sample) -> Option<(usize, String)> {
        // A wrong row without nodes is an engine's. Its status shows the error, so it is no contradiction.
        let is_answered = row.status == Status::Ok || row.status == Status::Wrong && row.nodes.is_some();
        let (score, search) = (row.score.filter(|_| is_answered)?, self.search(row));
        let (known, first) = differing(self.scores.entry(search), score, number)?;
        Some((first, format!("{}: the scores {known} and {score}", place(row))))
    }

    /// Compares nodes of cold, single-threaded searches only: those of a warm table or of several threads vary.
    fn nodes(&mut self, number: usize, row: &Sample) -> Option<(usize, String)> {
        let counts = row.status == Status::Ok && row.tt_state == TableState::Cold && row.threads == 1;
        let (nodes, search) = (row.nodes.filter(|_| counts)?, self.search(row));
        let (known, first) = differing(self.nodes.entry(search), nodes, number)?;
        Some((first, format!("{}: {known} and {nodes} nodes", place(row))))
    }
}

fn place(row: &Sample) -> String {
    format!("{}, line {}, {} ({})", row.set, row.position_id, row.variant, row.goal.name())
}

/// Pairs of contradicting rows: number of the first row, number of the later row, message.
pub(crate) fn contradictions<'a>(rows: impl Iterator<Item = (usize, &'a Sample)>) -> Vec<(usize, usize, String)> {
    let mut tally = Tally::default();
    let of_row = |(number, row)| {
        let found = [tally.expected(number, row), tally.score(number, row), tally.nodes(number, row)];
        found.into_iter().flatten().map(move |(first, about)| (first, number, about))
    };
    rows.flat_map(of_row).collect()
}

/// The value in `entry` and its row, if it is not `value`. A vacant `entry` takes `value` and `number`.
fn differing<K, V: Copy + PartialEq>(entry: Entry<'_, K, (V, usize)>, value: V, number: usize) -> Option<(V, usize)> {
    Some(*entry.or_insert((value, number))).filter(|(known, _)| *known != value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::sample;

    #[test]
    fn wrong_scores_and_moving_nodes_are_found() {
        let good = sample("a", 1, 10, 5);
        let rows = [
            good.clone(),
            Sample { repetition: 1, ..good.clone() },
            Sample { repetition: 2, nodes: Some(6), ..good.clone() },
            Sample { status: Status::Wrong, score: Some(-1), ..good.clone() },
            Sample { status: Status::Timeout, score: None, nodes: Some(1), ..good },
        ];
        let mut tally = Tally::default();
        let warnings: Vec<String> = rows.iter().filter_map(|row| tally.enter(row)).collect();
        assert_eq!(
            warnings,
            ["s, line 1, a (strong): 5 and 6 nodes", "s, line 1, a (strong): the score is 1, the answer was -1"]
        );
        assert_eq!((tally.wrong, tally.mismatches, tally.is_clean()), (1, 1, false));
        let told = rows.iter().cycle().take(100).filter_map(|row| tally.enter(row)).count();
        assert_eq!((told, tally.wrong), (4, 21), "three more, and a word about the others");
    }

    #[test]
    fn an_engine_that_never_answers_is_named_with_its_first_reason() {
        let reason = |text: &str| Some(text.to_string());
        let silent = Sample { status: Status::Timeout, score: None, nodes: None, ..sample("e", 1, 10, 5) };
        let rows =
            [Sample { marks: reason("it says no"), ..silent.clone() }, Sample { position_id: 2, ..silent.clone() }];
        let tally = Tally::of(&rows);
        assert!(tally.is_clean() && !tally.is_whole());
        assert!(tally.summary().ends_with("; e gave no answer (first reason: it says no)"), "{}", tally.summary());
        let heard = Sample { status: Status::Ok, score: Some(1), ..silent.clone() };
        assert!(Tally::of(&[silent, heard]).is_whole());
        let slow = Sample { nodes: Some(9), ..rows[0].clone() };
        assert!(Tally::of(&[slow]).is_whole(), "a variant that reaches its limit answers in its own way");
    }

    fn about(rows: &[Sample]) -> Vec<(usize, usize, String)> {
        contradictions(rows.iter().enumerate())
    }

    #[test]
    fn scores_and_nodes_must_agree_and_times_need_not() {
        let good = sample("a", 1, 10, 5);
        let again = |change: &dyn Fn(&mut Sample)| {
            let mut row = good.clone();
            change(&mut row);
            about(&[good.clone(), row])
        };
        assert_eq!(again(&|row| (row.wall_ns, row.machine_id) = (Some(99), "n".to_string())), []);
        assert_eq!(again(&|row| row.nodes = Some(6)), [(0, 1, "s, line 1, a (strong): 5 and 6 nodes".to_string())]);
        assert_eq!(
            again(&|row| row.score = Some(2)),
            [(0, 1, "s, line 1, a (strong): the scores 1 and 2".to_string())]
        );
        assert_eq!(
            again(&|row| row.expected_score = Some(2)),
            [(0, 1, "s, line 1: the scores 1 and 2 are expected".to_string())]
        );
        let wrong = |row: &mut Sample| (row.status, row.score) = (Status::Wrong, Some(-1));
        assert_eq!(again(&wrong).len(), 1, "wrong on one machine, right on another");
        // Other searches, and rows whose nodes are not compared.
        assert_eq!(again(&|row| (row.nodes, row.variant) = (Some(6), "b".to_string())), []);
        assert_eq!(again(&|row| (row.nodes, row.goal) = (Some(6), Goal::Weak)), []);
        assert_eq!(again(&|row| (row.nodes, row.tt_bytes) = (Some(6), 1)), []);
        assert_eq!(again(&|row| (row.nodes, row.tt_state) = (Some(6), TableState::Warm)), []);
        assert_eq!(again(&|row| (row.nodes, row.threads) = (Some(6), 2)), []);
        let limited = |row: &mut Sample| (row.status, row.nodes, row.score) = (Status::NodeLimit, Some(3), None);
        assert_eq!(again(&limited), []);
    }
}
