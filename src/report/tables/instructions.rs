//! Instruction counts: rows and tables from the summaries of gungraun.
//!
//! `cargo bench --bench instructions` leaves a `summary.json` for each benchmark; only a few of its fields are read:
//!
//! ```text
//! version 7 | group, function_name, id | started_at | profiles: tool Callgrind, data.total.metrics.Ir.values.new
//! ```
//!
//! An id `nodes_4096` says that 4,096 evaluations were counted together; any other id is one evaluation. A record
//! keeps the rows as `instructions.csv`. Its rows hold totals; the tables divide them.

use crate::table::units::four_digits;
use crate::table::{Subject, Table};
use anyhow::{Context, Result, bail};
use c4lab_measure::files::rows;
use c4lab_measure::files::sample;
use c4lab_measure::text::distinct;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub const FILE: &str = "instructions.csv";
const SCHEMA_VERSION: u32 = 1;
const SUMMARY_VERSION: &str = "7";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstructionRow {
    pub schema_version: u32,
    /// The group of functions that are compared with each other: `wins`, `threats`.
    pub group: String,
    pub function: String,
    /// The position or the number of evaluations, as gungraun names it; empty without a name.
    pub id: String,
    pub evaluations: u64,
    pub instructions: u64,
}

impl InstructionRow {
    pub fn each(&self) -> f64 {
        self.instructions as f64 / self.evaluations as f64
    }
}

/// True if `folder` has instruction counts, of a run or of a record, and no samples.
pub fn is_in(folder: &Path) -> bool {
    let samples = rows::file_of(folder, sample::FILE).exists();
    !samples && (folder.join(FILE).exists() || summaries(folder).is_ok_and(|found| !found.is_empty()))
}

/// The rows of a folder: those of its `instructions.csv`, or of all summaries below it in the order of counting.
pub fn read(folder: &Path) -> Result<Vec<InstructionRow>> {
    let rows: Vec<InstructionRow> = if folder.join(FILE).exists() {
        rows::read(folder)?
    } else {
        let read = |path: PathBuf| {
            let bytes = std::fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
            parse_summary(&bytes).with_context(|| path.display().to_string())
        };
        let mut rows = summaries(folder)?.into_iter().map(read).collect::<Result<Vec<_>>>()?;
        rows.sort_by_key(|(started, _)| *started);
        rows.into_iter().map(|(_, row)| row).collect()
    };
    if let Some(row) = rows.iter().find(|row| row.evaluations == 0) {
        bail!("{}: {} has no evaluations", folder.display(), row.function);
    }
    if rows.is_empty() {
        bail!("{}: no rows yet", folder.display());
    }
    Ok(rows)
}

