//! A table in plain text, fitted to the width of a terminal. No name and no number is ever broken.
//!
//! ```text
//! it fits                      as it is: a line a row
//! it fits with broken lines    titles and sentences are broken between words
//! a table of numbers           in parts, one below the other; each has the columns that distinguish the rows
//! anything else                a paragraph a row: a line for each of its cells
//! ```

use crate::table::{Column, Kind};
use std::collections::{BTreeSet, HashSet};

const GAP: usize = 2;
const MARGIN: usize = 1;
/// The least width of a column to which sentences are broken.
const SENTENCE: usize = 24;

#[derive(Clone, Debug)]
pub struct TextTable {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<String>>,
    /// True if it may be shown in parts. A list with sentences is easier to read with a paragraph a row.
    pub in_parts: bool,
}

impl TextTable {
    /// The table in lines of at most `width` characters, unless a word is longer; of any length without `width`.
    pub fn show(&self, width: Option<usize>) -> String {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        let natural: Vec<usize> = all.iter().map(|&column| self.natural(column)).collect();
        let Some(width) = width.filter(|&width| total(&natural) > width) else { return self.part(&all, &natural) };
        let least: Vec<usize> = all.iter().map(|&column| self.least(column)).collect();
        let Some(parts) = self.parts(&least, width) else { return self.paragraphs(width) };
        let shown = parts.iter().map(|part| {
            let widths: Vec<usize> = part.iter().map(|&column| least[column]).collect();
            let mut spare = width.saturating_sub(total(&widths));
            let widths = part.iter().map(|&column| {
                // Spare width goes to the first columns that want more.
                let own = natural[column].min(least[column] + spare);
                spare -= own - least[column];
                self.used(column, own)
            });
            self.part(part, &widths.collect::<Vec<_>>())
        });
        shown.collect::<Vec<_>>().join("\n")
    }

    /// The columns of each part; one part if all fit. `None` unless `in_parts`, or if a column fits in no part.
    fn parts(&self, least: &[usize], width: usize) -> Option<Vec<Vec<usize>>> {
        let fits = |part: &[usize]| total(&part.iter().map(|&column| least[column]).collect::<Vec<_>>()) <= width;
        let all: Vec<usize> = (0..self.columns.len()).collect();
        if fits(&all) {
            return Some(vec![all]);
        }
        let keys = self.keys();
        let mut parts = vec![keys.clone()];
        for group in all.chunk_by(|_, &next| next > 0 && is_joined(&self.columns[next])) {
            if group.iter().all(|column| keys.contains(column)) {
                continue;
            }
            let with = |part: &[usize]| -> Vec<usize> {
                part.iter().chain(group).copied().collect::<BTreeSet<usize>>().into_iter().collect()
            };
            let last = parts.last_mut()?;
            if fits(&with(last)) {
                *last = with(last);
            } else {
                parts.push(with(&keys));
            }
        }
        (self.in_parts && parts.iter().all(|part| fits(part))).then_some(parts)
    }

    /// The columns that distinguish the rows: the least number of first columns, without those equal in every row.
    fn keys(&self) -> Vec<usize> {
        let distinguish = |count: &usize| {
            let mut seen = HashSet::new();
            self.rows.iter().all(|row| seen.insert(&row[..*count]))
        };
        let names = self.columns.iter().take_while(|column| is_text(column)).count();
        let count = (1..=self.columns.len()).find(distinguish).unwrap_or(names.max(1));
        let differs = |column: &usize| self.rows.windows(2).any(|rows| rows[0][*column] != rows[1][*column]);
        let keys: Vec<usize> = (0..count).filter(differs).collect();
        if keys.is_empty() { vec![0] } else { keys }
    }

    fn texts(&self, column: usize) -> impl Iterator<Item = &str> {
        let cells = self.rows.iter().map(move |row| row[column].as_str());
        cells.chain([self.columns[column].title.as_str()])
    }

    fn natural(&self, column: usize) -> usize {
        self.texts(column).map(length).max().unwrap_or_default()
    }

    /// The least width that breaks no name, no number, and no sentence to less than [`SENTENCE`].
    fn least(&self, column: usize) -> usize {
        let column_of = &self.columns[column];
        let word = |text: &str| text.split(' ').map(length).max().unwrap_or_default();
        let cell =
            |text: &str| if is_text(column_of) { word(text).max(length(text).min(SENTENCE)) } else { length(text) };
        self.rows.iter().map(|row| cell(&row[column])).chain([word(&column_of.title)]).max().unwrap_or_default()
    }

    fn used(&self, column: usize, width: usize) -> usize {
        self.texts(column).flat_map(|text| broken(text, width)).map(|line| length(&line)).max().unwrap_or_default()
    }

    fn part(&self, columns: &[usize], widths: &[usize]) -> String {
        let titles: Vec<String> = self.columns.iter().map(|column| column.title.clone()).collect();
        [&titles].into_iter().chain(&self.rows).map(|row| self.lines(row, columns, widths)).collect()
    }

    fn lines(&self, row: &[String], columns: &[usize], widths: &[usize]) -> String {
        let cells: Vec<Vec<String>> =
            columns.iter().zip(widths).map(|(&column, &width)| broken(&row[column], width)).collect();
        let mut text = String::new();
        for at in 0..cells.iter().map(Vec::len).max().unwrap_or_default() {
            let mut line = " ".repeat(MARGIN);
            for ((lines, &column), &width) in cells.iter().zip(columns).zip(widths) {
                let cell = lines.get(at).map_or("", String::as_str);
                line +=
                    &if is_text(&self.columns[column]) { format!("{cell:width$}") } else { format!("{cell:>width$}") };
                line += &" ".repeat(GAP);
            }
            text += line.trim_end();
            text += "\n";
        }
        text
    }

