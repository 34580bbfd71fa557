//! Root drivers: they find a score by searches with a window.

use crate::axes::board::storage::SearchBoard;
use crate::axes::lines::threats;
use crate::axes::root::{Ends, bisect};
use crate::axes::{Anticipation, Late, Root};
use crate::game::score::Score;
use crate::game::{Board, Geometry, Word};
use crate::search::children::Played;
use crate::search::node::{Descent, NodeOf, STOPPED};
use crate::search::solver::Goal;
use crate::search::variant::Variant;

#[derive(Clone, Copy)]
pub(super) enum Question {
    /// The score under a goal.
    Score(Goal),
    /// A score on the same side of the bound as the exact score.
    Exceeds(Score),
}

impl<V: Variant> Descent<'_, '_, V> {
    /// The score of a board that is not over, or [`STOPPED`]. If losses are anticipated, nodes do not look for
    /// immediate wins: the root does, and counts no node.
    pub(super) fn root_of_moves<B: SearchBoard<Geometry = V::Geometry>>(
        &mut self,
        board: B,
        question: Question,
    ) -> Score {
        let g = self.geometry();
        let spec = self.spec();
        if spec.anticipation == Anticipation::Losses && board.wins_now(spec.wins) {
            return g.size().win_at(board.ply());
        }
        match (question, spec.root) {
            (Question::Exceeds(bound), _) => self.moves(board, bound, bound + 1),
            (Question::Score(goal), Root::Window) => self.full_window(board, goal),
            (Question::Score(_), Root::Sign) => self.full_window(board, Goal::Weak),
            (Question::Score(goal), root) => {
                let range = if goal == Goal::Strong || root.asks_beyond_who_wins() {
                    (g.size().least(board.ply()), g.size().win_at(board.ply()))
                } else {
                    // As in Pons's part 8, even if few squares are left and one end is out of reach.
                    goal.window(g.size().limit())
                };
                narrow(root, goal, range, &mut |alpha, put_off_after| {
                    self.budget.put_off_after(put_off_after);
                    let value = self.moves(board, alpha, alpha + 1);
                    self.tested(alpha, value, 1)
                })
            }
        }
    }

    /// [`root_of_moves`](Self::root_of_moves) for the search by children: forced moves are played first.
    pub(super) fn root_of_children(&mut self, board: Board<V::Geometry>, question: Question) -> Score {
        let g = self.geometry();
        let root = self.spec().root;
        let wins = threats::winning_squares(g, self.one_board(), board.mover(), board.empty());
        if (board.playable() & wins).has_any() {
            return g.size().win_at(board.ply());
        }
        let (node, wins, sign) = match self.first_node(board) {
            Played::Score(score) => return score,
            Played::Choice(node, wins, again) => (node, wins, if again { 1 } else { -1 }),
        };
        let score = match question {
            Question::Exceeds(bound) => {
                let alpha = if sign == 1 { bound } else { -bound - 1 };
                self.test_root(node, (alpha, sign), None).0.unwrap_or(STOPPED)
            }
            Question::Score(goal) => narrow(root, goal, self.range(node, wins), &mut |alpha, put_off_after| {
                self.test_root(node, (alpha, sign), put_off_after)
            }),
        };
        if score == STOPPED { STOPPED } else { sign * score }
    }

    /// Searches a null window from the side of `node`, as [`tested`](Self::tested). A search without a table that takes
    /// long is put off, and begins again with the table.
    fn test_root(&mut self, node: NodeOf<V>, (alpha, sign): (Score, Score), most: Option<u64>) -> (Option<Score>, u64) {
        if self.bare {
            self.budget.put_off_after(Some(Late::MOST_NODES));
            let value = self.ask_root(node, alpha);
            if let tested @ (Some(_), _) = self.tested(alpha, value, sign) {
                return tested;
            }
            self.bare = false;
        }
        self.budget.put_off_after(most);
        let value = self.ask_root(node, alpha);
        self.tested(alpha, value, sign)
    }

    /// The value of a null window, or `None` if it was put off; and the nodes so far. `sign` is -1 if the window is from
    /// the other side.
    fn tested(&mut self, alpha: Score, value: Score, sign: Score) -> (Option<Score>, u64) {
        let is_put_off = value == STOPPED && self.budget.is_put_off();
        if value != STOPPED || is_put_off {
            self.note_window([alpha, alpha + 1], value, sign);
        }
        ((!is_put_off).then_some(value), self.budget.nodes)
    }

    fn full_window<B: SearchBoard<Geometry = V::Geometry>>(&mut self, board: B, goal: Goal) -> Score {
        let g = self.geometry();
        let (least, most) = goal.window(g.size().limit());
        let value = self.moves(board, least, most);
        if value != STOPPED {
            self.note_window([least, most], value, 1);
        }
        value
    }
}

/// The score under `goal`, by null windows within a range that holds it. `ask` searches a null window at a bound, or
/// puts it off after a number of nodes, and returns the nodes so far. It is compiled once for all variants.
fn narrow(
    root: Root,
    goal: Goal,
    range: (Score, Score),
    ask: &mut dyn FnMut(Score, Option<u64>) -> (Option<Score>, u64),
) -> Score {
    let beyond = root.asks_beyond_who_wins();
    let (mut min, mut max) = if beyond { range } else { (goal.of(range.0), goal.of(range.1)) };
    let (mut ends, mut guess, mut nodes) = (Ends::new(root, goal == Goal::Strong), 0, 0);
    while goal.of(min) < goal.of(max) {
        let alpha = match root {
            Root::Ends | Root::Extremes => ends.next(min, max, nodes),
            Root::Step => guess.clamp(min, max - 1),
            Root::Bisect | Root::Window | Root::Sign => bisect(min, max),
        };
        let value;
        (value, nodes) = ask(alpha, ends.put_off_after());
        match value {
            Some(STOPPED) => return STOPPED,
            None => ends.put_off(),
            Some(value) => {
                ends.answer(alpha, value);
                if value <= alpha {
                    (max, guess) = (value, value - 1);
                } else {
                    (min, guess) = (value, value);
                }
            }
        }
    }
    goal.of(min)
}
