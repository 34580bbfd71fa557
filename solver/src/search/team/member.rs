//! A member of a team: the part of a thread's search that a search on one thread does not need.
//!
//! A member looks around from time to time ([`Descent::meet`]). If a node has few stones, a member marks the node, and
//! leaves moves of it to the threads that search them.

use crate::axes::lines::children::Lanes;
use crate::axes::table::known::Known;
use crate::axes::table::{SharedTable, Table};
use crate::game::Word;
use crate::game::score::Score;
use crate::search::anatomy::NodeEnd;
use crate::search::limits::{Budget, Limits};
use crate::search::node::{BroodOf, ChildrenOf, Descent, NodeOf, STOPPED, TableKey};
use crate::search::searcher::Searcher;
use crate::search::team::meeting::{Marked, Meeting};
use crate::search::team::{ALONE_EACH, LOOKS_EVERY, LOOKS_UNTOLD, Parting, SHARED_BYTES};
use crate::search::variant::Variant;

pub(in crate::search) struct Member<'t, V: Variant> {
    meeting: &'t Meeting<V>,
    id: u32,
    question: u64,
    path: Vec<Visit<V>>,
    looks: u64,
    /// The index on the path of the node to go back to, because the table decides it.
    back_to: Option<usize>,
    /// True below the nodes that are searched together: its own table is then in the place of the shared one.
    is_below: bool,
    parting: Parting,
}

/// A node on the path of a thread, and the bound to test.
struct Visit<V: Variant> {
    key: TableKey<V>,
    alpha: Score,
    marked: Option<Marked>,
}

impl<V: Variant> Searcher<V> {
    /// A helper's work on a question. It forgets moves whenever the table was cleared. Returns a value of the node, or
    /// [`STOPPED`]; and the number of nodes that it entered.
    pub(super) fn help(
        &mut self,
        meeting: &Meeting<V>,
        (id, question): (u32, u64),
        (node, alpha): (NodeOf<V>, Score),
    ) -> (Score, u64) {
        let generation = self.table.arrangement().generation();
        if self.notes.generation != generation {
            self.notes.forget(self.geometry(), self.variant.spec().order);
            self.notes.generation = generation;
        }
        let limits = Limits::default();
        let budget = Budget::new(&limits);
        let mut descent = Descent { searcher: self, budget, member: None, team: None, bare: false };
        descent.join(meeting, (id, question));
        let value = descent.ask_node(node, alpha);
        (value, descent.budget.nodes)
    }
}

