//! Findings as rows of `claims.csv`, as tables, in documents, and counted by source.

use crate::claims::claim::{Claim, Kind, Unit, embedded, means};
use crate::claims::judge::{Evidence, Finding, judge, recorded_counts};
use crate::claims::verdict::{EXACT, Verdict};
use crate::extras;
use crate::reading::Reading;
use crate::record::make;
use crate::table::text::paragraph;
use crate::table::units::three_digits;
use crate::table::{Cell, Column, Subject, Table};
use anyhow::{Context, Result, bail};
use c4lab_measure::files::atomic;
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{self, Row};
use c4lab_solver::search::Goal;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The file in the folder of a run, or of a record.
pub const FILE: &str = "claims.csv";
/// The version of its columns, and of its verdicts.
const SCHEMA_VERSION: u32 = 2;

/// A row of `claims.csv`; docs/FORMAT.md describes the columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    pub published_low: Option<f64>,
    pub published_high: Option<f64>,
    pub own_table: Option<f64>,
    pub own_table_holds: Option<bool>,
    pub measured: Option<f64>,
    pub measured_low: Option<f64>,
    pub measured_high: Option<f64>,
    pub interval_over: Option<String>,
    pub effect: Option<f64>,
    pub effect_low: Option<f64>,
    pub effect_high: Option<f64>,
    pub positions: Option<usize>,
    pub repetitions: Option<usize>,
    pub verdict: Verdict,
    pub why: String,
    pub conditions: String,
}

/// What separates conditions in a row.
const BETWEEN: &str = " | ";

impl From<&Finding> for ClaimRow {
    fn from(finding: &Finding) -> Self {
        let (claim, measured) = (&finding.claim, finding.measured);
        let (low, high) = claim.published.range;
        let interval = measured.and_then(|measured| measured.interval);
        let effect = measured.and_then(|measured| measured.effect(&claim.published));
        let effects = effect.and_then(|(_, interval)| interval);
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
            published_low: Some(low).filter(|low| low.is_finite()),
            published_high: Some(high).filter(|high| high.is_finite()),
            own_table: claim.own_table,
            own_table_holds: claim.own_table_holds(),
            measured: measured.map(|measured| measured.value),
            measured_low: interval.map(|interval| interval.0),
            measured_high: interval.map(|interval| interval.1),
            interval_over: measured.map(|measured| measured.over.to_string()),
            effect: effect.map(|(effect, _)| effect),
            effect_low: effects.map(|effects| effects.0),
            effect_high: effects.map(|effects| effects.1),
            positions: finding.positions,
            repetitions: finding.repetitions,
            verdict: finding.verdict,
            why: finding.why.clone(),
            conditions: finding.conditions.join(BETWEEN),
        }
    }
}

impl Row for ClaimRow {
    const FILE: &'static str = FILE;
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
}

impl ClaimRow {
    /// The row with the folder that it was judged by among its conditions, where something was measured.
    pub fn judged_by(mut self, folder: &str) -> Self {
        if self.measured.is_some() {
            let between = if self.conditions.is_empty() { "" } else { BETWEEN };
            self.conditions = format!("judged by {folder}{between}{}", self.conditions);
        }
        self
    }

    fn conditions(&self) -> impl Iterator<Item = &str> {
        self.conditions.split(BETWEEN).filter(|condition| !condition.is_empty())
    }

    /// A number of the claim, in the unit and with the digits of the published one.
    fn shown(&self, value: f64) -> String {
        match self.kind.unit(self.base.is_some()) {
            Unit::Nodes => Unit::nodes(value, Unit::decimals(&self.published)),
            unit => unit.shown(value),
        }
    }
}

/// The rows of a folder. Those of an older schema have verdicts by an older rule.
pub fn read(folder: &Path) -> Result<Vec<ClaimRow>> {
    let rows: Vec<ClaimRow> = rows::read(folder)?;
    if rows.iter().any(|row| row.schema_version < SCHEMA_VERSION) {
        let place = folder.display();
        bail!(
            "{place}: its verdicts were given by an older rule; `c4lab reproduce --from {place}` judges the samples again"
        );
    }
    Ok(rows)
}

