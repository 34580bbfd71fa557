//! Rules: their proofs, with any number of stones, are checked against exact scores.

use crate::support::draw::Draw;
use crate::support::positions;
use c4lab_solver::axes::lines::threats;
use c4lab_solver::axes::rules::{STEPS, stop_all};
use c4lab_solver::axes::zugzwang::{Sides, at_most};
use c4lab_solver::axes::{Threats, Zugzwang};
use c4lab_solver::game::any_board::Narrow;
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{Board, Geometry, Standard};
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::{Goal, Limits, Options, registry};

/// Counts of the boards tested and proven.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    /// Boards whose mover is not the last player.
    asked: u64,
    /// Those that the mover does not win.
    not_won: u64,
    /// Those that the rules prove.
    proven: u64,
    /// Those that no other bound proves.
    alone: u64,
}

impl Count {
    /// Tests a board that is not over.
    fn ask<G: Geometry<Word = u64>>(&mut self, board: Board<G>, score: impl FnOnce() -> Score) {
        let g = board.geometry();
        let proven = stop_all(g, board.mover(), board.opponent(), STEPS);
        if (g.cells() - board.ply()) % 2 == 1 {
            assert!(!proven, "the mover is the last player\n{board}");
            return;
        }
        let score = score();
        assert!(!proven || score <= 0, "{}: proven, and the score is {score}\n{board}", g.name());
        self.asked += 1;
        self.not_won += u64::from(score <= 0);
        if proven {
            self.proven += 1;
            let threats = threats::winning_squares(g, Threats::Pairs, board.opponent(), board.empty());
            let sides = Sides { g, mover: board.mover(), opponent: board.opponent(), threats };
            self.alone += u64::from(at_most(Zugzwang::Horizon, sides, 0).is_none());
        }
    }

    /// Some board is proven by the rules alone. Prints the counts.
    fn check(self, g: impl Geometry) {
        println!("{}: {self:?}", g.name());
        assert!(self.alone > 0 && self.proven <= self.not_won, "{self:?}");
    }
}

/// Every position of a board, by the oracle.
fn check_all<const W: usize, const H: usize>(g: impl Geometry<Word = u64>) {
    let (mut count, mut oracle) = (Count::default(), Oracle::<W, H>::default());
    positions::every(g, |position| {
        let board = position.board(g);
        if !board.is_won() && !board.is_full() {
            count.ask(board, || oracle.score(position.columns()));
        }
    });
    count.check(g);
}

/// `each` random positions for each of `plies`, by the champion, which has no rules.
fn check_some(g: impl Geometry<Word = u64>, plies: impl Iterator<Item = u32>, each: usize, seed: u64) {
    let options = Options { board: g.size(), ..Options::with_tt(64 << 20) };
    let mut solver = registry::find("champion").expect("a variant").build(&options).expect("a table");
    let (mut count, mut draw) = (Count::default(), Draw::new(seed, "rules"));
    for ply in plies {
        for _ in 0..each {
            let position = positions::random(g.size(), &mut draw, ply);
            let board = position.board(g);
            if !board.is_won() && !board.is_full() {
                let score = || {
                    solver.reset();
                    solver.solve(&position, Goal::Strong, &Limits::default()).expect("no limit").score
                };
                count.ask(board, score);
            }
        }
    }
    count.check(g);
}

#[test]
fn rules_hold_on_all_of_4x4() {
    check_all::<4, 4>(Narrow::sized(4, 4));
}

#[test]
#[ignore = "every position of 5x4 and of 4x5 takes a minute or two"]
fn rules_hold_on_all_of_5x4_and_4x5() {
    check_all::<5, 4>(Narrow::sized(5, 4));
    check_all::<4, 5>(Narrow::sized(4, 5));
}

#[test]
fn rules_hold_on_6x5() {
    check_some(Narrow::sized(6, 5), (6..30).step_by(2), 100, 1);
}

#[test]
fn rules_hold_on_7x6() {
    check_some(Standard::NEW, (14..40).step_by(2), 60, 1);
}

#[test]
#[ignore = "240,000 positions of 7x6 take a quarter of an hour"]
fn by_hand_rules_hold_on_many_positions_of_7x6() {
    check_some(Standard::NEW, (8..=30).step_by(2), 20_000, 2026);
}

#[test]
fn rules_hold_on_other_boards() {
    check_some(Narrow::sized(7, 7), (31..49).step_by(2), 30, 1);
    check_some(Narrow::sized(8, 6), (26..48).step_by(2), 30, 1);
}
