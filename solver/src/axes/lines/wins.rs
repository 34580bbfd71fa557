//! Wins: whether stones hold four in a row, and which squares belong to a four.
//!
//! ```text
//! . x . . .      . * . . .
//! . x x x x      . * * * *      squares in fours: the row and the column; the stone at the left
//! . x . . .      . * . . .      belongs to neither
//! x x . . .      . * . . .
//! ```
//!
//! For the stones of a side together with all empty squares, the second question finds the squares where that side can
//! still make a four. [`crate::axes::lines::line`] has the formulas and their sources.

use crate::axes::lines::{lanes, line};
use crate::game::word::EachSquare;
use crate::game::{Geometry, Word};

axis! {
    /// How four in a row is found.
    pub enum Wins = "wins" {
        /// two shifts a direction ("The Wondrous World of Connect Four Bit Boards"; Pons, part 6)
        TwoShifts = "two-shifts",
        /// three shifts a direction (Herzberg, "Bitboards and Connect Four")
        ThreeShifts = "three-shifts",
        /// three shifts a direction, in a loop that ends at the first four (Herzberg, "Bitboards and Connect Four")
        ThreeShiftsEarlyExit = "three-shifts-early-exit",
        /// two shifts a direction, in a loop that ends at the first four (Herzberg, "Bitboards and Connect Four")
        EarlyExit = "early-exit",
        /// the lines of the board one after the other, as sets of four squares
        Lines = "lines",
        /// the squares that belong to a four, if there are any ("The Wondrous World of Connect Four Bit Boards")
        Squares = "squares",
        /// two shifts, the four directions in the lanes of a vector
        Directions = "directions",
    }
}

impl Wins {
    pub fn is_vector(self) -> bool {
        self == Wins::Directions
    }
}

/// True if `stones`, squares of the board, hold four in a row.
#[inline(always)]
pub fn has_four<G: Geometry>(g: G, wins: Wins, stones: G::Word) -> bool {
    debug_assert!((stones & !g.board()).is_empty());
    match wins {
        Wins::TwoShifts => {
            // Written out: a fold over an array is not always inlined.
            let [top, across, down, up] = g.directions();
            let (top, across) = (line::fours(stones, top), line::fours(stones, across));
            ((top | across) | (line::fours(stones, down) | line::fours(stones, up))).has_any()
        }
        Wins::ThreeShifts => {
            let [top, across, down, up] = g.directions();
            let fours = line::fours_by_three_shifts;
            ((fours(stones, top) | fours(stones, across)) | (fours(stones, down) | fours(stones, up))).has_any()
        }
        Wins::ThreeShiftsEarlyExit => {
            g.directions().into_iter().any(|step| line::fours_by_three_shifts(stones, step).has_any())
        }
        Wins::Lines => holds_a_line(g, stones),
        Wins::EarlyExit => g.directions().into_iter().any(|step| line::fours(stones, step).has_any()),
        Wins::Squares => squares_in_fours(g, stones).has_any(),
        Wins::Directions => lanes::has_four(g, stones),
    }
}

/// True if all four squares of some line are in `stones`. Each line is the spread of its lowest square.
#[inline(always)]
fn holds_a_line<G: Geometry>(g: G, stones: G::Word) -> bool {
    g.directions().into_iter().any(|step| {
        let mut lowest = EachSquare(line::fours(g.board(), step));
        lowest.any(|square| (line::spread(square, step) & !stones).is_empty())
    })
}

/// The squares of `set` that belong to a four of `set`: `wins` of "The Wondrous World of Connect Four Bit Boards".
#[inline(always)]
pub fn squares_in_fours<G: Geometry>(g: G, set: G::Word) -> G::Word {
    debug_assert!((set & !g.board()).is_empty());
    let [top, across, down, up] = g.directions();
    let (top, across) = (line::spread(line::fours(set, top), top), line::spread(line::fours(set, across), across));
    let (down, up) = (line::spread(line::fours(set, down), down), line::spread(line::fours(set, up), up));
    (top | across) | (down | up)
}

/// [`squares_in_fours`] of two sets: at once in vectors, else one after the other.
#[inline(always)]
pub fn squares_in_fours_of_both<G: Geometry>(g: G, wins: Wins, sets: [G::Word; 2]) -> [G::Word; 2] {
    if wins.is_vector() { lanes::squares_in_fours_of_both(g, sets) } else { sets.map(|set| squares_in_fours(g, set)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::Axis;
    use crate::axes::lines::line::definition::{columns, every, played};
    use crate::game::any_board::on_every_kind_of_board;
    use crate::game::board;
    use proptest::prelude::*;

    fn forms() -> impl Iterator<Item = Wins> {
        Wins::ALL.iter().copied().filter(|wins| cfg!(feature = "simd") || !wins.is_vector())
    }

    fn agree<G: Geometry>(g: G, lines: &[G::Word], sets: [G::Word; 2]) {
        let in_fours = sets.map(|set| {
            lines.iter().filter(|&&line| (line & !set).is_empty()).fold(G::Word::NONE, |squares, &line| squares | line)
        });
        for (set, squares) in sets.into_iter().zip(in_fours) {
            assert_eq!(squares_in_fours(g, set), squares, "{} {set:#x}", g.name());
            assert_eq!(board::has_four(g, set), squares.has_any(), "{} {set:#x}", g.name());
        }
        for wins in forms().filter(|wins| G::Word::BITS == 64 || !wins.is_vector()) {
            let found = sets.map(|set| has_four(g, wins, set));
            assert_eq!(found, in_fours.map(Word::has_any), "{wins:?}, {} {sets:#x?}", g.name());
            let squares = squares_in_fours_of_both(g, wins, sets);
            assert_eq!(squares, in_fours, "{wins:?}, {} {sets:#x?}", g.name());
        }
    }

    /// Checks all forms on the boards of a game, on arbitrary sets, and on the squares that a side could still fill.
    fn compare<G: Geometry>(g: G, columns: &[u32], words: [u128; 2]) {
        let lines = every(g);
        agree(g, &lines, words.map(|word| G::Word::of(word) & g.board()));
        for board in played(g, columns) {
            agree(g, &lines, [board.mover(), board.opponent()]);
            agree(g, &lines, [board.mover() | board.empty(), board.opponent() | board.empty()]);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn all_forms_find_the_fours(columns in columns(), words in any::<[u128; 2]>()) {
            on_every_kind_of_board!(compare(&columns, words));
        }
    }
}