/// Writes a record of verdicts alone into `folder`, which must not exist. What they were made from lies in the folders that they name.
pub fn write_record(folder: &Path, rows: &[ClaimRow], command: &str) -> Result<()> {
    make(folder)?;
    let revision = git_rev().unwrap_or_else(|| "no commit".to_string());
    let text = format!("# Verdicts\n\nMade by `{command}` at {revision}: {}", markdown(rows));
    atomic::write(&folder.join("report.md"), text.as_bytes())?;
    rows::write(folder, rows)
}

fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::NodeMean => "Mean number of nodes",
        Kind::NodeRatio => "Times fewer nodes than the base",
        Kind::TimeRatio => "Times less time than the base",
        Kind::NodeTimeRatio => "Times less time for a node than the base",
        Kind::SolvedFrom => "Stones from which on all is solved within the limits",
        Kind::SolvedRatio => "Times more positions solved within the limits than the base",
        Kind::Instructions => "Instructions",
        Kind::Extra(name) => extras::claim_kind(name).map_or(name, |kind| kind.title()),
    }
}

/// The tables, one for each kind of claim, and the conditions that their last column numbers. Claims that the source's own table bears out or
/// not stand apart.
pub fn tables(rows: &[ClaimRow]) -> (Vec<Table>, Vec<String>) {
    let mut conditions: Vec<String> = Vec::new();
    for condition in rows.iter().flat_map(ClaimRow::conditions) {
        if !conditions.iter().any(|known| known == condition) {
            conditions.push(condition.to_string());
        }
    }
    let mut kinds = Kind::ALL.to_vec();
    for row in rows {
        if !kinds.contains(&row.kind) {
            kinds.push(row.kind);
        }
    }
    let mut tables = Vec::new();
    for kind in kinds {
        for has_own in [false, true] {
            let of = rows.iter().filter(|row| row.kind == kind && row.own_table.is_some() == has_own);
            let of: Vec<&ClaimRow> = of.collect();
            if !of.is_empty() {
                tables.push(table(kind, has_own, &of, &conditions));
            }
        }
    }
    (tables, conditions)
}

fn table(kind: Kind, has_own: bool, rows: &[&ClaimRow], conditions: &[String]) -> Table {
    let title = format!("{}{}", title(kind), if has_own { ": sentences about whole steps" } else { "" });
    Table::new("claims", Subject::default(), title, "")
        .over(rows)
        .text("claim", "claim", |row| row.claim.clone())
        .column(Column::number("published", "published"), |row| Cell::text(&row.published))
        .when(has_own, |table| {
            table.column(Column::number("its own table", "own_table"), |row| {
                let holds = if row.own_table_holds == Some(true) { "yes" } else { "no" };
                Cell::number(row.own_table, |value| format!("{} {holds}", Unit::Times.shown(value)))
            })
        })
        .column(Column::number("measured", "measured"), |row| Cell::number(row.measured, |value| row.shown(value)))
        .column(Column::number("95 % interval", "interval"), |row| match row.measured_low.zip(row.measured_high) {
            Some((low, high)) if low < high => Cell::text(format!("{} to {}", three_digits(low), three_digits(high))),
            Some(_) if row.interval_over.as_deref() == Some(EXACT) => Cell::text(EXACT),
            _ => Cell::Empty,
        })
        .when(kind.is_ratio() || kind == Kind::Instructions, |table| {
            table.column(Column::number("effect", "effect"), |row| effect(row))
        })
        .column(Column::number("n", "positions"), |row| row.positions.map_or(Cell::Empty, Cell::count))
        .column(Column::text("on", "set"), |row| row.set.as_ref().map_or(Cell::Empty, Cell::text))
        .text("verdict", "verdict", |row| row.verdict.word())
        .text("why", "why", |row| row.why.clone())
        .text("notes", "notes", |row| {
            let number =
                |condition: &str| conditions.iter().position(|known| known == condition).unwrap_or_default() + 1;
            row.conditions().map(|condition| number(condition).to_string()).collect::<Vec<_>>().join(" ")
        })
        .table
}

/// The share of the published effect, with its interval: `0.62 (0.41 to 0.70)`.
fn effect(row: &ClaimRow) -> Cell {
    let ends = row.effect_low.zip(row.effect_high).filter(|(low, high)| low < high);
    let ends = ends.map_or(String::new(), |(low, high)| format!(" ({} to {})", share(low), share(high)));
    Cell::number(row.effect, |effect| format!("{}{ends}", share(effect)))
}

