//! Storage and layout: how the search holds a board, and the operations that it needs of a board.
//!
//! ```text
//! tight   c c c c c c .          the column's squares and one sentinel bit: stride 7 on six rows
//! spaced  c c c c c c . . .      three sentinel bits: stride 9 on six rows
//! ```
//!
//! One sentinel bit is enough for every shift of this project. Three bits make keys wider: 61 bits instead of 49 on
//! 7x6, too many for a slot of eight bytes that also holds a bound.

use crate::axes::lines::threats::{self, Threats};
use crate::axes::lines::wins::{self, Wins};
use crate::axes::table::key::{self, Key};
use crate::game::{Board, BoardSize, Geometry, Word};

axis! {
    /// How the search holds a board.
    pub enum Storage = "storage" {
        /// one byte a square and a height a column, copied; lines are walked square by square (Pons, parts 3 to 5)
        Array = "array",
        /// two words, the mover's stones and all stones, copied (Pons, part 6; Connect Four Bit Boards)
        Bitboard = "bitboard",
        /// two words, the mover's stones and the opponent's, copied and swapped (Connect Four Bit Boards)
        TwoPlayers = "two-players",
        /// one word a player, heights, counter and history; one board, moves made and undone (Herzberg)
        MakeUndo = "make-undo",
    }
}

axis! {
    /// How a board lies in its word.
    pub enum Layout = "layout" {
        /// one sentinel bit above each column: stride 7 on 7x6 (Pons, part 6; Herzberg)
        Tight = "tight",
        /// three sentinel bits: stride 9 on 7x6 (Connect Four Bit Boards)
        Spaced = "spaced",
    }
}

impl Layout {
    pub fn of<G: Geometry>(g: G) -> Option<Self> {
        match g.stride() - g.height() {
            1 => Some(Layout::Tight),
            3 => Some(Layout::Spaced),
            _ => None,
        }
    }

    /// The geometry of `board` in this layout, in the form of [`Geometry::name`].
    pub fn geometry(self, board: BoardSize) -> String {
        let sentinels = match self {
            Layout::Tight => 1,
            Layout::Spaced => 3,
        };
        format!("{board}/{}", board.height() + sentinels)
    }
}

/// The word of a board's sets of squares.
pub type WordOf<B> = <<B as SearchBoard>::Geometry as Geometry>::Word;

/// The operations that the search needs of a board.
///
/// A set of moves has one bit for each column that can be played, at any row of the column. So `moves & g.column(c)`
/// is the move in column `c`, or 0.
pub trait SearchBoard: Copy {
    type Geometry: Geometry;

    fn geometry(&self) -> Self::Geometry;
    /// The board of the rules.
    fn board(&self) -> Board<Self::Geometry>;
    fn ply(&self) -> u32;
    fn playable(&self) -> WordOf<Self>;
    /// True if some move wins at once. Columns are tried one by one.
    fn wins_now(&self, wins: Wins) -> bool;
    /// The board after `one_move`: a copy, or this board itself until [`undo`](Self::undo).
    #[must_use]
    fn play(&self, one_move: WordOf<Self>) -> Self;
    /// Takes the last move back, on boards that are not copied.
    #[inline(always)]
    fn undo(&self) {}

    #[inline(always)]
    fn is_won(&self, wins: Wins) -> bool {
        wins::has_four(self.geometry(), wins, self.board().opponent())
    }

    #[inline(always)]
    fn winning_moves(&self, threats: Threats) -> WordOf<Self> {
        let board = self.board();
        self.playable() & threats::winning_squares(self.geometry(), threats, board.mover(), board.empty())
    }

    /// The moves after which the opponent cannot win at once.
    #[inline(always)]
    fn non_losing(&self, threats: Threats) -> WordOf<Self> {
        let board = self.board();
        let opponent = threats::winning_squares(self.geometry(), threats, board.opponent(), board.empty());
        threats::non_losing(self.playable(), opponent)
    }

    /// The results of [`winning_moves`](Self::winning_moves) and [`non_losing`](Self::non_losing), computed together.
    #[inline(always)]
    fn winning_and_non_losing(&self, threats: Threats) -> (WordOf<Self>, WordOf<Self>) {
        let (board, playable) = (self.board(), self.playable());
        let both = [board.mover(), board.opponent()];
        let [mover, opponent] = threats::winning_squares_of_both(self.geometry(), threats, both, board.empty());
        (playable & mover, threats::non_losing(playable, opponent))
    }

