//! History: the moves that ended other nodes. It breaks ties in a move order, is part of it ([`Accounts`]), or is the move
//! order ([`SquareWorth`]).

use crate::axes::Order;
use crate::game::word::EachSquare;
use crate::game::{Geometry, Word};

/// One place for each bit of the largest word.
const SQUARES: usize = 128;

#[inline(always)]
pub(super) fn index<W: Word>(square: W) -> usize {
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

/// A number for each square.
pub type Squares = [i16; SQUARES];

/// The accounts of squares in `order=learned`: of each square for each side, to win and to hold.
///
/// Only a cutoff by a later child changes them. A search in vain costs the square of its move the logarithm of its
/// nodes, and the square that brings the cutoff gains. A cutoff by the first child changes nothing: otherwise moves
/// would come first because they came first.
///
/// ```text
/// children by rank     d   c   e   b   a          b brings the cutoff
/// nodes              500  30   2   9   -
/// their logarithms     8   4   1                  the squares of d, c and e lose 8, 4 and 1 steps,
///                                                 that of b gains 28/16 of the mean, 7.6 steps
/// ```
///
/// A change fades what was learned of the square in proportion to its size.
#[derive(Clone, Debug)]
pub struct Accounts {
    /// In quarters, each above 0: [`Self::ZERO`], what the square is worth at first, and what was learned.
    worth: [Squares; 4],
    /// What was learned, in 64ths.
    learned: [Squares; 4],
    /// What the squares are worth at first.
    first: [Squares; 4],
}

impl Accounts {
    /// A square that is worth nothing has this number: more than all that makes a worth smaller takes away on any board
    /// ([`Weighing::worth`](crate::axes::order::Weighing::worth)).
    const ZERO: i32 = 640;
    /// A quarter, in 64ths.
    const QUARTER: u32 = 4;
    /// By mover: what a square loses for each doubling of the nodes.
    const STEP: [i32; 4] = [58, 58, 37, 37];
    /// By mover: the most that is learned, and the largest change.
    const MOST: [i32; 4] = [1539, 1539, 983, 983];
    /// What the square of the move that brings the cutoff gains, in 16ths of the mean loss.
    const GAIN: i32 = 28;
    /// By mover: what a square is worth at first, in quarters: for each column nearer to the centre, each line of four
    /// through it, an upper row of a pair, and each row below. Fitted with the weights of
    /// [`Order::Learned`](crate::axes::Order::Learned).
    const FIRST: [[i32; 4]; 4] = [[-3, 0, 7, 1], [-3, 1, 2, 3], [-12, 2, 4, 2], [-12, 3, 2, 4]];

    pub fn of<G: Geometry>(g: G) -> Self {
        let lines = SquareWorth::of(g);
        let mut worth = [[0; SQUARES]; 4];
        for square in EachSquare(g.board()) {
            let (place, row) = (index(square), square.trailing_zeros() % g.stride());
            let aside = 15 - g.centrality()[g.column_of(square) as usize];
            let is_upper = (square & g.rows_of_pairs(true)).has_any();
            let counts = [i32::from(aside), lines.worth(0, square), i32::from(is_upper), row as i32];
            for (worth, weights) in worth.iter_mut().zip(Self::FIRST) {
                let at_first: i32 = counts.iter().zip(weights).map(|(count, weight)| count * weight).sum();
                worth[place] = (Self::ZERO + at_first) as i16;
            }
        }
        Accounts { worth, learned: [[0; SQUARES]; 4], first: worth }
    }

    /// Forgets all that was learned.
    pub fn forget(&mut self) {
        (self.worth, self.learned) = (self.first, [[0; SQUARES]; 4]);
    }

    /// The accounts of a mover, by whether it tries to win, and whether it plays the last stone of a full board.
    #[inline(always)]
    pub fn of_mover(to_win: bool, plays_last: bool) -> usize {
        2 * usize::from(!to_win) + usize::from(plays_last)
    }

    /// What each square is worth, in quarters.
    #[inline(always)]
    pub fn squares(&self, mover: usize) -> &Squares {
        &self.worth[mover]
    }

    /// What was learned of the square of a move, in 64ths.
    pub fn learned<W: Word>(&self, mover: usize, one_move: W) -> i32 {
        i32::from(self.learned[mover][index(one_move)])
    }

    /// Notes that `one_move` brought a cutoff after `others`, each with the binary logarithm of its nodes.
    pub fn cut<W: Word>(&mut self, mover: usize, one_move: W, others: impl Iterator<Item = (W, u8)>) {
        let (mut lost, mut count) = (0, 0);
        for (other, logarithm) in others {
            let loss = Self::STEP[mover] * i32::from(logarithm);
            self.change(mover, index(other), -loss);
            (lost, count) = (lost + loss, count + 1);
        }
        self.change(mover, index(one_move), lost * Self::GAIN / (16 * count));
    }

    /// What was learned stays within `MOST`: it moves towards one end, by a part of the way that is 1 at most. Rounding
    /// towards 0 takes it less than 1 further.
    fn change(&mut self, mover: usize, place: usize, by: i32) {
        let most = Self::MOST[mover];
        let (by, old) = (by.clamp(-most, most), i32::from(self.learned[mover][place]));
        let new = old + by - old * by.abs() / most;
        self.learned[mover][place] = new as i16;
        self.worth[mover][place] += ((new >> Self::QUARTER) - (old >> Self::QUARTER)) as i16;
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

    #[test]
    fn a_late_cutoff_changes_the_accounts_of_its_mover() {
        let g = crate::game::Standard::NEW;
        let (mut accounts, before) = (Accounts::of(g), Accounts::of(g));
        // The example of `Accounts`, with steps of 58.
        let others = [(1u64 << 21, 8), (1 << 14, 4), (1 << 28, 1)];
        accounts.cut(0, 1u64 << 7, others.into_iter());
        let learned = [7, 14, 21, 28, 35].map(|square| accounts.learned(0, 1u64 << square));
        assert_eq!(learned, [439, -232, -464, -58, 0]);
        for square in EachSquare(g.board()) {
            for mover in 0..4 {
                let changed = accounts.squares(mover)[index(square)] - before.squares(mover)[index(square)];
                assert_eq!(i32::from(changed), if mover == 0 { accounts.learned(0, square) >> 4 } else { 0 });
            }
        }
        // It fades, and stays in its bounds.
        for mover in 0..4 {
            let most = Accounts::MOST[mover];
            for logarithm in (0..64).chain((0..64).rev()) {
                accounts.cut(mover, 1u64 << 7, [(1u64 << 14, logarithm)].into_iter());
                let [gained, lost] = [7, 14].map(|square| accounts.learned(mover, 1u64 << square));
                assert!((-1..=most).contains(&gained) && (-most..=0).contains(&lost), "{gained}, {lost}");
            }
            assert_eq!(accounts.learned(mover, 1u64 << 14), -most);
        }
    }
}
