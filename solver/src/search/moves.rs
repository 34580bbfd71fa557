//! The search that examines the moves of a node one by one ([`crate::axes::Search::Moves`]).
//!
//! A node is one entry of `Descent::moves`. It looks ahead, narrows its window by static bounds and by the table, and
//! searches its moves in order. It is fail-soft, except that a bound that prunes is returned unchanged.

use crate::axes::anticipation;
use crate::axes::board::storage::SearchBoard;
use crate::axes::lines::threats;
use crate::axes::order::Queue;
use crate::axes::table::Table;
use crate::axes::table::known::Known;
use crate::axes::zugzwang::{self, Sides};
use crate::axes::{StaticBounds, Storage, TableBounds, Zugzwang, bounds};
use crate::game::score::Score;
use crate::game::word::{EachSquare, Word};
use crate::game::{Geometry, score};
use crate::search::anatomy::NodeEnd;
use crate::search::node::{Descent, STOPPED, SetOf, TableKey};
use crate::search::variant::Variant;
use std::ops::ControlFlow;

impl<V: Variant> Descent<'_, '_, V> {
    /// The score of `board` within (`alpha`, `beta`), a bound at or outside them, or [`STOPPED`].
    ///
    /// The board is not won, except with [`Anticipation::None`](crate::axes::Anticipation::None). If losses are
    /// anticipated, the next stone does not win.
    pub(super) fn moves<B>(&mut self, board: B, alpha: Score, beta: Score) -> Score
    where
        B: SearchBoard<Geometry = V::Geometry>,
    {
        let g = self.geometry();
        if self.must_stop() {
            return STOPPED;
        }
        let spec = self.spec();
        let start = self.budget.nodes;
        let (mut alpha, mut beta) = bounds::window(spec.pruning, alpha, beta);
        debug_assert!(alpha < beta);
        let ply = board.ply();
        self.note(ply, |counts| counts.nodes += 1);
        let moves = match anticipation::look(spec.anticipation, spec.wins, spec.threats, &board) {
            ControlFlow::Break(score) => return self.ended(ply, NodeEnd::Win, score),
            ControlFlow::Continue(moves) => moves,
        };
        if spec.bounds != StaticBounds::None {
            let bounds = bounds::of(g, spec.bounds, spec.anticipation, ply);
            alpha = alpha.max(bounds.least);
            if alpha >= beta {
                return self.ended(ply, NodeEnd::Bound, alpha);
            }
            beta = beta.min(bounds.most);
            if alpha >= beta {
                return self.ended(ply, NodeEnd::Bound, beta);
            }
        }
        if let Some(most) = self.zugzwang(&board, alpha) {
            return self.ended(ply, NodeEnd::Zugzwang, most);
        }
        let key = self.key_of(&board);
        let mut known = Known::any_score(g);
        if let Some(found) = self.probe(ply, key) {
            (alpha, beta) = (alpha.max(found.least), beta.min(found.most));
            if alpha >= beta {
                return self.cut(ply, if found.least >= beta { found.least } else { found.most });
            }
            known = found;
        }
        let asked = alpha;
        self.prefetch_children(&board, moves);
        if spec.enhanced.applies(bounds::most_later(score::most_without_win_now(g, ply)), alpha)
            && let Some(value) = self.look_children_up(&board, ply, moves, beta)
        {
            self.store_least(key, value, known.most, self.budget.nodes - start);
            return self.cut(ply, value);
        }
        let mut queue = Queue::new(moves);
        queue.weigh(spec.order, spec.threats, &board);
        let mut others = 0;
        for turn in 0..g.width() {
            let one_move = self.next_move(&mut queue, ply, turn);
            if one_move.is_empty() {
                if spec.order.ends_at_a_gap() {
                    break;
                }
                continue;
            }
            self.note(ply, |counts| counts.child(others));
            let value = self.moves(board.play(one_move), -beta, -alpha);
            board.undo();
            if value == STOPPED {
                return STOPPED;
            }
            let score = -value;
            if score >= beta {
                self.store_least(key, score, known.most.max(score), self.budget.nodes - start);
                self.note(ply, |counts| counts.cutoff(others));
                self.ended_after(&queue, ply, moves, one_move);
                return self.ended(ply, NodeEnd::Search, score);
            }
            alpha = alpha.max(score);
            others += 1;
        }
        // A score that rose within the window is exact; a table with both bounds keeps both.
        let least = if alpha > asked { alpha } else { known.least.min(alpha) };
        self.store_most(key, least, alpha, self.budget.nodes - start);
        self.ended(ply, NodeEnd::Search, alpha)
    }

    #[inline(always)]
    pub(super) fn key_of<B: SearchBoard<Geometry = V::Geometry>>(&self, board: &B) -> TableKey<V> {
        let spec = self.spec();
        if spec.table_bounds == TableBounds::None {
            return TableKey::<V>::default();
        }
        self.searcher.table.key(board.key(spec.key, spec.wins))
    }

    /// An upper bound of at most `alpha`, from squares that the opponent is sure to get.
    #[inline(always)]
    fn zugzwang<B: SearchBoard<Geometry = V::Geometry>>(&self, board: &B, alpha: Score) -> Option<Score> {
        let g = self.geometry();
        let spec = self.spec();
        if spec.zugzwang == Zugzwang::None {
            return None;
        }
        let board = board.board();
        let (mover, opponent) = (board.mover(), board.opponent());
        let threats = threats::winning_squares(g, spec.threats, opponent, board.empty());
        zugzwang::at_most(spec.zugzwang, Sides { g, mover, opponent, threats }, alpha)
    }

    /// A score that the table gives for a child and that ends the node, if there is one.
    #[inline(always)]
    fn look_children_up<B: SearchBoard<Geometry = V::Geometry>>(
        &mut self,
        board: &B,
        ply: u32,
        moves: SetOf<V>,
        beta: Score,
    ) -> Option<Score> {
        let spec = self.spec();
        for one_move in EachSquare(moves) {
            let key = self.searcher.table.key(board.key_after(one_move, spec.key, spec.wins));
            if let Some(Known { most, .. }) = self.probe(ply, key)
                && -most >= beta
            {
                return Some(-most);
            }
        }
        None
    }

    /// Starts to fetch the slots of all children. Not for an array board, where making a key takes longer than a fetch.
    #[inline(always)]
    pub(super) fn prefetch_children<B: SearchBoard<Geometry = V::Geometry>>(&self, board: &B, moves: SetOf<V>) {
        let spec = self.spec();
        if spec.table_bounds == TableBounds::None || spec.storage == Storage::Array {
            return;
        }
        for one_move in EachSquare(moves) {
            let key = self.searcher.table.key(board.key_after(one_move, spec.key, spec.wins));
            self.searcher.table.prefetch(key);
        }
    }
}
