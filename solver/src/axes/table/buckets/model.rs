//! A model of threads that read and write one table. loom runs the code of [`super::Buckets`] in all orders, and with
//! all values that a relaxed load may see. `.ci/model` runs it.
//!
//! Key `n` has bounds in several versions: no two keys and no two versions share a bound. So a mixture of two entries,
//! or an entry of another key, is never a valid version of the key.
//!
//! The model tries all orders of whole writes to the table, and lets each load see any value that a relaxed load may
//! see. Writes that overlap are covered, too: in the order in which their words are stored, each load sees a value that
//! was stored before, perhaps an old one. For the same reason a thread that only reads may run last. So a small number
//! of interruptions (`preemptions`) is enough for all orders. One case is left out: a load that sees a value which is
//! stored later. Some languages allow it, and loom does not have it.
//!
//! If slots are two words, a thread locks a bucket. Until it unlocks it, others read and write nothing there.

use super::layout::{LongTag, OneWord, TwoWords};
use super::*;
use loom::thread;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A write: the key, the version of its bounds, the nodes behind it.
type Write = (u64, u64, u64);

/// The result of probes: the version of each key, if the table has it.
type Versions = Vec<Option<u64>>;

/// The entries before, the writes of two threads, and the keys that a third thread probes meanwhile.
#[derive(Clone, Copy)]
struct Scene {
    before: &'static [Write],
    writers: [&'static [Write]; 2],
    probed: &'static [u64],
}

impl Scene {
    /// True if a probe of key `number` may give `version`: that version was written, or nothing is found.
    fn allows(self, number: u64, version: Option<u64>) -> bool {
        let mut gives = self.before.iter().chain(self.writers.into_iter().flatten());
        version.is_none_or(|version| gives.any(|write| (write.0, write.1) == (number, version)))
    }
}

/// Four keys fill the bucket; the first has least work, then the second.
const FULL: &[Write] = &[(1, 0, 1), (2, 0, 3), (3, 0, 1000), (4, 0, 1000)];

/// A key that no thread writes.
const UNWRITTEN: u64 = 7;

/// Keys that are all different.
const KEYS: Scene = Scene { before: &[], writers: [&[(1, 0, 5), (2, 0, 5)], &[(3, 0, 5)]], probed: &[1, 3, UNWRITTEN] };

/// Each key is given two versions.
const BOUNDS: Scene = Scene { before: &[], writers: [&[(1, 0, 5), (2, 0, 5)], &[(1, 1, 9)]], probed: &[1, 2, 1] };

/// Two threads write the same keys, in opposite orders.
const CROSSED: Scene = Scene { before: &[], writers: [&[(1, 0, 5), (2, 0, 5)], &[(2, 1, 9), (1, 1, 9)]], probed: &[] };

/// Both threads replace the entry with least work at once.
const REPLACED: Scene = Scene { before: FULL, writers: [&[(5, 0, 2), (1, 1, 4)], &[(6, 0, 2)]], probed: &[1, 6] };

/// One of sixteen keys. With two buckets, the first eight keys share one. Keys differ only in their highest bits.
fn key<L: SlotLayout>(table: &Buckets<L>, number: u64) -> L::Word {
    L::Word::from(number) << (table.key_bits - 4)
}

fn known(number: u64, version: u64) -> Known {
    let bounds = (2 * number + version) as Score;
    Known { least: bounds - 32, most: bounds }
}

fn version<L: SlotLayout>(table: &Buckets<L>, number: u64) -> Option<u64> {
    if number == UNWRITTEN {
        // A slot of two words that is being written may look as if it were of any key, until its bucket is locked.
        let may_know = L::Word::GROUPS == 1 && table.may_know(key(table, number));
        assert!(!may_know && table.probe(key(table, number)).is_none(), "key {number} was never given");
        return None;
    }
    let found = table.probe(key(table, number))?;
    let version = (0..2).find(|&version| found == known(number, version));
    Some(version.unwrap_or_else(|| panic!("key {number} was never given {found:?}")))
}

fn probe<L: SlotLayout>(table: &Buckets<L>, numbers: &[u64]) -> Versions {
    numbers.iter().map(|&number| version(table, number)).collect()
}

fn write<L: SlotLayout>(table: &mut Buckets<L>, writes: &[Write]) {
    for &(number, version, nodes) in writes {
        table.store(key(table, number), known(number, version), nodes);
    }
}

/// All threads wait: [`Table::may_know`] and probes agree.
fn at_rest<L: SlotLayout>(table: &Buckets<L>) -> Versions {
    let found = probe(table, &std::array::from_fn::<u64, 16, _>(|number| number as u64));
    for (number, version) in (0..).zip(&found) {
        assert_eq!(table.may_know(key(table, number)), version.is_some(), "key {number}");
    }
    found
}

/// A word that threads must access before they write. loom sees the conflict and tries both orders. At a word of the
/// table it does not always see it, since it remembers only the last reader. A turn publishes no earlier write.
#[derive(Clone, Default)]
struct Turns {
    word: Arc<loom::sync::atomic::AtomicU64>,
    order: Arc<Mutex<Vec<usize>>>,
}

impl Turns {
    fn take(&self, thread: usize) {
        self.word.compare_exchange(1, 1, Relaxed, Relaxed).expect_err("it is always 0");
        self.order.lock().expect("nobody panicked").push(thread);
    }

