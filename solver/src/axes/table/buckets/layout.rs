//! Layout: the parts of a slot and their bits. The algorithm is in [`super::Buckets`].
//!
//! ```text
//! OneWord    | age 8 |      tag 38 | work 6 | hi 6 | lo 6 |     keys of up to 56 bits in 8 MiB
//! AnyWord    the same, or with longer keys
//!            | age 1 |      tag 45 | work 6 | hi 6 | lo 6 |     keys of up to 64 bits in 16 MiB
//! TwoWords   | age 8 | 1 | tag 97  | work 6 | hi 8 | lo 8 |     keys of any board, in two words
//! ```
//!
//! A bucket of one word a slot is half a cache line. A bucket of two is a whole one: first the low words of its four
//! slots, then the high words, so that all four are compared together.
//!
//! Two words are not written at one stroke. So the threads of a team take a bucket before they read or write it
//! (`Taken`): bit T of its first slot is 1 while a thread has it.
//!
//! ```text
//!               way 0            way 1   way 2   way 3
//! low words   | tag, work, ... |       |       |       |
//! high words  | age | T | tag  |       |       |       |      T: the bucket is taken
//! ```
//!
//! A thread takes a bucket by setting T if it is 0, and gives it back by writing the word without it. While T is set no
//! other thread writes a word of the bucket. So a thread sees whole entries of earlier threads, and no other thread
//! sees its unfinished writes. No thread waits: a bucket of another thread counts as empty, and a write to it is
//! dropped. A single thread leaves T at 0.
//!
//! With one bit for the age, a slot is in use or not: clearing writes zeros to all slots that were in use.

use crate::axes::table::words::{AtomicU64, read};
use crate::game::Word;
use std::fmt::Debug;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

pub const WAYS: usize = 4;
pub(super) const WORK: u32 = 6;

/// The widths of a slot's parts.
pub trait SlotLayout: Copy + Debug + Send + 'static {
    /// A slot as one number, or a mixed key.
    type Word: SlotWord;
    const BOUND: u32;

    /// Bits below the tag: work and two bounds.
    const BELOW: u32 = WORK + 2 * Self::BOUND;
    /// Bits between age and tag: 1 if a slot is two words, for T.
    const TAKEN: u32 = Self::Word::GROUPS as u32 - 1;
    /// Added to a bound, so that it is not negative.
    const ZERO: i32 = 1 << (Self::BOUND - 1);

    fn for_keys(bits: u32) -> Self;
    /// Bits of the age, above the tag.
    fn age(self) -> u32;
    /// Bits of the longest tag.
    fn tag(self) -> u32 {
        Self::Word::BITS - self.age() - Self::TAKEN - Self::BELOW
    }
}

/// Bits of the age, in slots that have room for 8.
const AGE: u32 = 8;

/// A word a slot, for keys of up to 56 bits.
#[derive(Clone, Copy, Debug)]
pub struct OneWord<const BITS_OF_AGE: u32 = AGE>;

impl<const BITS_OF_AGE: u32> SlotLayout for OneWord<BITS_OF_AGE> {
    type Word = u64;
    const BOUND: u32 = 6;

    fn for_keys(_: u32) -> Self {
        OneWord
    }

    #[inline(always)]
    fn age(self) -> u32 {
        BITS_OF_AGE
    }
}

/// One word a slot, for keys of any board of 64 bits: for keys of more than 56 bits, with a longer tag.
#[derive(Clone, Copy, Debug)]
pub struct AnyWord {
    age: u32,
}

impl SlotLayout for AnyWord {
    type Word = u64;
    const BOUND: u32 = 6;

    fn for_keys(bits: u32) -> Self {
        AnyWord { age: if bits > 56 { 1 } else { AGE } }
    }

    #[inline(always)]
    fn age(self) -> u32 {
        self.age
    }
}

/// [`AnyWord`] in its form for long keys, for tests with short keys.
#[cfg(test)]
pub(super) type LongTag = OneWord<1>;

/// Two words a slot, for keys of more than 64 bits, and scores beyond 31.
#[derive(Clone, Copy, Debug)]
pub struct TwoWords;

impl SlotLayout for TwoWords {
    type Word = u128;
    const BOUND: u32 = 8;

    fn for_keys(_: u32) -> Self {
        TwoWords
    }

    #[inline(always)]
    fn age(self) -> u32 {
        AGE
    }
}

/// Bit T, in the high word of a bucket's first slot.
const TAKEN: u64 = 1 << (64 - AGE - 1);

pub trait SlotWord: Word + From<u64> {
    /// Groups of four words in a bucket.
    const GROUPS: usize = Self::BITS as usize / 64;
    /// A bucket in memory.
    type Place;
    /// A bucket as it was read.
    type Bucket: Copy;

    /// The product with an odd number that has no pattern.
    fn mixed(self) -> Self;
    fn place(groups: &[[AtomicU64; WAYS]], bucket: usize) -> &Self::Place;
    fn load(place: &Self::Place, way: usize) -> Self;
    fn store(self, place: &Self::Place, way: usize);
    fn read(place: &Self::Place) -> Self::Bucket;
    /// All slots of a bucket that several threads write; `None` if slots have two words and another thread has it.
    #[inline(always)]
    fn read_together(place: &Self::Place) -> Option<Self::Bucket> {
        Some(Self::read(place))
    }
    /// Writes a slot of a bucket that several threads write. `choose` picks the slot from all four. If slots have two
    /// words and another thread has the bucket, nothing is written.
    #[inline(always)]
    fn store_together(self, place: &Self::Place, choose: impl FnOnce(Self::Bucket) -> usize) {
        self.store(place, choose(Self::read(place)));
    }
    fn way(bucket: Self::Bucket, way: usize) -> Self;
    /// One bit for each slot, 1 if it equals `mark` above the low `below` bits.
    fn ways_of(bucket: Self::Bucket, mark: Self, below: u32) -> u32;
}

