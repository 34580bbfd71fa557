//! Positions drawn at random.

use crate::support::draw::Draw;
use c4lab_solver::game::{Geometry, Position};

/// A position of `ply` stones in which at most the last stone wins.
pub(crate) fn position<G: Geometry>(draw: &mut Draw, ply: u32) -> Position {
    loop {
        if let Some(position) = attempt(draw, ply) {
            return position;
        }
    }
}

fn attempt<G: Geometry>(draw: &mut Draw, ply: u32) -> Option<Position> {
    let mut position = Position::start();
    for left in (0..ply).rev() {
        let board = position.board();
        let fits = |&column: &u32| board.can_play(column) && (left == 0 || !board.wins_by(column));
        let columns: Vec<u32> = (0..G::WIDTH).filter(fits).collect();
        let last = columns.len().checked_sub(1)?;
        position.play(columns[draw.below(last + 1)]).expect("the column is not full and nobody has won");
    }
    Some(position)
}
