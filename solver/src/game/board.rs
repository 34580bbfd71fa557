//! The board: two words, the mover's stones and all stones.
//!
//! Invariant: `mover` is a subset of `stones`, and the stones of a column are a run of ones from its bottom. So adding
//! one at the bottom of a column carries into its lowest empty square. Moves are made in this way ("moves by addition",
//! as in both sources of [`crate::game::geometry`]):
//!
//! ```text
//! stones  000111     stones + bottom  001000     the playable square
//! ```
//!
//! The key `mover + stones + bottom` puts a single one above the highest stone of each column, and the colours below
//! it. So it is injective (Pons, part 6).
//!
//! A board is shown as a diagram, the top row first: `X` the first player, `O` the second.

use crate::game::geometry::{Geometry, Grid, Standard};
use crate::game::size::BoardSize;
use crate::game::word::Word;
use std::fmt;

/// A board, seen by the side to move.
///
/// ```
/// use c4lab_solver::game::Board;
/// let board: Board = Board::EMPTY.play(3).play(3);
/// assert_eq!(board.to_string(), "\
/// . . . . . . .
/// . . . . . . .
/// . . . . . . .
/// . . . . . . .
/// . . . O . . .
/// . . . X . . .
/// ");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board<G: Geometry = Standard> {
    mover: G::Word,
    stones: G::Word,
    geometry: G,
}

impl<const W: u32, const H: u32, const S: u32> Board<Grid<W, H, S>> {
    pub const EMPTY: Self = Board { mover: 0, stones: 0, geometry: Grid::NEW };
}

impl<G: Geometry> Board<G> {
    pub fn empty_in(geometry: G) -> Self {
        Board { mover: G::Word::NONE, stones: G::Word::NONE, geometry }
    }

    #[inline(always)]
    pub fn geometry(self) -> G {
        self.geometry
    }

    /// A board from the mover's stones and all stones; `None` if they break the invariant.
    pub fn from_stones(g: G, mover: G::Word, stones: G::Word) -> Option<Self> {
        let in_columns = (stones & !g.board()).is_empty() && ((stones + g.bottom()) & stones).is_empty();
        (in_columns && (mover & !stones).is_empty()).then_some(Board { mover, stones, geometry: g })
    }

    /// A board from the stones of both sides, which must keep the invariant.
    #[inline(always)]
    pub(crate) fn of_sides(g: G, mover: G::Word, opponent: G::Word) -> Self {
        let board = Board { mover, stones: mover | opponent, geometry: g };
        debug_assert!((mover & opponent).is_empty() && Self::from_stones(g, mover, board.stones).is_some());
        board
    }

    /// This board in the layout of another geometry.
    ///
    /// # Panics
    /// If that geometry has another size.
    #[must_use]
    pub fn to_layout<H: Geometry>(self, layout: H) -> Board<H> {
        let g = self.geometry;
        assert_eq!(g.size(), layout.size(), "a layout of the same board");
        let lay = |set: G::Word| H::Word::of(lay_out(set.wide(), g.width(), g.stride(), layout.stride()));
        Board { mover: lay(self.mover), stones: lay(self.stones), geometry: layout }
    }

    /// A board from words of the tight layout, which must keep the invariant.
    #[inline(always)]
    pub(super) fn from_tight(g: G, mover: u128, stones: u128) -> Self {
        if G::IS_TIGHT {
            return Board { mover: G::Word::of(mover), stones: G::Word::of(stones), geometry: g };
        }
        let lay = |set| G::Word::of(lay_out(set, g.width(), g.height() + 1, g.stride()));
        Board { mover: lay(mover), stones: lay(stones), geometry: g }
    }

    #[inline(always)]
    pub fn mover(self) -> G::Word {
        self.mover
    }

    #[inline(always)]
    pub fn opponent(self) -> G::Word {
        self.mover ^ self.stones
    }

    #[inline(always)]
    pub fn stones(self) -> G::Word {
        self.stones
    }

    #[inline(always)]
    pub fn empty(self) -> G::Word {
        self.stones ^ self.geometry.board()
    }

    /// The stones of the first and of the second player.
    pub fn by_player(self) -> (G::Word, G::Word) {
        if self.ply().is_multiple_of(2) { (self.mover(), self.opponent()) } else { (self.opponent(), self.mover()) }
    }

    #[inline(always)]
    pub fn ply(self) -> u32 {
        self.stones.count_ones()
    }

    #[inline(always)]
    pub fn is_full(self) -> bool {
        self.stones == self.geometry.board()
    }

    /// The lowest empty square of every column that is not full.
    #[inline(always)]
    pub fn playable(self) -> G::Word {
        playable(self.geometry, self.stones)
    }

    #[inline(always)]
    pub fn can_play(self, column: u32) -> bool {
        (self.playable() & self.geometry.column(column)).has_any()
    }

    /// The board after the mover plays `square`, a one-bit subset of [`playable`](Self::playable).
    #[inline(always)]
    #[must_use]
    pub fn play_square(self, square: G::Word) -> Self {
        debug_assert!(square.is_one() && square & self.playable() == square);
        Board { mover: self.opponent(), stones: self.stones | square, geometry: self.geometry }
    }

