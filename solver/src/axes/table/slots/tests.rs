//! Slots: a stored bound is found until it is cleared, and no key is taken for another.

use super::*;
use crate::axes::table::any::AnyTable;
use crate::axes::{Axis, Key};
use crate::game::score::Score;
use crate::game::{Geometry, Grid, Spaced, Standard};

const CHOSEN: TableSize = TableSize::Chosen;

/// Every layout, with keys as wide as it takes on the standard board.
fn layouts() -> impl Iterator<Item = (TableKind, u32)> {
    let bits = |table: TableKind| match table.takes_wide_keys() {
        true => Key::Colorless.bits(Standard::SIZE, 7),
        false => Key::Exact.bits(Standard::SIZE, 7),
    };
    TableKind::ALL
        .iter()
        .filter(|&&table| !matches!(table, TableKind::None | TableKind::Buckets))
        .map(move |&table| (table, bits(table)))
}

#[test]
fn published_sizes_are_the_primes_around_two_to_the_23() {
    assert_eq!(largest_prime(1 << 23), Some(PUBLISHED_FULL));
    assert_eq!(smallest_prime(1 << 23), PUBLISHED_PARTIAL);
    let bytes = |table| AnyTable::new(table, TableSize::Published, Contents::keys(49), 0).unwrap().bytes();
    assert_eq!((bytes(TableKind::Full), bytes(TableKind::Partial)), (67_108_744, 41_943_085));
    assert_eq!(bytes(TableKind::TwoLevel), 8_306_069 * 16);
}

#[test]
fn what_is_stored_is_found_until_cleared() {
    for (table, bits) in layouts() {
        let mut slots = AnyTable::new(table, CHOSEN, Contents::keys(bits), 1 << 20).unwrap();
        let keys: Vec<u128> = (0..2000).map(|i| (i * 0x9_8765_4321_fedc_1234_5678_9abc) & ((1 << bits) - 1)).collect();
        for count in [1, LISTED - 1, LISTED, LISTED + 1, 2000, 2] {
            for (i, &key) in keys[..count].iter().enumerate() {
                let bound = Known::at_least(i as Score % 18);
                slots.store(key, bound, 1);
                assert_eq!(slots.probe(key), Some(bound));
            }
            slots.reset();
            for &key in &keys {
                assert_eq!(slots.probe(key), None, "{table:?} {count}");
            }
        }
    }
}

/// Two keys of one slot are told apart, however many bits they share.
#[test]
fn keys_of_one_slot_are_told_apart() {
    for (table, bits) in layouts() {
        // Wide and hashed tables have two slots here, so that most keys share one.
        let bytes = if bits > 64 { 2 * table.slot_bytes() } else { 1 << 20 };
        let mut slots = AnyTable::new(table, CHOSEN, Contents::keys(bits), bytes).unwrap();
        let step = if bits > 64 { 1 } else { u128::from(slots.bytes() / table.slot_bytes()) };
        for multiple in (1..1000).chain([1 << 32, 1 << 40, 1 << 60]).filter(|&multiple| multiple * step < 1 << bits) {
            for (key, other) in [(0, multiple * step), (12345, 12345 + multiple * step)] {
                slots.store(key, Known::at_most(3), 1);
                assert_eq!(slots.probe(other), None, "{table:?} {multiple}");
            }
        }
    }
}

#[test]
fn sizes_that_cannot_be_exact_are_refused() {
    let chosen = |table, bytes| {
        AnyTable::new(table, CHOSEN, Contents::keys(Standard::NEW.key_bits()), bytes).map(|slots| slots.bytes())
    };
    assert_eq!(chosen(TableKind::Full, 0), Err(TableError::TooSmall(0, 24)));
    assert_eq!(chosen(TableKind::Full, 1), Err(TableError::TooSmall(1, 24)));
    assert_eq!(chosen(TableKind::Full, 24), Ok(24));
    assert_eq!(chosen(TableKind::Wide, 31), Err(TableError::TooSmall(31, 32)));
    assert_eq!(chosen(TableKind::Wide, 100), Ok(96));
    // 49-bit keys ask for more than 2^17 slots; the next prime is 131101.
    assert_eq!(chosen(TableKind::Partial, 5 << 17), Err(TableError::TooSmall(5 << 17, 131_101 * 5)));
    assert_eq!(chosen(TableKind::Partial, 131_101 * 5), Ok(131_101 * 5));
    assert!(AnyTable::new(TableKind::Partial, CHOSEN, Contents::keys(Grid::<4, 4, 5>::NEW.key_bits()), 100).is_ok());
}

