//! Notation: the moves of a position, one character a ply: columns from 1 (`44455554221`); the tenth is a, then b, c.

use crate::game::board::{Board, completing, diagram, has_four_along};
use crate::game::geometry::{Geometry, MOST_COLUMNS};
use crate::game::size::BoardSize;
use std::fmt;
use std::str::FromStr;

/// Moves, and the board after them. The moves are legal: no full column, nothing after a win. A position knows the size
/// of its board; a search takes the board in its own geometry ([`board`](Self::board)).
///
/// ```
/// use c4lab_solver::{Position, game::BoardSize};
/// let position: Position = "4433".parse()?;
/// assert_eq!((position.ply(), position.to_string()), (4, "4433".to_string()));
/// assert_eq!(Position::parse("4444444").unwrap_err().to_string(), "ply 7: column 4 is full");
/// let wide = BoardSize::new(8, 7).unwrap();
/// assert_eq!(Position::parse_on(wide, "8888888")?.size(), wide);
/// # Ok::<(), c4lab_solver::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    size: BoardSize,
    columns: Vec<u8>,
    /// The mover's stones, in the tight layout.
    mover: u128,
    stones: u128,
}

/// The reason why a text is no position, and its ply (from 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotationError {
    pub ply: usize,
    pub reason: Reason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The character names no column; the number of columns.
    NotAColumn(char, u32),
    /// The column (from 1) has no empty square.
    ColumnFull(u32),
    GameWon,
}

/// The name of a column (from 0): 1 to 9, a, b, c; `?` for a number that names none.
///
/// ```
/// use c4lab_solver::game::notation::{column_named, name_of_column};
/// assert_eq!([0, 8, 9, 11, 12].map(name_of_column), ['1', '9', 'a', 'c', '?']);
/// assert_eq!(['1', 'a', '0', 'A', 'd'].map(column_named), [Some(0), Some(9), None, None, None]);
/// ```
pub fn name_of_column(column: u32) -> char {
    let name = char::from_digit(column.saturating_add(1).min(35), 36);
    name.filter(|_| column < MOST_COLUMNS).unwrap_or('?')
}

/// The column (from 0) of a name.
pub fn column_named(name: char) -> Option<u32> {
    (0..MOST_COLUMNS).find(|&column| name_of_column(column) == name)
}

impl Default for Position {
    fn default() -> Self {
        Self::start()
    }
}

impl Position {
    /// The standard board, 7x6, before the first move.
    pub fn start() -> Self {
        Self::start_on(BoardSize::STANDARD)
    }

    /// A board of `size` before the first move.
    pub fn start_on(size: BoardSize) -> Self {
        Position { size, columns: Vec::new(), mover: 0, stones: 0 }
    }

    /// Reads moves on the standard board; the empty text is the empty board.
    pub fn parse(moves: &str) -> Result<Self, NotationError> {
        Self::parse_on(BoardSize::STANDARD, moves)
    }

    /// Reads moves on a board of `size`.
    pub fn parse_on(size: BoardSize, moves: &str) -> Result<Self, NotationError> {
        Self::play_all(size, moves.chars().map(|name| (name, column_named(name))))
    }

    /// Plays columns, each behind its name. `None` is no column.
    pub(super) fn play_all(
        size: BoardSize,
        columns: impl Iterator<Item = (char, Option<u32>)>,
    ) -> Result<Self, NotationError> {
        let mut position = Self::start_on(size);
        for ((name, column), ply) in columns.zip(1..) {
            let fail = |reason| NotationError { ply, reason };
            let column = column.filter(|&column| column < size.width());
            let column = column.ok_or(fail(Reason::NotAColumn(name, size.width())))?;
            position.play(column).map_err(fail)?;
        }
        Ok(position)
    }

    /// Plays `column` (from 0). If it cannot be played, returns the reason and changes nothing.
    pub fn play(&mut self, column: u32) -> Result<(), Reason> {
        if self.is_won() {
            return Err(Reason::GameWon);
        }
        if column >= self.size.width() {
            return Err(Reason::NotAColumn(name_of_column(column), self.size.width()));
        }
        if !self.can_play(column) {
            return Err(Reason::ColumnFull(column + 1));
        }
        let bottom = 1 << (column * self.size.stride());
        self.mover ^= self.stones;
        self.stones |= (self.stones + bottom) & self.size.column(column);
        self.columns.push(column as u8);
        Ok(())
    }