impl<'t, V: Variant> Descent<'_, 't, V> {
    pub(in crate::search) fn has_team_at(&self, ply: u32) -> bool {
        self.member.as_ref().is_some_and(|member| ply < member.parting.alone_from)
    }

    /// True if this is a member of a team at a node with `ply` stones that it searches alone.
    pub(in crate::search) fn is_alone_at(&self, ply: u32) -> bool {
        self.member.as_ref().is_some_and(|member| ply >= member.parting.alone_from && !member.is_below)
    }

    fn join(&mut self, meeting: &'t Meeting<V>, (id, question): (u32, u64)) {
        let g = self.geometry();
        let generation = self.searcher.table.arrangement().generation();
        if let Some(own) = &mut self.searcher.own {
            // As often as the shared table was cleared.
            while own.arrangement().generation() != generation {
                own.reset();
            }
        }
        self.member = Some(Box::new(Member {
            meeting,
            id,
            question,
            path: Vec::with_capacity(64),
            looks: 0,
            back_to: None,
            is_below: false,
            parting: Parting::of(g, meeting.threads),
        }));
        // It looks around at its first node, and draws nodes to enter.
        self.budget.look_after(0);
    }

    pub(in crate::search) fn begin(&mut self) {
        if let Some(team) = self.team {
            self.budget.gather_after(Some(team.threads.alone));
        }
    }

    /// Tests whether the score of the root's node is above `alpha`. Returns a bound of the score, or [`STOPPED`]. A
    /// test that takes more than a few nodes goes to the team, if there is one.
    pub(in crate::search) fn ask_root(&mut self, node: NodeOf<V>, alpha: Score) -> Score {
        let value = self.ask_node(node, alpha);
        let Some(team) = self.team.filter(|_| value == STOPPED && self.budget.gathers()) else { return value };
        self.budget.gather_after(None);
        if self.searcher.own.is_some() {
            self.searcher.table.grow_to(SHARED_BYTES);
        }
        let arrangement = self.searcher.table.arrangement();
        self.searcher.table.follow(arrangement, team.threads.count);
        let question = team.open((node, alpha), arrangement, self.budget.nodes_left());
        self.join(team, (0, question));
        let value = self.ask_node(node, alpha);
        self.member = None;
        let (value, arrangement, helped) = team.hear(value, &mut self.searcher.table);
        let own = self.searcher.table.arrangement();
        // The leader's arrangement counts its own writes since the table grew; that of a helper counts no writes.
        self.searcher.table.follow(if own.is_alike(arrangement) { own } else { arrangement }, 0);
        if self.searcher.table.wants_growth() {
            self.searcher.table.grow();
        }
        self.budget.add(helped);
        if value == STOPPED && !self.budget.is_put_off() {
            self.budget.spend_all();
        }
        self.budget.gather_after(Some(ALONE_EACH));
        value
    }

    fn member(&mut self) -> &mut Member<'t, V> {
        self.member.as_mut().expect("nodes are searched together by members")
    }

    /// Tests whether the score of a node is above `alpha`, on this thread alone, with its own table. The bound of the
    /// node itself goes into the shared table.
    pub(in crate::search) fn ask_alone(&mut self, node: NodeOf<V>, alpha: Score) -> Score {
        let start = self.budget.nodes;
        self.change_tables();
        let value = self.ask_here(node, alpha);
        self.change_tables();
        let work = self.budget.nodes - start;
        if value == STOPPED {
            return STOPPED;
        }
        let ply = (node.mover | node.opponent).count_ones();
        let Known { least, most } = self.probe(ply, node.key).unwrap_or(self.bounds(ply));
        if value > alpha {
            self.store_least(node.key, value, most.max(value), work);
        } else {
            self.store_most(node.key, least.min(value), value, work);
        }
        value
    }

    fn change_tables(&mut self) {
        let member = self.member();
        member.is_below = !member.is_below;
        let Searcher { table, own, .. } = &mut *self.searcher;
        std::mem::swap(table, own.as_mut().expect("members have two tables"));
    }

    /// Looks around, as a member of a team; true if it must stop its current work. It waits while the table grows.
    pub(in crate::search) fn meet(&mut self) -> bool {
        let Some(member) = &self.member else { return false };
        let is_below = member.is_below;
        if is_below {
            self.change_tables();
        }
        let drawn = self.look_around();
        if is_below {
            self.change_tables();
        }
        // After a stop it looks again at its next node.
        self.budget.look_after(drawn.unwrap_or(0));
        drawn.is_none()
    }

    /// Nodes that it may enter until it looks around again; `None` if it must stop.
    fn look_around(&mut self) -> Option<u64> {
        let Member { meeting, question, .. } = *self.member();
        if !meeting.is_open(question) {
            return None;
        }
        if self.searcher.table.wants_growth() {
            meeting.ask_to_pause();
        }
        meeting.pause(&mut self.searcher.table);
        if self.is_decided() {
            return None;
        }
        let drawn = meeting.draw(LOOKS_EVERY);
        if drawn == 0 {
            self.budget.spend_all();
            return None;
        }
        Some(drawn)
    }

    #[inline(always)]
    fn marked(parting: &Parting, node: &NodeOf<V>) -> Option<Marked> {
        let stones = (node.mover | node.opponent).count_ones();
        (stones < parting.unmarked_from).then(|| Marked { number: V::Table::number(node.key), stones })
    }

    fn goes_to(&mut self, node: &NodeOf<V>, alpha: Score) {
        let member = self.member();
        let marked = Self::marked(&member.parting, node);
        if let Some(marked) = marked {
            member.meeting.marks[member.id as usize].set(marked);
        }
        member.path.push(Visit { key: node.key, alpha, marked });
    }

    /// True if the table decides a node on its path. It goes back to the first such node. It probes the path only if it
    /// was notified, or has not probed it for long.
    fn is_decided(&mut self) -> bool {
        let Searcher { table, .. } = &*self.searcher;
        let member = self.member.as_mut().expect("nodes are searched together by members");
        member.looks += 1;
        if !member.meeting.marks[member.id as usize].was_told() && !member.looks.is_multiple_of(LOOKS_UNTOLD) {
            return false;
        }
        member.back_to = member.path.iter().position(|&Visit { key, alpha, .. }| {
            table.probe(key).is_some_and(|Known { least, most }| least > alpha || most <= alpha)
        });
        member.back_to.is_some()
    }

    /// Leaves the last node of its path, after `nodes` nodes. If it `has_value`, other threads at that node may stop.
    fn has_left(&mut self, has_value: bool, nodes: u64) {
        let member = self.member();
        let Some(Visit { marked: Some(marked), .. }) = member.path.pop() else { return };
        member.meeting.marks[member.id as usize].clear(marked);
        if has_value {
            marked.tell_others(&member.meeting.marks, member.id, nodes);
        }
    }

    /// True if the search of the node just left stopped because the table decides that node.
    fn went_back(&mut self) -> bool {
        let member = self.member();
        member.back_to.take_if(|place| *place == member.path.len()).is_some()
    }

    /// True if a child of a node with `ply` stones is left to other threads for now: they are at it, and it is not the
    /// first child, or else is searched by one thread alone.
    fn is_left(&mut self, ply: u32, is_first: bool, child: &NodeOf<V>) -> bool {
        let Member { meeting, id, parting, .. } = self.member();
        ply >= parting.leaves_from
            && (ply + 1 >= parting.alone_from || !is_first)
            && Self::marked(parting, child).is_some_and(|marked| marked.others(&meeting.marks, *id).next().is_some())
    }
}

