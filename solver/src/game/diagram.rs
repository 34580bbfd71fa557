//! A board as a diagram: one line a row, the top row first, `X` the first player, `O` the second.
//!
//! ```text
//! . . . . . . .
//! . . . O . . .
//! . . X X O . .
//! ```

use crate::game::board::Board;
use crate::game::geometry::Geometry;
use crate::game::size::BoardSize;
use crate::game::word::Word;
use std::fmt;

/// Why a text is no diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiagramError {
    /// The number of lines found and wanted.
    Rows(usize, u32),
    /// The row (from the top, from 1), and the number of squares found and wanted.
    Columns(usize, usize, u32),
    /// The row (from the top, from 1) and a character that is none of `X`, `O`, `.`.
    Square(usize, char),
    /// The column (from 1) with a stone above an empty square.
    Floating(u32),
    /// The number of `X` and `O`, which differ by something other than 0 or 1.
    Stones(u32, u32),
    /// Both sides have four in a row, or the side to move has.
    Won,
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows(found, wanted) => write!(f, "{found} rows instead of {wanted}"),
            Self::Columns(row, found, wanted) => write!(f, "row {row}: {found} squares instead of {wanted}"),
            Self::Square(row, c) => write!(f, "row {row}: {c:?} is none of X, O and ."),
            Self::Floating(column) => write!(f, "column {column}: a stone above an empty square"),
            Self::Stones(x, o) => write!(f, "{x} X and {o} O: X has as many stones as O, or one more"),
            Self::Won => write!(f, "the side to move has four in a row: the game was over before the last stone"),
        }
    }
}

impl std::error::Error for DiagramError {}

impl<G: Geometry> Board<G> {
    /// The stones of the first and of the second player.
    pub fn by_player(self) -> (G::Word, G::Word) {
        if self.ply().is_multiple_of(2) { (self.mover(), self.opponent()) } else { (self.opponent(), self.mover()) }
    }

    /// Reads a diagram. Blanks between squares and empty lines do not count.
    pub fn parse_diagram(g: G, text: &str) -> Result<Self, DiagramError> {
        let rows: Vec<Vec<char>> = text
            .lines()
            .map(|line| line.chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>())
            .filter(|row| !row.is_empty())
            .collect();
        if rows.len() != g.height() as usize {
            return Err(DiagramError::Rows(rows.len(), g.height()));
        }
        let (mut first, mut second) = (G::Word::NONE, G::Word::NONE);
        for (index, row) in rows.iter().enumerate() {
            if row.len() != g.width() as usize {
                return Err(DiagramError::Columns(index + 1, row.len(), g.width()));
            }
            for (column, square) in row.iter().enumerate() {
                let bit = G::Word::ONE << (column as u32 * g.stride() + g.height() - 1 - index as u32);
                match square {
                    'X' | 'x' => first |= bit,
                    'O' | 'o' => second |= bit,
                    '.' => {}
                    &other => return Err(DiagramError::Square(index + 1, other)),
                }
            }
        }
        Self::from_players(g, first, second)
    }

    fn from_players(g: G, first: G::Word, second: G::Word) -> Result<Self, DiagramError> {
        let stones = first | second;
        let floating = (stones + g.bottom()) & stones;
        if floating.has_any() {
            return Err(DiagramError::Floating(g.column_of(floating) + 1));
        }
        let mover = match first.count_ones().wrapping_sub(second.count_ones()) {
            0 => first,
            1 => second,
            _ => return Err(DiagramError::Stones(first.count_ones(), second.count_ones())),
        };
        let board = Self::from_stones(g, mover, stones).expect("stones stand in columns");
        if crate::game::board::has_four(g, mover) { Err(DiagramError::Won) } else { Ok(board) }
    }
}

/// Stones of both players, as a diagram shows them.
pub(super) struct Diagram {
    pub(super) size: BoardSize,
    /// Bits from one column to the next.
    pub(super) stride: u32,
    pub(super) first: u128,
    pub(super) second: u128,
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.size.height()).rev() {
            for column in 0..self.size.width() {
                let bit = 1 << (column * self.stride + row);
                let square = if self.first & bit != 0 {
                    'X'
                } else if self.second & bit != 0 {
                    'O'
                } else {
                    '.'
                };
                write!(f, "{}{square}", if column == 0 { "" } else { " " })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl<G: Geometry> fmt::Display for Board<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (g, (first, second)) = (self.geometry(), self.by_player());
        let (first, second) = (first.wide(), second.wide());
        Diagram { size: g.size(), stride: g.stride(), first, second }.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Standard};
    use proptest::prelude::*;

    fn error(text: &str) -> String {
        Board::parse_diagram(Standard::NEW, text).expect_err(text).to_string()
    }

    #[test]
    fn errors_say_what_is_wrong() {
        let empty = ".......\n".repeat(5);
        assert_eq!(error(""), "0 rows instead of 6");
        assert_eq!(error(&format!("{empty}......")), "row 6: 6 squares instead of 7");
        assert_eq!(error(&format!("{empty}...y...")), "row 6: 'y' is none of X, O and .");
        assert_eq!(error(&format!("..X....\n{empty}")), "column 3: a stone above an empty square");
        assert_eq!(error(&format!("{empty}..XX...")), "2 X and 0 O: X has as many stones as O, or one more");
        assert!(error(&format!("{}OOO....\nXXXX..O", ".......\n".repeat(4))).contains("over before"));
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(columns in proptest::collection::vec(0u32..7, 0..42)) {
            let mut position = Position::start();
            for column in columns {
                let _ = position.play(column);
            }
            let text = position.diagram();
            prop_assert_eq!(Board::parse_diagram(Standard::NEW, &text), Ok(position.board(Standard::NEW)), "{}", text);
        }
    }
}
