//! Marks: which nodes the threads of a team are at.
//!
//! A thread marks the large nodes on its way ([`Parting`](super::Parting)), and asks whether others are at a child. Each thread has a way: a
//! line of memory that it alone writes, with a place for each number of stones. So a mark costs a plain write.
//!
//! ```text
//! ways      thread 0   | ... | 12 stones: key | 13: key | 14: none | ...
//!           thread 1   | ... | 12 stones: key | 13: key | 14: key  | ...
//! ```
//!
//! 31 bits tell keys apart. A move may so be left to the end for nothing; no score changes.
//!
//! A thread that has the value of a node tells the others that are at it. So a thread need not look up the nodes on its way again and again,
//! lines that the others may have written. Two threads may miss each other, when one comes as the other leaves. So a thread looks its way up
//! now and then all the same.

use super::LOOKS_EVERY;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32};

/// Places of a way. On a board of more squares two nodes of one way may have the same place; the second is seen then.
const PLACES: usize = 64;
/// Nodes of a child, where others are told of its value. Of fewer they would hear too late.
const WORTH_TELLING: u64 = LOOKS_EVERY;
const NOWHERE: u32 = 0;

/// Where the threads of a team are: the way of each.
pub(super) struct Marks(Box<[Way]>);

/// Where a thread is. Processors fetch lines of 64 bytes in pairs.
#[repr(align(128))]
struct Way {
    /// A key for each number of stones, or [`NOWHERE`].
    keys: [AtomicU32; PLACES],
    /// Whether another thread has had the value of one of them since this one asked.
    told: AtomicBool,
}

/// A node that is marked: the number of its key, and its stones.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marked {
    pub(super) number: u64,
    pub(super) stones: u32,
}

impl Marked {
    #[inline(always)]
    fn sign(self) -> u32 {
        (self.number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32 | 1
    }

    #[inline(always)]
    fn place(self, way: &Way) -> &AtomicU32 {
        &way.keys[self.stones as usize % PLACES]
    }
}

impl Marks {
    /// Of so many threads, none of which is anywhere yet.
    pub(super) fn of(threads: u32) -> Self {
        let keys = || std::array::from_fn(|_| AtomicU32::new(NOWHERE));
        Marks((0..threads).map(|_| Way { keys: keys(), told: AtomicBool::new(false) }).collect())
    }

    /// A thread goes there. It has left where it was with as many stones.
    #[inline(always)]
    pub(super) fn set(&self, id: u32, node: Marked) {
        node.place(&self.0[id as usize]).store(node.sign(), Relaxed);
    }

    #[inline(always)]
    pub(super) fn clear(&self, id: u32, node: Marked) {
        node.place(&self.0[id as usize]).store(NOWHERE, Relaxed);
    }

    #[inline(always)]
    pub(super) fn has(&self, id: u32, node: Marked) -> bool {
        self.others(id, node).next().is_some()
    }

    /// A thread has the value of a node after so many nodes: it tells all others that are there.
    #[inline(always)]
    pub(super) fn tell(&self, id: u32, node: Marked, nodes: u64) {
        if nodes >= WORTH_TELLING {
            self.others(id, node).for_each(|way| way.told.store(true, Relaxed));
        }
    }

    /// Whether a thread has been told since it asked last.
    #[inline(always)]
    pub(super) fn was_told(&self, id: u32) -> bool {
        let told = &self.0[id as usize].told;
        let was = told.load(Relaxed);
        if was {
            told.store(false, Relaxed);
        }
        was
    }

    /// The ways of the others that are at a node.
    #[inline(always)]
    fn others(&self, id: u32, node: Marked) -> impl Iterator<Item = &Way> {
        let ways = self.0.iter().enumerate();
        let at = ways.filter(move |&(other, way)| other != id as usize && node.place(way).load(Relaxed) == node.sign());
        at.map(|(_, way)| way)
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
                assert!(marks.has(1, node) && !marks.has(1, other) && !marks.has(0, node), "nobody meets itself");
                marks.set(1, node);
                assert!(marks.has(0, node) && marks.has(1, node));
                marks.clear(0, node);
                assert!(marks.has(0, node) && !marks.has(0, other) && !marks.has(1, node));
                assert!(!marks.has(0, Marked { stones: stones + 1, ..node }), "a key has one number of stones");
                marks.clear(1, node);
                assert!(!marks.has(0, node) && !marks.has(1, node));
            }
        }
    }

    #[test]
    fn a_thread_at_a_node_is_told_of_it_once() {
        let (marks, node) = (Marks::of(2), Marked { number: 5, stones: 9 });
        marks.set(1, node);
        marks.tell(1, node, WORTH_TELLING);
        marks.tell(0, Marked { number: 6, ..node }, WORTH_TELLING);
        marks.tell(0, node, WORTH_TELLING - 1);
        assert_eq!([0, 1].map(|id| marks.was_told(id)), [false; 2]);
        marks.tell(0, node, WORTH_TELLING);
        assert_eq!([0, 1, 1].map(|id| marks.was_told(id)), [false, true, false]);
    }
}
