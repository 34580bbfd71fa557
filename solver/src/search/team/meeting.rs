//! A meeting: the threads of a team read the question, hand in its answer, wait for each other, and mark their nodes.
//!
//! A thread marks the large nodes on its path ([`Parting`](super::Parting)), and tests whether other threads are at a
//! child. Each thread has marks: a cache line that only it writes, with a place for each number of stones. So a mark
//! costs a plain write.
//!
//! ```text
//! marks     thread 0   | ... | 12 stones: key | 13: key | 14: none | ...
//!           thread 1   | ... | 12 stones: key | 13: key | 14: key  | ...
//! ```
//!
//! Keys are compared by 31 bits. A collision may put a move off in vain; no score changes.
//!
//! A thread that finds the value of a node notifies the other threads at that node. So a thread need not probe the
//! nodes on its path again and again, in lines that others may have written. Two threads may miss each other, when one
//! comes as the other leaves. So a thread probes its path now and then without a notice.

use crate::axes::table::{Arrangement, SharedTable, Table};
use crate::game::score::Score;
use crate::search::node::{NodeOf, STOPPED};
use crate::search::searcher::Searcher;
use crate::search::team::LOOKS_EVERY;
use crate::search::threads::Threads;
use crate::search::variant::Variant;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The state that the threads of a team share besides the table.
pub(in crate::search) struct Meeting<V: Variant> {
    pub(in crate::search) threads: Threads,
    state: Mutex<StateOf<V>>,
    changed: Condvar,
    /// The number of the open question; 0 if none is open.
    open: AtomicU64,
    /// True if the table is to grow: all threads wait for that.
    pauses: AtomicBool,
    /// Nodes that the team may still enter.
    left: AtomicU64,
    pub(super) marks: Box<[Marks]>,
}

type StateOf<V> = State<(NodeOf<V>, Score)>;

/// The state under the lock.
#[derive(Default)]
struct State<Q> {
    number: u64,
    /// The node and bound of the question, while it is open.
    question: Option<Q>,
    answer: Option<Score>,
    arrangement: Arrangement,
    /// Helpers that work on the question.
    present: u32,
    /// Threads that may write to the table.
    active: u32,
    /// Active threads that wait for the table to grow.
    resting: u32,
    growths: u64,
    /// Nodes of helpers since the leader last collected them.
    nodes: u64,
    is_broken: bool,
    ends: bool,
}

impl<V: Variant> Meeting<V> {
    pub(super) fn new(threads: Threads) -> Self {
        Meeting {
            threads,
            state: Mutex::default(),
            changed: Condvar::new(),
            open: AtomicU64::new(0),
            pauses: AtomicBool::new(false),
            left: AtomicU64::new(u64::MAX),
            marks: Marks::of(threads.count),
        }
    }

    fn state(&self) -> MutexGuard<'_, StateOf<V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, StateOf<V>>) -> MutexGuard<'a, StateOf<V>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a question with the arrangement of the leader's table and up to `most_nodes` nodes. Returns its number.
    pub(super) fn open(&self, (node, alpha): (NodeOf<V>, Score), arrangement: Arrangement, most_nodes: u64) -> u64 {
        let mut state = self.state();
        state.number += 1;
        (state.question, state.answer, state.arrangement) = (Some((node, alpha)), None, arrangement);
        (state.active, state.resting) = (1, 0);
        self.left.store(most_nodes, Relaxed);
        self.pauses.store(false, Relaxed);
        let number = state.number;
        self.open.store(number, Release);
        drop(state);
        self.changed.notify_all();
        number
    }

    /// Hands in an answer to the question; [`STOPPED`] is none. The first answer closes the question.
    fn hand_in(&self, state: &mut StateOf<V>, value: Score) {
        if value != STOPPED && state.answer.is_none() {
            state.answer = Some(value);
            self.close(state);
        }
    }

    fn close(&self, state: &mut StateOf<V>) {
        state.question = None;
        self.open.store(0, Release);
        self.changed.notify_all();
    }

