//! The article's forms of a store: dictionaries and sets of lines in the syntax of Python, and a decision tree.
//!
//! ```text
//! {'41':4,'4141':4,'42':6}                 a dictionary: each line with the next move
//! [{},{},{},{'41','4141'},{},{'42'},{}]    a set for each move
//! [{},{},{},None,{},{'42'},{}]             without the largest set, which has every line that is in no other set
//!
//!        0<2              a tree: is feature 0 less than 2?
//!       /    \            no branch is empty; a leaf is the column of the move
//!      4     1<2          0<2 4 1<2 ...    level by level, as the tree is written
//! ```
//!
//! The features of a tree are the moves of the opponent, from the first one. Shorter lines begin with zeros, so that
//! all lines have equal length. Each node has the question with the least Gini impurity of its branches (Breiman and
//! others, "Classification and Regression Trees"). The tree fits its lines without an error, and gives a move for every
//! other line, too.

use anyhow::{Context, Result};
use c4lab_solver::game::notation::name_of_column;
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;

/// Lines, each with the next move, in columns from 1.
pub type Lines = BTreeMap<Vec<u8>, u8>;

fn quoted(line: &[u8]) -> String {
    let names: String = line.iter().map(|&column| name_of_column(u32::from(column) - 1)).collect();
    format!("'{names}'")
}

pub fn dictionary(lines: &Lines) -> Vec<u8> {
    let entries: Vec<String> = lines.iter().map(|(line, column)| format!("{}:{column}", quoted(line))).collect();
    format!("{{{}}}", entries.join(",")).into_bytes()
}

/// A set of lines for each move. `without_largest` replaces the largest set by `None`.
pub fn sets(lines: &Lines, width: u32, without_largest: bool) -> Vec<u8> {
    let of = |column: u8| lines.iter().filter(move |(_, move_)| **move_ == column).map(|(line, _)| line);
    let columns = 1..=width as u8;
    let largest = columns.clone().rev().max_by_key(|&column| of(column).count());
    let mut text = String::from("[");
    for column in columns {
        let comma = if column == 1 { "" } else { "," };
        if without_largest && Some(column) == largest {
            let _ = write!(text, "{comma}None");
        } else {
            let lines: Vec<String> = of(column).map(|line| quoted(line)).collect();
            let _ = write!(text, "{comma}{{{}}}", lines.join(","));
        }
    }
    text.push(']');
    text.into_bytes()
}

/// The most columns of a board, and the number of values of a feature.
const VALUES: usize = 10;

/// The features of a line, and its move.
type Example = (Vec<u8>, u8);

fn features(line: &[u8], count: usize) -> Option<Vec<u8>> {
    let zeros = count.checked_sub(line.len())?;
    Some(std::iter::repeat_n(0, zeros).chain(line.iter().copied()).collect())
}

/// The text of the tree that fits `lines`: the number of features, then the nodes, level by level.
pub fn tree(lines: &Lines) -> Result<Vec<u8>> {
    let count = lines.keys().map(Vec::len).max().context("no lines")?;
    let examples = lines.iter().map(|(line, &column)| (features(line, count).expect("the longest"), column)).collect();
    let (mut text, mut open) = (vec![count.to_string()], VecDeque::from([examples]));
    while let Some(examples) = open.pop_front() {
        let examples: Vec<Example> = examples;
        match question(&examples, count) {
            None => text.push(examples[0].1.to_string()),
            Some((feature, value)) => {
                text.push(format!("{feature}<{value}"));
                let (less, more): (Vec<_>, Vec<_>) = examples.into_iter().partition(|(line, _)| line[feature] < value);
                open.extend([less, more]);
            }
        }
    }
    Ok(text.join(" ").into_bytes())
}

/// The question, a feature and a value, with the least impurity; `None` if all moves are equal.
fn question(examples: &[Example], count: usize) -> Option<(usize, u8)> {
    if examples.iter().all(|(_, column)| *column == examples[0].1) {
        return None;
    }
    let mut best: Option<(f64, (usize, u8))> = None;
    for feature in 0..count {
        // The number of examples with each value of the feature and each move.
        let mut counts = [[0u32; VALUES]; VALUES];
        for (line, column) in examples {
            counts[usize::from(line[feature])][usize::from(*column)] += 1;
        }
        let mut less = [0u32; VALUES];
        let all = |column: usize| counts.iter().map(|of| of[column]).sum::<u32>();
        let all: [u32; VALUES] = std::array::from_fn(all);
        for value in 1..VALUES {
            for (column, less) in less.iter_mut().enumerate() {
                *less += counts[value - 1][column];
            }
            let more: [u32; VALUES] = std::array::from_fn(|column| all[column] - less[column]);
            if less.iter().all(|&n| n == 0) || more.iter().all(|&n| n == 0) {
                continue;
            }
            let mixed = impurity(&less) + impurity(&more);
            if best.is_none_or(|(least, _)| mixed < least) {
                best = Some((mixed, (feature, value as u8)));
            }
        }
    }
    best.map(|(_, question)| question)
}

/// The Gini impurity of examples, given the number of examples for each move, times the number of examples.
fn impurity(counts: &[u32; VALUES]) -> f64 {
    let all: f64 = counts.iter().map(|&n| f64::from(n)).sum();
    all - counts.iter().map(|&n| f64::from(n).powi(2)).sum::<f64>() / all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_lines() -> Lines {
        [(vec![], 4), (vec![4, 1], 4), (vec![4, 2], 6)].into_iter().collect()
    }

    #[test]
    fn dictionaries_and_sets_are_python() {
        let lines = some_lines();
        assert_eq!(String::from_utf8(dictionary(&lines)).unwrap(), "{'':4,'41':4,'42':6}");
        assert_eq!(String::from_utf8(sets(&lines, 7, false)).unwrap(), "[{},{},{},{'','41'},{},{'42'},{}]");
        assert_eq!(String::from_utf8(sets(&lines, 7, true)).unwrap(), "[{},{},{},None,{},{'42'},{}]");
    }

    #[test]
    fn a_tree_fits_its_lines_and_is_written_level_by_level() {
        let lines: Lines =
            [(vec![], 4), (vec![1], 4), (vec![2], 6), (vec![3], 4), (vec![2, 1], 5)].into_iter().collect();
        assert_eq!(String::from_utf8(tree(&lines).unwrap()).unwrap(), "2 0<1 1<2 5 4 1<3 6 4");
    }
}
