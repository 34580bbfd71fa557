//! Buckets: a stored entry is found until it is cleared or replaced, under its own key alone, at every size.

use super::layout::{AnyWord, LongTag, OneWord, TwoWords};
use super::*;
use std::collections::{HashMap, HashSet};

fn of_layout<L: SlotLayout>(bits: u32, bytes: u64) -> Result<Buckets<L>, TableError> {
    Table::new(TableKind::Buckets, TableSize::Chosen, Contents::keys(bits), bytes)
}

fn new(bits: u32, bytes: u64) -> Result<Buckets<OneWord>, TableError> {
    of_layout(bits, bytes)
}

const BITS: u32 = 49;

/// Numbers without a pattern that could help a table (splitmix64).
fn numbers() -> impl Iterator<Item = u64> {
    (1u64..).map(|index| {
        let mut word = index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    })
}

/// Bounds of all sizes that a layout accepts, the widest among them.
fn bounds<L: SlotLayout>(number: u64) -> Known {
    let (all, zero) = (2 * L::ZERO as u64, L::ZERO);
    let (one, other) = ((number % all) as Score - zero, (number / all % (all - 1)) as Score - zero + 1);
    Known { least: one.min(other), most: one.max(other) }
}

fn spread(number: u64) -> u128 {
    u128::from(number.wrapping_mul(0xbf58_476d_1ce4_e5b9)) << 64 | u128::from(number)
}

struct Checked<L: SlotLayout> {
    table: Buckets<L>,
    bits: u32,
    given: HashMap<u128, Known>,
}

impl<L: SlotLayout> Checked<L> {
    fn of(bits: u32, bytes: u64) -> Self {
        let table = of_layout(bits, bytes).unwrap_or_else(|error| panic!("{bits} bits, {bytes} bytes: {error}"));
        Checked { table, bits, given: HashMap::new() }
    }

    fn store(&mut self, number: u64, nodes: u64) {
        self.store_key(spread(number) & !(u128::MAX << self.bits), bounds::<L>(number >> 20), nodes);
    }

    fn store_key(&mut self, key: u128, known: Known, nodes: u64) {
        let mixed = self.table.key(key);
        self.given.insert(key, known);
        self.table.store(mixed, known, nodes);
        assert_eq!(self.table.probe(mixed), Some(known), "{} bits, key {key:#x}", self.bits);
    }

