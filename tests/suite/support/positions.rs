//! Positions: late ones, random ones and the file that keeps them with their scores, samples of test sets.
//!
//! Every move of a random game is uniform among all legal ones. A game is begun anew if it ends early, if its mover
//! could win at once, or if it leads to a position that was seen before.

use c4lab_measure::sets::draw::Draw;
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::game::{Board, Position, Standard};
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::{Goal, Limits, Solve};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Positions with few empty squares, which every variant and the oracle solve at once.
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

/// The first random game that is not over and leads to a new position.
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

/// The number of positions that were searched, and of those that were solved.
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
/// The table is cleared before the first position only, because a score must not depend on earlier searches.
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
