//! Positions drawn at random, with the oracle's score.

use super::draws;
use crate::support::draw::Draw;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::oracle::Oracle;

/// A position and its exact score.
pub(crate) struct Case {
    pub(crate) position: Position,
    pub(crate) score: i32,
}

/// `count` positions of each of the `plies` on a board of `W` columns and `H` rows.
pub(crate) fn cases<const W: usize, const H: usize>(plies: impl Iterator<Item = u32>, count: usize) -> Vec<Case> {
    let board = BoardSize::new(W as u32, H as u32).expect("a board");
    let mut draw = Draw::new(1, "cases");
    let mut oracle = Oracle::<W, H>::default();
    let positions = plies.flat_map(|ply| vec![ply; count]).map(|ply| draws::on(board, &mut draw, ply));
    positions.map(|position| Case { score: oracle.score(position.columns()), position }).collect()
}
