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
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};

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

    /// The masks that the methods read.
    fn masks(self) -> &'static Masks<Self::Word>;

    #[inline(always)]
    fn size(self) -> BoardSize {
        self.masks().size
    }

    #[inline(always)]
    fn stride(self) -> u32 {
        self.masks().stride
    }

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

    #[inline(always)]
    fn board(self) -> Self::Word {
        self.masks().board
    }

    /// The lowest square of every column.
    #[inline(always)]
    fn bottom(self) -> Self::Word {
        self.masks().bottom
    }

    /// Eight columns, from the centre out ([`centre_first`](Self::centre_first)); empty beyond the last column.
    #[inline(always)]
    fn columns(self, group: usize) -> &'static [Self::Word; GROUP] {
        &self.masks().columns[group & (Self::Room::GROUPS - 1)]
    }

    /// Columns from the centre out, the left one first: 3 2 4 1 5 0 6 on seven columns.
    #[inline(always)]
    fn centre_first(self) -> &'static [u8; 16] {
        &self.masks().centre_first
    }

    /// The centrality of each column: 15 for the nearest to the centre, then 14, and so on.
    #[inline(always)]
    fn centrality(self) -> &'static [u8; 16] {
        &self.masks().centrality
    }

    /// The four directions of a line, as distances in bits: vertical, horizontal, down-right, up-right. With fewer than
    /// four columns there are only vertical lines, listed four times, so that three steps fit a word.
    #[inline(always)]
    fn directions(self) -> [u32; 4] {
        // Modulo 32, so that a shift by one or two steps is one instruction. No step is larger.
        self.masks().directions.map(|step| step % 32)
    }

    /// The upper or the lower rows of pairs of rows, counted from the top: for zugzwang bounds.
    #[inline(always)]
    fn rows_of_pairs(self, upper: bool) -> Self::Word {
        self.masks().rows_of_pairs[usize::from(!upper)]
    }

    /// The row with `squares` squares from it upwards, itself included; empty if the board has no such row.
    #[inline(always)]
    fn row_with(self, squares: u32) -> Self::Word {
        self.masks().row_with[squares as usize % ROWS]
    }

    /// The rows with an odd number of squares from them upwards: `2 * half - 1` or more.
    #[inline(always)]
    fn odd_from(self, half: u32) -> Self::Word {
        self.masks().odd_from[half as usize % HALVES]
    }

    /// The rows with an even number of squares from them upwards: `2 * half` or more.
    #[inline(always)]
    fn even_from(self, half: u32) -> Self::Word {
        self.masks().even_from[half as usize % HALVES]
    }

    /// All rows above the `row` lowest.
    #[inline(always)]
    fn rows_from(self, row: u32) -> Self::Word {
        self.masks().rows_from[row as usize % ROWS]
    }

    /// The rows, from the bottom, in which a claimed square is worth `win` or more.
    #[inline(always)]
    fn rows_worth(self, win: i32) -> Self::Word {
        self.masks().rows_worth[win.clamp(0, ROWS as i32 - 1) as usize]
    }

    #[inline(always)]
    fn column(self, column: u32) -> Self::Word {
        self.masks().column << ((column * self.stride()) % Self::Word::BITS)
    }

    #[inline(always)]
    fn column_of(self, square: Self::Word) -> u32 {
        square.trailing_zeros() / self.stride()
    }

    #[inline(always)]
    fn column_with(self, square: Self::Word) -> Self::Word {
        let lowest_squares = self.bottom() & (square | (square - Self::Word::ONE));
        self.masks().column << ((Self::Word::BITS - 1 - lowest_squares.leading_zeros()) % Self::Word::BITS)
    }

    /// The mirror image of a word of columns, sentinels included.
    #[inline(always)]
    fn flip(self, word: Self::Word) -> Self::Word {
        let (stride, column) = (self.stride() % 64, self.masks().column << 1 | Self::Word::ONE);
        let (mut flipped, mut left) = (Self::Word::NONE, word);
        for _ in 0..self.width() {
            flipped = flipped << stride | left & column;
            left = left >> stride;
        }
        flipped
    }

    /// The mirror image of a square in the column of `lane`, or of no square.
    #[inline(always)]
    fn across(self, square: Self::Word, lane: usize) -> Self::Word {
        let distances = [self.masks().across_up, self.masks().across_down];
        let [up, down] = distances.map(|bits| u32::from(bits[lane % 16]) % Self::Word::BITS);
        square << up >> down
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
    pub const BOTTOM: u64 = Self::MASKS.bottom;
    pub const BOARD: u64 = Self::MASKS.board;
    const MASKS: Masks<u64> = Masks::<u64>::of(Self::SIZE, S);
}

