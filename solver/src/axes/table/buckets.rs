//! Buckets: a table that keeps both bounds, replaces the entry with least work, starts small and grows with its use.
//!
//! Four slots are a bucket, within one cache line. The key is mixed: it is multiplied by an odd number, so that no two
//! keys get one product. The high bits are the bucket, the rest is the tag. So a slot tells all keys apart. [`layout`]
//! sets the number of bits of each part: the standard board has one word a slot.
//!
//! ```text
//! mixed key          | bucket           | tag                    |
//! slot       | age 8 | 0 |              tag | work 6 | hi 6 | lo 6 |
//! ```
//!
//! *Age* is the generation of the search that wrote the slot; 0 marks an empty one. Clearing adds one, which takes no
//! time, except every 255th time. *Work* is the logarithm of the nodes below. Of four slots the one with least work is
//! replaced, but slots of another age go first. *Lo* and *hi* are the bounds plus 32.
//!
//! A small table stays in the processor's caches, a large one forgets less. So a table starts with 2^14 slots. It
//! doubles when the writes reach `growth` times the number of slots: 4 times up to a cache of 2 MiB, 64 times from
//! there on. In most searches a table beyond that size costs more time than it saves. Tags lose a bit to the bucket at
//! each step, and no entry is lost. Clearing makes the table small again.

use crate::axes::processor::prefetch;
use crate::axes::table::known::Known;
use crate::axes::table::slots::available_memory;
use crate::axes::table::words::Words;
use crate::axes::table::{Arrangement, Contents, SharedTable, Table, TableError, TableKind, TableSize};
use crate::game::Word;
use crate::game::score::Score;
use layout::{SlotLayout, SlotWord, WAYS, WORK_BITS};

pub mod layout;

/// Slots of the largest table that is assumed to fit a core's own cache.
const CACHED_SLOTS: u64 = 1 << 18;
const FIRST_SLOTS: u64 = 1 << 14;

/// [`Buckets::writes_left`] is at least this, by wrapping below 0, if the table should have grown already.
const OVERDUE: u64 = u64::MAX / 2;

/// The average number of writes to each slot before a table of `slots` slots doubles.
const fn growth(slots: u64) -> u64 {
    if slots < CACHED_SLOTS { 4 } else { 64 }
}

/// The buckets of the smallest table that tells keys of `bits` bits apart with tags of `tag` bits or fewer; at least 2.
const fn least_buckets(bits: u32, tag: u32) -> u64 {
    let index = bits.saturating_sub(tag);
    if index > 1 { 1 << index } else { 2 }
}

/// A table of buckets: slots that other tables may share, and their arrangement.
#[derive(Debug)]
pub struct Buckets<L: SlotLayout> {
    groups: Words<WAYS>,
    layout: L,
    key_bits: u32,
    key_mask: L::Word,
    /// Now; they become fewer as the table grows.
    tag_bits: u32,
    tag_mask: L::Word,
    /// The age of entries written now, shifted to its place.
    age: L::Word,
    /// Until the table grows.
    writes_left: u64,
    /// At the largest size of the table.
    least_tag_bits: u32,
    first_tag_bits: u32,
    /// The most buckets that were in use since the slots were empty.
    most_used: usize,
    /// The number of threads of one search that write to it and coordinate its growth; 0 while it grows by itself.
    writers: u32,
}

impl<L: SlotLayout> Buckets<L> {
    const BYTES: u64 = WAYS as u64 * L::Word::BITS as u64 / 8;

    #[inline(always)]
    fn age_at(&self) -> u32 {
        L::Word::BITS - self.layout.age_bits()
    }

    fn first_age(layout: L) -> L::Word {
        L::Word::from(1) << (L::Word::BITS - layout.age_bits())
    }

    fn count(&self) -> usize {
        1 << (self.key_bits - self.tag_bits)
    }

    /// Called when the writes suffice to grow. The table grows, or tells its team so ([`SharedTable::wants_growth`]).
    #[cold]
    #[inline(never)]
    fn grow_or_wait(&mut self) {
        if self.writers == 0 {
            self.grow();
        } else {
            self.writes_left = u64::MAX;
        }
    }

    /// Uses only the first slots.
    fn start_small(&mut self) {
        self.set_tag_bits(self.first_tag_bits);
        self.writes_left = growth((self.count() * WAYS) as u64) * (self.count() * WAYS) as u64;
        self.most_used = self.most_used.max(self.count());
    }

