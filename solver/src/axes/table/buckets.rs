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
use layout::{SlotLayout, SlotWord, WAYS, WORK};

pub mod layout;

/// Slots of the largest table that is assumed to fit a core's own cache.
const CACHED_SLOTS: u64 = 1 << 18;
const FIRST_SLOTS: u64 = 1 << 14;

/// [`Buckets::left`] is at least this, by wrapping below 0, if the table should have grown already.
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
    bits: u32,
    /// The mask of a key's bits.
    keys: L::Word,
    /// Bits of a tag now.
    shift: u32,
    /// The mask of a tag's bits.
    tags: L::Word,
    /// The age of entries written now, shifted to its place.
    age: L::Word,
    /// Writes until the table grows.
    left: u64,
    /// Bits of a tag when the table has its largest size.
    least_shift: u32,
    first_shift: u32,
    /// The most buckets that were in use since the slots were empty.
    used: usize,
    /// The number of threads of one search that write to it and coordinate its growth; 0 while it grows by itself.
    writers: u32,
}

impl<L: SlotLayout> Buckets<L> {
    const BYTES: u64 = WAYS as u64 * L::Word::BITS as u64 / 8;

    #[inline(always)]
    fn age_at(&self) -> u32 {
        L::Word::BITS - self.layout.age()
    }

    fn first_age(layout: L) -> L::Word {
        L::Word::from(1) << (L::Word::BITS - layout.age())
    }

    fn first_shift(layout: L, bits: u32, least_shift: u32) -> u32 {
        let least = least_buckets(bits, layout.tag());
        bits - (FIRST_SLOTS / WAYS as u64).clamp(least, 1 << (bits - least_shift)).ilog2()
    }

    fn count(&self) -> usize {
        1 << (self.bits - self.shift)
    }

    /// Called when the writes suffice to grow. The table grows, or tells its team so ([`SharedTable::wants_growth`]).
    #[cold]
    #[inline(never)]
    fn is_full(&mut self) {
        if self.writers == 0 {
            self.grow();
        } else {
            self.left = u64::MAX;
        }
    }

    /// Uses only the first slots.
    fn start_small(&mut self) {
        self.set_tag_bits(self.first_shift);
        self.left = growth((self.count() * WAYS) as u64) * (self.count() * WAYS) as u64;
        self.used = self.used.max(self.count());
    }

    fn set_tag_bits(&mut self, bits: u32) {
        (self.shift, self.tags) = (bits, !(!L::Word::default() << bits));
    }

    #[inline(always)]
    fn bucket(&self, key: L::Word) -> usize {
        (key >> self.shift).low() as usize
    }

    /// The age and the tag of a key, shifted to their places in a slot.
    #[inline(always)]
    fn mark(&self, key: L::Word) -> L::Word {
        self.age | (key & self.tags) << L::BELOW
    }

    /// True if the threads of a team write its buckets now, and a slot takes more than one write.
    #[inline(always)]
    fn takes_turns(&self) -> bool {
        L::Word::GROUPS > 1 && self.writers > 0
    }

    /// The slot to overwrite: the one with this mark, or the one with least work.
    #[inline(always)]
    fn replaced(&self, mark: L::Word, slot: impl Fn(usize) -> L::Word) -> usize {
        let (mut worst, mut least) = (0, u64::MAX);
        for way in 0..WAYS {
            let slot = slot(way);
            if (slot ^ mark) >> L::BELOW == L::Word::default() {
                return way;
            }
            let is_of_age = (slot ^ self.age) >> self.age_at() == L::Word::default();
            let work = if is_of_age { 64 + (slot.low() >> (2 * L::BOUND) & ((1 << WORK) - 1)) } else { 0 };
            if work < least {
                (worst, least) = (way, work);
            }
        }
        worst
    }

    #[inline(always)]
    fn place(&self, bucket: usize) -> &<L::Word as SlotWord>::Place {
        L::Word::place(&self.groups, bucket)
    }

    fn slots(&self, bucket: usize) -> [L::Word; WAYS] {
        std::array::from_fn(|way| L::Word::load(self.place(bucket), way))
    }

    fn write(&self, bucket: usize, slots: [L::Word; WAYS]) {
        for (way, slot) in slots.into_iter().enumerate() {
            slot.store(self.place(bucket), way);
        }
    }

    fn empty(&mut self) {
        (0..self.used).for_each(|bucket| self.write(bucket, Default::default()));
        self.used = 0;
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
        let least = least_buckets(bits, layout.tag());
        let fits = bytes / Self::BYTES;
        if fits < least {
            return Err(TableError::TooSmall(bytes, least * Self::BYTES));
        }
        let most = 1u64 << fits.ilog2().min(bits - 1);
        let groups = Words::zeroed(most as usize * L::Word::GROUPS);
        let groups = groups.map_err(|_| TableError::OutOfMemory(bytes, available))?;
        let least_shift = bits - most.ilog2();
        let first_shift = Self::first_shift(layout, bits, least_shift);
        let keys = !L::Word::default() >> (L::Word::BITS - bits);
        let (tags, age) = (L::Word::default(), Self::first_age(layout));
        let (shift, left, used, writers) = (0, 0, 0, 0);
        let mut table =
            Buckets { groups, layout, bits, keys, shift, tags, age, left, least_shift, first_shift, used, writers };
        table.start_small();
        // Written once, so that no page fault of the small table falls into a measured search.
        (0..table.count()).for_each(|bucket| table.write(bucket, Default::default()));
        Ok(table)
    }

