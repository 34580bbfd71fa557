//! Slots: tables where a new bound always replaces the old one, with one slot a place; [`two_level`] with two.
//!
//! A kind defines the contents of its slots ([`Slot`]). The rest is shared: the number of slots, and when keys can be
//! told apart. Clearing costs only what was used. The first 512 slots written are listed, and are emptied one by one,
//! so a short search leaves the caches as it found them. For later writes, every region of 4096 slots has a flag that
//! it was written to. Full and partial tables are indexed by the key modulo a prime number of slots, wide and hashed
//! ones by a hash of the key.
//!
//! ```text
//! full      | key 56                | bound 8 |        a word
//! partial   | key 32    | bound 8 |                    five bytes side by side, one cache line a probe
//! wide      | key 120                       | bound 8 |   two words
//!           | key 112              | most 8 | least 8 |   the same, on boards whose scores go beyond 31
//! hashed    | tag 56                | bound 8 |        a word
//! ```

use crate::axes::processor::{advise_huge_pages, prefetch};
use crate::axes::table::hash::{self, tag};
use crate::axes::table::known::{Code, Known};
use crate::axes::table::words::Words;
use crate::axes::table::{Contents, SharedTable, Table, TableError, TableKind, TableSize, two_level};
use crate::game::Word;
use std::collections::TryReserveError;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

/// Slots of the full layout in part 7: the largest prime below 2^23.
const PUBLISHED_FULL: u64 = 8_388_593;
/// Slots of the partial layout in part 11: the smallest prime above 2^23.
const PUBLISHED_PARTIAL: u64 = 8_388_617;
/// Slots of one region of the dirty flags.
const REGION: usize = 4096;
/// Slots that are emptied one by one.
const LISTED: usize = 512;

/// The contents of the slots of a kind, and the slot of a key.
pub trait Slot: Debug + Send + 'static {
    const KIND: TableKind;
    /// The part of a key that is used.
    type Key: Word;
    type Code: Code;
    type Memory: Memory;

    /// The slot of a key in a table of `count` slots.
    fn index(key: Self::Key, count: u64) -> usize;
    /// The code in a slot; 0 if the slot belongs to another key.
    fn read(memory: &Self::Memory, index: usize, key: Self::Key) -> Self::Code;
    /// Writes a code that cost `work` nodes.
    fn write(memory: &mut Self::Memory, index: usize, key: Self::Key, code: Self::Code, work: u64);
}

pub trait Memory: Debug + Send + Sized {
    /// Empty slots. Each is written once, so that no page fault falls into a measured search.
    fn allocate(count: u64) -> Result<Self, TryReserveError>;
    fn fetch(&self, index: usize);
    fn clear(&mut self, range: Range<usize>);
}

impl<const N: usize> Memory for Words<N> {
    fn allocate(count: u64) -> Result<Self, TryReserveError> {
        let mut words = Words::zeroed(count as usize)?;
        words.clear(0..count as usize);
        Ok(words)
    }

    #[inline(always)]
    fn fetch(&self, index: usize) {
        prefetch(self, index);
    }

    fn clear(&mut self, range: Range<usize>) {
        self[range].iter().flatten().for_each(|word| word.store(0, Relaxed));
    }
}

impl<T: Copy + Debug + Default + Send> Memory for Vec<T> {
    fn allocate(count: u64) -> Result<Self, TryReserveError> {
        let mut slots = Vec::new();
        slots.try_reserve_exact(count as usize)?;
        advise_huge_pages(slots.spare_capacity_mut());
        slots.resize(count as usize, T::default());
        Ok(slots)
    }

    #[inline(always)]
    fn fetch(&self, index: usize) {
        prefetch(self, index);
    }

    fn clear(&mut self, range: Range<usize>) {
        self[range].fill(T::default());
    }
}

#[derive(Debug)]
pub struct Slots<S: Slot> {
    memory: S::Memory,
    count: u64,
    /// The first slots written since the table was empty.
    listed: Box<[usize; LISTED]>,
    writes: usize,
    /// The regions of later writes.
    dirty: Vec<bool>,
}

