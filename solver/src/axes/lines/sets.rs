//! Sets: words of squares, and vectors of them, under one set of formulas.
//!
//! A formula over [`Sets`] stands once, and is compiled for a word and for every kind of vector. A vector is made from
//! another one: only who has one may compute with its kind ([`crate::axes::level`]).

use crate::axes::lines::line::Bits;
use std::ops::{Add, Not};

/// A set of squares, or several.
pub trait Sets: Bits<u32> + Add<Output = Self> + Not<Output = Self> {
    /// One set in all lanes of a vector of this kind.
    fn splat(self, set: u64) -> Self;
    /// All bits where a set is empty, else none.
    fn where_empty(self) -> Self;
    /// A bit for each lane, the lowest first: whether its set is empty.
    fn zeros(self) -> u32;

    /// All but the lowest square of a set.
    #[inline(always)]
    fn but_lowest(self) -> Self {
        self & (self + self.splat(u64::MAX))
    }

    /// The lowest square of a set.
    #[inline(always)]
    fn lowest(self) -> Self {
        self ^ self.but_lowest()
    }
}

/// Sets that are counted and weighed: each word, or each lane, is a number then, of 32 bits with a sign.
pub trait Counted: Sets {
    /// How many squares a set has.
    fn counts(self) -> Self;
    /// A number, so many times.
    fn times(self, weight: i32) -> Self;
    /// The sum of two numbers.
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

impl Counted for u64 {
    #[inline(always)]
    fn counts(self) -> u64 {
        u64::from(self.count_ones())
    }

    #[inline(always)]
    fn times(self, weight: i32) -> u64 {
        self.wrapping_mul(i64::from(weight) as u64)
    }

    #[inline(always)]
    fn plus(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }
}

impl Sets for u64 {
    #[inline(always)]
    fn splat(self, set: u64) -> u64 {
        set
    }

    #[inline(always)]
    fn where_empty(self) -> u64 {
        if self == 0 { u64::MAX } else { 0 }
    }

    #[inline(always)]
    fn zeros(self) -> u32 {
        u32::from(self == 0)
    }

    #[inline(always)]
    fn but_lowest(self) -> u64 {
        self & self.wrapping_sub(1)
    }
}