    /// True if `column` (from 0), a column of the board, is not full.
    pub fn can_play(&self, column: u32) -> bool {
        let column = self.size.column(column);
        self.stones & column != column
    }

    /// True if a stone in `column` (from 0) can be played and wins.
    pub fn wins_by(&self, column: u32) -> bool {
        let mut child = Position { columns: Vec::new(), ..*self };
        self.can_play(column) && !self.is_won() && child.play(column).is_ok() && child.is_won()
    }

    /// The stones of the mover and all stones, in the tight layout. A position and its mirror image have one pair.
    pub fn up_to_mirror(&self) -> (u128, u128) {
        (self.mover, self.stones).min(self.mirrored())
    }

    /// True if [`up_to_mirror`](Self::up_to_mirror) gives its own stones, not the mirrored ones. True if symmetric.
    pub fn is_canonical(&self) -> bool {
        (self.mover, self.stones) <= self.mirrored()
    }

    /// True if the board is its own mirror image.
    pub fn is_symmetric(&self) -> bool {
        (self.mover, self.stones) == self.mirrored()
    }

    /// The number of empty squares that would complete four in a row for the side that played last, playable or not.
    pub fn threats(&self) -> u32 {
        let stones = self.mover ^ self.stones;
        let empty = (0..self.size.width()).fold(0, |board, column| board | self.size.column(column)) & !self.stones;
        (completing(stones, self.size.directions()) & empty).count_ones()
    }

    fn mirrored(&self) -> (u128, u128) {
        let flip = |set: u128| {
            (0..self.size.width()).fold(0, |flipped, column| {
                let stones = (set >> (column * self.size.stride())) & self.size.column(0);
                flipped | stones << ((self.size.width() - 1 - column) * self.size.stride())
            })
        };
        (flip(self.mover), flip(self.stones))
    }

    /// The bits of the mover's stones and of all stones, with `stride` bits a column.
    pub fn words(&self, stride: u32) -> (u128, u128) {
        let spread = |set: u128| {
            let column = |column: u32| (set >> (column * self.size.stride())) & self.size.column(0);
            (0..self.size.width()).fold(0, |words, at| words | column(at) << (at * stride))
        };
        (spread(self.mover), spread(self.stones))
    }

    /// The columns played, from 0.
    pub fn columns(&self) -> &[u8] {
        &self.columns
    }

    /// Columns and rows of the board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The board after the moves, in geometry `g`.
    ///
    /// # Panics
    /// If `g` has another size.
    pub fn board<G: Geometry>(&self, g: G) -> Board<G> {
        self.board_in(g).unwrap_or_else(|| panic!("a position of {} is not one of {}", self.size, g.name()))
    }

    /// The board after the moves, or `None` if `g` has another size.
    #[inline(always)]
    pub fn board_in<G: Geometry>(&self, g: G) -> Option<Board<G>> {
        (self.size == g.size()).then(|| Board::from_tight(g, self.mover, self.stones))
    }

    /// The board as a diagram, in the form of [`Board`]'s `Display`.
    pub fn diagram(&self) -> String {
        let opponent = self.mover ^ self.stones;
        let (first, second) =
            if self.ply().is_multiple_of(2) { (self.mover, opponent) } else { (opponent, self.mover) };
        diagram(self.size, self.size.stride(), [first, second])
    }

    /// The number of stones on the board.
    pub fn ply(&self) -> u32 {
        self.columns.len() as u32
    }

    /// True if the side that played last has four in a row.
    pub fn is_won(&self) -> bool {
        has_four_along(self.mover ^ self.stones, self.size.directions())
    }

    /// True if no move can be played any more.
    pub fn is_over(&self) -> bool {
        self.ply() == self.size.cells() || self.is_won()
    }

    /// The mirror image of this position.
    #[must_use]
    pub fn mirror(&self) -> Self {
        let mut mirror = Self::start_on(self.size);
        for &column in &self.columns {
            let played = mirror.play(self.size.width() - 1 - u32::from(column));
            debug_assert_eq!(played, Ok(()));
        }
        mirror
    }
}

