//! Notation: the moves of a position, one digit a ply, columns counted from 1 (`44455554221`).

use crate::game::board::Board;
use crate::game::geometry::{Geometry, Standard};
use std::fmt;

/// Moves and the board they lead to. The moves are legal: no full column, nothing after a win.
///
/// ```
/// use crate::game::Position;
/// let position = Position::parse("4433").unwrap();
/// assert_eq!(position.ply(), 4);
/// assert_eq!(position.to_string(), "4433");
/// # let _: Position = position;
/// let full: Result<Position, _> = Position::parse("4444444");
/// assert_eq!(full.unwrap_err().to_string(), "ply 7: column 4 is full");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position<G: Geometry = Standard> {
    columns: Vec<u8>,
    board: Board<G>,
}

/// Why a text is no position: the ply (from 1) and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// The move that cannot be played, counted from 1.
    pub ply: usize,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The character names no column; the number of columns.
    NotAColumn(char, u32),
    /// The column (from 1) has no empty square.
    ColumnFull(u32),
    /// A side has four in a row already.
    GameWon,
}

impl<G: Geometry> Position<G> {
    /// The position before the first move.
    pub fn start() -> Self {
        Position { columns: Vec::new(), board: Board::EMPTY }
    }

    /// Reads moves; the empty text is the empty board.
    pub fn parse(moves: &str) -> Result<Self, NotationError> {
        let mut position = Self::start();
        for (index, character) in moves.chars().enumerate() {
            let fail = |reason| NotationError { ply: index + 1, reason };
            let digit = character.to_digit(10).filter(|d| (1..=G::WIDTH).contains(d));
            let digit = digit.ok_or(fail(Reason::NotAColumn(character, G::WIDTH)))?;
            position.play(digit - 1).map_err(fail)?;
        }
        Ok(position)
    }

    /// Plays `column` (from 0), or says why it cannot be played and changes nothing.
    pub fn play(&mut self, column: u32) -> Result<(), Reason> {
        if self.board.is_won() {
            return Err(Reason::GameWon);
        }
        if column >= G::WIDTH {
            let digit = char::from_digit(column.saturating_add(1), 10).unwrap_or('?');
            return Err(Reason::NotAColumn(digit, G::WIDTH));
        }
        if !self.board.can_play(column) {
            return Err(Reason::ColumnFull(column + 1));
        }
        self.board = self.board.play(column);
        self.columns.push(column as u8);
        Ok(())
    }

    /// The columns played, from 0.
    pub fn columns(&self) -> &[u8] {
        &self.columns
    }

    /// The board the moves lead to.
    pub fn board(&self) -> Board<G> {
        self.board
    }

    /// Number of stones on the board.
    pub fn ply(&self) -> u32 {
        self.columns.len() as u32
    }

    /// Whether nothing can be played any more.
    pub fn is_over(&self) -> bool {
        self.board.is_won() || self.board.is_full()
    }

    /// The same position in a mirror.
    #[must_use]
    pub fn mirror(&self) -> Self {
        let columns = self.columns.iter().map(|c| G::WIDTH as u8 - 1 - c).collect();
        Position { columns, board: self.board.mirror() }
    }
}

impl<G: Geometry> fmt::Display for Position<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.columns.iter().try_for_each(|column| write!(f, "{}", column + 1))
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {}: ", self.ply)?;
        match self.reason {
            Reason::NotAColumn(c, width) => write!(f, "{c:?} is not a column (1 to {width})"),
            Reason::ColumnFull(column) => write!(f, "column {column} is full"),
            Reason::GameWon => write!(f, "the game is already won"),
        }
    }
}

impl std::error::Error for NotationError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Grid;

    fn error(moves: &str) -> String {
        Position::<Standard>::parse(moves).expect_err(moves).to_string()
    }

    #[test]
    fn errors_name_ply_and_reason() {
        assert_eq!(error("44x"), "ply 3: 'x' is not a column (1 to 7)");
        assert_eq!(error("448"), "ply 3: '8' is not a column (1 to 7)");
        assert_eq!(error("0"), "ply 1: '0' is not a column (1 to 7)");
        assert_eq!(error("44 4"), "ply 3: ' ' is not a column (1 to 7)");
        assert_eq!(error("1111111"), "ply 7: column 1 is full");
        assert_eq!(error("12121213"), "ply 8: the game is already won");
        assert_eq!(error("٤"), "ply 1: '٤' is not a column (1 to 7)");
    }

    #[test]
    fn columns_off_the_board_are_refused_whatever_their_number() {
        for column in [7, 8, 9, 10, 63, 64, u32::MAX] {
            let mut position = Position::<Standard>::start();
            assert!(matches!(position.play(column), Err(Reason::NotAColumn(_, 7))), "{column}");
            assert_eq!(position, Position::start());
        }
    }

    #[test]
    fn a_million_digits_are_refused_at_the_first_bad_one() {
        assert_eq!(error(&"1".repeat(1_000_000)), "ply 7: column 1 is full");
    }

    #[test]
    fn digits_follow_the_width() {
        assert!(Position::<Grid<4, 4, 5>>::parse("5").is_err());
        assert!(Position::<Grid<9, 6, 7>>::parse("9").is_ok());
    }

    #[test]
    fn a_mirror_image_plays_the_mirrored_columns() {
        let position = Position::<Standard>::parse("1273").unwrap();
        assert_eq!(position.mirror().to_string(), "7615");
        assert_eq!(Position::parse("7615").unwrap(), position.mirror());
    }
}
