//! The levels of x86-64, and their vectors: one of the two files that may be unsafe.
//!
//! One justification serves every unsafe block that uses instructions of a level. [`Avx2::detected`] and
//! [`Avx512::detected`] test the processor, and only they make a level. A vector is made only from a level or a vector.

#![allow(unsafe_code)]

use crate::axes::level::{Level, Recursion, Task, Test};
use crate::axes::lines::children::LANES;
use crate::axes::lines::eight::{Eight, InLanes};
use crate::axes::lines::laned::Laned;
use crate::axes::lines::sets::{Counted, Sets};
use crate::game::Geometry;
use crate::game::score::Score;
use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// Declares a level: its name, its vectors, and the processor features that it needs.
macro_rules! level {
    ($(#[$about:meta])* $name:ident: $eight:ident, $($feature:tt)+) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(());

        impl $name {
            #[inline(always)]
            pub fn detected() -> Option<Self> {
                ($(is_x86_feature_detected!($feature))&&+).then_some($name(()))
            }
        }

        impl Level for $name {
            type Look<G: Geometry<Word: Laned>> = InLanes<<G::Word as Laned>::Vector<$eight>>;

            #[inline(always)]
            fn look<G: Geometry<Word: Laned>>(self) -> Self::Look<G> {
                InLanes(self)
            }

            #[inline(always)]
            fn enter<R: Recursion, const LAST: bool, const HOW: u8>(
                self,
                of: &mut R,
                node: &R::Node,
                test: Test,
            ) -> Score {
                #[inline(never)]
                #[target_feature($(enable = $feature),+)]
                fn children<R: Recursion, const LAST: bool, const HOW: u8>(
                    level: $name,
                    of: &mut R,
                    node: &R::Node,
                    test: Test,
                ) -> Score {
                    of.visit::<$name, LAST, HOW>(level, node, test)
                }
                // SAFETY: a level is made only on a processor that has it.
                unsafe { children::<R, LAST, HOW>(self, of, node, test) }
            }

            #[inline(always)]
            fn call<T: Task>(self, task: T) -> T::Answer {
                #[inline(never)]
                #[target_feature($(enable = $feature),+)]
                fn call<T: Task>(level: $name, task: T) -> T::Answer {
                    task.run(level)
                }
                // SAFETY: as above.
                unsafe { call(self, task) }
            }
        }
    };
}

level! {
    /// Two vectors of four words: the instructions of x86-64-v3 that a search uses.
    Avx2: TwoFours, "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
}

level! {
    /// One vector of eight words: the instructions of x86-64-v4 that a search uses, and a count of bits in all words.
    Avx512: OneEight,
    "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vpopcntdq" "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
}

#[derive(Clone, Copy, Debug)]
pub struct FourWords(__m256i);

#[derive(Clone, Copy, Debug)]
pub struct TwoFours(FourWords, FourWords);

#[derive(Clone, Copy, Debug)]
pub struct OneEight(__m512i);

/// Operators of two vectors, each in one register, by one instruction.
macro_rules! operators {
    ($vector:ident: $($operator:ident $function:ident $instruction:ident),+) => {$(
        impl $operator for $vector {
            type Output = Self;

            #[inline(always)]
            fn $function(self, other: Self) -> Self {
                // SAFETY: a vector or a level is made only on a processor that has it.
                $vector(unsafe { $instruction(self.0, other.0) })
            }
        }
    )+};
}

operators! { FourWords:
    BitAnd bitand _mm256_and_si256, BitOr bitor _mm256_or_si256, BitXor bitxor _mm256_xor_si256, Add add _mm256_add_epi64
}
operators! { OneEight:
    BitAnd bitand _mm512_and_si512, BitOr bitor _mm512_or_si512, BitXor bitxor _mm512_xor_si512, Add add _mm512_add_epi64
}

/// The other operators of a vector in one register: complement, and shifts of every word by one number of bits.
macro_rules! unary {
    ($vector:ident: $xor:ident $splat:ident $left:ident $right:ident) => {
        impl Not for $vector {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                // SAFETY: as above.
                $vector(unsafe { $xor(self.0, $splat(-1)) })
            }
        }

        impl Shl<u32> for $vector {
            type Output = Self;

            #[inline(always)]
            fn shl(self, bits: u32) -> Self {
                // SAFETY: as above.
                $vector(unsafe { $left(self.0, $splat(i64::from(bits))) })
            }
        }

        impl Shr<u32> for $vector {
            type Output = Self;

            #[inline(always)]
            fn shr(self, bits: u32) -> Self {
                // SAFETY: as above.
                $vector(unsafe { $right(self.0, $splat(i64::from(bits))) })
            }
        }
    };
}

