//! The transposition table: what a slot holds, how many there are, and how one is found.
//!
//! A slot is found by `key mod slots` and holds one bound, the last written. Two layouts:
//!
//! ```text
//! full      8 bytes   kkkkkkkk kkkkkkkk kkkkkkkk kkkkkkkk kkkkkkkk kkkkkkkk kkkkkkkk bbbbbbbb
//! partial   5 bytes   kkkkkkkk kkkkkkkk kkkkkkkk kkkkkkkk bbbbbbbb
//! ```
//!
//! The full layout holds keys of up to 56 bits. The partial one keeps the low 32 bits of the key, and is exact all
//! the same: with an odd number of slots, `key mod slots` and `key mod 2^32` determine the key below
//! `slots * 2^32` by the Chinese remainder theorem, and fewer slots than the keys need are refused.
//! Source: P. Pons, "Solving Connect Four", parts 7, 11 and 12.
//!
//! Each region of 4096 slots has a flag that it was written to, so that clearing costs what was used.

use super::bound::Bound;
use super::memory::{advise_huge_pages, available_memory, prefetch};
use super::primes::{largest_prime, smallest_prime};
use crate::game::Geometry;
use std::collections::TryReserveError;
use std::fmt;

axis! {
    /// What a slot of the table holds.
    pub enum Table = "table" {
        /// no table
        None = "none",
        /// one slot of 8 bytes: the whole key and a bound (Pons, part 7)
        Full = "full",
        /// one slot of 5 bytes: 32 bits of the key and a bound, exact by the number of slots (Pons, part 11)
        Partial = "partial",
    }
}

axis! {
    /// Which bounds the table keeps.
    pub enum TableBounds = "table-bounds" {
        /// no table
        None = "none",
        /// upper bounds only (Pons, part 7)
        Upper = "upper",
        /// one bound of either kind, the last written (Pons, part 12)
        Either = "either",
    }
}

axis! {
    /// How many slots the table has.
    pub enum TableSize = "table-size" {
        /// as many as were published: 8388593 (full) or 8388617 (partial)
        Published = "published",
        /// as many as fit the bytes asked for with --tt: the largest prime
        Chosen = "chosen",
    }
}

/// Slots of the full layout in part 7: the largest prime below 2^23.
const PUBLISHED_FULL: u64 = 8_388_593;
/// Slots of the partial layout in part 11: the smallest prime above 2^23.
const PUBLISHED_PARTIAL: u64 = 8_388_617;
/// Bytes of a slot of the partial layout.
const PARTIAL: usize = 5;
/// Slots of one region of the dirty flags.
const REGION: usize = 4096;
/// Bits of a key that the full layout holds.
const FULL_KEY_BITS: u32 = 56;

/// Why there is no such table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableError {
    /// The bytes asked for, and the least number of bytes that would do.
    TooSmall(u64, u64),
    /// The bytes asked for cannot be had, and what the system says is available, if it says so.
    OutOfMemory(u64, Option<u64>),
    /// The bits of a key, and how many the layout holds.
    KeyTooWide(u32, u32),
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooSmall(bytes, least) => {
                write!(f, "a table of {bytes} bytes is too small for this layout: at least {least} bytes")
            }
            Self::OutOfMemory(bytes, Some(available)) => {
                write!(f, "no memory for a table of {bytes} bytes ({available} bytes are available)")
            }
            Self::OutOfMemory(bytes, None) => write!(f, "no memory for a table of {bytes} bytes"),
            Self::KeyTooWide(bits, most) => {
                write!(f, "keys of {bits} bits do not fit this layout, which holds {most}")
            }
        }
    }
}

impl std::error::Error for TableError {}

/// The memory of a table of any layout.
#[derive(Debug, Default)]
pub struct Slots {
    /// Full layout: key << 8 | bound.
    full: Vec<u64>,
    /// Partial layout: five bytes a slot, the low 32 bits of the key and the bound.
    partial: Vec<u8>,
    /// Number of slots; 1 without a table.
    count: u64,
    /// One flag a region.
    dirty: Vec<bool>,
}

