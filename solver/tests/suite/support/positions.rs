//! Positions: drawn at random, with the oracle's score, from a file with scores, or all that play can reach.

use crate::support::draw::Draw;
use c4lab_solver::game::{Board, BoardSize, Geometry, Position};
use c4lab_solver::search::oracle::Oracle;
use std::collections::HashSet;

/// A position of `ply` stones in which at most the last stone wins.
pub(crate) fn random(size: BoardSize, draw: &mut Draw, ply: u32) -> Position {
    loop {
        if let Some(position) = attempt(size, draw, ply) {
            return position;
        }
    }
}

fn attempt(size: BoardSize, draw: &mut Draw, ply: u32) -> Option<Position> {
    let mut position = Position::start_on(size);
    for left in (0..ply).rev() {
        let fits = |&column: &u32| position.can_play(column) && (left == 0 || !position.wins_by(column));
        let columns: Vec<u32> = (0..size.width()).filter(fits).collect();
        let last = columns.len().checked_sub(1)?;
        position.play(columns[draw.below(last + 1)]).expect("the column is not full and nobody has won");
    }
    Some(position)
}

/// A position and its exact score.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) position: Position,
    pub(crate) score: i32,
}

/// `count` positions of each of the `plies` on a board of `W` columns and `H` rows.
pub(crate) fn cases<const W: usize, const H: usize>(plies: impl Iterator<Item = u32>, count: usize) -> Vec<Case> {
    let board = BoardSize::new(W as u32, H as u32).expect("a board");
    let mut draw = Draw::new(1, "cases");
    let mut oracle = Oracle::<W, H>::default();
    let positions = plies.flat_map(|ply| vec![ply; count]).map(|ply| random(board, &mut draw, ply));
    positions.map(|position| Case { score: oracle.score(position.columns()), position }).collect()
}

/// 2,000 random positions of 8 to 14 stones, then 18,000 of 15 to 41 (`data/README.md`).
const RANDOM: &str = "tests/data/random-positions.txt";
/// The number of early positions.
const EARLY: usize = 2_000;

pub(crate) fn random_positions() -> [Vec<Case>; 2] {
    let text = std::fs::read_to_string(RANDOM).unwrap_or_else(|error| panic!("{RANDOM}: {error}"));
    let mut early: Vec<Case> = text.lines().map(known).collect();
    let late = early.split_off(EARLY);
    [early, late]
}

fn known(line: &str) -> Case {
    let (moves, score) = line.split_once(' ').expect(line);
    Case { position: Position::parse(moves).expect(line), score: score.parse().expect(line) }
}

/// Calls `visit` on every position once, with one sequence of moves to it. Returns the number of positions.
pub(crate) fn every<G: Geometry>(g: G, mut visit: impl FnMut(&Position)) -> usize {
    let mut seen = HashSet::new();
    below(g, Position::start_on(g.size()), &mut seen, &mut visit);
    seen.len()
}

fn below<G: Geometry>(g: G, position: Position, seen: &mut HashSet<Board<G>>, visit: &mut impl FnMut(&Position)) {
    if !seen.insert(position.board(g)) {
        return;
    }
    visit(&position);
    for column in 0..g.width() {
        let mut child = position.clone();
        if child.play(column).is_ok() {
            below(g, child, seen, visit);
        }
    }
}