/// A share as people read it: three digits, and no more than three behind the point.
fn share(share: f64) -> String {
    let small = format!("{share:.3}");
    match small.trim_start_matches('-') {
        "0.000" => "0".to_string(),
        _ if share.abs() < 0.1 => small,
        _ => three_digits(share),
    }
}

/// How many claims there are of each verdict: `12 claims: 9 reproduced; 3 undecided`. One word holds a comma.
pub fn count(rows: &[ClaimRow]) -> String {
    let mut words = Vec::new();
    for verdict in Verdict::ALL {
        let count = rows.iter().filter(|row| row.verdict == verdict).count();
        words.extend((count > 0).then(|| format!("{count} {verdict}")));
    }
    format!("{} claim{}: {}", rows.len(), if rows.len() == 1 { "" } else { "s" }, words.join("; "))
}

/// The numbered conditions, one a line.
fn numbered(conditions: &[String]) -> String {
    conditions.iter().enumerate().map(|(index, condition)| format!("{}. {condition}\n", index + 1)).collect()
}

/// All of it for a terminal of so many columns.
pub fn terminal(rows: &[ClaimRow], width: Option<usize>) -> String {
    let (tables, conditions) = tables(rows);
    let tables: String = tables.iter().map(|table| format!("{}\n", table.terminal(width))).collect();
    tables + &paragraph(&format!("Notes\n{}\n{}\n", numbered(&conditions), count(rows)), width)
}

/// All of it in Markdown.
pub fn markdown(rows: &[ClaimRow]) -> String {
    let (tables, conditions) = tables(rows);
    let tables: String = tables.iter().map(|table| format!("{}\n", table.markdown())).collect();
    format!("{}.\n\n{tables}Notes:\n\n{}", count(rows), numbered(&conditions))
}

/// What each claim says, where it stands and what became of it, a paragraph each.
pub fn paragraphs(rows: &[ClaimRow]) -> String {
    let mut paragraphs = Vec::new();
    for row in rows {
        let conditions: String = row.conditions().map(|condition| format!("  - {condition}\n")).collect();
        let range = match (row.published_low.filter(|low| *low > 0.0), row.published_high) {
            (Some(low), Some(high)) => format!(" (reproduced from {} to {})", row.shown(low), row.shown(high)),
            (Some(low), None) => format!(" (reproduced from {})", row.shown(low)),
            (None, Some(high)) => format!(" (reproduced up to {})", row.shown(high)),
            (None, None) => String::new(),
        };
        paragraphs.push(format!(
            "{}: {}\n  {}\n  published {}{range}: {}, {}\n{conditions}",
            row.claim, row.statement, row.source, row.published, row.verdict, row.why
        ));
    }
    paragraphs.join("\n")
}

/// The block `claims` of a Markdown file, given the words that choose: `claims= kinds= goal= verdicts=`. Or why it says nothing.
///
/// The rows of the folder's `claims.csv` stand there as they are. A folder without the file is held against all claims, and those stand there
/// that it can test.
pub fn splice(reading: &Reading, words: &[&str]) -> Result<String, String> {
    let kept = reading.folder.join(FILE).is_file();
    let rows = if kept { read(&reading.folder) } else { judged(reading) };
    splice_of_rows(rows.map_err(|error| format!("{error:#}"))?, words)
}

/// The claims that a folder of samples can test.
fn judged(reading: &Reading) -> Result<Vec<ClaimRow>> {
    let evidence = Evidence::of(reading, recorded_counts().as_deref())?;
    let mut rows: Vec<ClaimRow> =
        embedded()?.iter().map(|claim| ClaimRow::from(&judge(claim, &evidence, None))).collect();
    rows.retain(|row| row.measured.is_some());
    Ok(rows)
}

