//! Marks: which nodes the threads of a team are at.
//!
//! A thread marks each node on its way, and asks whether others are at a child. Few threads have a way each: a line of memory that only its
//! thread writes, with a place for each number of stones. So a mark costs a plain write, and whoever asks reads one line for all children of a
//! node. Many threads count together: there are 2^16 counters, and each key has one.
//!
//! ```text
//! ways      thread 0   | ... | 12 stones: key | 13: key | 14: none | ...
//!           thread 1   | ... | 12 stones: key | 13: key | 14: key  | ...
//! counters  | 0 | 0 | 2 | 0 | 1 | ...
//! ```
//!
//! Two keys may share a counter, and 31 bits tell the keys of a way apart. A move may so be left to the end for nothing; no score changes.

use super::MOST_WITH_OWN_TABLES;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU16, AtomicU32};

/// There are 2^16 counters: a quarter of a core's own cache.
const BITS: u32 = 16;
/// Places of a way: more than a board of one word has squares.
const PLACES: usize = 64;

/// Where the threads of a team are.
pub(super) enum Marks {
    /// The way of each thread.
    Ways(Box<[Way]>),
    /// How many threads are at the keys of a counter.
    Counters(Box<[AtomicU16; 1 << BITS]>),
}

/// A key for each number of stones, or [`NOWHERE`]. Processors fetch lines of 64 bytes in pairs.
#[repr(align(128))]
pub(super) struct Way([AtomicU32; PLACES]);

/// No key.
const NOWHERE: u32 = 0;

/// A node that is marked: the number of its key, and its stones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marked {
    pub(super) number: u64,
    pub(super) stones: u32,
}

impl Marked {
    #[inline(always)]
    fn hash(self) -> u64 {
        self.number.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// What stands for it on a way.
    #[inline(always)]
    fn sign(self) -> u32 {
        (self.hash() >> 32) as u32 | 1
    }

    /// Where it stands on a way.
    #[inline(always)]
    fn place(self, way: &Way) -> &AtomicU32 {
        &way.0[self.stones as usize % PLACES]
    }

    #[inline(always)]
    fn counter(self, counters: &[AtomicU16; 1 << BITS]) -> &AtomicU16 {
        &counters[(self.hash() >> (64 - BITS)) as usize]
    }
}

impl Marks {
    /// Nobody is anywhere yet.
    pub(super) fn of(threads: u32) -> Self {
        if threads <= MOST_WITH_OWN_TABLES {
            let way = |_| Way(std::array::from_fn(|_| AtomicU32::new(NOWHERE)));
            return Marks::Ways((0..threads).map(way).collect());
        }
        let none: Box<[AtomicU16]> = (0..1 << BITS).map(|_| AtomicU16::new(0)).collect();
        Marks::Counters(none.try_into().expect("so many counters"))
    }

    /// A thread goes there. It has left where it was with as many stones.
    #[inline(always)]
    pub(super) fn set(&self, id: u32, node: Marked) {
        match self {
            Marks::Ways(ways) => node.place(&ways[id as usize]).store(node.sign(), Relaxed),
            Marks::Counters(counters) => _ = node.counter(counters).fetch_add(1, Relaxed),
        }
    }

    /// It has left.
    #[inline(always)]
    pub(super) fn clear(&self, id: u32, node: Marked) {
        match self {
            Marks::Ways(ways) => node.place(&ways[id as usize]).store(NOWHERE, Relaxed),
            Marks::Counters(counters) => _ = node.counter(counters).fetch_sub(1, Relaxed),
        }
    }

    /// Whether some other thread is there; the one that asks is not.
    #[inline(always)]
    pub(super) fn has(&self, id: u32, node: Marked) -> bool {
        match self {
            Marks::Ways(ways) => {
                let at = |(other, way)| other != id as usize && node.place(way).load(Relaxed) == node.sign();
                ways.iter().enumerate().any(at)
            }
            Marks::Counters(counters) => node.counter(counters).load(Relaxed) != 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Marked, Marks};

    #[test]
    fn a_mark_is_there_until_the_last_has_left() {
        for threads in [2, 3, 256] {
            let marks = Marks::of(threads);
            for (number, stones) in [(0, 0), (1, 17), (77, 31), (u64::MAX, 63)] {
                let (node, other) = (Marked { number, stones }, Marked { number: number ^ 1 << 20, stones });
                assert!(!marks.has(0, node) && !marks.has(1, node));
                marks.set(0, node);
                assert!(marks.has(1, node) && !marks.has(1, other));
                marks.set(1, node);
                assert!(marks.has(0, node) && marks.has(1, node));
                marks.clear(0, node);
                assert!(marks.has(0, node) && !marks.has(0, other));
                marks.clear(1, node);
                assert!(!marks.has(0, node) && !marks.has(1, node));
            }
        }
    }

    #[test]
    fn nobody_meets_itself_on_a_way() {
        let (marks, node) = (Marks::of(2), Marked { number: 5, stones: 9 });
        marks.set(1, node);
        assert!(!marks.has(1, node) && marks.has(0, node));
        assert!(!marks.has(0, Marked { stones: 10, ..node }), "a key has one number of stones");
    }
}
