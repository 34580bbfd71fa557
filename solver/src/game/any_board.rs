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
//! A search compiled for one of these types takes 14 to 22 % more instructions than one compiled for a single board.
//! Both have the same keys, nodes and tables: the layout is tight at every height.

use crate::game::geometry::{Geometry, Masks};
use crate::game::room::{GROUP, Groups, Room};
use crate::game::size::BoardSize;
use crate::game::word::Word;
use std::marker::PhantomData;

/// The least columns and rows of a board that searches are built for.
pub const LEAST: u32 = 4;

/// The most rows. Two steps along a diagonal then fit a lane of 64 bits.
pub const MOST_ROWS: u32 = 29;

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

impl<R: Room, W: Word> AnyBoard<R, W> {
    /// The geometry of a board of this type; `None` for a board of another type, or of no type.
    pub fn of(size: BoardSize) -> Option<Self> {
        let fits = |bits: u32| if W::BITS == 64 { bits <= 64 } else { bits > 64 };
        let has_room = (size.width() as usize).div_ceil(GROUP) == R::GROUPS;
        let is_searched = size.width() >= LEAST && (LEAST..=MOST_ROWS).contains(&size.height());
        (fits(size.bits()) && has_room && is_searched).then(|| AnyBoard(W::masks(size), PhantomData))
    }

    /// [`AnyBoard::of`], for tests that know the type of the board.
    pub fn sized(width: u32, height: u32) -> Self {
        Self::of(BoardSize::new(width, height).expect("a board")).expect("a board of this type")
    }
}

impl<R: Room, W: Word> Geometry for AnyBoard<R, W> {
    type Room = R;
    type Word = W;
    const IS_TIGHT: bool = true;
    const MOST_HEIGHT: u32 = if W::BITS == 64 { 15 } else { MOST_ROWS };

    #[inline(always)]
    fn masks(self) -> &'static Masks<W> {
        self.0
    }
}

/// Calls a check with a board of every type and layout, among them boards that fill their word to its top, and boards
/// that are too narrow for any line but vertical ones.
#[cfg(test)]
macro_rules! on_every_kind_of_board {
    ($check:ident($($argument:expr),*)) => {
        $check($crate::game::Standard::NEW, $($argument),*);
        $check($crate::game::Spaced::NEW, $($argument),*);
        $check($crate::game::Grid::<4, 4, 16>::NEW, $($argument),*);
        $check($crate::game::Grid::<3, 20, 21>::NEW, $($argument),*);
        $check($crate::game::Grid::<2, 5, 32>::NEW, $($argument),*);
        for (width, height) in [(4, 4), (5, 5), (8, 7), (4, 15)] {
            $check($crate::game::any_board::Narrow::sized(width, height), $($argument),*);
        }
        for (width, height) in [(9, 6), (12, 4)] {
            $check($crate::game::any_board::Broad::sized(width, height), $($argument),*);
        }
        for (width, height) in [(8, 8), (8, 15), (4, 29)] {
            $check($crate::game::any_board::LongNarrow::sized(width, height), $($argument),*);
        }
        for (width, height) in [(12, 7), (12, 9)] {
            $check($crate::game::any_board::LongBroad::sized(width, height), $($argument),*);
        }
    };
}

#[cfg(test)]
pub(crate) use on_every_kind_of_board;

#[cfg(test)]
mod tests {
    use super::*;

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
}
