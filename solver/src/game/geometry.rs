//! Geometry: the layout of a board in one word of 64 or 128 bits.
//!
//! Square index = `column * stride + row`, row 0 at the bottom. Above the top row of a column lies at least one
//! *sentinel* bit that no stone ever takes. So a shift along a row, a column or a diagonal never carries a stone from
//! one column into the next. The standard board, stride 7:
//!
//! ```text
//!    6 13 20 27 34 41 48   sentinel
//!  +---------------------+
//!  | 5 12 19 26 33 40 47 |  row 5 (the sixth)
//!  | 4 11 18 25 32 39 46 |
//!  | 3 10 17 24 31 38 45 |
//!  | 2  9 16 23 30 37 44 |
//!  | 1  8 15 22 29 36 43 |
//!  | 0  7 14 21 28 35 42 |  row 0 (the first)
//!  +---------------------+
//!    0  1  2  3  4  5  6    column
//! ```
//!
//! Stride 7 is the layout of P. Pons, "Solving Connect Four", part 6; [`Spaced`], stride 9, that of
//! "The Wondrous World of Connect Four Bit Boards".
//!
//! A geometry is a value, passed as the first argument. [`Standard`] has size 0, and its masks are constants: code for
//! it is compiled for that board. [`AnyBoard`](crate::game::AnyBoard) is every other board, with its masks behind a
//! reference: one search is compiled for each word and number of lanes, not for each board.

use crate::game::room::{GROUP, Groups, Room};
use crate::game::size::BoardSize;
use crate::game::word::Word;
use std::fmt::Debug;
use std::hash::Hash;

/// The most columns that a board may have: 1 to 9, a, b, c.
pub const MOST_COLUMNS: u32 = 12;