/// The claims of the module doc of `table` on stride-9 keys and three-state codes.
#[test]
fn keys_too_wide_for_a_layout_are_refused() {
    let new = |table, bits, size| AnyTable::new(table, size, Contents::keys(bits), 1 << 20).map(|_| ());
    let (spaced, three_states) = (Key::Exact.bits(Spaced::SIZE, 9), Key::Colorless.bits(Standard::SIZE, 7));
    assert_eq!((spaced, three_states, Key::Colorless.bits(Spaced::SIZE, 9)), (61, 97, 103));
    for (table, most) in [(TableKind::Full, 56), (TableKind::Partial, 72), (TableKind::TwoLevel, 50)] {
        assert_eq!(new(table, three_states, CHOSEN), Err(TableError::KeyTooWide(97, most)));
    }
    assert_eq!(new(TableKind::Full, spaced, TableSize::Published), Err(TableError::KeyTooWide(61, 56)));
    assert!(matches!(new(TableKind::Partial, spaced, TableSize::Published), Err(TableError::PublishedTooSmall(..))));
    assert!(new(TableKind::Partial, 55, TableSize::Published).is_ok());
    assert!(matches!(new(TableKind::Partial, 56, TableSize::Published), Err(TableError::PublishedTooSmall(56, _))));
    for bits in [spaced, three_states, 103] {
        assert!(new(TableKind::Wide, bits, CHOSEN).is_ok() && new(TableKind::Hashed, bits, CHOSEN).is_ok());
    }
    assert_eq!(new(TableKind::Wide, 121, CHOSEN), Err(TableError::KeyTooWide(121, 120)));
}

#[test]
fn memory_that_is_not_there_is_an_error() {
    for bytes in [1 << 50, u64::MAX] {
        let error = AnyTable::new(TableKind::Full, CHOSEN, Contents::keys(49), bytes).unwrap_err();
        assert!(matches!(error, TableError::OutOfMemory(..)), "{error}");
    }
}

/// Boards with more than 63 squares: both bounds of any score, under keys whose highest bits are set.
#[test]
fn far_scores_have_their_own_slots() {
    for bits in [64, 65, 72, 81, 112] {
        let contents = Contents { key_bits: bits, limit: 36 };
        assert!(contents.are_held_by(TableKind::Wide));
        let mut slots = AnyTable::new(TableKind::Wide, CHOSEN, contents, 1 << 20).unwrap();
        let top = 1 << (bits - 1);
        for score in -37..=36 {
            for known in [Known::at_least(score), Known::at_most(score), Known { least: score, most: score }] {
                slots.store(top, known, 1);
                slots.store(top ^ 1 << (bits - 2), Known::at_least(0), 1);
                assert_eq!(slots.probe(top), Some(known), "{bits} bits, {score}");
                assert_eq!(slots.probe(0), None);
            }
        }
    }
    let new = |kind, key_bits, limit| AnyTable::new(kind, CHOSEN, Contents { key_bits, limit }, 1 << 20).map(|_| ());
    assert_eq!(new(TableKind::Wide, 113, 32), Err(TableError::KeyTooWide(113, 112)));
    assert_eq!(new(TableKind::Hashed, 81, 32), Err(TableError::ScoresTooFar(32, 31)));
    assert_eq!(new(TableKind::Full, 49, 32), Err(TableError::ScoresTooFar(32, 31)));
    for (kind, key_bits, limit) in [(TableKind::Wide, 113, 32), (TableKind::Hashed, 81, 32), (TableKind::Full, 57, 31)]
    {
        assert!(!Contents { key_bits, limit }.are_held_by(kind), "{kind:?}");
    }
}

#[test]
fn small_primes() {
    assert_eq!((0..30).filter(|&n| is_prime(n)).collect::<Vec<_>>(), [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
    assert_eq!([2, 3, 4, 9, 28].map(largest_prime), [None, Some(3), Some(3), Some(7), Some(23)]);
    assert_eq!([0, 4, 24, 29].map(smallest_prime), [2, 5, 29, 29]);
}
