//! Pruning: what the window of a search is used for.

use crate::game::score::Score;

axis! {
    /// Whether a search has a window.
    pub enum Pruning = "pruning" {
        /// every child is searched in full (Pons, part 3)
        Minimax = "minimax",
        /// a child at or above beta ends its node; fail-soft (Pons, part 4)
        AlphaBeta = "alpha-beta",
    }
}

/// More than any score of any board.
pub const INFINITE: Score = 64;

/// The window a node is searched with: the one asked for, or all scores.
#[inline(always)]
pub fn window(pruning: Pruning, alpha: Score, beta: Score) -> (Score, Score) {
    match pruning {
        Pruning::Minimax => (-INFINITE, INFINITE),
        Pruning::AlphaBeta => (alpha, beta),
    }
}