unary! { FourWords: _mm256_xor_si256 _mm256_set1_epi64x _mm256_sllv_epi64 _mm256_srlv_epi64 }
unary! { OneEight: _mm512_xor_si512 _mm512_set1_epi64 _mm512_sllv_epi64 _mm512_srlv_epi64 }

macro_rules! pairwise {
    ($($operator:ident $function:ident $argument:ty: |$self:ident, $other:ident| $both:expr;)+) => {$(
        impl $operator<$argument> for TwoFours {
            type Output = Self;

            #[inline(always)]
            fn $function($self, $other: $argument) -> Self {
                $both
            }
        }
    )+};
}

pairwise! {
    BitAnd bitand TwoFours: |self, other| TwoFours(self.0 & other.0, self.1 & other.1);
    BitOr bitor TwoFours: |self, other| TwoFours(self.0 | other.0, self.1 | other.1);
    BitXor bitxor TwoFours: |self, other| TwoFours(self.0 ^ other.0, self.1 ^ other.1);
    Add add TwoFours: |self, other| TwoFours(self.0 + other.0, self.1 + other.1);
    Shl shl u32: |self, bits| TwoFours(self.0 << bits, self.1 << bits);
    Shr shr u32: |self, bits| TwoFours(self.0 >> bits, self.1 >> bits);
}

impl Not for TwoFours {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        TwoFours(!self.0, !self.1)
    }
}

impl Sets for FourWords {
    type Word = u64;

    #[inline(always)]
    fn splat(self, set: u64) -> Self {
        // SAFETY: a vector or a level is made only on a processor that has it.
        FourWords(unsafe { _mm256_set1_epi64x(set as i64) })
    }

    #[inline(always)]
    fn where_empty(self) -> Self {
        // SAFETY: as above.
        FourWords(unsafe { _mm256_cmpeq_epi64(self.0, _mm256_setzero_si256()) })
    }

    #[inline(always)]
    fn zeros(self) -> u32 {
        // SAFETY: as above.
        unsafe { _mm256_movemask_pd(_mm256_castsi256_pd(self.where_empty().0)) as u32 }
    }
}

impl Sets for TwoFours {
    type Word = u64;

    #[inline(always)]
    fn splat(self, set: u64) -> Self {
        TwoFours(self.0.splat(set), self.1.splat(set))
    }

    #[inline(always)]
    fn where_empty(self) -> Self {
        TwoFours(self.0.where_empty(), self.1.where_empty())
    }

    #[inline(always)]
    fn zeros(self) -> u32 {
        self.0.zeros() | self.1.zeros() << 4
    }
}

impl Sets for OneEight {
    type Word = u64;

    #[inline(always)]
    fn splat(self, set: u64) -> Self {
        // SAFETY: as above.
        OneEight(unsafe { _mm512_set1_epi64(set as i64) })
    }

    #[inline(always)]
    fn where_empty(self) -> Self {
        // SAFETY: as above.
        OneEight(unsafe { _mm512_maskz_set1_epi64(_mm512_testn_epi64_mask(self.0, self.0), -1) })
    }

    #[inline(always)]
    fn zeros(self) -> u32 {
        // SAFETY: as above.
        u32::from(unsafe { _mm512_testn_epi64_mask(self.0, self.0) })
    }
}

impl Counted for TwoFours {
    #[inline(always)]
    fn counts(self) -> Self {
        Self::weighed([(self, 1)])
    }

    #[inline(always)]
    fn times(self, weight: i32) -> Self {
        // SAFETY: a vector or a level is made only on a processor that has it.
        let times = |words: FourWords| unsafe { _mm256_mul_epi32(words.0, _mm256_set1_epi64x(weight.into())) };
        TwoFours(FourWords(times(self.0)), FourWords(times(self.1)))
    }

    #[inline(always)]
    fn weighed<const N: usize>(sets: [(Self, i32); N]) -> Self {
        let [low, high] = [sets.map(|(set, by)| (set.0, by)), sets.map(|(set, by)| (set.1, by))];
        TwoFours(FourWords::weighed(low), FourWords::weighed(high))
    }
}

impl FourWords {
    /// The sum of [`Counted::weighed`]: by the counts of halves of bytes, from a table.
    #[inline(always)]
    fn weighed<const N: usize>(sets: [(Self, i32); N]) -> Self {
        // SAFETY: a vector or a level is made only on a processor that has it.
        unsafe {
            let counts = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
            let low = _mm256_set1_epi8(15);
            let mut sums = _mm256_setzero_si256();
            for (FourWords(set), weight) in sets {
                let halves = [set, _mm256_srli_epi16::<4>(set)].map(|half| _mm256_and_si256(half, low));
                let [lower, upper] = halves.map(|half| _mm256_shuffle_epi8(counts, half));
                let in_bytes = _mm256_add_epi8(lower, upper);
                sums = _mm256_add_epi16(sums, _mm256_maddubs_epi16(in_bytes, _mm256_set1_epi8(weight as i8)));
            }
            let halves = _mm256_madd_epi16(sums, _mm256_set1_epi16(1));
            FourWords(_mm256_add_epi32(halves, _mm256_srli_epi64::<32>(halves)))
        }
    }
}