pub trait Geometry: Copy + Debug + Eq + Hash + Send + Sync + 'static {
    /// The lanes of its searches.
    type Room: Room;
    type Word: Word;
    /// True if each column has exactly one sentinel.
    const IS_TIGHT: bool;
    /// The most rows of a board of this type. Loops are unrolled to it.
    const MOST_HEIGHT: u32;

    fn size(self) -> BoardSize;
    fn stride(self) -> u32;
    fn board(self) -> Self::Word;
    /// The lowest square of every column.
    fn bottom(self) -> Self::Word;
    /// Eight columns, from the centre out ([`centre_first`](Self::centre_first)); empty beyond the last column.
    fn columns(self, group: usize) -> &'static [Self::Word; GROUP];
    /// Columns from the centre out, the left one first: 3 2 4 1 5 0 6 on seven columns.
    fn centre_first(self) -> &'static [u8; 16];
    /// The centrality of each column: 15 for the nearest to the centre, then 14, and so on.
    fn centrality(self) -> &'static [u8; 16];
    /// The upper or the lower rows of pairs of rows, counted from the top: for zugzwang bounds.
    fn rows_of_pairs(self, upper: bool) -> Self::Word;

    #[inline(always)]
    fn width(self) -> u32 {
        self.size().width()
    }

    #[inline(always)]
    fn height(self) -> u32 {
        self.size().height()
    }

    #[inline(always)]
    fn cells(self) -> u32 {
        self.size().cells()
    }

    /// The number of low bits that [`Board::key`](crate::game::Board::key) can use.
    #[inline(always)]
    fn key_bits(self) -> u32 {
        key_bits(self.size(), self.stride())
    }

    /// The four directions of a line, as distances in bits: vertical, horizontal, down-right, up-right. With fewer than
    /// four columns there are only vertical lines, listed four times, so that three steps fit a word.
    #[inline(always)]
    fn directions(self) -> [u32; 4] {
        let stride = self.stride();
        if self.width() < 4 { [1; 4] } else { [1, stride, stride - 1, stride + 1] }
    }

    /// The row with `squares` squares from it upwards, itself included; empty if the board has no such row.
    #[inline(always)]
    fn row_with(self, squares: u32) -> Self::Word {
        let height = self.height();
        if squares > height || squares == 0 { Self::Word::NONE } else { self.bottom() << (height - squares) }
    }

    /// The rows with an odd number of squares from them upwards: `2 * half - 1` or more.
    #[inline(always)]
    fn odd_from(self, half: u32) -> Self::Word {
        let (mut rows, mut half) = (Self::Word::NONE, half);
        while half <= self.height().div_ceil(2) {
            rows |= self.row_with(2 * half - 1);
            half += 1;
        }
        rows
    }

    /// The rows with an even number of squares from them upwards: `2 * half` or more.
    #[inline(always)]
    fn even_from(self, half: u32) -> Self::Word {
        let (mut rows, mut half) = (Self::Word::NONE, half);
        while 2 * half <= self.height() {
            rows |= self.row_with(2 * half);
            half += 1;
        }
        rows
    }

    /// All rows above the `row` lowest.
    #[inline(always)]
    fn rows_from(self, row: u32) -> Self::Word {
        self.board() & !(self.bottom() * ((Self::Word::ONE << row) - Self::Word::ONE))
    }

    /// The rows, from the bottom, in which a claimed square is worth `win` or more.
    #[inline(always)]
    fn rows_worth(self, win: i32) -> Self::Word {
        let height = self.height() as i32;
        let highest = (height + 2 - 2 * win).clamp(0, height);
        ((Self::Word::ONE << highest as u32) - Self::Word::ONE) * self.bottom()
    }

    #[inline(always)]
    fn column(self, column: u32) -> Self::Word {
        ((Self::Word::ONE << self.height()) - Self::Word::ONE) << (column * self.stride())
    }

    #[inline(always)]
    fn column_of(self, square: Self::Word) -> u32 {
        square.trailing_zeros() / self.stride()
    }

    #[inline(always)]
    fn column_with(self, square: Self::Word) -> Self::Word {
        self.column(self.column_of(square))
    }

    /// The mirror image of a word of columns, sentinels included.
    #[inline(always)]
    fn flip(self, word: Self::Word) -> Self::Word {
        let (width, stride) = (self.width(), self.stride());
        let column = Self::Word::of((2 << self.height()) - 1);
        (0..width).fold(Self::Word::NONE, |flipped, index| {
            flipped | ((word >> (index * stride)) & column) << ((width - 1 - index) * stride)
        })
    }

    /// The mirror image of a square in the column of `lane`, or of no square.
    #[inline(always)]
    fn across(self, square: Self::Word, lane: usize) -> Self::Word {
        let column = u32::from(self.centre_first()[lane]);
        let (image, stride) = (self.width() - 1 - column, self.stride());
        if image >= column { square << ((image - column) * stride) } else { square >> ((column - image) * stride) }
    }

    /// Width, height and stride as text, for rows and messages: `7x6/7`.
    fn name(self) -> String {
        format!("{}/{}", self.size(), self.stride())
    }
}

pub(crate) const fn key_bits(size: BoardSize, stride: u32) -> u32 {
    (size.width() - 1) * stride + size.height() + 1
}

/// The geometry of `W` columns, `H` rows and stride `S`. All masks are constants of the type.
///
/// Anything with `W * S <= 64`, `S > H` and `W <= 8` compiles:
///
/// ```
/// use c4lab_solver::game::{Board, Grid};
/// assert_eq!(Board::<Grid<8, 7, 8>>::EMPTY.playable().count_ones(), 8);
/// ```
///
/// Anything else is a compile-time error that names the reason:
///
/// ```compile_fail
/// use c4lab_solver::game::{Board, Grid};
/// let _ = Board::<Grid<7, 6, 6>>::EMPTY; // no room for the sentinel
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grid<const W: u32, const H: u32, const S: u32>(());

impl<const W: u32, const H: u32, const S: u32> Grid<W, H, S> {
    /// The geometry. If the board does not fit its word, this fails to compile.
    pub const NEW: Self = {
        assert!(W >= 1 && H >= 1, "a board has at least one column and one row");
        assert!(W as usize <= GROUP, "more than eight columns: use AnyBoard");
        assert!(S > H, "a column needs a sentinel bit: the stride is more than the height");
        assert!(W * S <= u64::BITS, "the board does not fit 64 bits: use AnyBoard");
        Grid(())
    };
    pub const SIZE: BoardSize = BoardSize::of(W, H);
    pub const STRIDE: u32 = S;
    pub const BOTTOM: u64 = repeat(1, W, S) as u64;
    pub const BOARD: u64 = repeat((1 << H) - 1, W, S) as u64;

