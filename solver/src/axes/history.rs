//! History: which moves ended other nodes. It breaks the ties of an order.

use crate::axes::Order;

/// Moves that ended nodes since the last reset. A move counts if it was searched, or looked up in its turn.
#[derive(Clone, Debug)]
pub struct History {
    /// How many nodes a move ended, by the side to move (0: an even number of stones) and by its square.
    squares: [[u32; 64]; 2],
    /// The square of the move that ended the last node with so many stones, by the number of stones.
    killers: [u64; 65],
}

impl Default for History {
    fn default() -> Self {
        History { squares: [[0; 64]; 2], killers: [0; 65] }
    }
}

impl History {
    /// Ties are below this.
    pub const TIES: u32 = 64;

    /// Takes note of a move that ended a node with `ply` stones.
    #[inline(always)]
    pub fn note(&mut self, order: Order, ply: u32, one_move: u64) {
        match order {
            Order::History => {
                let count = &mut self.squares[ply as usize & 1][one_move.trailing_zeros() as usize & 63];
                *count = count.saturating_add(1);
            }
            Order::Killers => self.killers[ply as usize] = one_move,
            _ => {}
        }
    }

    /// What a move is worth among equals, below [`TIES`](Self::TIES).
    #[inline(always)]
    pub fn tie(&self, order: Order, ply: u32, one_move: u64) -> u32 {
        match order {
            Order::History => {
                // Twice the logarithm: a bit below the highest counts too.
                let count = self.squares[ply as usize & 1][one_move.trailing_zeros() as usize & 63];
                let bits = u32::BITS - count.leading_zeros();
                let half = if bits > 1 { count >> (bits - 2) & 1 } else { 0 };
                (2 * bits + half).min(Self::TIES - 1)
            }
            Order::Killers => u32::from(self.killers[ply as usize] == one_move),
            _ => 0,
        }
    }
}

impl Order {
    /// Whether it asks which moves ended other nodes.
    #[inline(always)]
    pub fn remembers(self) -> bool {
        matches!(self, Order::History | Order::Killers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_cutoffs_break_a_tie_for_their_side_alone() {
        let mut history = History::default();
        let mut last = history.tie(Order::History, 10, 1 << 8);
        for doubled in 0..8 {
            (0..1 << doubled).for_each(|_| history.note(Order::History, 10, 1 << 8));
            let tie = history.tie(Order::History, 12, 1 << 8);
            assert!(tie > last && tie < History::TIES, "{doubled}: {last}, {tie}");
            last = tie;
        }
        assert_eq!(history.tie(Order::History, 11, 1 << 8), 0, "the other side's");
        assert_eq!(history.tie(Order::History, 10, 1 << 9), 0, "another square");
        assert_eq!(history.tie(Order::Weighted, 10, 1 << 8), 0);
        history.squares[0][8] = u32::MAX;
        history.note(Order::History, 10, 1 << 8);
        assert_eq!(history.tie(Order::History, 10, 1 << 8), History::TIES - 1);
    }

    #[test]
    fn the_last_killer_of_as_many_stones_counts() {
        let mut history = History::default();
        history.note(Order::Killers, 10, 1 << 8);
        history.note(Order::Killers, 10, 1 << 9);
        let tie = |ply, square| history.tie(Order::Killers, ply, square);
        assert_eq!([tie(10, 1 << 8), tie(10, 1 << 9), tie(12, 1 << 9)], [0, 1, 0]);
    }
}
