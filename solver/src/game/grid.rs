//! Grids: boards as arrays of numbers, one for each square, the top row first.
//!
//! ```text
//! 0 0 0 0 0 0 0
//! 0 0 0 2 0 0 0      0 empty, 1 the first player, 2 or -1 the second
//! 0 0 1 1 0 0 0
//! ```
//!
//! A search takes moves, so this module finds an order of moves that leads to the board: stones fill columns from
//! below, players take turns, and no move follows a win. The number of stones gives the mover, so the rest of the order
//! depends only on the heights of the columns. Heights without a solution are stored. Without four in a row, any order
//! is valid. On a board with four in a row, the last stone made it.

use crate::game::{BoardSize, MOST_COLUMNS, Position};
use std::cmp::Reverse;
use std::collections::HashSet;

/// The most columns of a board.
const WIDEST: usize = MOST_COLUMNS as usize;

/// The heights without a solution after which the search gives up. A board of a real game needs few.
const MOST_DEAD: usize = 100_000;

impl Position {
    /// The position of a grid: a cell for each square of the board, the top row first; 0 is empty, 1 the first player,
    /// 2 or -1 the second. Of the orders of moves that lead to the board it has one.
    ///
    /// # Errors
    /// Numbers of stones that no game has, stones above empty squares, a board that no order of moves leads to.
    pub fn from_grid(size: BoardSize, cells: &[i8]) -> Result<Self, String> {
        let squares = size.cells() as usize;
        if cells.len() != squares {
            return Err(format!("{} squares; the board has {squares}", cells.len()));
        }
        let width = size.width() as usize;
        let stone = |(index, cell): (usize, &i8)| match cell {
            0..=2 => Ok(*cell as u8),
            -1 => Ok(2),
            other => {
                let (row, column) = (index / width + 1, index % width + 1);
                Err(format!("row {row}, column {column}: {other} is none of 0, 1, 2 and -1"))
            }
        };
        Self::placed(size, &cells.iter().enumerate().map(stone).collect::<Result<Vec<u8>, String>>()?)
    }

    /// The position of squares in the order of a grid: 0 is empty, 1 and 2 are the players, or [`MARKED`].
    pub(super) fn placed(size: BoardSize, squares: &[u8]) -> Result<Self, String> {
        let columns = columns_of(size, squares)?;
        let stones = |player: u8| columns.iter().flatten().filter(|stone| **stone == player).count();
        let (first, second, all) = (stones(1), stones(2), columns.iter().map(Vec::len).sum::<usize>());
        if first > all.div_ceil(2) || second > all / 2 {
            return Err(format!(
                "{first} stones of the first player and {second} of the second: it has as many, or one more"
            ));
        }
        let columns = Sides { size, columns, tries: MOST_TRIED }.of_marked()?;
        let none = || "no order of moves leads to this board without a win before".to_string();
        played(size, &columns).or_else(|| with_last(size, &columns, all)).ok_or_else(none)
    }
}

/// The stone of a drawing that marks it as one of either side.
pub(super) const MARKED: u8 = 3;
/// The most sides that are tried for marked stones.
const MOST_TRIED: usize = 1_000_000;

/// A search for the sides of marked stones. No four can hold such a stone, so each line through it gets stones of both
/// sides. The scores of all boards that come of that are equal ([`crate::axes::table::key`]).
struct Sides {
    size: BoardSize,
    columns: Vec<Vec<u8>>,
    tries: usize,
}

impl Sides {
    /// The columns with a side for each marked stone.
    fn of_marked(mut self) -> Result<Vec<Vec<u8>>, String> {
        let places = |column: usize| (0..self.columns[column].len()).map(move |row| (column, row));
        let is_marked = |&(column, row): &(usize, usize)| self.columns[column][row] == MARKED;
        let marked: Vec<(usize, usize)> = (0..self.columns.len()).flat_map(places).filter(is_marked).collect();
        let stones = || self.columns.iter().flatten();
        let first = stones().count().div_ceil(2).saturating_sub(stones().filter(|stone| **stone == 1).count());
        if marked.is_empty() || self.settle(&marked, first) {
            return Ok(self.columns);
        }
        let why = if self.tries == 0 { "too many sides to try for" } else { "no sides keep every four away from" };
        Err(format!("{why} the stones *"))
    }

