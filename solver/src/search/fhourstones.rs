//! The search of Fhourstones ([`crate::axes::Search::Fhourstones`]; J. Tromp), node by node. It finds only the winner.
//!
//! A node is a board whose mover cannot win at once. A value is one of five, from the mover's side. The other side's
//! value is 6 minus it:
//!
//! ```text
//! 1  loss     2  draw at most     3  draw     4  draw at least     5  win
//! ```
//!
//! A node with one move that does not lose at once plays it without a probe. Any other node probes the table once, for
//! itself, and writes its value, with the number of writes below it as the work. A move that ends a node after others
//! changes the account that orders moves ([`SquareWorth`](crate::axes::history::SquareWorth)).

use crate::axes::TableBounds;
use crate::axes::board::storage::SearchBoard;
use crate::axes::lines::threats;
use crate::axes::order::Queue;
use crate::axes::table::known::Known;
use crate::game::score::Score;
use crate::game::{Board, Geometry, Word};
use crate::search::anatomy::NodeEnd;
use crate::search::node::{Descent, STOPPED};
use crate::search::variant::Variant;

const LOSS: Score = 1;
const AT_MOST_DRAW: Score = 2;
const DRAW: Score = 3;
const AT_LEAST_DRAW: Score = 4;
const WIN: Score = 5;

#[inline(always)]
fn other_side(value: Score) -> Score {
    LOSS + WIN - value
}

/// The value for a table's bounds; `None` if they leave the winner open.
#[inline(always)]
fn value_of(known: Known) -> Option<Score> {
    match (known.least, known.most) {
        (1.., _) => Some(WIN),
        (_, ..=-1) => Some(LOSS),
        (0, 0) => Some(DRAW),
        (0, _) => Some(AT_LEAST_DRAW),
        (_, 0) => Some(AT_MOST_DRAW),
        _ => None,
    }
}

#[inline(always)]
fn bounds_of(value: Score) -> Known {
    match value {
        AT_MOST_DRAW => Known::at_most(0),
        AT_LEAST_DRAW => Known::at_least(0),
        exact => Known { least: (exact - DRAW) / 2, most: (exact - DRAW) / 2 },
    }
}

impl<V: Variant> Descent<'_, '_, V> {
    /// The winner of a board that is not over: -1, 0 or 1 for its mover, or [`STOPPED`].
    pub(super) fn root_of_fhourstones(&mut self, board: Board<V::Geometry>) -> Score {
        if board.wins_now(self.spec().wins) {
            return 1;
        }
        let value = match self.fhourstones(board, LOSS, WIN) {
            STOPPED => return STOPPED,
            value => (value - DRAW).signum(),
        };
        self.note_window([-1, 1], value, 1);
        value
    }

    /// The value of a board within (`alpha`, `beta`), or [`STOPPED`].
    fn fhourstones(&mut self, board: Board<V::Geometry>, mut alpha: Score, mut beta: Score) -> Score {
        let g = self.geometry();
        if self.must_stop() {
            return STOPPED;
        }
        let spec = self.spec();
        let ply = board.ply();
        self.note(ply, |counts| counts.nodes += 1);
        let left = g.cells() - ply;
        if left == 1 {
            return self.ended(ply, NodeEnd::Bound, DRAW);
        }
        let wins = threats::winning_squares(g, spec.threats, board.opponent(), board.empty());
        let moves = threats::non_losing(board.playable(), wins);
        if moves.is_empty() {
            return self.ended(ply, NodeEnd::Win, LOSS);
        }
        if left == 2 {
            return self.ended(ply, NodeEnd::Bound, DRAW);
        }
        if !moves.has_several() {
            self.note(ply, |counts| counts.child(0));
            let value = self.fhourstones(board.play_square(moves), other_side(beta), other_side(alpha));
            if value == STOPPED {
                return STOPPED;
            }
            return self.ended(ply, NodeEnd::Search, other_side(value));
        }
        let key = self.key_of(&board);
        let known = self.probe(ply, key).and_then(value_of);
        match known {
            Some(AT_MOST_DRAW) => beta = DRAW,
            Some(AT_LEAST_DRAW) => alpha = DRAW,
            Some(value) => return self.cut(ply, value),
            None => {}
        }
        if let Some(value) = known
            && alpha >= beta
        {
            return self.cut(ply, value);
        }
        let before = self.searcher.notes.stores;
        self.prefetch_children(&board, moves);
        let (mut best, mut queue) = (LOSS, Queue::new(moves));
        queue.weigh(spec.order, spec.threats, &board);
        let mut count = 0;
        for turn in 0..g.width() {
            let one_move = self.next_move(&mut queue, ply, turn);
            if one_move.is_empty() {
                if spec.order.ends_at_a_gap() {
                    break;
                }
                continue;
            }
            self.note(ply, |counts| counts.child(count));
            let value = self.fhourstones(board.play_square(one_move), other_side(beta), other_side(alpha));
            if value == STOPPED {
                return STOPPED;
            }
            count += 1;
            let value = other_side(value);
            if value <= best {
                continue;
            }
            best = value;
            if best > alpha {
                alpha = best;
                if alpha >= beta {
                    if best == DRAW && count < moves.count_ones() as usize {
                        best = AT_LEAST_DRAW;
                    }
                    self.ended_after(&queue, ply, moves, one_move);
                    self.note(ply, |counts| counts.cutoff(count - 1));
                    break;
                }
            }
        }
        // One bound from before, the other from this search.
        if known.is_some_and(|known| best == other_side(known)) {
            best = DRAW;
        }
        let work = self.searcher.notes.stores - before;
        self.searcher.notes.stores += 1;
        if spec.table_bounds != TableBounds::None {
            self.store(key, bounds_of(best), work);
        }
        self.ended(ply, NodeEnd::Search, best)
    }
}
