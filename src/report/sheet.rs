//! Sheet: a table before it is shown. One sheet is a table on the terminal, in Markdown, as CSV, and in the page.

use super::markdown::aligned_by;
use anyhow::Result;
use comfy_table::{CellAlignment, Table, TableStyle, presets};

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

    /// A count.
    pub fn count(count: usize) -> Self {
        Value::Number { value: count as f64, shown: count.to_string() }
    }

    /// For people.
    pub fn shown(&self) -> &str {
        match self {
            Value::Empty => "-",
            Value::Text(text) => text,
            Value::Number { shown, .. } => shown,
        }
    }

    /// For machines: numbers in base units, not rounded; what is not available is empty.
    pub fn plain(&self) -> String {
        match self {
            Value::Empty => String::new(),
            Value::Text(text) => text.clone(),
            Value::Number { value, .. } => value.to_string(),
        }
    }
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// For people.
    pub title: String,
    /// For machines: a name with its unit.
    pub name: String,
    /// Whether it holds names, which stand on the left.
    pub is_text: bool,
}

impl Heading {
    /// A column of names.
    pub fn text(title: &str, name: &str) -> Self {
        Heading { title: title.to_string(), name: name.to_string(), is_text: true }
    }

    /// A column of numbers.
    pub fn number(title: &str, name: &str) -> Self {
        Heading { title: title.to_string(), name: name.to_string(), is_text: false }
    }
}

/// A table with its title.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// The name of its file: letters and hyphens.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// How it is read, in a sentence or two.
    pub note: String,
    /// Its columns.
    pub headings: Vec<Heading>,
    /// Its rows, as long as the headings.
    pub rows: Vec<Vec<Value>>,
}

impl Sheet {
    /// The table in a style of comfy-table.
    fn table(&self, style: TableStyle) -> Table {
        let mut table = Table::new();
        table.load_style(style).set_header(self.headings.iter().map(|heading| &heading.title));
        for row in &self.rows {
            table.add_row(row.iter().map(Value::shown));
        }
        for (column, heading) in table.column_iter_mut().zip(&self.headings) {
            let side = if heading.is_text { CellAlignment::Left } else { CellAlignment::Right };
            column.set_cell_alignment(side);
        }
        table
    }

    /// For a terminal.
    pub fn terminal(&self) -> String {
        format!("{}\n{}\n", self.title, self.table(presets::NOTHING).to_string().trim_end())
    }

    /// In Markdown.
    pub fn markdown(&self) -> String {
        let sides: Vec<bool> = self.headings.iter().map(|heading| heading.is_text).collect();
        let table = aligned_by(&sides, &self.table(presets::ASCII_MARKDOWN).to_string());
        let note = if self.note.is_empty() { String::new() } else { format!("{}\n\n", self.note) };
        format!("**{}**\n\n{note}{table}\n", self.title)
    }

    /// As CSV.
    pub fn csv(&self) -> Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(self.headings.iter().map(|heading| &heading.name))?;
        for row in &self.rows {
            writer.write_record(row.iter().map(Value::plain))?;
        }
        Ok(writer.into_inner().map_err(|error| error.into_error())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::units::time;

    fn sheet() -> Sheet {
        Sheet {
            name: "example",
            title: "An example".to_string(),
            note: "Read it so.".to_string(),
            headings: vec![Heading::text("variant", "variant"), Heading::number("mean time", "mean_ns")],
            rows: vec![
                vec![Value::text("a"), Value::number(Some(1234.5), time)],
                vec![Value::text("b,c"), Value::number(None, time)],
            ],
        }
    }

    #[test]
    fn people_read_rounded_numbers_and_machines_all_digits() {
        assert_eq!(String::from_utf8(sheet().csv().unwrap()).unwrap(), "variant,mean_ns\na,1234.5\n\"b,c\",\n");
        let text = sheet().terminal();
        assert!(text.starts_with("An example\n") && text.contains("1.235 us") && text.contains('-'), "{text}");
    }

    #[test]
    fn names_stand_left_and_numbers_right() {
        let text = sheet().markdown();
        assert!(text.starts_with("**An example**\n\nRead it so.\n\n| variant"), "{text}");
        assert!(text.contains("| --- | ---: |"), "{text}");
    }
}
