//! Random positions of the standard board, and the file that keeps them with their scores.
//!
//! Every move is uniform among all legal ones. A game that ends on the way, one whose mover would win at once, and one
//! that leads to a position seen before are begun anew.

use c4lab_measure::sets::draw::Draw;
use c4lab_solver::game::{Board, Position, Standard};
use std::collections::HashSet;
use std::ops::RangeInclusive;

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