    /// A paragraph for each row: the first cell, and below it a line for each of the others that is not empty.
    fn paragraphs(&self, width: usize) -> String {
        let indented = |text: &str, indent: usize| {
            broken(text, width.saturating_sub(indent).max(1)).join(&format!("\n{}", " ".repeat(indent)))
        };
        let paragraphs = self.rows.iter().map(|row| {
            let first = row.first().map_or("", String::as_str);
            let mut text = format!("{}{}\n", " ".repeat(MARGIN), indented(first, MARGIN));
            for (cell, column) in row.iter().zip(&self.columns).skip(1).filter(|(cell, _)| !cell.is_empty()) {
                let lead = format!("{}{}: ", " ".repeat(MARGIN + GAP), column.title);
                text += &format!("{lead}{}\n", indented(cell, length(&lead).min(SENTENCE)));
            }
            text
        });
        paragraphs.collect::<Vec<_>>().join("\n")
    }
}

/// A text broken between words to lines of at most `width` characters. Its own line ends stay.
pub fn paragraph(text: &str, width: Option<usize>) -> String {
    let lines = text.lines().flat_map(|line| broken(line, width.unwrap_or(usize::MAX)));
    lines.map(|line| line + "\n").collect()
}

/// True for columns of names and sentences, which are aligned left.
fn is_text(column: &Column) -> bool {
    column.kind == Kind::Text
}

/// True if a column stays beside the column before it: an interval beside its estimate, a line beside its ratio.
fn is_joined(column: &Column) -> bool {
    column.kind == Kind::Interval || column.name.ends_with("_line")
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn total(widths: &[usize]) -> usize {
    MARGIN + widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

/// The lines of a text, none longer than `width` unless a word is.
fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last_mut().expect("one at least");
        let is_first = last.is_empty();
        if !is_first && length(last) + 1 + length(word) > width {
            lines.push(word.to_string());
        } else {
            *last += if is_first { "" } else { " " };
            *last += word;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TextTable {
        let row = |set: &str, of: &str, ratio: &str| {
            [set, "strong", of, "100", ratio, "0.500 to 2.00", "7"].map(str::to_string).to_vec()
        };
        let [set, goal, of] = ["set", "goal", "of"].map(|title| Column::text(title, title));
        let [n, mean, wins] = ["n", "geometric mean", "wins"].map(|title| Column::number(title, title));
        TextTable {
            columns: vec![set, goal, of, n, mean, Column::interval("geometric_mean"), wins],
            rows: vec![row("end-easy", "nodes", "1.00x"), row("end-easy", "time", "2.00x"), row("b", "time", "1/468")],
            in_parts: true,
        }
    }

    #[test]
    fn titles_are_broken_before_rows_are() {
        let begins = |width, count| table().show(width).lines().take(count).map(str::to_string).collect::<Vec<_>>();
        let row = " end-easy  strong  nodes  100           1.00x  0.500 to 2.00     7";
        let wide = [" set       goal    of       n  geometric mean  95 % interval  wins", row];
        assert_eq!((begins(None, 2), begins(Some(67), 2)), (wide.map(str::to_string).to_vec(), begins(Some(80), 2)));
        let narrow = [
            " set       goal    of       n  geometric  95 % interval  wins",
            "                                    mean",
            " end-easy  strong  nodes  100      1.00x  0.500 to 2.00     7",
        ];
        assert_eq!(begins(Some(62), 3), narrow);
    }

    #[test]
    fn parts_hold_what_tells_rows_apart_and_an_interval_stays_beside_its_ratio() {
        let text = table().show(Some(42));
        let parts: Vec<&str> = text.split("\n\n").collect();
        assert_eq!(parts.len(), 3, "{text}");
        // The goal is equal in every row: only the first part has it.
        assert!(parts[0].starts_with(" set       goal    of       n\n end-easy  strong  nodes  100\n"), "{text}");
        assert!(
            parts[1].starts_with(
                " set       of     geometric  95 % interval\n                       mean\n end-easy  nodes      1.00x  0.500 to 2.00\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn no_line_is_too_long_and_nothing_is_lost() {
        let whole = table();
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<HashSet<_>>();
        for width in 30..80 {
            let text = whole.show(Some(width));
            assert!(text.lines().all(|line| length(line) <= width), "{width}:\n{text}");
            assert!(whole.rows.iter().flatten().all(|cell| words(cell).is_subset(&words(&text))), "{width}:\n{text}");
        }
    }

    #[test]
    fn a_list_that_does_not_fit_is_a_paragraph_a_row() {
        let columns = ["name", "about", "variants"].map(|title| Column::text(title, title)).to_vec();
        let about = "The ladder beside the champion, on every set that is shipped with it.";
        let row = ["champion-key-exact", about, "pons-12-threats-halves champion"].map(str::to_string).to_vec();
        let list = TextTable { columns, rows: vec![row.clone(), row], in_parts: false };
        let text = list.show(Some(60));
        let paragraph = " champion-key-exact\n   about: The ladder beside the champion, on every set that\n          is shipped with it.\n";
        assert!(text.starts_with(paragraph) && text.contains("\n\n champion-key-exact\n"), "{text}");
        assert!(text.contains("   variants: pons-12-threats-halves champion\n"), "{text}");
    }

    #[test]
    fn sentences_are_broken_between_words() {
        assert_eq!(paragraph("one two three\nfour", Some(8)), "one two\nthree\nfour\n");
        assert_eq!(paragraph("one two three", None), "one two three\n");
        assert_eq!(paragraph("", Some(8)), "");
    }
}
