//! Positions drawn at random.

use crate::support::draw::Draw;
use c4lab_solver::game::{BoardSize, Position};

/// A position of `ply` stones in which at most the last stone wins.
pub(crate) fn on(size: BoardSize, draw: &mut Draw, ply: u32) -> Position {
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
