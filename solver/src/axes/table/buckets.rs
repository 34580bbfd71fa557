//! Buckets: the memory of a table that keeps both bounds, replaces what cost least, starts small and grows with its use.
//!
//! A slot is a word. Four slots are a bucket, half a cache line. The key is mixed: it is multiplied by an odd number,
//! so that no two keys get the same product. The high bits are the bucket, the rest is the tag. So a slot tells all
//! keys apart:
//!
//! ```text
//! mixed key          | bucket           | tag                    |
//! slot       | age 8 | 0 |              tag | work 6 | hi 6 | lo 6 |
//! ```
//!
//! *Age* is the generation of the search that wrote the slot. Clearing counts it up, which takes no time, except every
//! 255th time. *Work* is the logarithm of the nodes below. Of four slots the one with least work is replaced, but slots
//! of another age go first. *Lo* and *hi* are the bounds plus 32.
//!
//! A small table stays in the processor's caches, a large one forgets less. So a table starts with 2^14 slots. It
//! doubles each time it has been written to `growth` times as often as it has slots: 4 times while it fits a cache of 2
//! MiB, 64 times from there on. In most searches a table beyond that size costs more time than it saves. Tags move into
//! buckets bit by bit, and nothing is lost. Clearing makes the table small again.

use crate::axes::processor::{Words, prefetch, read};
use crate::axes::table::known::Known;
use crate::axes::table::memory::available_memory;
use crate::axes::table::{Table, TableError, TableKind, TableSize};
use crate::game::score::Score;
use std::sync::atomic::Ordering::Relaxed;

/// Slots of the largest table that is taken to fit a core's own cache.
const CACHED: u64 = 1 << 18;
/// Slots at first.
const FIRST: u64 = 1 << 14;
/// Slots of a bucket.
const WAYS: usize = 4;
/// Bytes of a slot.
const SLOT: u64 = 8;
/// Bits below the tag: work and two bounds.
const BELOW: u32 = 18;
/// Bits of the age, above the tag.
const AGE: u32 = 8;
/// The longest tag.
const TAG: u32 = 64 - AGE - BELOW;

/// How many writes there are for each slot, on average, before a table of so many slots doubles.
const fn growth(slots: u64) -> u64 {
    if slots < CACHED { 4 } else { 64 }
}

/// The buckets of the smallest table that tells keys of so many bits apart: as many as leave a tag that fits, and two at least.
const fn least_buckets(bits: u32) -> u64 {
    let index = bits.saturating_sub(TAG);
    if index > 1 { 1 << index } else { 2 }
}

/// The bytes of that table.
pub const fn least_bytes(bits: u32) -> u64 {
    least_buckets(bits) * SLOT * WAYS as u64
}

/// A mixed key: the table is asked by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mixed(u64);

/// A table of buckets: slots that others may share, and how they are arranged.
#[derive(Debug)]
pub struct Buckets {
    slots: Words<WAYS>,
    /// Bits of a key.
    bits: u32,
    /// The mask of these bits.
    keys: u64,
    /// Bits of a tag, at present.
    shift: u32,
    /// The mask of these bits.
    tags: u64,
    /// The age of what is written, shifted to its place.
    age: u64,
    /// Writes until the table grows.
    left: u64,
    /// Bits of a tag when the table is as large as it gets.
    least_shift: u32,
    /// Bits of a tag in a cleared table. A shared table never shrinks, since all who share it must look in the same
    /// places.
    first_shift: u32,
    /// The most buckets that were in use since the slots were empty.
    used: usize,
}

impl Buckets {
    /// Bits of a tag in a table that is cleared.
    fn first_shift(bits: u32, least_shift: u32) -> u32 {
        let least = least_buckets(bits);
        bits - (FIRST / WAYS as u64).clamp(least, 1 << (bits - least_shift)).ilog2()
    }

    /// Buckets in use.
    fn count(&self) -> usize {
        1 << (self.bits - self.shift)
    }

    /// Uses the first slots only.
    fn start_small(&mut self) {
        self.set_tag_bits(self.first_shift);
        self.left = growth((self.count() * WAYS) as u64) * (self.count() * WAYS) as u64;
        self.used = self.used.max(self.count());
    }

    /// From now on tags have so many bits.
    fn set_tag_bits(&mut self, bits: u32) {
        (self.shift, self.tags) = (bits, (1 << bits) - 1);
    }

    #[inline(always)]
    fn bucket(&self, key: Mixed) -> usize {
        (key.0 >> self.shift) as usize
    }

    /// Age and tag, shifted to their places.
    #[inline(always)]
    fn mark(&self, key: Mixed) -> u64 {
        self.age | (key.0 & self.tags) << BELOW
    }

    /// The slots of a bucket, as they are now.
    #[inline(always)]
    fn read(&self, bucket: usize) -> [u64; WAYS] {
        read(&self.slots[bucket])
    }

    fn write(&self, bucket: usize, slots: [u64; WAYS]) {
        for (word, slot) in self.slots[bucket].iter().zip(slots) {
            word.store(slot, Relaxed);
        }
    }
}

impl Table for Buckets {
    type Key = Mixed;

