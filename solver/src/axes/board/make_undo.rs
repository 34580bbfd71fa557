//! A board that is not copied: moves are made and undone, as in D. Herzberg, "Bitboards and Connect Four".
//!
//! It holds one word for each player, one height for each column, the columns played so far, and a counter of stones,
//! whose lowest bit gives the side to move. A height is the index of the lowest empty square, or the sentinel:
//!
//! ```text
//! . . . . . . .   6 13 20 27 34 41 48   sentinels: a height here says that the column is full
//! . . . O . . .   heights {0, 7, 15, 24, 30, 35, 42} for
//! . . . X X . .   stones  {0, 0,  1,  3,  2,  0,  0}
//! . . O X O . .
//! ```
//!
//! The fields are cells, so that the search passes one board by reference. Other boards are passed as copies.
//! `&MakeUndo` is a [`SearchBoard`]: `play` makes the move on this board, `undo` takes it back.

use crate::axes::board::storage::SearchBoard;
use crate::axes::lines::wins::{self, Wins};
use crate::game::{Board, Geometry, Word};
use std::cell::Cell;

#[derive(Clone, Debug)]
pub struct MakeUndo<G: Geometry> {
    /// The stones of the first player and of the second.
    players: [Cell<G::Word>; 2],
    /// The index of the lowest empty square of each column.
    heights: [Cell<u8>; 16],
    counter: Cell<u32>,
    /// The column of each move made on this board, indexed by the counter before the move.
    history: [Cell<u8>; 64],
    geometry: G,
}

impl<G: Geometry> MakeUndo<G> {
    /// Copies `board`. The moves that led to it cannot be undone.
    pub fn new(board: Board<G>) -> Self {
        let g = board.geometry();
        let (first, second) = board.by_player();
        let height = |column: u32| column * g.stride() + (board.stones() & g.column(column)).count_ones();
        MakeUndo {
            players: [Cell::new(first), Cell::new(second)],
            heights: std::array::from_fn(|column| {
                Cell::new(if column < g.width() as usize { height(column as u32) as u8 } else { 0 })
            }),
            counter: Cell::new(board.ply()),
            history: [const { Cell::new(0) }; 64],
            geometry: g,
        }
    }

    #[inline(always)]
    fn player(&self, ply: u32) -> &Cell<G::Word> {
        &self.players[(ply & 1) as usize]
    }

    #[inline(always)]
    pub fn make(&self, column: u32) {
        let (height, counter) = (&self.heights[column as usize & 15], self.counter.get());
        let player = self.player(counter);
        player.set(player.get() ^ G::Word::ONE << u32::from(height.get()));
        height.set(height.get() + 1);
        self.history[counter as usize & 63].set(column as u8);
        self.counter.set(counter + 1);
    }

    #[inline(always)]
    fn legal_moves(&self) -> impl Iterator<Item = u32> {
        (0..self.geometry.width()).filter(|&column| (self.geometry.board() & self.square(column)).has_any())
    }

    /// The lowest empty square of a column, or its sentinel.
    #[inline(always)]
    fn square(&self, column: u32) -> G::Word {
        G::Word::ONE << u32::from(self.heights[column as usize & 15].get())
    }

    #[inline(always)]
    fn sides(&self) -> [G::Word; 2] {
        let counter = self.counter.get();
        [self.player(counter).get(), self.player(counter + 1).get()]
    }
}

impl<G: Geometry> SearchBoard for &MakeUndo<G> {
    type Geometry = G;

    #[inline(always)]
    fn geometry(&self) -> G {
        self.geometry
    }

    #[inline(always)]
    fn board(&self) -> Board<G> {
        let [mover, opponent] = self.sides();
        Board::of_sides(self.geometry, mover, opponent)
    }

    #[inline(always)]
    fn ply(&self) -> u32 {
        self.counter.get()
    }

    #[inline(always)]
    fn playable(&self) -> G::Word {
        self.legal_moves().fold(G::Word::NONE, |moves, column| moves | self.square(column))
    }

    #[inline(always)]
    fn wins_now(&self, wins: Wins) -> bool {
        let [mover, _] = self.sides();
        // Not `any`: see `wins_now` in `storage.rs`.
        for column in self.legal_moves() {
            if wins::has_four(self.geometry, wins, mover | self.square(column)) {
                return true;
            }
        }
        false
    }

    #[inline(always)]
    fn play(&self, one_move: G::Word) -> Self {
        self.make(self.geometry.column_of(one_move));
        self
    }

    #[inline(always)]
    fn undo(&self) {
        let counter = self.counter.get() - 1;
        self.counter.set(counter);
        let height = &self.heights[self.history[counter as usize & 63].get() as usize & 15];
        height.set(height.get() - 1);
        let player = self.player(counter);
        player.set(player.get() ^ G::Word::ONE << u32::from(height.get()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::board::storage::tests::agree;
    use crate::game::any_board::{Broad, Narrow};
    use crate::game::{Position, Spaced, Standard};
    use proptest::prelude::*;

    /// Plays a game on both kinds of board, and undoes it on [`MakeUndo`].
    fn play_and_undo<G: Geometry>(g: G, columns: &[u32]) {
        let mut position = Position::start_on(g.size());
        let board = MakeUndo::new(position.board(g));
        let mut boards = Vec::new();
        for &column in columns {
            let before = position.board(g);
            if position.play(column).is_ok() {
                boards.push(before);
                board.make(column);
                agree(&&board, position.board(g));
                agree(&&MakeUndo::new(position.board(g)), position.board(g));
            }
        }
        for before in boards.into_iter().rev() {
            (&board).undo();
            agree(&&board, before);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn moves_made_are_undone(columns in proptest::collection::vec(0u32..9, 0..70)) {
            play_and_undo(Standard::NEW, &columns);
            play_and_undo(Spaced::NEW, &columns);
            play_and_undo(Narrow::sized(4, 4), &columns);
            play_and_undo(Broad::sized(9, 6), &columns);
        }
    }
}
