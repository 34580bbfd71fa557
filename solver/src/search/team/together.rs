//! A node that a team searches together: its children are met one by one, as in a search alone, but for what others are at.
//!
//! Such nodes are few beside those that one thread searches. So this loop stands apart from that of `children.rs`, which pays nothing for it.

use crate::axes::level::{Level, Task};
use crate::axes::lines::children::Lanes;
use crate::axes::table::known::Known;
use crate::axes::zugzwang;
use crate::game::Word;
use crate::game::score::Score;
use crate::search::anatomy::NodeEnd;
use crate::search::node::{BroodOf, Descent, NodeOf, OutlookOf, ParentOf, STOPPED};
use crate::search::variant::Variant;

/// A node that a team searches together, with the instructions of a level.
pub(in crate::search) struct AsTeam<'d, 's, 'l, V: Variant> {
    pub(in crate::search) descent: &'d mut Descent<'s, 'l, V>,
    pub(in crate::search) node: &'d NodeOf<V>,
    pub(in crate::search) alpha: Score,
    pub(in crate::search) least: Score,
}

impl<V: Variant> Task for AsTeam<'_, '_, '_, V> {
    type Answer = Score;

    #[inline(always)]
    fn at<L: Level>(self, level: L) -> Score {
        let AsTeam { descent, node, alpha, least } = self;
        let g = descent.geometry();
        if zugzwang::plays_last(g, (node.mover | node.opponent).count_ones()) {
            descent.search_node::<L, true, true>(level, node, alpha, least)
        } else {
            descent.search_node::<L, false, true>(level, node, alpha, least)
        }
    }
}

impl<V: Variant> Descent<'_, '_, V> {
    /// Searches the children of a node that all that needs no search leaves open. The node was entered after `start` nodes.
    #[inline(never)]
    pub(in crate::search) fn search_children(
        &mut self,
        node: &NodeOf<V>,
        (parent, brood, outlook): (ParentOf<V>, &mut BroodOf<V>, &OutlookOf<V>),
        (alpha, known): (Score, Known),
        start: u64,
    ) -> Score {
        let (ply, Known { least, most }) = (parent.stones.count_ones(), known);
        // Lanes that were left to others, and those of them that were not looked at again.
        let (mut turn, mut left, mut waiting) = (0, 0u32, 0u32);
        // Lanes that decide nothing yet, and how many there were.
        let mut open = brood.live;
        let all = open.count_ones();
        while let Some(lane) = brood.take().or_else(|| Lanes(waiting).next()) {
            waiting &= !(1 << lane);
            let before = self.budget.nodes();
            if let Some(known) = self.probe(ply, self.child_key(brood, lane)) {
                self.learn(brood, lane, known);
                if let Some(value) = brood.settle(lane, alpha) {
                    self.ended_by(parent, lane, turn);
                    self.store_least(node.key, value, most, before - start);
                    return self.cut(ply, value);
                }
                if brood.live >> lane & 1 == 0 {
                    open &= !(1 << lane);
                    continue;
                }
            }
            let child = self.made(brood, parent, outlook, lane).unwrap_or(brood.nodes[lane]);
            let again = brood.again >> lane & 1 != 0;
            let is_first = open.count_ones() == all;
            if left >> lane & 1 == 0 && self.is_left(ply, is_first, &child) {
                left |= 1 << lane;
                waiting |= 1 << lane;
                continue;
            }
            self.note(ply, |counts| counts.child(turn));
            turn += 1;
            let target = if again { alpha } else { -alpha - 1 };
            self.goes_to(&child, target);
            let value = self.ask_node(child, target);
            self.has_left(value != STOPPED, self.budget.nodes() - before);
            if value == STOPPED {
                if self.went_back() {
                    // Its answer stands in the table.
                    brood.rank[lane] = u16::MAX;
                    continue;
                }
                return STOPPED;
            }
            let value = if again { value } else { -value };
            if value > alpha {
                self.ended_by(parent, lane, turn - 1);
                self.store_least(node.key, value, most, self.budget.nodes() - start);
                return self.ended(ply, NodeEnd::Search, value);
            }
            open &= !(1 << lane);
            brood.best = brood.best.max(value);
        }
        self.store_most(node.key, least, brood.best, self.budget.nodes() - start);
        self.ended(ply, NodeEnd::Search, brood.best)
    }
}
