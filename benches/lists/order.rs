//! Functions that order the moves of a node: until the first is there, and until all are taken. Orders that count
//! threats have one order, whichever way they find them.

pub(crate) use crate::boards::Node;
use c4lab_solver::axes::order::{Queue, WEIGHTS};
pub(crate) use c4lab_solver::axes::{Order, Threats};
use c4lab_solver::game::Standard;

/// Makes the queue and takes the move of the first turn: most nodes end there.
#[inline(always)]
pub(crate) fn first(order: Order, threats: Threats, node: Node) -> u64 {
    let mut queue = Queue::new(node.moves);
    queue.weigh(order, WEIGHTS, threats, &node.board);
    queue.take(Standard::NEW, order, 0)
}

/// Makes the queue and takes all moves, as a search does whose moves all fail low; a number that hangs on their order.
#[inline(always)]
pub(crate) fn all(order: Order, threats: Threats, node: Node) -> u64 {
    let mut queue = Queue::new(node.moves);
    queue.weigh(order, WEIGHTS, threats, &node.board);
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

/// Hands the list to a macro: name, checksum over the stream, function of a node.
macro_rules! order {
    ($each:ident) => {
        crate::lists::hand! {
            $each order in order_list:
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
