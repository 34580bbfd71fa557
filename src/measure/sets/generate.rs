//! Generates a test set: positions drawn from a seed by the published protocol, scored by two solvers.
//!
//! The ply is drawn uniformly, then each move uniformly among the legal moves that do not win. A position that was
//! drawn before (up to mirror), or in which the mover wins at once, is dropped. The others are solved. A position of
//! the right distance is kept, and a second solver, the judge, confirms its score.
//!
//! The set depends only on protocol, seed, count, and the excluded boards. Candidates are drawn and kept in one order,
//! which does not depend on the number of threads.

use crate::in_order::in_order;
use crate::sets::draw::Draw;
use crate::sets::protocol::{Protocol, Ranges};
use anyhow::{Result, ensure};
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::{Goal, Limits, Solve};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

pub struct Bench {
    pub solver: Box<dyn Solve>,
    /// The second solver; `None` is the oracle.
    pub judge: Option<Box<dyn Solve>>,
}

/// An endless stream of candidates: no two are equal up to mirror, and no mover wins at once.
pub struct Candidates {
    draw: Draw,
    protocol: &'static Protocol,
    board: BoardSize,
    ranges: Ranges,
    seen: HashSet<(u128, u128)>,
}

impl Candidates {
    /// The candidates of `protocol` for `seed`, with stages and distances in proportion to the squares of `board`.
    pub fn on(board: BoardSize, protocol: &'static Protocol, seed: u64) -> Self {
        let (draw, ranges) = (Draw::new(seed, protocol.name), protocol.ranges(board));
        Candidates { draw, protocol, board, ranges, seen: HashSet::new() }
    }

    /// Excludes `boards` ([`Position::up_to_mirror`]), as if they had been drawn before.
    pub fn without(mut self, boards: impl IntoIterator<Item = (u128, u128)>) -> Self {
        self.seen.extend(boards);
        self
    }

    /// One draw; `None` if no quiet move is left on the way, the mover wins at once, or the position was drawn before.
    fn draw(&mut self) -> Option<Position> {
        let plies = &self.ranges.drawn;
        let ply = plies.start() + self.draw.below((plies.end() - plies.start() + 1) as usize) as u32;
        self.draw.quiet_position(self.board, ply).filter(|position| self.seen.insert(position.up_to_mirror()))
    }
}

impl Iterator for Candidates {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        (0..1_000_000).find_map(|_| self.draw())
    }
}

/// The score of `position`, if it belongs to the set. Null-window searches first test if the distance can be in range,
/// which takes a fraction of the time of the score.
fn score_if_kept(position: &Position, protocol: &Protocol, bench: &mut Bench) -> Result<Option<Score>> {
    let (solver, limits) = (&mut bench.solver, Limits::default());
    solver.reset();
    let (board, most) = (position.size(), *protocol.ranges(position.size()).distances.end());
    let in_time = |score: &Score| board.distance(*score, position.ply()) <= most;
    if !in_time(&0) {
        let least_win = (1..=board.win_at(position.ply())).find(in_time);
        let wins = least_win.map_or(Ok(false), |score| solver.exceeds(position, score - 1, &limits))?;
        let least_loss = (board.least(position.ply())..0).rev().find(in_time);
        let loses = !wins && !least_loss.map_or(Ok(true), |score| solver.exceeds(position, score, &limits))?;
        if !wins && !loses {
            return Ok(None);
        }
    }
    let score = solver.solve(position, Goal::Strong, &limits)?.score;
    if protocol.misfit(position, score).is_some() {
        return Ok(None);
    }
    bench.must_confirm(position, score).map(|()| Some(score))
}

impl Bench {
    fn must_confirm(&mut self, position: &Position, score: Score) -> Result<()> {
        ensure!(self.confirms(position, score)?, "{position}: the judge does not confirm the score {score}");
        Ok(())
    }

    /// True if `score` is right: the true score is above `score - 1`, but not above `score`. These two null-window
    /// searches are faster than a search for the score.
    fn confirms(&mut self, position: &Position, score: Score) -> Result<bool> {
        const COLUMNS: usize = BoardSize::STANDARD.width() as usize;
        const ROWS: usize = BoardSize::STANDARD.height() as usize;
        let limits = Limits::default();
        Ok(match &mut self.judge {
            None => Oracle::<COLUMNS, ROWS>::default().score(position.columns()) == score,
            Some(judge) => {
                judge.reset();
                judge.exceeds(position, score - 1, &limits)? && !judge.exceeds(position, score, &limits)?
            }
        })
    }
}

