//! Window and static bounds: whether a search has a window, and the bounds by the number of stones.

use crate::axes::Anticipation;
use crate::axes::table::known::Known;
use crate::game::score::Score;
use crate::game::{Geometry, score};

axis! {
    /// Whether a search has a window.
    pub enum Pruning = "pruning" {
        /// every child is searched in full (Pons, part 3)
        Minimax = "minimax",
        /// a child at or above beta ends its node; fail-soft (Pons, part 4)
        AlphaBeta = "alpha-beta",
    }
}

pub const INFINITE: Score = 64;

/// The window that a node is searched with: `(alpha, beta)`, or all scores.
#[inline(always)]
pub fn window(pruning: Pruning, alpha: Score, beta: Score) -> (Score, Score) {
    match pruning {
        Pruning::Minimax => (-INFINITE, INFINITE),
        Pruning::AlphaBeta => (alpha, beta),
    }
}

axis! {
    /// Bounds that hold without search.
    pub enum StaticBounds = "bounds" {
        /// none
        None = "none",
        /// the mover wins with its second stone from now at best (Pons, part 4)
        Upper = "upper",
        /// the upper bound, and a lower one: the opponent wins with its second stone from now at best (Pons, part 9)
        Both = "both",
    }
}

/// The bounds of a node with `ply` stones that is not decided by `anticipation`. Without anticipation the mover may win
/// with its next stone. If losses are anticipated, the opponent cannot win with its next stone.
#[inline(always)]
pub fn of<G: Geometry>(g: G, bounds: StaticBounds, anticipation: Anticipation, ply: u32) -> Known {
    let most = match anticipation {
        Anticipation::None => g.size().win_at(ply),
        _ => score::most_without_win_now(g, ply),
    };
    let least = match anticipation.sees_losses() {
        true => g.size().least(ply + 2),
        false => g.size().least(ply),
    };
    match bounds {
        StaticBounds::None => Known::any_score(g),
        StaticBounds::Upper => Known { most, ..Known::any_score(g) },
        StaticBounds::Both => Known { least, most },
    }
}

/// The most that a mover gets if it wins with neither of its next two stones. `sooner` is the score of a win with the
/// second of them. The result is not below 0: with two squares left nobody can win.
#[inline(always)]
pub fn most_later(sooner: Score) -> Score {
    (sooner - 1).max(0)
}

/// The bounds of the children of a node whose mover wins with neither of its next two stones. `sooner` is the score of
/// the node's mover for a win with the second of them, `most` is [`most_later`]. `LAST` is true if this mover plays
/// the last stone of a full board.
#[inline(always)]
pub fn of_children<G: Geometry, const LAST: bool>(g: G, bounds: StaticBounds, sooner: Score, most: Score) -> Known {
    // Half of all empty squares but one, rounded down. A child has one square less: unless `LAST`, the half is equal.
    let of_child = if LAST { sooner - 1 } else { sooner };
    match bounds {
        StaticBounds::None => Known::any_score(g),
        StaticBounds::Upper => Known { most: of_child, ..Known::any_score(g) },
        StaticBounds::Both => Known { least: -most, most: of_child },
    }
}