    /// Called by the leader at the end of a question: closes it, and waits until no helper works on it. Returns the
    /// answer, if there is one, the arrangement of the table, and the nodes of the helpers.
    pub(super) fn hear(&self, value: Score, table: &mut V::Table) -> (Score, Arrangement, u64) {
        let mut state = self.state();
        self.hand_in(&mut state, value);
        self.close(&mut state);
        self.leave(&mut state, table);
        while state.present != 0 {
            state = self.wait(state);
        }
        assert!(!state.is_broken, "a thread of the search panicked");
        (state.answer.unwrap_or(STOPPED), state.arrangement, std::mem::take(&mut state.nodes))
    }

    #[inline(always)]
    pub(super) fn is_open(&self, question: u64) -> bool {
        self.open.load(Acquire) == question
    }

    /// Takes up to `wanted` nodes from those that the team may enter; 0 if none is left. Without a limit nothing is
    /// written, since all threads read this cache line.
    pub(super) fn draw(&self, wanted: u64) -> u64 {
        if self.left.load(Relaxed) == u64::MAX {
            return wanted;
        }
        let before = self.left.fetch_update(AcqRel, Acquire, |left| (left > 0).then(|| left.saturating_sub(wanted)));
        before.map_or(0, |left| left.min(wanted))
    }

    pub(super) fn ask_to_pause(&self) {
        self.pauses.store(true, Release);
    }

    /// If the table is to grow, waits until it has.
    #[inline(always)]
    pub(super) fn pause(&self, table: &mut V::Table) {
        if self.pauses.load(Acquire) {
            self.rest(table);
        }
    }

    fn rest(&self, table: &mut V::Table) {
        let mut state = self.state();
        if !self.pauses.load(Acquire) {
            // It has grown in the meantime.
            return self.follow(&state, table);
        }
        state.resting += 1;
        if state.resting == state.active {
            self.grow(&mut state, table);
        } else {
            let growths = state.growths;
            while state.growths == growths {
                state = self.wait(state);
            }
            self.follow(&state, table);
        }
    }

    fn follow(&self, state: &StateOf<V>, table: &mut V::Table) {
        table.follow(state.arrangement, self.threads.count);
    }

    /// Lets the table grow. All threads that may write to it wait.
    fn grow(&self, state: &mut StateOf<V>, table: &mut V::Table) {
        self.follow(state, table);
        table.grow();
        state.arrangement = table.arrangement();
        state.resting = 0;
        state.growths += 1;
        self.pauses.store(false, Release);
        self.changed.notify_all();
    }

    /// A thread stops writing to the table. If all others wait for the table to grow, it grows.
    fn leave(&self, state: &mut StateOf<V>, table: &mut V::Table) {
        state.active -= 1;
        if self.pauses.load(Acquire) && state.resting == state.active && state.active > 0 {
            self.grow(state, table);
        }
        self.changed.notify_all();
    }

    pub(super) fn help(&self, mut searcher: Searcher<V>, id: u32) {
        let mut heard = 0;
        loop {
            let mut state = self.state();
            while !state.ends && (state.question.is_none() || state.number == heard) {
                state = self.wait(state);
            }
            if state.ends {
                return;
            }
            heard = state.number;
            let Some(question) = state.question else { continue };
            state.present += 1;
            state.active += 1;
            self.follow(&state, &mut searcher.table);
            drop(state);
            // If it panics, the others must not wait for it.
            let answer = catch_unwind(AssertUnwindSafe(|| searcher.help(self, (id, heard), question)));
            let mut state = self.state();
            let Ok((value, nodes)) = answer else { return self.breaks(&mut state) };
            state.nodes += nodes;
            self.hand_in(&mut state, value);
            state.present -= 1;
            self.leave(&mut state, &mut searcher.table);
        }
    }

    fn breaks(&self, state: &mut StateOf<V>) {
        state.is_broken = true;
        (state.present, state.active) = (state.present - 1, state.active - 1);
        if self.pauses.swap(false, AcqRel) {
            // No thread grows the table now: the waiting threads go on.
            state.resting = 0;
            state.growths += 1;
        }
        self.close(state);
    }

    pub(super) fn end(&self) {
        self.state().ends = true;
        self.changed.notify_all();
    }
}

/// Places of a thread. On a board of more squares two of its nodes may share a place: then the later one is marked.
const PLACES: usize = 64;
/// The nodes of a child from which other threads are notified. A notice of a smaller child would come too late.
const WORTH_TELLING: u64 = LOOKS_EVERY;
const NOWHERE: u32 = 0;