impl Slots {
    /// A cleared table whose memory is there already; `bytes` counts for [`TableSize::Chosen`] only.
    pub fn new<G: Geometry>(table: Table, size: TableSize, bytes: u64) -> Result<Self, TableError> {
        let available = available_memory();
        let refused = |bytes| TableError::OutOfMemory(bytes, available);
        if size == TableSize::Chosen && table != Table::None && available.is_some_and(|most| bytes > most) {
            return Err(refused(bytes));
        }
        let count = match table {
            Table::None => return Ok(Slots { count: 1, ..Slots::default() }),
            Table::Full => Self::count::<G>(8, PUBLISHED_FULL, 2, FULL_KEY_BITS, size, bytes)?,
            Table::Partial => {
                let least = 1 + (1u64 << G::KEY_BITS.saturating_sub(32));
                Self::count::<G>(5, PUBLISHED_PARTIAL, least, G::KEY_BITS, size, bytes)?
            }
        };
        let mut slots = Slots { count, ..Slots::default() };
        slots.allocate(table).map_err(|_| refused(count * if table == Table::Full { 8 } else { 5 }))?;
        Ok(slots)
    }

    fn allocate(&mut self, table: Table) -> Result<(), TryReserveError> {
        if table == Table::Full {
            fill(&mut self.full, self.count)?;
        } else {
            fill(&mut self.partial, PARTIAL as u64 * self.count)?;
        }
        fill(&mut self.dirty, self.count / REGION as u64 + 1)
    }

    /// How many slots of `slot` bytes there are to be, at least `least`.
    fn count<G: Geometry>(
        slot: u64,
        published: u64,
        least: u64,
        most_bits: u32,
        size: TableSize,
        bytes: u64,
    ) -> Result<u64, TableError> {
        if G::KEY_BITS > most_bits {
            return Err(TableError::KeyTooWide(G::KEY_BITS, most_bits));
        }
        let count = match size {
            TableSize::Published => published,
            TableSize::Chosen => largest_prime(bytes / slot).unwrap_or(0),
        };
        if count < least {
            return Err(TableError::TooSmall(bytes, smallest_prime(least.max(3)) * slot));
        }
        Ok(count)
    }

    /// Bytes of the slots; 0 without a table.
    pub fn bytes(&self) -> u64 {
        8 * self.full.len() as u64 + self.partial.len() as u64
    }

    #[inline(always)]
    fn index(&self, table: Table, size: TableSize, key: u64) -> usize {
        let slots = match (size, table) {
            (TableSize::Published, Table::Full) => PUBLISHED_FULL,
            (TableSize::Published, Table::Partial) => PUBLISHED_PARTIAL,
            _ => self.count,
        };
        (key % slots) as usize
    }

    /// Starts to fetch the slot of `key`.
    #[inline(always)]
    pub fn prefetch(&self, table: Table, size: TableSize, key: u64) {
        let index = self.index(table, size, key);
        match table {
            Table::None => {}
            Table::Full => prefetch(&self.full, index),
            Table::Partial => prefetch(&self.partial, PARTIAL * index),
        }
    }

    /// What the table knows of `key`.
    #[inline(always)]
    pub fn probe(&self, table: Table, size: TableSize, key: u64) -> Bound {
        let index = self.index(table, size, key);
        match table {
            Table::None => Bound::Unknown,
            Table::Full => {
                let slot = self.full[index];
                if slot >> 8 == key { Bound::decode(slot as u8) } else { Bound::Unknown }
            }
            Table::Partial => {
                let slot = &self.partial[PARTIAL * index..PARTIAL * index + PARTIAL];
                if slot[..4] == (key as u32).to_le_bytes() { Bound::decode(slot[4]) } else { Bound::Unknown }
            }
        }
    }

