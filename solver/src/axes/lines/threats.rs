//! Threats: the empty squares that would complete four in a row, in the current position and after each move.
//!
//! ```text
//! . . . . . . .      . . . . . . .
//! . . . . . . .      . . . * . . .
//! . . . x . . .      . . . x . . .      the two winning squares of x
//! . . . x O O .      . . . x O O .
//! . x x x O O .      * x x x O O .
//! ```
//!
//! All forms give the same squares, bit for bit. They differ in the shifts and in the number of words in a vector.
//! [`crate::axes::lines::line`] has the formulas and their sources, [`crate::axes::lines::lanes`] draws the vectors.
//!
//! No tested square has a stone above it. So a vertical line can only lack its top square.

use crate::axes::lines::{lanes, line};
use crate::game::room::Room;
use crate::game::word::EachSquare;
use crate::game::{Geometry, Word};
use std::hint::select_unpredictable;

axis! {
    /// How winning squares are found.
    pub enum Threats = "threats" {
        /// pairs of stones and shifts, six a direction (Pons, part 9)
        Pairs = "pairs",
        /// lines with three stones, spread over the line ("The Wondrous World of Connect Four Bit Boards")
        AlmostWins = "almost-wins",
        /// a pair beside a single stone, spread over the half that lacks a stone: four shifts a direction
        Halves = "halves",
        /// almost-wins, the four directions in the lanes of a vector
        Directions = "directions",
        /// halves, the children of a node in the lanes of vectors, four moves at a time
        Moves = "moves",
        /// halves, all children of a node in the lanes of a vector, a column in each
        Children = "children",
        /// halves, the four directions of two boards in the lanes of a vector: of both players, or of two children
        Players = "players",
        /// halves, all children of a node in the widest vectors that the processor has, asked when it runs: AVX-512, AVX2, or none
        Dispatched = "dispatched",
    }
}

impl Threats {
    pub fn is_vector(self) -> bool {
        matches!(self, Threats::Directions | Threats::Moves | Threats::Children | Threats::Players)
    }
}

/// The squares of `empty` where one more stone gives `stones` four in a row. No square of `empty` holds a stone or lies
/// below one. `Moves`, `Children` and `Dispatched` compute as `Halves`, since there are no children. `Players` computes
/// as `Directions`, since there is only one board.
#[inline(always)]
pub fn winning_squares<G: Geometry>(g: G, threats: Threats, stones: G::Word, empty: G::Word) -> G::Word {
    debug_assert!(((stones | empty) & !g.board() | stones & empty).is_empty());
    gaps(g, threats, stones) & empty
}

/// The winning squares of two boards with the same empty squares. `Players` finds both at once, other forms in turn.
#[inline(always)]
pub fn winning_squares_of_both<G: Geometry>(
    g: G,
    threats: Threats,
    boards: [G::Word; 2],
    empty: G::Word,
) -> [G::Word; 2] {
    debug_assert!(((boards[0] | boards[1] | empty) & !g.board() | (boards[0] | boards[1]) & empty).is_empty());
    let gaps = match threats {
        Threats::Players => lanes::gaps_of_both(g, boards),
        // Not `map`: all variants would share its code, and it would test `threats` at run time.
        _ => [gaps(g, threats, boards[0]), gaps(g, threats, boards[1])],
    };
    gaps.map(|gaps| gaps & empty)
}

