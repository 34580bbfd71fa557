//! Scores: the field's convention, from the mover's side.
//!
//! 0 is a draw. A win by the stone played with `n` stones on the board is worth `(width * height + 1 - n) / 2`,
//! truncated: on 7x6 that is 22 minus the number of stones that the winner has then played. A loss is the negative of
//! the winner's score. The earlier the win, the higher the score:
//!
//! ```text
//! stones on the board     6   7   8   9  ...  39  40  41
//! worth of winning now   18  18  17  17        2   1   1
//! ```
//!
//! All divisions truncate towards zero.

use crate::game::geometry::Geometry;
use crate::game::size::BoardSize;

/// A score from the mover's side.
pub type Score = i32;

/// The most that the mover can get with `ply` stones on the board, if the next stone does not win.
#[inline(always)]
pub fn most_without_win_now<G: Geometry>(g: G, ply: u32) -> Score {
    (g.cells() as Score - 1 - ply as Score) / 2
}

impl BoardSize {
    /// The worth of a win with the next stone when `ply` stones are on the board.
    #[inline(always)]
    pub const fn win_at(self, ply: u32) -> Score {
        (self.cells() as Score + 1 - ply as Score) / 2
    }

    /// The least that the mover can get with `ply` stones on the board: the opponent wins with the stone after next.
    #[inline(always)]
    pub const fn least(self, ply: u32) -> Score {
        -((self.cells() as Score - ply as Score) / 2)
    }

    /// The largest distance of a score from 0.
    #[inline(always)]
    pub const fn limit(self) -> Score {
        self.cells() as Score / 2
    }

    /// Plies still to play under best play, the winning stone included; all empty squares for a draw.
    pub fn distance(self, score: Score, ply: u32) -> u32 {
        let cells = self.cells();
        if score == 0 {
            return cells - ply;
        }
        let winner_moves_next = score > 0;
        // The winning stone falls on one of two plies; the side to move decides which.
        let late = cells + 1 - 2 * score.unsigned_abs();
        let same_side = (late % 2 == ply % 2) == winner_moves_next;
        (if same_side { late } else { late - 1 }) - ply + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Standard;

    #[test]
    fn a_win_is_worth_22_minus_the_winners_stones() {
        for ply in 6..42 {
            let winners_stones = ply / 2 + 1;
            assert_eq!(BoardSize::STANDARD.win_at(ply), 22 - winners_stones as Score, "ply {ply}");
        }
    }

    #[test]
    fn bounds_are_wins_played_later() {
        for ply in 6..38 {
            assert_eq!(most_without_win_now(Standard::NEW, ply), BoardSize::STANDARD.win_at(ply + 2));
            assert_eq!(BoardSize::STANDARD.least(ply), -BoardSize::STANDARD.win_at(ply + 1));
        }
    }

    #[test]
    fn distance_undoes_the_score() {
        for ply in 0..42 {
            for winning_ply in ply.max(6)..42 {
                let worth = BoardSize::STANDARD.win_at(winning_ply);
                let score = if winning_ply % 2 == ply % 2 { worth } else { -worth };
                assert_eq!(BoardSize::STANDARD.distance(score, ply), winning_ply - ply + 1);
            }
        }
    }
}
