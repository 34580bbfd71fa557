//! Any board: the geometry of every board but the standard one. Its masks are data, behind a reference.
//!
//! There are four types, by the word of a board and the lanes of its columns:
//!
//! ```text
//! columns     up to 64 bits                up to 128 bits
//! 4 to 8      AnyBoard<Groups<1>, u64>     AnyBoard<Groups<1>, u128>
//! 9 to 12     AnyBoard<Groups<2>, u64>     AnyBoard<Groups<2>, u128>
//! ```
//!
//! A search compiled for such a type takes 14 to 22 % more instructions than one compiled for a single board. Keys,
//! nodes and tables are equal: the layout is tight at every height.

use crate::game::geometry::{Geometry, centrality, centre_first, every_other, repeat};
use crate::game::room::{GROUP, Groups, Room};
use crate::game::size::BoardSize;
use crate::game::word::Word;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

/// The least columns and rows of a board that searches are built for.
pub const LEAST: u32 = 4;

/// The most rows. Two steps of a line then fit a lane of 64 bits.
pub const MOST_ROWS: u32 = 29;

const ROWS: usize = 32;

/// The masks of a board, and tables of masks by a number. A mask of a missing row is empty.
pub struct Masks<W> {
    size: BoardSize,
    stride: u32,
    directions: [u32; 4],
    board: W,
    bottom: W,
    column: W,
    columns: [[W; GROUP]; 2],
    rows_of_pairs: [W; 2],
    row_with: [W; ROWS],
    rows_from: [W; ROWS],
    rows_worth: [W; ROWS],
    odd_from: [W; 8],
    even_from: [W; 8],
    centre_first: [u8; 16],
    centrality: [u8; 16],
    /// The distance up to the mirror image of each lane's column.
    across_up: [u8; 16],
    /// The distance down to it. One of the two is 0.
    across_down: [u8; 16],
}

impl<W: Word> Masks<W> {
    fn of(size: BoardSize) -> Self {
        let (width, height, stride) = (size.width(), size.height(), size.stride());
        let rows = |column: u128| W::of(repeat(column, width, stride));
        let squares = |count: u32| (1u128 << count) - 1;
        let row_with = |squares: u32| {
            if (1..=height).contains(&squares) { rows(1 << (height - squares)) } else { W::NONE }
        };
        let column_at = |lane: u32| u32::from(centre_first(width)[lane as usize]);
        let every_second = |from: u32| (from..=height).step_by(2).fold(W::NONE, |set, squares| set | row_with(squares));
        let mut masks = Masks {
            size,
            stride,
            directions: [1, stride, stride - 1, stride + 1],
            board: rows(squares(height)),
            bottom: rows(1),
            column: W::of(squares(height)),
            columns: [[W::NONE; GROUP]; 2],
            rows_of_pairs: [true, false].map(|upper| rows(every_other(height, upper))),
            row_with: std::array::from_fn(|squares| row_with(squares as u32)),
            rows_from: std::array::from_fn(|row| rows(squares(height) & !squares((row as u32).min(height)))),
            rows_worth: std::array::from_fn(|win| {
                rows(squares((height + 2).saturating_sub(2 * win as u32).min(height)))
            }),
            odd_from: std::array::from_fn(|half| every_second((2 * half as u32).max(2) - 1)),
            even_from: std::array::from_fn(|half| every_second(2 * half as u32)),
            centre_first: centre_first(width),
            centrality: centrality(width),
            across_up: [0; 16],
            across_down: [0; 16],
        };
        for lane in 0..width {
            let (index, column) = (lane as usize, column_at(lane));
            let image = width - 1 - column;
            masks.columns[index / GROUP][index % GROUP] = W::of(squares(height) << (column * stride));
            masks.across_up[index] = (image.saturating_sub(column) * stride) as u8;
            masks.across_down[index] = (column.saturating_sub(image) * stride) as u8;
        }
        masks
    }
}

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

/// A word with the masks of boards, made once for each board and process: there are some hundred boards.
pub trait Masked: Word {
    fn masks(size: BoardSize) -> &'static Masks<Self>;
}

macro_rules! masked {
    ($($word:ident)+) => {$(
        impl Masked for $word {
            fn masks(size: BoardSize) -> &'static Masks<$word> {
                static KNOWN: Mutex<Vec<&'static Masks<$word>>> = Mutex::new(Vec::new());
                let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(masks) = known.iter().find(|masks| masks.size == size) {
                    return masks;
                }
                let masks: &'static Masks<$word> = Box::leak(Box::new(Masks::of(size)));
                known.push(masks);
                masks
            }
        }
    )+};
}

