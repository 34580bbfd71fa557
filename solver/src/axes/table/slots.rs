//! Slots: tables with one slot a place, where a new bound always replaces the old one; in [`two_level`] two slots.
//!
//! What a slot holds differs by kind ([`Slot`]). All else is written once: how many slots there are, and when keys can
//! be told apart. Clearing costs only what was used: the first 512 slots that are written to stand in a list, and are
//! emptied one by one. So a short search leaves the caches as it found them, whatever its table. For all later ones,
//! every region of 4096 slots has a flag that says whether it was written to. Full and partial tables are indexed by the
//! key modulo a prime number of slots, wide and hashed ones by a hash of the key.
//!
//! ```text
//! full      | key 56                | bound 8 |        a word
//! partial   | key 32    | bound 8 |                    five bytes side by side, one cache line a probe
//! wide      | key 120                       | bound 8 |   two words
//!           | key 112              | most 8 | least 8 |   the same, on boards whose scores go beyond 31
//! hashed    | tag 56                | bound 8 |        a word
//! ```

use crate::axes::processor::{advise_huge_pages, prefetch};
use crate::axes::table::hash::{place, tag};
use crate::axes::table::known::{Code, Known};
use crate::axes::table::words::Words;
use crate::axes::table::{Contents, SharedTable, Table, TableError, TableKind, TableSize, two_level};
use std::collections::TryReserveError;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;

/// Slots of the full layout in part 7: the largest prime below 2^23.
const PUBLISHED_FULL: u64 = 8_388_593;
/// Slots of the partial layout in part 11: the smallest prime above 2^23.
const PUBLISHED_PARTIAL: u64 = 8_388_617;
/// Bytes of a slot of the partial layout.
const PARTIAL: usize = 5;
/// Slots of one region of the dirty flags.
const REGION: usize = 4096;
/// Slots that are emptied one by one.
const LISTED: usize = 512;

/// What the slots of a kind hold, and where a key's slot is.
pub trait Slot: Debug + Send + 'static {
    /// The kind.
    const KIND: TableKind;
    /// The part of a key that is used.
    type Key: Copy + Default + Send + Sync + 'static;
    /// What is kept of bounds.
    type Code: Code;
    /// All slots.
    type Memory: Debug + Send;

    /// The part of a key that is used.
    fn key(key: u128) -> Self::Key;
    /// The slot of a key in a table of so many.
    fn index(key: Self::Key, count: u64) -> usize;
    /// So many empty slots. Each is written once, so that no page is missing when the clock runs.
    fn allocate(count: u64) -> Result<Self::Memory, TryReserveError>;
    /// Starts to fetch a slot.
    fn prefetch(memory: &Self::Memory, index: usize);
    /// The code in a slot; 0 where the slot is not the key's.
    fn read(memory: &Self::Memory, index: usize, key: Self::Key) -> Self::Code;
    /// Writes a slot, found out by so much work.
    fn write(memory: &mut Self::Memory, index: usize, key: Self::Key, code: Self::Code, work: u64);
    /// Empties the slots of a range.
    fn clear(memory: &mut Self::Memory, range: std::ops::Range<usize>);
    /// The same memory once more, where slots are atomic words.
    fn share(_: &Self::Memory) -> Option<Self::Memory> {
        None
    }
}

/// A table of one slot a place.
#[derive(Debug)]
pub struct Slots<S: Slot> {
    memory: S::Memory,
    count: u64,
    /// The first slots that were written to since the table was empty.
    listed: Box<[usize; LISTED]>,
    /// How many of these there are.
    writes: usize,
    /// Regions that were written to after these.
    dirty: Vec<bool>,
}

impl<S: Slot> Table for Slots<S> {
    type Key = S::Key;

    fn new(_: TableKind, size: TableSize, contents: Contents, bytes: u64) -> Result<Self, TableError> {
        let available = available_memory();
        // A key that stands whole above the code.
        let most = if S::KIND == TableKind::Wide { 128 - S::Code::BITS } else { u32::MAX };
        contents.fits(most, S::Code::LIMIT)?;
        let refused = |bytes| TableError::OutOfMemory(bytes, available);
        if size == TableSize::Chosen && available.is_some_and(|most| bytes > most) {
            return Err(refused(bytes));
        }
        let count = count(S::KIND, contents.key_bits, size, bytes)?;
        let memory = S::allocate(count).map_err(|_| refused(count * S::KIND.slot_bytes()))?;
        Ok(Self::empty(memory, count))
    }

    #[inline(always)]
    fn key(&self, key: u128) -> S::Key {
        S::key(key)
    }

    #[inline(always)]
    fn prefetch(&self, key: S::Key) {
        S::prefetch(&self.memory, S::index(key, self.count));
    }

    #[inline(always)]
    fn probe(&self, key: S::Key) -> Option<Known> {
        S::read(&self.memory, S::index(key, self.count), key).decode()
    }

    #[inline(always)]
    fn store(&mut self, key: S::Key, known: Known, work: u64) {
        let index = S::index(key, self.count);
        S::write(&mut self.memory, index, key, S::Code::encode(known), work);
        if self.writes < LISTED {
            self.listed[self.writes] = index;
            self.writes += 1;
        } else {
            self.dirty[index / REGION] = true;
        }
    }

