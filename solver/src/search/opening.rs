//! Opening: a closer look at the children of a node with few stones. Such nodes are few, and each of them decides over
//! many others. So their moves are ordered by more than what they threaten ([`Order::looks_closer`](crate::axes::Order::looks_closer)).

use crate::axes::Order;
use crate::axes::lines::children::{LANES, Lanes, Outlook, Parent};
use crate::axes::lines::open::OpenLines;
use crate::axes::order::{self, Child};
use crate::axes::table::known::Known;
use crate::game::Geometry;
use crate::game::score::Score;
use crate::search::brood::{Brood, Cut, Node};
use crate::search::node::{Descent, TableKey};
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
    /// Ranks the children of a node with few stones, unless what the table knows of their replies ends it.
    #[cold]
    #[inline(never)]
    pub(super) fn look_closer(
        &mut self,
        brood: &mut Brood<TableKey<V>>,
        parent: Parent,
        outlook: &Outlook,
        alpha: Score,
    ) -> Cut {
        let (order, opening) = (self.spec().order, self.searcher.variant.opening());
        let stones = parent.stones;
        let lines = OpenLines::of::<V::Geometry>(parent.mover, stones & !parent.mover);
        let asks = order == Order::Replies && stones.count_ones() <= opening.most_stones_of_replies;
        for lane in Lanes(brood.live) {
            let mut replies = Replies::default();
            if asks && brood.again >> lane & 1 == 0 {
                replies = self.look_replies_up(brood, lane, alpha);
                if let Some(value) = brood.settle(lane, alpha) {
                    return Some(value);
                }
                if brood.live >> lane & 1 == 0 {
                    continue;
                }
            }
            let one_move = parent.in_lane::<V::Geometry>(lane);
            let playable = (stones + V::Geometry::BOTTOM + one_move) & V::Geometry::BOARD;
            let first_player = stones.count_ones().is_multiple_of(2);
            let child = Child { squares: outlook.threats[lane], playable, first_player };
            let worth = order::worth::<V::Geometry>(order, self.searcher.variant.weights(), child);
            let lines = lines.through::<V::Geometry>(one_move);
            let half_columns = (2 * V::Geometry::column_of(one_move)).abs_diff(V::Geometry::WIDTH - 1);
            let worth = opening.worth(worth, lines, half_columns, (replies.answered, replies.count));
            brood.rank[lane] = (worth.min(u32::from(u16::MAX >> 3)) << 3) as u16 | ((LANES - 1) - lane) as u16;
        }
        None
    }

    /// Looks up all replies to a move. One that leaves the first side at its bound or below settles the move, and so do
    /// all of them if every one leaves it above.
    fn look_replies_up(&mut self, brood: &mut Brood<TableKey<V>>, lane: usize, alpha: Score) -> Replies {
        let Node { mover, opponent, moves, .. } = brood.nodes[lane];
        let (key, ply) = (self.spec().key, (mover | opponent).count_ones());
        let (mut replies, mut floor, mut left) = (Replies::default(), Score::MAX, moves);
        while left != 0 {
            let reply = left & left.wrapping_neg();
            left ^= reply;
            replies.count += 1;
            let key = self.fetched(opponent, mover | reply, key);
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
