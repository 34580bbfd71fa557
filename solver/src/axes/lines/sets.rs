//! Sets: words of squares, and vectors of them, under one set of formulas.
//!
//! One formula over [`Sets`] is compiled for a word and for every kind of vector. A vector is made from another vector:
//! so only code that has one computes with its kind ([`crate::axes::level`]).

use crate::axes::lines::line::Bits;
use crate::game::Word;
use std::ops::{Add, Not};

pub trait Sets: Bits<u32> + Add<Output = Self> + Not<Output = Self> {
    type Word: Word;

    /// `set` in all lanes of a vector of this kind.
    fn splat(self, set: Self::Word) -> Self;
    /// All bits where the set is empty, else none.
    fn where_empty(self) -> Self;
    /// One bit for each lane, the lowest lane first: 1 if its set is empty.
    fn zeros(self) -> u32;

    #[inline(always)]
    fn but_lowest(self) -> Self {
        self & (self + self.splat(Self::Word::ALL))
    }

    #[inline(always)]
    fn lowest(self) -> Self {
        self ^ self.but_lowest()
    }
}

/// Sets that are counted and weighed. Each word or lane then holds a signed number in its low 32 bits.
pub trait Counted: Sets {
    fn counts(self) -> Self;
    /// Each number multiplied by `weight`.
    fn times(self, weight: i32) -> Self;
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
    /// The sum of the counts of all sets, each multiplied by its weight, which fits 8 bits.
    ///
    /// A loop, since functions of arrays and their closures are compiled without the instructions of a level: each vector
    /// instruction in them would be a call.
    #[inline(always)]
    fn weighed<const N: usize>(sets: [(Self, i32); N]) -> Self {
        let (first, weight) = sets[0];
        let (mut sum, mut at) = (first.counts().times(weight), 1);
        while at < N {
            sum = sum.plus(sets[at].0.counts().times(sets[at].1));
            at += 1;
        }
        sum
    }
}

macro_rules! sets_in {
    ($($word:ident of $signed:ident),+) => {$(
        impl Counted for $word {
            #[inline(always)]
            fn counts(self) -> $word {
                $word::from(self.count_ones())
            }

            #[inline(always)]
            fn times(self, weight: i32) -> $word {
                self.wrapping_mul($signed::from(weight) as $word)
            }

            #[inline(always)]
            fn plus(self, other: $word) -> $word {
                self.wrapping_add(other)
            }
        }

        impl Sets for $word {
            type Word = $word;

            #[inline(always)]
            fn splat(self, set: $word) -> $word {
                set
            }

            #[inline(always)]
            fn where_empty(self) -> $word {
                if self == 0 { $word::MAX } else { 0 }
            }

            #[inline(always)]
            fn zeros(self) -> u32 {
                u32::from(self == 0)
            }

            #[inline(always)]
            fn but_lowest(self) -> $word {
                self & self.wrapping_sub(1)
            }
        }
    )+};
}

sets_in!(u64 of i64, u128 of i128);
