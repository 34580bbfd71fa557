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

use c4lab_solver::game::{BoardSize, Position};
use std::cmp::Reverse;
use std::collections::HashSet;

/// The most columns of a board.
const WIDEST: usize = c4lab_solver::game::MOST_COLUMNS as usize;

/// The position of a grid, or an error message. There is a cell for each square of the board.
pub(crate) fn position_of(size: BoardSize, cells: &[i8]) -> Result<Position, String> {
    let columns = columns_of(size, cells)?;
    let stones = |player: u8| columns.iter().flatten().filter(|stone| **stone == player).count();
    let (first, second) = (stones(1), stones(2));
    if first != second && first != second + 1 {
        return Err(format!(
            "{first} stones of the first player and {second} of the second: it has as many, or one more"
        ));
    }
    let none = || "no order of moves leads to this board without a win before".to_string();
    match played(size, &columns) {
        Some(position) => Ok(position),
        None => with_last(size, &columns, first + second).ok_or_else(none),
    }
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

/// The stones of each column from the bottom up: 1 is the first player, 2 the second.
fn columns_of(size: BoardSize, cells: &[i8]) -> Result<Vec<Vec<u8>>, String> {
    let (width, height) = (size.width() as usize, size.height() as usize);
    let mut columns = vec![Vec::with_capacity(height); width];
    for (index, cell) in cells.iter().enumerate().rev() {
        let (row, column) = (index / width, index % width);
        let stone = match cell {
            0 => continue,
            1 => 1,
            2 | -1 => 2,
            other => return Err(format!("row {}, column {}: {other} is none of 0, 1, 2 and -1", row + 1, column + 1)),
        };
        if columns[column].len() != height - 1 - row {
            return Err(format!("row {}, column {}: a stone above an empty square", row + 1, column + 1));
        }
        columns[column].push(stone);
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
    if dead.contains(heights) {
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

/// The grid of a position, the top row first.
pub(crate) fn rows_of(position: &Position) -> Vec<Vec<u32>> {
    let (width, height) = (position.size().width() as usize, position.size().height() as usize);
    let (mut rows, mut heights) = (vec![vec![0; width]; height], vec![0; width]);
    for (ply, &column) in position.columns().iter().enumerate() {
        let column = usize::from(column);
        heights[column] += 1;
        rows[height - heights[column]][column] = (ply % 2) as u32 + 1;
    }
    rows
}
