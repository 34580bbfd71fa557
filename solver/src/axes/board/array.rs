//! A board of one byte a square: the storage of P. Pons, "Solving Connect Four", parts 3 to 5.
//!
//! Nothing here shifts a bitboard. Lines are walked square by square, for every value of [`Wins`] and [`Threats`], so
//! that the gain from bitboards can be measured. The byte of a square has the index `column * stride + row`, as its bit
//! has in [`crate::game::geometry`].

use crate::axes::board::storage::SearchBoard;
use crate::axes::lines::threats::{self, Threats};
use crate::axes::lines::wins::Wins;
use crate::axes::table::key::{self, Key};
use crate::game::{Board, Geometry, Word};

const EMPTY: u8 = 0;

#[derive(Clone, Copy, Debug)]
pub struct ArrayBoard<G: Geometry> {
    /// 0 for an empty square, 1 for the first player, 2 for the second.
    squares: [u8; 64],
    heights: [u8; 16],
    ply: u32,
    geometry: G,
}

impl<G: Geometry> ArrayBoard<G> {
    #[inline(always)]
    fn height(&self, column: u32) -> u32 {
        u32::from(self.heights[column as usize & 15])
    }

    #[inline(always)]
    fn at(&self, column: u32, row: u32) -> u8 {
        self.squares[(column * self.geometry.stride() + row) as usize & 63]
    }

    #[inline(always)]
    fn mover(&self) -> u8 {
        1 + (self.ply % 2) as u8
    }

    /// The length of the run of `player`'s stones from (`column`, `row`) in direction `step`, without that square.
    #[inline(always)]
    fn run(&self, player: u8, column: u32, row: u32, step: (i32, i32)) -> u32 {
        let (mut column, mut row, mut count) = (column as i32 + step.0, row as i32 + step.1, 0);
        while (0..self.geometry.width() as i32).contains(&column)
            && (0..self.geometry.height() as i32).contains(&row)
            && self.at(column as u32, row as u32) == player
        {
            (column, row, count) = (column + step.0, row + step.1, count + 1);
        }
        count
    }

    /// True if a stone of `player` on the empty square (`column`, `row`) completes four.
    #[inline(always)]
    fn completes(&self, player: u8, column: u32, row: u32) -> bool {
        let below = |n: u32| self.at(column, row.wrapping_sub(n)) == player;
        if row >= 3 && below(1) && below(2) && below(3) {
            return true;
        }
        [-1, 0, 1]
            .into_iter()
            .any(|slope| self.run(player, column, row, (-1, -slope)) + self.run(player, column, row, (1, slope)) >= 3)
    }

    /// The empty squares that would complete four for `player`, as a set of bits.
    fn winning_squares(&self, player: u8) -> G::Word {
        let mut squares = G::Word::NONE;
        for column in 0..self.geometry.width() {
            for row in self.height(column)..self.geometry.height() {
                if self.completes(player, column, row) {
                    squares |= G::Word::ONE << (column * self.geometry.stride() + row);
                }
            }
        }
        squares
    }

    pub fn new(board: Board<G>) -> Self {
        let g = board.geometry();
        let (first, second) = board.by_player();
        let mut array = ArrayBoard { squares: [EMPTY; 64], heights: [0; 16], ply: board.ply(), geometry: g };
        for (bit, square) in array.squares.iter_mut().enumerate() {
            let at = |set: G::Word| (set.low() >> bit & 1) as u8;
            *square = at(first) + 2 * at(second);
        }
        for column in 0..g.width() {
            array.heights[column as usize] = (board.stones() & g.column(column)).count_ones() as u8;
        }
        array
    }

    fn next_squares(&self) -> G::Word {
        let open = (0..self.geometry.width()).filter(|&column| self.height(column) < self.geometry.height());
        open.fold(G::Word::NONE, |squares, column| {
            squares | G::Word::ONE << (column * self.geometry.stride() + self.height(column))
        })
    }
}

impl<G: Geometry> SearchBoard for ArrayBoard<G> {
    type Geometry = G;

    #[inline(always)]
    fn geometry(&self) -> G {
        self.geometry
    }

