//! Geometry: how a board of `WIDTH` columns and `HEIGHT` rows lies in one word of 64 or 128 bits.
//!
//! Square index = `column * STRIDE + row`, row 0 at the bottom. Above the top row of a column lies at least one
//! *sentinel* bit that no stone ever takes. So a shift along a row, a column or a diagonal never runs from one column
//! into the next. The standard board, stride 7:
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
//! "The Wondrous World of Connect Four Bit Boards". Every mask is a constant derived here.

use crate::game::room::{GROUP, Groups, Room};
use crate::game::word::Word;
use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;

/// The most columns that a board may have: 1 to 9, a, b, c.
pub const MOST_COLUMNS: u32 = 12;

/// A board size and its layout in a word. All masks are constants of the type.
///
/// Anything with `WIDTH * STRIDE <= 64`, `STRIDE > HEIGHT` and `WIDTH <= 8` compiles; nine to twelve columns need [`WideGrid`], up to 128
/// bits [`LongGrid`] or [`LongWideGrid`]:
///
/// ```
/// use c4lab_solver::game::{Board, Grid, LongGrid, LongWideGrid, WideGrid};
/// assert_eq!(Board::<Grid<8, 7, 8>>::EMPTY.playable().count_ones(), 8);
/// assert_eq!(Board::<WideGrid<12, 4, 5>>::EMPTY.playable().count_ones(), 12);
/// assert_eq!(Board::<LongGrid<8, 8, 9>>::EMPTY.empty().count_ones(), 64);
/// assert_eq!(Board::<LongWideGrid<12, 9, 10>>::EMPTY.empty().count_ones(), 108);
/// ```
///
/// Anything else is a compile-time error that says why:
///
/// ```compile_fail
/// use c4lab_solver::game::{Board, Grid};
/// let _ = Board::<Grid<7, 6, 6>>::EMPTY; // no room for the sentinel
/// ```
pub trait Geometry: Copy + Default + Debug + Eq + Ord + Hash + Send + Sync + 'static {
    /// Number of columns.
    const WIDTH: u32;
    /// Number of rows.
    const HEIGHT: u32;
    /// Bits from one column to the next.
    const STRIDE: u32;
    /// For how many columns its searches have room.
    type Room: Room;
    /// What a set of its squares lies in.
    type Word: Word;

    /// Number of squares.
    const CELLS: u32 = Self::WIDTH * Self::HEIGHT;
    /// Fails to compile when the board does not fit its word; every constructor of a board asks for it.
    const FITS: () = {
        assert!(Self::WIDTH >= 1 && Self::HEIGHT >= 1, "a board has at least one column and one row");
        assert!(Self::WIDTH <= MOST_COLUMNS, "columns are named 1 to 9, a, b, c: at most 12");
        assert!(
            Self::WIDTH as usize <= <Self::Room as Room>::LANES,
            "more columns than there is room for: use WideGrid"
        );
        assert!(Self::STRIDE > Self::HEIGHT, "a column needs a sentinel bit: STRIDE > HEIGHT");
        assert!(
            Self::WIDTH * Self::STRIDE <= Self::Word::BITS,
            "the board does not fit its word: WIDTH * STRIDE <= 64, or 128 for LongGrid and LongWideGrid"
        );
    };
    /// The lowest square of every column.
    const BOTTOM: Self::Word;
    /// Every square.
    const BOARD: Self::Word;
    /// The squares of the columns from the centre out ([`CENTRE_FIRST`](Self::CENTRE_FIRST)), eight to a group.
    const COLUMNS: [[Self::Word; GROUP]; 2];
    /// The upper and the lower rows of pairs of rows, counted from the top: what zugzwang bounds stand on.
    const ROWS_OF_PAIRS: [Self::Word; 2];
    /// Number of low bits that [`Board::key`](crate::game::Board::key) can use.
    const KEY_BITS: u32 = (Self::WIDTH - 1) * Self::STRIDE + Self::HEIGHT + 1;
    /// The four directions of a line, as distances in bits: vertical, horizontal, down-right, up-right. With fewer than
    /// four columns there are vertical lines only. They are then named four times, so that three steps fit a word.
    const DIRECTIONS: [u32; 4] =
        if Self::WIDTH < 4 { [1; 4] } else { [1, Self::STRIDE, Self::STRIDE - 1, Self::STRIDE + 1] };
    /// Columns from the centre out, the left one first: 3 2 4 1 5 0 6 on seven columns.
    /// Only the first `WIDTH` entries are columns of this board.
    const CENTRE_FIRST: [u8; 16] = centre_first(Self::WIDTH);

    /// The squares of one column.
    #[inline(always)]
    fn column(column: u32) -> Self::Word {
        ((Self::Word::ONE << Self::HEIGHT) - Self::Word::ONE) << (column * Self::STRIDE)
    }

    /// The column of a single square, given as a one-bit set.
    #[inline(always)]
    fn column_of(square: Self::Word) -> u32 {
        square.trailing_zeros() / Self::STRIDE
    }

    /// Width, height and stride as text, for rows and messages: `7x6/7`.
    fn name() -> String {
        format!("{}x{}/{}", Self::WIDTH, Self::HEIGHT, Self::STRIDE)
    }
}