masked!(u64 u128);

/// A board of a size known at run time, with lanes for the columns of `R` and words `W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnyBoard<R = Groups<1>, W: 'static = u64>(&'static Masks<W>, PhantomData<R>);

/// Boards of up to 64 bits and eight columns.
pub type Narrow = AnyBoard<Groups<1>, u64>;
/// Boards of up to 64 bits and more columns.
pub type Broad = AnyBoard<Groups<2>, u64>;
/// Boards of more bits and up to eight columns.
pub type LongNarrow = AnyBoard<Groups<1>, u128>;
/// Boards of more bits and more columns.
pub type LongBroad = AnyBoard<Groups<2>, u128>;

impl<R: Room, W: Masked> AnyBoard<R, W> {
    /// The geometry of a board of this type; `None` for a board of another type, or of none.
    pub fn of(size: BoardSize) -> Option<Self> {
        let fits = |bits: u32| if W::BITS == 64 { bits <= 64 } else { bits > 64 };
        let has_room = (size.width() as usize).div_ceil(GROUP) == R::GROUPS;
        let is_searched = size.width() >= LEAST && (LEAST..=MOST_ROWS).contains(&size.height());
        (fits(size.bits()) && has_room && is_searched).then(|| AnyBoard(W::masks(size), PhantomData))
    }

    /// [`of`](Self::of) for tests that know the type of the board.
    pub fn sized(width: u32, height: u32) -> Self {
        Self::of(BoardSize::new(width, height).expect("a board")).expect("a board of this type")
    }
}

impl<R: Room, W: Masked> Geometry for AnyBoard<R, W> {
    type Room = R;
    type Word = W;
    const IS_TIGHT: bool = true;
    const MOST_HEIGHT: u32 = if W::BITS == 64 { 15 } else { MOST_ROWS };

    #[inline(always)]
    fn size(self) -> BoardSize {
        self.0.size
    }

    #[inline(always)]
    fn stride(self) -> u32 {
        self.0.stride
    }

    #[inline(always)]
    fn board(self) -> W {
        self.0.board
    }

    #[inline(always)]
    fn bottom(self) -> W {
        self.0.bottom
    }