/// For every move, the winning squares of `stones` with that move added. `each` receives the column of the move and the
/// squares, by rising column. `moves` has at most one square in each column. `empty` may be that of the node: the
/// square of a move counts as taken, and is not among the winning squares after it.
#[inline(always)]
pub fn each_after<G: Geometry>(
    g: G,
    threats: Threats,
    stones: G::Word,
    moves: G::Word,
    empty: G::Word,
    mut each: impl FnMut(u32, G::Word),
) {
    debug_assert!(((stones | moves | empty) & !g.board() | stones & (moves | empty)).is_empty());
    debug_assert!((0..g.width()).all(|column| (moves & g.column(column)).count_ones() <= 1));
    match threats {
        Threats::Pairs | Threats::AlmostWins | Threats::Halves | Threats::Directions | Threats::Dispatched => {
            let mut left = moves;
            while left.has_any() {
                let one_move = left.lowest();
                left ^= one_move;
                each(g.column_of(one_move), gaps(g, threats, stones | one_move) & empty & !one_move);
            }
        }
        Threats::Children => {
            let columns = lanes::gaps_after_columns(g, stones, moves);
            for one_move in EachSquare(moves) {
                let column = g.column_of(one_move);
                each(column, columns[column as usize & (G::Room::LANES - 1)] & empty & !one_move);
            }
        }
        Threats::Players => {
            let mut left = moves;
            while left.has_any() {
                let group = next_moves::<_, 2>(&mut left);
                let gaps = lanes::gaps_of_both(g, [stones | group[0], stones | group[1]]);
                each_of_group(g, group, gaps, empty, &mut each);
            }
        }
        Threats::Moves => {
            let mut left = moves;
            while left.has_any() {
                let group = next_moves::<_, 4>(&mut left);
                each_of_group(g, group, lanes::gaps_after_moves(g, stones, group), empty, &mut each);
            }
        }
    }
}

/// The next `N` moves; 0 where there are fewer. A walk over the existing moves was faster than a test of each column:
/// unpredictable branches cost more than the division by the stride.
#[inline(always)]
fn next_moves<W: Word, const N: usize>(left: &mut W) -> [W; N] {
    let mut group = [W::NONE; N];
    for one_move in &mut group {
        *one_move = left.lowest();
        *left ^= *one_move;
    }
    group
}

#[inline(always)]
fn each_of_group<G: Geometry, const N: usize>(
    g: G,
    group: [G::Word; N],
    gaps: [G::Word; N],
    empty: G::Word,
    each: &mut impl FnMut(u32, G::Word),
) {
    // By index: iterators over arrays are not always inlined.
    let mut index = 0;
    while index < N && group[index].has_any() {
        each(g.column_of(group[index]), gaps[index] & empty & !group[index]);
        index += 1;
    }
}

/// The squares that complete a line of `stones`, among them squares that are not empty.
#[inline(always)]
fn gaps<G: Geometry>(g: G, threats: Threats, stones: G::Word) -> G::Word {
    match threats {
        // Direction by direction: a closure or a fold over an array is not always inlined.
        Threats::Pairs => {
            let [_, across, down, up] = g.directions();
            let (top, across) = (line::gaps_on_top(stones), line::gaps_by_pairs(stones, across));
            (top | across) | (line::gaps_by_pairs(stones, down) | line::gaps_by_pairs(stones, up))
        }
        Threats::AlmostWins => {
            let [top, across, down, up] = g.directions();
            let top = line::spread(line::threes(stones, top), top);
            let across = line::spread(line::threes(stones, across), across);
            let down = line::spread(line::threes(stones, down), down);
            (top | across) | (down | line::spread(line::threes(stones, up), up))
        }
        Threats::Halves | Threats::Moves | Threats::Children | Threats::Dispatched => {
            let [_, across, down, up] = g.directions();
            let (top, across) = (line::gaps_on_top(stones), line::gaps_by_halves(stones, across));
            (top | across) | (line::gaps_by_halves(stones, down) | line::gaps_by_halves(stones, up))
        }
        Threats::Directions | Threats::Players => lanes::gaps(g, stones),
    }
}

