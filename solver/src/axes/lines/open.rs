//! Open: lines of four that one side can still complete.

use crate::game::{Geometry, Word};

/// The lines of four that hold no stone of the opponent's and one stone of one's own, and those with two: their lowest
/// squares, a set for each direction.
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
            // Of two neighbours: whether one is own, whether both are. The same of two such pairs.
            let [second, third, fourth] = [own >> step, own >> (2 * step), own >> (3 * step)];
            let [one, both] = [own ^ second, own & second];
            let [other_one, other_both] = [third ^ fourth, third & fourth];
            with[0][direction] = open & (one ^ other_one) & !(both | other_both);
            with[1][direction] = open & (one & other_one | (both ^ other_both) & !(one | other_one));
        }
        OpenLines { with }
    }

    /// How many of them with one stone lie through a square, and how many with two.
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
    use crate::game::{Board, Position, Standard};

    /// Lines with one stone and with two through a square, by walking over the board.
    fn slow(own: u64, opponent: u64, square: u64) -> [u32; 2] {
        let at = |column: i32, row: i32| {
            let on = (0..7).contains(&column) && (0..6).contains(&row);
            on.then(|| 1u64 << (column * 7 + row))
        };
        let mut lines = [0; 2];
        for (column, row) in (0..7).flat_map(|column| (0..6).map(move |row| (column, row))) {
            for (x, y) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let squares: Option<Vec<u64>> = (0..4).map(|step| at(column + step * x, row + step * y)).collect();
                let line: u64 = squares.unwrap_or_default().into_iter().sum();
                let own = (line & own).count_ones();
                if line & square != 0 && line & opponent == 0 && (1..=2).contains(&own) {
                    lines[own as usize - 1] += 1;
                }
            }
        }
        lines
    }

    #[test]
    fn lines_are_those_that_a_walk_over_the_board_finds() {
        for moves in ["", "4", "44", "3444", "12345671", "4444443", "777777", "44352671", "112233544556"] {
            let board: Board = Position::parse(moves).unwrap().board(Standard::NEW);
            let [own, other] = [board.mover(), board.opponent()];
            let lines = OpenLines::of(Standard::NEW, own, other);
            let mut left = board.empty();
            while left != 0 {
                let square = left & left.wrapping_neg();
                left ^= square;
                assert_eq!(lines.through(Standard::NEW, square), slow(own, other, square), "{moves} {square:#x}");
            }
        }
    }

    #[test]
    fn a_board_of_three_columns_has_upright_lines_alone() {
        use crate::game::Grid;
        let lines = OpenLines::of(Grid::<3, 4, 5>::NEW, 1, 0);
        assert_eq!(lines.through(Grid::<3, 4, 5>::NEW, 2), [4, 0], "one line, named four times");
    }
}
