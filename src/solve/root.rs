//! Root drivers: from searches with a window to a score.

use super::engine::{STOPPED, Search};
use super::solver::Goal;
use super::variant::Variant;
use crate::axes::root::bisect;
use crate::axes::storage::SearchBoard;
use crate::axes::{Anticipation, Root};
use crate::game::score::{self, Score};

/// What a root is asked.
#[derive(Clone, Copy)]
pub(super) enum Question {
    /// The score under a goal.
    Score(Goal),
    /// A score that lies on the same side of the bound as the exact score.
    Exceeds(Score),
}

impl<V: Variant> Search<'_, '_, V> {
    /// The score of a board that is not over, or [`STOPPED`].
    ///
    /// Where losses are anticipated, nodes do not look for immediate wins: the root does, and counts no node.
    pub(super) fn root<B: SearchBoard<Geometry = V::Geometry>>(&mut self, board: B, question: Question) -> Score {
        let spec = self.engine.variant.spec();
        if spec.anticipation == Anticipation::Losses && board.wins_now(spec.wins) {
            return score::win_at::<V::Geometry>(board.ply());
        }
        match (question, spec.root) {
            (Question::Exceeds(bound), _) => self.search(board, bound, bound + 1),
            (Question::Score(goal), Root::Window) => self.full_window(board, goal),
            (Question::Score(goal), Root::Bisect) => self.bisection(board, goal),
        }
    }

    fn full_window<B: SearchBoard<Geometry = V::Geometry>>(&mut self, board: B, goal: Goal) -> Score {
        let limit = match goal {
            Goal::Strong => score::limit::<V::Geometry>(),
            Goal::Weak => 1,
        };
        self.search(board, -limit, limit)
    }

    fn bisection<B: SearchBoard<Geometry = V::Geometry>>(&mut self, board: B, goal: Goal) -> Score {
        let (mut min, mut max) = match goal {
            Goal::Strong => (score::least::<V::Geometry>(board.ply()), score::win_at::<V::Geometry>(board.ply())),
            Goal::Weak => (-1, 1),
        };
        while min < max {
            let middle = bisect(min, max);
            let value = self.search(board, middle, middle + 1);
            if value == STOPPED {
                return STOPPED;
            }
            if value <= middle {
                max = value;
            } else {
                min = value;
            }
        }
        min
    }
}