/// The fraction of the golden ratio, in 128 bits, and odd.
const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

impl SlotWord for u64 {
    type Place = [AtomicU64; WAYS];
    type Bucket = [u64; WAYS];

    #[inline(always)]
    fn mixed(self) -> u64 {
        self.wrapping_mul((ODD >> 64) as u64)
    }

    #[inline(always)]
    fn place(groups: &[[AtomicU64; WAYS]], bucket: usize) -> &[AtomicU64; WAYS] {
        &groups[bucket]
    }

    #[inline(always)]
    fn load(place: &[AtomicU64; WAYS], way: usize) -> u64 {
        place[way].load(Relaxed)
    }

    #[inline(always)]
    fn store(self, place: &[AtomicU64; WAYS], way: usize) {
        place[way].store(self, Relaxed);
    }

    #[inline(always)]
    fn read(place: &[AtomicU64; WAYS]) -> [u64; WAYS] {
        read(place)
    }

    #[inline(always)]
    fn way(bucket: [u64; WAYS], way: usize) -> u64 {
        bucket[way & (WAYS - 1)]
    }

    #[inline(always)]
    fn ways_of(bucket: [u64; WAYS], mark: u64, below: u32) -> u32 {
        equal(bucket, mark, u64::MAX << below)
    }
}

impl SlotWord for u128 {
    type Place = [[AtomicU64; WAYS]; 2];
    type Bucket = [[u64; WAYS]; 2];

    #[inline(always)]
    fn mixed(self) -> u128 {
        self.wrapping_mul(ODD)
    }

    #[inline(always)]
    fn place(groups: &[[AtomicU64; WAYS]], bucket: usize) -> &[[AtomicU64; WAYS]; 2] {
        &groups.as_chunks().0[bucket]
    }

    #[inline(always)]
    fn load([low, high]: &[[AtomicU64; WAYS]; 2], way: usize) -> u128 {
        u128::from(high[way].load(Relaxed)) << 64 | u128::from(low[way].load(Relaxed))
    }

    #[inline(always)]
    fn store(self, [low, high]: &[[AtomicU64; WAYS]; 2], way: usize) {
        low[way].store(self as u64, Relaxed);
        high[way].store((self >> 64) as u64, Relaxed);
    }

    #[inline(always)]
    fn read([low, high]: &[[AtomicU64; WAYS]; 2]) -> [[u64; WAYS]; 2] {
        [read(low), read(high)]
    }

    #[inline(always)]
    fn read_together(place: &[[AtomicU64; WAYS]; 2]) -> Option<[[u64; WAYS]; 2]> {
        Taken::of(place).map(|taken| taken.slots())
    }

    #[inline(always)]
    fn store_together(self, place: &[[AtomicU64; WAYS]; 2], choose: impl FnOnce([[u64; WAYS]; 2]) -> usize) {
        if let Some(taken) = Taken::of(place) {
            let way = choose(taken.slots());
            taken.write(way, self);
        }
    }

    #[inline(always)]
    fn way([low, high]: [[u64; WAYS]; 2], way: usize) -> u128 {
        let way = way & (WAYS - 1);
        u128::from(high[way]) << 64 | u128::from(low[way])
    }

    #[inline(always)]
    fn ways_of([low, high]: [[u64; WAYS]; 2], mark: u128, below: u32) -> u32 {
        equal(low, mark as u64, u64::MAX << below) & equal(high, (mark >> 64) as u64, u64::MAX)
    }
}

/// One bit for each of `words`, 1 if it equals `word` within `mask`.
#[cfg(feature = "simd")]
#[inline(always)]
fn equal(words: [u64; WAYS], word: u64, mask: u64) -> u32 {
    use wide::u64x4;
    (u64x4::new(words) & u64x4::splat(mask)).simd_eq(u64x4::splat(word)).to_bitmask()
}

#[cfg(not(feature = "simd"))]
#[inline(always)]
fn equal(words: [u64; WAYS], word: u64, mask: u64) -> u32 {
    (0..WAYS).fold(0, |ways, way| ways | u32::from((words[way] ^ word) & mask == 0) << way)
}

/// A taken bucket; dropping this gives it back.
struct Taken<'t> {
    place: &'t [[AtomicU64; WAYS]; 2],
    /// The high word of the first slot, without T.
    first: u64,
}

impl<'t> Taken<'t> {
    /// Takes a bucket; `None` if another thread has it.
    #[inline(always)]
    fn of(place: &'t [[AtomicU64; WAYS]; 2]) -> Option<Self> {
        let (word, first) = (&place[1][0], place[1][0].load(Relaxed));
        let is_taken = first & TAKEN == 0 && word.compare_exchange(first, first | TAKEN, Acquire, Relaxed).is_ok();
        is_taken.then(|| Taken { place, first })
    }

    #[inline(always)]
    fn slots(&self) -> [[u64; WAYS]; 2] {
        let [low, high] = self.place;
        let mut slots = [read(low), read(high)];
        slots[1][0] = self.first;
        slots
    }

    #[inline(always)]
    fn write(mut self, way: usize, slot: u128) {
        let ([low, high], upper) = (self.place, (slot >> 64) as u64);
        low[way].store(slot as u64, Relaxed);
        if way == 0 {
            self.first = upper;
        } else {
            high[way].store(upper, Relaxed);
        }
    }
}

impl Drop for Taken<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.place[1][0].store(self.first, Release);
    }
}
