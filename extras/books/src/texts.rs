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

use anyhow::{Context, Result, bail};
use c4lab_measure::text::without_mark;
use c4lab_solver::game::BoardSize;
use c4lab_solver::game::notation::{column_named, name_of_column};
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

pub fn read_dictionary(size: BoardSize, bytes: &[u8]) -> Result<Lines> {
    let inner = text(bytes)?.strip_prefix('{').and_then(|text| text.strip_suffix('}')).context("no dictionary")?;
    let mut lines = Lines::new();
    for entry in inner.split(',').filter(|entry| !entry.is_empty()) {
        let (line, column) = entry.split_once(':').with_context(|| format!("{entry}: no line and move"))?;
        let column = digits(size, column)?;
        let [column] = column[..] else { bail!("{entry}: no move") };
        lines.insert(unquoted(size, line)?, column);
    }
    Ok(lines)
}

/// The lines of all sets, and the move of the lines that are in no set.
pub fn read_sets(size: BoardSize, bytes: &[u8]) -> Result<(Lines, Option<u8>)> {
    let mut rest = text(bytes)?.strip_prefix('[').and_then(|text| text.strip_suffix(']')).context("no list of sets")?;
    let (mut lines, mut other) = (Lines::new(), None);
    for column in 1..=size.width() as u8 {
        if column > 1 {
            rest = rest.strip_prefix(',').with_context(|| format!("{} sets", column - 1))?;
        }
        if let Some(after) = rest.strip_prefix("None") {
            rest = after;
            other = Some(column);
            continue;
        }
        let (inner, after) = rest.strip_prefix('{').and_then(|text| text.split_once('}')).context("no set")?;
        rest = after;
        for line in inner.split(',').filter(|line| !line.is_empty()) {
            lines.insert(unquoted(size, line)?, column);
        }
    }
    if !rest.is_empty() {
        bail!("more sets than columns");
    }
    Ok((lines, other))
}

fn text(bytes: &[u8]) -> Result<&str> {
    Ok(std::str::from_utf8(without_mark(bytes)).context("no text")?.trim_ascii())
}

fn unquoted(size: BoardSize, text: &str) -> Result<Vec<u8>> {
    let inner = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
    digits(size, inner.with_context(|| format!("{text}: no line in quotes"))?)
}

fn digits(size: BoardSize, text: &str) -> Result<Vec<u8>> {
    let column = |name: char| {
        let column = column_named(name).filter(|&column| column < size.width());
        column.map(|column| column as u8 + 1).with_context(|| format!("{text}: no columns of {size}"))
    };
    text.chars().map(column).collect()
}

/// The most columns of a board, and the number of values of a feature.
const VALUES: usize = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TreeNode {
    /// Is `feature` less than `value`? `branches` are the indices of the nodes for yes and for no.
    Question { feature: usize, value: u8, branches: [usize; 2] },
    /// The column, from 1.
    Move(u8),
}

/// The features of a line, and its move.
type Example = (Vec<u8>, u8);

pub struct Tree {
    features: usize,
    nodes: Vec<TreeNode>,
}

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

impl Tree {
    pub fn read(size: BoardSize, bytes: &[u8]) -> Result<Self> {
        let mut words = text(bytes)?.split(' ');
        let count: usize = words.next().unwrap_or_default().parse().context("no number of features")?;
        let (mut nodes, mut expected) = (Vec::new(), 1);
        for word in words {
            let node = match word.split_once('<') {
                None => TreeNode::Move(word.parse().with_context(|| format!("{word}: no move"))?),
                Some((feature, value)) => {
                    let feature = feature.parse().ok().filter(|&feature| feature < count);
                    let feature = feature.with_context(|| format!("{word}: there are {count} features"))?;
                    let value = value.parse().with_context(|| format!("{word}: no value"))?;
                    expected += 2;
                    TreeNode::Question { feature, value, branches: [expected - 2, expected - 1] }
                }
            };
            if matches!(node, TreeNode::Move(column) if !(1..=size.width()).contains(&u32::from(column))) {
                bail!("{word}: no column of {size}");
            }
            nodes.push(node);
        }
        if nodes.len() != expected {
            bail!("{} nodes of {expected}", nodes.len());
        }
        Ok(Tree { features: count, nodes })
    }

    /// The column, from 1, of the next move of a line; `None` if the line is longer than those of the tree.
    pub fn column(&self, line: &[u8]) -> Option<u8> {
        let line = features(line, self.features)?;
        let mut node = self.nodes[0];
        loop {
            match node {
                TreeNode::Question { feature, value, branches: [less, more] } => {
                    node = self.nodes[if line[feature] < value { less } else { more }];
                }
                TreeNode::Move(column) => return Some(column),
            }
        }
    }
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
    fn what_is_written_is_read() {
        let (lines, size) = (some_lines(), BoardSize::STANDARD);
        assert_eq!(read_dictionary(size, &dictionary(&lines)).unwrap(), lines);
        assert_eq!(read_sets(size, &sets(&lines, 7, false)).unwrap(), (lines.clone(), None));
        let rest: Lines = [(vec![4, 2], 6)].into_iter().collect();
        assert_eq!(read_sets(size, &sets(&lines, 7, true)).unwrap(), (rest, Some(4)));
    }

    #[test]
    fn what_is_neither_is_refused() {
        let dictionary = |text: &str| read_dictionary(BoardSize::STANDARD, text.as_bytes()).is_err();
        let sets = |text: &str| read_sets(BoardSize::STANDARD, text.as_bytes()).is_err();
        assert!(dictionary("") && dictionary("{'41':9}") && dictionary("{41:4}") && dictionary("{'41'}"));
        assert!(sets("") && sets("[{},{}]") && sets("[{},{},{},{},{},{},{},{}]") && sets("[{8},{},{},{},{},{},{}]"));
    }

    #[test]
    fn a_tree_fits_its_lines_and_is_written_level_by_level() {
        let lines: Lines =
            [(vec![], 4), (vec![1], 4), (vec![2], 6), (vec![3], 4), (vec![2, 1], 5)].into_iter().collect();
        let text = tree(&lines).unwrap();
        assert_eq!(String::from_utf8(text.clone()).unwrap(), "2 0<1 1<2 5 4 1<3 6 4");
        let tree = Tree::read(BoardSize::STANDARD, &text).unwrap();
        for (line, column) in &lines {
            assert_eq!(tree.column(line), Some(*column), "{line:?}");
        }
        assert_eq!(tree.column(&[1, 1, 1]), None, "a line that is longer than those of the tree");
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let error = |text: &str| Tree::read(BoardSize::STANDARD, text.as_bytes()).err().unwrap().to_string();
        assert_eq!(error("2 1<2 0<1 4"), "3 nodes of 5");
        assert_eq!(error("2 4 4"), "2 nodes of 1");
        assert_eq!(error("2 2<1 4 4"), "2<1: there are 2 features");
        assert_eq!(error("2 8"), "8: no column of 7x6");
        assert_eq!(error(""), "no number of features");
    }
}