    /// Writes a bound over whatever was there.
    #[inline(always)]
    pub fn store(&mut self, table: Table, size: TableSize, key: u64, bound: Bound) {
        let index = self.index(table, size, key);
        match table {
            Table::None => return,
            Table::Full => self.full[index] = key << 8 | u64::from(bound.encode()),
            Table::Partial => {
                let slot = &mut self.partial[PARTIAL * index..PARTIAL * index + PARTIAL];
                slot[..4].copy_from_slice(&(key as u32).to_le_bytes());
                slot[4] = bound.encode();
            }
        }
        self.dirty[index / REGION] = true;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for region in 0..self.dirty.len() {
            if std::mem::take(&mut self.dirty[region]) {
                clear_region(&mut self.full, region, 1);
                clear_region(&mut self.partial, region, PARTIAL);
            }
        }
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
    use crate::game::score::Score;
    use crate::game::{Grid, Spaced, Standard};

    const LAYOUTS: [Table; 2] = [Table::Full, Table::Partial];

    #[test]
    fn published_sizes_are_the_primes_around_two_to_the_23() {
        assert_eq!(largest_prime(1 << 23), Some(PUBLISHED_FULL));
        assert_eq!(smallest_prime(1 << 23), PUBLISHED_PARTIAL);
        let bytes = |table| Slots::new::<Standard>(table, TableSize::Published, 0).unwrap().bytes();
        assert_eq!((bytes(Table::Full), bytes(Table::Partial)), (67_108_744, 41_943_085));
    }

    #[test]
    fn what_is_stored_is_found_until_cleared() {
        for table in LAYOUTS {
            let mut slots = Slots::new::<Standard>(table, TableSize::Chosen, 1 << 20).unwrap();
            let keys: Vec<u64> = (0..2000).map(|i| (i * 0x1_2345_6789_abcd) & ((1 << 49) - 1)).collect();
            for (i, &key) in keys.iter().enumerate() {
                let bound = Bound::Lower(i as Score % 18);
                slots.store(table, TableSize::Chosen, key, bound);
                assert_eq!(slots.probe(table, TableSize::Chosen, key), bound);
            }
            slots.clear();
            for &key in &keys {
                assert_eq!(slots.probe(table, TableSize::Chosen, key), Bound::Unknown);
            }
        }
    }

    /// Two keys of one slot never pass for each other, however many bits they share.
    #[test]
    fn keys_of_one_slot_are_told_apart() {
        for table in LAYOUTS {
            let mut slots = Slots::new::<Standard>(table, TableSize::Chosen, 1 << 20).unwrap();
            for multiple in 1..1000 {
                let (key, other) = (12345, 12345 + multiple * slots.count);
                slots.store(table, TableSize::Chosen, key, Bound::Upper(3));
                assert_eq!(slots.probe(table, TableSize::Chosen, other), Bound::Unknown, "{multiple}");
            }
        }
    }

    #[test]
    fn sizes_that_cannot_be_exact_are_refused() {
        let chosen = |table, bytes| Slots::new::<Standard>(table, TableSize::Chosen, bytes).map(|slots| slots.bytes());
        assert_eq!(chosen(Table::Full, 0), Err(TableError::TooSmall(0, 24)));
        assert_eq!(chosen(Table::Full, 1), Err(TableError::TooSmall(1, 24)));
        assert_eq!(chosen(Table::Full, 24), Ok(24));
        // 49-bit keys ask for more than 2^17 slots; the next prime is 131101.
        assert_eq!(chosen(Table::Partial, 5 << 17), Err(TableError::TooSmall(5 << 17, 131_101 * 5)));
        assert_eq!(chosen(Table::Partial, 131_101 * 5), Ok(131_101 * 5));
        assert!(Slots::new::<Grid<4, 4, 5>>(Table::Partial, TableSize::Chosen, 100).is_ok());
        assert!(matches!(
            Slots::new::<Spaced>(Table::Full, TableSize::Published, 0),
            Err(TableError::KeyTooWide(61, 56))
        ));
        assert!(matches!(
            Slots::new::<Spaced>(Table::Partial, TableSize::Chosen, 1 << 20),
            Err(TableError::TooSmall(..))
        ));
    }

    #[test]
    fn memory_that_is_not_there_is_an_error() {
        for bytes in [1 << 50, u64::MAX] {
            let error = Slots::new::<Standard>(Table::Full, TableSize::Chosen, bytes).unwrap_err();
            assert!(matches!(error, TableError::OutOfMemory(..)), "{error}");
        }
    }
}
