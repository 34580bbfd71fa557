//! Buckets: the memory of a table that keeps both bounds, replaces what cost least, starts small and grows with its use.
//!
//! A slot is a word, four slots are a bucket, half a cache line. The key is mixed by a product with an odd number,
//! which no two keys share; its high bits are the bucket, the rest is the tag, so a slot tells all keys apart:
//!
//! ```text
//! mixed key          | bucket           | tag                    |
//! slot       | age 8 | 0 |              tag | work 6 | hi 6 | lo 6 |
//! ```
//!
//! *Age* is the generation of the search that wrote it: clearing counts up, so it takes no time, but for every 255th.
//! *Work* is the logarithm of the nodes below; of four slots the one with least work is replaced, slots of another
//! age first. *Lo* and *hi* are the bounds plus 32.
//!
//! A small table stays in the processor's caches, a large one forgets less. So a table starts with 2^14 slots, and
//! doubles each time it has been written to `growth` times as often as it has slots: 4 times while it fits a cache of 2 MiB, 64
//! times from there on, as what it then remembers costs more time than it saves in most searches. Tags move into buckets
//! bit by bit, and nothing is lost. Clearing makes it small again.

use crate::axes::table::TableError;
use crate::axes::table::memory::{advise_huge_pages, available_memory, prefetch};
use crate::game::score::Score;

/// Slots of the largest table that a core's own cache is taken to hold.
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

/// Writes a slot, on average, before a table of so many slots doubles.
const fn growth(slots: u64) -> u64 {
    if slots < CACHED { 4 } else { 64 }
}

/// What a table knows of a score: bounds that hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// At least this.
    pub least: Score,
    /// At most this.
    pub most: Score,
}

impl Known {
    /// Bounds that every score keeps.
    pub const NOTHING: Known = Known { least: -32, most: 31 };
}

/// A key that was mixed: what the table is asked by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mixed(u64);

/// The memory of such a table.
#[derive(Debug)]
pub struct Buckets {
    slots: Vec<[u64; WAYS]>,
    /// Bits of a key.
    bits: u32,
    /// The bits of a key, set.
    keys: u64,
    /// Bits of a tag, at present.
    shift: u32,
    /// The same bits, set.
    tags: u64,
    /// The age of what is written, in place.
    age: u64,
    /// Writes until the table grows.
    left: u64,
    /// Bits of a tag when the table is as large as it gets.
    least_shift: u32,
}

impl Default for Buckets {
    /// No table, which is never asked.
    fn default() -> Self {
        Buckets { slots: Vec::new(), bits: 1, keys: 1, shift: 0, tags: 0, age: 0, left: 0, least_shift: 0 }
    }
}

impl Buckets {
    /// A cleared table for keys of so many bits that grows to at most so many bytes.
    pub fn new(bits: u32, bytes: u64) -> Result<Self, TableError> {
        let available = available_memory();
        if available.is_some_and(|most| bytes > most) {
            return Err(TableError::OutOfMemory(bytes, available));
        }
        // A bucket at least, and as many as leave a tag that fits.
        let least = 1u64 << bits.saturating_sub(TAG).max(1);
        let fits = bytes / (SLOT * WAYS as u64);
        if fits < least {
            return Err(TableError::TooSmall(bytes, least * SLOT * WAYS as u64));
        }
        let most = (1u64 << fits.ilog2()).min(1 << (bits - 1));
        let keys = u64::MAX >> (64 - bits);
        let mut buckets = Buckets { bits, keys, least_shift: bits - most.ilog2(), ..Buckets::default() };
        let refused = |_| TableError::OutOfMemory(bytes, available);
        buckets.slots.try_reserve_exact(most as usize).map_err(refused)?;
        advise_huge_pages(buckets.slots.spare_capacity_mut());
        buckets.slots.resize(least.max((FIRST / WAYS as u64).min(most)) as usize, [0; WAYS]);
        buckets.start_small();
        buckets.age = 1 << (64 - AGE);
        Ok(buckets)
    }