    const CENTRE_FIRST: [u8; 16] = centre_first(W);
    const CENTRALITY: [u8; 16] = centrality(W);
    const COLUMNS: [u64; GROUP] = {
        let (mut columns, mut lane) = ([0; GROUP], 0);
        while lane < W as usize {
            columns[lane] = ((1 << H) - 1) << (Self::CENTRE_FIRST[lane] as u32 * S);
            lane += 1;
        }
        columns
    };
    const ROWS_OF_PAIRS: [u64; 2] =
        [repeat(every_other(H, true), W, S) as u64, repeat(every_other(H, false), W, S) as u64];
}

impl<const W: u32, const H: u32, const S: u32> Geometry for Grid<W, H, S> {
    type Room = Groups<1>;
    type Word = u64;
    const IS_TIGHT: bool = S == H + 1;
    const MOST_HEIGHT: u32 = H;

    #[inline(always)]
    fn size(self) -> BoardSize {
        Self::SIZE
    }

    #[inline(always)]
    fn stride(self) -> u32 {
        S
    }

    #[inline(always)]
    fn board(self) -> u64 {
        Self::BOARD
    }

    #[inline(always)]
    fn bottom(self) -> u64 {
        Self::BOTTOM
    }

    #[inline(always)]
    fn columns(self, _: usize) -> &'static [u64; GROUP] {
        &Self::COLUMNS
    }

    #[inline(always)]
    fn centre_first(self) -> &'static [u8; 16] {
        &Self::CENTRE_FIRST
    }

    #[inline(always)]
    fn centrality(self) -> &'static [u8; 16] {
        &Self::CENTRALITY
    }

    #[inline(always)]
    fn rows_of_pairs(self, upper: bool) -> u64 {
        Self::ROWS_OF_PAIRS[usize::from(!upper)]
    }
}

/// Seven columns, six rows, one sentinel bit a column: 49 bits.
pub type Standard = Grid<7, 6, 7>;

/// Seven columns, six rows, three sentinel bits a column: 63 bits.
pub type Spaced = Grid<7, 6, 9>;

/// The upper or the lower squares of pairs of squares in a column, counted from the top.
pub(super) const fn every_other(height: u32, upper: bool) -> u128 {
    let (mut set, mut row) = (0, (upper == height.is_multiple_of(2)) as u32);
    while row < height {
        set |= 1 << row;
        row += 2;
    }
    set
}

/// `pattern` in every column.
pub(super) const fn repeat(pattern: u128, times: u32, stride: u32) -> u128 {
    let (mut set, mut i) = (0, 0);
    while i < times {
        set |= pattern << (i * stride);
        i += 1;
    }
    set
}

pub(super) const fn centre_first(width: u32) -> [u8; 16] {
    let mut order = [0; 16];
    let mut i = 0;
    while i < width {
        let step = i.div_ceil(2);
        let centre = width / 2;
        // Left of the centre first; a board of even width starts right of its middle line.
        order[i as usize] = (if i % 2 == 1 { centre - step } else { centre + step }) as u8;
        i += 1;
    }
    order
}

pub(super) const fn centrality(width: u32) -> [u8; 16] {
    let (order, mut centrality, mut turn) = (centre_first(width), [0; 16], 0);
    while turn < width as usize {
        centrality[order[turn] as usize] = 15 - turn as u8;
        turn += 1;
    }
    centrality
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_of_the_standard_board() {
        let g = Standard::NEW;
        assert_eq!(g.bottom(), 0x0408_1020_4081);
        assert_eq!(g.board().count_ones(), 42);
        assert_eq!(g.board() & (g.bottom() << 6), 0, "sentinels are no squares");
        assert_eq!((g.key_bits(), g.name().as_str()), (49, "7x6/7"));
    }

    #[test]
    fn columns_go_out_from_the_centre() {
        assert_eq!(Standard::NEW.centre_first()[..7], [3, 2, 4, 1, 5, 0, 6]);
        assert_eq!(Grid::<4, 4, 5>::NEW.centre_first()[..4], [2, 1, 3, 0]);
    }
}
