//! Opening: a closer look at the children of a node with few stones. Such nodes are few, and each of them decides over
//! many others. So their moves are ordered by more than what they threaten ([`Order::looks_closer`](crate::axes::Order::looks_closer)).

use crate::axes::lines::children::{self, Lanes};
use crate::axes::lines::open::OpenLines;
use crate::axes::order::{self, Child};
use crate::axes::table::known::Known;
use crate::axes::zugzwang;
use crate::game::Geometry;
use crate::game::room::ByLane;
use crate::game::score::{self, Score};
use crate::game::word::{EachSquare, Word};
use crate::search::brood::{Cut, Node};
use crate::search::node::{BroodOf, Descent, NodeOf, OutlookOf, ParentOf, RoomOf, TableKey};
use crate::search::variant::Variant;

/// What the table knows of the replies to a move.
#[derive(Clone, Copy, Default)]
struct Replies {
    /// Those that do not lose at once.
    count: u32,
    /// Those of them that leave the first side above its bound.
    answered: u32,
}

impl<V: Variant> Descent<'_, '_, V> {
    /// Whether a closer look at moves pays at a node with so many stones that is asked for a win or a loss of at least so much.
    #[inline(always)]
    pub(super) fn pays_to_look_closer(&self, ply: u32, size: Score) -> bool {
        let g = self.geometry();
        let opening = self.searcher.variant.opening();
        ply <= opening.most_stones && score::most_without_win_now(g, ply) - size >= opening.least_ahead
    }

    /// Ranks the children of a node with few stones, unless what the table knows of their replies ends it.
    #[cold]
    #[inline(never)]
    pub(super) fn look_closer(
        &mut self,
        brood: &mut BroodOf<V>,
        parent: ParentOf<V>,
        outlook: &OutlookOf<V>,
        alpha: Score,
    ) -> Cut {
        let g = self.geometry();
        let (order, opening) = (self.spec().order, self.searcher.variant.opening());
        let stones = parent.stones;
        let lines = OpenLines::of(g, parent.mover, stones & !parent.mover);
        let asks = order.looks_replies_up() && stones.count_ones() <= opening.most_stones_of_replies;
        // All places in the table are fetched before the first is looked at.
        let mut keys = ByLane::<_, RoomOf<V>>::filled(ByLane::<_, RoomOf<V>>::filled(TableKey::<V>::default()));
        if asks {
            for lane in Lanes(brood.live & !brood.again) {
                let made = self.made(brood, parent, outlook, lane);
                self.fetch_replies(made.as_ref().unwrap_or(&brood.nodes[lane]), &mut keys[lane]);
            }
        }
        for lane in Lanes(brood.live) {
            let mut replies = Replies::default();
            if asks && brood.again >> lane & 1 == 0 {
                let node = self.made(brood, parent, outlook, lane).unwrap_or(brood.nodes[lane]);
                replies = self.look_replies_up(brood, node, &keys[lane], lane, alpha);
                if let Some(value) = brood.settle(lane, alpha) {
                    return Some(value);
                }
                if brood.live >> lane & 1 == 0 {
                    continue;
                }
            }
            let one_move = parent.in_lane(g, lane);
            let playable = (stones + g.bottom() + one_move) & g.board();
            let plays_last = zugzwang::plays_last(g, stones.count_ones());
            let child = Child { squares: outlook.threats[lane], playable, plays_last };
            let worth = order::worth(g, order, self.searcher.variant.weights(), child);
            let lines = lines.through(g, one_move);
            let half_columns = (2 * g.column_of(one_move)).abs_diff(g.width() - 1);
            let worth = opening.worth(worth, lines, half_columns, (replies.answered, replies.count));
            brood.rank[lane] = children::rank::<RoomOf<V>>(worth.min(u32::from(u16::MAX >> 3)), lane);
        }
        None
    }

    /// The keys of what all replies to a move lead to, from left to right. Their places in the table are fetched meanwhile.
    fn fetch_replies(&self, node: &NodeOf<V>, keys: &mut ByLane<TableKey<V>, RoomOf<V>>) {
        let (&Node { mover, opponent, moves, .. }, key) = (node, self.spec().key);
        for (place, reply) in EachSquare(moves).enumerate() {
            keys[place] = self.fetched(opponent, mover | reply, key);
        }
    }

    /// Looks up all replies to a move, given their keys. One that leaves the first side at its bound or below settles the move, and so do
    /// all of them if every one leaves it above.
    fn look_replies_up(
        &mut self,
        brood: &mut BroodOf<V>,
        Node { mover, opponent, moves, .. }: NodeOf<V>,
        keys: &ByLane<TableKey<V>, RoomOf<V>>,
        lane: usize,
        alpha: Score,
    ) -> Replies {
        let ply = (mover | opponent).count_ones();
        let (mut replies, mut floor) = (Replies { count: moves.count_ones(), answered: 0 }, Score::MAX);
        for place in 0..replies.count as usize {
            let key = keys[place];
            let Some(Known { least, most }) = self.probe(ply, key) else { continue };
            let known = brood.known(lane);
            if most <= alpha {
                brood.learn(lane, Known { least: known.least.max(-most), most: known.most });
                return replies;
            }
            if least > alpha {
                replies.answered += 1;
                floor = floor.min(least);
            }
        }
        if replies.answered == replies.count {
            let known = brood.known(lane);
            brood.learn(lane, Known { least: known.least, most: known.most.min(-floor) });
        }
        replies
    }
}