/// The block of rows that are there.
pub fn splice_of_rows(mut rows: Vec<ClaimRow>, words: &[&str]) -> Result<String, String> {
    for word in words {
        let (key, names) = word.split_once('=').unwrap_or((word, ""));
        let names: Vec<&str> = names.split(',').collect();
        let known: Vec<&str> = match key {
            "claims" => names.iter().copied().filter(|name| rows.iter().any(|row| means(name, &row.claim))).collect(),
            "kinds" => Kind::names(),
            "goal" => Goal::NAMES.to_vec(),
            "verdicts" => Verdict::ALL.map(Verdict::name).to_vec(),
            _ => return Err(format!("{word:?} is none of claims=, kinds=, goal=, verdicts=")),
        };
        if let Some(name) = names.iter().find(|name| !known.contains(name)) {
            return Err(format!("{key}= does not know {name:?}"));
        }
        rows.retain(|row| match key {
            "claims" => names.iter().any(|name| means(name, &row.claim)),
            "kinds" => names.contains(&row.kind.name()),
            "goal" => row.goal.is_none_or(|goal| names.contains(&goal.name())),
            _ => names.contains(&row.verdict.name()),
        });
    }
    if rows.is_empty() {
        Err("the folder has no claim that the marker asks for".to_string())
    } else {
        Ok(markdown(&rows))
    }
}

/// What became of the claims of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceCount {
    /// Author and title.
    pub source: String,
    /// Those of the next three.
    pub claims: usize,
    pub reproduced: usize,
    /// Contradicted, in sign or in size.
    pub not: usize,
    /// Undecided, not tested, or waiting.
    pub open: usize,
}

/// How much a verdict says; less is more.
fn rank(verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Reproduced => 0,
        verdict if verdict.contradicts() => 0,
        Verdict::Undecided => 1,
        _ => 2,
    }
}

/// The verdicts of all records in a folder, by the ids of claims. Of several the latest counts, by the records' names; but one that decides
/// nothing does not undo one that does. Records whose verdicts were given by an older rule are passed over.
pub fn verdicts(records: &Path) -> Result<HashMap<String, Verdict>> {
    let entries = std::fs::read_dir(records).with_context(|| {
        format!(
            "no records in {0}: name a folder of records with --records, as {0}/ of a checkout is",
            records.display()
        )
    })?;
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    let mut known: HashMap<String, Verdict> = HashMap::new();
    for folder in folders {
        let text = std::fs::read_to_string(folder.join(FILE)).unwrap_or_default();
        let version = text.lines().nth(1).and_then(|line| line.split(',').next()?.parse::<u32>().ok());
        if version.is_none_or(|version| version < SCHEMA_VERSION) {
            continue;
        }
        for row in read(&folder)? {
            let earlier = known.get(&row.claim).copied().unwrap_or(Verdict::Waiting);
            if rank(row.verdict) <= rank(earlier) {
                known.insert(row.claim, row.verdict);
            }
        }
    }
    Ok(known)
}

/// The row that says most; of equals the first.
pub fn best(rows: Vec<ClaimRow>) -> Option<ClaimRow> {
    let says = |row: &ClaimRow| (rank(row.verdict), row.measured.is_none());
    rows.into_iter().reduce(|best, row| if says(&row) < says(&best) { row } else { best })
}

