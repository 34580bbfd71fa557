//! Order: in which order a node's moves are searched.

use super::Threats;
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

/// The moves of a node, taken one by one in order.
///
/// Sorted moves are not sorted: most nodes end at their first move, so each is found when it is asked for, as the
/// largest of up to nine numbers. A number is 0 for no move, or made of three parts:
///
/// ```text
/// threats created | centrality: higher is nearer the centre | column
///             8 bits                                  4 bits    4 bits
/// ```
pub struct Queue {
    order: Order,
    moves: u64,
    worth: [u16; 9],
}

impl Queue {
    /// Orders `moves`, a set with one bit a column.
    #[inline(always)]
    pub fn new<B: SearchBoard>(order: Order, threats: Threats, board: &B, moves: u64) -> Self {
        let mut queue = Queue { order, moves, worth: [0; 9] };
        if order == Order::Threats && moves & (moves - 1) != 0 {
            queue.weigh(threats, board);
        }
        queue
    }

    /// Takes the move of turn 0, 1, ... `WIDTH - 1`; 0 when there is none at this turn.
    #[inline(always)]
    pub fn take<G: Geometry>(&mut self, turn: u32) -> u64 {
        let column = match self.order {
            Order::LeftToRight => turn,
            Order::Centre => u32::from(G::CENTRE_FIRST[turn as usize]),
            Order::Threats => return self.take_best::<G>(),
        };
        self.moves & G::column(column)
    }

    /// Whether no move follows a turn that had none.
    #[inline(always)]
    pub fn ends_at_a_gap(&self) -> bool {
        self.order == Order::Threats
    }

    #[inline(always)]
    fn take_best<G: Geometry>(&mut self) -> u64 {
        if self.moves & self.moves.wrapping_sub(1) == 0 {
            return std::mem::take(&mut self.moves);
        }
        let best = self.worth.into_iter().max().unwrap_or(0);
        let column = best & 15;
        self.worth[column as usize] = 0;
        let one_move = self.moves & G::column(u32::from(column));
        self.moves ^= one_move;
        one_move
    }

    #[inline(always)]
    fn weigh<B: SearchBoard>(&mut self, threats: Threats, board: &B) {
        board.each_after(threats, self.moves, |column, count| {
            let centrality = u32::from(centrality::<B::Geometry>(column));
            self.worth[column as usize] = (count << 8 | centrality << 4 | column) as u16;
        });
    }
}

/// 15 for the column that is nearest to the centre, then 14, and so on.
#[inline(always)]
fn centrality<G: Geometry>(column: u32) -> u8 {
    let by_column = const { by_column::<G>() };
    by_column[column as usize]
}

const fn by_column<G: Geometry>() -> [u8; 9] {
    let (mut centrality, mut turn) = ([0; 9], 0);
    while turn < G::WIDTH {
        centrality[G::CENTRE_FIRST[turn as usize] as usize] = 15 - turn as u8;
        turn += 1;
    }
    centrality
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Board, Position, Standard};

    fn order(order: Order, moves: &str) -> Vec<u32> {
        let board: Board = Position::parse(moves).unwrap().board();
        let mut queue = Queue::new(order, Threats::Pairs, &board, board.playable());
        let squares = (0..7).map(|turn| queue.take::<Standard>(turn)).filter(|&square| square != 0);
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
