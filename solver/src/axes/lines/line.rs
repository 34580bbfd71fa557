//! Line: lines of four in one direction, found in one word or in many at once.
//!
//! A line is four squares, each a `step` above the one before. A set shifted by one step lies on its neighbours, so one
//! expression covers every line of the direction. The sentinels keep lines from running past an edge.
//!
//! ```text
//! stones            x x . x x x x       the squares of one direction, the lowest bit on the left
//! stones >> step    x . x x x x .       bit j is the upper neighbour of j
//! pairs             x . . x x x .       both: j is the lower stone of a pair
//! pairs >> 2 steps  . x x x . . .
//! fours             . . . x . . .       both: j is the lowest stone of four
//! ```
//!
//! A word is a `u64`, a `u128` or a vector of them. A vector is shifted by one step in all lanes, or by a step of its
//! own in each lane.

use std::ops::{Add, BitAnd, BitOr, BitXor, Shl, Shr};

/// A set of squares, or a vector of sets, that can be shifted by a step.
pub trait Bits<S>:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Shl<S, Output = Self>
    + Shr<S, Output = Self>
{
}

impl<B, S> Bits<S> for B where
    B: Copy + BitAnd<Output = B> + BitOr<Output = B> + BitXor<Output = B> + Shl<S, Output = B> + Shr<S, Output = B>
{
}

/// A distance in bits, for all lanes or one for each lane.
pub trait Step: Copy + Add<Output = Self> {}

impl<S: Copy + Add<Output = S>> Step for S {}

/// The lowest squares of all fours, by two shifts: `and4` of "The Wondrous World of Connect Four Bit Boards", and
/// P. Pons, "Solving Connect Four", part 6.
#[inline(always)]
pub fn fours<S: Step, B: Bits<S>>(stones: B, step: S) -> B {
    let pairs = stones & (stones >> step);
    pairs & (pairs >> (step + step))
}

/// The lowest squares of all fours, by three shifts: D. Herzberg, "Bitboards and Connect Four".
#[inline(always)]
pub fn fours_by_three_shifts<S: Step, B: Bits<S>>(stones: B, step: S) -> B {
    stones & (stones >> step) & (stones >> (step + step)) & (stones >> (step + step + step))
}

/// The lowest squares of all lines with three stones: `comb34` of "The Wondrous World of Connect Four Bit Boards". One
/// half of the line is a pair, the other half holds a single stone.
#[inline(always)]
pub fn threes<S: Step, B: Bits<S>>(stones: B, step: S) -> B {
    let pairs = stones & (stones >> step);
    let singles = stones ^ (stones >> step);
    (pairs & (singles >> (step + step))) | (singles & (pairs >> (step + step)))
}

/// All squares of lines, from their lowest squares: `or4` of "The Wondrous World of Connect Four Bit Boards".
#[inline(always)]
pub fn spread<S: Step, B: Bits<S>>(lowest: B, step: S) -> B {
    let pairs = lowest | (lowest << step);
    pairs | (pairs << (step + step))
}

/// The empty squares of lines with three stones, by pairs and shifts: P. Pons, "Solving Connect Four", part 9. The
/// result may contain squares that are taken or lie off the board.
///
/// A pair lies directly beside the gap. The third stone lies behind the pair, or on the other side of the gap:
///
/// ```text
/// _ x x x    x _ x x    x x _ x    x x x _
/// ```
#[inline(always)]
pub fn gaps_by_pairs<S: Step, B: Bits<S>>(stones: B, step: S) -> B {
    let (two, three) = (step + step, step + step + step);
    let above = (stones << step) & (stones << two);
    let below = (stones >> step) & (stones >> two);
    (above & ((stones << three) | (stones >> step))) | (below & ((stones << step) | (stones >> three)))
}

/// The squares of [`gaps_by_pairs`], by four shifts instead of six. A line has two halves. If one half is a pair and
/// the other holds a single stone, the other half is that stone and the gap:
///
/// ```text
/// stones            x x . x
/// pairs << 2 steps  . . * .     the half beside a pair, by its lower square
/// singles           . * * .     the halves with one stone
/// open              . . * .     in both sets
/// open, shifted too . . * *     the gap and the stone
/// ```
///
/// The pairs and singles are those of [`threes`]. Unlike [`spread`], it spreads over the half that lacks a stone, not
/// over the whole line.
#[inline(always)]
pub fn gaps_by_halves<S: Step, B: Bits<S>>(stones: B, step: S) -> B {
    let (above, two) = (stones >> step, step + step);
    let pairs = stones & above;
    let singles = stones ^ above;
    let open = singles & ((pairs << two) | (pairs >> two));
    open | (open << step)
}

/// The gaps of vertical lines: the top squares of lines that lack a stone there.
#[inline(always)]
pub fn gaps_on_top<B: Bits<u32>>(stones: B) -> B {
    (stones << 1) & (stones << 2) & (stones << 3)
}

/// Shared by the tests of all ways to find lines: lines found square by square, and boards to try.
#[cfg(test)]
pub(crate) mod definition {
    use crate::game::{Board, Geometry, Word};
    use proptest::prelude::*;

    /// Every line of four, walked square by square.
    pub(crate) fn every<G: Geometry>(g: G) -> Vec<G::Word> {
        let (width, height) = (g.width() as i32, g.height() as i32);
        let squares = (0..width).flat_map(|column| (0..height).map(move |row| (column, row)));
        let lines = squares.flat_map(|(column, row)| {
            [(0, 1), (1, 0), (1, -1), (1, 1)].map(|(x, y)| [0, 1, 2, 3].map(|i| (column + i * x, row + i * y)))
        });
        let on_board = |line: &[(i32, i32); 4]| {
            line.iter().all(|&(column, row)| (0..width).contains(&column) && (0..height).contains(&row))
        };
        let bit = |(column, row)| G::Word::ONE << (column as u32 * g.stride() + row as u32);
        lines.filter(on_board).map(|line| line.into_iter().map(bit).sum()).collect()
    }

    /// The boards of a game. Full or missing columns are skipped.
    pub(crate) fn played<G: Geometry>(g: G, columns: &[u32]) -> Vec<Board<G>> {
        let mut boards = vec![Board::empty_in(g)];
        for &column in columns {
            let board = boards[boards.len() - 1];
            if column < g.width() && board.can_play(column) && !board.is_won() {
                boards.push(board.play(column));
            }
        }
        boards
    }

    /// Columns to play. A board lacks some of them, or has no room in them.
    pub(crate) fn columns() -> impl Strategy<Value = Vec<u32>> {
        proptest::collection::vec(0u32..12, 0..90)
    }

    #[test]
    fn the_standard_board_has_69_lines() {
        assert_eq!(every(crate::game::Standard::NEW).len(), 69);
    }
}