    #[inline(always)]
    fn key(&self, key: u128) -> L::Word {
        L::Word::of(key).mixed() & self.keys
    }

    #[inline(always)]
    fn prefetch(&self, key: L::Word) {
        prefetch(&self.groups, L::Word::GROUPS * self.bucket(key));
    }

    /// It does not lock the bucket. In a team it may see a slot that is half written; a probe then finds nothing.
    #[inline(always)]
    fn may_know(&self, key: L::Word) -> bool {
        L::Word::ways_of(L::Word::read(self.place(self.bucket(key))), self.mark(key), L::BELOW) != 0
    }

    #[inline(always)]
    fn probe(&self, key: L::Word) -> Option<Known> {
        let mark = self.mark(key);
        let place = self.place(self.bucket(key));
        let bucket = if self.takes_turns() { L::Word::read_together(place)? } else { L::Word::read(place) };
        let ways = L::Word::ways_of(bucket, mark, L::BELOW);
        if ways == 0 {
            return None;
        }
        let found = L::Word::way(bucket, ways.trailing_zeros() as usize).low();
        let bound = |bits: u64| (bits & ((1 << L::BOUND) - 1)) as Score - L::ZERO;
        Some(Known { least: bound(found), most: bound(found >> L::BOUND) })
    }

    /// Overwrites the entry of the key, or the one with least work.
    #[inline(always)]
    fn store(&mut self, key: L::Word, known: Known, work: u64) {
        debug_assert!(-L::ZERO <= known.least && known.most < L::ZERO && known.least <= known.most);
        let (mark, index) = (self.mark(key), self.bucket(key));
        let bounds = ((known.most + L::ZERO) as u64) << L::BOUND | (known.least + L::ZERO) as u64;
        let word = mark | L::Word::from(u64::from((work + 1).ilog2().min(63)) << (2 * L::BOUND) | bounds);
        let place = self.place(index);
        if self.takes_turns() {
            word.store_together(place, |bucket| self.replaced(mark, |way| L::Word::way(bucket, way)));
        } else {
            word.store(place, self.replaced(mark, |way| L::Word::load(place, way)));
        }
        self.left -= 1;
        if self.left == 0 {
            self.is_full();
        }
    }

    /// Doubles the table, if it may grow: a bucket becomes two, told apart by the former highest bit of the tag.
    fn grow(&mut self) {
        self.left = u64::MAX;
        if self.shift <= self.least_shift {
            return;
        }
        let count = self.count();
        self.set_tag_bits(self.shift - 1);
        let (nothing, high) = (L::Word::default(), L::Word::from(1) << (self.shift + L::BELOW));
        for index in (0..count).rev() {
            let bucket = self.slots(index);
            let of = |upper| bucket.map(|slot| if (slot & high != nothing) == upper { slot & !high } else { nothing });
            self.write(2 * index, of(false));
            self.write(2 * index + 1, of(true));
        }
        let slots = (count * 2 * WAYS) as u64;
        self.left = growth(slots) * slots / u64::from(self.writers.max(1));
        self.used = self.used.max(2 * count);
    }

    fn reset(&mut self) {
        // The last age is all ones: the next one leaves the word.
        self.age = L::Word::from((self.age >> self.age_at()).low() + 1) << self.age_at();
        if self.age == L::Word::default() {
            self.empty();
            self.age = Self::first_age(self.layout);
        }
        self.start_small();
    }

    /// The largest size of the table in bytes.
    fn bytes(&self) -> u64 {
        Self::BYTES << (self.bits - self.least_shift)
    }
}

impl<L: SlotLayout> SharedTable for Buckets<L> {
    fn grow_to(&mut self, bytes: u64) {
        while self.shift > self.least_shift && (self.count() as u64) < bytes.div_ceil(Self::BYTES) {
            self.grow();
        }
    }

    fn twin(&self) -> Option<Self> {
        Some(Buckets { groups: self.groups.clone(), ..*self })
    }

    fn arrangement(&self) -> Arrangement {
        let age = (self.age >> self.age_at()).low() as u32;
        let left = self.left.saturating_mul(u64::from(self.writers.max(1)));
        Arrangement { tag_bits: self.shift, age, used: self.used, left }
    }

    fn follow(&mut self, arrangement: Arrangement, writers: u32) {
        self.set_tag_bits(arrangement.tag_bits);
        self.age = L::Word::from(u64::from(arrangement.age)) << self.age_at();
        self.used = arrangement.used;
        self.writers = writers;
        self.left = match arrangement.left {
            OVERDUE.. => u64::MAX,
            left => (left / u64::from(writers.max(1))).max(1),
        };
    }

    fn wants_growth(&self) -> bool {
        self.left >= OVERDUE && self.shift > self.least_shift
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
