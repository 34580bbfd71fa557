//! Marks: which nodes some thread of a team is at.
//!
//! A counter for each of 2^16 groups of keys. Two keys may share one: then a move is left to the end for nothing, and no score changes.

use std::sync::atomic::AtomicU16;
use std::sync::atomic::Ordering::Relaxed;

/// Counters of nodes.
pub(super) struct Marks(Box<[AtomicU16; 1 << BITS]>);

/// There are 2^16: a quarter of a core's own cache.
const BITS: u32 = 16;

impl Marks {
    pub(super) fn new() -> Self {
        let none: Box<[AtomicU16]> = (0..1 << BITS).map(|_| AtomicU16::new(0)).collect();
        Marks(none.try_into().expect("so many counters"))
    }

    /// The counter of the key with this number.
    #[inline(always)]
    fn of(&self, number: u64) -> &AtomicU16 {
        &self.0[(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize]
    }

    /// A thread is there.
    #[inline(always)]
    pub(super) fn set(&self, number: u64) {
        self.of(number).fetch_add(1, Relaxed);
    }

    /// It has left.
    #[inline(always)]
    pub(super) fn clear(&self, number: u64) {
        self.of(number).fetch_sub(1, Relaxed);
    }

    /// Whether some thread is there.
    #[inline(always)]
    pub(super) fn has(&self, number: u64) -> bool {
        self.of(number).load(Relaxed) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn a_mark_is_there_until_the_last_has_left() {
        let marks = Marks::new();
        for number in [0, 1, 77, u64::MAX] {
            assert!(!marks.has(number));
            marks.set(number);
            marks.set(number);
            marks.clear(number);
            assert!(marks.has(number) && !marks.has(number ^ 1 << 20));
            marks.clear(number);
            assert!(!marks.has(number));
        }
    }
}