impl<const W: u32, const H: u32, const S: u32> Geometry for Grid<W, H, S> {
    type Room = Groups<1>;
    type Word = u64;
    const IS_TIGHT: bool = S == H + 1;
    const MOST_HEIGHT: u32 = H;

    #[inline(always)]
    fn masks(self) -> &'static Masks<u64> {
        const { &Self::MASKS }
    }
}

/// Seven columns, six rows, one sentinel bit a column: 49 bits.
pub type Standard = Grid<7, 6, 7>;

/// Seven columns, six rows, three sentinel bits a column: 63 bits.
pub type Spaced = Grid<7, 6, 9>;

// The sets of squares that a geometry gives, computed once for each board.

/// The length of a table with a mask for each row. No board that is searched has more rows.
const ROWS: usize = 32;
/// The length of a table with a mask for each half of the number of squares from a row up to the top.
const HALVES: usize = 8;

/// The masks of a board, and tables of masks. The methods of [`Geometry`] describe them. A mask of a missing row is empty.
pub struct Masks<W> {
    pub(super) size: BoardSize,
    stride: u32,
    directions: [u32; 4],
    board: W,
    bottom: W,
    column: W,
    columns: [[W; GROUP]; 2],
    /// The upper rows of pairs, then the lower ones.
    rows_of_pairs: [W; 2],
    row_with: [W; ROWS],
    rows_from: [W; ROWS],
    rows_worth: [W; ROWS],
    odd_from: [W; HALVES],
    even_from: [W; HALVES],
    centre_first: [u8; 16],
    centrality: [u8; 16],
    /// The distance up to the mirror image of each lane's column.
    across_up: [u8; 16],
    /// The distance down to that image. One of the two distances is 0.
    across_down: [u8; 16],
}

macro_rules! masks_in {
    ($($word:ident)+) => {$(
        impl Masks<$word> {
            pub(super) const fn of(size: BoardSize, stride: u32) -> Self {
                let (width, height) = (size.width(), size.height());
                let column = ((1u128 << height) - 1) as $word;
                let mut masks = Masks {
                    size,
                    stride,
                    directions: if width < 4 { [1; 4] } else { [1, stride, stride - 1, stride + 1] },
                    board: 0,
                    bottom: 0,
                    column,
                    columns: [[0; GROUP]; 2],
                    rows_of_pairs: [0; 2],
                    row_with: [0; ROWS],
                    rows_from: [0; ROWS],
                    rows_worth: [0; ROWS],
                    odd_from: [0; HALVES],
                    even_from: [0; HALVES],
                    centre_first: centre_first(width),
                    centrality: [0; 16],
                    across_up: [0; 16],
                    across_down: [0; 16],
                };
                let mut lane = 0;
                while lane < width as usize {
                    let column_of_lane = masks.centre_first[lane] as u32;
                    let image = width - 1 - column_of_lane;
                    masks.centrality[column_of_lane as usize] = 15 - lane as u8;
                    masks.columns[lane / GROUP][lane % GROUP] = column << (column_of_lane * stride);
                    masks.board |= column << (column_of_lane * stride);
                    masks.bottom |= 1 << (column_of_lane * stride);
                    masks.across_up[lane] = (image.saturating_sub(column_of_lane) * stride) as u8;
                    masks.across_down[lane] = (column_of_lane.saturating_sub(image) * stride) as u8;
                    lane += 1;
                }
                let mut row = 0;
                while row < height {
                    masks.add_row(row);
                    row += 1;
                }
                masks
            }

            /// Adds a row to all sets of rows that it belongs to.
            const fn add_row(&mut self, row: u32) {
                // The squares of a column from this row up.
                let (squares, height, mask) = (self.size.height() - row, self.size.height(), self.bottom << row);
                let is_upper = squares % 2 == 1;
                self.rows_of_pairs[!is_upper as usize] |= mask;
                let mut number = 0;
                while number < ROWS as u32 {
                    let index = number as usize;
                    if number == squares {
                        self.row_with[index] = mask;
                    }
                    if number <= row {
                        self.rows_from[index] |= mask;
                    }
                    if row + 2 * number < height + 2 {
                        self.rows_worth[index] |= mask;
                    }
                    if index < HALVES && is_upper && 2 * number <= squares + 1 {
                        self.odd_from[index] |= mask;
                    }
                    if index < HALVES && !is_upper && 2 * number <= squares {
                        self.even_from[index] |= mask;
                    }
                    number += 1;
                }
            }
        }
    )+};
}