    fn set_tag_bits(&mut self, bits: u32) {
        (self.tag_bits, self.tag_mask) = (bits, !(!L::Word::default() << bits));
    }

    #[inline(always)]
    fn index(&self, key: L::Word) -> usize {
        (key >> self.tag_bits).low() as usize
    }

    /// The age and the tag of a key, shifted to their places in a slot.
    #[inline(always)]
    fn age_and_tag(&self, key: L::Word) -> L::Word {
        self.age | (key & self.tag_mask) << L::BITS_BELOW
    }

    /// True if buckets are to be locked: the threads of a team write them now, and a slot takes more than one write.
    #[inline(always)]
    fn must_lock(&self) -> bool {
        L::Word::GROUPS > 1 && self.writers > 0
    }

    /// The slot to overwrite: the one with this age and tag, or the one with least work.
    #[inline(always)]
    fn replaced(&self, age_and_tag: L::Word, slot: impl Fn(usize) -> L::Word) -> usize {
        let (mut worst, mut least) = (0, u64::MAX);
        for way in 0..WAYS {
            let slot = slot(way);
            if (slot ^ age_and_tag) >> L::BITS_BELOW == L::Word::default() {
                return way;
            }
            let is_of_age = (slot ^ self.age) >> self.age_at() == L::Word::default();
            let work = if is_of_age { 64 + (slot.low() >> (2 * L::BOUND_BITS) & ((1 << WORK_BITS) - 1)) } else { 0 };
            if work < least {
                (worst, least) = (way, work);
            }
        }
        worst
    }

    #[inline(always)]
    fn bucket(&self, index: usize) -> &<L::Word as SlotWord>::Bucket {
        L::Word::bucket(&self.groups, index)
    }

    fn slots(&self, index: usize) -> [L::Word; WAYS] {
        std::array::from_fn(|way| L::Word::load(self.bucket(index), way))
    }

    fn write(&self, index: usize, slots: [L::Word; WAYS]) {
        for (way, slot) in slots.into_iter().enumerate() {
            slot.store(self.bucket(index), way);
        }
    }
}

impl<L: SlotLayout> Table for Buckets<L> {
    type Key = L::Word;

    fn new(_: TableKind, _: TableSize, contents: Contents, bytes: u64) -> Result<Self, TableError> {
        let (bits, available) = (contents.key_bits, available_memory());
        contents.fits(L::Word::BITS, L::ZERO - 1)?;
        if available.is_some_and(|most| bytes > most) {
            return Err(TableError::OutOfMemory(bytes, available));
        }
        let layout = L::for_keys(bits);
        let least = least_buckets(bits, layout.tag_bits());
        let fits = bytes / Self::BYTES;
        if fits < least {
            return Err(TableError::TooSmall(bytes, least * Self::BYTES));
        }
        let most = 1u64 << fits.ilog2().min(bits - 1);
        let groups = Words::zeroed(most as usize * L::Word::GROUPS);
        let groups = groups.map_err(|_| TableError::OutOfMemory(bytes, available))?;
        let mut table = Buckets {
            groups,
            layout,
            key_bits: bits,
            key_mask: !L::Word::default() >> (L::Word::BITS - bits),
            tag_bits: 0,
            tag_mask: L::Word::default(),
            age: Self::first_age(layout),
            writes_left: 0,
            least_tag_bits: bits - most.ilog2(),
            first_tag_bits: bits - (FIRST_SLOTS / WAYS as u64).clamp(least, most).ilog2(),
            most_used: 0,
            writers: 0,
        };
        table.start_small();
        // Written once, so that no page fault of the small table falls into a measured search.
        (0..table.count()).for_each(|index| table.write(index, Default::default()));
        Ok(table)
    }

    #[inline(always)]
    fn key(&self, key: u128) -> L::Word {
        L::Word::of(key).mixed() & self.key_mask
    }

    #[inline(always)]
    fn prefetch(&self, key: L::Word) {
        prefetch(&self.groups, L::Word::GROUPS * self.index(key));
    }

    /// It does not lock the bucket. In a team it may see a slot that is half written; a probe then finds nothing.
    #[inline(always)]
    fn may_know(&self, key: L::Word) -> bool {
        L::Word::ways_of(L::Word::read(self.bucket(self.index(key))), self.age_and_tag(key), L::BITS_BELOW) != 0
    }

