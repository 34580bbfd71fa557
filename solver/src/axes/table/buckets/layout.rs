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
//! Two words are not written at one stroke. So the threads of a team lock a bucket before they read or write it
//! (`Locked`): bit L of its first slot is 1 while a thread has the lock.
//!
//! ```text
//!               way 0            way 1   way 2   way 3
//! low words   | tag, work, ... |       |       |       |
//! high words  | age | L | tag  |       |       |       |      L: the bucket is locked
//! ```
//!
//! A thread locks a bucket by setting L if it is 0, and unlocks it by writing the word without it. While L is set no
//! other thread writes a word of the bucket. So a thread sees whole entries of earlier threads, and no other thread
//! sees its unfinished writes. No thread waits: a bucket that another thread has locked counts as empty, and a write to
//! it is dropped. A single thread leaves L at 0.
//!
//! With one bit for the age, a slot is in use or not: clearing writes zeros to all slots that were in use.

use crate::axes::table::words::{AtomicU64, read};
use crate::game::Word;
use std::fmt::Debug;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

pub const WAYS: usize = 4;
pub(super) const WORK_BITS: u32 = 6;

/// The widths of a slot's parts.
pub trait SlotLayout: Copy + Debug + Send + 'static {
    /// A slot as one number, or a mixed key.
    type Word: SlotWord;
    const BOUND_BITS: u32;

    /// Bits below the tag: work and two bounds.
    const BITS_BELOW: u32 = WORK_BITS + 2 * Self::BOUND_BITS;
    /// Bits between age and tag: 1 if a slot is two words, for L.
    const LOCK_BITS: u32 = Self::Word::GROUPS as u32 - 1;
    /// Added to a bound, so that it is not negative.
    const ZERO: i32 = 1 << (Self::BOUND_BITS - 1);

    fn for_keys(bits: u32) -> Self;
    #[inline(always)]
    fn age_bits(self) -> u32 {
        AGE_BITS
    }
    /// The most bits of a tag.
    fn tag_bits(self) -> u32 {
        Self::Word::BITS - self.age_bits() - Self::LOCK_BITS - Self::BITS_BELOW
    }
}

/// In slots that have room for them.
const AGE_BITS: u32 = 8;

/// A word a slot, for keys of up to 56 bits.
#[derive(Clone, Copy, Debug)]
pub struct OneWord<const BITS: u32 = AGE_BITS>;

impl<const BITS: u32> SlotLayout for OneWord<BITS> {
    type Word = u64;
    const BOUND_BITS: u32 = 6;

    fn for_keys(_: u32) -> Self {
        OneWord
    }

    #[inline(always)]
    fn age_bits(self) -> u32 {
        BITS
    }
}

/// One word a slot, for keys of any board of 64 bits: for keys of more than 56 bits, with a longer tag.
#[derive(Clone, Copy, Debug)]
pub struct AnyWord {
    age_bits: u32,
}

impl SlotLayout for AnyWord {
    type Word = u64;
    const BOUND_BITS: u32 = 6;

    fn for_keys(bits: u32) -> Self {
        AnyWord { age_bits: if bits > 56 { 1 } else { AGE_BITS } }
    }

    #[inline(always)]
    fn age_bits(self) -> u32 {
        self.age_bits
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
    const BOUND_BITS: u32 = 8;

    fn for_keys(_: u32) -> Self {
        TwoWords
    }
}

/// Bit L, in the high word of a bucket's first slot.
const LOCK: u64 = 1 << (64 - AGE_BITS - 1);

pub trait SlotWord: Word + From<u64> {
    /// Groups of four words in a bucket.
    const GROUPS: usize = Self::BITS as usize / 64;
    /// A bucket in memory.
    type Bucket;
    /// Its slots as they were read.
    type Slots: Copy;

    /// The product with an odd number that has no pattern.
    fn mixed(self) -> Self;
    fn bucket(groups: &[[AtomicU64; WAYS]], index: usize) -> &Self::Bucket;
    fn load(bucket: &Self::Bucket, way: usize) -> Self;
    fn store(self, bucket: &Self::Bucket, way: usize);
    fn read(bucket: &Self::Bucket) -> Self::Slots;
    /// All slots of a bucket that several threads write; `None` if another thread has locked it.
    #[inline(always)]
    fn read_together(bucket: &Self::Bucket) -> Option<Self::Slots> {
        Some(Self::read(bucket))
    }
    /// Writes a slot of a bucket that several threads write. `choose` picks the slot from all four. Nothing is written if
    /// another thread has locked the bucket.
    #[inline(always)]
    fn store_together(self, bucket: &Self::Bucket, choose: impl FnOnce(Self::Slots) -> usize) {
        self.store(bucket, choose(Self::read(bucket)));
    }
    fn way(slots: Self::Slots, way: usize) -> Self;
    /// One bit for each slot, 1 if it equals `age_and_tag` above the low `below` bits.
    fn ways_of(slots: Self::Slots, age_and_tag: Self, below: u32) -> u32;
}

/// The fraction of the golden ratio, in 128 bits, and odd.
const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;

impl SlotWord for u64 {
    type Bucket = [AtomicU64; WAYS];
    type Slots = [u64; WAYS];

