//! Slots: the memory of a transposition table.
//!
//! One array for each layout, of which one is used, and a flag for every region of 4096 slots that was written to, so that
//! clearing costs what was used. Full and partial tables are indexed by the key modulo a prime number of slots, wide
//! and hashed ones by a hash of the key.

use crate::axes::table::bound::Bound;
use crate::axes::table::hash::{place, tag};
use crate::axes::table::memory::{advise_huge_pages, available_memory, prefetch};
use crate::axes::table::primes::{largest_prime, smallest_prime};
use crate::axes::table::{Table, TableError, TableSize};
use std::collections::TryReserveError;

/// Slots of the full layout in part 7: the largest prime below 2^23.
const PUBLISHED_FULL: u64 = 8_388_593;
/// Slots of the partial layout in part 11: the smallest prime above 2^23.
const PUBLISHED_PARTIAL: u64 = 8_388_617;
/// Bytes of a slot of the partial layout.
const PARTIAL: usize = 5;
/// Slots of one region of the dirty flags.
const REGION: usize = 4096;

/// The memory of a table of any layout.
#[derive(Debug, Default)]
pub struct Slots {
    /// Full and hashed layouts: key or hash << 8 | bound.
    words: Vec<u64>,
    /// Partial layout: five bytes a slot, the low 32 bits of the key and the bound.
    partial: Vec<u8>,
    /// Wide layout: key << 8 | bound.
    wide: Vec<u128>,
    /// Number of slots; 1 without a table.
    count: u64,
    /// One flag a region.
    dirty: Vec<bool>,
}

impl Slots {
    /// A cleared table, other than [`Table::Buckets`], for keys of so many bits, whose memory is there already; `bytes` counts for
    /// [`TableSize::Chosen`] only.
    pub fn new(table: Table, key_bits: u32, size: TableSize, bytes: u64) -> Result<Self, TableError> {
        if matches!(table, Table::None | Table::Buckets) {
            return Ok(Slots { count: 1, ..Slots::default() });
        }
        let available = available_memory();
        let refused = |bytes| TableError::OutOfMemory(bytes, available);
        if size == TableSize::Chosen && available.is_some_and(|most| bytes > most) {
            return Err(refused(bytes));
        }
        let count = count(table, key_bits, size, bytes)?;
        let mut slots = Slots { count, ..Slots::default() };
        slots.allocate(table).map_err(|_| refused(count * table.slot_bytes()))?;
        Ok(slots)
    }

    fn allocate(&mut self, table: Table) -> Result<(), TryReserveError> {
        match table {
            Table::None | Table::Buckets => {}
            Table::Full | Table::Hashed => fill(&mut self.words, self.count)?,
            Table::Partial => fill(&mut self.partial, PARTIAL as u64 * self.count)?,
            Table::Wide => fill(&mut self.wide, self.count)?,
        }
        fill(&mut self.dirty, self.count / REGION as u64 + 1)
    }

    /// Bytes of the slots; 0 without a table.
    pub fn bytes(&self) -> u64 {
        8 * self.words.len() as u64 + self.partial.len() as u64 + 16 * self.wide.len() as u64
    }

    #[inline(always)]
    fn index(&self, table: Table, size: TableSize, key: u128) -> usize {
        let modulo = |slots: u64| (key as u64 % slots) as usize;
        match (table, size) {
            (Table::Wide | Table::Hashed, _) => place(key, self.count),
            (Table::Full, TableSize::Published) => modulo(PUBLISHED_FULL),
            (Table::Partial, TableSize::Published) => modulo(PUBLISHED_PARTIAL),
            _ => modulo(self.count),
        }
    }

    /// Starts to fetch the slot of `key`.
    #[inline(always)]
    pub fn prefetch(&self, table: Table, size: TableSize, key: u128) {
        let index = self.index(table, size, key);
        match table {
            Table::None | Table::Buckets => {}
            Table::Full | Table::Hashed => prefetch(&self.words, index),
            Table::Partial => prefetch(&self.partial, PARTIAL * index),
            Table::Wide => prefetch(&self.wide, index),
        }
    }

