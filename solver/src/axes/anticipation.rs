//! Anticipation: the immediate wins and losses that a node looks for before it searches its children.
//!
//! ```text
//! none              the stone just played: is it four?     the opponent has won
//! wins              the mover's next stone, column by      the mover wins
//! winning-squares   column, or all columns at once
//! losses            the opponent's winning squares:        two that can be played: the mover loses
//!                                                          one: it is forced;  no move right below one
//! both              the mover's, then the opponent's
//! ```
//!
//! With `losses` no parent plays a move that loses at once. So only the root can have an immediate win, and `both`
//! looks for one in vain elsewhere. That is the point of "The Wondrous World of Connect Four Bit Boards": the
//! opponent's almost-wins alone achieve as much as a test for the mover's win.

use crate::axes::board::storage::{SearchBoard, WordOf};
use crate::axes::{Threats, Wins};
use crate::game::score::Score;
use crate::game::{Geometry, Word};
use std::ops::ControlFlow::{self, Break, Continue};

axis! {
    /// What a node looks for before it searches.
    pub enum Anticipation = "anticipation" {
        /// nothing: a node looks whether the stone just played has won (Herzberg, `isWin` after `makeMove`)
        None = "none",
        /// every playable column is tried for an immediate win (Pons, part 3)
        Wins = "wins",
        /// the mover's winning squares are found at once, instead of column by column (Connect Four Bit Boards)
        WinningSquares = "winning-squares",
        /// only moves that do not allow an immediate loss are searched; immediate wins are tested at the root alone (Pons, part 9; Connect Four Bit Boards)
        Losses = "losses",
        /// the mover's winning squares first, then only moves that do not allow an immediate loss
        Both = "both",
    }
}

impl Anticipation {
    #[inline(always)]
    pub fn sees_losses(self) -> bool {
        matches!(self, Anticipation::Losses | Anticipation::Both)
    }

    /// True if it checks boards for four in a row, so that [`Wins`] matters.
    pub fn checks_wins(self) -> bool {
        matches!(self, Anticipation::None | Anticipation::Wins)
    }
}

/// Looks ahead from a board, which must not be won, except with [`Anticipation::None`]. With [`Anticipation::Losses`]
/// the mover must have no immediate win: the root tests it, and every parent plays non-losing moves. Breaks with a score,
/// or continues with the moves to search: at least one, with one bit in the column of each.
#[inline(always)]
pub fn look<B: SearchBoard>(
    anticipation: Anticipation,
    wins: Wins,
    threats: Threats,
    board: &B,
) -> ControlFlow<Score, WordOf<B>> {
    let (g, ply) = (board.geometry(), board.ply());
    let win = || Break(g.size().win_at(ply));
    match anticipation {
        Anticipation::None if board.is_won(wins) => Break(-g.size().win_at(ply - 1)),
        Anticipation::None | Anticipation::Wins | Anticipation::WinningSquares if ply == g.cells() => Break(0),
        Anticipation::None => Continue(board.playable()),
        Anticipation::Wins if board.wins_now(wins) => win(),
        Anticipation::WinningSquares if board.winning_moves(threats).has_any() => win(),
        Anticipation::Wins | Anticipation::WinningSquares => Continue(board.playable()),
        Anticipation::Losses => non_losing(board.non_losing(threats), board, ply),
        Anticipation::Both => {
            let (winning, moves) = board.winning_and_non_losing(threats);
            if winning.has_any() { win() } else { non_losing(moves, board, ply) }
        }
    }
}

#[inline(always)]
fn non_losing<B: SearchBoard>(moves: WordOf<B>, board: &B, ply: u32) -> ControlFlow<Score, WordOf<B>> {
    debug_assert!(!board.wins_now(Wins::TwoShifts));
    if moves.is_empty() {
        return Break(board.geometry().size().least(ply));
    }
    if ply >= board.geometry().cells() - 2 {
        return Break(0);
    }
    Continue(moves)
}
