//! Functions that order the moves of a node: until the first is there, and until all are taken.

use crate::boards::Node;
use c4lab::axes::Order;
use c4lab::axes::order::Queue;
use c4lab::game::{Geometry, Standard};

/// Makes the queue and takes the move of the first turn: most nodes end there.
#[inline(always)]
pub(crate) fn first(order: Order, node: Node) -> u64 {
    Queue::new(order, &node.board, node.moves).take::<Standard>(0)
}

/// Makes the queue and takes all moves, as a search does whose moves all fail low; a number that hangs on their order.
#[inline(always)]
pub(crate) fn all(order: Order, node: Node) -> u64 {
    let mut queue = Queue::new(order, &node.board, node.moves);
    let mut taken = 0u64;
    for turn in 0..Standard::WIDTH {
        let one_move = queue.take::<Standard>(turn);
        if one_move != 0 {
            taken = taken.rotate_left(5) ^ one_move;
        } else if queue.ends_at_a_gap() {
            break;
        }
    }
    taken
}

/// Hands the list to a macro: name, checksum over the stream, function of a node.
macro_rules! order {
    ($each:ident) => {
        $each! {
            order:
            first_centre = 0x5155_f498_e978_77a1, |node| crate::order_list::first(c4lab::axes::Order::Centre, node);
            first_threats = 0x510c_a021_c96f_e317, |node| crate::order_list::first(c4lab::axes::Order::Threats, node);
            all_centre = 0x537d_db72_f023_ac4c, |node| crate::order_list::all(c4lab::axes::Order::Centre, node);
            all_threats = 0x4243_5c12_6cb8_4729, |node| crate::order_list::all(c4lab::axes::Order::Threats, node);
        }
    };
}
pub(crate) use order;
