//! Findings: a claim, its measurement and its verdict, as a row of `claims.csv`; and the tables, documents and counts of
//! such rows.

use crate::claims::claim::{Claim, Kind, OWN_KINDS, Unit, means};
use crate::claims::verdict::{EXACT, Measured, Verdict, verdict, why};
use crate::entry;
use crate::record::make;
use crate::table::text::paragraph;
use crate::table::units::three_digits;
use crate::table::{Cell, Column, Subject, Table};
use anyhow::{Context, Result};
use c4lab_measure::files::atomic;
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows;
use c4lab_measure::text::{distinct, pluralize};
use c4lab_solver::search::Goal;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// The file in the folder of a run, or of a record.
pub const FILE: &str = "claims.csv";
/// The version of its columns, and of its verdicts.
const SCHEMA_VERSION: u32 = 2;

/// docs/FORMAT.md describes the columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    pub schema_version: u32,
    pub claim: String,
    pub source: String,
    pub statement: String,
    pub kind: Kind,
    pub base: Option<String>,
    pub variant: String,
    /// The set that tested the claim.
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
    /// Conditions that differ from the published ones.
    pub conditions: String,
}

/// The separator of conditions in a row.
const BETWEEN: &str = " | ";

c4lab_measure::row!(Finding, FILE, SCHEMA_VERSION);

impl Finding {
    /// A claim without a measurement. `why` is the reason of `verdict`.
    pub fn untested(claim: &Claim, verdict: Verdict, why: String) -> Self {
        let (low, high) = claim.published.range;
        Finding {
            schema_version: SCHEMA_VERSION,
            claim: claim.id.clone(),
            source: claim.source.clone(),
            statement: claim.statement.clone(),
            kind: claim.kind.clone(),
            base: claim.base.clone(),
            variant: claim.variant.clone(),
            set: claim.set.clone(),
            goal: claim.set.as_ref().map(|_| claim.goal),
            published: claim.published.shown.clone(),
            published_low: Some(low),
            published_high: Some(high).filter(|high| high.is_finite()),
            own_table: claim.own_table,
            own_table_holds: claim.own_table.map(|value| (low..=high).contains(&value)),
            verdict,
            why,
            conditions: claim.differs.join(BETWEEN),
            ..Finding::default()
        }
    }

    pub fn of(claim: &Claim, measured: Measured) -> Self {
        let verdict = verdict(&claim.published, &measured);
        Finding::untested(claim, verdict, why(verdict, &claim.published, &measured)).with(claim, measured)
    }

    /// Adds the measurement of `claim`; verdict and reason stay.
    pub fn with(self, claim: &Claim, measured: Measured) -> Self {
        let effect = measured.effect(&claim.published);
        let effects = effect.and_then(|(_, interval)| interval);
        Finding {
            measured: Some(measured.value),
            measured_low: measured.interval.map(|interval| interval.0),
            measured_high: measured.interval.map(|interval| interval.1),
            interval_over: Some(measured.over.to_string()),
            effect: effect.map(|(effect, _)| effect),
            effect_low: effects.map(|effects| effects.0),
            effect_high: effects.map(|effects| effects.1),
            ..self
        }
    }

    /// Puts `condition` before the other conditions.
    pub fn noting(self, condition: &str) -> Self {
        let between = if self.conditions.is_empty() { "" } else { BETWEEN };
        Finding { conditions: format!("{condition}{between}{}", self.conditions), ..self }
    }

    pub fn conditions(&self) -> impl Iterator<Item = &str> {
        self.conditions.split(BETWEEN).filter(|condition| !condition.is_empty())
    }

    /// The verdict for people: `agrees exactly` or `disagrees exactly: ...` if the number has no error.
    fn said(&self) -> String {
        let is_exact = self.interval_over.as_deref() == Some(EXACT);
        self.verdict.words().replacen("agrees", if is_exact { "agrees exactly" } else { "agrees" }, 1)
    }

    /// `value` in the unit and with the decimals of the published number.
    pub fn shown(&self, value: f64) -> String {
        match self.kind.unit(self.base.is_some()) {
            Unit::Nodes => Unit::nodes(value, Unit::decimals(&self.published)),
            unit => unit.shown(value),
        }
    }
}

/// Writes a record of verdicts into `folder`, which must not exist. It has no samples.
pub fn write_record(folder: &Path, rows: &[Finding], command: &str) -> Result<()> {
    make(folder)?;
    let revision = git_rev().unwrap_or_else(|| "no commit".to_string());
    let text = format!("# Verdicts\n\nMade by `{command}` at {revision}: {}", markdown(rows));
    atomic::write(&folder.join("report.md"), text.as_bytes())?;
    rows::write(folder, rows)
}

