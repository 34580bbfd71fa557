//! Output of commands: text for people, CSV or JSON for programs.

use crate::{Exit, complain, is_broken_pipe};
use anyhow::{Context, Result};
use c4lab_measure::text::harmless;
use c4lab_report::table::json;
use c4lab_report::table::text::{TextTable, paragraph};
use c4lab_report::table::{self, Column, Table};
use c4lab_report::tables::conclusion;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people, with rounded numbers
    #[default]
    Text,
    /// Markdown
    Markdown,
    /// Comma-separated values with a header line, in base units
    Csv,
    /// JSON, in base units
    Json,
}

impl Format {
    /// The tables, one below the other. For CSV they must have the same columns.
    pub fn of(self, tables: &[Table]) -> Result<String> {
        Ok(match self {
            Format::Text => {
                let width = width();
                tables.iter().map(|table| table.terminal(width)).collect::<Vec<_>>().join("\n")
            }
            Format::Markdown => table::markdown(tables),
            Format::Csv => String::from_utf8(table::csv(tables)?)?,
            Format::Json => json::tables(tables, None)?,
        })
    }

    /// The tables of a comparison. Text and Markdown end with a sentence about the number of their intervals.
    pub fn compared(self, tables: &[Table]) -> Result<String> {
        if self == Format::Json {
            return json::tables(tables, conclusion::of_all(tables));
        }
        let said = conclusion::of_all(tables).filter(|_| self != Format::Csv);
        let width = if self == Format::Text { width() } else { None };
        Ok(self.of(tables)? + &said.map_or(String::new(), |said| format!("\n{}", paragraph(&said, width))))
    }

    /// Prints a list: for people `rows` under `heads`, for programs `records`.
    pub fn list(self, heads: &[&str], rows: Vec<Vec<String>>, records: &Records) -> Result<()> {
        let mut out = Vec::new();
        match self {
            Format::Text => {
                let columns = heads.iter().map(|title| Column::text(title, title)).collect();
                let list = TextTable { columns, rows, in_parts: false };
                return show(&list.show(width()));
            }
            Format::Markdown => {
                let heads: Vec<String> = heads.iter().map(ToString::to_string).collect();
                return show(&table::pipes(&heads, &vec![true; heads.len()], false, &rows));
            }
            Format::Csv => records.write_csv(&mut out)?,
            Format::Json => records.write_json(&mut out)?,
        }
        show(&String::from_utf8(out)?)
    }

    /// Shows a line of text to people at once: the next one may take long.
    pub fn line(self, line: &str) -> Result<()> {
        if self == Format::Text { show(line) } else { Ok(()) }
    }

    /// Prints records, unless [`Self::line`] has shown them as text already.
    pub fn records(self, records: &Records) -> Result<()> {
        if self == Format::Text { Ok(()) } else { self.list(&records.fields, records.texts(), records) }
    }

    /// Prints a sentence beside a table: below it for people, else on stderr.
    pub fn said(self, text: &str, exit: Exit) -> Result<Exit> {
        if matches!(self, Format::Text | Format::Markdown) {
            return print(text, exit);
        }
        say(text);
        Ok(exit)
    }
}

#[derive(Debug)]
pub struct Records {
    pub fields: Vec<&'static str>,
    /// The records; null is an unknown value.
    pub rows: Vec<Vec<Value>>,
}

impl Records {
    /// The values without quotation marks; null is empty.
    pub fn texts(&self) -> Vec<Vec<String>> {
        let text = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        self.rows.iter().map(|row| row.iter().map(text).collect()).collect()
    }

    pub fn write_csv(&self, out: impl Write) -> Result<()> {
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(&self.fields)?;
        self.texts().iter().try_for_each(|row| writer.write_record(row))?;
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

/// The columns of the terminal, if stdout is one, or else the value of `COLUMNS`, for a pager. `None` if lines may have
/// any length.
pub fn width() -> Option<usize> {
    let terminal = terminal_size::terminal_size_of(io::stdout()).map(|(terminal_size::Width(width), _)| width.into());
    let asked = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal.or_else(asked).filter(|&width| width > 0)
}

/// Prints the output of a command. The verdict `exit` stays if nobody reads it, and a failed write is a failure.
pub fn print(text: &str, exit: Exit) -> Result<Exit> {
    Ok(exit_after(show(text), exit))
}

/// Prints output of a command that goes on. A closed pipe is no error.
pub fn show(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    let written = writeln!(out, "{}", harmless(text.trim_end())).and_then(|()| out.flush());
    written.context("cannot write to stdout").or_else(|error| if is_broken_pipe(&error) { Ok(()) } else { Err(error) })
}

/// The exit of a command whose verdict is `exit`, after output that may have failed. A message on stderr says why.
pub fn exit_after(written: Result<()>, exit: Exit) -> Exit {
    match written {
        Err(error) if !is_broken_pipe(&error) => {
            complain(format_args!("{error:#}"));
            if exit == Exit::Success { Exit::Failure } else { exit }
        }
        _ => exit,
    }
}

/// Prints a message on stderr. An error of the write is ignored.
pub fn say(message: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{}", harmless(&message.to_string()));
}

/// A progress bar on stderr with the time left; hidden if stderr is no terminal.
pub fn progress_bar(count: u64, what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len} {eta}").expect("a valid template");
    ProgressBar::new(count).with_style(style).with_prefix(what.to_string())
}

/// A progress counter on stderr for an unknown number of tasks; hidden if stderr is no terminal.
pub fn progress_count(what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{pos} {prefix}, {elapsed}").expect("a valid template");
    let bar = ProgressBar::new_spinner().with_style(style).with_prefix(what.to_string());
    // A tick every second shows that the program runs, also during a long task.
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
