//! The children of a node that are left to search, and what is known of them.

use crate::axes::order::largest;
use crate::axes::table::known::Known;
use crate::game::Word;
use crate::game::room::{ByLane, Room};
use crate::game::score::Score;

/// A board to be searched, seen by its mover.
#[derive(Clone, Copy, Default)]
pub(super) struct Node<W, K> {
    pub(super) mover: W,
    pub(super) opponent: W,
    /// Moves that do not lose at once: two or more.
    pub(super) moves: W,
    pub(super) key: K,
}

/// The children that are left to search, a column in each lane.
pub(super) struct Brood<W: Word, K: Copy, R: Room> {
    /// Their boards. Where all lanes are looked up alike, only what forced moves lead to: any other board follows from its parent's.
    pub(super) nodes: ByLane<Node<W, K>, R>,
    /// Their keys, where all lanes are looked up alike; any key in a lane without a child.
    pub(super) keys: ByLane<K, R>,
    least: ByLane<i8, R>,
    most: ByLane<i8, R>,
    /// Larger is searched sooner; 0 for none. Children are ranked when all that needs no search is known.
    pub(super) rank: ByLane<u16, R>,
    /// Lanes in which the mover of the parent moves again, after forced moves.
    pub(super) again: u32,
    pub(super) live: u32,
    /// The best that is known of children that need no search.
    pub(super) best: Score,
}

/// The value by which a child ends its parent, if it does.
pub(super) type Cut = Option<Score>;

impl<W: Word, K: Copy + Default, R: Room> Brood<W, K, R> {
    /// A brood without children yet. Each of them will have these bounds.
    #[inline(always)]
    pub(super) fn new(bounds: Known, live: u32, best: Score) -> Self {
        Brood {
            nodes: ByLane::filled(Node::default()),
            keys: ByLane::filled(K::default()),
            least: ByLane::filled(bounds.least as i8),
            most: ByLane::filled(bounds.most as i8),
            rank: ByLane::filled(0),
            again: 0,
            live,
            best,
        }
    }

    /// Looks at a child's bounds from its parent's side. Gives a value that ends the parent, or leaves out a child that
    /// cannot raise the score, or neither.
    #[inline(always)]
    pub(super) fn settle(&mut self, lane: usize, alpha: Score) -> Cut {
        let Known { least, most } = self.known(lane);
        let (least, most) = if self.again >> lane & 1 == 0 { (-most, -least) } else { (least, most) };
        if least > alpha {
            return Some(least);
        }
        if most <= alpha {
            self.best = self.best.max(most);
            self.live &= !(1 << lane);
        }
        None
    }

    #[inline(always)]
    pub(super) fn known(&self, lane: usize) -> Known {
        Known { least: Score::from(self.least[lane]), most: Score::from(self.most[lane]) }
    }

    #[inline(always)]
    pub(super) fn learn(&mut self, lane: usize, known: Known) {
        (self.least[lane], self.most[lane]) = (known.least as i8, known.most as i8);
    }

    /// Takes the lane that is to be searched next.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<usize> {
        let (rank, lane) = largest(&self.rank);
        self.rank[lane] = 0;
        (rank != 0).then_some(lane)
    }
}