    #[inline(always)]
    fn mixed(self) -> u64 {
        self.wrapping_mul((ODD >> 64) as u64)
    }

    #[inline(always)]
    fn bucket(groups: &[[AtomicU64; WAYS]], index: usize) -> &[AtomicU64; WAYS] {
        &groups[index]
    }

    #[inline(always)]
    fn load(bucket: &[AtomicU64; WAYS], way: usize) -> u64 {
        bucket[way].load(Relaxed)
    }

    #[inline(always)]
    fn store(self, bucket: &[AtomicU64; WAYS], way: usize) {
        bucket[way].store(self, Relaxed);
    }

    #[inline(always)]
    fn read(bucket: &[AtomicU64; WAYS]) -> [u64; WAYS] {
        read(bucket)
    }

    #[inline(always)]
    fn way(slots: [u64; WAYS], way: usize) -> u64 {
        slots[way & (WAYS - 1)]
    }

    #[inline(always)]
    fn ways_of(slots: [u64; WAYS], age_and_tag: u64, below: u32) -> u32 {
        equal(slots, age_and_tag, u64::MAX << below)
    }
}

impl SlotWord for u128 {
    type Bucket = [[AtomicU64; WAYS]; 2];
    type Slots = [[u64; WAYS]; 2];

    #[inline(always)]
    fn mixed(self) -> u128 {
        self.wrapping_mul(ODD)
    }

    #[inline(always)]
    fn bucket(groups: &[[AtomicU64; WAYS]], index: usize) -> &[[AtomicU64; WAYS]; 2] {
        &groups.as_chunks().0[index]
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
    fn read_together(bucket: &[[AtomicU64; WAYS]; 2]) -> Option<[[u64; WAYS]; 2]> {
        Locked::of(bucket).map(|locked| locked.slots())
    }

    #[inline(always)]
    fn store_together(self, bucket: &[[AtomicU64; WAYS]; 2], choose: impl FnOnce([[u64; WAYS]; 2]) -> usize) {
        if let Some(locked) = Locked::of(bucket) {
            let way = choose(locked.slots());
            locked.write(way, self);
        }
    }

    #[inline(always)]
    fn way([low, high]: [[u64; WAYS]; 2], way: usize) -> u128 {
        let way = way & (WAYS - 1);
        u128::from(high[way]) << 64 | u128::from(low[way])
    }

    #[inline(always)]
    fn ways_of([low, high]: [[u64; WAYS]; 2], age_and_tag: u128, below: u32) -> u32 {
        equal(low, age_and_tag as u64, u64::MAX << below) & equal(high, (age_and_tag >> 64) as u64, u64::MAX)
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

/// A locked bucket; dropping this unlocks it.
struct Locked<'t> {
    bucket: &'t [[AtomicU64; WAYS]; 2],
    /// The high word of the first slot, without L.
    first: u64,
}

impl<'t> Locked<'t> {
    /// Locks a bucket; `None` if another thread has.
    #[inline(always)]
    fn of(bucket: &'t [[AtomicU64; WAYS]; 2]) -> Option<Self> {
        let (word, first) = (&bucket[1][0], bucket[1][0].load(Relaxed));
        let is_locked = first & LOCK == 0 && word.compare_exchange(first, first | LOCK, Acquire, Relaxed).is_ok();
        is_locked.then(|| Locked { bucket, first })
    }

    #[inline(always)]
    fn slots(&self) -> [[u64; WAYS]; 2] {
        let [low, high] = self.bucket;
        let mut slots = [read(low), read(high)];
        slots[1][0] = self.first;
        slots
    }

    #[inline(always)]
    fn write(mut self, way: usize, slot: u128) {
        let ([low, high], upper) = (self.bucket, (slot >> 64) as u64);
        low[way].store(slot as u64, Relaxed);
        if way == 0 {
            self.first = upper;
        } else {
            high[way].store(upper, Relaxed);
        }
    }
}

impl Drop for Locked<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.bucket[1][0].store(self.first, Release);
    }
}
