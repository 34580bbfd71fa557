//! How commands print: as text for people, as CSV or JSON for programs.

use crate::Exit;
use anyhow::Result;
use c4lab_report::table::json;
use c4lab_report::table::text::{TextTable, paragraph};
use c4lab_report::table::{self, Column, Table};
use c4lab_report::tables::conclusion;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

/// How to print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// Comma-separated values with a header line
    Csv,
    /// JSON
    Json,
}

/// How the tables of a report are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum TableFormat {
    /// For people
    #[default]
    Text,
    /// Markdown
    Markdown,
    /// Comma-separated values with a header line, in base units
    Csv,
    /// JSON, in base units
    Json,
}

impl TableFormat {
    /// The sheets of a comparison. For people, how many intervals they hold is said at the end.
    pub fn compared(self, sheets: &[Table]) -> Result<String> {
        if self == TableFormat::Json {
            return json::tables(sheets, conclusion::of_all(sheets));
        }
        let said = conclusion::of_all(sheets).filter(|_| self != TableFormat::Csv);
        let width = if self == TableFormat::Text { width() } else { None };
        Ok(self.of(sheets)? + &said.map_or(String::new(), |said| format!("\n{}", paragraph(&said, width))))
    }

    /// The sheets, one below the other. Those of one CSV have the same columns.
    pub fn of(self, sheets: &[Table]) -> Result<String> {
        Ok(match self {
            TableFormat::Text => {
                let width = width();
                sheets.iter().map(|sheet| sheet.terminal(width)).collect::<Vec<_>>().join("\n")
            }
            TableFormat::Markdown => table::markdown(sheets),
            TableFormat::Csv => String::from_utf8(table::csv(sheets)?)?,
            TableFormat::Json => json::tables(sheets, None)?,
        })
    }
}

/// How a table is printed.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct FormatArg {
    /// How to print: text rounds for people, csv and json have base units
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

impl FormatArg {
    pub fn is_text(self) -> bool {
        self.format == Format::Text
    }

    /// Prints a table: under its heads for people, or as records for programs.
    pub fn table(self, heads: &[&str], shown: Vec<Vec<String>>, records: &Records) -> Result<()> {
        match self.format {
            Format::Text => print_table(heads, shown),
            Format::Csv => records.write_csv(io::stdout().lock()),
            Format::Json => records.write_json(io::stdout().lock()),
        }
    }

    pub fn is_csv(self) -> bool {
        self.format == Format::Csv
    }

    /// Prints sheets; those of one CSV have the same columns.
    pub fn sheets(self, sheets: &[Table]) -> Result<()> {
        let format = match self.format {
            Format::Text => TableFormat::Text,
            Format::Csv => TableFormat::Csv,
            Format::Json => TableFormat::Json,
        };
        print(&format.of(sheets)?, Exit::Success).map(drop)
    }

    /// Shows a line to people at once: the next one may take long.
    pub fn line(self, line: &str) -> Result<()> {
        if self.is_text() {
            let mut out = io::stdout().lock();
            writeln!(out, "{line}")?;
            out.flush()?;
        }
        Ok(())
    }

    /// Prints records for programs, where people have been shown the same line by line already.
    pub fn records(self, records: &Records) -> Result<()> {
        if self.is_text() { Ok(()) } else { self.table(&[], Vec::new(), records) }
    }

    /// Prints what is said beside a table: to people below it, else to stderr.
    pub fn said(self, text: &str, exit: Exit) -> Result<Exit> {
        if self.is_text() {
            return print(text, exit);
        }
        say(text);
        Ok(exit)
    }
}

#[derive(Debug)]
pub struct Records {
    /// The names of the fields.
    pub fields: Vec<&'static str>,
    /// The records; null is what is not known.
    pub rows: Vec<Vec<Value>>,
}

impl Records {
    pub fn write_csv(&self, out: impl Write) -> Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(&self.fields)?;
        for row in &self.rows {
            writer.write_record(row.iter().map(plain))?;
        }
        Ok(writer.flush()?)
    }

    pub fn write_json(&self, mut out: impl Write) -> Result<()> {
        for (index, row) in self.rows.iter().enumerate() {
            write!(out, "{}", if index == 0 { "[\n" } else { ",\n" })?;
            let fields = self.fields.iter().zip(row).map(|(name, value)| format!("\"{name}\":{value}"));
            write!(out, "{{{}}}", fields.collect::<Vec<_>>().join(","))?;
        }
        Ok(writeln!(out, "{}", if self.rows.is_empty() { "[]" } else { "\n]" })?)
    }
}

/// A value without quotation marks; null is empty.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The columns of the terminal that stdout is. Where it is none, those of `COLUMNS`, if that is set: for a pager. `None`: lines may be
/// of any length.
pub fn width() -> Option<usize> {
    let terminal = terminal_size::terminal_size_of(io::stdout()).map(|(terminal_size::Width(width), _)| width.into());
    let asked = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(asked).filter(|&width| width > 0)
}

/// Prints a list for people on stdout, as wide as the terminal.
pub fn print_table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Result<()> {
    let columns = header.iter().map(|title| Column::text(title, title)).collect();
    let list = TextTable { columns, rows: rows.into_iter().collect(), in_parts: false };
    Ok(write!(io::stdout().lock(), "{}", list.show(width()))?)
}

/// Prints what a command has to show, and gives back how it ended. A closed pipe does not change how it ended.
pub fn print(text: &str, exit: Exit) -> Result<Exit> {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{}", text.trim_end()).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(exit),
    }
}

/// Says something on stderr. Nobody can be told when that fails.
pub fn say(message: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{message}");
}

/// A progress bar on stderr with the time left; nothing where stderr is no terminal.
pub fn progress_bar(count: u64, what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} {eta}").expect("a valid template");
    ProgressBar::new(count).with_style(style).with_prefix(what.to_string())
}

/// How many are done, on stderr, where nobody knows how many there will be; nothing where stderr is no terminal.
pub fn progress_count(what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{pos} {prefix}, {elapsed}").expect("a valid template");
    let bar = ProgressBar::new_spinner().with_style(style).with_prefix(what.to_string());
    // One of them may take long: people see that it goes on.
    if !bar.is_hidden() {
        bar.enable_steady_tick(Duration::from_secs(1));
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_csv_and_json() {
        let rows = vec![vec![Value::from("a,b"), Value::from(1)], vec![Value::Null, Value::from(true)]];
        let records = Records { fields: vec!["name", "count"], rows };
        let (mut csv, mut json) = (Vec::new(), Vec::new());
        records.write_csv(&mut csv).unwrap();
        assert_eq!(String::from_utf8(csv).unwrap(), "name,count\n\"a,b\",1\n,true\n");
        records.write_json(&mut json).unwrap();
        let expected = "[\n{\"name\":\"a,b\",\"count\":1},\n{\"name\":null,\"count\":true}\n]\n";
        assert_eq!(String::from_utf8(json).unwrap(), expected);
    }
}
