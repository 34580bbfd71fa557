//! Storage: how the search holds a board, and what it asks of it.

use super::threats::{Threats, non_losing, winning_squares};
use crate::game::board::has_four;
use crate::game::{Board, Geometry};

axis! {
    /// How the search holds a board.
    pub enum Storage = "storage" {
        /// one byte a square and a height a column; lines are walked square by square (Pons, parts 3 to 5)
        Array = "array",
        /// two words, the mover's stones and all stones (Pons, part 6)
        Bitboard = "bitboard",
    }
}

/// What the search asks of a board.
///
/// A set of moves has one bit in each column that can be played, anywhere in that column, so that
/// `moves & G::column(c)` is the move in column `c`, or 0.
pub trait SearchBoard: Copy {
    /// The geometry of the board.
    type Geometry: Geometry;

    /// Takes over a board of the rules.
    fn new(board: Board<Self::Geometry>) -> Self;
    /// The board of the rules: the inverse of `new`.
    fn board(&self) -> Board<Self::Geometry>;
    /// Number of stones.
    fn ply(&self) -> u32;
    /// All moves.
    fn playable(&self) -> u64;
    /// Whether some move wins at once.
    fn wins_now(&self) -> bool;
    /// The moves after which the opponent cannot win at once.
    fn non_losing(&self) -> u64;
    /// Number of squares that would complete four for the mover, after `one_move`.
    fn threats_after(&self, one_move: u64) -> u32;
    /// The board after `one_move`.
    #[must_use]
    fn play(&self, one_move: u64) -> Self;
    /// A number that no other board of this geometry has; below `2^KEY_BITS`.
    fn key(&self) -> u64;
}

impl<G: Geometry> SearchBoard for Board<G> {
    type Geometry = G;

    #[inline(always)]
    fn new(board: Board<G>) -> Self {
        board
    }

    #[inline(always)]
    fn board(&self) -> Board<G> {
        *self
    }

    #[inline(always)]
    fn ply(&self) -> u32 {
        Board::ply(*self)
    }

    #[inline(always)]
    fn playable(&self) -> u64 {
        Board::playable(*self)
    }

    #[inline(always)]
    fn wins_now(&self) -> bool {
        let playable = Board::playable(*self);
        (0..G::WIDTH).map(|column| playable & G::column(column)).any(|square| has_four::<G>(self.mover() | square))
    }

    #[inline(always)]
    fn non_losing(&self) -> u64 {
        non_losing(Board::playable(*self), winning_squares::<G>(Threats::Pairs, self.opponent(), self.empty()))
    }

    #[inline(always)]
    fn threats_after(&self, one_move: u64) -> u32 {
        winning_squares::<G>(Threats::Pairs, self.mover() | one_move, self.empty() ^ one_move).count_ones()
    }

    #[inline(always)]
    fn play(&self, one_move: u64) -> Self {
        self.play_square(one_move)
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        Board::key(*self)
    }
}
