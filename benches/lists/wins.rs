//! Functions that say whether stones hold four in a row, and which squares belong to a four.
//! All functions that answer the same question have the same checksum, in either layout.

pub(crate) use crate::boards::Node;
pub(crate) use c4lab_solver::axes::Wins;
use c4lab_solver::axes::lines::wins::{has_four, squares_in_fours, squares_in_fours_of_both};
pub(crate) use c4lab_solver::game::{Geometry, Spaced};

/// Whether the mover's stones, with one in every column where there is a move, hold four: some do, some do not.
#[inline(always)]
pub(crate) fn win_check<G: Geometry<Word = u64>>(wins: Wins, node: Node<G>) -> u64 {
    u64::from(has_four(node.board.geometry(), wins, node.board.mover() | node.moves))
}

/// The squares where the mover can still make a four.
#[inline(always)]
pub(crate) fn squares<G: Geometry<Word = u64>>(node: Node<G>) -> u64 {
    squares_in_fours(node.board.geometry(), node.board.mover() | node.board.empty())
}

/// The squares where either side can still make a four: what a colorless key asks.
#[inline(always)]
pub(crate) fn squares_of_both<G: Geometry<Word = u64>>(wins: Wins, node: Node<G>) -> u64 {
    let empty = node.board.empty();
    let [mover, opponent] = squares_in_fours_of_both(
        node.board.geometry(),
        wins,
        [node.board.mover() | empty, node.board.opponent() | empty],
    );
    mover ^ opponent.rotate_left(7)
}

/// Hands the list to a macro: name, checksum over the stream, function of a node.
macro_rules! wins {
    ($each:ident) => {
        crate::lists::hand! {
            $each wins in wins_list:
            {
                win_check_two_shifts = 0x5dee_df00_770c_16d5, |node: Node| win_check(Wins::TwoShifts, node);
                win_check_three_shifts = 0x5dee_df00_770c_16d5, |node: Node| win_check(Wins::ThreeShifts, node);
                win_check_early_exit = 0x5dee_df00_770c_16d5, |node: Node| win_check(Wins::EarlyExit, node);
                win_check_squares = 0x5dee_df00_770c_16d5, |node: Node| win_check(Wins::Squares, node);
            } vectors {
                win_check_directions = 0x5dee_df00_770c_16d5, |node: Node| win_check(Wins::Directions, node);
            }
            {
                win_check_two_shifts_stride_9 = 0x5dee_df00_770c_16d5,
                    |node: Node<Spaced>| win_check(Wins::TwoShifts, node);
                squares_in_fours_scalar = 0xdb6d_02c5_fd97_e941, |node: Node| squares(node);
                squares_in_fours_of_both_scalar = 0x126c_a16f_e6a7_f482, |node: Node| squares_of_both(Wins::TwoShifts, node);
            } vectors {
                squares_in_fours_of_both_directions = 0x126c_a16f_e6a7_f482, |node: Node| squares_of_both(Wins::Directions, node);
            }
        }
    };
}
pub(crate) use wins;
