//! Two levels: places of two slots, one for the most work and one for the latest entry (J. Tromp, Fhourstones).
//!
//! ```text
//! place    | big   key 50 | work 6 | bound 8 |   the most work, until as much replaces it
//!          | new   key 50 | work 6 | bound 8 |   what the other did not take
//! ```
//!
//! A place is the key modulo a prime number of places. The work of a bound is the logarithm of its nodes, rounded down.
//! A bound goes into the first slot if that slot holds this key, or no more work; else into the second. So many shallow
//! searches do not displace a deep one, and still find a place.
//!
//! Fhourstones keeps 26 bits of a key of 49 beside the place, which is almost all of it. Here the key is whole, so no
//! two positions are confused.

use crate::axes::table::TableKind;
use crate::axes::table::slots::Slot;
use crate::axes::table::words::Words;
use std::sync::atomic::Ordering::Relaxed;

/// Places of Fhourstones.
pub(super) const PUBLISHED: u64 = 8_306_069;
pub(super) const KEY_BITS: u32 = 50;
/// Where the key begins in a slot.
const KEY: u32 = 64 - KEY_BITS;
/// Where the work begins.
const WORK: u32 = 8;

#[derive(Debug)]
pub struct TwoLevel<const PUBLISHED: bool>;

#[inline(always)]
fn work_of(slot: u64) -> u64 {
    slot >> WORK & ((1 << (KEY - WORK)) - 1)
}

impl<const IS_PUBLISHED: bool> Slot for TwoLevel<IS_PUBLISHED> {
    const KIND: TableKind = TableKind::TwoLevel;
    type Key = u64;
    type Code = u8;
    type Memory = Words<2>;

    #[inline(always)]
    fn index(key: u64, count: u64) -> usize {
        (key % if IS_PUBLISHED { PUBLISHED } else { count }) as usize
    }

    #[inline(always)]
    fn read(memory: &Words<2>, index: usize, key: u64) -> u8 {
        let [big, new] = &memory[index];
        let big = big.load(Relaxed);
        if big >> KEY == key {
            return big as u8;
        }
        let new = new.load(Relaxed);
        if new >> KEY == key { new as u8 } else { 0 }
    }

    #[inline(always)]
    fn write(memory: &mut Words<2>, index: usize, key: u64, code: u8, work: u64) {
        let work = u64::from(work.max(1).ilog2());
        let [big, new] = &memory[index];
        let held = big.load(Relaxed);
        let slot = if held >> KEY == key || work >= work_of(held) { big } else { new };
        slot.store(key << KEY | work << WORK | u64::from(code), Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use crate::axes::table::any::AnyTable;
    use crate::axes::table::known::Known;
    use crate::axes::table::{Contents, Table, TableKind, TableSize};

    fn few() -> (AnyTable, impl Fn(u128) -> u128) {
        let table =
            AnyTable::new(TableKind::TwoLevel, TableSize::Chosen, Contents::keys(49), 16 * 7).expect("seven places");
        assert_eq!(table.bytes(), 16 * 7);
        (table, |number| 7 * number)
    }

    #[test]
    fn much_work_stays_and_the_last_is_found() {
        let (mut table, key) = few();
        let bound = |number: u128| Known::at_least(number as i32);
        table.store(key(1), bound(1), 1000);
        for number in 2..9 {
            table.store(key(number), bound(number), 511);
            assert_eq!(table.probe(key(number)), Some(bound(number)), "the last");
            assert_eq!(table.probe(key(number - 1)), (number == 2).then_some(bound(1)), "the one before");
            assert_eq!(table.probe(key(1)), Some(bound(1)), "the dear one");
        }
        // Equal work: all counts between two powers of two are alike.
        table.store(key(9), bound(9), 512);
        assert_eq!([1, 8, 9].map(|number| table.probe(key(number))), [None, Some(bound(8)), Some(bound(9))]);
        // A bound of this key takes its place, even with less work.
        table.store(key(9), bound(3), 0);
        assert_eq!([8, 9].map(|number| table.probe(key(number))), [Some(bound(8)), Some(bound(3))]);
        table.reset();
        assert_eq!([1, 8, 9].map(|number| table.probe(key(number))), [None; 3]);
    }

    #[test]
    fn any_work_has_a_logarithm_that_fits() {
        let (mut table, key) = few();
        for work in [0, 1, 2, 1 << 40, u64::MAX] {
            table.store(key(5), Known::at_most(-4), work);
            assert_eq!(table.probe(key(5)), Some(Known::at_most(-4)), "{work}");
        }
    }
}