    /// The keys that the table knows. Checks that it gives the last stored bounds of each.
    fn found(&self) -> Vec<u128> {
        let mut keys: Vec<u128> = self.given.keys().copied().collect();
        keys.retain(|&key| {
            let mixed = self.table.key(key);
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
        assert_eq!(self.found(), Vec::<u128>::new(), "a cleared table knows nothing");
        self.given.clear();
    }
}

#[test]
fn no_two_keys_are_mixed_into_one() {
    let table = new(16, 1 << 12).expect("a table");
    let mixed: HashSet<u64> = (0..1u64 << 16).map(|key| table.key(u128::from(key))).collect();
    assert_eq!((mixed.len(), mixed.iter().max()), (1 << 16, Some(&((1 << 16) - 1))));
}

fn are_told_apart_at<L: SlotLayout>(bits: u32, bytes: u64) {
    let mut checked = Checked::<L>::of(bits, bytes);
    for number in numbers().take(2_000) {
        checked.store(number, number >> 40);
    }
    let found = checked.found();
    let slots = checked.table.bytes() / Buckets::<L>::BYTES * WAYS as u64;
    assert!(!found.is_empty() && found.len() as u64 <= slots, "{bits} bits, {bytes} bytes");
    for key in (0..1 << bits).filter(|key| !checked.given.contains_key(key)) {
        let found = checked.table.probe(checked.table.key(key));
        assert_eq!(found, None, "{bits} bits, key {key:#x} was never stored");
    }
    checked.clear();
}

/// Few bits and few slots, so that keys collide everywhere. Only stored keys are found, with their bounds.
#[test]
fn keys_are_told_apart_at_every_size() {
    for (bits, bytes) in [(2, 64), (5, 64), (12, 64), (12, 1 << 10), (12, 1 << 20), (16, 100), (16, 1 << 16)] {
        are_told_apart_at::<OneWord>(bits, bytes);
        are_told_apart_at::<LongTag>(bits, bytes);
        are_told_apart_at::<TwoWords>(bits, 2 * bytes);
    }
}

/// In one bucket, tags tell keys apart that differ in one bit, in either word of a slot and in its highest bit.
#[test]
fn tags_that_differ_in_one_bit_are_told_apart() {
    fn tags<L: SlotLayout>(bits: u32, bytes: u64) {
        let mut table = of_layout::<L>(bits, bytes).expect("a table");
        let known = |score| Known { least: score, most: score };
        for bit in 0..table.tag_bits {
            let [one, other] = [L::Word::default(), L::Word::from(1) << bit];
            table.store(one, known(-1), 1);
            table.store(other, known(1), 1);
            assert_eq!([one, other].map(|key| table.probe(key)), [Some(known(-1)), Some(known(1))], "{bits}: {bit}");
            table.reset();
            assert_eq!([one, other].map(|key| table.probe(key)), [None; 2], "{bits}: {bit}");
        }
    }
    tags::<OneWord>(56, 8 << 20);
    tags::<AnyWord>(64, 16 << 20);
    tags::<TwoWords>(72, 128);
    tags::<TwoWords>(81, 128);
    tags::<TwoWords>(98, 128);
}

/// Scores of the largest boards, under keys whose highest bits are set.
#[test]
fn far_scores_are_kept_in_two_words() {
    for bits in [64, 65, 72, 80, 81] {
        let mut checked = Checked::<TwoWords>::of(bits, 1 << 20);
        for least in -37..=36 {
            for most in least..=36 {
                let key = !(u128::MAX << bits) ^ ((least + 37) * 74 + most + 37) as u128;
                checked.store_key(key, Known { least, most }, 1);
            }
        }
        assert!(checked.found().len() > 2_500);
    }
    let contents = |limit| Contents { key_bits: 64, limit };
    let new = |limit| Buckets::<AnyWord>::new(TableKind::Buckets, TableSize::Chosen, contents(limit), 16 << 20);
    assert!(new(31).is_ok());
    assert_eq!(new(32).map(|_| ()), Err(TableError::ScoresTooFar(32, 31)));
}

/// A table with many writes doubles up to its largest size and loses no entry; a cleared one is small again.
#[test]
fn a_table_grows_without_a_loss_and_clearing_makes_it_small() {
    let mut checked = Checked::<OneWord>::of(BITS, 8 << 20);
    let (first, last) = (BITS - 12, BITS - 18);
    for round in 0..2 {
        assert_eq!(checked.table.tag_bits, first, "round {round}");
        let mut numbers = numbers().skip(round * 1_000_000);
        for _ in 0..50_000 {
            checked.store(numbers.next().expect("endless"), 1);
        }
        for shift in (last..first).rev() {
            let before = checked.found();
            checked.table.grow();
            assert_eq!(checked.table.tag_bits, shift);
            assert_eq!(checked.found(), before, "round {round}");
            numbers.by_ref().take(50_000).for_each(|number| checked.store(number, 2));
        }
        checked.table.grow();
        assert_eq!(checked.table.tag_bits, last, "as large as it may get");
        assert!(checked.found().len() > 150_000);
        checked.clear();
    }
}

/// It grows by itself after [`growth`] writes for each slot, and not before.
#[test]
fn a_table_grows_with_its_use() {
    let mut table = new(BITS, 4 << 20).expect("a table");
    let writes = |table: &mut Buckets<OneWord>, count: u64| {
        (0..count).for_each(|key| table.store(table.key(u128::from(key)), Known { least: 0, most: 0 }, 1));
    };
    let shift = table.tag_bits;
    for doubled in 0..5 {
        let slots = FIRST_SLOTS << doubled;
        assert_eq!(growth(slots), if doubled < 4 { 4 } else { 64 }, "{slots} slots");
        writes(&mut table, growth(slots) * slots - 1);
        assert_eq!(table.tag_bits, shift - doubled);
        writes(&mut table, 1);
        assert_eq!(table.tag_bits, shift - doubled - 1);
    }
    assert_eq!((table.bytes(), table.count() as u64 * Buckets::<OneWord>::BYTES), (4 << 20, 4 << 20));
}

#[test]
fn a_table_grows_to_what_it_is_asked_for_and_no_further() {
    let mut checked = Checked::<OneWord>::of(BITS, 4 << 20);
    numbers().take(10_000).for_each(|number| checked.store(number, 1));
    let before = checked.found();
    let in_use = |table: &Buckets<OneWord>| table.count() as u64 * Buckets::<OneWord>::BYTES;
    for (asked, used) in
        [(0, 128 << 10), (1 << 20, 1 << 20), (1 << 18, 1 << 20), ((1 << 20) + 1, 2 << 20), (1 << 40, 4 << 20)]
    {
        checked.table.grow_to(asked);
        assert_eq!(in_use(&checked.table), used, "{asked} bytes");
        assert_eq!(checked.found(), before, "{asked} bytes");
    }
}

/// No entry of an older search is found, at any earlier size of the table, even after ages repeat.
fn nothing_outlives_a_clear<const AGE_BITS: u32>(clears: usize, ages: usize) {
    let mut checked = Checked::<OneWord<AGE_BITS>>::of(BITS, 4 << 20);
    let mut seen = HashSet::new();
    let keys: Vec<u64> = numbers().take(500).collect();
    for clears in 0..clears {
        let is_known =
            |&key: &u64| checked.table.probe(checked.table.key(spread(key) & !(u128::MAX << BITS))).is_some();
        assert!(!keys.iter().any(is_known), "{clears}");
        for &key in keys.iter().skip(clears % 3).step_by(3) {
            checked.store(key, key >> 32);
        }
        if clears % 7 == 0 {
            checked.table.grow();
        }
        seen.insert(checked.table.age);
        checked.clear();
    }
    assert_eq!(seen.len(), ages);
    assert!(!seen.contains(&0), "an empty slot has no age");
}

#[test]
fn nothing_outlives_a_clear_by_age_or_by_zeros() {
    nothing_outlives_a_clear::<8>(600, 255);
    nothing_outlives_a_clear::<1>(20, 1);
}

fn mates(table: &Buckets<OneWord>, count: usize) -> Vec<u64> {
    numbers()
        .map(|number| table.key(u128::from(number & 0xffff)))
        .filter(|&key| table.index(key) == 0)
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
    let found = |table: &Buckets<OneWord>| keys.iter().map(|&key| table.probe(key).is_some()).collect::<Vec<_>>();
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
    // Tags hold 38 bits: keys of 56 bits take 2^18 buckets. Longer tags hold 45: keys of 64 bits take 2^19.
    assert_eq!(refused(56, 1 << 20), TableError::TooSmall(1 << 20, 8 << 20));
    let long = |bytes| of_layout::<AnyWord>(64, bytes).map(|table| table.bytes());
    assert_eq!(
        (long((16 << 20) - 1), long(16 << 20)),
        (Err(TableError::TooSmall((16 << 20) - 1, 16 << 20)), Ok(16 << 20))
    );
    assert_eq!(refused(65, 1 << 30), TableError::KeyTooWide(65, 64));
    assert_eq!(of_layout::<TwoWords>(81, 128).map(|table| table.bytes()), Ok(128));
    assert_eq!(of_layout::<TwoWords>(81, 127).map(|_| ()), Err(TableError::TooSmall(127, 128)));
    assert_eq!(new(BITS, 64 << 10).map(|table| table.bytes()), Ok(64 << 10));
    assert_eq!(new(BITS, (128 << 10) - 1).map(|table| table.bytes()), Ok(64 << 10), "a power of two");
}

/// Two threads write to one table. After one of them grows it and the other follows, both find all entries.
fn twins_follow<L: SlotLayout>(bits: u32) {
    let mut one = of_layout::<L>(bits, 16 << 20).expect("memory");
    let mut other = one.twin().expect("any layout");
    let start = one.arrangement();
    one.follow(start, 2);
    other.follow(start, 2);
    let slots = one.count() * WAYS;
    // Only the last ones are probed: a full bucket forgets.
    let keys: Vec<u128> = numbers().map(|number| u128::from(number) >> (64 - bits)).take(10 * slots).collect();
    let mut written = 0;
    while !(one.wants_growth() && other.wants_growth()) {
        let (key, known) = (keys[written], bounds::<L>(written as u64));
        let writer = if written.is_multiple_of(2) { &mut one } else { &mut other };
        writer.store(writer.key(key), known, 5);
        for reader in [&one, &other] {
            assert_eq!(reader.probe(reader.key(key)), Some(known));
        }
        written += 1;
    }
    assert_eq!(written as u64, growth(slots as u64) * slots as u64, "all writes of both count");
    assert_eq!(one.count() * WAYS, slots, "it has not grown yet");
    let knows = |table: &Buckets<L>| -> Vec<Option<Known>> {
        keys[..written].iter().map(|&key| table.probe(table.key(key))).collect()
    };
    let before = knows(&one);
    assert!(before.iter().flatten().count() > slots / 2);
    one.grow();
    other.follow(one.arrangement(), 2);
    assert_eq!((one.count() * WAYS, other.count() * WAYS), (2 * slots, 2 * slots));
    assert!(knows(&one) == before && knows(&other) == before);
    assert!(!one.wants_growth() && !other.wants_growth() && one.arrangement().is_alike(other.arrangement()));
    // Alone again, it grows by itself.
    one.follow(one.arrangement(), 0);
    let mut more = numbers().map(|number| u128::from(number) >> (64 - bits)).skip(written);
    while one.count() * WAYS == 2 * slots {
        one.store(one.key(more.next().expect("no end")), Known::at_least(1).and(Known::at_most(2)), 5);
    }
}

#[test]
fn twins_write_to_one_table_and_follow_each_other() {
    twins_follow::<OneWord>(BITS);
    twins_follow::<AnyWord>(60);
    twins_follow::<TwoWords>(64);
}