impl Counted for OneEight {
    #[inline(always)]
    fn counts(self) -> Self {
        // SAFETY: as above.
        OneEight(unsafe { _mm512_popcnt_epi64(self.0) })
    }

    #[inline(always)]
    fn times(self, weight: i32) -> Self {
        // SAFETY: as above.
        OneEight(unsafe { _mm512_mul_epi32(self.0, _mm512_set1_epi64(i64::from(weight))) })
    }
}

impl Eight for TwoFours {
    type Level = Avx2;
    type Register = FourWords;
    const REGISTER_LANES: usize = 4;
    const COUNTS: bool = true;

    #[inline(always)]
    fn new(level: Avx2, words: [u64; LANES]) -> Self {
        TwoFours(Self::register(level, &words, 0), Self::register(level, &words, 1))
    }

    #[inline(always)]
    fn to_array(self) -> [u64; LANES] {
        // SAFETY: both are 64 bytes, and any bits are valid words.
        unsafe { std::mem::transmute([self.0.0, self.1.0]) }
    }

    #[inline(always)]
    fn of_numbers(_: Avx2, numbers: [i16; LANES]) -> Self {
        // SAFETY: as above, and both are 16 bytes.
        unsafe {
            let numbers = std::mem::transmute::<[i16; LANES], __m128i>(numbers);
            let high = _mm_unpackhi_epi64(numbers, numbers);
            TwoFours(FourWords(_mm256_cvtepi16_epi64(numbers)), FourWords(_mm256_cvtepi16_epi64(high)))
        }
    }

    #[inline(always)]
    fn numbers(self, lanes: u32) -> [u16; LANES] {
        // SAFETY: as above, and both are 16 bytes.
        unsafe {
            let [one, other] = [self.0.0, self.1.0].map(|words| _mm256_castsi256_ps(words));
            // The low halves: 0, 1, 4, 5 in one half of the register, 2, 3, 6, 7 in the other.
            let numbers = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(one, other));
            let numbers = _mm256_packus_epi32(numbers, numbers);
            let numbers = _mm_unpacklo_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256::<1>(numbers));
            let bits = _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
            let wanted = _mm_cmpeq_epi16(_mm_and_si128(_mm_set1_epi16(lanes as i16), bits), bits);
            std::mem::transmute(_mm_and_si128(numbers, wanted))
        }
    }

    #[inline(always)]
    fn register(_: Avx2, words: &[u64; LANES], index: usize) -> FourWords {
        let words: [u64; 4] = *words[4 * index..].first_chunk().expect("two registers of four");
        // SAFETY: both are 32 bytes, and any bits are valid words.
        FourWords(unsafe { std::mem::transmute::<[u64; 4], __m256i>(words) })
    }
}

impl Eight for OneEight {
    type Level = Avx512;
    type Register = OneEight;
    const REGISTER_LANES: usize = LANES;
    const COUNTS: bool = true;

    #[inline(always)]
    fn new(_: Avx512, words: [u64; LANES]) -> Self {
        // SAFETY: both are 64 bytes, and any bits are valid words.
        OneEight(unsafe { std::mem::transmute::<[u64; LANES], __m512i>(words) })
    }

    #[inline(always)]
    fn to_array(self) -> [u64; LANES] {
        // SAFETY: as above.
        unsafe { std::mem::transmute(self.0) }
    }

    #[inline(always)]
    fn of_numbers(_: Avx512, numbers: [i16; LANES]) -> Self {
        // SAFETY: as above, and both are 16 bytes.
        OneEight(unsafe { _mm512_cvtepi16_epi64(std::mem::transmute::<[i16; LANES], __m128i>(numbers)) })
    }

    #[inline(always)]
    fn numbers(self, lanes: u32) -> [u16; LANES] {
        // SAFETY: as above, and both are 16 bytes.
        unsafe { std::mem::transmute(_mm512_maskz_cvtusepi64_epi16(lanes as u8, self.0)) }
    }