    fn order(&self) -> Vec<usize> {
        self.order.lock().expect("nobody panicked").clone()
    }
}

struct ModelledTeam<L: SlotLayout> {
    table: Buckets<L>,
    turns: Turns,
    twins: Vec<Buckets<L>>,
    /// The number of writers that each thread assumes; 0 if each assumes to be alone.
    writers: u32,
}

impl<L: SlotLayout> ModelledTeam<L> {
    fn new(before: &[Write], threads: usize) -> Self {
        let bits = if L::Word::GROUPS == 1 { 16 } else { 72 };
        let contents = Contents::keys(bits);
        let mut table = Buckets::new(TableKind::Buckets, TableSize::Chosen, contents, 2 * Buckets::<L>::BYTES)
            .expect("two buckets");
        write(&mut table, before);
        let twins = (0..threads).map(|_| table.twin().expect("any layout")).collect();
        ModelledTeam { table, turns: Turns::default(), twins, writers: 3 }
    }

    /// Threads follow the table, and write. A thread without writes probes. Returns all results of probes at the end.
    fn meet(&mut self, writers: &[&'static [Write]], probed: &'static [u64]) -> Versions {
        let (arrangement, count) = (self.table.arrangement(), self.writers);
        let twins = std::mem::take(&mut self.twins).into_iter().enumerate();
        let of_threads = writers.iter().copied().zip(twins).map(|(writes, (number, mut twin))| {
            let turns = self.turns.clone();
            thread::spawn(move || {
                twin.follow(arrangement, count);
                for &one in writes {
                    turns.take(number);
                    write(&mut twin, &[one]);
                }
                let found = if writes.is_empty() { probe(&twin, probed) } else { Vec::new() };
                (twin, found)
            })
        });
        let threads: Vec<_> = of_threads.collect();
        let mut all = Vec::new();
        for thread in threads {
            let (twin, found) = thread.join().expect("no panic");
            self.twins.push(twin);
            all.extend(found);
        }
        all
    }
}

/// Runs `run` in all orders with up to `preemptions` interruptions, and counts them. Returns all results.
fn explore<S, F>(name: &str, preemptions: usize, run: F) -> BTreeSet<S>
where
    S: Ord + Send + 'static,
    F: Fn() -> S + Send + Sync + 'static,
{
    let (start, runs, seen) = (Instant::now(), Arc::new(AtomicU64::new(0)), Arc::new(Mutex::new(BTreeSet::new())));
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.max_branches = 10_000;
    let (counted, seeing) = (Arc::clone(&runs), Arc::clone(&seen));
    model.check(move || {
        let one = run();
        seeing.lock().unwrap_or_else(PoisonError::into_inner).insert(one);
        counted.fetch_add(1, Relaxed);
    });
    println!("{name}: {} runs, {} ms", runs.load(Relaxed), start.elapsed().as_millis());
    std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Every probe finds a written version of its key, or nothing. Returns the results of the probes.
fn nothing_is_mixed<L: SlotLayout>(name: &str, scene: Scene) -> BTreeSet<Versions> {
    nothing_is_mixed_by::<L>(3, name, scene)
}

/// [`nothing_is_mixed`] with threads that assume `count` writers.
fn nothing_is_mixed_by<L: SlotLayout>(count: u32, name: &str, scene: Scene) -> BTreeSet<Versions> {
    let writes = scene.writers.map(|writes| writes.len());
    let seen = explore(name, writes[1], move || {
        let mut team = ModelledTeam { writers: count, ..ModelledTeam::<L>::new(scene.before, 3) };
        let found = team.meet(&[scene.writers[0], scene.writers[1], &[]], scene.probed);
        let left = at_rest(&team.table);
        for (number, &version) in scene.probed.iter().copied().zip(&found).chain((0..).zip(&left)) {
            assert!(scene.allows(number, version), "key {number} was never given version {version:?}");
        }
        // If slots are two words, the thread that probes can keep both writers out.
        assert!(L::Word::GROUPS > 1 || left.iter().any(|version| version.is_some()), "all was lost");
        (team.turns.order(), found)
    });
    // Two writes and one have 3 orders, two and two have 6.
    let orders: BTreeSet<_> = seen.iter().map(|(turns, _)| turns).collect();
    assert_eq!((writes[0], orders.len()), (2, [1, 3, 6][writes[1]]), "{name}: {orders:?}");
    seen.into_iter().map(|(_, found)| found).collect()
}

/// The results include `orders`, and `of_one_word` if slots are one word: so threads did overlap.
fn in_every_layout(name: &str, scene: Scene, orders: &[&[Option<u64>]], of_one_word: &[&[Option<u64>]]) {
    for (seen, of_one_word) in [
        (nothing_is_mixed::<OneWord>(name, scene), of_one_word),
        (nothing_is_mixed::<LongTag>(name, scene), of_one_word),
        (nothing_is_mixed::<TwoWords>(name, scene), &[]),
    ] {
        assert!(orders.iter().chain(of_one_word).all(|&found| seen.contains(found)), "{name}: {seen:?}");
    }
}

#[test]
fn different_keys_of_an_empty_bucket() {
    let (no, yes) = (None, Some(0));
    in_every_layout("different keys", KEYS, &[&[no; 3], &[yes, no, no], &[no, yes, no], &[yes, yes, no]], &[]);
}

#[test]
fn one_key_with_different_bounds() {
    let orders: [&[_]; 3] = [&[None; 3], &[Some(0), Some(0), Some(1)], &[Some(1), None, Some(0)]];
    in_every_layout("different bounds", BOUNDS, &orders, &[]);
    in_every_layout("crossed", CROSSED, &[], &[]);
}

#[test]
fn keys_that_replace_each_other() {
    let (no, yes) = (None, Some(0));
    // The last result needs a load of an old value, which a locked bucket does not allow.
    in_every_layout("replaced", REPLACED, &[&[yes, no], &[no, yes], &[Some(1), no]], &[&[yes, yes]]);
}

/// Proof that a torn entry would be found: slots of two words, with threads that lock no buckets.
#[test]
#[should_panic(expected = "was never given")]
fn two_words_of_different_keys_are_torn_unless_buckets_are_locked() {
    nothing_is_mixed_by::<TwoWords>(0, "different keys", KEYS);
}

#[test]
#[should_panic(expected = "was never given")]
fn two_words_that_are_replaced_are_torn_unless_buckets_are_locked() {
    nothing_is_mixed_by::<TwoWords>(0, "replaced", REPLACED);
}

/// A thread that has seen bounds of another thread never sees older ones later.
#[test]
fn versions_that_one_thread_writes_are_seen_in_their_order() {
    let seen = explore("one after another", 1, || {
        let mut team = ModelledTeam::<OneWord>::new(&[(1, 0, 5)], 2);
        let found = team.meet(&[&[(2, 0, 5), (1, 1, 5), (2, 1, 5)], &[]], &[1, 2, 1, 2]);
        assert!(found[0].is_some() && found[0] <= found[2] && found[1] <= found[3], "{found:?}");
        assert_eq!(at_rest(&team.table)[1..3], [Some(1); 2]);
        found
    });
    // Different words may be seen in another order than they were written in.
    for found in [[Some(0), None, Some(1), Some(0)], [Some(0), Some(1), Some(0), Some(1)]] {
        assert!(seen.contains(found.as_slice()), "{seen:?}");
    }
}

/// After the table was cleared and all threads follow, no entry from before is found.
fn the_older_generation_is_not_believed<L: SlotLayout>() {
    let seen = explore("an older generation", 1, || {
        let mut team = ModelledTeam::<L>::new(FULL, 3);
        team.table.reset();
        let found = team.meet(&[&[(1, 1, 1), (5, 1, 1)], &[(2, 1, 1)], &[]], &[1, 3, 2]);
        let left = at_rest(&team.table);
        assert!(!found.iter().chain(&left).any(|&version| version == Some(0)), "{found:?}, {left:?}");
        found
    });
    assert!(seen.contains(&vec![None; 3]) && seen.contains(&vec![Some(1), None, None]), "{seen:?}");
}

#[test]
fn a_cleared_table_knows_nothing_of_before() {
    the_older_generation_is_not_believed::<OneWord>();
    the_older_generation_is_not_believed::<LongTag>();
    the_older_generation_is_not_believed::<TwoWords>();
}

/// Two threads write, all meet, one lets the table grow, and all follow. No entry is lost or mixed with later writes.
fn growth_loses_and_mixes_nothing<L: SlotLayout>() {
    let seen = explore("growth", 1, || {
        let mut team = ModelledTeam::<L>::new(&[], 2);
        // One bucket of the two is in use.
        team.table.follow(Arrangement { tag_bits: team.table.key_bits, used: 1, ..team.table.arrangement() }, 3);
        write(&mut team.table, &[(1, 0, 5)]);
        team.meet(&[&[(2, 0, 5)], &[(10, 0, 5)]], &[]);
        let before = at_rest(&team.table);
        assert!(before[1] == Some(0) && (before[2].is_some() || before[10].is_some()), "{before:?}");
        team.table.grow();
        assert!(team.table.count() == 2 && before == at_rest(&team.table), "{before:?}");
        let found = team.meet(&[&[(1, 1, 5), (11, 0, 5)], &[]], &[1, 2, 10, 11]);
        // If buckets are locked, a writer and the thread that probes can keep each other out.
        let is_kept_out = |version: Option<u64>| L::Word::GROUPS > 1 && version.is_none();
        assert!(found[0].is_some() || is_kept_out(found[0]), "{found:?}");
        for (found, before) in [(found[1], before[2]), (found[2], before[10])] {
            assert!(found == before || is_kept_out(found), "{found:?}, {before:?}");
        }
        let after = at_rest(&team.table);
        assert_eq!([after[2], after[10]], [before[2], before[10]]);
        assert!(after[1] == Some(1) || L::Word::GROUPS > 1 && after[1] == Some(0), "{after:?}");
        assert!(after[11] == Some(0) || is_kept_out(after[11]), "{after:?}");
        found
    });
    // Both found one empty slot, and the later write has it; or each found its own.
    for found in [[Some(0), Some(0), None, None], [Some(1), None, Some(0), None], [Some(0), Some(0), Some(0), Some(0)]]
    {
        assert!(seen.contains(found.as_slice()), "{seen:?}");
    }
}

#[test]
fn a_table_that_grows_between_two_meetings_knows_what_it_knew() {
    growth_loses_and_mixes_nothing::<OneWord>();
    growth_loses_and_mixes_nothing::<LongTag>();
    growth_loses_and_mixes_nothing::<TwoWords>();
}
