//! Static bounds: what the number of stones alone says about the score.

use super::Anticipation;
use crate::game::Geometry;
use crate::game::score::{self, Score};

axis! {
    /// Bounds that hold without search.
    pub enum StaticBounds = "bounds" {
        /// none
        None = "none",
        /// the mover wins with the stone after next at best (Pons, part 4)
        Upper = "upper",
        /// and the opponent wins no sooner than it can (Pons, part 9)
        Both = "both",
    }
}

/// An upper bound for a mover without an immediate win.
#[inline(always)]
pub fn upper<G: Geometry>(bounds: StaticBounds, ply: u32) -> Option<Score> {
    match bounds {
        StaticBounds::None => None,
        StaticBounds::Upper | StaticBounds::Both => Some(score::most_without_win_now::<G>(ply)),
    }
}

/// A lower bound; with anticipated losses the opponent cannot win with the stone after next.
#[inline(always)]
pub fn lower<G: Geometry>(bounds: StaticBounds, anticipation: Anticipation, ply: u32) -> Option<Score> {
    match (bounds, anticipation) {
        (StaticBounds::None | StaticBounds::Upper, _) => None,
        (StaticBounds::Both, Anticipation::Wins) => Some(score::least::<G>(ply)),
        (StaticBounds::Both, Anticipation::Losses) => Some(score::least_without_loss_next::<G>(ply)),
    }
}
