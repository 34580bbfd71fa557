//! Buckets: what is stored is found until it is cleared or replaced, under its own key alone, at every size.

use super::*;
use std::collections::HashMap;

fn new(bits: u32, bytes: u64) -> Result<Buckets, TableError> {
    Table::new(TableKind::Buckets, TableSize::Chosen, bits, bytes)
}

/// Bits of the keys of the standard board.
const BITS: u32 = 49;

/// Numbers without a pattern that a table could profit by (splitmix64).
fn numbers() -> impl Iterator<Item = u64> {
    (1u64..).map(|index| {
        let mut word = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    })
}

/// Bounds of all sizes that a table may be given, the widest among them.
fn bounds(number: u64) -> Known {
    let (one, other) = ((number % 64) as Score - 32, (number / 64 % 63) as Score - 31);
    Known { least: one.min(other), most: one.max(other) }
}

/// A table and what it was given.
struct Checked {
    table: Buckets,
    bits: u32,
    given: HashMap<u64, Known>,
}

impl Checked {
    fn new(bits: u32, bytes: u64) -> Self {
        let table = new(bits, bytes).unwrap_or_else(|error| panic!("{bits} bits, {bytes} bytes: {error}"));
        Checked { table, bits, given: HashMap::new() }
    }

    /// Stores, and finds what it stored.
    fn store(&mut self, number: u64, nodes: u64) {
        let (key, known) = (number & (u64::MAX >> (64 - self.bits)), bounds(number >> 20));
        let mixed = self.table.key(u128::from(key));
        self.given.insert(key, known);
        self.table.store(mixed, known, nodes);
        assert_eq!(self.table.probe(mixed), Some(known), "{} bits, key {key:#x}", self.bits);
    }

    /// Keys that the table knows. Checks that it says of each key what it was told last.
    fn found(&self) -> Vec<u64> {
        let mut keys: Vec<u64> = self.given.keys().copied().collect();
        keys.retain(|&key| {
            let mixed = self.table.key(u128::from(key));
            let found = self.table.probe(mixed);
            assert_eq!(self.table.may_know(mixed), found.is_some(), "{} bits, key {key:#x}", self.bits);
            assert!(found.is_none() || found == Some(self.given[&key]), "key {key:#x}: {found:?}");
            found.is_some()
        });
        keys.sort_unstable();
        keys
    }

    fn clear(&mut self) {
        self.table.reset();
        assert_eq!(self.found(), Vec::<u64>::new(), "a cleared table knows nothing");
        self.given.clear();
    }
}

#[test]
fn no_two_keys_are_mixed_into_one() {
    let table = new(16, 1 << 12).expect("a table");
    let mixed: std::collections::HashSet<u64> = (0..1u64 << 16).map(|key| table.key(u128::from(key)).0).collect();
    assert_eq!((mixed.len(), mixed.iter().max()), (1 << 16, Some(&((1 << 16) - 1))));
}

/// Few bits and few slots, so that keys meet everywhere. Keys that were not stored are not found; others are,
/// unchanged.
#[test]
fn keys_are_told_apart_at_every_size() {
    for (bits, bytes) in [(2, 64), (5, 64), (12, 64), (12, 1 << 10), (12, 1 << 20), (16, 100), (16, 1 << 16)] {
        let mut checked = Checked::new(bits, bytes);
        for number in numbers().take(2_000) {
            checked.store(number, number >> 40);
        }
        let found = checked.found();
        assert!(!found.is_empty() && found.len() as u64 <= checked.table.bytes() / SLOT, "{bits} bits, {bytes} bytes");
        for key in (0..1 << bits).filter(|key| !checked.given.contains_key(key)) {
            assert_eq!(
                checked.table.probe(checked.table.key(u128::from(key))),
                None,
                "{bits} bits, key {key:#x} was never stored"
            );
        }
        checked.clear();
    }
}

/// Keys that differ in one bit, of a board's width and of the widest that a small table takes.
#[test]
fn keys_of_whole_boards_are_told_apart() {
    for (bits, bytes) in [(BITS, 64 << 10), (BITS, 8 << 20), (56, 8 << 20)] {
        let mut checked = Checked::new(bits, bytes);
        for number in numbers().take(20_000) {
            checked.store(number, 1);
            let key = number & (u64::MAX >> (64 - bits));
            for other in (0..bits).map(|bit| key ^ 1 << bit).filter(|other| !checked.given.contains_key(other)) {
                assert_eq!(
                    checked.table.probe(checked.table.key(u128::from(other))),
                    None,
                    "{bits} bits, {key:#x}, {other:#x}"
                );
            }
        }
        checked.found();
    }
}

/// A table that is written to often doubles until it is as large as it may get; it forgets nothing when it does, and
/// a cleared one is small again.
#[test]
fn a_table_grows_without_a_loss_and_clearing_makes_it_small() {
    let mut checked = Checked::new(BITS, 8 << 20);
    let (first, last) = (BITS - 12, BITS - 18);
    for round in 0..3 {
        assert_eq!(checked.table.shift, first, "round {round}");
        let mut numbers = numbers().skip(round * 1_000_000);
        for _ in 0..50_000 {
            checked.store(numbers.next().expect("endless"), 1);
        }
        for shift in (last..first).rev() {
            let before = checked.found();
            checked.table.grow();
            assert_eq!(checked.table.shift, shift);
            assert_eq!(checked.found(), before, "round {round}");
            numbers.by_ref().take(50_000).for_each(|number| checked.store(number, 2));
        }
        checked.table.grow();
        assert_eq!(checked.table.shift, last, "as large as it may get");
        assert!(checked.found().len() > 150_000);
        checked.clear();
    }
}

