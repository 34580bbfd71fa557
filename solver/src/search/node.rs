//! Node: the common part of all recursions: checks of the budget, probes and writes of the table, moves, and counts.

use crate::axes::Order;
use crate::axes::lines::children::Children;
use crate::axes::order::Queue;
use crate::axes::table::known::Known;
use crate::axes::table::{Table, TableBounds};
use crate::game::Geometry;
use crate::game::score::Score;
use crate::search::anatomy::{NodeEnd, PlyCounts, RootWindow};
use crate::search::children::{Brood, Node};
use crate::search::limits::Budget;
use crate::search::searcher::Searcher;
use crate::search::spec::Spec;
use crate::search::team::meeting::Meeting;
use crate::search::team::member::Member;
use crate::search::variant::Variant;

/// Returned by a search that must stop, and by every node above it. It is no score.
pub(super) const STOPPED: Score = Score::MAX;

pub(super) type RoomOf<V> = <<V as Variant>::Geometry as Geometry>::Room;

pub(super) type SetOf<V> = <<V as Variant>::Geometry as Geometry>::Word;

pub(super) type BroodOf<V> = Brood<TableKey<V>, RoomOf<V>>;

pub(super) type NodeOf<V> = Node<SetOf<V>, TableKey<V>>;

pub(super) type ChildrenOf<'o, V> = Children<'o, <V as Variant>::Geometry>;

pub(super) type TableKey<V> = <<V as Variant>::Table as Table>::Key;

/// One search: its searcher, and the rest of its budget.
pub(super) struct Descent<'s, 'l, V: Variant> {
    pub(super) searcher: &'s mut Searcher<V>,
    pub(super) budget: Budget<'l>,
    /// Its state as a member of a team, while it searches with other threads.
    pub(super) member: Option<Box<Member<'l, V>>>,
    pub(super) team: Option<&'l Meeting<V>>,
    /// True while it uses no table ([`Late::is_bare`](crate::axes::Late::is_bare)).
    pub(super) bare: bool,
}

impl<V: Variant> Descent<'_, '_, V> {
    #[inline(always)]
    pub(super) fn spec(&self) -> Spec {
        self.searcher.variant.spec()
    }

    #[inline(always)]
    pub(super) fn geometry(&self) -> V::Geometry {
        self.searcher.geometry()
    }

    /// Counts one node. True if the search must stop. The hot path is one comparison.
    #[inline(always)]
    pub(super) fn must_stop(&mut self) -> bool {
        if self.budget.is_due() && self.looks_around() {
            return true;
        }
        self.budget.count();
        false
    }

    #[cold]
    #[inline(never)]
    fn looks_around(&mut self) -> bool {
        // Limits first: nodes granted by the team are taken from the budget of the next check.
        self.budget.check() || self.meet()
    }

    /// Updates the counts of nodes with `ply` stones, if they are counted.
    #[inline(always)]
    pub(super) fn note(&mut self, ply: u32, note: impl FnOnce(&mut PlyCounts)) {
        if self.searcher.variant.counts() {
            note(&mut self.searcher.notes.plies[ply as usize]);
        }
    }

    /// Records a window of the root and its `value`, if windows are recorded. A window that was put off has the value
    /// [`STOPPED`]. `sign` is -1 if window and value are from the side of the opponent.
    #[inline(always)]
    pub(super) fn note_window(&mut self, [alpha, beta]: [Score; 2], value: Score, sign: Score) {
        if self.searcher.variant.counts() {
            let (alpha, beta) = if sign == 1 { (alpha, beta) } else { (-beta, -alpha) };
            let nodes = self.budget.nodes;
            // The node that ended last is the root's.
            let last_end = self.searcher.notes.last_end.take();
            let (value, end) = if value == STOPPED { (None, None) } else { (Some(sign * value), last_end) };
            self.searcher.notes.windows.push(RootWindow { alpha, beta, value, nodes, end });
        }
    }

    /// Counts the end of a node with `ply` stones, and returns `value`.
    #[inline(always)]
    pub(super) fn ended(&mut self, ply: u32, end: NodeEnd, value: Score) -> Score {
        if self.searcher.variant.counts() {
            self.searcher.notes.last_end = Some(end);
        }
        self.note(ply, |counts| counts.end(end));
        value
    }

    /// The move of number `turn` by the move order, which may depend on the worth of squares by now; 0 if none is left.
    #[inline(always)]
    pub(super) fn next_move(&self, queue: &mut Queue<SetOf<V>, RoomOf<V>>, ply: u32, turn: u32) -> SetOf<V> {
        let g = self.geometry();
        match self.spec().order {
            Order::Squares => queue.take_by(|square| self.searcher.notes.squares.worth(ply, square)),
            order => queue.take(g, order, turn),
        }
    }

    /// Changes the worth of squares, if the order needs it: `one_move` ended the node, the moves before it did not.
    #[inline(always)]
    pub(super) fn ended_after(
        &mut self,
        queue: &Queue<SetOf<V>, RoomOf<V>>,
        ply: u32,
        moves: SetOf<V>,
        one_move: SetOf<V>,
    ) {
        if self.spec().order == Order::Squares {
            self.searcher.notes.squares.ended(ply, moves & !queue.left() & !one_move, one_move);
        }
    }

    /// The bounds of a key in the table, for a node with `ply` stones.
    #[inline(always)]
    pub(super) fn probe(&mut self, ply: u32, key: TableKey<V>) -> Option<Known> {
        if self.spec().table_bounds == TableBounds::None {
            return None;
        }
        let known = self.searcher.table.probe(key);
        self.note(ply, |counts| {
            counts.probes += 1;
            counts.hits += u64::from(known.is_some());
        });
        known
    }

    /// Ends a node with `ply` stones by a value from the table.
    #[inline(always)]
    pub(super) fn cut(&mut self, ply: u32, value: Score) -> Score {
        self.ended(ply, NodeEnd::Table, value)
    }

    /// Writes that a node of `work` nodes is worth `least` or more. A table with both bounds keeps `most`, too.
    #[inline(always)]
    pub(super) fn store_least(&mut self, key: TableKey<V>, least: Score, most: Score, work: u64) {
        match self.spec().table_bounds {
            TableBounds::Both => self.store(key, Known { least, most }, work),
            TableBounds::Either => self.store(key, Known::at_least(least), work),
            TableBounds::None | TableBounds::Upper | TableBounds::Score => {}
        }
    }

    /// Writes that a node of `work` nodes is worth `most` or less. A table with both bounds keeps `least`, too.
    #[inline(always)]
    pub(super) fn store_most(&mut self, key: TableKey<V>, least: Score, most: Score, work: u64) {
        match self.spec().table_bounds {
            TableBounds::Both => self.store(key, Known { least, most }, work),
            TableBounds::Either | TableBounds::Upper => self.store(key, Known::at_most(most), work),
            TableBounds::Score => self.store(key, Known { least: most, most }, work),
            TableBounds::None => {}
        }
    }

    #[inline(always)]
    pub(super) fn store(&mut self, key: TableKey<V>, known: Known, work: u64) {
        if self.searcher.variant.counts() {
            self.searcher.notes.stored += 1;
        }
        self.searcher.table.store(key, known, work);
    }
}