    #[inline(always)]
    fn probe(&self, key: L::Word) -> Option<Known> {
        let age_and_tag = self.age_and_tag(key);
        let bucket = self.bucket(self.index(key));
        let slots = if self.must_lock() { L::Word::read_together(bucket)? } else { L::Word::read(bucket) };
        let ways = L::Word::ways_of(slots, age_and_tag, L::BITS_BELOW);
        if ways == 0 {
            return None;
        }
        let found = L::Word::way(slots, ways.trailing_zeros() as usize).low();
        let bound = |bits: u64| (bits & ((1 << L::BOUND_BITS) - 1)) as Score - L::ZERO;
        Some(Known { least: bound(found), most: bound(found >> L::BOUND_BITS) })
    }

    /// Overwrites the entry of the key, or the one with least work.
    #[inline(always)]
    fn store(&mut self, key: L::Word, known: Known, work: u64) {
        debug_assert!(-L::ZERO <= known.least && known.most < L::ZERO && known.least <= known.most);
        let (age_and_tag, index) = (self.age_and_tag(key), self.index(key));
        let bounds = ((known.most + L::ZERO) as u64) << L::BOUND_BITS | (known.least + L::ZERO) as u64;
        let word = age_and_tag | L::Word::from(u64::from((work + 1).ilog2().min(63)) << (2 * L::BOUND_BITS) | bounds);
        let bucket = self.bucket(index);
        if self.must_lock() {
            word.store_together(bucket, |slots| self.replaced(age_and_tag, |way| L::Word::way(slots, way)));
        } else {
            word.store(bucket, self.replaced(age_and_tag, |way| L::Word::load(bucket, way)));
        }
        self.writes_left -= 1;
        if self.writes_left == 0 {
            self.grow_or_wait();
        }
    }

    /// Doubles the table, if it may grow: a bucket becomes two, told apart by the former highest bit of the tag.
    fn grow(&mut self) {
        self.writes_left = u64::MAX;
        if self.tag_bits <= self.least_tag_bits {
            return;
        }
        let count = self.count();
        self.set_tag_bits(self.tag_bits - 1);
        let (nothing, high) = (L::Word::default(), L::Word::from(1) << (self.tag_bits + L::BITS_BELOW));
        for index in (0..count).rev() {
            let bucket = self.slots(index);
            let of = |upper| bucket.map(|slot| if (slot & high != nothing) == upper { slot & !high } else { nothing });
            self.write(2 * index, of(false));
            self.write(2 * index + 1, of(true));
        }
        let slots = (count * 2 * WAYS) as u64;
        self.writes_left = growth(slots) * slots / u64::from(self.writers.max(1));
        self.most_used = self.most_used.max(2 * count);
    }

    fn reset(&mut self) {
        // The last age is all ones: the next one leaves the word.
        self.age = L::Word::from((self.age >> self.age_at()).low() + 1) << self.age_at();
        if self.age == L::Word::default() {
            (0..self.most_used).for_each(|index| self.write(index, Default::default()));
            self.most_used = 0;
            self.age = Self::first_age(self.layout);
        }
        self.start_small();
    }

    /// The largest size of the table in bytes.
    fn bytes(&self) -> u64 {
        Self::BYTES << (self.key_bits - self.least_tag_bits)
    }
}

impl<L: SlotLayout> SharedTable for Buckets<L> {
    fn grow_to(&mut self, bytes: u64) {
        while self.tag_bits > self.least_tag_bits && (self.count() as u64) < bytes.div_ceil(Self::BYTES) {
            self.grow();
        }
    }

    fn twin(&self) -> Option<Self> {
        Some(Buckets { groups: self.groups.clone(), ..*self })
    }

    fn arrangement(&self) -> Arrangement {
        let age = (self.age >> self.age_at()).low() as u32;
        let left = self.writes_left.saturating_mul(u64::from(self.writers.max(1)));
        Arrangement { tag_bits: self.tag_bits, age, used: self.most_used, left }
    }

    fn follow(&mut self, arrangement: Arrangement, writers: u32) {
        self.set_tag_bits(arrangement.tag_bits);
        self.age = L::Word::from(u64::from(arrangement.age)) << self.age_at();
        self.most_used = arrangement.used;
        self.writers = writers;
        self.writes_left = match arrangement.left {
            OVERDUE.. => u64::MAX,
            left => (left / u64::from(writers.max(1))).max(1),
        };
    }

    fn wants_growth(&self) -> bool {
        self.writes_left >= OVERDUE && self.tag_bits > self.least_tag_bits
    }

    #[inline(always)]
    fn number(key: L::Word) -> u64 {
        key.low()
    }
}

#[cfg(test)]
mod tests;

#[cfg(all(loom, test))]
mod model;
