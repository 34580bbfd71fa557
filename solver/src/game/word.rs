//! Word: a set of squares, one bit each. Boards of up to 64 bits lie in a `u64`, larger ones in a `u128`.
//!
//! ```text
//! 7x6   49 bits   u64        8x8   72 bits   u128      width * (height + 1), a sentinel above each column
//! 8x7   64 bits   u64        9x8   81 bits   u128
//! ```
//!
//! Code that is generic over a geometry computes with its [`Geometry::Word`](super::Geometry::Word), so large boards
//! cost the small ones nothing.

use crate::game::geometry::Masks;
use crate::game::size::BoardSize;
use std::fmt::{Debug, LowerHex};
use std::hash::Hash;
use std::iter::Sum;
use std::ops::{Add, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Mul, Not, Shl, Shr, Sub};
use std::sync::{Mutex, PoisonError};

pub trait Word:
    Copy
    + Default
    + Debug
    + LowerHex
    + Eq
    + Ord
    + Hash
    + Send
    + Sync
    + Sum
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
{
    /// The number of squares that it has room for.
    const BITS: u32;
    const NONE: Self;
    const ONE: Self;
    const ALL: Self;

    /// The masks of a board, made once for each board and process: there are some hundred boards.
    fn masks(size: BoardSize) -> &'static Masks<Self>;
    fn of(bits: u128) -> Self;
    /// The word as a number.
    fn wide(self) -> u128;
    fn low(self) -> u64;
    fn count_ones(self) -> u32;
    /// The index of the lowest square; [`BITS`](Self::BITS) if it is empty.
    fn trailing_zeros(self) -> u32;
    /// The bits above the highest square; [`BITS`](Self::BITS) if it is empty.
    fn leading_zeros(self) -> u32;
    /// All squares but the lowest; empty for an empty set.
    fn but_lowest(self) -> Self;
    #[inline(always)]
    fn lowest(self) -> Self {
        self ^ self.but_lowest()
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::NONE
    }
    #[inline(always)]
    fn has_any(self) -> bool {
        self != Self::NONE
    }
    #[inline(always)]
    fn has_several(self) -> bool {
        self.but_lowest() != Self::NONE
    }
    #[inline(always)]
    fn is_one(self) -> bool {
        self.has_any() && !self.has_several()
    }
}

macro_rules! word {
    ($($word:ty),+) => {$(
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const NONE: Self = 0;
            const ONE: Self = 1;
            const ALL: Self = <$word>::MAX;

            fn masks(size: BoardSize) -> &'static Masks<$word> {
                static KNOWN: Mutex<Vec<&'static Masks<$word>>> = Mutex::new(Vec::new());
                let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(masks) = known.iter().find(|masks| masks.size == size) {
                    return masks;
                }
                let masks: &'static Masks<$word> = Box::leak(Box::new(Masks::<$word>::of(size, size.stride())));
                known.push(masks);
                masks
            }

            #[inline(always)]
            fn of(bits: u128) -> Self {
                bits as $word
            }

            #[inline(always)]
            fn wide(self) -> u128 {
                self as u128
            }

            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }

            #[inline(always)]
            fn count_ones(self) -> u32 {
                <$word>::count_ones(self)
            }

            #[inline(always)]
            fn trailing_zeros(self) -> u32 {
                <$word>::trailing_zeros(self)
            }

            #[inline(always)]
            fn leading_zeros(self) -> u32 {
                <$word>::leading_zeros(self)
            }

            #[inline(always)]
            fn but_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    )+};
}

word!(u64, u128);

/// The squares of a set, the lowest first.
#[derive(Clone, Copy, Debug)]
pub struct EachSquare<W>(pub W);

impl<W: Word> Iterator for EachSquare<W> {
    type Item = W;

    #[inline(always)]
    fn next(&mut self) -> Option<W> {
        let square = self.0.lowest();
        self.0 ^= square;
        square.has_any().then_some(square)
    }
}