    fn reset(&mut self) {
        let listed = std::mem::take(&mut self.writes);
        for &index in &self.listed[..listed] {
            S::clear(&mut self.memory, index..index + 1);
        }
        if listed < LISTED {
            return;
        }
        for region in 0..self.dirty.len() {
            if std::mem::take(&mut self.dirty[region]) {
                S::clear(&mut self.memory, region * REGION..((region + 1) * REGION).min(self.count as usize));
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.count * S::KIND.slot_bytes()
    }
}

impl<S: Slot> SharedTable for Slots<S> {
    fn share(&mut self) -> Option<Self> {
        let memory = S::share(&self.memory)?;
        Some(Self::empty(memory, self.count))
    }
}

impl<S: Slot> Slots<S> {
    /// A table that nothing was written to.
    fn empty(memory: S::Memory, count: u64) -> Self {
        Slots {
            memory,
            count,
            listed: Box::new([0; LISTED]),
            writes: 0,
            dirty: vec![false; count as usize / REGION + 1],
        }
    }
}

/// How many slots there are to be, or why there cannot be enough.
fn count(kind: TableKind, key_bits: u32, size: TableSize, bytes: u64) -> Result<u64, TableError> {
    let least = kind.least_slots(key_bits)?;
    let fits = bytes / kind.slot_bytes();
    let count = match (kind, size) {
        (TableKind::Full, TableSize::Published) => PUBLISHED_FULL,
        (TableKind::Partial, TableSize::Published) => PUBLISHED_PARTIAL,
        (TableKind::TwoLevel, TableSize::Published) => two_level::PUBLISHED,
        (TableKind::Full | TableKind::Partial | TableKind::TwoLevel, TableSize::Chosen) => {
            largest_prime(fits).unwrap_or(0)
        }
        _ => fits,
    };
    let divided = matches!(kind, TableKind::Full | TableKind::Partial | TableKind::TwoLevel);
    let least_bytes = kind.slot_bytes() * if divided { smallest_prime(least.max(3)) } else { least };
    match (count < least, size) {
        (false, _) => Ok(count),
        (true, TableSize::Published) => Err(TableError::PublishedTooSmall(key_bits, least_bytes)),
        (true, TableSize::Chosen) => Err(TableError::TooSmall(bytes, least_bytes)),
    }
}

/// An array, written once.
fn filled<T: Clone + Default>(count: u64) -> Result<Vec<T>, TryReserveError> {
    let mut slots = Vec::new();
    slots.try_reserve_exact(count as usize)?;
    advise_huge_pages(slots.spare_capacity_mut());
    slots.resize(count as usize, T::default());
    Ok(slots)
}

/// A kind whose slots are words: 56 bits of its own, above a byte for the bound. All work on words is written here
/// once.
#[derive(Debug)]
pub struct OneTagged<T: Tagged>(PhantomData<T>);

/// What a word keeps of a key, and where a key's word is.
pub trait Tagged: Debug + Send + 'static {
    /// The kind.
    const KIND: TableKind;
    /// The part of a key that is used.
    type Key: Copy + Default + Send + Sync + 'static;

    /// The part of a key that is used.
    fn key(key: u128) -> Self::Key;
    /// The slot of a key in a table of so many.
    fn index(key: Self::Key, count: u64) -> usize;
    /// The 56 bits, above a byte of zeros.
    fn tag(key: Self::Key) -> u64;
}

impl<T: Tagged> Slot for OneTagged<T> {
    const KIND: TableKind = T::KIND;
    type Key = T::Key;
    type Code = u8;
    type Memory = Words<1>;

    #[inline(always)]
    fn key(key: u128) -> T::Key {
        T::key(key)
    }

    #[inline(always)]
    fn index(key: T::Key, count: u64) -> usize {
        T::index(key, count)
    }

    fn allocate(count: u64) -> Result<Words<1>, TryReserveError> {
        let words = Words::zeroed(count as usize)?;
        words.iter().for_each(|[word]| word.store(0, Relaxed));
        Ok(words)
    }

    #[inline(always)]
    fn prefetch(memory: &Words<1>, index: usize) {
        prefetch(memory, index);
    }

    #[inline(always)]
    fn read(memory: &Words<1>, index: usize, key: T::Key) -> u8 {
        let slot = memory[index][0].load(Relaxed);
        if slot & !0xff == T::tag(key) { slot as u8 } else { 0 }
    }

    #[inline(always)]
    fn write(memory: &mut Words<1>, index: usize, key: T::Key, code: u8, _: u64) {
        memory[index][0].store(T::tag(key) | u64::from(code), Relaxed);
    }

    fn clear(memory: &mut Words<1>, range: std::ops::Range<usize>) {
        memory[range].iter().for_each(|[word]| word.store(0, Relaxed));
    }

    fn share(memory: &Words<1>) -> Option<Words<1>> {
        Some(memory.clone())
    }
}

/// The whole key, of up to 56 bits. The division by the published number of slots is compiled for that number.
#[derive(Debug)]
pub struct Full<const PUBLISHED: bool>;

impl<const PUBLISHED: bool> Tagged for Full<PUBLISHED> {
    const KIND: TableKind = TableKind::Full;
    type Key = u64;

