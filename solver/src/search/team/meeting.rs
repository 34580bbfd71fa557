//! A meeting: where the threads of a team find the question, hand in the answer, and wait for each other.

use crate::axes::table::{Arrangement, Table};
use crate::game::score::Score;
use crate::search::node::{NodeOf, STOPPED};
use crate::search::searcher::Searcher;
use crate::search::team::baton::Baton;
use crate::search::team::brothers::Offer;
use crate::search::team::marks::Marks;
use crate::search::team::{LOOKS_EVERY, Threads};
use crate::search::variant::Variant;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a thread waits before it looks at limits again.
const SHORTLY: Duration = Duration::from_millis(10);

/// What the threads of a team share besides the table.
pub(in crate::search) struct Meeting<V: Variant> {
    pub(super) threads: Threads,
    state: Mutex<State<V>>,
    changed: Condvar,
    /// The question that is open; 0 when none is.
    open: AtomicU64,
    /// Whether the table is to grow: all wait for that.
    pauses: AtomicBool,
    /// Nodes that the team may still enter.
    left: AtomicU64,
    pub(super) marks: Marks,
    pub(super) baton: Option<Baton>,
    /// Nodes of simulated searches that the leader entered alone.
    alone: AtomicU64,
}

/// What changes under the lock.
struct State<V: Variant> {
    /// Counts the questions.
    number: u64,
    /// What is asked, while it is open.
    question: Option<(NodeOf<V>, Score)>,
    answer: Option<Score>,
    /// How the table is arranged.
    arrangement: Arrangement,
    /// Helpers that take part in the question.
    present: u32,
    /// Threads that may write to the table.
    active: u32,
    /// Those of them that wait for it to grow.
    resting: u32,
    /// How often it grew.
    growths: u64,
    /// Nodes of helpers since the leader asked for them last.
    nodes: u64,
    /// Moves of a node that anybody may search, the first offer first.
    offers: Vec<Arc<Offer<V>>>,
    /// A thread panicked.
    is_broken: bool,
    ends: bool,
}

impl<V: Variant> Meeting<V> {
    pub(super) fn new(threads: Threads, baton: Option<Baton>) -> Self {
        let state = State {
            number: 0,
            question: None,
            answer: None,
            arrangement: Arrangement::default(),
            present: 0,
            active: 0,
            resting: 0,
            growths: 0,
            nodes: 0,
            offers: Vec::new(),
            is_broken: false,
            ends: false,
        };
        Meeting {
            threads,
            state: Mutex::new(state),
            changed: Condvar::new(),
            open: AtomicU64::new(0),
            pauses: AtomicBool::new(false),
            left: AtomicU64::new(u64::MAX),
            marks: Marks::of(threads.count),
            baton,
            alone: AtomicU64::new(0),
        }
    }