/// The moves of `playable` that do not let the opponent win at once. `opponent_wins` are the opponent's winning
/// squares. A single immediate threat must be taken; two cannot be taken. No move may lie directly below a threat.
#[inline(always)]
pub fn non_losing<W: Word>(playable: W, opponent_wins: W) -> W {
    let forced = playable & opponent_wins;
    let candidates = select_unpredictable(forced.is_empty(), playable, forced) & !(opponent_wins >> 1);
    select_unpredictable(forced.has_several(), W::NONE, candidates)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::Axis;
    use crate::axes::lines::line::definition::{columns, every, played};
    use crate::game::any_board::{Narrow, on_every_kind_of_board};
    use crate::game::{Board, perft};
    use proptest::prelude::*;

    fn forms() -> impl Iterator<Item = Threats> {
        Threats::ALL.iter().copied().filter(|threats| cfg!(feature = "simd") || !threats.is_vector())
    }

    /// The definition: the one square that a line lacks.
    fn by_definition<W: Word>(lines: &[W], stones: W, empty: W) -> W {
        let lacks = lines.iter().map(|&line| line & !stones);
        lacks.filter(|square| square.is_one()).fold(W::NONE, |set, square| set | square) & empty
    }

    /// Checks all forms on two disjoint sets of stones, with empty squares of which none lies below a stone.
    fn agree<G: Geometry>(g: G, lines: &[G::Word], boards: [G::Word; 2], empty: G::Word) {
        let expected = boards.map(|stones| by_definition(lines, stones, empty));
        let moves: G::Word = (0..g.width()).map(|column| empty & g.column(column)).map(Word::lowest).sum();
        let after: Vec<(u32, G::Word)> = (0..g.width())
            .map(|column| (column, moves & g.column(column)))
            .filter(|&(_, one_move)| one_move.has_any())
            .map(|(column, one_move)| (column, by_definition(lines, boards[0] | one_move, empty & !one_move)))
            .collect();
        for threats in forms().filter(|threats| G::Word::BITS == 64 || !threats.is_vector()) {
            let found = boards.map(|stones| winning_squares(g, threats, stones, empty));
            assert_eq!(found, expected, "{threats:?}, {} {boards:#x?} {empty:#x}", g.name());
            let found = winning_squares_of_both(g, threats, boards, empty);
            assert_eq!(found, expected, "{threats:?}, {} {boards:#x?} {empty:#x}", g.name());
            let mut found = Vec::new();
            each_after(g, threats, boards[0], moves, empty, |column, squares| found.push((column, squares)));
            assert_eq!(found, after, "{threats:?}, {} {boards:#x?} {empty:#x}", g.name());
        }
    }

    /// Checks all forms on the boards of a game, and on arbitrary sets: stones below the heights of columns, squares
    /// above.
    fn compare<G: Geometry>(g: G, columns: &[u32], words: [u128; 3], heights: [u32; 12]) {
        let lines = every(g);
        for board in played(g, columns) {
            agree(g, &lines, [board.mover(), board.opponent()], board.empty());
        }
        let height = |column: u32| heights[column as usize] % (g.height() + 1);
        let in_column = |column| ((G::Word::ONE << height(column)) - G::Word::ONE) << (column * g.stride());
        let below: G::Word = (0..g.width()).map(in_column).sum();
        let [one, other, empty] = words.map(G::Word::of);
        agree(g, &lines, [one & below, other & below], empty & g.board() & !below);
        agree(g, &lines, [one & below, !one & below], g.board() & !below);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn all_forms_agree(columns in columns(), words in any::<[u128; 3]>(), heights in any::<[u32; 12]>()) {
            on_every_kind_of_board!(compare(&columns, words, heights));
        }
    }

    #[test]
    fn all_forms_agree_on_all_of_4x4() {
        let g = Narrow::sized(4, 4);
        let lines = every(g);
        for board in perft::all_boards(g) {
            agree(g, &lines, [board.mover(), board.opponent()], board.empty());
        }
    }

    #[test]
    fn a_threat_must_be_taken_and_two_cannot_be() {
        let board: Board = Board::EMPTY;
        let playable = board.playable();
        assert_eq!(non_losing(playable, 0), playable);
        assert_eq!(non_losing(playable, 1 << 7), 1 << 7);
        assert_eq!(non_losing(playable, 1 << 7 | 1 << 14), 0);
        assert_eq!(non_losing(playable, 1 << 8), playable ^ 1 << 7, "not under a threat");
    }
}
