//! Open: lines of four that one side can still complete.

use crate::game::{Geometry, Word};

/// Lines of four without a stone of the opponent's: those with one stone of the side's own, and those with two. A line
/// is given by its lowest square, in a set for each direction.
///
/// ```text
/// . . . . . . .
/// . o . . . . .      of the three lines of the second row that hold no o, those that begin in the third and the fourth
/// . . . x . . .      column do not hold x, which lies below; all four lines of the first row hold x
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OpenLines<W> {
    with: [[W; 4]; 2],
}

impl<W: Word> OpenLines<W> {
    #[inline(always)]
    pub fn of<G: Geometry<Word = W>>(g: G, own: W, opponent: W) -> Self {
        let (free, mut with) = (g.board() & !opponent, [[W::NONE; 4]; 2]);
        for (direction, step) in g.directions().into_iter().enumerate() {
            let open = free & free >> step;
            let open = open & open >> (2 * step);
            // Of squares 1 and 2 of a line: exactly one is own, or both are. Likewise squares 3 and 4.
            let [second, third, fourth] = [own >> step, own >> (2 * step), own >> (3 * step)];
            let [one, both] = [own ^ second, own & second];
            let [other_one, other_both] = [third ^ fourth, third & fourth];
            with[0][direction] = open & (one ^ other_one) & !(both | other_both);
            with[1][direction] = open & (one & other_one | (both ^ other_both) & !(one | other_one));
        }
        OpenLines { with }
    }

    /// The number of lines through `square` with one stone, and with two.
    #[inline(always)]
    pub fn through<G: Geometry<Word = W>>(&self, g: G, square: W) -> [u32; 2] {
        let mut through = [0; 2];
        for (direction, step) in g.directions().into_iter().enumerate() {
            let pair = square | square >> step;
            let begins = pair | pair >> (2 * step);
            for (count, with) in through.iter_mut().zip(self.with) {
                *count += (with[direction] & begins).count_ones();
            }
        }
        through
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axes::lines::line::definition::every;
    use crate::game::word::EachSquare;
    use crate::game::{Board, Grid, Position, Standard};

    #[test]
    fn lines_are_those_that_a_walk_over_the_board_finds() {
        for moves in ["", "4", "44", "3444", "12345671", "4444443", "777777", "44352671", "112233544556"] {
            let board: Board = Position::parse(moves).unwrap().board(Standard::NEW);
            let [own, other] = [board.mover(), board.opponent()];
            let lines = OpenLines::of(Standard::NEW, own, other);
            let open: Vec<u64> = every(Standard::NEW).into_iter().filter(|line| line & other == 0).collect();
            for square in EachSquare(board.empty()) {
                let with = |count| {
                    let through = |line: &&u64| *line & square != 0 && (*line & own).count_ones() == count;
                    open.iter().filter(through).count() as u32
                };
                assert_eq!(lines.through(Standard::NEW, square), [with(1), with(2)], "{moves} {square:#x}");
            }
        }
    }

    #[test]
    fn a_board_of_three_columns_has_upright_lines_alone() {
        let lines = OpenLines::of(Grid::<3, 4, 5>::NEW, 1, 0);
        assert_eq!(lines.through(Grid::<3, 4, 5>::NEW, 2), [4, 0], "one line, named four times");
    }
}
