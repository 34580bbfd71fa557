//! Marks: which nodes the threads of a team are at.
//!
//! A thread marks each node on its way, or each large one (`parting.rs`), and asks whether others are at a child. Few threads have a way each:
//! a line of memory that only its thread writes, with a place for each number of stones. So a mark costs a plain write, and whoever asks
//! reads one line for all children of a node. Many threads count together: there are 2^16 counters, and each key has one.
//!
//! ```text
//! ways      thread 0   | ... | 12 stones: key | 13: key | 14: none | ...
//!           thread 1   | ... | 12 stones: key | 13: key | 14: key  | ...
//! counters  | 0 | 0 | 2 | 0 | 1 | ...
//! ```
//!
//! Two keys may share a counter, and 31 bits tell the keys of a way apart. A move may so be left to the end for nothing; no score changes.
//!
//! With ways, whoever has the value of a node tells the others that are at it. So a thread need not look up the nodes on its way again and
//! again, lines that the other thread may have written. Two threads may miss each other, when one comes as the other leaves. So a thread looks
//! its way up now and then all the same.

use super::{LOOKS_EVERY, MOST_WITH_OWN_TABLES};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU32};

/// There are 2^16 counters: a quarter of a core's own cache.
const BITS: u32 = 16;
/// Places of a way: more than a board of one word has squares.
const PLACES: usize = 64;
/// Nodes of a child, where others are told of its value. Of fewer they would hear too late.
const WORTH_TELLING: u64 = LOOKS_EVERY;

/// Where the threads of a team are.
pub(super) enum Marks {
    /// The way of each thread.
    Ways(Box<[Way]>),
    /// How many threads are at the keys of a counter.
    Counters(Box<[AtomicU16; 1 << BITS]>),
}

/// Where a thread is. Processors fetch lines of 64 bytes in pairs.
#[repr(align(128))]
pub(super) struct Way {
    /// A key for each number of stones, or [`NOWHERE`].
    keys: [AtomicU32; PLACES],
    /// Whether another thread has had the value of one of them since this one asked.
    told: AtomicBool,
}

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
        &way.keys[self.stones as usize % PLACES]
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
            let keys = || std::array::from_fn(|_| AtomicU32::new(NOWHERE));
            let way = |_| Way { keys: keys(), told: AtomicBool::new(false) };
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
            Marks::Ways(ways) => Self::others(ways, id, node).next().is_some(),
            Marks::Counters(counters) => node.counter(counters).load(Relaxed) != 0,
        }
    }

    /// A thread has the value of a node after so many nodes: it tells all others that are there. Nobody is told by counters.
    #[inline(always)]
    pub(super) fn tell(&self, id: u32, node: Marked, nodes: u64) {
        if let Marks::Ways(ways) = self
            && nodes >= WORTH_TELLING
        {
            Self::others(ways, id, node).for_each(|way| way.told.store(true, Relaxed));
        }
    }

    /// Whether a thread has been told since it asked last; `None` where nobody is.
    #[inline(always)]
    pub(super) fn was_told(&self, id: u32) -> Option<bool> {
        let Marks::Ways(ways) = self else { return None };
        let told = &ways[id as usize].told;
        let was = told.load(Relaxed);
        if was {
            told.store(false, Relaxed);
        }
        Some(was)
    }

    /// The ways of the others that are at a node.
    #[inline(always)]
    fn others(ways: &[Way], id: u32, node: Marked) -> impl Iterator<Item = &Way> {
        let at =
            move |&(other, way): &(usize, &Way)| other != id as usize && node.place(way).load(Relaxed) == node.sign();
        ways.iter().enumerate().filter(at).map(|(_, way)| way)
    }
}

#[cfg(test)]
mod tests {
    use super::{Marked, Marks, WORTH_TELLING};

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

    #[test]
    fn whoever_is_at_a_node_is_told_of_it_once() {
        let (marks, node) = (Marks::of(2), Marked { number: 5, stones: 9 });
        marks.set(1, node);
        marks.tell(1, node, WORTH_TELLING);
        marks.tell(0, Marked { number: 6, ..node }, WORTH_TELLING);
        marks.tell(0, node, WORTH_TELLING - 1);
        assert_eq!([0, 1].map(|id| marks.was_told(id)), [Some(false); 2]);
        marks.tell(0, node, WORTH_TELLING);
        assert_eq!([0, 1, 1].map(|id| marks.was_told(id)), [Some(false), Some(true), Some(false)]);
        assert_eq!(Marks::of(3).was_told(0), None);
    }
}
