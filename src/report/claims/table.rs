//! Findings as rows of `claims.csv`, and as tables.

use crate::lab::files::rows::{Row, RowsOf};
use crate::report::claims::claim::{Kind, means};
use crate::report::claims::finding::Finding;
use crate::report::claims::verdict::Verdict;
use crate::report::sheets::fitted::paragraph;
use crate::report::sheets::sheet::{Heading, Sheet, Subject, Value};
use crate::report::sheets::units::four_digits;
use anyhow::{Context, Result};
use c4lab_solver::search::Goal;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The file in the folder of a run, or of a record.
pub const FILE: &str = "claims.csv";
/// The version of its columns.
const SCHEMA_VERSION: u32 = 1;

/// One finding: a row of `claims.csv`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/FORMAT.md describes the columns")]
pub struct ClaimRow {
    pub schema_version: u32,
    pub claim: String,
    pub source: String,
    pub statement: String,
    pub kind: Kind,
    pub base: Option<String>,
    pub variant: String,
    pub set: Option<String>,
    pub goal: Option<Goal>,
    pub published: String,
    pub published_low: f64,
    pub published_high: Option<f64>,
    pub own_table: Option<f64>,
    pub own_table_holds: Option<bool>,
    pub measured: Option<f64>,
    pub measured_low: Option<f64>,
    pub measured_high: Option<f64>,
    pub interval_over: Option<String>,
    pub positions: Option<usize>,
    pub repetitions: Option<usize>,
    pub verdict: Verdict,
    pub conditions: String,
}

/// What separates conditions in a row.
const BETWEEN: &str = " | ";

impl From<&Finding> for ClaimRow {
    fn from(finding: &Finding) -> Self {
        let claim = &finding.claim;
        let (low, high) = claim.published.range;
        let interval = finding.measured.and_then(|measured| measured.interval);
        let place = claim.place.as_ref();
        ClaimRow {
            schema_version: SCHEMA_VERSION,
            claim: claim.id.clone(),
            source: claim.source.clone(),
            statement: claim.statement.clone(),
            kind: claim.kind,
            base: claim.base.clone(),
            variant: claim.variant.clone(),
            set: finding.set.clone().or_else(|| place.map(|place| place.set.clone())),
            goal: place.map(|place| place.goal),
            published: claim.published.shown.clone(),
            published_low: low,
            published_high: Some(high).filter(|high| high.is_finite()),
            own_table: claim.own_table,
            own_table_holds: claim.own_table_holds(),
            measured: finding.measured.map(|measured| measured.value),
            measured_low: interval.map(|interval| interval.0),
            measured_high: interval.map(|interval| interval.1),
            interval_over: finding.measured.map(|measured| measured.over.word().to_string()),
            positions: finding.positions,
            repetitions: finding.repetitions,
            verdict: finding.verdict,
            conditions: finding.conditions.join(BETWEEN),
        }
    }
}

impl ClaimRow {
    /// Conditions that differ, and what else is to be known.
    pub fn conditions(&self) -> impl Iterator<Item = &str> {
        self.conditions.split(BETWEEN).filter(|condition| !condition.is_empty())
    }

    /// Whether the row was chosen by the beginning of its id.
    pub fn is_meant_by(&self, name: &str) -> bool {
        means(name, &self.claim)
    }
}

/// The rows as CSV.
pub fn csv(rows: &[ClaimRow]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}

/// The rows of a folder; an error names file, line and reason.
pub fn read(folder: &Path) -> Result<Vec<ClaimRow>> {
    let file = folder.join(FILE);
    let bytes = std::fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
    parse(&file.display().to_string(), &bytes)
}

/// Reads rows; an error names file, line and reason.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Vec<ClaimRow>> {
    RowsOf::of(Path::new(file), Box::new(bytes))?.collect()
}

impl Row for ClaimRow {
    const WHAT: &'static str = "claims";
    const SCHEMA_VERSION: u32 = SCHEMA_VERSION;
}

/// A number of a kind, as people read it.
fn shown(kind: Kind, value: f64) -> String {
    match kind {
        // As many digits as were ever printed.
        Kind::NodeMean => format!("{value:.*}", (5 - value.log10().floor() as i32).max(0) as usize),
        _ => format!("{}{}", four_digits(value), if kind.is_ratio() { "x" } else { "" }),
    }
}

/// The tables, one for each kind of claim, and the conditions that their last column numbers.
pub fn sheets(rows: &[ClaimRow]) -> (Vec<Sheet>, Vec<String>) {
    let mut conditions: Vec<String> = Vec::new();
    let mut number = |condition: &str| {
        let known = conditions.iter().position(|known| known == condition);
        let index = known.unwrap_or_else(|| {
            conditions.push(condition.to_string());
            conditions.len() - 1
        });
        (index + 1).to_string()
    };
    let kinds = Kind::ALL.into_iter().flat_map(|kind| [(kind, false), (kind, true)]);
    let sheets = kinds.filter_map(|(kind, own_table)| {
        let of = rows.iter().filter(|row| row.kind == kind && row.own_table.is_some() == own_table);
        let rows: Vec<_> = of.map(|row| cells(row, row.conditions().map(&mut number).collect())).collect();
        (!rows.is_empty()).then(|| Sheet { rows, ..empty(kind, own_table) })
    });
    (sheets.collect(), conditions)
}

