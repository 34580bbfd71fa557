//! Laned: vectors of eight words, one word in each lane.
//!
//! A lane of a processor holds 64 bits. A word of 128 bits lies in the same lane of two vectors:
//!
//! ```text
//! low     | w0 | w1 | w2 | w3 | w4 | w5 | w6 | w7 |    bits 0 to 63 of eight words
//! high    | w0 | w1 | w2 | w3 | w4 | w5 | w6 | w7 |    bits 64 to 127
//! ```
//!
//! Code carries bits over the border in a shift or a sum.

use crate::axes::lines::children::LANES;
use crate::axes::lines::eight::Eight;
use crate::axes::lines::sets::{Counted, Sets};
use crate::game::Word;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

pub trait Laned: Word + Counted<Word = Self> {
    /// Eight words, made of vectors whose lanes hold 64 bits.
    type Vector<E: Eight<Word = u64>>: Eight<Word = Self, Level = E::Level>;
}

impl Laned for u64 {
    type Vector<E: Eight<Word = u64>> = E;
}

impl Laned for u128 {
    type Vector<E: Eight<Word = u64>> = Halves<E>;
}

/// Words of 128 bits, as their low halves and their high halves.
#[derive(Clone, Copy, Debug)]
pub struct Halves<V> {
    low: V,
    high: V,
}

macro_rules! bitwise {
    ($($operator:ident $function:ident)+) => {$(
        impl<V: $operator<Output = V>> $operator for Halves<V> {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                Halves { low: self.low.$function(other.low), high: self.high.$function(other.high) }
            }
        }
    )+};
}

bitwise!(BitAnd bitand BitOr bitor BitXor bitxor);

impl<V: Not<Output = V>> Not for Halves<V> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Halves { low: !self.low, high: !self.high }
    }
}

impl<V: Sets<Word = u64>> Add for Halves<V> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let low = self.low + other.low;
        // Bit 63 carries if both words have it, or if one has it and the sum does not.
        let carries = (self.low & other.low) | ((self.low | other.low) & !low);
        Halves { low, high: self.high + other.high + (carries >> 63) }
    }
}

/// All lanes are shifted by the same number of bits.
impl<V: Sets<Word = u64>> Shl<u32> for Halves<V> {
    type Output = Self;

    #[inline(always)]
    fn shl(self, bits: u32) -> Self {
        match bits {
            // The shift is split into 1 bit and the rest, because a shift by 64 bits is undefined.
            0..64 => Halves { low: self.low << bits, high: (self.high << bits) | (self.low >> 1 >> (63 - bits)) },
            _ => Halves { low: self.low.splat(0), high: self.low << (bits - 64) },
        }
    }
}

impl<V: Sets<Word = u64>> Shr<u32> for Halves<V> {
    type Output = Self;

    #[inline(always)]
    fn shr(self, bits: u32) -> Self {
        match bits {
            0..64 => Halves { low: (self.low >> bits) | (self.high << 1 << (63 - bits)), high: self.high >> bits },
            _ => Halves { low: self.high >> (bits - 64), high: self.high.splat(0) },
        }
    }
}

impl<V: Sets<Word = u64>> Sets for Halves<V> {
    type Word = u128;

    #[inline(always)]
    fn splat(self, set: u128) -> Self {
        Halves { low: self.low.splat(set as u64), high: self.low.splat((set >> 64) as u64) }
    }

    #[inline(always)]
    fn where_empty(self) -> Self {
        let empty = (self.low | self.high).where_empty();
        Halves { low: empty, high: empty }
    }

    #[inline(always)]
    fn zeros(self) -> u32 {
        (self.low | self.high).zeros()
    }
}

/// Numbers lie in the low halves. The high halves are meaningless then.
impl<V: Counted<Word = u64>> Counted for Halves<V> {
    #[inline(always)]
    fn counts(self) -> Self {
        let counts = self.low.counts().plus(self.high.counts());
        Halves { low: counts, high: counts }
    }

    #[inline(always)]
    fn times(self, weight: i32) -> Self {
        Halves { low: self.low.times(weight), high: self.high }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Halves { low: self.low.plus(other.low), high: self.high }
    }

    #[inline(always)]
    fn weighed<const N: usize>(sets: [(Self, i32); N]) -> Self {
        let (mut low, mut high) = ([(sets[0].0.low, 0); N], [(sets[0].0.high, 0); N]);
        let mut at = 0;
        while at < N {
            let (set, weight) = sets[at];
            (low[at], high[at]) = ((set.low, weight), (set.high, weight));
            at += 1;
        }
        let high = V::weighed(high);
        Halves { low: V::weighed(low).plus(high), high }
    }
}

impl<E: Eight<Word = u64>> Eight for Halves<E> {
    type Level = E::Level;
    type Register = Halves<E::Register>;
    const REGISTER_LANES: usize = E::REGISTER_LANES;
    const COUNTS: bool = E::COUNTS;

    #[inline(always)]
    fn new(level: E::Level, words: [u128; LANES]) -> Self {
        let [low, high] = halves(&words);
        Halves { low: E::new(level, low), high: E::new(level, high) }
    }

    #[inline(always)]
    fn to_array(self) -> [u128; LANES] {
        let (low, high) = (self.low.to_array(), self.high.to_array());
        std::array::from_fn(|lane| u128::from(low[lane]) | u128::from(high[lane]) << 64)
    }

    #[inline(always)]
    fn of_numbers(level: E::Level, numbers: [i16; LANES]) -> Self {
        let low = E::of_numbers(level, numbers);
        Halves { low, high: low }
    }

    #[inline(always)]
    fn numbers(self, lanes: u32) -> [u16; LANES] {
        self.low.numbers(lanes)
    }

    #[inline(always)]
    fn register(level: E::Level, words: &[u128; LANES], index: usize) -> Self::Register {
        let [low, high] = halves(words);
        Halves { low: E::register(level, &low, index), high: E::register(level, &high, index) }
    }
}

#[inline(always)]
fn halves(words: &[u128; LANES]) -> [[u64; LANES]; 2] {
    [words.map(|word| word as u64), words.map(|word| (word >> 64) as u64)]
}