// A node that a team searches together: its children are searched one by one, except those that other threads are at.
// Such nodes are few beside the others. So this loop is separate from that of `children.rs`, which pays nothing for it.

impl<V: Variant> Descent<'_, '_, V> {
    /// Searches the children of a node that are still open after all bounds. The node was entered after `start` nodes.
    #[inline(never)]
    pub(in crate::search) fn search_children(
        &mut self,
        node: &NodeOf<V>,
        (children, brood): (ChildrenOf<'_, V>, &mut BroodOf<V>),
        (alpha, known): (Score, Known),
        start: u64,
    ) -> Score {
        let (ply, Known { least, most }) = (children.node.stones.count_ones(), known);
        // Lanes left to other threads, and those of them that were not tried again.
        let (mut turn, mut left, mut waiting) = (0, 0u32, 0u32);
        // Lanes that decide nothing yet, and their number at first.
        let mut open = brood.live;
        let all = open.count_ones();
        while let Some(lane) = brood.take().or_else(|| Lanes(waiting).next()) {
            waiting &= !(1 << lane);
            let before = self.budget.nodes;
            if let Some(known) = self.probe(ply, brood.keys[lane]) {
                self.learn(brood, lane, known);
                if let Some(value) = brood.settle(lane, alpha) {
                    self.ended_by(children.node, lane, turn);
                    self.store_least(node.key, value, most, before - start);
                    return self.cut(ply, value);
                }
                if brood.live >> lane & 1 == 0 {
                    open &= !(1 << lane);
                    continue;
                }
            }
            let child = self.child(brood, children, lane);
            let moves_again = brood.again >> lane & 1 != 0;
            let is_first = open.count_ones() == all;
            if left >> lane & 1 == 0 && self.is_left(ply, is_first, &child) {
                left |= 1 << lane;
                waiting |= 1 << lane;
                continue;
            }
            self.note(ply, |counts| counts.child(turn));
            turn += 1;
            let target = if moves_again { alpha } else { -alpha - 1 };
            self.goes_to(&child, target);
            let value = self.ask_node(child, target);
            self.has_left(value != STOPPED, self.budget.nodes - before);
            if value == STOPPED {
                if self.went_back() {
                    // The table has the child's value: its lane is the next to be taken.
                    brood.rank[lane] = u16::MAX;
                    continue;
                }
                return STOPPED;
            }
            let value = if moves_again { value } else { -value };
            if value > alpha {
                self.ended_by(children.node, lane, turn - 1);
                self.store_least(node.key, value, most, self.budget.nodes - start);
                return self.ended(ply, NodeEnd::Search, value);
            }
            open &= !(1 << lane);
            brood.best = brood.best.max(value);
        }
        self.store_most(node.key, least, brood.best, self.budget.nodes - start);
        self.ended(ply, NodeEnd::Search, brood.best)
    }
}
