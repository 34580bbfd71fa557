//! Young brothers wait: when the first move of a node is done, the others are offered to whoever is idle.
//!
//! ```text
//! owner    node: first move | offer: | 3 | 5 | 4 | ... |  waits, or helps below this node | value of the node
//! helper   idle             |        | 2 | 6 | idle
//! ```

use crate::axes::table::Table;
use crate::axes::table::known::Known;
use crate::game::score::Score;
use crate::search::node::{Descent, NodeOf, STOPPED, TableKey};
use crate::search::variant::Variant;
use std::sync::atomic::AtomicI32;
use std::sync::atomic::Ordering::{AcqRel, Acquire};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Nodes that the first move of a node takes at least, where the others are offered: smaller offers cost more than they save.
pub(in crate::search) const PAYS_FROM: u64 = 2_000;

/// The moves of a node that are left to search.
pub(in crate::search) struct Offer<V: Variant> {
    /// The offer that this one is part of.
    above: Option<Arc<Offer<V>>>,
    /// Stones of the node.
    pub(super) ply: u32,
    alpha: Score,
    work: Mutex<Work<V>>,
    /// The first value above alpha, or [`STOPPED`] when nobody needs one any more; [`NONE`] until then.
    end: AtomicI32,
}

/// No end yet.
const NONE: Score = Score::MIN;

struct Work<V: Variant> {
    /// The last is searched first.
    moves: Vec<Offered<V>>,
    running: u32,
    best: Score,
    /// Nodes of others than the owner.
    nodes: u64,
}

/// A move that is offered: what it leads to.
pub(in crate::search) struct Offered<V: Variant> {
    pub(in crate::search) node: NodeOf<V>,
    /// Whether the node's mover is the parent's, after forced moves.
    pub(in crate::search) again: bool,
}

impl<V: Variant> Offer<V> {
    fn work(&self) -> MutexGuard<'_, Work<V>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether nobody needs it any more: this one, or one that it is part of, has ended.
    pub(super) fn is_over(&self) -> bool {
        self.end.load(Acquire) != NONE || self.above.as_ref().is_some_and(|above| above.is_over())
    }

    /// Whether some move is left that nobody is at.
    pub(super) fn has_work(&self) -> bool {
        !self.is_over() && !self.work().moves.is_empty()
    }

    /// Whether it is part of another.
    pub(super) fn is_below(&self, other: &Arc<Offer<V>>) -> bool {
        self.above.as_ref().is_some_and(|above| Arc::ptr_eq(above, other) || above.is_below(other))
    }

    fn is_done(&self) -> bool {
        let work = self.work();
        work.running == 0 && work.moves.is_empty()
    }

    /// Ends it, if nothing did before.
    fn end_with(&self, value: Score) {
        let _ = self.end.compare_exchange(NONE, value, AcqRel, Acquire);
    }
}

impl<V: Variant> Descent<'_, '_, V> {
    /// Offers moves of a node with so many stones, given in the order in which they are to be searched, and searches them together with
    /// whoever is idle. It gives the best value, the first above `alpha`, or [`STOPPED`]; and the nodes of others.
    pub(in crate::search) fn share_out(
        &mut self,
        mut moves: Vec<Offered<V>>,
        (ply, alpha, best): (u32, Score, Score),
    ) -> (Score, u64) {
        let (meeting, mine) = self.team();
        moves.reverse();
        let work = Mutex::new(Work { moves, running: 0, best, nodes: 0 });
        let offer = Arc::new(Offer { above: self.offer().cloned(), ply, alpha, work, end: AtomicI32::new(NONE) });
        meeting.offer(&offer);
        let value = loop {
            if !meeting.is_open(mine.1)
                || self.budget.is_spent()
                || offer.above.as_ref().is_some_and(|above| above.is_over())
            {
                offer.end_with(STOPPED);
            }
            let end = offer.end.load(Acquire);
            if end != NONE {
                break end;
            }
            if self.search_one(&offer, true) {
                continue;
            }
            if offer.is_done() {
                let end = offer.end.load(Acquire);
                break if end == NONE { offer.work().best } else { end };
            }
            // Others are at the last moves: help them, or wait.
            let budget = &mut self.budget;
            let or = || offer.is_done() || offer.is_over() || budget.is_spent();
            if let Some(below) = meeting.find_offer(mine, &mut self.searcher.table, Some(&offer), or) {
                self.search_one(&below, false);
            }
        };
        meeting.take_back(&offer);
        (value, offer.work().nodes)
    }

    /// Helps whoever offers something, until the question is closed.
    pub(super) fn help_brothers(&mut self) {
        let (meeting, mine) = self.team();
        while meeting.is_open(mine.1) {
            if let Some(offer) = meeting.find_offer(mine, &mut self.searcher.table, None, || false) {
                self.search_one(&offer, false);
            }
        }
    }

    /// Searches one move of an offer, and says whether one was left.
    fn search_one(&mut self, offer: &Arc<Offer<V>>, is_mine: bool) -> bool {
        let Some(Offered { node, again }) = ({
            let mut work = offer.work();
            let next = work.moves.pop();
            work.running += u32::from(next.is_some());
            next
        }) else {
            return false;
        };
        let (outer, start) = (self.enter_offer(Some(Arc::clone(offer))), self.budget.nodes());
        let target = if again { offer.alpha } else { -offer.alpha - 1 };
        let value = match self.decided(node.key, target) {
            Some(value) => value,
            None => self.ask_node(node, target),
        };
        self.enter_offer(outer);
        {
            let mut work = offer.work();
            work.running -= 1;
            if !is_mine {
                work.nodes += self.budget.nodes() - start;
            }
            if value != STOPPED {
                let value = if again { value } else { -value };
                if value > offer.alpha {
                    offer.end_with(value);
                } else {
                    work.best = work.best.max(value);
                }
            } else if !offer.is_over() {
                // It was stopped for another reason, and has no value: neither has the offer.
                offer.end_with(STOPPED);
            }
        }
        self.team().0.tell();
        true
    }

    /// A value on one side of a bound that the table knows of a key.
    pub(super) fn decided(&self, key: TableKey<V>, alpha: Score) -> Option<Score> {
        let Known { least, most } = self.searcher.table.probe(key)?;
        if least > alpha { Some(least) } else { (most <= alpha).then_some(most) }
    }
}