masks_in!(u64 u128);

/// Columns from the centre out, the left one first; a board of even width starts right of its middle line.
pub(super) const fn centre_first(width: u32) -> [u8; 16] {
    let (mut order, mut turn) = ([0; 16], 0);
    while turn < width {
        let (centre, step) = (width / 2, turn.div_ceil(2));
        order[turn as usize] = (if turn % 2 == 1 { centre - step } else { centre + step }) as u8;
        turn += 1;
    }
    order
}

// Two sets of masks are equal if they are of one board.

impl<W> Debug for Masks<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.size.fmt(f)
    }
}

impl<W> PartialEq for Masks<W> {
    fn eq(&self, other: &Self) -> bool {
        self.size == other.size
    }
}

impl<W> Eq for Masks<W> {}

impl<W> Hash for Masks<W> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.size.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::any_board::on_every_kind_of_board;

    #[test]
    fn columns_go_out_from_the_centre() {
        assert_eq!(Standard::NEW.centre_first()[..7], [3, 2, 4, 1, 5, 0, 6]);
        assert_eq!(Standard::NEW.centrality()[..7], [10, 12, 14, 15, 13, 11, 9]);
        assert_eq!(Grid::<4, 4, 5>::NEW.centre_first()[..4], [2, 1, 3, 0]);
    }

    fn masks_are_as_defined<G: Geometry>(g: G) {
        let squares = || (0..g.width()).flat_map(|column| (0..g.height()).map(move |row| (column, row)));
        let set = |column: u32, row: u32| G::Word::ONE << (column * g.stride() + row);
        // The squares of those rows for which `holds` holds, given the row and the number of squares from it up.
        let rows = |holds: &dyn Fn(u32, u32) -> bool| -> G::Word {
            let of_rows = squares().filter(|&(_, row)| holds(row, g.height() - row));
            of_rows.map(|(column, row)| set(column, row)).sum()
        };
        assert_eq!((g.board(), g.bottom()), (rows(&|_, _| true), rows(&|row, _| row == 0)), "{}", g.name());
        assert_eq!(g.rows_of_pairs(true), rows(&|_, left| left % 2 == 1), "{}", g.name());
        assert_eq!(g.rows_of_pairs(false), rows(&|_, left| left % 2 == 0), "{}", g.name());
        for number in 0..=g.height() {
            assert_eq!(g.row_with(number), rows(&|_, left| left == number), "{}, {number}", g.name());
            assert_eq!(g.rows_from(number), rows(&|row, _| row >= number), "{}, {number}", g.name());
            let worth = rows(&|_, left| left.div_ceil(2) >= number);
            assert_eq!(g.rows_worth(number as i32), worth, "{}, {number}", g.name());
        }
        for half in 1..6 {
            assert_eq!(g.odd_from(half), rows(&|_, left| left % 2 == 1 && left + 1 >= 2 * half), "{}", g.name());
            assert_eq!(g.even_from(half), rows(&|_, left| left % 2 == 0 && left >= 2 * half), "{}", g.name());
        }
        for lane in 0..g.width() as usize {
            let column = u32::from(g.centre_first()[lane]);
            let whole: G::Word = (0..g.height()).map(|row| set(column, row)).sum();
            assert_eq!((g.column(column), g.columns(lane / GROUP)[lane % GROUP]), (whole, whole), "{}", g.name());
            for row in 0..g.height() {
                let (square, image) = (set(column, row), set(g.width() - 1 - column, row));
                assert_eq!((g.column_of(square), g.column_with(square)), (column, whole), "{}", g.name());
                assert_eq!((g.across(square, lane), g.flip(square)), (image, image), "{}", g.name());
            }
            let sentinels = [column, g.width() - 1 - column].map(|column| set(column, g.height()));
            assert_eq!(g.flip(sentinels[0]), sentinels[1], "{}", g.name());
        }
    }

    #[test]
    fn masks_of_every_kind_of_board_are_as_defined() {
        on_every_kind_of_board!(masks_are_as_defined());
    }
}
