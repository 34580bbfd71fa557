//! History: the moves that ended other nodes. It breaks ties in a move order, or is the move order ([`SquareWorth`]).

use crate::axes::Order;
use crate::game::word::EachSquare;
use crate::game::{Geometry, Word};

/// One place for each bit of the largest word.
const SQUARES: usize = 128;

#[inline(always)]
fn index<W: Word>(square: W) -> usize {
    square.trailing_zeros() as usize & (SQUARES - 1)
}

/// Moves that ended nodes since the last reset. A move counts if it was searched or looked up in its turn.
#[derive(Clone, Debug)]
pub struct History {
    /// The number of nodes that a move ended, by the side to move (0: an even number of stones) and by its square.
    squares: [[u32; SQUARES]; 2],
    /// The square of the move that ended the last node with a number of stones, by that number.
    killers: [u8; SQUARES + 1],
}

impl Default for History {
    fn default() -> Self {
        History { squares: [[0; SQUARES]; 2], killers: [u8::MAX; SQUARES + 1] }
    }
}

impl History {
    /// [`tie`](Self::tie) is below this.
    pub const TIES: u32 = 64;

    #[inline(always)]
    pub fn note<W: Word>(&mut self, order: Order, ply: u32, one_move: W) {
        match order {
            Order::History => {
                let count = &mut self.squares[ply as usize & 1][index(one_move)];
                *count = count.saturating_add(1);
            }
            Order::Killers => self.killers[ply as usize] = index(one_move) as u8,
            _ => {}
        }
    }

    /// The worth of a move among moves of equal worth, below [`TIES`](Self::TIES).
    #[inline(always)]
    pub fn tie<W: Word>(&self, order: Order, ply: u32, one_move: W) -> u32 {
        match order {
            Order::History => {
                // Twice the binary logarithm of `count`, with the bit below the highest as the half.
                let count = self.squares[ply as usize & 1][index(one_move)];
                let bits = u32::BITS - count.leading_zeros();
                let half = if bits > 1 { count >> (bits - 2) & 1 } else { 0 };
                (2 * bits + half).min(Self::TIES - 1)
            }
            Order::Killers => u32::from(self.killers[ply as usize] == index(one_move) as u8),
            _ => 0,
        }
    }
}

/// An account of each square and side: the move order of `order=squares` (J. Tromp, Fhourstones).
///
/// On 7x6 it begins with the number of lines of four that lie through a square. The lower left quarter:
///
/// ```text
/// 5   8  11  13
/// 4   6   8  10
/// 3   4   5   7
/// ```
///
/// If a move ends a node after n others, its account gains n, and each of the others loses 1. The sum never changes.
#[derive(Clone, Debug)]
pub struct SquareWorth {
    worth: [[i32; SQUARES]; 2],
}

impl SquareWorth {
    pub fn of<G: Geometry>(g: G) -> Self {
        let mut worth = [0; SQUARES];
        for (column, row) in (0..g.width()).flat_map(|column| (0..g.height()).map(move |row| (column, row))) {
            // Distances from the nearer edges.
            let aside = column.min(g.width() - 1 - column) as i32;
            let high = row.min(g.height() - 1 - row) as i32;
            let (across, up) = (aside.min(3), high.min(3));
            // Horizontal lines, two diagonals, vertical lines.
            let falling = (up - (3 - aside).max(0)).max(-1);
            worth[(column * g.stride() + row) as usize] = 4 + across + falling + across.min(up) + up;
        }
        SquareWorth { worth: [worth, worth] }
    }

    /// The worth of `one_move` for the side to move of a node with `ply` stones.
    #[inline(always)]
    pub fn worth<W: Word>(&self, ply: u32, one_move: W) -> i32 {
        self.worth[ply as usize & 1][index(one_move)]
    }

    /// Notes that `one_move` ended a node with `ply` stones, after `others`.
    #[inline(always)]
    pub fn ended<W: Word>(&mut self, ply: u32, others: W, one_move: W) {
        let worth = &mut self.worth[ply as usize & 1];
        worth[index(one_move)] += others.count_ones() as i32;
        for other in EachSquare(others) {
            worth[index(other)] -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_cutoffs_break_a_tie_for_their_side_alone() {
        let mut history = History::default();
        let mut last = history.tie(Order::History, 10, 1u64 << 8);
        for doubled in 0..8 {
            (0..1 << doubled).for_each(|_| history.note(Order::History, 10, 1u64 << 8));
            let tie = history.tie(Order::History, 12, 1u64 << 8);
            assert!(tie > last && tie < History::TIES, "{doubled}: {last}, {tie}");
            last = tie;
        }
        assert_eq!(history.tie(Order::History, 11, 1u64 << 8), 0, "the other side's");
        assert_eq!(history.tie(Order::History, 10, 1u64 << 9), 0, "another square");
        assert_eq!(history.tie(Order::Weighted, 10, 1u64 << 8), 0);
        history.squares[0][8] = u32::MAX;
        history.note(Order::History, 10, 1u64 << 8);
        assert_eq!(history.tie(Order::History, 10, 1u64 << 8), History::TIES - 1);
    }
}
