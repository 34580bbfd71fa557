//! Lines: what a game looks like to a bot that remembers moves and not boards.
//!
//! ```text
//! 4 1 4 2        a line; the first player has played 4 4, its opponent 1 2
//! 4 7 4 6        its mirror image: only the one is written in which the opponent goes left first
//! . 1 . 2        the opponent's moves alone: the others follow from the store
//! ```

use crate::store::rule::after;
use crate::store::strategy::{Seat, Strategy};
use anyhow::{Context, Result, bail};
use c4lab_solver::game::{BoardSize, Position};
use std::collections::BTreeMap;

/// How a line is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writing {
    /// Of a line and its mirror image only one.
    pub mirrored: bool,
    /// Only the moves of the opponent.
    pub opponent: bool,
}

/// Columns of a line, from 1, and whether the move that belongs to it has to be mirrored.
pub type WrittenLine = (Vec<u8>, bool);

impl Writing {
    /// Every move of both.
    pub const PLAIN: Writing = Writing { mirrored: false, opponent: false };

    /// The line that led to a position, as it is written.
    ///
    /// Wherever the board is its own mirror image and the opponent plays to the right of the middle, all that follows is written in a
    /// mirror, until the board is symmetric again. The player itself needs no such rule: it has one move in a position.
    pub fn of(self, position: &Position) -> WrittenLine {
        let size = position.size();
        let (mut line, mut is_mirrored) = (Vec::new(), false);
        let mut board = Position::start_on(size);
        for &column in position.columns() {
            let is_opponent = Seat::to_move(&board) != Seat::to_move(position);
            if self.mirrored && board.is_symmetric() {
                is_mirrored = is_opponent && 2 * u32::from(column) + 1 > size.width();
            }
            board.play(column.into()).expect("a move of a position");
            if is_opponent || !self.opponent {
                line.push(if is_mirrored { mirror(size, column + 1) } else { column + 1 });
            }
        }
        // On a symmetric board the next move is as it is written.
        (line, is_mirrored && !board.is_symmetric())
    }
}

/// All lines of a strategy with fewer than so many stones, as they are written, and the column of the move that follows, from 1.
///
/// # Errors
/// The strategy does not know a position, or there are more than `most` lines.
pub fn lines(strategy: &Strategy, plies: u32, writing: Writing, most: usize) -> Result<BTreeMap<Vec<u8>, u8>> {
    let mut lines = BTreeMap::new();
    let start = Position::start_on(strategy.size());
    let mut open = match strategy.seat() {
        Seat::First => vec![start],
        Seat::Second => replies(&start).collect(),
    };
    while let Some(position) = open.pop() {
        if position.ply() >= plies {
            continue;
        }
        let column = strategy.column(&position).with_context(|| format!("{position} is not solved"))?;
        let (line, is_mirrored) = writing.of(&position);
        let written = if is_mirrored { mirror(strategy.size(), column as u8 + 1) } else { column as u8 + 1 };
        if lines.insert(line, written).is_some_and(|other| other != written) {
            bail!("{position}: one line, two moves");
        }
        if lines.len() > most {
            bail!("more than {most} lines with fewer than {plies} stones");
        }
        let child = after(&position, column);
        if !child.is_over() {
            open.extend(replies(&child));
        }
    }
    Ok(lines)
}

/// A column, from 1, in a mirror.
pub fn mirror(size: BoardSize, column: u8) -> u8 {
    size.width() as u8 + 1 - column
}

/// The positions after every reply on which the game goes on.
fn replies(position: &Position) -> impl Iterator<Item = Position> {
    let columns = (0..position.size().width()).filter(|&column| position.can_play(column));
    columns.map(|column| after(position, column)).filter(|child| !child.is_over())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_written_in_one_of_its_images_and_by_one_side() {
        let position = Position::parse("4745").unwrap();
        assert_eq!(Writing::PLAIN.of(&position), (vec![4, 7, 4, 5], false));
        let mirrored = Writing { mirrored: true, opponent: false };
        assert_eq!(mirrored.of(&position), (vec![4, 1, 4, 3], true));
        let opponent = Writing { mirrored: true, opponent: true };
        assert_eq!(opponent.of(&position), (vec![1, 3], true));
        // Here the second player moves, and its opponent began.
        assert_eq!(opponent.of(&Position::parse("545").unwrap()), (vec![3, 3], true));
        assert_eq!(opponent.of(&Position::parse("444").unwrap()), (vec![4, 4], false));
        // Symmetric again: what follows is not mirrored.
        assert_eq!(opponent.of(&Position::parse("474131").unwrap()), (vec![1, 7, 1], false));
        assert_eq!(opponent.of(&Position::parse("4353").unwrap()), (vec![3, 3], false));
    }
}
