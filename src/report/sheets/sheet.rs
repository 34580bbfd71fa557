//! Sheet: a table before it is shown. One sheet is a table on the terminal, in Markdown, as CSV, and in the page.

use crate::results::Ground;
use crate::sheets::fitted::{Fitted, FittedColumn, paragraph};
use crate::sheets::markdown::aligned_by;
use crate::sheets::units::ratios;
use crate::stats::Estimate;
use anyhow::Result;
use c4lab_solver::search::Goal;
use comfy_table::{CellAlignment, Table, presets};

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Not available.
    Empty,
    /// A name.
    Text(String),
    /// A number in base units, and as people read it.
    Number {
        /// For CSV, and to sort by.
        value: f64,
        /// For people.
        shown: String,
    },
    /// An interval that would say nothing: too few positions differ, or it would be the range of all that was seen.
    TooFew,
    /// A 95 % interval of a ratio.
    Interval {
        /// Its lower end.
        low: f64,
        /// Its upper end.
        high: f64,
    },
}

impl Value {
    /// A name.
    pub fn text(text: impl Into<String>) -> Self {
        Value::Text(text.into())
    }

    /// A number that is shown by `show`, where there is one.
    pub fn number(value: Option<f64>, show: impl Fn(f64) -> String) -> Self {
        value.map_or(Value::Empty, |value| Value::Number { value, shown: show(value) })
    }

    /// A 95 % interval.
    pub fn interval(interval: Option<(f64, f64)>) -> Self {
        interval.map_or(Value::Empty, |(low, high)| Value::Interval { low, high })
    }

    /// The 95 % interval of an estimate.
    pub fn interval_of(estimate: Option<Estimate>) -> Self {
        match estimate {
            Some(Estimate { interval: None, .. }) => Value::TooFew,
            estimate => Value::interval(estimate.and_then(|estimate| estimate.interval)),
        }
    }

    /// A count.
    pub fn count(count: usize) -> Self {
        Value::Number { value: count as f64, shown: count.to_string() }
    }

    /// For people.
    pub fn shown(&self) -> String {
        match self {
            Value::Empty => "-".to_string(),
            Value::TooFew => "too few".to_string(),
            Value::Text(text) => text.clone(),
            Value::Number { shown, .. } => shown.clone(),
            Value::Interval { low, high } => ratios(*low, *high),
        }
    }

    /// For machines: numbers in base units, not rounded; what is not available is empty.
    fn plain(&self, kind: HeadingKind) -> Vec<String> {
        match self {
            Value::Empty if kind == HeadingKind::Interval => vec![String::new(); 2],
            Value::TooFew => vec![String::new(); 2],
            Value::Empty => vec![String::new()],
            Value::Text(text) => vec![text.clone()],
            Value::Number { value, .. } => vec![value.to_string()],
            Value::Interval { low, high } => vec![low.to_string(), high.to_string()],
        }
    }
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadingKind {
    /// Names, which stand on the left.
    Text,
    /// Numbers.
    Number,
    /// Intervals: two columns of CSV, `_low` and `_high`.
    Interval,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// For people.
    pub title: String,
    /// For machines: a name with its unit.
    pub name: String,
    /// What it holds.
    pub kind: HeadingKind,
}

impl Heading {
    /// A column of names.
    pub fn text(title: &str, name: &str) -> Self {
        Self::of(title, name, HeadingKind::Text)
    }

    /// A column of numbers.
    pub fn number(title: &str, name: &str) -> Self {
        Self::of(title, name, HeadingKind::Number)
    }

    /// A column of 95 % intervals.
    pub fn interval(name: &str) -> Self {
        Self::of("95 % interval", name, HeadingKind::Interval)
    }

    fn of(title: &str, name: &str, kind: HeadingKind) -> Self {
        Heading { title: title.to_string(), name: name.to_string(), kind }
    }

    /// Its columns of CSV.
    fn names(&self) -> Vec<String> {
        match self.kind {
            HeadingKind::Interval => vec![format!("{}_low", self.name), format!("{}_high", self.name)],
            _ => vec![self.name.clone()],
        }
    }
}

/// What a sheet is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subject {
    /// The test set; `None` where the sheet is about several.
    pub set: Option<String>,
    /// The goal; `None` where it is about both.
    pub goal: Option<Goal>,
    /// What tells it from others of the same set and goal, where there are any.
    pub apart: Option<String>,
}

impl Subject {
    /// A set under a goal.
    pub fn of(ground: &Ground) -> Self {
        Subject { set: Some(ground.set.clone()), goal: Some(ground.goal), apart: ground.apart.clone() }
    }
}

/// A table with its title.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The name of its file: letters and hyphens.
    pub name: &'static str,
    /// What it is about.
    pub subject: Subject,
    /// What it shows.
    pub title: String,
    /// How it is read, in a sentence or two.
    pub note: String,
    /// What it says, in a sentence; empty where nothing is to be concluded.
    pub conclusion: String,
    /// Its columns.
    pub headings: Vec<Heading>,
    /// Its rows, as long as the headings.
    pub rows: Vec<Vec<Value>>,
}

impl Sheet {
    /// The table in plain text.
    fn fitted(&self) -> Fitted {
        let column = |(index, heading): (usize, &Heading)| FittedColumn {
            title: heading.title.clone(),
            is_text: heading.kind == HeadingKind::Text,
            // An interval is that of the estimate before it; a line is that of the position before it.
            is_joined: index > 0 && (heading.kind == HeadingKind::Interval || heading.name.ends_with("_line")),
        };
        Fitted {
            columns: self.headings.iter().enumerate().map(column).collect(),
            rows: self.rows.iter().map(|row| row.iter().map(Value::shown).collect()).collect(),
            in_parts: true,
        }
    }