    fn state(&self) -> MutexGuard<'_, State<V>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State<V>>) -> MutexGuard<'a, State<V>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits, but not for long: whoever waits so looks at limits in between.
    fn wait_shortly<'a>(&self, state: MutexGuard<'a, State<V>>) -> MutexGuard<'a, State<V>> {
        self.changed.wait_timeout(state, SHORTLY).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Waits until something holds. A simulated thread hands its baton on meanwhile.
    fn wait_until<'a>(
        &'a self,
        id: u32,
        mut state: MutexGuard<'a, State<V>>,
        mut holds: impl FnMut(&State<V>) -> bool,
    ) -> MutexGuard<'a, State<V>> {
        while !holds(&state) {
            state = match &self.baton {
                None => self.wait_shortly(state),
                Some(baton) => {
                    drop(state);
                    baton.pass(id);
                    self.state()
                }
            };
        }
        state
    }

    /// Opens a question, asked by the leader of a table. The team may enter so many nodes. It says the number of the question.
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
        if let Some(baton) = &self.baton {
            baton.join(0);
        }
        number
    }

    /// Hands in what came of the question; [`STOPPED`] is nothing. The first answer closes it.
    fn hand_in(&self, state: &mut State<V>, value: Score) {
        if value != STOPPED && state.answer.is_none() {
            state.answer = Some(value);
            self.close(state);
        }
    }

    fn close(&self, state: &mut State<V>) {
        state.question = None;
        self.open.store(0, Release);
        self.changed.notify_all();
    }

    /// The leader is done with a question: it closes it, and waits until no helper takes part any more. It gives the answer, if there
    /// is one, how the table is arranged, and the nodes of the helpers.
    pub(super) fn hear(&self, value: Score, table: &mut V::Table) -> (Score, Arrangement, u64) {
        let mut state = self.state();
        self.hand_in(&mut state, value);
        self.close(&mut state);
        self.leave(&mut state, table);
        let mut state = self.wait_until(0, state, |state| state.present == 0);
        if let Some(baton) = &self.baton {
            baton.leave(0);
        }
        assert!(!state.is_broken, "a thread of the search panicked");
        state.offers.clear();
        (state.answer.unwrap_or(STOPPED), state.arrangement, std::mem::take(&mut state.nodes))
    }

    /// Whether a question is open still.
    #[inline(always)]
    pub(super) fn is_open(&self, question: u64) -> bool {
        self.open.load(Acquire) == question
    }

    /// Takes nodes out of what the team may enter, `wanted` at most; 0 when there are none. Where there is no limit nothing is written: all
    /// threads read this line.
    pub(super) fn draw(&self, wanted: u64) -> u64 {
        if self.left.load(Relaxed) == u64::MAX {
            return wanted;
        }
        let before = self.left.fetch_update(AcqRel, Acquire, |left| (left > 0).then(|| left.saturating_sub(wanted)));
        before.map_or(0, |left| left.min(wanted))
    }

    /// Nodes between two looks around of a thread that looks around now: a simulated one hands its baton on.
    pub(super) fn next_turn(&self, id: u32) -> u64 {
        self.baton.as_ref().map_or(LOOKS_EVERY, |baton| baton.pass(id))
    }

    /// A thread goes back to a node above, with so many nodes until it looks around again. A simulated one has the rest of its turn there.
    pub(super) fn goes_back(&self, id: u32, rest: u64) {
        if let Some(baton) = &self.baton {
            baton.keep(id, rest);
        }
    }

    /// Asks all to wait while the table grows.
    pub(super) fn ask_to_pause(&self) {
        self.pauses.store(true, Release);
    }

    /// Waits where the table is to grow, until it has.
    #[inline(always)]
    pub(super) fn pause(&self, id: u32, table: &mut V::Table) {
        if self.pauses.load(Acquire) {
            self.rest(id, table);
        }
    }

    fn rest(&self, id: u32, table: &mut V::Table) {
        let mut state = self.state();
        if !self.pauses.load(Acquire) {
            // It has grown meanwhile.
            return self.follow(&state, table);
        }
        state.resting += 1;
        if state.resting == state.active {
            self.grow(&mut state, table);
        } else {
            let growths = state.growths;
            let state = self.wait_until(id, state, |state| state.growths != growths);
            self.follow(&state, table);
        }
    }

    fn follow(&self, state: &State<V>, table: &mut V::Table) {
        table.follow(state.arrangement, self.threads.count);
    }

    /// Lets the table grow. All who may write to it wait.
    fn grow(&self, state: &mut State<V>, table: &mut V::Table) {
        self.follow(state, table);
        table.grow();
        state.arrangement = table.arrangement();
        state.resting = 0;
        state.growths += 1;
        self.pauses.store(false, Release);
        self.changed.notify_all();
    }

    /// A thread no longer writes to the table. If all others wait for it to grow, it does.
    fn leave(&self, state: &mut State<V>, table: &mut V::Table) {
        state.active -= 1;
        if self.pauses.load(Acquire) && state.resting == state.active && state.active > 0 {
            self.grow(state, table);
        }
        self.changed.notify_all();
    }

    /// A thread writes to the table again.
    fn come_back(&self, state: &mut State<V>, table: &mut V::Table) {
        state.active += 1;
        self.follow(state, table);
    }

    /// The life of a helper.
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
            self.come_back(&mut state, &mut searcher.table);
            drop(state);
            if let Some(baton) = &self.baton {
                baton.join(id);
            }
            let broken = Broken(self);
            let (value, nodes) = searcher.help(self, (id, heard), question);
            std::mem::forget(broken);
            let mut state = self.state();
            state.nodes += nodes;
            self.hand_in(&mut state, value);
            state.present -= 1;
            self.leave(&mut state, &mut searcher.table);
            if let Some(baton) = &self.baton {
                baton.leave(id);
            }
        }
    }

    /// No question will follow.
    pub(super) fn end(&self) {
        self.state().ends = true;
        self.changed.notify_all();
    }

    /// Offers moves of a node to whoever is idle.
    pub(super) fn offer(&self, offer: &Arc<Offer<V>>) {
        self.state().offers.push(Arc::clone(offer));
        self.changed.notify_all();
    }

    /// Takes an offer back: nothing is left of it, or nobody needs it.
    pub(super) fn take_back(&self, offer: &Arc<Offer<V>>) {
        self.state().offers.retain(|other| !Arc::ptr_eq(other, offer));
        self.changed.notify_all();
    }

    /// Tells those who wait that something of an offer has changed.
    pub(super) fn tell(&self) {
        // Whoever looks and then waits holds the lock in between.
        drop(self.state());
        self.changed.notify_all();
    }

    /// Waits, out of the table, until there is an offer of which something is left, or until something else holds, or the question is
    /// closed. Of several offers it gives the one with fewest stones. `within`: only of moves below that one.
    pub(super) fn find_offer(
        &self,
        (id, question): (u32, u64),
        table: &mut V::Table,
        within: Option<&Arc<Offer<V>>>,
        mut or: impl FnMut() -> bool,
    ) -> Option<Arc<Offer<V>>> {
        let find = |state: &State<V>| {
            let fits = |offer: &&Arc<Offer<V>>| offer.has_work() && within.is_none_or(|above| offer.is_below(above));
            state.offers.iter().filter(fits).min_by_key(|offer| offer.ply).cloned()
        };
        let mut state = self.state();
        if let Some(offer) = find(&state) {
            return Some(offer);
        }
        if or() || !self.is_open(question) {
            return None;
        }
        self.leave(&mut state, table);
        let mut state = self.wait_until(id, state, |state| or() || !self.is_open(question) || find(state).is_some());
        self.come_back(&mut state, table);
        find(&state)
    }

    /// The leader of a simulation entered so many nodes alone.
    pub(super) fn was_alone(&self, nodes: u64) {
        self.alone.fetch_add(nodes, Relaxed);
    }

    /// Nodes that one thread could have entered while the simulated searches ran.
    pub(super) fn simulated_nodes(&self) -> Option<u64> {
        self.baton.as_ref().map(|baton| baton.nodes() + self.alone.load(Relaxed))
    }
}

/// A helper that panics: the others must not wait for it.
struct Broken<'a, V: Variant>(&'a Meeting<V>);

impl<V: Variant> Drop for Broken<'_, V> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_broken = true;
        (state.present, state.active) = (state.present - 1, state.active - 1);
        if self.0.pauses.swap(false, AcqRel) {
            // Nobody grows the table now: those who wait go on.
            state.resting = 0;
            state.growths += 1;
        }
        self.0.close(&mut state);
    }
}