    /// Bytes that it may grow to; 0 without a table.
    pub fn bytes(&self) -> u64 {
        if self.slots.is_empty() { 0 } else { SLOT * WAYS as u64 * (1 << (self.bits - self.least_shift)) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if self.slots.is_empty() {
            return;
        }
        self.age = self.age.wrapping_add(1 << (64 - AGE));
        if self.age == 0 {
            self.slots.fill([0; WAYS]);
            self.age = 1 << (64 - AGE);
        }
        self.start_small();
    }

    /// Uses the first slots only.
    fn start_small(&mut self) {
        let least = 1u64 << self.bits.saturating_sub(TAG).max(1);
        let first = (FIRST / WAYS as u64).clamp(least, 1 << (self.bits - self.least_shift));
        self.tell_apart_by(self.bits - first.ilog2());
        self.left = growth(first * WAYS as u64) * first * WAYS as u64;
    }

    /// Makes tags so long.
    fn tell_apart_by(&mut self, bits: u32) {
        (self.shift, self.tags) = (bits, (1 << bits) - 1);
    }

    /// The key as the table takes it.
    #[inline(always)]
    pub fn mix(&self, key: u64) -> Mixed {
        // The fraction of the golden ratio.
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        Mixed(key.wrapping_mul(ODD) & self.keys)
    }

    #[inline(always)]
    fn bucket(&self, key: Mixed) -> usize {
        (key.0 >> self.shift) as usize
    }

    /// Age and tag, in place.
    #[inline(always)]
    fn mark(&self, key: Mixed) -> u64 {
        self.age | (key.0 & self.tags) << BELOW
    }

    /// Starts to fetch the bucket of a key.
    #[inline(always)]
    pub fn prefetch(&self, key: Mixed) {
        prefetch(&self.slots, self.bucket(key));
    }

    /// What the table knows of a key.
    #[inline(always)]
    pub fn probe(&self, key: Mixed) -> Option<Known> {
        let mark = self.mark(key);
        let bucket = &self.slots[self.bucket(key)];
        let ways = ways_of(bucket, mark);
        if ways == 0 {
            return None;
        }
        let found = bucket[ways.trailing_zeros() as usize & (WAYS - 1)];
        let bound = |bits: u64| (bits & 63) as Score - 32;
        Some(Known { least: bound(found), most: bound(found >> 6) })
    }

    /// Writes what is known of a key, found out by so many nodes: over what was known of it, or over what cost least.
    #[inline(always)]
    pub fn store(&mut self, key: Mixed, known: Known, nodes: u64) {
        debug_assert!(-32 <= known.least && known.most < 32 && known.least <= known.most);
        let (mark, index) = (self.mark(key), self.bucket(key));
        let age = self.age;
        let bounds = ((known.most + 32) as u64) << 6 | (known.least + 32) as u64;
        let word = mark | u64::from((nodes + 1).ilog2().min(63)) << 12 | bounds;
        let bucket = &mut self.slots[index];
        let (mut worst, mut least) = (0, u64::MAX);
        for (way, slot) in bucket.iter().enumerate() {
            if (slot ^ mark) >> BELOW == 0 {
                worst = way;
                break;
            }
            let work = if (slot ^ age) >> (64 - AGE) == 0 { 64 + (slot >> 12 & 63) } else { 0 };
            if work < least {
                (worst, least) = (way, work);
            }
        }
        bucket[worst] = word;
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
        let count = 1usize << (self.bits - self.shift);
        if self.slots.len() < 2 * count {
            // The capacity was reserved when the table was made.
            self.slots.resize(2 * count, [0; WAYS]);
        }
        self.tell_apart_by(self.shift - 1);
        let high = 1u64 << (self.shift + BELOW);
        for index in (0..count).rev() {
            let bucket = self.slots[index];
            let of = |upper: bool| bucket.map(|slot| if (slot & high != 0) == upper { slot & !high } else { 0 });
            (self.slots[2 * index], self.slots[2 * index + 1]) = (of(false), of(true));
        }
        let slots = (count * 2 * WAYS) as u64;
        self.left = growth(slots) * slots;
    }
}

/// A bit for each slot of that age and tag.
#[cfg(feature = "simd")]
#[inline(always)]
fn ways_of(bucket: &[u64; WAYS], mark: u64) -> u32 {
    use wide::u64x4;
    let marks = u64x4::new(*bucket) & u64x4::splat(u64::MAX << BELOW);
    marks.simd_eq(u64x4::splat(mark)).to_bitmask()
}

/// A bit for each slot of that age and tag.
#[cfg(not(feature = "simd"))]
#[inline(always)]
fn ways_of(bucket: &[u64; WAYS], mark: u64) -> u32 {
    (0..WAYS).fold(0, |ways, way| ways | u32::from((bucket[way] ^ mark) >> BELOW == 0) << way)
}

#[cfg(test)]
mod tests;