impl FromStr for Position {
    type Err = NotationError;

    fn from_str(moves: &str) -> Result<Self, NotationError> {
        Self::parse(moves)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.columns.iter().try_for_each(|&column| write!(f, "{}", name_of_column(u32::from(column))))
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {}: {}", self.ply, self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NotAColumn(c, width @ ..=9) => write!(f, "{c:?} is not a column (1 to {width})"),
            Reason::NotAColumn(c, 10) => write!(f, "{c:?} is not a column (1 to 9, a)"),
            Reason::NotAColumn(c, width) => {
                write!(f, "{c:?} is not a column (1 to 9, a to {})", name_of_column(width - 1))
            }
            Reason::ColumnFull(column) => write!(f, "column {} is full", name_of_column(column - 1)),
            Reason::GameWon => write!(f, "the game is already won"),
        }
    }
}

impl std::error::Error for NotationError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Spaced;
    use crate::game::any_board::{Broad, Narrow, on_every_kind_of_board};
    use crate::game::board::has_four;
    use crate::game::word::EachSquare;
    use proptest::prelude::*;

    fn error(moves: &str) -> String {
        Position::parse(moves).expect_err(moves).to_string()
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
            let mut position = Position::start();
            assert!(matches!(position.play(column), Err(Reason::NotAColumn(_, 7))), "{column}");
            assert_eq!(position, Position::start());
        }
    }

    #[test]
    fn digits_follow_the_width() {
        assert!(Position::parse_on(Narrow::sized(4, 4).size(), "5").is_err());
        assert!(Position::parse_on(Broad::sized(9, 6).size(), "9").is_ok());
        let wide = Broad::sized(12, 4).size();
        assert_eq!(Position::parse_on(wide, "9abc").unwrap().to_string(), "9abc");
        let error = |board: BoardSize, moves: &str| Position::parse_on(board, moves).unwrap_err().to_string();
        assert_eq!(error(wide, "d"), "ply 1: 'd' is not a column (1 to 9, a to c)");
        assert_eq!(error(wide, "ccccc"), "ply 5: column c is full");
        assert_eq!(error(Broad::sized(10, 5).size(), "b"), "ply 1: 'b' is not a column (1 to 9, a)");
    }

    fn plays_as_its_board<G: Geometry>(g: G, columns: &[u32]) {
        let (mut position, mut board) = (Position::start_on(g.size()), Board::empty_in(g));
        for column in columns.iter().map(|column| column % g.width()) {
            let can = board.can_play(column) && !board.is_won();
            assert_eq!(position.play(column).is_ok(), can, "{} {position}", g.name());
            board = if can { board.play(column) } else { board };
            assert_eq!((position.board(g), position.is_won(), position.ply()), (board, board.is_won(), board.ply()));
            assert_eq!(position.is_over(), board.is_won() || board.is_full());
            assert_eq!((position.diagram(), position.mirror().board(g)), (board.to_string(), board.mirror()));
            assert_eq!(position.up_to_mirror(), position.mirror().up_to_mirror());
            let images = u32::from(position.is_canonical()) + u32::from(position.mirror().is_canonical());
            assert_eq!(images, if position.is_symmetric() { 2 } else { 1 });
            if !board.is_won() {
                let completes = |&square: &G::Word| has_four(g, board.opponent() | square);
                let threats = EachSquare(board.empty()).filter(completes).count();
                assert_eq!(position.threats() as usize, threats, "{position}");
            }
            for column in (0..g.width()).filter(|&column| !board.is_won() && board.can_play(column)) {
                assert_eq!(position.wins_by(column), board.wins_by(column), "{position}, {column}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn positions_play_as_boards(columns in proptest::collection::vec(0u32..40, 0..130)) {
            on_every_kind_of_board!(plays_as_its_board(&columns));
        }
    }

    #[test]
    fn a_position_of_another_size_has_no_board() {
        assert!(Position::start().board_in(Narrow::sized(8, 7)).is_none());
        assert!(Position::start().board_in(Spaced::NEW).is_some());
    }
}