    #[inline(always)]
    fn key(key: u128) -> u64 {
        key as u64
    }

    #[inline(always)]
    fn index(key: u64, count: u64) -> usize {
        (key % if PUBLISHED { PUBLISHED_FULL } else { count }) as usize
    }

    #[inline(always)]
    fn tag(key: u64) -> u64 {
        key << 8
    }
}

/// 56 bits of a hash.
#[derive(Debug)]
pub struct Hashed;

impl Tagged for Hashed {
    const KIND: TableKind = TableKind::Hashed;
    type Key = u128;

    #[inline(always)]
    fn key(key: u128) -> u128 {
        key
    }

    #[inline(always)]
    fn index(key: u128, count: u64) -> usize {
        place(key, count)
    }

    #[inline(always)]
    fn tag(key: u128) -> u64 {
        tag(key)
    }
}

/// Slots with 32 bits of the key. Five bytes are no atomic word, so nobody else may look while a slot is written.
#[derive(Debug)]
pub struct Partial<const PUBLISHED: bool>;

impl<const PUBLISHED: bool> Slot for Partial<PUBLISHED> {
    const KIND: TableKind = TableKind::Partial;
    type Key = u64;
    type Code = u8;
    type Memory = Vec<u8>;

    #[inline(always)]
    fn key(key: u128) -> u64 {
        key as u64
    }

    #[inline(always)]
    fn index(key: u64, count: u64) -> usize {
        (key % if PUBLISHED { PUBLISHED_PARTIAL } else { count }) as usize
    }

    fn allocate(count: u64) -> Result<Vec<u8>, TryReserveError> {
        filled(PARTIAL as u64 * count)
    }

    #[inline(always)]
    fn prefetch(memory: &Vec<u8>, index: usize) {
        prefetch(memory, PARTIAL * index);
    }

    #[inline(always)]
    fn read(memory: &Vec<u8>, index: usize, key: u64) -> u8 {
        let slot = &memory[PARTIAL * index..PARTIAL * index + PARTIAL];
        if slot[..4] == (key as u32).to_le_bytes() { slot[4] } else { 0 }
    }

    #[inline(always)]
    fn write(memory: &mut Vec<u8>, index: usize, key: u64, code: u8, _: u64) {
        let slot = &mut memory[PARTIAL * index..PARTIAL * index + PARTIAL];
        slot[..4].copy_from_slice(&(key as u32).to_le_bytes());
        slot[4] = code;
    }

    fn clear(memory: &mut Vec<u8>, range: std::ops::Range<usize>) {
        memory[PARTIAL * range.start..PARTIAL * range.end].fill(0);
    }
}

/// Slots of the whole key, of up to 120 bits above a byte, or 112 above both bounds.
#[derive(Debug)]
pub struct Wide<C: Code = u8>(PhantomData<C>);

impl<C: Code> Slot for Wide<C> {
    const KIND: TableKind = TableKind::Wide;
    type Key = u128;
    type Code = C;
    type Memory = Vec<u128>;

    #[inline(always)]
    fn key(key: u128) -> u128 {
        key
    }

    #[inline(always)]
    fn index(key: u128, count: u64) -> usize {
        place(key, count)
    }

    fn allocate(count: u64) -> Result<Vec<u128>, TryReserveError> {
        filled(count)
    }

    #[inline(always)]
    fn prefetch(memory: &Vec<u128>, index: usize) {
        prefetch(memory, index);
    }

    #[inline(always)]
    fn read(memory: &Vec<u128>, index: usize, key: u128) -> C {
        let slot = memory[index];
        if slot >> C::BITS == key { C::of_slot(slot) } else { C::default() }
    }

    #[inline(always)]
    fn write(memory: &mut Vec<u128>, index: usize, key: u128, code: C, _: u64) {
        memory[index] = key << C::BITS | code.to_slot();
    }

    fn clear(memory: &mut Vec<u128>, range: std::ops::Range<usize>) {
        memory[range].fill(0);
    }
}

// Primes: numbers of slots that spread keys well and share no factor with 2^32.

fn is_prime(n: u64) -> bool {
    n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// The largest odd prime up to `n`.
fn largest_prime(n: u64) -> Option<u64> {
    (3..=n).rev().find(|&candidate| is_prime(candidate))
}

/// The smallest prime from `from` on.
fn smallest_prime(from: u64) -> u64 {
    (from..).find(|&candidate| is_prime(candidate)).expect("primes do not end")
}

/// Bytes that can be had without swapping, where the system says so (Linux: `/proc/meminfo`, and what is left to the
/// control group that a container runs in).
pub fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some((kibibytes * 1024).min(left_to_group().unwrap_or(u64::MAX)))
}

/// Bytes left below the limit of the control group, if it has one.
fn left_to_group() -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        std::fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok()?.trim().parse().ok()
    };
    Some(number("memory.max")?.saturating_sub(number("memory.current")?))
}

#[cfg(test)]
mod tests;
