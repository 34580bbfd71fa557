//! The oracle: plain minimax over an array of squares, too simple to be wrong.
//!
//! It shares no code with the boards, the rules or the searches that it checks: it has its own squares, test for four
//! in a row, and scores. It stores each solved position, with the whole array as the key.

use std::collections::HashMap;

/// Squares by column and row, row 0 at the bottom: 0 empty, 1 the first player, 2 the second.
type Squares<const W: usize, const H: usize> = [[u8; H]; W];

/// Exact scores of positions on a board of `W` columns and `H` rows.
#[derive(Debug, Default)]
pub struct Oracle<const W: usize, const H: usize> {
    solved: HashMap<Squares<W, H>, i8>,
}

impl<const W: usize, const H: usize> Oracle<W, H> {
    /// The score after the moves in `columns` (from 0), from the side of the player who moves next.
    ///
    /// # Panics
    /// If a column is full or off the board. Moves after a win are not noticed.
    pub fn score(&mut self, columns: &[u8]) -> i32 {
        let mut squares = [[0; H]; W];
        let mut won = false;
        for (ply, &column) in columns.iter().enumerate() {
            let row = height(&squares, column as usize);
            squares[column as usize][row] = player(ply);
            won = four_through(&squares, column as usize, row);
        }
        if won {
            return -worth::<W, H>(columns.len());
        }
        self.minimax(&mut squares, columns.len())
    }

    /// The score of a board that nobody has won, given by its squares: by column and row, row 0 at the bottom, 0 empty,
    /// 1 the player who began, 2 the other. The number of stones gives the side to move.
    pub fn score_of(&mut self, mut squares: [[u8; H]; W]) -> i32 {
        let stones = squares.as_flattened().iter().filter(|&&square| square != 0).count();
        self.minimax(&mut squares, stones)
    }

    fn minimax(&mut self, squares: &mut Squares<W, H>, ply: usize) -> i32 {
        if ply == W * H {
            return 0;
        }
        if let Some(&score) = self.solved.get(squares) {
            return i32::from(score);
        }
        let mut best = i32::MIN;
        for column in 0..W {
            let row = height(squares, column);
            if row == H {
                continue;
            }
            squares[column][row] = player(ply);
            let score = if four_through(squares, column, row) {
                worth::<W, H>(ply + 1)
            } else {
                -self.minimax(squares, ply + 1)
            };
            squares[column][row] = 0;
            best = best.max(score);
        }
        self.solved.insert(*squares, best as i8);
        best
    }
}

fn player(ply: usize) -> u8 {
    if ply.is_multiple_of(2) { 1 } else { 2 }
}

fn height<const W: usize, const H: usize>(squares: &Squares<W, H>, column: usize) -> usize {
    squares[column].iter().filter(|&&square| square != 0).count()
}

/// The worth of a win if the winning stone is number `stones`: half of the squares left, rounded up.
fn worth<const W: usize, const H: usize>(stones: usize) -> i32 {
    ((W * H - stones) as i32 + 2) / 2
}

/// True if the stone at (`column`, `row`) is part of four in a row. Tests every window of four squares that holds it.
fn four_through<const W: usize, const H: usize>(squares: &Squares<W, H>, column: usize, row: usize) -> bool {
    let at = |column: i32, row: i32| {
        let inside = (0..W as i32).contains(&column) && (0..H as i32).contains(&row);
        if inside { squares[column as usize][row as usize] } else { 0 }
    };
    let (column, row) = (column as i32, row as i32);
    let player = at(column, row);
    [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
        (-3..=0).any(|first| (first..first + 4).all(|step| at(column + step * dx, row + step * dy) == player))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_outcomes_of_small_boards() {
        // J. Tromp: four columns of four rows and of five are draws.
        assert_eq!(Oracle::<4, 4>::default().score(&[]), 0);
        assert_eq!(Oracle::<4, 5>::default().score(&[]), 0);
        assert_eq!(Oracle::<4, 4>::default().score(&[0, 1, 0, 1, 0, 1]), 5, "the seventh stone wins");
    }

    #[test]
    fn wins_are_worth_22_less_the_winners_stones() {
        assert_eq!([7, 8, 41, 42].map(worth::<7, 6>), [18, 18, 1, 1]);
        let mut oracle = Oracle::<7, 6>::default();
        let mut score = |moves: &str| oracle.score(&moves.bytes().map(|digit| digit - b'1').collect::<Vec<_>>());
        // X completes a column with its fourth stone; the game is over, and O has lost.
        assert_eq!(score("1212121"), -18);
        // One column is left, and no line in it can be completed: a draw.
        assert_eq!(score("121212212121343434434343565656656565777"), 0);
    }

    #[test]
    fn a_line_in_every_direction_is_seen_from_each_of_its_stones() {
        for (dx, dy, start) in [(0i32, 1i32, (3, 1)), (1, 0, (2, 3)), (1, 1, (1, 1)), (1, -1, (2, 5))] {
            let mut squares: Squares<7, 6> = [[0; 6]; 7];
            let line = [0, 1, 2, 3].map(|step| ((start.0 + step * dx) as usize, (start.1 + step * dy) as usize));
            line.iter().for_each(|&(column, row)| squares[column][row] = 2);
            assert!(line.iter().all(|&(column, row)| four_through(&squares, column, row)), "{dx} {dy}");
            squares[line[1].0][line[1].1] = 1;
            assert!(line.iter().all(|&(column, row)| !four_through(&squares, column, row)), "{dx} {dy}");
        }
    }
}