impl<S: Slot> Table for Slots<S> {
    type Key = S::Key;

    fn new(_: TableKind, size: TableSize, contents: Contents, bytes: u64) -> Result<Self, TableError> {
        let available = available_memory();
        // The whole key must fit above the code.
        let most = if S::KIND == TableKind::Wide { 128 - S::Code::BITS } else { u32::MAX };
        contents.fits(most, S::Code::LIMIT)?;
        let refused = |bytes| TableError::OutOfMemory(bytes, available);
        if size == TableSize::Chosen && available.is_some_and(|most| bytes > most) {
            return Err(refused(bytes));
        }
        let count = count(S::KIND, contents.key_bits, size, bytes)?;
        Ok(Slots {
            memory: Memory::allocate(count).map_err(|_| refused(count * S::KIND.slot_bytes()))?,
            count,
            listed: Box::new([0; LISTED]),
            writes: 0,
            dirty: vec![false; count as usize / REGION + 1],
        })
    }

    #[inline(always)]
    fn key(&self, key: u128) -> S::Key {
        Word::of(key)
    }

    #[inline(always)]
    fn prefetch(&self, key: S::Key) {
        self.memory.fetch(S::index(key, self.count));
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
            self.memory.clear(index..index + 1);
        }
        if listed < LISTED {
            return;
        }
        for region in 0..self.dirty.len() {
            if std::mem::take(&mut self.dirty[region]) {
                self.memory.clear(region * REGION..((region + 1) * REGION).min(self.count as usize));
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.count * S::KIND.slot_bytes()
    }
}

impl<S: Slot> SharedTable for Slots<S> {}

/// The number of slots, or the reason why there cannot be enough.
fn count(kind: TableKind, key_bits: u32, size: TableSize, bytes: u64) -> Result<u64, TableError> {
    let least = kind.least_slots(key_bits)?;
    let fits = bytes / kind.slot_bytes();
    let divided = matches!(kind, TableKind::Full | TableKind::Partial | TableKind::TwoLevel);
    let count = match (kind, size) {
        (TableKind::Full, TableSize::Published) => PUBLISHED_FULL,
        (TableKind::Partial, TableSize::Published) => PUBLISHED_PARTIAL,
        (TableKind::TwoLevel, TableSize::Published) => two_level::PUBLISHED,
        _ if divided => largest_prime(fits).unwrap_or(0),
        _ => fits,
    };
    let least_bytes = kind.slot_bytes() * if divided { smallest_prime(least.max(3)) } else { least };
    match (count < least, size) {
        (false, _) => Ok(count),
        (true, TableSize::Published) => Err(TableError::PublishedTooSmall(key_bits, least_bytes)),
        (true, TableSize::Chosen) => Err(TableError::TooSmall(bytes, least_bytes)),
    }
}

/// The whole key, of up to 56 bits. `PUBLISHED` compiles the division for the published number of slots.
#[derive(Debug)]
pub struct Full<const PUBLISHED: bool>;

impl<const PUBLISHED: bool> Slot for Full<PUBLISHED> {
    const KIND: TableKind = TableKind::Full;
    type Key = u64;
    type Code = u8;
    type Memory = Words<1>;

    #[inline(always)]
    fn index(key: u64, count: u64) -> usize {
        (key % if PUBLISHED { PUBLISHED_FULL } else { count }) as usize
    }

    #[inline(always)]
    fn read(memory: &Words<1>, index: usize, key: u64) -> u8 {
        tagged(memory, index, key << 8)
    }

    #[inline(always)]
    fn write(memory: &mut Words<1>, index: usize, key: u64, code: u8, _: u64) {
        memory[index][0].store(key << 8 | u64::from(code), Relaxed);
    }
}

#[derive(Debug)]
pub struct Hashed;

impl Slot for Hashed {
    const KIND: TableKind = TableKind::Hashed;
    type Key = u128;
    type Code = u8;
    type Memory = Words<1>;

    #[inline(always)]
    fn index(key: u128, count: u64) -> usize {
        hash::slot(key, count)
    }