    /// What the table knows of `key`.
    #[inline(always)]
    pub fn probe(&self, table: Table, size: TableSize, key: u128) -> Bound {
        let known = |same: bool, code: u8| if same { Bound::decode(code) } else { Bound::Unknown };
        match table {
            Table::None | Table::Buckets => Bound::Unknown,
            Table::Full => {
                let slot = self.words[self.index(table, size, key)];
                known(slot >> 8 == key as u64, slot as u8)
            }
            Table::Partial => {
                let at = PARTIAL * self.index(table, size, key);
                let slot = &self.partial[at..at + PARTIAL];
                known(slot[..4] == (key as u32).to_le_bytes(), slot[4])
            }
            Table::Wide => {
                let slot = self.wide[self.index(table, size, key)];
                known(slot >> 8 == key, slot as u8)
            }
            Table::Hashed => {
                let slot = self.words[self.index(table, size, key)];
                known(slot & !0xff == tag(key), slot as u8)
            }
        }
    }

    /// Writes a bound over whatever was there.
    #[inline(always)]
    pub fn store(&mut self, table: Table, size: TableSize, key: u128, bound: Bound) {
        let (index, code) = (self.index(table, size, key), bound.encode());
        match table {
            Table::None | Table::Buckets => return,
            Table::Full => self.words[index] = (key as u64) << 8 | u64::from(code),
            Table::Partial => {
                let slot = &mut self.partial[PARTIAL * index..PARTIAL * index + PARTIAL];
                slot[..4].copy_from_slice(&(key as u32).to_le_bytes());
                slot[4] = code;
            }
            Table::Wide => self.wide[index] = key << 8 | u128::from(code),
            Table::Hashed => self.words[index] = tag(key) | u64::from(code),
        }
        self.dirty[index / REGION] = true;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for region in 0..self.dirty.len() {
            if std::mem::take(&mut self.dirty[region]) {
                clear_region(&mut self.words, region, 1);
                clear_region(&mut self.partial, region, PARTIAL);
                clear_region(&mut self.wide, region, 1);
            }
        }
    }
}

/// How many slots there are to be, or why there cannot be as many as it takes.
fn count(table: Table, key_bits: u32, size: TableSize, bytes: u64) -> Result<u64, TableError> {
    let least = table.least_slots(key_bits)?;
    let fits = bytes / table.slot_bytes();
    let count = match (table, size) {
        (Table::Full, TableSize::Published) => PUBLISHED_FULL,
        (Table::Partial, TableSize::Published) => PUBLISHED_PARTIAL,
        (Table::Full | Table::Partial, TableSize::Chosen) => largest_prime(fits).unwrap_or(0),
        _ => fits,
    };
    match (count < least, table) {
        (false, _) => Ok(count),
        (true, Table::Full | Table::Partial) => {
            Err(TableError::TooSmall(bytes, smallest_prime(least.max(3)) * table.slot_bytes()))
        }
        (true, _) => Err(TableError::TooSmall(bytes, least * table.slot_bytes())),
    }
}

/// Clears one region of an array with `width` entries a slot; an array that the layout does not use is empty.
fn clear_region<T: Copy + Default>(slots: &mut [T], region: usize, width: usize) {
    let end = slots.len().min((region + 1) * REGION * width);
    if let Some(slots) = slots.get_mut(region * REGION * width..end) {
        slots.fill(T::default());
    }
}