/// It grows by itself after [`growth`] writes for each slot, and not before.
#[test]
fn a_table_grows_with_its_use() {
    let mut table = new(BITS, 4 << 20).expect("a table");
    let writes = |table: &mut Buckets, count: u64| {
        (0..count).for_each(|key| table.store(table.key(u128::from(key)), Known { least: 0, most: 0 }, 1));
    };
    let shift = table.shift;
    for doubled in 0..5 {
        let slots = FIRST << doubled;
        assert_eq!(growth(slots), if doubled < 4 { 4 } else { 64 }, "{slots} slots");
        writes(&mut table, growth(slots) * slots - 1);
        assert_eq!(table.shift, shift - doubled);
        writes(&mut table, 1);
        assert_eq!(table.shift, shift - doubled - 1);
    }
    assert_eq!((table.bytes(), table.count() as u64 * SLOT * WAYS as u64), (4 << 20, 4 << 20));
    writes(&mut table, 64 * (FIRST << 5) + 1);
    assert_eq!(table.shift, shift - 5, "no larger than it was asked to be");
}

/// After 255 clears the ages repeat. Nothing of an old age is found then, whatever size the table had.
#[test]
fn nothing_outlives_a_clear() {
    let mut checked = Checked::new(BITS, 4 << 20);
    let mut ages = std::collections::HashSet::new();
    let keys: Vec<u64> = numbers().take(500).collect();
    for clears in 0..600 {
        assert!(
            keys.iter()
                .all(|&key| checked.table.probe(checked.table.key(u128::from(key & !(u64::MAX << BITS)))).is_none())
        );
        for &key in keys.iter().skip(clears % 3).step_by(3) {
            checked.store(key, key >> 32);
        }
        if clears % 7 == 0 {
            checked.table.grow();
        }
        ages.insert(checked.table.age);
        checked.clear();
    }
    assert_eq!(ages.len(), 255);
    assert!(!ages.contains(&0), "an empty slot has no age");
}

/// So many keys that lie in one bucket.
fn mates(table: &Buckets, count: usize) -> Vec<Mixed> {
    numbers()
        .map(|number| table.key(u128::from(number & 0xffff)))
        .filter(|&key| table.bucket(key) == 0)
        .take(count)
        .collect()
}

#[test]
fn of_a_full_bucket_the_least_work_is_replaced() {
    let mut table = new(16, 64).expect("two buckets");
    let keys = mates(&table, 6);
    let known = |score| Known { least: score, most: score };
    for (score, (&key, nodes)) in keys.iter().zip([1000, 10, 100_000, 500]).enumerate() {
        table.store(key, known(score as Score), nodes);
    }
    table.store(keys[4], known(4), 0);
    let found = |table: &Buckets| keys.iter().map(|&key| table.probe(key).is_some()).collect::<Vec<_>>();
    assert_eq!(found(&table), [true, false, true, true, true, false], "ten nodes were least");
    table.store(keys[5], known(5), 7);
    assert_eq!(found(&table), [true, false, true, true, false, true], "the newest was least");
    table.store(keys[0], known(-7), 0);
    assert_eq!(table.probe(keys[0]), Some(known(-7)), "its own slot, whatever work it held");
    assert_eq!(found(&table), [true, false, true, true, false, true]);
}

#[test]
fn slots_of_another_age_are_replaced_first() {
    let mut table = new(16, 64).expect("two buckets");
    let keys = mates(&table, 8);
    let known = Known { least: 0, most: 1 };
    keys[..4].iter().for_each(|&key| table.store(key, known, u64::MAX >> 1));
    table.reset();
    keys[4..].iter().for_each(|&key| table.store(key, known, 0));
    let found: Vec<bool> = keys.iter().map(|&key| table.probe(key).is_some()).collect();
    assert_eq!(found, [false, false, false, false, true, true, true, true]);
}

#[test]
fn a_table_that_cannot_be_had_is_refused_with_the_reason() {
    let refused = |bits, bytes| new(bits, bytes).map(|_| ()).expect_err("refused");
    assert_eq!(refused(BITS, 0), TableError::TooSmall(0, 64 << 10));
    assert_eq!(refused(BITS, (64 << 10) - 1), TableError::TooSmall((64 << 10) - 1, 64 << 10));
    assert_eq!(refused(2, 63), TableError::TooSmall(63, 64));
    assert!(matches!(refused(BITS, u64::MAX), TableError::OutOfMemory(u64::MAX, _)));
    // Tags hold 38 bits: keys of 63 bits take 2^25 buckets, of 64 bits 2^26.
    assert_eq!(refused(63, 1 << 20), TableError::TooSmall(1 << 20, 1 << 30));
    assert_eq!(refused(64, 1 << 20), TableError::TooSmall(1 << 20, 2 << 30));
    assert_eq!(new(BITS, 64 << 10).map(|table| table.bytes()), Ok(64 << 10));
    assert_eq!(new(BITS, (128 << 10) - 1).map(|table| table.bytes()), Ok(64 << 10), "a power of two");
}
