//! Static bounds: what the number of stones alone says about the score.

use crate::axes::Anticipation;
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

/// An upper bound at a node that was looked ahead from; without anticipation the mover may win with the next stone.
#[inline(always)]
pub fn upper<G: Geometry>(bounds: StaticBounds, anticipation: Anticipation, ply: u32) -> Option<Score> {
    match bounds {
        StaticBounds::None => None,
        StaticBounds::Upper | StaticBounds::Both if anticipation == Anticipation::None => Some(score::win_at::<G>(ply)),
        StaticBounds::Upper | StaticBounds::Both => Some(score::most_without_win_now::<G>(ply)),
    }
}

/// The most that is left where no move wins before the stone after next but one.
#[inline(always)]
pub fn most_left<G: Geometry>(ply: u32) -> Score {
    score::most_without_win_now::<G>(ply + 2)
}

/// A lower bound; with anticipated losses the opponent cannot win with the stone after next.
#[inline(always)]
pub fn lower<G: Geometry>(bounds: StaticBounds, anticipation: Anticipation, ply: u32) -> Option<Score> {
    match bounds {
        StaticBounds::None | StaticBounds::Upper => None,
        StaticBounds::Both if anticipation.sees_losses() => Some(score::least_without_loss_next::<G>(ply)),
        StaticBounds::Both => Some(score::least::<G>(ply)),
    }
}
