//! Static bounds: what the number of stones alone says about the score.

use crate::axes::Anticipation;
use crate::axes::table::known::Known;
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

/// The bounds of a node that was looked ahead from. Without anticipation the mover may win with the next stone; where losses are
/// anticipated, the opponent cannot win with the stone after next.
#[inline(always)]
pub fn of<G: Geometry>(bounds: StaticBounds, anticipation: Anticipation, ply: u32) -> Known {
    let most = match anticipation {
        Anticipation::None => score::win_at::<G>(ply),
        _ => score::most_without_win_now::<G>(ply),
    };
    let least = match anticipation.sees_losses() {
        true => score::least_without_loss_next::<G>(ply),
        false => score::least::<G>(ply),
    };
    match bounds {
        StaticBounds::None => Known::NOTHING,
        StaticBounds::Upper => Known::at_most(most),
        StaticBounds::Both => Known { least, most },
    }
}

/// The most that is left to a mover that wins neither with the next stone nor with the one after the opponent's reply.
#[inline(always)]
pub fn most_left<G: Geometry>(ply: u32) -> Score {
    score::most_without_win_now::<G>(ply + 2)
}