    /// Calls `each` for each of `moves`, by rising column, with the column and the number of the mover's threats then.
    #[inline(always)]
    fn each_after(&self, threats: Threats, moves: WordOf<Self>, mut each: impl FnMut(u32, u32)) {
        self.each_square_after(threats, moves, |column, squares| each(column, squares.count_ones()));
    }

    /// Calls `each` for each of `moves`, by rising column, with the column and the mover's threats after the move.
    #[inline(always)]
    fn each_square_after(&self, threats: Threats, moves: WordOf<Self>, each: impl FnMut(u32, WordOf<Self>)) {
        let board = self.board();
        threats::each_after(self.geometry(), threats, board.mover(), moves, board.empty(), each);
    }

    #[inline(always)]
    fn key(&self, key: Key, wins: Wins) -> u128 {
        key::of(key, wins, self.board())
    }

    #[inline(always)]
    fn key_after(&self, one_move: WordOf<Self>, key: Key, wins: Wins) -> u128 {
        key::of(key, wins, self.board().play_square(one_move))
    }
}

impl<G: Geometry> SearchBoard for Board<G> {
    type Geometry = G;

    #[inline(always)]
    fn geometry(&self) -> G {
        Board::geometry(*self)
    }

    #[inline(always)]
    fn board(&self) -> Board<G> {
        *self
    }

    #[inline(always)]
    fn ply(&self) -> u32 {
        Board::ply(*self)
    }

    #[inline(always)]
    fn playable(&self) -> G::Word {
        Board::playable(*self)
    }

    #[inline(always)]
    fn wins_now(&self, wins: Wins) -> bool {
        let (g, playable) = (Board::geometry(*self), Board::playable(*self));
        // Not `any`: all variants would share its code, and it would test `wins` at run time.
        for column in 0..g.width() {
            if wins::has_four(g, wins, self.mover() | (playable & g.column(column))) {
                return true;
            }
        }
        false
    }

    #[inline(always)]
    fn play(&self, one_move: G::Word) -> Self {
        self.play_square(one_move)
    }
}

#[cfg(test)]
pub(in crate::axes) mod tests {
    use super::*;
    use crate::axes::Axis;

    fn columns<G: Geometry>(g: G, moves: G::Word) -> Vec<u32> {
        (0..g.width()).filter(|&column| (moves & g.column(column)).has_any()).collect()
    }

    fn after<B: SearchBoard>(board: &B) -> Vec<(u32, u32)> {
        let mut counts = Vec::new();
        board.each_after(Threats::Pairs, board.playable(), |column, count| counts.push((column, count)));
        counts
    }

    /// Checks that a storage gives the results of the bitboard. One test body serves all storages.
    pub(in crate::axes) fn agree<B: SearchBoard>(ours: &B, board: Board<B::Geometry>) {
        let (wins, threats) = (Wins::TwoShifts, Threats::Pairs);
        let g = board.geometry();
        let columns = |moves| columns(g, moves);
        assert_eq!((ours.board(), ours.ply()), (board, Board::ply(board)));
        assert_eq!(ours.is_won(wins), Board::is_won(board), "{board}");
        assert_eq!(columns(ours.playable()), columns(Board::playable(board)), "{board}");
        assert_eq!(ours.key(Key::Exact, wins), Board::key(board).wide(), "{board}");
        if Board::is_won(board) {
            return;
        }
        assert_eq!(ours.wins_now(wins), board.wins_now(wins), "{board}");
        assert_eq!(columns(ours.winning_moves(threats)), columns(board.winning_moves(threats)), "{board}");
        assert_eq!(columns(ours.non_losing(threats)), columns(board.non_losing(threats)), "{board}");
        let (won, kept) = ours.winning_and_non_losing(threats);
        assert_eq!((won, kept), (ours.winning_moves(threats), ours.non_losing(threats)), "{board}");
        assert_eq!(after(ours), after(&board), "{board}");
        for &key in Key::ALL {
            assert_eq!(ours.key(key, wins), key::of(key, wins, board), "{board}");
        }
        for column in columns(Board::playable(board)) {
            let one_move = ours.playable() & g.column(column);
            let square = Board::playable(board) & g.column(column);
            assert_eq!(ours.key_after(one_move, Key::Exact, wins), Board::key(board.play_square(square)).wide());
        }
    }
}
