//! A table: columns over rows, shown on the terminal, in Markdown, as CSV, as JSON and in the page.
//!
//! Columns are added one by one, each with a function from a row to a cell:
//!
//! ```text
//! Table::new("engines", Subject::of(group), title, note)
//!     .over(&rows)
//!     .text("variant", "variant", |row| row.name.clone())
//!     .number("own time", "engine_ns", time, |row| row.own_ns)
//!     .table
//! ```

pub mod json;
pub mod text;
pub mod units;

use crate::results::{Group, LINKED};
use crate::stats::Estimate;
use anyhow::Result;
use c4lab_measure::text::harmless;
use c4lab_solver::search::Goal;
use std::iter::once;
use text::{TextTable, paragraph};
use units::{ratios, times};

#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Empty,
    Text(String),
    /// `value` is in base units, for programs and for sorting; `shown` is for people.
    Number {
        value: f64,
        shown: String,
    },
    /// No interval: too few positions differ, or it would be the range of all ratios.
    TooFew,
    Interval {
        low: f64,
        high: f64,
    },
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Cell::Text(text.into())
    }

    pub fn number(value: Option<f64>, unit: impl Fn(f64) -> String) -> Self {
        value.map_or(Cell::Empty, |value| Cell::Number { value, shown: unit(value) })
    }

    pub fn count(count: usize) -> Self {
        Cell::Number { value: count as f64, shown: count.to_string() }
    }

    pub fn interval(interval: Option<(f64, f64)>) -> Self {
        interval.map_or(Cell::Empty, |(low, high)| Cell::Interval { low, high })
    }

    pub fn interval_of(estimate: Option<Estimate>) -> Self {
        match estimate {
            Some(Estimate { interval: None, .. }) => Cell::TooFew,
            estimate => Cell::interval(estimate.and_then(|estimate| estimate.interval)),
        }
    }

    pub fn shown(&self) -> String {
        match self {
            Cell::Empty => "-".to_string(),
            Cell::TooFew => "too few".to_string(),
            Cell::Text(text) => harmless(text),
            Cell::Number { shown, .. } => shown.clone(),
            Cell::Interval { low, high } => ratios(*low, *high),
        }
    }

    /// The fields of CSV: numbers in base units, not rounded; missing values are empty.
    fn plain(&self, kind: Kind) -> Vec<String> {
        match self {
            Cell::Empty | Cell::TooFew if kind == Kind::Interval => vec![String::new(); 2],
            Cell::Empty | Cell::TooFew => vec![String::new()],
            Cell::Text(text) => vec![harmless(text)],
            Cell::Number { value, .. } => vec![value.to_string()],
            Cell::Interval { low, high } => vec![low.to_string(), high.to_string()],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    Number,
    Interval,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub title: String,
    pub name: String,
    pub kind: Kind,
}

impl Column {
    pub fn text(title: &str, name: &str) -> Self {
        Column { title: title.to_string(), name: name.to_string(), kind: Kind::Text }
    }

    pub fn number(title: &str, name: &str) -> Self {
        Column { kind: Kind::Number, ..Column::text(title, name) }
    }

    pub fn interval(name: &str) -> Self {
        Column { kind: Kind::Interval, ..Column::text("95 % interval", name) }
    }

    fn names(&self) -> Vec<String> {
        match self.kind {
            Kind::Interval => vec![format!("{}_low", self.name), format!("{}_high", self.name)],
            _ => vec![self.name.clone()],
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The test set; `None` for a table about several.
    pub set: Option<String>,
    pub goal: Option<Goal>,
    /// Machine, build and state of the table, if another group has the same set and goal.
    pub apart: Option<String>,
}

impl Subject {
    pub fn of(group: &Group) -> Self {
        Subject { set: Some(group.set.clone()), goal: Some(group.goal), apart: group.apart.clone() }
    }

    /// The subject of a table over groups of one goal, machine and build, and the beginning of its title.
    pub fn pooled(groups: &[&Group]) -> (Self, String) {
        match groups {
            [group] => (Self::of(group), group.title()),
            _ => {
                let title = groups[0].title().replacen(&groups[0].set, &format!("{} sets", groups.len()), 1);
                (Subject { set: None, ..Self::of(groups[0]) }, title)
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub name: &'static str,
    pub subject: Subject,
    pub title: String,
    pub note: String,
    /// The conclusion in sentences; empty if there is none.
    pub conclusion: String,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
}

pub struct TableOver<'a, T> {
    pub table: Table,
    rows: &'a [T],
}

impl<'a, T> TableOver<'a, T> {
    pub fn text<S: Into<String>>(self, title: &str, name: &str, get: impl Fn(&'a T) -> S) -> Self {
        self.column(Column::text(title, name), |row| Cell::text(get(row)))
    }

    pub fn some_text(self, title: &str, name: &str, get: impl Fn(&'a T) -> Option<String>) -> Self {
        self.column(Column::text(title, name), |row| get(row).map_or(Cell::Empty, Cell::Text))
    }

    pub fn count(self, title: &str, name: &str, get: impl Fn(&T) -> usize) -> Self {
        self.column(Column::number(title, name), |row| Cell::count(get(row)))
    }

    pub fn number(
        self,
        title: &str,
        name: &str,
        unit: impl Fn(f64) -> String,
        get: impl Fn(&T) -> Option<f64>,
    ) -> Self {
        self.column(Column::number(title, name), |row| Cell::number(get(row), &unit))
    }

    pub fn ratio(self, title: &str, name: &str, get: impl Fn(&T) -> Option<Estimate>) -> Self {
        self.number(title, name, times, |row| Some(get(row)?.value))
            .column(Column::interval(name), |row| Cell::interval_of(get(row)))
    }

    pub fn column(mut self, column: Column, get: impl Fn(&'a T) -> Cell) -> Self {
        self.table.columns.push(column);
        self.table.rows.iter_mut().zip(self.rows).for_each(|(cells, row)| cells.push(get(row)));
        self
    }

    pub fn when(self, says: bool, add: impl FnOnce(Self) -> Self) -> Self {
        if says { add(self) } else { self }
    }
}

impl Table {
    pub fn new(name: &'static str, subject: Subject, title: impl Into<String>, note: impl Into<String>) -> Self {
        let (title, note, conclusion) = (title.into(), note.into(), String::new());
        Table { name, subject, title, note, conclusion, columns: Vec::new(), rows: Vec::new() }
    }

    pub fn about(group: &Group, name: &'static str, title: &str, note: impl Into<String>) -> Self {
        Table::new(name, Subject::of(group), format!("{}: {title}", group.title()), note)
    }

    pub fn concluding(self, conclusion: impl Into<String>) -> Self {
        Table { conclusion: conclusion.into(), ..self }
    }

    pub fn remarking(self, remark: &str) -> Self {
        let conclusion = [self.conclusion.as_str(), remark].join(" ").trim().to_string();
        Table { conclusion, ..self }
    }

    /// The table with one row for each of `rows`, to which columns can be added.
    pub fn over<T>(self, rows: &[T]) -> TableOver<'_, T> {
        let table = Table { rows: vec![Vec::new(); rows.len()], ..self };
        TableOver { table, rows }
    }

    pub fn shown(&self) -> Vec<Vec<String>> {
        self.rows.iter().map(|row| row.iter().map(Cell::shown).collect()).collect()
    }

    /// The table in lines of at most `width` characters, unless a word is longer; of any length without `width`.
    pub fn terminal(&self, width: Option<usize>) -> String {
        let [title, note, conclusion] = [&self.title, &self.note, &self.conclusion].map(|text| paragraph(text, width));
        let text = TextTable { columns: self.columns.clone(), rows: self.shown(), in_parts: true };
        format!("{title}{note}{}{conclusion}", text.show(width))
    }

    pub fn markdown(&self) -> String {
        let heads: Vec<String> = self.columns.iter().map(|column| column.title.clone()).collect();
        let is_text: Vec<bool> = self.columns.iter().map(|column| column.kind == Kind::Text).collect();
        let note = if self.note.is_empty() { String::new() } else { format!("{}\n\n", self.note) };
        let conclusion = if self.conclusion.is_empty() { String::new() } else { format!("\n{}\n", self.conclusion) };
        format!(
            "**{}**\n\n{note}{}\n{conclusion}",
            escaped(&self.title),
            pipes(&heads, &is_text, true, &self.shown()).trim_end()
        )
    }

    /// True if an interval excludes 1 and its middle is nearer to 1 than [`LINKED`].
    pub fn has_small_difference(&self) -> bool {
        self.intervals().any(|(low, high)| (low > 1.0 || high < 1.0) && (low * high).sqrt().ln().abs() < LINKED.ln())
    }

    pub fn intervals(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.rows.iter().flatten().filter_map(|cell| match cell {
            Cell::Interval { low, high } => Some((*low, *high)),
            _ => None,
        })
    }
}

/// A Markdown table. `is_text` is true for columns that Markdown aligns left. With `is_right`, other cells are padded
/// on the left.
pub fn pipes(heads: &[String], is_text: &[bool], is_right: bool, rows: &[Vec<String>]) -> String {
    let escaped = |cells: &[String]| -> Vec<String> { cells.iter().map(|cell| escaped(cell)).collect() };
    let (heads, rows) = (escaped(heads), rows.iter().map(|row| escaped(row)).collect::<Vec<_>>());
    let length = |text: &String| text.chars().count();
    let widths: Vec<usize> = (0..heads.len())
        .map(|column| once(&heads[column]).chain(rows.iter().map(|row| &row[column])).map(length).max().unwrap_or(0))
        .collect();
    let line = |cells: &[String]| {
        let cells = cells.iter().zip(&widths).zip(is_text).map(|((cell, &width), &is_text)| {
            if is_right && !is_text { format!(" {cell:>width$} |") } else { format!(" {cell:<width$} |") }
        });
        format!("|{}\n", cells.collect::<String>())
    };
    let rule: String = is_text.iter().map(|&is_text| if is_text { " --- |" } else { " ---: |" }).collect();
    format!("{}|{rule}\n{}", line(&heads), rows.iter().map(|row| line(row)).collect::<String>())
}

/// A text of one cell that Markdown shows as it is.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('<', "&lt;").replace('\n', " ")
}

pub fn markdown(tables: &[Table]) -> String {
    tables.iter().map(Table::markdown).collect::<Vec<_>>().join("\n")
}

/// Tables of one name as CSV, one below the other. Each row begins with set and goal, unless the tables have columns
/// for them; a third column `apart` distinguishes groups of the same set and goal.
pub fn csv(tables: &[Table]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let Some(first) = tables.first() else { return Ok(Vec::new()) };
    let has_apart = tables.iter().any(|table| table.subject.apart.is_some());
    let leads = match first.columns.iter().any(|column| column.name == "set") {
        true => 0,
        false => 2 + usize::from(has_apart),
    };
    let lead = ["set", "goal", "apart"].map(str::to_string).into_iter().take(leads);
    writer.write_record(lead.chain(first.columns.iter().flat_map(Column::names)))?;
    for Table { subject, rows, .. } in tables {
        let goal = subject.goal.map_or(String::new(), |goal| goal.name().to_string());
        let lead = [subject.set.clone().unwrap_or_default(), goal, subject.apart.clone().unwrap_or_default()];
        for row in rows {
            let cells = row.iter().zip(&first.columns).flat_map(|(cell, column)| cell.plain(column.kind));
            writer.write_record(lead.iter().take(leads).cloned().chain(cells))?;
        }
    }
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::time;

    fn table() -> Table {
        let subject = Subject { set: Some("end-easy".to_string()), goal: Some(Goal::Weak), apart: None };
        let ratio = |value, low, high| Estimate { value, interval: Some((low, high)) };
        let rows = [("a", Some(1234.5), Some(ratio(1.0, 0.5, 2.0))), ("b,c", None, None)];
        Table::new("example", subject, "An example", "Its note.")
            .over(&rows)
            .text("variant", "variant", |row| row.0)
            .number("mean time", "mean_ns", time, |row| row.1)
            .ratio("speed-up", "speedup", |row| row.2)
            .table
            .concluding("So a is fast.")
    }

    #[test]
    fn people_read_rounded_numbers_and_programs_all_digits() {
        let text = String::from_utf8(csv(&[table(), table()]).unwrap()).unwrap();
        let begin = "set,goal,variant,mean_ns,speedup,speedup_low,speedup_high\nend-easy,weak,a,1234.5,1,0.5,2\nend-easy,weak,\"b,c\",,,,\n";
        assert!(text.starts_with(begin), "{text}");
        assert_eq!((text.lines().count(), csv(&[]).unwrap().len()), (5, 0));
        assert_eq!(table().shown()[0], ["a", "1.23 us", "1.00x", "0.500 to 2.00"]);
        assert_eq!(table().intervals().collect::<Vec<_>>(), [(0.5, 2.0)]);
    }

    #[test]
    fn names_stand_left_and_numbers_right() {
        let text = table().markdown();
        assert!(text.starts_with("**An example**\n\nIts note.\n\n| variant | mean time |"), "{text}");
        assert!(text.contains("|\n| --- | ---: | ---: | ---: |\n| a       |   1.23 us |"), "{text}");
        assert!(text.ends_with("|\n\nSo a is fast.\n"), "{text}");
    }

    #[test]
    fn an_estimate_without_an_interval_says_so() {
        let few = Cell::interval_of(Some(Estimate { value: 2.0, interval: None }));
        assert_eq!((few.shown().as_str(), few.plain(Kind::Interval)), ("too few", vec![String::new(); 2]));
        assert_eq!(Cell::interval_of(None), Cell::Empty);
    }
}