/// One table for each kind of claim, and the conditions, which the last column gives by number. Claims with a ratio
/// from the source's own table have a table apart.
pub fn tables(rows: &[Finding]) -> (Vec<Table>, Vec<String>) {
    let conditions = distinct(rows.iter().flat_map(Finding::conditions));
    let conditions: Vec<String> = conditions.into_iter().map(str::to_string).collect();
    let kinds = distinct(OWN_KINDS.iter().cloned().chain(rows.iter().map(|row| row.kind.clone())));
    let mut tables = Vec::new();
    for kind in kinds {
        for has_own in [false, true] {
            let of = rows.iter().filter(|row| row.kind == kind && row.own_table.is_some() == has_own);
            let of: Vec<&Finding> = of.collect();
            if !of.is_empty() {
                tables.push(table(&kind, has_own, &of, &conditions));
            }
        }
    }
    (tables, conditions)
}

fn table(kind: &Kind, has_own: bool, rows: &[&Finding], conditions: &[String]) -> Table {
    let title = format!("{}{}", kind.title(), if has_own { ": sentences about whole steps" } else { "" });
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
        .when(kind.is_ratio() || *kind == Kind::Instructions, |table| {
            table.column(Column::number("effect", "effect"), |row| effect(row))
        })
        .column(Column::number("n", "positions"), |row| row.positions.map_or(Cell::Empty, Cell::count))
        .column(Column::text("on", "set"), |row| row.set.as_ref().map_or(Cell::Empty, Cell::text))
        .text("verdict", "verdict", |row| row.said())
        .text("why", "why", |row| row.why.clone())
        .text("notes", "notes", |row| {
            let number =
                |condition: &str| conditions.iter().position(|known| known == condition).unwrap_or_default() + 1;
            row.conditions().map(|condition| number(condition).to_string()).collect::<Vec<_>>().join(" ")
        })
        .table
}

/// The share of the published effect, with its interval: `0.62 (0.41 to 0.70)`.
fn effect(row: &Finding) -> Cell {
    let ends = row.effect_low.zip(row.effect_high).filter(|(low, high)| low < high);
    let ends = ends.map_or(String::new(), |(low, high)| format!(" ({} to {})", share(low), share(high)));
    Cell::number(row.effect, |effect| format!("{}{ends}", share(effect)))
}

/// A share with three significant digits and at most three decimals.
fn share(share: f64) -> String {
    let small = format!("{share:.3}");
    match small.trim_start_matches('-') {
        "0.000" => "0".to_string(),
        _ if share.abs() < 0.1 => small,
        _ => three_digits(share),
    }
}

/// The numbers of verdicts: `12 claims: agrees 9; cannot tell 3`.
pub fn count(rows: &[Finding]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(row.verdict.words()).or_default() += 1);
    let words: Vec<String> = counts.iter().map(|(verdict, count)| format!("{verdict} {count}")).collect();
    format!("{}: {}", pluralize(rows.len(), "claim"), words.join("; "))
}

fn numbered(conditions: &[String]) -> String {
    conditions.iter().enumerate().map(|(index, condition)| format!("{}. {condition}\n", index + 1)).collect()
}

pub fn terminal(rows: &[Finding], width: Option<usize>) -> String {
    let (tables, conditions) = tables(rows);
    let tables: String = tables.iter().map(|table| format!("{}\n", table.terminal(width))).collect();
    tables + &paragraph(&format!("Notes\n{}\n{}\n", numbered(&conditions), count(rows)), width)
}

pub fn markdown(rows: &[Finding]) -> String {
    let (tables, conditions) = tables(rows);
    let tables: String = tables.iter().map(|table| format!("{}\n", table.markdown())).collect();
    format!("{}.\n\n{tables}Notes:\n\n{}", count(rows), numbered(&conditions))
}

/// A paragraph for each claim: statement, source, published figure, verdict and conditions.
pub fn paragraphs(rows: &[Finding]) -> String {
    let mut paragraphs = Vec::new();
    for row in rows {
        let conditions: String = row.conditions().map(|condition| format!("  - {condition}\n")).collect();
        let range = match (row.published_low.filter(|low| *low > 0.0), row.published_high) {
            (Some(low), Some(high)) => format!(" (agrees from {} to {})", row.shown(low), row.shown(high)),
            (Some(low), None) => format!(" (agrees from {})", row.shown(low)),
            (None, Some(high)) => format!(" (agrees up to {})", row.shown(high)),
            (None, None) => String::new(),
        };
        paragraphs.push(format!(
            "{}: {}\n  {}\n  published {}{range}: {}, {}\n{conditions}",
            row.claim,
            row.statement,
            row.source,
            row.published,
            row.said(),
            row.why
        ));
    }
    paragraphs.join("\n")
}

/// The block `claims` of a Markdown file, with the rows of `claims.csv` that `claims=` chooses, or all.
pub fn splice(folder: &Path, words: &[&str]) -> Result<String, String> {
    let mut rows: Vec<Finding> = rows::read(folder).map_err(|error| format!("{error:#}"))?;
    for word in words {
        let names = word.strip_prefix("claims=").ok_or_else(|| format!("{word:?} is not claims="))?;
        let names: Vec<&str> = names.split(',').collect();
        if let Some(name) = names.iter().find(|name| !rows.iter().any(|row| means(name, &row.claim))) {
            return Err(format!("no claim {name:?} in the folder"));
        }
        rows.retain(|row| names.iter().any(|name| means(name, &row.claim)));
    }
    Ok(markdown(&rows))
}