pub fn summaries(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut left = vec![folder.to_path_buf()];
    while let Some(folder) = left.pop() {
        let cannot = || format!("cannot read {}", folder.display());
        for entry in std::fs::read_dir(&folder).with_context(cannot)? {
            let entry = entry.with_context(cannot)?;
            // The type of the entry itself: links are not followed, since they may form a cycle.
            if entry.file_type().with_context(cannot)?.is_dir() {
                left.push(entry.path());
            } else if entry.file_name() == "summary.json" {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

fn parse_summary(bytes: &[u8]) -> Result<(SystemTime, InstructionRow)> {
    let summary: Value = serde_json::from_slice(bytes)?;
    let text = |key: &str| summary[key].as_str().map(str::to_string).with_context(|| format!("missing field `{key}`"));
    let version = text("version")?;
    if version != SUMMARY_VERSION {
        bail!("a summary of version {version:?}; this c4lab reads version {SUMMARY_VERSION:?}");
    }
    let started = text("started_at")?;
    let started =
        humantime::parse_rfc3339(&started).with_context(|| format!("started_at: {started:?} is not a time"))?;
    let mut profiles = summary["profiles"].as_array().into_iter().flatten();
    let profile = profiles.find(|profile| profile["tool"] == "Callgrind").context("profiles: none by Callgrind")?;
    let instructions = &profile["data"]["total"]["metrics"]["Ir"]["values"]["new"];
    let instructions =
        instructions.as_u64().context("data.total.metrics.Ir.values.new: not a number of instructions")?;
    let id = summary["id"].as_str().unwrap_or_default().to_string();
    let evaluations = evaluations(&id)?;
    let (group, function) = (text("group")?, text("function_name")?);
    Ok((started, InstructionRow { schema_version: SCHEMA_VERSION, group, function, id, evaluations, instructions }))
}

fn evaluations(id: &str) -> Result<u64> {
    match id.strip_prefix("nodes_") {
        None => Ok(1),
        Some(count) => match count.parse() {
            Ok(count @ 1..) => Ok(count),
            _ => bail!("id: {id:?} does not say how many nodes"),
        },
    }
}

c4lab_measure::row!(InstructionRow, FILE, SCHEMA_VERSION);

/// Instructions of one evaluation: one table for each group, in the order of first mention.
pub fn tables(rows: &[InstructionRow]) -> Vec<Table> {
    let groups = distinct(rows.iter().map(|row| row.group.as_str()));
    let table = |group: &str| {
        let own: Vec<&InstructionRow> = rows.iter().filter(|row| row.group == group).collect();
        Table::new("instructions", Subject::default(), group, "")
            .over(&own)
            .text("evaluator", "function", |row| &row.function)
            .number("instructions", "instructions", four_digits, |row| Some(row.each()))
            .table
    };
    groups.into_iter().map(table).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn row(group: &str, function: &str, instructions: u64) -> InstructionRow {
        let (group, function) = (group.to_string(), function.to_string());
        InstructionRow {
            schema_version: 1,
            group,
            function,
            id: "nodes_100".to_string(),
            evaluations: 100,
            instructions,
        }
    }

    const SUMMARY: &str = r#"{"version":"7","group":"wins","function_name":"has_four","id":"nodes_100",
        "started_at":"2026-11-20T19:17:44.432128438Z","kind":"LibraryBenchmark","profiles":[{"tool":"Callgrind","data":
        {"parts":[],"total":{"metrics":{"Ir":{"values":{"new":3050,"old":1}},"Dr":{"values":{"new":1}}}}}}]}"#;

    #[test]
    fn a_summary_is_a_row() {
        assert_eq!(parse_summary(SUMMARY.as_bytes()).unwrap().1, row("wins", "has_four", 3050));
        let other = SUMMARY.replace("\"id\":\"nodes_100\",", "");
        let (_, other) = parse_summary(other.as_bytes()).unwrap();
        assert_eq!((other.id.as_str(), other.evaluations, other.each()), ("", 1, 3050.0));
    }

    #[test]
    fn what_is_no_summary_is_an_error() {
        let changes = [
            ("{", ""),
            ("\"group\":\"wins\",", ""),
            ("\"7\"", "\"8\""),
            ("Callgrind", "DHAT"),
            ("\"Ir\"", "\"Ix\""),
            ("3050", "-3"),
            ("2026-11-20", "yesterday"),
            ("nodes_100", "nodes_0"),
        ];
        for (from, to) in changes {
            assert!(parse_summary(SUMMARY.replacen(from, to, 1).as_bytes()).is_err(), "{from}");
        }
    }

    #[test]
    fn rows_are_written_and_read_back() {
        let rows = vec![row("wins", "has_four", 3050), row("keys", "key", 400)];
        let text = String::from_utf8(rows::bytes(&rows).unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let read_of = |text: &str| {
            std::fs::write(folder.path().join(FILE), text).unwrap();
            read(folder.path())
        };
        assert_eq!(read_of(&text).unwrap(), rows);
        for (from, to) in [("3050", "many"), ("\n1,keys", "\n2,keys"), (",100,400", ",0,400"), ("evaluations", "x")] {
            assert!(read_of(&text.replacen(from, to, 1)).is_err(), "{from}");
        }
    }

    #[test]
    fn a_table_a_group_in_the_order_of_counting() {
        let tables = tables(&[row("wins", "has_four", 3050), row("keys", "key", 400), row("wins", "other", 1234)]);
        assert_eq!(tables.iter().map(|table| table.title.as_str()).collect::<Vec<_>>(), ["wins", "keys"]);
        assert_eq!(tables[0].shown(), [["has_four", "30.50"], ["other", "12.34"]]);
    }
}
