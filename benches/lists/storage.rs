//! Functions that make the moves of a node on either board: on copies (`bitboard`), and on the one board that is played
//! and undone (`make_undo`). Both have the same checksum.

pub(crate) use crate::boards::{Node, Undoing};
use c4lab_solver::axes::board::storage::SearchBoard;
use c4lab_solver::game::Geometry;

/// Plays every move, looks at the board after it, and takes it back where boards are not copied.
#[inline(always)]
pub(crate) fn play<B: SearchBoard<Geometry: Geometry<Word = u64>>>(board: B, moves: u64) -> u64 {
    let (mut left, mut sum) = (moves, 0u64);
    while left != 0 {
        let one_move = left & left.wrapping_neg();
        left ^= one_move;
        sum = sum.rotate_left(5) ^ board.play(one_move).board().key();
        board.undo();
    }
    sum
}

#[inline(always)]
pub(crate) fn moves<B: SearchBoard<Geometry: Geometry<Word = u64>>>(board: B) -> u64 {
    board.playable()
}

/// Hands the list to a macro: name, checksum over the stream, function of a node.
macro_rules! storage {
    ($each:ident) => {
        crate::lists::hand! {
            $each storage in storage_list:
            {
                play_bitboard = 0x096d_97a3_556b_80c0, |node: Node| play(node.board, node.moves);
                play_make_undo = 0x096d_97a3_556b_80c0, |node: Undoing| play(&node.boards[0], node.moves);
                moves_bitboard = 0x43e4_7cec_740f_72f4, |node: Node| moves(node.board);
                moves_make_undo = 0x43e4_7cec_740f_72f4, |node: Undoing| moves(&node.boards[0]);
            } vectors {}
        }
    };
}
pub(crate) use storage;