/// Fills an empty vector by writing, so that no page is missing when the clock runs.
fn fill<T: Clone + Default>(slots: &mut Vec<T>, count: u64) -> Result<(), TryReserveError> {
    slots.try_reserve_exact(count as usize)?;
    advise_huge_pages(slots.spare_capacity_mut());
    slots.resize(count as usize, T::default());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::{Axis, Key};
    use crate::game::score::Score;
    use crate::game::{Geometry, Grid, Spaced, Standard};

    const CHOSEN: TableSize = TableSize::Chosen;

    /// Every layout, with keys as wide as it takes on the standard board.
    fn layouts() -> impl Iterator<Item = (Table, u32)> {
        let bits = |table| match table {
            Table::Wide | Table::Hashed => Key::Colorless.bits::<Standard>(),
            _ => Key::Exact.bits::<Standard>(),
        };
        Table::ALL
            .iter()
            .filter(|&&table| !matches!(table, Table::None | Table::Buckets))
            .map(move |&table| (table, bits(table)))
    }

    #[test]
    fn published_sizes_are_the_primes_around_two_to_the_23() {
        assert_eq!(largest_prime(1 << 23), Some(PUBLISHED_FULL));
        assert_eq!(smallest_prime(1 << 23), PUBLISHED_PARTIAL);
        let bytes = |table| Slots::new(table, 49, TableSize::Published, 0).unwrap().bytes();
        assert_eq!((bytes(Table::Full), bytes(Table::Partial)), (67_108_744, 41_943_085));
    }

    #[test]
    fn what_is_stored_is_found_until_cleared() {
        for (table, bits) in layouts() {
            let mut slots = Slots::new(table, bits, CHOSEN, 1 << 20).unwrap();
            let keys: Vec<u128> =
                (0..2000).map(|i| (i * 0x9_8765_4321_fedc_1234_5678_9abc) & ((1 << bits) - 1)).collect();
            for (i, &key) in keys.iter().enumerate() {
                let bound = Bound::Lower(i as Score % 18);
                slots.store(table, CHOSEN, key, bound);
                assert_eq!(slots.probe(table, CHOSEN, key), bound);
            }
            slots.clear();
            for &key in &keys {
                assert_eq!(slots.probe(table, CHOSEN, key), Bound::Unknown);
            }
        }
    }

    /// Two keys of one slot never pass for each other, however many bits they share.
    #[test]
    fn keys_of_one_slot_are_told_apart() {
        for (table, bits) in layouts() {
            // Wide and hashed tables have two slots here, so that most keys share one.
            let bytes = if bits > 64 { 2 * table.slot_bytes() } else { 1 << 20 };
            let mut slots = Slots::new(table, bits, CHOSEN, bytes).unwrap();
            let step = if bits > 64 { 1 } else { u128::from(slots.count) };
            for multiple in (1..1000).chain([1 << 32, 1 << 40, 1 << 60]).filter(|&multiple| multiple * step < 1 << bits)
            {
                for (key, other) in [(0, multiple * step), (12345, 12345 + multiple * step)] {
                    slots.store(table, CHOSEN, key, Bound::Upper(3));
                    assert_eq!(slots.probe(table, CHOSEN, other), Bound::Unknown, "{table:?} {multiple}");
                }
            }
        }
    }

    #[test]
    fn sizes_that_cannot_be_exact_are_refused() {
        let chosen = |table, bytes| Slots::new(table, Standard::KEY_BITS, CHOSEN, bytes).map(|slots| slots.bytes());
        assert_eq!(chosen(Table::Full, 0), Err(TableError::TooSmall(0, 24)));
        assert_eq!(chosen(Table::Full, 1), Err(TableError::TooSmall(1, 24)));
        assert_eq!(chosen(Table::Full, 24), Ok(24));
        assert_eq!(chosen(Table::Wide, 31), Err(TableError::TooSmall(31, 32)));
        assert_eq!(chosen(Table::Wide, 100), Ok(96));
        // 49-bit keys ask for more than 2^17 slots; the next prime is 131101.
        assert_eq!(chosen(Table::Partial, 5 << 17), Err(TableError::TooSmall(5 << 17, 131_101 * 5)));
        assert_eq!(chosen(Table::Partial, 131_101 * 5), Ok(131_101 * 5));
        assert!(Slots::new(Table::Partial, Grid::<4, 4, 5>::KEY_BITS, CHOSEN, 100).is_ok());
    }

    /// What the module doc of `table` says of stride-9 keys and of three-state codes.
    #[test]
    fn keys_too_wide_for_a_layout_are_refused() {
        let new = |table, bits, size| Slots::new(table, bits, size, 1 << 20).map(|_| ());
        let (spaced, three_states) = (Key::Exact.bits::<Spaced>(), Key::Colorless.bits::<Standard>());
        assert_eq!((spaced, three_states, Key::Colorless.bits::<Spaced>()), (61, 97, 103));
        for (table, most) in [(Table::Full, 56), (Table::Partial, 72)] {
            assert_eq!(new(table, three_states, CHOSEN), Err(TableError::KeyTooWide(97, most)));
        }
        assert_eq!(new(Table::Full, spaced, TableSize::Published), Err(TableError::KeyTooWide(61, 56)));
        assert!(matches!(new(Table::Partial, spaced, TableSize::Published), Err(TableError::TooSmall(..))));
        assert!(new(Table::Partial, 55, TableSize::Published).is_ok());
        assert!(matches!(new(Table::Partial, 56, TableSize::Published), Err(TableError::TooSmall(..))));
        for bits in [spaced, three_states, 103] {
            assert!(new(Table::Wide, bits, CHOSEN).is_ok() && new(Table::Hashed, bits, CHOSEN).is_ok());
        }
        assert_eq!(new(Table::Wide, 121, CHOSEN), Err(TableError::KeyTooWide(121, 120)));
    }

    #[test]
    fn memory_that_is_not_there_is_an_error() {
        for bytes in [1 << 50, u64::MAX] {
            let error = Slots::new(Table::Full, 49, CHOSEN, bytes).unwrap_err();
            assert!(matches!(error, TableError::OutOfMemory(..)), "{error}");
        }
    }
}