/// 0 for a verdict that decides a claim, 1 for an undecided claim, 2 for a claim that was not tested.
fn rank(verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Reproduced => 0,
        verdict if verdict.contradicts() => 0,
        Verdict::Undecided => 1,
        _ => 2,
    }
}

/// The verdicts of all records in the folder `records`, by claim id. The latest record counts, by the names of records,
/// but an undecided verdict does not replace one that decides.
pub fn verdicts(records: &Path) -> Result<HashMap<String, Verdict>> {
    let entries = std::fs::read_dir(records).with_context(|| {
        format!(
            "no records in {0}: give --records a folder of records, such as results/ of a checkout",
            records.display()
        )
    })?;
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    let mut known: HashMap<String, Verdict> = HashMap::new();
    for folder in folders {
        for row in rows::read_any::<Finding>(&folder)? {
            let earlier = known.get(&row.claim).copied().unwrap_or(Verdict::Waiting);
            if rank(row.verdict) <= rank(earlier) {
                known.insert(row.claim, row.verdict);
            }
        }
    }
    Ok(known)
}

/// The row with the most decisive verdict; of several the first.
pub fn best(rows: Vec<Finding>) -> Option<Finding> {
    rows.into_iter().min_by_key(|row| (rank(row.verdict), row.measured.is_none()))
}

/// For each source, in the order of first mention, the numbers of its claims, of those reproduced, of those
/// contradicted in sign or size, and of all others. The parts of a series are one source.
pub fn count_by_source(claims: &[Claim], verdicts: &HashMap<String, Verdict>) -> Vec<(String, [usize; 4])> {
    let mut counts: Vec<(String, [usize; 4])> = Vec::new();
    for claim in claims {
        let source =
            claim.source.split_once("\", part ").map_or(&claim.source[..], |(title, _)| &claim.source[..=title.len()]);
        let (_, of_source) = entry(&mut counts, |(known, _)| known == source, || (source.to_string(), [0; 4]));
        let became = match verdicts.get(&claim.id) {
            Some(Verdict::Reproduced) => 1,
            Some(verdict) if verdict.contradicts() => 2,
            _ => 3,
        };
        of_source[0] += 1;
        of_source[became] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::claim::embedded;
    use crate::claims::claim::tests::{CLAIM, claims};
    use crate::claims::judge::{Evidence, judge};
    use crate::claims::verdict;
    use tempfile::TempDir;

    fn row(claim: &Claim, verdict: Verdict) -> Finding {
        Finding::untested(claim, verdict, String::new())
    }

    #[test]
    fn findings_are_written_and_read_back() {
        let all = embedded().unwrap();
        let rows: Vec<Finding> = all.iter().map(|claim| judge(claim, &Evidence::default(), None)).collect();
        let place = TempDir::new().unwrap();
        rows::write(place.path(), &rows).unwrap();
        assert_eq!(rows::read::<Finding>(place.path()).unwrap(), rows);
        let text = std::fs::read_to_string(place.path().join(FILE)).unwrap();
        for (from, to) in [("\n2,", "\n3,"), ("not-tested", "tested")] {
            std::fs::write(place.path().join(FILE), text.replacen(from, to, 1)).unwrap();
            assert!(rows::read::<Finding>(place.path()).is_err(), "{to}");
        }
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
        assert_eq!(count(&rows), "2 claims: agrees 1; cannot tell 1");
        assert_eq!([0.000_002_9, -0.0123, 0.718, 8.07, -0.0004].map(share), ["0", "-0.012", "0.718", "8.07", "0"]);
    }

    #[test]
    fn the_latest_verdict_counts_unless_it_decides_nothing() {
        let place = TempDir::new().unwrap();
        let text = (1..=3).map(|number| CLAIM[13..].replace("twice\"", &format!("twice-{number}\"")));
        let claims = claims(&format!("source = 's'\n{}", text.collect::<String>()));
        let keep = |name: &str, verdicts: [Verdict; 3]| {
            let rows: Vec<Finding> = claims.iter().zip(verdicts).map(|(claim, verdict)| row(claim, verdict)).collect();
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
        assert_eq!(counts, [("s".to_string(), [3, 1, 1, 1])]);
        assert_eq!(count_by_source(&claims, &HashMap::new())[0].1, [3, 0, 0, 3], "without records all is open");
        assert!(verdicts(&place.path().join("none")).is_err());
    }

    /// The verdicts in records are those that the rule gives for the recorded numbers.
    #[test]
    fn verdicts_of_records_follow_from_their_numbers() {
        let claims = embedded().unwrap();
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
        let words = [EXACT, verdict::REPETITIONS, verdict::POSITIONS, verdict::BOTH, verdict::PROCESSES, verdict::ALL];
        let mut compared = 0;
        for folder in std::fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path()) {
            for row in rows::read_any::<Finding>(&folder).unwrap() {
                // The published figure of a claim may have been corrected since.
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