    fn board(&self) -> Board<G> {
        let of = |wanted: &dyn Fn(u8) -> bool| {
            self.squares.iter().enumerate().fold(0, |set, (bit, &square)| set | u128::from(wanted(square)) << bit)
        };
        let (mover, stones) = (of(&|square| square == self.mover()), of(&|square| square != EMPTY));
        Board::from_stones(self.geometry, G::Word::of(mover), G::Word::of(stones)).expect("stones lie in columns")
    }

    #[inline(always)]
    fn ply(&self) -> u32 {
        self.ply
    }

    #[inline(always)]
    fn playable(&self) -> G::Word {
        let mut moves = G::Word::NONE;
        for column in 0..self.geometry.width() {
            moves |=
                G::Word::of((self.height(column) < self.geometry.height()).into()) << (column * self.geometry.stride());
        }
        moves
    }

    fn is_won(&self, _: Wins) -> bool {
        let four = |column: u32, row: u32| {
            let player = 3 - self.mover();
            let line = |step| self.run(player, column, row, step) >= 3;
            self.at(column, row) == player && [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(line)
        };
        (0..self.geometry.width()).any(|column| (0..self.height(column)).any(|row| four(column, row)))
    }

    #[inline(always)]
    fn wins_now(&self, _: Wins) -> bool {
        (0..self.geometry.width()).any(|column| {
            let row = self.height(column);
            row < self.geometry.height() && self.completes(self.mover(), column, row)
        })
    }

    fn winning_moves(&self, _: Threats) -> G::Word {
        self.next_squares() & self.winning_squares(self.mover())
    }

    fn non_losing(&self, _: Threats) -> G::Word {
        threats::non_losing(self.next_squares(), self.winning_squares(3 - self.mover()))
    }

    fn winning_and_non_losing(&self, threats: Threats) -> (G::Word, G::Word) {
        (self.winning_moves(threats), self.non_losing(threats))
    }

    fn each_after(&self, _: Threats, moves: G::Word, mut each: impl FnMut(u32, u32)) {
        for column in 0..self.geometry.width() {
            let one_move = moves & self.geometry.column(column);
            if one_move.has_any() {
                each(column, self.play(one_move).winning_squares(self.mover()).count_ones());
            }
        }
    }

    #[inline(always)]
    fn play(&self, one_move: G::Word) -> Self {
        let column = self.geometry.column_of(one_move);
        let mut child = *self;
        child.squares[(column * self.geometry.stride() + self.height(column)) as usize & 63] = self.mover();
        child.heights[column as usize & 15] += 1;
        child.ply += 1;
        child
    }

    #[inline(always)]
    fn key(&self, key: Key, _: Wins) -> u128 {
        if key != Key::Exact {
            return key::of(key, Wins::TwoShifts, self.board());
        }
        let mut code_of_all = 0;
        for column in 0..self.geometry.width() {
            let mut code = 1;
            for row in (0..self.height(column)).rev() {
                code = code << 1 | u128::from(self.at(column, row) == self.mover());
            }
            code_of_all |= code << (column * self.geometry.stride());
        }
        code_of_all
    }

    #[inline(always)]
    fn key_after(&self, one_move: G::Word, key: Key, wins: Wins) -> u128 {
        self.play(one_move).key(key, wins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::board::storage::tests::agree;
    use crate::game::any_board::Narrow;
    use crate::game::{Position, Standard};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn array_and_bitboard_answer_alike(moves in proptest::collection::vec(0u32..7, 0..42)) {
            let (mut position, mut small) = (Position::start(), Position::start_on(Narrow::sized(5, 4).size()));
            let mut played = ArrayBoard::new(position.board(Standard::NEW));
            for column in moves {
                if position.play(column).is_ok() {
                    played = played.play(1 << (column * Standard::STRIDE));
                }
                let _ = (column < 5).then(|| small.play(column));
                agree(&played, position.board(Standard::NEW));
                agree(&ArrayBoard::new(position.board(Standard::NEW)), position.board(Standard::NEW));
                agree(&ArrayBoard::new(small.board(Narrow::sized(5, 4))), small.board(Narrow::sized(5, 4)));
                prop_assert_eq!(played.winning_squares(1), ArrayBoard::new(position.board(Standard::NEW)).winning_squares(1));
            }
        }
    }
}
