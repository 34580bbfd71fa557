//! A board of one word a player, copied and swapped after each move, as in "The Wondrous World of Connect Four Bit
//! Boards": no side to move, no heights and no counter of stones.

use crate::axes::board::storage::SearchBoard;
use crate::axes::lines::wins::{self, Wins};
use crate::game::{Board, Geometry, Word};

#[derive(Clone, Copy, Debug)]
pub struct TwoPlayers<G: Geometry> {
    mover: G::Word,
    opponent: G::Word,
    geometry: G,
}

impl<G: Geometry> TwoPlayers<G> {
    #[inline(always)]
    pub fn new(board: Board<G>) -> Self {
        TwoPlayers { mover: board.mover(), opponent: board.opponent(), geometry: board.geometry() }
    }
}

impl<G: Geometry> SearchBoard for TwoPlayers<G> {
    type Geometry = G;

    #[inline(always)]
    fn geometry(&self) -> G {
        self.geometry
    }

    #[inline(always)]
    fn board(&self) -> Board<G> {
        Board::of_sides(self.geometry, self.mover, self.opponent)
    }

    #[inline(always)]
    fn ply(&self) -> u32 {
        (self.mover | self.opponent).count_ones()
    }

    #[inline(always)]
    fn playable(&self) -> G::Word {
        ((self.mover | self.opponent) + self.geometry.bottom()) & self.geometry.board()
    }

    #[inline(always)]
    fn is_won(&self, wins: Wins) -> bool {
        wins::has_four(self.geometry, wins, self.opponent)
    }

    #[inline(always)]
    fn wins_now(&self, wins: Wins) -> bool {
        self.board().wins_now(wins)
    }

    #[inline(always)]
    fn play(&self, one_move: G::Word) -> Self {
        TwoPlayers { mover: self.opponent, opponent: self.mover | one_move, geometry: self.geometry }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::board::storage::tests::agree;
    use crate::axes::lines::line::definition::{columns, played};
    use crate::game::any_board::{Broad, Narrow};
    use crate::game::{Spaced, Standard};
    use proptest::prelude::*;

    fn compare<G: Geometry>(g: G, columns: &[u32]) {
        let mut ours: Option<TwoPlayers<G>> = None;
        for board in played(g, columns) {
            let new = board.stones() & !ours.map_or(G::Word::NONE, |before| before.board().stones());
            ours = Some(ours.map_or(TwoPlayers::new(board), |before| before.play(new)));
            agree(&ours.unwrap(), board);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn boards_swap_as_sides_do(columns in columns()) {
            compare(Standard::NEW, &columns);
            compare(Spaced::NEW, &columns);
            compare(Narrow::sized(4, 4), &columns);
            compare(Broad::sized(9, 6), &columns);
        }
    }
}