    /// The board after the mover plays `column` (from 0), which is not full.
    #[inline(always)]
    #[must_use]
    pub fn play(self, column: u32) -> Self {
        debug_assert!(self.can_play(column));
        self.play_square(self.playable() & self.geometry.column(column))
    }

    pub fn is_won(self) -> bool {
        has_four(self.geometry, self.opponent())
    }

    /// True if a stone of the mover's in `column`, which is not full, makes four in a row.
    pub fn wins_by(self, column: u32) -> bool {
        self.play(column).is_won()
    }

    /// A number that no other board of this geometry has; below `2^`[`key_bits`](Geometry::key_bits).
    #[inline(always)]
    pub fn key(self) -> G::Word {
        self.mover + self.stones + self.geometry.bottom()
    }

    #[must_use]
    pub fn mirror(self) -> Self {
        let g = self.geometry;
        Board { mover: g.flip(self.mover), stones: g.flip(self.stones), geometry: g }
    }
}

/// A set of squares with its columns `to` bits apart instead of `from`. It keeps the bits that both layouts have.
#[inline(always)]
fn lay_out(set: u128, width: u32, from: u32, to: u32) -> u128 {
    let column = (1 << from.min(to)) - 1;
    (0..width).fold(0, |laid, index| laid | ((set >> (index * from)) & column) << (index * to))
}

#[inline(always)]
pub fn playable<G: Geometry>(g: G, stones: G::Word) -> G::Word {
    (stones + g.bottom()) & g.board()
}

/// True if `stones` hold four in a row, by two shifts a direction.
#[inline(always)]
pub fn has_four<G: Geometry>(g: G, stones: G::Word) -> bool {
    has_four_along(stones, g.directions())
}

/// [`has_four`] for given steps of the four directions.
#[inline(always)]
pub(super) fn has_four_along<W: Word>(stones: W, directions: [u32; 4]) -> bool {
    let mut fours = W::NONE;
    for step in directions {
        let pairs = stones & (stones >> step);
        fours |= pairs & (pairs >> (2 * step));
    }
    fours.has_any()
}

/// The squares that are each the fourth of a line with three stones, and some outside of the board.
pub(super) fn completing(stones: u128, directions: [u32; 4]) -> u128 {
    let mut squares = 0;
    for step in directions {
        let (up, down) = (stones << step, stones >> step);
        let (two_up, two_down) = (up & (up << step), down & (down >> step));
        squares |= two_up & (down | (up << (2 * step))) | two_down & (up | (down >> (2 * step)));
    }
    squares
}

pub(super) fn diagram(size: BoardSize, stride: u32, [first, second]: [u128; 2]) -> String {
    let square = |bit: u32| match (first >> bit & 1, second >> bit & 1) {
        (1, _) => "X",
        (_, 1) => "O",
        _ => ".",
    };
    let row = |row: u32| {
        let squares: Vec<&str> = (0..size.width()).map(|column| square(column * stride + row)).collect();
        squares.join(" ") + "\n"
    };
    (0..size.height()).rev().map(row).collect()
}

impl<G: Geometry> fmt::Display for Board<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (g, (first, second)) = (self.geometry(), self.by_player());
        f.write_str(&diagram(g.size(), g.stride(), [first.wide(), second.wide()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Spaced;
    use proptest::prelude::*;

    #[test]
    fn a_board_must_have_its_stones_at_the_bottom() {
        assert!(Board::from_stones(Standard::NEW, 0, 0b10).is_none(), "floating");
        assert!(Board::from_stones(Standard::NEW, 0b10, 0b1).is_none(), "mover without stone");
        assert!(Board::from_stones(Standard::NEW, 0, 1 << 6).is_none(), "on the sentinel");
        assert!(Board::from_stones(Standard::NEW, 0b1, 0b11).is_some());
    }

    proptest! {
        #[test]
        fn layouts_agree(columns in proptest::collection::vec(0u32..7, 0..60)) {
            let (mut narrow, mut wide) = (Board::<Standard>::EMPTY, Board::<Spaced>::EMPTY);
            for column in columns {
                prop_assert_eq!(narrow.can_play(column), wide.can_play(column));
                if narrow.can_play(column) && !narrow.is_won() {
                    (narrow, wide) = (narrow.play(column), wide.play(column));
                }
                prop_assert_eq!(narrow.is_won(), wide.is_won());
                prop_assert_eq!((narrow.to_layout(Spaced::NEW), wide.to_layout(Standard::NEW)), (wide, narrow));
                prop_assert_eq!(narrow.to_string(), wide.to_string());
                prop_assert_eq!(narrow.mirror().mirror(), narrow);
                prop_assert_eq!(narrow.mirror().to_string(), wide.mirror().to_string());
                prop_assert_eq!(narrow.mirror().is_won(), narrow.is_won());
                prop_assert!(narrow.key() >> Standard::NEW.key_bits() == 0);
                prop_assert!(wide.key() >> Spaced::NEW.key_bits() == 0);
            }
        }
    }
}
