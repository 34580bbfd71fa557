//! Functions of a node: its key, its move order, and playing its moves.

pub(crate) use crate::boards::{Node, Undoing};
use c4lab_solver::axes::board::storage::SearchBoard;
use c4lab_solver::axes::order::Queue;
use c4lab_solver::axes::table::key;
pub(crate) use c4lab_solver::axes::{Key, Order, Threats, Wins};
use c4lab_solver::game::{Geometry, Standard};

// Functions that compute the key of a board. Every kind of key has its own checksum.

/// The key of a board, with its high bits, if any, folded into the low ones.
#[inline(always)]
pub(crate) fn of(key: Key, wins: Wins, node: Node) -> u64 {
    let key = key::of(key, wins, node.board);
    key as u64 ^ (key >> 64) as u64
}

/// Calls a macro with the list: name, checksum over the stream, function of a node.
macro_rules! keys {
    ($each:ident) => {
        crate::lists::hand! {
            $each keys in nodes:
            {
                key_exact = 0x103f_e2d6_5d06_98d6, |node: Node| of(Key::Exact, Wins::TwoShifts, node);
                key_mirror = 0x0ef8_8342_292b_5fa9, |node: Node| of(Key::Mirror, Wins::TwoShifts, node);
                key_colorless = 0x8934_ec5f_fe74_e84b, |node: Node| of(Key::Colorless, Wins::TwoShifts, node);
            } vectors {
                key_colorless_directions = 0x8934_ec5f_fe74_e84b, |node: Node| of(Key::Colorless, Wins::Directions, node);
            }
            {
                key_colorless_mirror = 0x2eb2_f5bc_ebbb_6e5b, |node: Node| of(Key::ColorlessMirror, Wins::TwoShifts, node);
            } vectors {
                key_colorless_mirror_directions = 0x2eb2_f5bc_ebbb_6e5b, |node: Node| of(Key::ColorlessMirror, Wins::Directions, node);
            }
        }
    };
}
pub(crate) use keys;

// Functions that order the moves of a node: until the first move, and until all moves are taken. Orders by threats give
// equal orders, by whichever function the threats are found.

/// Makes the queue and takes the first move, because most nodes end there.
#[inline(always)]
pub(crate) fn first(order: Order, threats: Threats, node: Node) -> u64 {
    let mut queue = Queue::new(node.moves);
    queue.weigh(order, threats, &node.board);
    queue.take(Standard::NEW, order, 0)
}

/// Makes the queue and takes all moves, as in a node whose moves all fail low. The result depends on their order.
#[inline(always)]
pub(crate) fn all(order: Order, threats: Threats, node: Node) -> u64 {
    let mut queue = Queue::new(node.moves);
    queue.weigh(order, threats, &node.board);
    let mut taken = 0u64;
    for turn in 0..Standard::SIZE.width() {
        let one_move = queue.take(Standard::NEW, order, turn);
        if one_move != 0 {
            taken = taken.rotate_left(5) ^ one_move;
        } else if order.ends_at_a_gap() {
            break;
        }
    }
    taken
}

/// Calls a macro with the list: name, checksum over the stream, function of a node.
macro_rules! order {
    ($each:ident) => {
        crate::lists::hand! {
            $each order in nodes:
            {
                first_centre = 0x5155_f498_e978_77a1, |node: Node| first(Order::Centre, Threats::Pairs, node);
                first_threats_pairs = 0xf458_bfea_562b_b6aa, |node: Node| first(Order::Threats, Threats::Pairs, node);
            } vectors {
                first_threats_players = 0xf458_bfea_562b_b6aa,
                    |node: Node| first(Order::Threats, Threats::Players, node);
            }
            {
                all_centre = 0x537d_db72_f023_ac4c, |node: Node| all(Order::Centre, Threats::Pairs, node);
                all_threats_pairs = 0xa229_46a9_79b0_419b, |node: Node| all(Order::Threats, Threats::Pairs, node);
            } vectors {
                all_threats_players = 0xa229_46a9_79b0_419b, |node: Node| all(Order::Threats, Threats::Players, node);
            }
        }
    };
}
pub(crate) use order;

// Functions that play the moves of a node: on copies of the board (`bitboard`), and on one board with undo
// (`make_undo`). Both have equal checksums.

/// Plays every move, evaluates the board after it, and takes it back if boards are not copied.
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

/// The lowest empty square of each column, searched from the bottom up: what heights or a sum of bits spare.
#[inline(always)]
pub(crate) fn searched_moves(node: Node) -> u64 {
    let lowest =
        |column: u64| (column * 7..column * 7 + 6).map(|bit| 1 << bit).find(|square| node.board.stones() & square == 0);
    (0..7).filter_map(lowest).sum()
}

/// Calls a macro with the list: name, checksum over the stream, function of a node.
macro_rules! storage {
    ($each:ident) => {
        crate::lists::hand! {
            $each storage in nodes:
            {
                play_bitboard = 0x096d_97a3_556b_80c0, |node: Node| play(node.board, node.moves);
                play_make_undo = 0x096d_97a3_556b_80c0, |node: Undoing| play(&node.boards[0], node.moves);
                moves_bitboard = 0x43e4_7cec_740f_72f4, |node: Node| moves(node.board);
                moves_searched = 0x43e4_7cec_740f_72f4, |node: Node| searched_moves(node);
                moves_make_undo = 0x43e4_7cec_740f_72f4, |node: Undoing| moves(&node.boards[0]);
            } vectors {}
        }
    };
}
pub(crate) use storage;
