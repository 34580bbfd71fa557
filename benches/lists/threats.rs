//! Functions that find the squares that would complete four in a row: of one board, and of all children of a node.
//! All functions of a kind have the same checksum.

use crate::boards::Node;
use c4lab::axes::threats::winning_squares;
use c4lab::game::Standard;

/// The opponent's winning squares: what a node asks to find its non-losing moves.
#[inline(always)]
pub(crate) fn of_the_opponent(node: Node) -> u64 {
    winning_squares::<Standard>(node.board.opponent(), node.board.empty())
}

/// The mover's winning squares after each move of the board, added up: all children of a node, up to seven.
#[inline(always)]
pub(crate) fn of_the_children(node: Node) -> u64 {
    let (mut left, mut sum) = (node.board.playable(), 0u64);
    while left != 0 {
        let one_move = left & left.wrapping_neg();
        left ^= one_move;
        sum =
            sum.wrapping_add(winning_squares::<Standard>(node.board.mover() | one_move, node.board.empty() ^ one_move));
    }
    sum
}

/// Hands the list to a macro: name, checksum over the stream, function of a node.
macro_rules! threats {
    ($each:ident) => {
        $each! {
            threats:
            winning_squares = 0x7c8c_3fde_dbd0_e896, crate::threats_list::of_the_opponent;
            children = 0x1051_070c_3c61_def6, crate::threats_list::of_the_children;
        }
    };
}
pub(crate) use threats;