    #[inline(always)]
    fn columns(self, group: usize) -> &'static [W; GROUP] {
        &self.0.columns[group & (R::GROUPS - 1)]
    }

    #[inline(always)]
    fn centre_first(self) -> &'static [u8; 16] {
        &self.0.centre_first
    }

    #[inline(always)]
    fn centrality(self) -> &'static [u8; 16] {
        &self.0.centrality
    }

    /// Modulo 32, so that a shift by one or two steps is one instruction. No step of a board is larger.
    #[inline(always)]
    fn directions(self) -> [u32; 4] {
        let [_, across, down, up] = self.0.directions;
        [1, across & 31, down & 31, up & 31]
    }

    #[inline(always)]
    fn rows_of_pairs(self, upper: bool) -> W {
        self.0.rows_of_pairs[usize::from(!upper)]
    }

    #[inline(always)]
    fn row_with(self, squares: u32) -> W {
        self.0.row_with[squares as usize % ROWS]
    }

    #[inline(always)]
    fn odd_from(self, half: u32) -> W {
        self.0.odd_from[half as usize % 8]
    }

    #[inline(always)]
    fn even_from(self, half: u32) -> W {
        self.0.even_from[half as usize % 8]
    }

    #[inline(always)]
    fn rows_from(self, row: u32) -> W {
        self.0.rows_from[row as usize % ROWS]
    }

    #[inline(always)]
    fn rows_worth(self, win: i32) -> W {
        self.0.rows_worth[win.clamp(0, ROWS as i32 - 1) as usize]
    }

    #[inline(always)]
    fn column(self, column: u32) -> W {
        self.0.column << ((column * self.0.stride) % W::BITS)
    }

    #[inline(always)]
    fn column_with(self, square: W) -> W {
        let lowest_squares = self.0.bottom & (square | (square - W::ONE));
        self.0.column << ((W::BITS - 1 - lowest_squares.leading_zeros()) % W::BITS)
    }

    #[inline(always)]
    fn flip(self, word: W) -> W {
        let (stride, column) = (self.0.stride % 32, self.0.column << 1 | W::ONE);
        let (mut flipped, mut left, mut index) = (W::NONE, word, 0);
        while index < self.width() {
            flipped = flipped << stride | left & column;
            left = left >> stride;
            index += 1;
        }
        flipped
    }

    #[inline(always)]
    fn across(self, square: W, lane: usize) -> W {
        let [up, down] = [self.0.across_up, self.0.across_down].map(|bits| u32::from(bits[lane % 16]) % W::BITS);
        square << up >> down
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Board, Grid};
    use proptest::prelude::*;

    #[test]
    fn every_board_is_of_one_type() {
        for (width, height) in (1..=12).flat_map(|width| (1..=127).map(move |height| (width, height))) {
            let Ok(size) = BoardSize::new(width, height) else { continue };
            let types = [
                Narrow::of(size).is_some(),
                Broad::of(size).is_some(),
                LongNarrow::of(size).is_some(),
                LongBroad::of(size).is_some(),
            ];
            let is_searched = width >= 4 && (4..=29).contains(&height);
            assert_eq!(types.iter().filter(|&&is_of| is_of).count(), usize::from(is_searched), "{size}");
        }
        assert!(std::ptr::eq(Narrow::sized(5, 4).0, Narrow::sized(5, 4).0), "masks are kept once");
    }

    /// The masks of `g` equal those computed from width, height and stride.
    fn is_computed_alike<G: Geometry, H: Geometry<Word = G::Word>>(g: G, fixed: H) {
        assert_eq!(
            (g.size(), g.stride(), g.board(), g.bottom()),
            (fixed.size(), fixed.stride(), fixed.board(), fixed.bottom())
        );
        assert_eq!((g.name(), g.key_bits(), g.directions()), (fixed.name(), fixed.key_bits(), fixed.directions()));
        assert_eq!((g.columns(0), g.centre_first()), (fixed.columns(0), fixed.centre_first()));
        assert_eq!(g.centrality(), fixed.centrality());
        assert_eq!(
            [true, false].map(|upper| g.rows_of_pairs(upper)),
            [true, false].map(|upper| fixed.rows_of_pairs(upper))
        );
        for number in 0..=g.height() {
            assert_eq!(
                (g.row_with(number), g.rows_from(number)),
                (fixed.row_with(number), fixed.rows_from(number)),
                "{number}"
            );
            assert_eq!(g.rows_worth(number as i32), fixed.rows_worth(number as i32), "{number}");
        }
        for half in 1..6 {
            assert_eq!((g.odd_from(half), g.even_from(half)), (fixed.odd_from(half), fixed.even_from(half)), "{half}");
        }
        for square in crate::game::word::EachSquare(g.board()) {
            assert_eq!(
                (g.column_of(square), g.column_with(square)),
                (fixed.column_of(square), fixed.column_with(square))
            );
            let lane = g.centre_first().iter().position(|&column| u32::from(column) == g.column_of(square));
            let lane = lane.expect("a lane");
            assert_eq!(g.across(square, lane), fixed.across(square, lane), "{square:x}");
        }
    }

    #[test]
    fn masks_are_those_of_fixed_boards() {
        is_computed_alike(Narrow::sized(7, 6), Grid::<7, 6, 7>::NEW);
        is_computed_alike(Narrow::sized(4, 4), Grid::<4, 4, 5>::NEW);
        is_computed_alike(Narrow::sized(5, 5), Grid::<5, 5, 6>::NEW);
        is_computed_alike(Narrow::sized(8, 7), Grid::<8, 7, 8>::NEW);
        is_computed_alike(Narrow::sized(4, 15), Grid::<4, 15, 16>::NEW);
        is_computed_alike(Narrow::sized(6, 9), Grid::<6, 9, 10>::NEW);
    }

    fn flips<G: Geometry>(g: G, columns: &[u32]) {
        let mut board = Board::empty_in(g);
        for column in columns.iter().map(|column| column % g.width()) {
            if board.can_play(column) && !board.is_won() {
                board = board.play(column);
            }
            assert_eq!(g.flip(board.key()), board.mirror().key(), "{}", g.name());
            assert_eq!(g.flip(g.flip(board.key())), board.key());
        }
    }

    proptest! {
        #[test]
        fn a_key_in_a_mirror_is_that_of_the_mirror_image(columns in proptest::collection::vec(0u32..840, 0..80)) {
            flips(Narrow::sized(6, 5), &columns);
            flips(Broad::sized(9, 5), &columns);
            flips(LongNarrow::sized(4, 29), &columns);
            flips(LongBroad::sized(12, 9), &columns);
        }
    }
}