/// The geometry of `W` columns, `H` rows and stride `S`, with room for so many columns, in such words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid<const W: u32, const H: u32, const S: u32, R = Groups<1>, B = u64>(PhantomData<(R, B)>);

/// The same with room for sixteen columns.
pub type WideGrid<const W: u32, const H: u32, const S: u32> = Grid<W, H, S, Groups<2>>;

/// A board of more than 64 bits, with up to eight columns.
pub type LongGrid<const W: u32, const H: u32, const S: u32> = Grid<W, H, S, Groups<1>, u128>;

/// The same with room for sixteen columns.
pub type LongWideGrid<const W: u32, const H: u32, const S: u32> = Grid<W, H, S, Groups<2>, u128>;

/// Masks are constants of a word's own type, so each word has its own copy of these lines.
macro_rules! geometry_in {
    ($($word:ident)+) => {$(
        impl<const W: u32, const H: u32, const S: u32, R: Room> Geometry for Grid<W, H, S, R, $word> {
            const WIDTH: u32 = W;
            const HEIGHT: u32 = H;
            const STRIDE: u32 = S;
            type Room = R;
            type Word = $word;
            const BOTTOM: $word = repeat(1, W, S) as $word;
            const BOARD: $word = repeat((1 << H) - 1, W, S) as $word;
            const COLUMNS: [[$word; GROUP]; 2] = {
                let (mut columns, mut lane) = ([[0; GROUP]; 2], 0);
                while lane < W as usize && lane < 2 * GROUP {
                    columns[lane / GROUP][lane % GROUP] = ((1 << H) - 1) << (Self::CENTRE_FIRST[lane] as u32 * S);
                    lane += 1;
                }
                columns
            };
            const ROWS_OF_PAIRS: [$word; 2] =
                [repeat(every_other(H, true), W, S) as $word, repeat(every_other(H, false), W, S) as $word];
        }
    )+};
}

geometry_in!(u64 u128);

/// The upper or the lower squares of pairs of squares in a column, counted from the top.
const fn every_other(height: u32, upper: bool) -> u128 {
    let (mut set, mut row) = (0, (upper == height.is_multiple_of(2)) as u32);
    while row < height {
        set |= 1 << row;
        row += 2;
    }
    set
}

/// Seven columns, six rows, one sentinel bit a column: 49 bits.
pub type Standard = Grid<7, 6, 7>;

/// Seven columns, six rows, three sentinel bits a column: 63 bits.
pub type Spaced = Grid<7, 6, 9>;

const fn repeat(pattern: u128, times: u32, stride: u32) -> u128 {
    let mut set = 0;
    let mut i = 0;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_of_the_standard_board() {
        assert_eq!(Standard::BOTTOM, 0x0408_1020_4081);
        assert_eq!(Standard::BOARD.count_ones(), 42);
        assert_eq!(Standard::BOARD & (Standard::BOTTOM << 6), 0, "sentinels are no squares");
        assert_eq!(Standard::KEY_BITS, 49);
        assert_eq!(Standard::name(), "7x6/7");
    }

    #[test]
    fn masks_of_the_spaced_board() {
        assert_eq!(Spaced::BOTTOM, 0x0040_2010_0804_0201);
        assert_eq!(Spaced::BOARD, 0x3f * Spaced::BOTTOM);
    }

    #[test]
    fn columns_go_out_from_the_centre() {
        assert_eq!(Standard::CENTRE_FIRST[..7], [3, 2, 4, 1, 5, 0, 6]);
        assert_eq!(Grid::<4, 4, 5>::CENTRE_FIRST[..4], [2, 1, 3, 0]);
    }
}
