//! Taken: a bucket of slots of two words that one thread of several has for itself, for as long as it takes to read or to write it.
//!
//! ```text
//!               way 0            way 1   way 2   way 3
//! low words   | tag, work, ... |       |       |       |
//! high words  | age | T | tag  |       |       |       |      T: the bucket is taken
//! ```
//!
//! Taking sets the bit T where it is 0; giving back writes the word without it. While it is set nobody else writes a word of the bucket. So
//! a thread has what all before it wrote, whole, and nobody sees what it is just writing. Nobody waits: a bucket that another thread has
//! is as good as one that knows nothing.

use super::layout::{TAKEN, WAYS};
use crate::axes::table::words::{AtomicU64, read};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// A bucket that is taken; it is given back when this is dropped.
pub(super) struct Taken<'t> {
    place: &'t [[AtomicU64; WAYS]; 2],
    /// The higher word of the first slot, without the bit.
    first: u64,
}

impl<'t> Taken<'t> {
    /// Takes a bucket; `None` where another thread has it.
    #[inline(always)]
    pub(super) fn of(place: &'t [[AtomicU64; WAYS]; 2]) -> Option<Self> {
        let (word, first) = (&place[1][0], place[1][0].load(Relaxed));
        let is_taken = first & TAKEN == 0 && word.compare_exchange(first, first | TAKEN, Acquire, Relaxed).is_ok();
        is_taken.then(|| Taken { place, first })
    }

    #[inline(always)]
    pub(super) fn slots(&self) -> [[u64; WAYS]; 2] {
        let [low, high] = self.place;
        let mut slots = [read(low), read(high)];
        slots[1][0] = self.first;
        slots
    }

    /// Writes a slot, and gives the bucket back.
    #[inline(always)]
    pub(super) fn write(mut self, way: usize, slot: u128) {
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