fn empty(kind: Kind, own_table: bool) -> Sheet {
    let title = match kind {
        Kind::NodeMean => "Mean number of nodes",
        Kind::NodeRatio => "Times fewer nodes than the base",
        Kind::TimeRatio => "Times less time than the base",
        Kind::NodeTimeRatio => "Times less time for a node than the base",
        Kind::Instructions => "Instructions",
        Kind::Rate => "Win checks a second",
    };
    let mut headings = vec![Heading::text("claim", "claim"), Heading::number("published", "published")];
    if own_table {
        headings.push(Heading::number("its own table", "own_table"));
    }
    headings.extend([
        Heading::number("measured", "measured"),
        Heading::number("95 % interval", "interval"),
        Heading::number("n", "positions"),
        Heading::text("on", "set"),
        Heading::text("verdict", "verdict"),
        Heading::text("notes", "notes"),
    ]);
    let sentences = if own_table { ": sentences about whole steps" } else { "" };
    let (title, subject) = (format!("{title}{sentences}"), Subject::default());
    Sheet { name: "claims", subject, title, note: String::new(), conclusion: String::new(), headings, rows: Vec::new() }
}

fn cells(row: &ClaimRow, notes: Vec<String>) -> Vec<Value> {
    let show = |value: f64| shown(row.kind, value);
    let mut cells = vec![Value::text(&row.claim), Value::text(&row.published)];
    if let Some(value) = row.own_table {
        let holds = if row.own_table_holds == Some(true) { "yes" } else { "no" };
        cells.push(Value::number(Some(value), |value| format!("{} {holds}", show(value))));
    }
    let interval = match row.measured_low.zip(row.measured_high) {
        Some((low, high)) if low < high => Value::text(format!("{} to {}", four_digits(low), four_digits(high))),
        Some(_) if row.interval_over.as_deref() == Some("exact") => Value::text("exact"),
        _ => Value::Empty,
    };
    cells.extend([
        Value::number(row.measured, show),
        interval,
        row.positions.map_or(Value::Empty, Value::count),
        row.set.as_ref().map_or(Value::Empty, Value::text),
        Value::text(row.verdict.word()),
        Value::text(notes.join(" ")),
    ]);
    cells
}

/// How many claims there are of each verdict: `12 claims: 9 reproduced, 3 undecided`.
pub fn count(rows: &[ClaimRow]) -> String {
    let words = Verdict::ALL.into_iter().filter_map(|verdict| {
        let count = rows.iter().filter(|row| row.verdict == verdict).count();
        (count > 0).then(|| format!("{count} {verdict}"))
    });
    let claims = if rows.len() == 1 { "claim" } else { "claims" };
    format!("{} {claims}: {}", rows.len(), words.collect::<Vec<_>>().join(", "))
}

/// The numbered conditions, one a line.
fn numbered(conditions: &[String]) -> String {
    conditions.iter().enumerate().map(|(index, condition)| format!("{}. {condition}\n", index + 1)).collect()
}

/// All of it for a terminal of so many columns.
pub fn terminal(rows: &[ClaimRow], width: Option<usize>) -> String {
    let (sheets, conditions) = sheets(rows);
    let tables: String = sheets.iter().map(|sheet| format!("{}\n", sheet.terminal(width))).collect();
    tables + &paragraph(&format!("Notes\n{}\n{}\n", numbered(&conditions), count(rows)), width)
}

/// All of it in Markdown.
pub fn markdown(rows: &[ClaimRow]) -> String {
    let (sheets, conditions) = sheets(rows);
    let tables: String = sheets.iter().map(|sheet| format!("{}\n", sheet.markdown())).collect();
    format!("{}.\n\n{tables}Notes:\n\n{}", count(rows), numbered(&conditions))
}

/// What each claim says, where it stands and what became of it, a paragraph each.
pub fn paragraphs(rows: &[ClaimRow]) -> String {
    let paragraph = |row: &ClaimRow| {
        let high = row.published_high.map_or(String::new(), |high| format!(" to {}", four_digits(high)));
        let conditions: String = row.conditions().map(|condition| format!("  - {condition}\n")).collect();
        format!(
            "{}: {}\n  {}\n  published {} (reproduced from {}{high}): {}\n{conditions}",
            row.claim,
            row.statement,
            row.source,
            row.published,
            four_digits(row.published_low),
            row.verdict
        )
    };
    rows.iter().map(paragraph).collect::<Vec<_>>().join("\n")
}
