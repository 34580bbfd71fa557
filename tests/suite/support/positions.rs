//! Positions: late ones, random ones and the file that keeps them with their scores, samples of test sets.
//!
//! Every move of a random game is uniform among all legal ones. A game that ends on the way, one whose mover would win at once, and one
//! that leads to a position seen before are begun anew.

use c4lab_measure::sets::draw::Draw;
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::game::{Board, Position, Standard};
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::{Goal, Limits, Solve};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Few empty squares: solved at once by every variant and by the oracle.
pub(crate) const LATE: [&str; 3] =
    ["24655214173274156744623427266133", "111566655246531642367221572524", "4323654732313364622722765766457"];

pub(crate) fn oracle(moves: &str) -> i32 {
    Oracle::<7, 6>::default().score(&moves.bytes().map(|digit| digit - b'1').collect::<Vec<_>>())
}

pub(crate) const FILE: &str = "solver/tests/data/random-positions.txt";
const SEED: u64 = 1;
pub(crate) const PARTS: [(RangeInclusive<u32>, usize); 2] = [(8..=14, 2_000), (15..=41, 18_000)];

pub(crate) fn drawn() -> Vec<Position> {
    let (mut draw, mut seen) = (Draw::new(SEED, "random positions"), HashSet::new());
    let mut positions = Vec::new();
    for (plies, count) in PARTS {
        for ply in plies.cycle().take(count) {
            positions.push(fresh(&mut draw, &mut seen, ply));
        }
    }
    positions
}

/// The first game that ends nowhere and leads to something new.
fn fresh(draw: &mut Draw, seen: &mut HashSet<Board>, ply: u32) -> Position {
    loop {
        let position = attempt(draw, ply);
        if let Some(position) = position.filter(|position| seen.insert(position.board(Standard::NEW))) {
            return position;
        }
    }
}

fn attempt(draw: &mut Draw, ply: u32) -> Option<Position> {
    let mut position = Position::start();
    for _ in 0..ply {
        let columns = columns(position.board(Standard::NEW));
        position.play(columns[draw.below(columns.len())]).expect("the column is not full");
        if position.is_won() {
            return None;
        }
    }
    let board = position.board(Standard::NEW);
    (!columns(board).into_iter().any(|column| board.wins_by(column))).then_some(position)
}

fn columns(board: Board) -> Vec<u32> {
    (0..7).filter(|&column| board.can_play(column)).collect()
}

/// How many positions were asked about, and how many answered.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    pub(crate) asked: usize,
    pub(crate) answered: usize,
}

/// The `count` positions with the most stones: the later a position, the fewer nodes it takes.
pub(crate) fn latest(set: &TestSet, count: usize) -> TestSet {
    let mut latest = set.clone();
    latest.items.sort_by_key(|item| std::cmp::Reverse(item.position.ply()));
    latest.items.truncate(count);
    latest
}

/// Solves `count` positions spread evenly over the set, each within `nodes`, and checks every answer's score.
///
/// The table is cleared before the first position only: a score must be right whatever was searched before.
pub(crate) fn check(solver: &mut dyn Solve, name: &str, set: &TestSet, goal: Goal, count: usize, nodes: u64) -> Share {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let step = set.items.len().div_ceil(count);
    let mut share = Share { asked: 0, answered: 0 };
    solver.reset();
    for item in set.items.iter().step_by(step) {
        share.asked += 1;
        if let Ok(solved) = solver.solve(&item.position, goal, &limits) {
            assert_eq!(solved.score, goal.of(item.score), "{name}, {}, {}: {}", goal.name(), set.name, item.position);
            share.answered += 1;
        }
    }
    share
}