/// Generates `count` lines, with one thread for each bench. Calls `progress` with the number of kept positions.
pub fn generate(
    candidates: Candidates,
    count: usize,
    benches: Vec<Bench>,
    progress: impl Fn(usize),
) -> Result<Vec<(Position, Score)>> {
    let protocol = candidates.protocol;
    let kept = keep(candidates, count, benches, |position, bench| score_if_kept(position, protocol, bench), progress)?;
    ensure!(kept.len() == count, "{}: too few different positions", protocol.name);
    Ok(kept)
}

/// The score of each position, found by the solver of a bench and confirmed by its judge.
pub fn score(
    positions: Vec<Position>,
    benches: Vec<Bench>,
    progress: impl Fn(usize),
) -> Result<Vec<(Position, Score)>> {
    let confirmed = |position: &Position, bench: &mut Bench| {
        bench.solver.reset();
        let score = bench.solver.solve(position, Goal::Strong, &Limits::default())?.score;
        bench.must_confirm(position, score).map(|()| Some(score))
    };
    let count = positions.len();
    keep(positions.into_iter(), count, benches, confirmed, progress)
}

/// The first `count` candidates that get a score, or all of them if there are fewer, in their order.
fn keep(
    candidates: impl Iterator<Item = Position> + Send,
    count: usize,
    mut benches: Vec<Bench>,
    score: impl Fn(&Position, &mut Bench) -> Result<Option<Score>> + Sync,
    progress: impl Fn(usize),
) -> Result<Vec<(Position, Score)>> {
    let mut kept = Vec::new();
    let work = |bench: &mut Bench, position| (score(&position, bench), position);
    in_order(&mut benches, candidates, &AtomicBool::new(false), work, |(score, position)| {
        if let Some(score) = score? {
            kept.push((position, score));
            progress(kept.len());
        }
        Ok(if kept.len() < count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
    })?;
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::by_ply;
    use crate::sets::draw::quiet_moves;
    use crate::sets::protocol::SETS;
    use c4lab_solver::search::{Options, registry};

    fn pons_12() -> Box<dyn Solve> {
        registry::find("pons-12").unwrap().build(&Options::default()).unwrap()
    }

    fn bench(_: usize) -> Bench {
        Bench { solver: pons_12(), judge: None }
    }

    #[test]
    fn scores_are_confirmed_and_come_in_order_however_many_threads() {
        let positions: Vec<Position> = (36..=40).flat_map(|ply| by_ply::draw(BoardSize::STANDARD, 1, ply, 5)).collect();
        let [one, two] = [1, 2].map(|threads| score(positions.clone(), (0..threads).map(bench).collect(), |_| {}));
        let (one, two) = (one.unwrap(), two.unwrap());
        assert_eq!(one, two);
        assert!(one.iter().map(|(position, _)| position).eq(&positions));
    }

    #[test]
    fn a_judge_confirms_the_score_and_no_other() {
        let position = Position::parse("14466712177263347631642446711227325553").unwrap();
        for judge in [None, Some(pons_12())] {
            let mut bench = Bench { solver: pons_12(), judge };
            for score in -3..=3 {
                assert_eq!(bench.confirms(&position, score).unwrap(), score == 0, "{score}");
            }
            let error = bench.must_confirm(&position, 1).unwrap_err().to_string();
            assert!(error.contains("the judge does not confirm the score 1"), "{error}");
        }
    }

    #[test]
    fn what_is_left_out_is_missing_and_nothing_else() {
        let all = || Candidates::on(BoardSize::STANDARD, &SETS[5], 1);
        let second = all().nth(1).unwrap();
        let without = all().without([second.up_to_mirror()]);
        let expected = all().take(30).filter(|position| *position != second);
        assert!(without.take(29).eq(expected));
    }

    #[test]
    fn candidates_are_distinct_up_to_mirror_and_quiet() {
        let mut seen = HashSet::new();
        for position in Candidates::on(BoardSize::STANDARD, &SETS[5], 1).take(500) {
            assert!(SETS[5].published.drawn.contains(&position.ply()));
            assert!(seen.insert(position.up_to_mirror()), "{position}");
            assert_eq!(
                quiet_moves(&position).len() as u32,
                position.board(c4lab_solver::game::Standard::NEW).playable().count_ones()
            );
        }
    }
}