    /// For a terminal of so many columns; with lines of any length where there is none.
    pub fn terminal(&self, width: Option<usize>) -> String {
        let [title, note, conclusion] = [&self.title, &self.note, &self.conclusion].map(|text| paragraph(text, width));
        format!("{title}{note}{}{conclusion}", self.fitted().show(width))
    }

    /// The table in Markdown, not yet aligned.
    fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN).set_header(self.headings.iter().map(|heading| &heading.title));
        for row in &self.rows {
            table.add_row(row.iter().map(Value::shown));
        }
        for (column, heading) in table.column_iter_mut().zip(&self.headings) {
            let side = if heading.kind == HeadingKind::Text { CellAlignment::Left } else { CellAlignment::Right };
            column.set_cell_alignment(side);
        }
        table
    }

    /// In Markdown.
    pub fn markdown(&self) -> String {
        let sides: Vec<bool> = self.headings.iter().map(|heading| heading.kind == HeadingKind::Text).collect();
        let table = aligned_by(&sides, &self.table().to_string());
        let note = if self.note.is_empty() { String::new() } else { format!("{}\n\n", self.note) };
        let conclusion = if self.conclusion.is_empty() { String::new() } else { format!("\n{}\n", self.conclusion) };
        format!("**{}**\n\n{note}{}\n{conclusion}", self.title, table.trim_end())
    }

    /// Its intervals of ratios.
    pub fn intervals(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.rows.iter().flatten().filter_map(|value| match value {
            Value::Interval { low, high } => Some((*low, *high)),
            _ => None,
        })
    }
}

/// Sheets of one name, one below the other, as CSV. Every row begins with set and goal, unless the sheets have columns
/// of their own for them. A third column says what tells apart grounds of the same set and goal, where there are any.
pub fn csv(sheets: &[Sheet]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let Some(first) = sheets.first() else { return Ok(Vec::new()) };
    let names = first.headings.iter().flat_map(Heading::names);
    let leads = first.headings.iter().all(|heading| heading.name != "set");
    let apart = sheets.iter().any(|sheet| sheet.subject.apart.is_some());
    let lead = |names: [String; 3]| names.into_iter().take(if apart { 3 } else { 2 }).filter(move |_| leads);
    writer.write_record(lead(["set", "goal", "apart"].map(str::to_string)).chain(names))?;
    for sheet in sheets {
        let set = sheet.subject.set.clone().unwrap_or_default();
        let goal = sheet.subject.goal.map_or(String::new(), |goal| goal.name().to_string());
        let apart = sheet.subject.apart.clone().unwrap_or_default();
        for row in &sheet.rows {
            let cells = row.iter().zip(&first.headings).flat_map(|(value, heading)| value.plain(heading.kind));
            writer.write_record(lead([set.clone(), goal.clone(), apart.clone()]).chain(cells))?;
        }
    }
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheets::units::time;

    fn sheet() -> Sheet {
        Sheet {
            name: "example",
            subject: Subject { set: Some("end-easy".to_string()), goal: Some(Goal::Weak), apart: None },
            title: "An example".to_string(),
            note: "Read it so.".to_string(),
            conclusion: String::new(),
            headings: vec![
                Heading::text("variant", "variant"),
                Heading::number("mean time", "mean_ns"),
                Heading::interval("speedup"),
            ],
            rows: vec![
                vec![Value::text("a"), Value::number(Some(1234.5), time), Value::interval(Some((0.5, 2.0)))],
                vec![Value::text("b,c"), Value::number(None, time), Value::interval(None)],
            ],
        }
    }

    #[test]
    fn people_read_rounded_numbers_and_machines_all_digits() {
        let text = String::from_utf8(csv(&[sheet(), sheet()]).unwrap()).unwrap();
        assert!(text.starts_with("set,goal,variant,mean_ns,speedup_low,speedup_high\nend-easy,weak,a,1234.5,0.5,2\nend-easy,weak,\"b,c\",,,\n"), "{text}");
        assert_eq!((text.lines().count(), csv(&[]).unwrap().len()), (5, 0));
        let text = sheet().terminal(None);
        assert!(
            text.starts_with("An example\nRead it so.\n") && text.contains("1.23 us") && text.contains("0.500 to 2.00"),
            "{text}"
        );
    }

    #[test]
    fn names_stand_left_and_numbers_right() {
        let text = sheet().markdown();
        assert!(text.starts_with("**An example**\n\nRead it so.\n\n| variant"), "{text}");
        assert!(text.contains("| --- | ---: | ---: |"), "{text}");
    }

    #[test]
    fn what_it_says_stands_under_it() {
        let sheet = Sheet { conclusion: "So a is fast.".to_string(), ..sheet() };
        assert!(sheet.terminal(None).trim_end().ends_with("\nSo a is fast."), "{}", sheet.terminal(None));
        assert!(sheet.markdown().ends_with("|\n\nSo a is fast.\n"), "{}", sheet.markdown());
        assert_eq!(sheet.intervals().collect::<Vec<_>>(), [(0.5, 2.0)]);
    }

    #[test]
    fn an_interval_that_is_none_is_too_few() {
        let few = Value::interval_of(Some(Estimate { value: 2.0, interval: None }));
        assert_eq!((few.shown().as_str(), few.plain(HeadingKind::Interval)), ("too few", vec![String::new(); 2]));
        assert_eq!(Value::interval_of(None), Value::Empty);
    }
}
