//! Threats: the empty squares that would complete four in a row.

use crate::game::Geometry;

axis! {
    /// How winning squares are found.
    pub enum Threats = "threats" {
        /// pairs
        Pairs = "pairs",
        /// almost
        AlmostWins = "almost-wins",
        /// directions
        Directions = "directions",
        /// children
        Children = "children",
        /// players
        Players = "players",
    }
}
impl Threats {
    /// Vector?
    pub fn is_vector(self) -> bool {
        !matches!(self, Threats::Pairs | Threats::AlmostWins)
    }
}
/// Both.
#[inline(always)]
pub fn winning_squares_of_both<G: Geometry>(t: Threats, boards: [u64; 2], empty: u64) -> [u64; 2] {
    boards.map(|b| winning_squares::<G>(t, b, empty))
}
/// Each.
#[inline(always)]
pub fn each_after<G: Geometry>(t: Threats, stones: u64, moves: u64, empty: u64, mut each: impl FnMut(u32, u64)) {
    for column in 0..G::WIDTH {
        let m = moves & G::column(column);
        if m != 0 {
            each(column, winning_squares::<G>(t, stones | m, empty));
        }
    }
}

/// The squares of `empty` where one more stone gives `stones` four in a row.
///
/// In each direction a line of four lacks one square, and two of its stones are neighbours of each other:
/// `p` holds the squares that follow a pair, and one more stone on either side of the gap completes it.
///
/// ```text
/// _ x x x    x _ x x    x x _ x    x x x _
/// ```
///
/// Vertical lines lack their top square only. Source: the pair-and-shift scheme of P. Pons, "Solving Connect
/// Four", part 9.
#[inline(always)]
pub fn winning_squares<G: Geometry>(_: Threats, stones: u64, empty: u64) -> u64 {
    let mut squares = (stones << 1) & (stones << 2) & (stones << 3);
    for step in [G::STRIDE - 1, G::STRIDE, G::STRIDE + 1] {
        let up = (stones << step) & (stones << (2 * step));
        let down = (stones >> step) & (stones >> (2 * step));
        squares |= up & ((stones << (3 * step)) | (stones >> step));
        squares |= down & ((stones << step) | (stones >> (3 * step)));
    }
    squares & empty
}

/// The moves of `playable` that do not let the opponent win at once, given the opponent's winning squares:
/// a threat that can be played now must be taken, two cannot be; no move under a threat.
#[inline(always)]
pub fn non_losing(playable: u64, opponent_wins: u64) -> u64 {
    let forced = playable & opponent_wins;
    let candidates = if forced == 0 {
        playable
    } else if forced & (forced - 1) == 0 {
        forced
    } else {
        return 0;
    };
    candidates & !(opponent_wins >> 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::board::has_four;
    use crate::game::{Board, Grid, Spaced, Standard};
    use proptest::prelude::*;

    /// By definition: put a stone on each empty square and look.
    fn by_trial<G: Geometry>(stones: u64, empty: u64) -> u64 {
        (0..64)
            .map(|bit| 1 << bit)
            .filter(|square| empty & square != 0 && has_four::<G>(stones | square))
            .fold(0, |set, square| set | square)
    }

    fn compare<G: Geometry>(columns: &[u32]) {
        let mut board = Board::<G>::EMPTY;
        for &column in columns {
            if column < G::WIDTH && board.can_play(column) && !board.is_won() {
                board = board.play(column);
            }
            for stones in [board.mover(), board.opponent()].into_iter().filter(|s| !has_four::<G>(*s)) {
                assert_eq!(
                    winning_squares::<G>(Threats::Pairs, stones, board.empty()),
                    by_trial::<G>(stones, board.empty()),
                    "{board}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn winning_squares_are_those_that_win(columns in proptest::collection::vec(0u32..9, 0..70)) {
            compare::<Standard>(&columns);
            compare::<Spaced>(&columns);
            compare::<Grid<4, 4, 5>>(&columns);
            compare::<Grid<9, 6, 7>>(&columns);
            compare::<Grid<8, 7, 8>>(&columns);
        }
    }
}