    #[inline(always)]
    fn read(memory: &Words<1>, index: usize, key: u128) -> u8 {
        tagged(memory, index, tag(key))
    }

    #[inline(always)]
    fn write(memory: &mut Words<1>, index: usize, key: u128, code: u8, _: u64) {
        memory[index][0].store(tag(key) | u64::from(code), Relaxed);
    }
}

/// The low byte of a word whose other bits are `tag`; else 0.
#[inline(always)]
fn tagged(memory: &Words<1>, index: usize, tag: u64) -> u8 {
    let slot = memory[index][0].load(Relaxed);
    if slot & !0xff == tag { slot as u8 } else { 0 }
}

/// Slots with 32 bits of the key. Five bytes are no atomic word, so no other thread may read while a slot is written.
#[derive(Debug)]
pub struct Partial<const PUBLISHED: bool>;

impl<const PUBLISHED: bool> Slot for Partial<PUBLISHED> {
    const KIND: TableKind = TableKind::Partial;
    type Key = u64;
    type Code = u8;
    type Memory = Vec<[u8; 5]>;

    #[inline(always)]
    fn index(key: u64, count: u64) -> usize {
        (key % if PUBLISHED { PUBLISHED_PARTIAL } else { count }) as usize
    }

    #[inline(always)]
    fn read(memory: &Vec<[u8; 5]>, index: usize, key: u64) -> u8 {
        let slot = &memory[index];
        if slot[..4] == (key as u32).to_le_bytes() { slot[4] } else { 0 }
    }

    #[inline(always)]
    fn write(memory: &mut Vec<[u8; 5]>, index: usize, key: u64, code: u8, _: u64) {
        let slot = &mut memory[index];
        slot[..4].copy_from_slice(&(key as u32).to_le_bytes());
        slot[4] = code;
    }
}

/// Slots of the whole key: of up to 120 bits above one byte, or 112 above both bounds.
#[derive(Debug)]
pub struct Wide<C: Code = u8>(PhantomData<C>);

impl<C: Code> Slot for Wide<C> {
    const KIND: TableKind = TableKind::Wide;
    type Key = u128;
    type Code = C;
    type Memory = Vec<u128>;

    #[inline(always)]
    fn index(key: u128, count: u64) -> usize {
        hash::slot(key, count)
    }

    #[inline(always)]
    fn read(memory: &Vec<u128>, index: usize, key: u128) -> C {
        let slot = memory[index];
        if slot >> C::BITS == key { C::of_slot(slot) } else { C::default() }
    }

    #[inline(always)]
    fn write(memory: &mut Vec<u128>, index: usize, key: u128, code: C, _: u64) {
        memory[index] = key << C::BITS | code.into();
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

fn smallest_prime(from: u64) -> u64 {
    (from..).find(|&candidate| is_prime(candidate)).expect("primes do not end")
}

/// Bytes available without swapping, if the system reports them (Linux: `/proc/meminfo`, and the rest of the limits of the
/// process and of its control groups).
pub fn available_memory() -> Option<u64> {
    let free = 1024 * number_of("/proc/meminfo", "MemAvailable:")?;
    Some([left_to_process(), left_to_groups()].into_iter().flatten().fold(free, u64::min))
}

/// The number behind `name` in a file of the system.
fn number_of(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}

/// Bytes left below the limit of `ulimit -v`, if there is one.
fn left_to_process() -> Option<u64> {
    let used = 1024 * number_of("/proc/self/status", "VmSize:")?;
    Some(number_of("/proc/self/limits", "Max address space")?.saturating_sub(used))
}

/// Bytes left below the limits of the control group and those around it, if one of them has a limit.
fn left_to_groups() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let left = |group: &Path| {
        let number = |name| number_of(&format!("/sys/fs/cgroup{}/{name}", group.display()), "");
        Some(number("memory.max")?.saturating_sub(number("memory.current")?))
    };
    Path::new(own).ancestors().filter_map(left).min()
}

#[cfg(test)]
mod tests;
