//! Order: in which order a node's moves are searched.

use super::storage::SearchBoard;
use crate::game::Geometry;

axis! {
    /// In which order a node's moves are searched.
    pub enum Order = "order" {
        /// columns from left to right
        LeftToRight = "left-to-right",
        /// columns from the centre out (Pons, part 5)
        Centre = "centre",
        /// most winning squares created first, ties from the centre out (Pons, part 10)
        Threats = "threats",
    }
}

/// The moves of a node in order: [`get`](Self::get) of 0 to `WIDTH - 1`, with zeros between or after them.
pub struct Queue {
    order: Order,
    moves: u64,
    sorted: [u64; 9],
}

impl Queue {
    /// Orders `moves`, a set with one bit a column.
    #[inline(always)]
    pub fn new<B: SearchBoard>(order: Order, board: &B, moves: u64) -> Self {
        let mut queue = Queue { order, moves, sorted: [0; 9] };
        if order == Order::Threats {
            queue.sort(board);
        }
        queue
    }

    /// The move number `index`, or 0 where there is none.
    #[inline(always)]
    pub fn get<G: Geometry>(&self, index: usize) -> u64 {
        match self.order {
            Order::LeftToRight => self.moves & G::column(index as u32),
            Order::Centre => self.moves & G::column(u32::from(G::CENTRE_FIRST[index])),
            Order::Threats => self.sorted[index],
        }
    }

    /// A stable insertion sort: moves come from the centre out, those with more threats pass those with fewer.
    #[inline(always)]
    fn sort<B: SearchBoard>(&mut self, board: &B) {
        let mut threats = [0; 9];
        let mut count = 0;
        for column in &B::Geometry::CENTRE_FIRST[..B::Geometry::WIDTH as usize] {
            let one_move = self.moves & B::Geometry::column(u32::from(*column));
            if one_move == 0 {
                continue;
            }
            let worth = board.threats_after(one_move);
            let mut place = count;
            while place > 0 && threats[place - 1] < worth {
                threats[place] = threats[place - 1];
                self.sorted[place] = self.sorted[place - 1];
                place -= 1;
            }
            threats[place] = worth;
            self.sorted[place] = one_move;
            count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Board, Position, Standard};

    fn order(order: Order, moves: &str) -> Vec<u32> {
        let board: Board = Position::parse(moves).unwrap().board();
        let queue = Queue::new(order, &board, board.playable());
        let squares = (0..7).map(|index| queue.get::<Standard>(index)).filter(|&square| square != 0);
        squares.map(|square| Standard::column_of(square) + 1).collect()
    }

    #[test]
    fn orders_of_the_empty_board() {
        assert_eq!(order(Order::LeftToRight, ""), [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(order(Order::Centre, ""), [4, 3, 5, 2, 6, 1, 7]);
        assert_eq!(order(Order::Threats, ""), [4, 3, 5, 2, 6, 1, 7]);
    }

    #[test]
    fn full_columns_are_left_out() {
        assert_eq!(order(Order::Centre, "444444"), [3, 5, 2, 6, 1, 7]);
        assert_eq!(order(Order::LeftToRight, "444444"), [1, 2, 3, 5, 6, 7]);
    }

    /// X has 1 and 2 in the first row: 3 makes one threat (4), 4 makes one (3), no other makes any.
    #[test]
    fn threats_come_first_and_ties_from_the_centre() {
        assert_eq!(order(Order::Threats, "1122"), [4, 3, 5, 2, 6, 1, 7]);
        assert_eq!(order(Order::Threats, "2211"), [4, 3, 5, 2, 6, 1, 7]);
        assert_eq!(order(Order::Threats, "6677"), [4, 5, 3, 2, 6, 1, 7]);
    }
}
