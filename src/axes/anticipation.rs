//! Anticipation: what a node looks for before it searches its children.

use super::storage::SearchBoard;
use crate::game::Geometry;
use crate::game::score::{self, Score};

axis! {
    /// What a node looks for before it searches.
    pub enum Anticipation = "anticipation" {
        /// every playable column is tried for an immediate win (Pons, part 3)
        Wins = "wins",
        /// only moves that do not allow an immediate loss are searched; immediate wins are tested at the root alone (Pons, part 9)
        Losses = "losses",
    }
}

/// What looking ahead found at a node.
pub enum Found {
    /// The score is known.
    Score(Score),
    /// The moves to search, one bit in each of their columns; at least one.
    Moves(u64),
}

/// Looks ahead from a board that is not won, with `ply` stones.
///
/// With [`Anticipation::Losses`] the mover must have no immediate win: the root sees to it, and so does every
/// parent by playing non-losing moves only.
#[inline(always)]
pub fn look<B: SearchBoard>(anticipation: Anticipation, board: &B, ply: u32) -> Found {
    let cells = <B::Geometry as Geometry>::CELLS;
    match anticipation {
        Anticipation::Wins => {
            if ply == cells {
                return Found::Score(0);
            }
            if board.wins_now() {
                return Found::Score(score::win_at::<B::Geometry>(ply));
            }
            Found::Moves(board.playable())
        }
        Anticipation::Losses => {
            debug_assert!(!board.wins_now());
            let moves = board.non_losing();
            if moves == 0 {
                return Found::Score(score::least::<B::Geometry>(ply));
            }
            if ply >= cells - 2 {
                return Found::Score(0);
            }
            Found::Moves(moves)
        }
    }
}
