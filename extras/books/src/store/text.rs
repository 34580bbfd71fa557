//! Dictionaries and sets of lines, as a Python program would state them.
//!
//! ```text
//! {'41':4,'4141':4,'42':6}                 a dictionary: the line, and the move that follows
//! [{},{},{},{'41','4141'},{},{'42'},{}]    a set for each move
//! [{},{},{},None,{},{'42'},{}]             without the largest set: a line that is in no other set is in this one
//! ```

use crate::store::form::Lookup;
use crate::store::lines::{Writing, mirror};
use anyhow::{Context, Result, bail};
use c4lab_solver::game::notation::{column_named, name_of_column};
use c4lab_solver::game::{BoardSize, Position};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// Lines, each with the move that follows, columns from 1.
pub type Lines = BTreeMap<Vec<u8>, u8>;

fn quoted(line: &[u8]) -> String {
    let names: String = line.iter().map(|&column| name_of_column(u32::from(column) - 1)).collect();
    format!("'{names}'")
}

/// A dictionary.
pub fn dictionary(lines: &Lines) -> Vec<u8> {
    let entries: Vec<String> = lines.iter().map(|(line, column)| format!("{}:{column}", quoted(line))).collect();
    format!("{{{}}}", entries.join(",")).into_bytes()
}

/// A set for each move; without the largest one, where that is asked for.
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

/// What such a text says.
pub struct Text {
    size: BoardSize,
    writing: Writing,
    lines: HashMap<Vec<u8>, u8>,
    /// The move of all other lines.
    other: Option<u8>,
}

impl Text {
    /// Reads a dictionary.
    ///
    /// # Errors
    /// It is none.
    pub fn of_dictionary(size: BoardSize, writing: Writing, bytes: &[u8]) -> Result<Self> {
        let inner = text(bytes)?.strip_prefix('{').and_then(|text| text.strip_suffix('}')).context("no dictionary")?;
        let mut lines = HashMap::new();
        for entry in inner.split(',').filter(|entry| !entry.is_empty()) {
            let (line, column) = entry.split_once(':').with_context(|| format!("{entry}: no line and move"))?;
            let column = digits(size, column)?;
            let [column] = column[..] else { bail!("{entry}: no move") };
            lines.insert(unquoted(size, line)?, column);
        }
        Ok(Text { size, writing, lines, other: None })
    }

    /// Reads sets.
    ///
    /// # Errors
    /// These are none.
    pub fn of_sets(size: BoardSize, writing: Writing, bytes: &[u8]) -> Result<Self> {
        let mut rest =
            text(bytes)?.strip_prefix('[').and_then(|text| text.strip_suffix(']')).context("no list of sets")?;
        let (mut lines, mut other) = (HashMap::new(), None);
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
        Ok(Text { size, writing, lines, other })
    }
}

fn text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).context("no text")
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

impl Lookup for Text {
    fn column(&self, position: &Position) -> Option<u32> {
        let (line, is_mirrored) = self.writing.of(position);
        let column = self.lines.get(&line).copied().or(self.other)?;
        Some(u32::from(if is_mirrored { mirror(self.size, column) } else { column }) - 1)
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
        let read = [
            Text::of_dictionary(size, Writing::PLAIN, &dictionary(&lines)).unwrap(),
            Text::of_sets(size, Writing::PLAIN, &sets(&lines, 7, false)).unwrap(),
            Text::of_sets(size, Writing::PLAIN, &sets(&lines, 7, true)).unwrap(),
        ];
        for (index, text) in read.iter().enumerate() {
            for (moves, column) in [("", Some(3)), ("41", Some(3)), ("42", Some(5)), ("43", (index == 2).then_some(3))]
            {
                assert_eq!(text.column(&Position::parse(moves).unwrap()), column, "{index} {moves}");
            }
        }
    }

    #[test]
    fn what_is_neither_is_refused() {
        let dictionary =
            |text: &str| Text::of_dictionary(BoardSize::STANDARD, Writing::PLAIN, text.as_bytes()).is_err();
        let sets = |text: &str| Text::of_sets(BoardSize::STANDARD, Writing::PLAIN, text.as_bytes()).is_err();
        assert!(dictionary("") && dictionary("{'41':9}") && dictionary("{41:4}") && dictionary("{'41'}"));
        assert!(sets("") && sets("[{},{}]") && sets("[{},{},{},{},{},{},{},{}]") && sets("[{8},{},{},{},{},{},{}]"));
    }
}
