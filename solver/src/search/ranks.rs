//! Ranks: in which order the children of a node are searched, found when all that needs no search is known of them.

use crate::axes::history::History;
use crate::axes::level::Level;
use crate::axes::lines::children::{self, Lanes};
use crate::axes::{Order, order};
use crate::game::score::Score;
use crate::game::{Geometry, Word};
use crate::search::node::{BroodOf, Descent, OutlookOf, ParentOf, RoomOf, SetOf};
use crate::search::spec::Spec;
use crate::search::variant::Variant;

impl<V: Variant> Descent<'_, '_, V> {
    /// What a child is sorted by: the order's worth, then how near the centre it is; never 0.
    #[inline(always)]
    fn rank<const LAST: bool>(&self, parent: ParentOf<V>, outlook: &OutlookOf<V>, lane: usize, alpha: Score) -> u16 {
        let g = self.geometry();
        let (order, last) = (self.spec().order, LAST);
        let one_move = parent.in_lane(g, lane);
        let playable = (parent.stones + g.bottom() + one_move) & g.board();
        let squares = outlook.threats[lane];
        if order == Order::Sides {
            let child = [squares, playable, outlook.replies[lane], SetOf::<V>::of(lane as u128)];
            return children::rank::<RoomOf<V>>(order::weigh_for_side(g, child, last, alpha >= 0).low() as u32, lane);
        }
        let child = order::Child { squares, playable, plays_last: last };
        let mut worth = order::worth(g, order, self.searcher.variant.weights(), child) + 1;
        if order.remembers() {
            let tie = self.searcher.notes.history.tie(order, parent.stones.count_ones(), one_move);
            worth = worth.min(127) * History::TIES + tie;
        }
        children::rank::<RoomOf<V>>(worth, lane)
    }

    /// Ranks the children that are left.
    #[inline(always)]
    pub(super) fn rank_all<L: Level, const LAST: bool>(
        &self,
        level: L,
        brood: &mut BroodOf<V>,
        parent: ParentOf<V>,
        outlook: &OutlookOf<V>,
        alpha: Score,
    ) {
        let g = self.geometry();
        let Spec { order, threats, .. } = self.spec();
        if order == Order::Sides {
            let (lanes, to_win) = (brood.live, alpha >= 0);
            let ranks = children::ranks::<_, L, LAST>(g, level, threats, parent, outlook, lanes, to_win);
            if let Some(ranks) = ranks {
                brood.rank = ranks;
                return;
            }
        }
        for lane in Lanes(brood.live) {
            brood.rank[lane] = self.rank::<LAST>(parent, outlook, lane, alpha);
        }
    }
}