    /// Gives sides to the stones `left`, of which `first` are of the first player.
    fn settle(&mut self, left: &[(usize, usize)], first: usize) -> bool {
        let Some((&(column, row), rest)) = left.split_first() else { return first == 0 };
        for side in [1, 2] {
            if self.tries == 0 || (side == 1 && first == 0) {
                continue;
            }
            self.tries -= 1;
            self.columns[column][row] = side;
            let first = if side == 1 { first - 1 } else { first };
            if are_mixed(self.size, &self.columns, (column, row)) && self.settle(rest, first) {
                return true;
            }
        }
        self.columns[column][row] = MARKED;
        false
    }
}

/// True if every line of four through a square has stones of both sides, or a marked one still.
fn are_mixed(size: BoardSize, columns: &[Vec<u8>], (column, row): (usize, usize)) -> bool {
    let (width, height) = (size.width() as i32, size.height() as i32);
    let lines = [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().flat_map(|step| (0..4).map(move |back| (step, back)));
    lines.into_iter().all(|((x, y), back)| {
        let square = |at: i32| (column as i32 + x * (at - back), row as i32 + y * (at - back));
        let mut squares = (0..4).map(square);
        let is_outside = |(column, row): (i32, i32)| !(0..width).contains(&column) || !(0..height).contains(&row);
        let has = |side: u8| {
            let stone = |(column, row): (i32, i32)| columns[column as usize].get(row as usize).copied();
            (0..4).map(square).any(|square| stone(square) == Some(side))
        };
        squares.any(is_outside) || has(MARKED) || has(1) && has(2)
    })
}

/// The position of these stones, if the order of moves that is found exists and has no win before its last stone.
fn played(size: BoardSize, columns: &[Vec<u8>]) -> Option<Position> {
    let mut moves = Vec::new();
    let stones = columns.iter().map(Vec::len).sum();
    if !in_turns(columns, stones, &mut [0; WIDEST], &mut moves, &mut HashSet::new()) {
        return None;
    }
    let mut position = Position::start_on(size);
    moves.into_iter().all(|column| position.play(column).is_ok()).then_some(position)
}

/// The position whose last stone, the top one of some column, makes the first four in a row.
fn with_last(size: BoardSize, columns: &[Vec<u8>], stones: usize) -> Option<Position> {
    let last = if stones.is_multiple_of(2) { 2 } else { 1 };
    let tops = (0..columns.len()).filter(|&column| columns[column].last() == Some(&last));
    tops.filter_map(|column| {
        let mut before = columns.to_vec();
        before[column].pop();
        let mut position = played(size, &before)?;
        position.play(column as u32).ok().map(|()| position)
    })
    .next()
}

/// The stones of each column from the bottom up.
fn columns_of(size: BoardSize, squares: &[u8]) -> Result<Vec<Vec<u8>>, String> {
    let (width, height) = (size.width() as usize, size.height() as usize);
    let mut columns = vec![Vec::with_capacity(height); width];
    for (index, stone) in squares.iter().enumerate().rev().filter(|(_, stone)| **stone != 0) {
        let (row, column) = (index / width, index % width);
        if columns[column].len() != height - 1 - row {
            return Err(format!("row {}, column {}: a stone above an empty square", row + 1, column + 1));
        }
        columns[column].push(*stone);
    }
    Ok(columns)
}

/// Finds moves, as columns from 0, for the stones above the given heights of columns, players in turns.
fn in_turns(
    columns: &[Vec<u8>],
    stones: usize,
    heights: &mut [u8; WIDEST],
    moves: &mut Vec<u32>,
    dead: &mut HashSet<[u8; WIDEST]>,
) -> bool {
    if moves.len() == stones {
        return true;
    }
    let player = if moves.len().is_multiple_of(2) { 1 } else { 2 };
    if dead.contains(heights) || dead.len() >= MOST_DEAD {
        return false;
    }
    for column in hopeful(columns, heights, player) {
        heights[column] += 1;
        moves.push(column as u32);
        if in_turns(columns, stones, heights, moves, dead) {
            return true;
        }
        heights[column] -= 1;
        moves.pop();
    }
    dead.insert(*heights);
    false
}

/// The columns whose next stone is of `player`: first those with a stone of the opponent above it, then those with the
/// most stones left. In this order the search hardly ever turns back.
fn hopeful(columns: &[Vec<u8>], heights: &[u8; WIDEST], player: u8) -> Vec<usize> {
    let rest = |column: usize| &columns[column][usize::from(heights[column])..];
    let mut hopeful: Vec<usize> = (0..columns.len()).filter(|&column| rest(column).first() == Some(&player)).collect();
    hopeful.sort_by_key(|&column| {
        let is_opponents = rest(column).get(1).is_some_and(|stone| *stone != player);
        (!is_opponents, Reverse(rest(column).len()))
    });
    hopeful
}