/// What became of each source, in the order of first mention. The parts of one are one source.
pub fn count_by_source(claims: &[Claim], verdicts: &HashMap<String, Verdict>) -> Vec<SourceCount> {
    let mut counts: Vec<SourceCount> = Vec::new();
    for claim in claims {
        let source =
            claim.source.split_once("\", part ").map_or(&claim.source[..], |(title, _)| &claim.source[..=title.len()]);
        let index = counts.iter().position(|count| count.source == source).unwrap_or_else(|| {
            counts.push(SourceCount { source: source.to_string(), ..SourceCount::default() });
            counts.len() - 1
        });
        let count = &mut counts[index];
        count.claims += 1;
        match verdicts.get(&claim.id) {
            Some(Verdict::Reproduced) => count.reproduced += 1,
            Some(verdict) if verdict.contradicts() => count.not += 1,
            _ => count.open += 1,
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::claim::tests::{CLAIM, claims};
    use crate::claims::verdict::{self, Measured};
    use tempfile::TempDir;

    fn row(claim: &Claim, verdict: Verdict) -> ClaimRow {
        ClaimRow::from(&Finding::untested(claim, verdict, String::new()))
    }

    #[test]
    fn findings_are_written_and_read_back() {
        let all = embedded().unwrap();
        let rows: Vec<ClaimRow> =
            all.iter().map(|claim| ClaimRow::from(&judge(claim, &Evidence::default(), None))).collect();
        let place = TempDir::new().unwrap();
        rows::write(place.path(), &rows).unwrap();
        assert_eq!(read(place.path()).unwrap(), rows);
        let text = std::fs::read_to_string(place.path().join(FILE)).unwrap();
        for (from, to) in [("\n2,", "\n3,"), ("\n2,", "\n1,"), ("not-tested", "tested")] {
            std::fs::write(place.path().join(FILE), text.replacen(from, to, 1)).unwrap();
            assert!(read(place.path()).is_err(), "{to}");
        }
        assert!(rows.iter().all(|row| row.goal.is_some() || !row.kind.is_of_samples()));
    }

    #[test]
    fn kinds_stand_apart_and_conditions_are_numbered_once() {
        let claim = Claim { differs: vec!["a".to_string(), "b".to_string()], ..claims(CLAIM)[0].clone() };
        let other = Claim { own_table: Some(3.0), differs: vec!["b".to_string()], ..claim.clone() };
        let rows = [row(&claim, Verdict::Undecided), row(&other, Verdict::Reproduced)];
        let (tables, conditions) = tables(&rows);
        assert_eq!((tables.len(), conditions), (2, vec!["a".to_string(), "b".to_string()]));
        assert_eq!(
            tables.iter().map(|table| table.shown()[0].last().unwrap().clone()).collect::<Vec<_>>(),
            ["1 2", "2"]
        );
        assert_eq!(count(&rows), "2 claims: 1 reproduced; 1 undecided");
        assert_eq!([0.000_002_9, -0.0123, 0.718, 8.07, -0.0004].map(share), ["0", "-0.012", "0.718", "8.07", "0"]);
    }

    #[test]
    fn the_latest_verdict_counts_unless_it_decides_nothing() {
        let place = TempDir::new().unwrap();
        let text = (1..=3).map(|number| CLAIM[13..].replace("twice\"", &format!("twice-{number}\"")));
        let claims = claims(&format!("source = 's'\n{}", text.collect::<String>()));
        let keep = |name: &str, verdicts: [Verdict; 3]| {
            let rows: Vec<ClaimRow> = claims.iter().zip(verdicts).map(|(claim, verdict)| row(claim, verdict)).collect();
            std::fs::create_dir_all(place.path().join(name)).unwrap();
            rows::write(&place.path().join(name), &rows).unwrap();
        };
        keep("2026-01-01-a", [Verdict::Reproduced, Verdict::Reproduced, Verdict::NotTested]);
        keep("2026-01-02-b", [Verdict::Opposite, Verdict::Undecided, Verdict::Undecided]);
        let known = verdicts(place.path()).unwrap();
        assert_eq!(
            ["twice-1", "twice-2", "twice-3"].map(|name| known[name]),
            [Verdict::Opposite, Verdict::Reproduced, Verdict::Undecided]
        );
        let counts = count_by_source(&claims, &known);
        let expected = SourceCount { source: "s".to_string(), claims: 3, reproduced: 1, not: 1, open: 1 };
        assert_eq!(counts, [expected]);
        assert_eq!(count_by_source(&claims, &HashMap::new())[0].open, 3, "without records all is open");
        assert!(verdicts(&place.path().join("none")).is_err());
    }

    /// The numbers that records keep have the verdicts that the rule gives now.
    #[test]
    fn verdicts_of_records_follow_from_their_numbers() {
        let claims = embedded().unwrap();
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
        let words = [EXACT, verdict::REPETITIONS, verdict::POSITIONS, verdict::BOTH, verdict::PROCESSES, verdict::ALL];
        let mut compared = 0;
        for folder in std::fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path()) {
            for row in read(&folder).unwrap_or_default() {
                // A claim may have been read in another way since.
                let is_same = |claim: &&Claim| claim.id == row.claim && claim.published.shown == row.published;
                let claim = claims.iter().find(is_same).filter(|claim| !matches!(claim.kind, Kind::Extra(_)));
                let over = words.into_iter().find(|word| row.interval_over.as_deref() == Some(word));
                let Some(((claim, over), value)) = claim.zip(over).zip(row.measured) else { continue };
                let measured = Measured { value, interval: row.measured_low.zip(row.measured_high), over };
                let found = match verdict::verdict(&claim.published, &measured) {
                    found if found.contradicts() && row.why.contains("a part of a set") => Verdict::Undecided,
                    found => found,
                };
                assert_eq!(
                    (found, measured.effect(&claim.published).map(|it| it.0)),
                    (row.verdict, row.effect),
                    "{row:?}"
                );
                compared += 1;
            }
        }
        assert!(compared > 300, "{compared}");
    }
}