    fn new(_: TableKind, _: TableSize, key_bits: u32, bytes: u64) -> Result<Self, TableError> {
        let (bits, available) = (key_bits, available_memory());
        if available.is_some_and(|most| bytes > most) {
            return Err(TableError::OutOfMemory(bytes, available));
        }
        let least = least_buckets(bits);
        let fits = bytes / (SLOT * WAYS as u64);
        if fits < least {
            return Err(TableError::TooSmall(bytes, least_bytes(bits)));
        }
        let most = (1u64 << fits.ilog2()).min(1 << (bits - 1));
        let slots = Words::zeroed(most as usize).map_err(|_| TableError::OutOfMemory(bytes, available))?;
        let least_shift = bits - most.ilog2();
        let first_shift = Self::first_shift(bits, least_shift);
        let keys = u64::MAX >> (64 - bits);
        let age = 1 << (64 - AGE);
        let mut table =
            Buckets { slots, bits, keys, shift: 0, tags: 0, age, left: 0, least_shift, first_shift, used: 0 };
        table.start_small();
        // Written once, so that no page of the small table is missing when the clock runs.
        (0..table.count()).for_each(|bucket| table.write(bucket, [0; WAYS]));
        Ok(table)
    }

    /// The key mixed.
    #[inline(always)]
    fn key(&self, key: u128) -> Mixed {
        // The fraction of the golden ratio.
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        Mixed((key as u64).wrapping_mul(ODD) & self.keys)
    }

    #[inline(always)]
    fn prefetch(&self, key: Mixed) {
        prefetch(&self.slots, self.bucket(key));
    }

    #[inline(always)]
    fn may_know(&self, key: Mixed) -> bool {
        ways_of(self.read(self.bucket(key)), self.mark(key)) != 0
    }

    #[inline(always)]
    fn probe(&self, key: Mixed) -> Option<Known> {
        let mark = self.mark(key);
        let bucket = self.read(self.bucket(key));
        let ways = ways_of(bucket, mark);
        if ways == 0 {
            return None;
        }
        let found = bucket[ways.trailing_zeros() as usize & (WAYS - 1)];
        let bound = |bits: u64| (bits & 63) as Score - 32;
        Some(Known { least: bound(found), most: bound(found >> 6) })
    }

    /// Writes over what was known of the key, or over what cost least.
    #[inline(always)]
    fn store(&mut self, key: Mixed, known: Known, work: u64) {
        debug_assert!(-32 <= known.least && known.most < 32 && known.least <= known.most);
        let (mark, index) = (self.mark(key), self.bucket(key));
        let age = self.age;
        let bounds = ((known.most + 32) as u64) << 6 | (known.least + 32) as u64;
        let word = mark | u64::from((work + 1).ilog2().min(63)) << 12 | bounds;
        let bucket = &self.slots[index];
        let (mut worst, mut least) = (0, u64::MAX);
        for (way, slot) in bucket.iter().enumerate() {
            let slot = slot.load(Relaxed);
            if (slot ^ mark) >> BELOW == 0 {
                worst = way;
                break;
            }
            let work = if (slot ^ age) >> (64 - AGE) == 0 { 64 + (slot >> 12 & 63) } else { 0 };
            if work < least {
                (worst, least) = (way, work);
            }
        }
        bucket[worst].store(word, Relaxed);
        self.left -= 1;
        if self.left == 0 {
            self.grow();
        }
    }

    /// Doubles the table, if it may grow: a bucket becomes two, told apart by what was the highest bit of the tag.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.left = u64::MAX;
        if self.shift <= self.least_shift {
            return;
        }
        let count = self.count();
        self.set_tag_bits(self.shift - 1);
        let high = 1u64 << (self.shift + BELOW);
        for index in (0..count).rev() {
            let bucket = self.read(index);
            let of = |upper: bool| bucket.map(|slot| if (slot & high != 0) == upper { slot & !high } else { 0 });
            self.write(2 * index, of(false));
            self.write(2 * index + 1, of(true));
        }
        let slots = (count * 2 * WAYS) as u64;
        self.left = growth(slots) * slots;
        self.used = self.used.max(2 * count);
    }

    fn reset(&mut self) {
        self.age = self.age.wrapping_add(1 << (64 - AGE));
        if self.age == 0 {
            (0..self.used).for_each(|bucket| self.write(bucket, [0; WAYS]));
            self.age = 1 << (64 - AGE);
        }
        self.start_small();
    }

    /// Bytes that it may grow to.
    fn bytes(&self) -> u64 {
        SLOT * WAYS as u64 * (1 << (self.bits - self.least_shift))
    }

    /// Makes the table as large as it gets, and empty. It stays so large: all who share it look in the same places.
    fn share(&mut self) -> Option<Self> {
        if self.first_shift != self.least_shift {
            self.first_shift = self.least_shift;
            self.reset();
            self.left = u64::MAX;
        }
        Some(Buckets { slots: self.slots.clone(), ..*self })
    }
}

/// A bit for each slot of that age and tag.
#[cfg(feature = "simd")]
#[inline(always)]
fn ways_of(bucket: [u64; WAYS], mark: u64) -> u32 {
    use wide::u64x4;
    let marks = u64x4::new(bucket) & u64x4::splat(u64::MAX << BELOW);
    marks.simd_eq(u64x4::splat(mark)).to_bitmask()
}

/// A bit for each slot of that age and tag.
#[cfg(not(feature = "simd"))]
#[inline(always)]
fn ways_of(bucket: [u64; WAYS], mark: u64) -> u32 {
    (0..WAYS).fold(0, |ways, way| ways | u32::from((bucket[way] ^ mark) >> BELOW == 0) << way)
}

#[cfg(test)]
mod tests;
