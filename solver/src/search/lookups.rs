//! Lookups: where the children of a node stand in the table, and what it knows of them.

use crate::axes::lines::children::Lanes;
use crate::axes::table::key::{self, KeysOfChildren};
use crate::axes::table::known::Known;
use crate::axes::table::{Table, TableBounds};
use crate::axes::{Key, TableKind};
use crate::game::score::Score;
use crate::game::{Board, Geometry, Word};
use crate::search::brood::{Cut, Node};
use crate::search::node::{BroodOf, Descent, NodeOf, OutlookOf, ParentOf, SetOf, TableKey};
use crate::search::variant::Variant;

impl<V: Variant> Descent<'_, '_, V> {
    /// Takes over what the table knows of a child. In a table with both bounds, a slot also holds what was known before
    /// it was written.
    #[inline(always)]
    pub(super) fn learn(&self, brood: &mut BroodOf<V>, lane: usize, known: Known) {
        let known = if self.spec().table_bounds == TableBounds::Both { known } else { known.and(brood.known(lane)) };
        brood.learn(lane, known);
    }

    /// Puts the quiet children into their lanes, or their keys alone where all lanes are looked up alike.
    #[inline(always)]
    pub(super) fn quiet(&self, brood: &mut BroodOf<V>, parent: ParentOf<V>, outlook: &OutlookOf<V>) {
        let g = self.geometry();
        let key = self.spec().key.at(g, parent.stones.count_ones() + 1);
        let all_lanes = self.spec().enhanced.all_lanes();
        match key {
            Key::Exact if all_lanes => return self.key_all_lanes::<false>(brood, parent),
            Key::Mirror if all_lanes => return self.key_all_lanes::<true>(brood, parent),
            _ => {}
        }
        let mover = parent.stones & !parent.mover;
        let exact = KeysOfChildren::<_, false>::of(g, parent);
        for lane in Lanes(outlook.quiet) {
            let one_move = parent.in_lane(g, lane);
            let opponent = parent.mover | one_move;
            let key = match key {
                Key::Exact => self.fetched_key(exact.in_lane(g, lane)),
                other => self.fetched(mover, opponent, other),
            };
            if all_lanes {
                brood.keys[lane] = key;
            } else {
                brood.nodes[lane] = Node { mover, opponent, moves: outlook.replies[lane], key };
            }
        }
    }

    /// Puts the keys of all lanes into place, those without a move, too.
    #[inline(always)]
    fn key_all_lanes<const MIRROR: bool>(&self, brood: &mut BroodOf<V>, parent: ParentOf<V>) {
        let g = self.geometry();
        let (keys, mut lane) = (KeysOfChildren::<_, MIRROR>::of(g, parent), 0);
        while lane < g.width() as usize {
            brood.keys[lane] = self.fetched_key(keys.in_lane(g, lane));
            lane += 1;
        }
    }

    /// The key of a child.
    #[inline(always)]
    pub(super) fn child_key(&self, brood: &BroodOf<V>, lane: usize) -> TableKey<V> {
        if self.spec().enhanced.all_lanes() { brood.keys[lane] } else { brood.nodes[lane].key }
    }

    /// The node of a child that follows from its parent's, where all lanes are looked up alike; any other is in its lane.
    #[inline(always)]
    pub(super) fn made(
        &self,
        brood: &BroodOf<V>,
        parent: ParentOf<V>,
        outlook: &OutlookOf<V>,
        lane: usize,
    ) -> Option<NodeOf<V>> {
        let g = self.geometry();
        let follows = self.spec().enhanced.all_lanes() && outlook.quiet >> lane & 1 != 0;
        follows.then(|| Node {
            mover: parent.stones & !parent.mover,
            opponent: parent.mover | parent.in_lane(g, lane),
            moves: outlook.replies[lane],
            key: brood.keys[lane],
        })
    }

    /// Looks all children up, until one ends the parent.
    #[inline(always)]
    pub(super) fn look_all_up(&mut self, brood: &mut BroodOf<V>, ply: u32, alpha: Score) -> Cut {
        let g = self.geometry();
        let mut lanes = brood.live;
        // Whoever counts asks one child after the other, until one ends the parent.
        if self.spec().enhanced.all_lanes() && !self.searcher.variant.watch().counts {
            let (mut lane, mut known) = (0, 0);
            while lane < g.width() as usize {
                known |= u32::from(self.searcher.table.may_know(brood.keys[lane])) << lane;
                lane += 1;
            }
            lanes &= known;
        }
        for lane in Lanes(lanes) {
            if let Some(known) = self.probe(ply, self.child_key(brood, lane)) {
                self.learn(brood, lane, known);
                if let Some(value) = brood.settle(lane, alpha) {
                    return Some(value);
                }
            }
        }
        None
    }

    /// The key of a board, of that kind. Its place in the table is fetched meanwhile.
    #[inline(always)]
    pub(super) fn fetched(&self, mover: SetOf<V>, opponent: SetOf<V>, key: Key) -> TableKey<V> {
        let spec = self.spec();
        if spec.table == TableKind::None {
            return TableKey::<V>::default();
        }
        let board = Board::of_sides(self.geometry(), mover, opponent);
        self.fetched_key(SetOf::<V>::of(key::of(key, spec.wins, board)))
    }

    /// The same, given the key.
    #[inline(always)]
    fn fetched_key(&self, key: SetOf<V>) -> TableKey<V> {
        if self.spec().table == TableKind::None {
            return TableKey::<V>::default();
        }
        let key = self.searcher.table.key(key.wide());
        self.searcher.table.prefetch(key);
        key
    }
}