/// The marks of a thread. Processors fetch lines of 64 bytes in pairs.
#[repr(align(128))]
pub(super) struct Marks {
    /// A key for each number of stones, or [`NOWHERE`].
    keys: [AtomicU32; PLACES],
    /// True if another thread has found the value of one of them since this thread last asked.
    told: AtomicBool,
}

/// A marked node: the number of its key, and its stones.
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
    fn key_in(self, marks: &Marks) -> &AtomicU32 {
        &marks.keys[self.stones as usize % PLACES]
    }
}

impl Marks {
    pub(super) fn of(threads: u32) -> Box<[Self]> {
        let keys = || std::array::from_fn(|_| AtomicU32::new(NOWHERE));
        (0..threads).map(|_| Marks { keys: keys(), told: AtomicBool::new(false) }).collect()
    }

    /// Marks that the thread is at `node`. This replaces its mark of a node with as many stones.
    #[inline(always)]
    pub(super) fn set(&self, node: Marked) {
        node.key_in(self).store(node.sign(), Relaxed);
    }

    #[inline(always)]
    pub(super) fn clear(&self, node: Marked) {
        node.key_in(self).store(NOWHERE, Relaxed);
    }

    #[inline(always)]
    fn has(&self, node: Marked) -> bool {
        node.key_in(self).load(Relaxed) == node.sign()
    }

    /// True if the thread was notified since its last call.
    #[inline(always)]
    pub(super) fn was_told(&self) -> bool {
        let was = self.told.load(Relaxed);
        if was {
            self.told.store(false, Relaxed);
        }
        was
    }
}

impl Marked {
    /// The marks of the threads at this node, except those of thread `id`.
    #[inline(always)]
    pub(super) fn others(self, all: &[Marks], id: u32) -> impl Iterator<Item = &Marks> {
        let others = all.iter().enumerate().filter(move |(other, _)| *other != id as usize);
        others.map(|(_, marks)| marks).filter(move |marks| marks.has(self))
    }

    /// Thread `id` has found the value of this node after `nodes` nodes: notifies all other threads at it.
    #[inline(always)]
    pub(super) fn tell_others(self, all: &[Marks], id: u32, nodes: u64) {
        if nodes >= WORTH_TELLING {
            self.others(all, id).for_each(|marks| marks.told.store(true, Relaxed));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Marked, Marks, WORTH_TELLING};

    #[test]
    fn a_mark_is_there_until_the_last_has_left() {
        for threads in [2, 3, 256] {
            let marks = Marks::of(threads);
            let meets = |id: u32, node: Marked| node.others(&marks, id).next().is_some();
            for (number, stones) in [(0, 0), (1, 17), (77, 31), (u64::MAX, 63)] {
                let (node, other) = (Marked { number, stones }, Marked { number: number ^ 1 << 20, stones });
                assert!(!meets(0, node) && !meets(1, node));
                marks[0].set(node);
                assert!(meets(1, node) && !meets(1, other) && !meets(0, node), "nobody meets itself");
                marks[1].set(node);
                assert!(meets(0, node) && meets(1, node));
                marks[0].clear(node);
                assert!(meets(0, node) && !meets(0, other) && !meets(1, node));
                assert!(!meets(0, Marked { stones: stones + 1, ..node }), "a key has one number of stones");
                marks[1].clear(node);
                assert!(!meets(0, node) && !meets(1, node));
            }
        }
    }

    #[test]
    fn a_thread_at_a_node_is_told_of_it_once() {
        let (marks, node) = (Marks::of(2), Marked { number: 5, stones: 9 });
        marks[1].set(node);
        node.tell_others(&marks, 1, WORTH_TELLING);
        Marked { number: 6, ..node }.tell_others(&marks, 0, WORTH_TELLING);
        node.tell_others(&marks, 0, WORTH_TELLING - 1);
        assert_eq!([0, 1].map(|id: usize| marks[id].was_told()), [false; 2]);
        node.tell_others(&marks, 0, WORTH_TELLING);
        assert_eq!([0, 1, 1].map(|id: usize| marks[id].was_told()), [false, true, false]);
    }
}