    #[inline(always)]
    fn register(level: Avx512, words: &[u64; LANES], _: usize) -> Self {
        Self::new(level, *words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::lines::laned::Halves;
    use crate::game::Word;

    /// Compares every operator of a vector with the operator of words.
    struct Checked<E: Eight>(E::Level, [E::Word; LANES], [E::Word; LANES]);

    impl<E: Eight> Task for Checked<E> {
        type Answer = ();

        #[inline(always)]
        fn run<L: Level>(self, _: L) {
            let Checked(level, one, other) = self;
            let [a, b] = [E::new(level, one), E::new(level, other)];
            let by_word = |of: fn(E::Word, E::Word) -> E::Word| {
                std::array::from_fn::<E::Word, LANES, _>(|lane| of(one[lane], other[lane]))
            };
            assert_eq!(a.to_array(), one);
            assert_eq!((a & b).to_array(), by_word(|a, b| a & b));
            assert_eq!((a | b).to_array(), by_word(|a, b| a | b));
            assert_eq!((a ^ b).to_array(), by_word(|a, b| a ^ b));
            assert_eq!((a + b).to_array(), by_word(|a, b| a.plus(b)));
            assert_eq!((!a).to_array(), by_word(|a, _| !a));
            assert_eq!(a.splat(one[3]).to_array(), [one[3]; LANES]);
            assert_eq!(a.where_empty().to_array(), by_word(|a, _| a.where_empty()));
            assert_eq!(a.but_lowest().to_array(), by_word(|a, _| Word::but_lowest(a)));
            assert_eq!(a.lowest().to_array(), by_word(|a, _| Word::lowest(a)));
            // Numbers lie in the low 32 bits.
            let low = |vector: E| vector.to_array().map(|word| word.low() as i32);
            assert_eq!(low(a.counts()), one.map(|word| word.count_ones() as i32));
            for weight in [-31, -1, 0, 1, 24] {
                let times = |word: E::Word| word.count_ones() as i32 * weight;
                assert_eq!(low(a.counts().times(weight)), one.map(times), "{weight}");
                let sum = |lane: usize| times(one[lane]) + other[lane].count_ones() as i32;
                let sums = std::array::from_fn::<i32, LANES, _>(sum);
                assert_eq!(low(a.counts().times(weight).plus(b.counts())), sums, "{weight}");
            }
            let sets = [(a, -31), (b, 95), (a & b, 0), (!a, 127), (b, -128), (a, 1)];
            let each = sets.map(|(set, weight)| set.counts().times(weight)).into_iter().reduce(E::plus);
            assert_eq!(low(E::weighed(sets)), low(each.expect("six sets")));
            // Numbers of 31 bits, and of 18: some are too large for 16 bits.
            for shift in [33, 46] {
                let numbers = one.map(|word| word.low() >> shift);
                let vector = E::new(level, numbers.map(|number| E::Word::of(number.into())));
                for lanes in [0, 0b1000_0001, 0b0110_1010, 0xff] {
                    let low = |lane: usize| if lanes >> lane & 1 == 0 { 0 } else { numbers[lane].min(0xffff) as u16 };
                    assert_eq!(vector.numbers(lanes), std::array::from_fn::<u16, LANES, _>(low), "{lanes:b}");
                }
            }
            let numbers = [-7, 0, 1, 255, i16::MIN, i16::MAX, 640, -1];
            assert_eq!(low(E::of_numbers(level, numbers)), numbers.map(i32::from));
            let zeros: u32 = (0..LANES).map(|lane| u32::from(one[lane].is_empty()) << lane).sum();
            assert_eq!(a.zeros(), zeros);
            for bits in [0, 1, 7, 8, 21, 63, 64, 65, 100, 127].into_iter().filter(|&bits| bits < E::Word::BITS) {
                assert_eq!((a << bits).to_array(), one.map(|word| word << bits), "{bits}");
                assert_eq!((a >> bits).to_array(), one.map(|word| word >> bits), "{bits}");
            }
            for index in 0..LANES / E::REGISTER_LANES {
                let zeros = zeros >> (index * E::REGISTER_LANES) & ((1 << E::REGISTER_LANES) - 1);
                assert_eq!(E::register(level, &one, index).zeros(), zeros, "{index}");
            }
        }
    }

    #[test]
    fn vectors_compute_as_words() {
        let word = |index: u64| (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(index as u32);
        // Where one half overflows, is empty or is full, the other half shows how bits cross the border.
        let long = |words: [u64; LANES]| {
            let high = |lane: usize| u128::from([words[(lane + 3) % LANES], 0, u64::MAX][lane % 3]) << 64;
            std::array::from_fn::<u128, LANES, _>(|lane| u128::from(words[lane]) | high(lane))
        };
        let mut words: [u64; LANES] = std::array::from_fn(|lane| word(lane as u64));
        for round in 0..20 {
            let others = std::array::from_fn(|lane| word(100 * round + lane as u64));
            if let Some(level) = Avx2::detected() {
                level.call(Checked::<TwoFours>(level, words, others));
                level.call(Checked::<Halves<TwoFours>>(level, long(words), long(others)));
            }
            if let Some(level) = Avx512::detected() {
                level.call(Checked::<OneEight>(level, words, others));
                level.call(Checked::<Halves<OneEight>>(level, long(words), long(others)));
            }
            words[round as usize % LANES] = [0, 1 << 63, u64::MAX][round as usize % 3];
        }
    }
}
