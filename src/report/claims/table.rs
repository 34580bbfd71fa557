//! Findings as rows of `claims.csv`.

use crate::claims::claim::{Kind, means};
use crate::claims::effect::EffectShare;
use crate::claims::finding::Finding;
use crate::claims::verdict::Verdict;
use anyhow::{Context, Result, bail};
use c4lab_measure::files::rows::{Row, RowsOf};
use c4lab_solver::search::Goal;
use serde::{Deserialize, Serialize};
use std::path::Path;

pub const FILE: &str = "claims.csv";
const SCHEMA_VERSION: u32 = 2;

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

const BETWEEN: &str = " | ";

impl From<&Finding> for ClaimRow {
    fn from(finding: &Finding) -> Self {
        let claim = &finding.claim;
        // Of a statement nothing counts as reproduced.
        let (low, high) = if claim.is_statement { (f64::NAN, f64::NAN) } else { claim.published.range };
        let interval = finding.measured.and_then(|measured| measured.interval);
        let effect = finding.measured.and_then(|measured| EffectShare::of(&claim.published, &measured));
        let effects = effect.and_then(|effect| effect.interval);
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
            measured: finding.measured.map(|measured| measured.value),
            measured_low: interval.map(|interval| interval.0),
            measured_high: interval.map(|interval| interval.1),
            interval_over: finding.measured.map(|measured| measured.over.word().to_string()),
            effect: effect.map(|effect| effect.value),
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

impl ClaimRow {
    /// The row with the folder that it was judged by among its conditions, where something was measured.
    pub fn judged_by(mut self, folder: &str) -> Self {
        if self.measured.is_some() {
            let between = if self.conditions.is_empty() { "" } else { BETWEEN };
            self.conditions = format!("judged by {folder}{between}{}", self.conditions);
        }
        self
    }

    /// Conditions that differ, and what else is to be known.
    pub fn conditions(&self) -> impl Iterator<Item = &str> {
        self.conditions.split(BETWEEN).filter(|condition| !condition.is_empty())
    }

    /// Whether the row was chosen by the beginning of its id.
    pub fn is_meant_by(&self, name: &str) -> bool {
        means(name, &self.claim)
    }
}

pub fn csv(rows: &[ClaimRow]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}

/// What a folder keeps of the claims that were held against it.
#[derive(Debug)]
pub enum Kept {
    Nothing,
    /// The names of claims, from a file whose verdicts were given by an older rule.
    Older(Vec<String>),
    Rows(Vec<ClaimRow>),
}

impl Kept {
    /// What a folder keeps; an error names file, line and reason.
    pub fn read(folder: &Path) -> Result<Kept> {
        let file = folder.join(FILE);
        if !file.is_file() {
            return Ok(Kept::Nothing);
        }
        let (bytes, shown) = (std::fs::read(&file), file.display().to_string());
        let bytes = bytes.with_context(|| format!("cannot read {shown}"))?;
        match older(&bytes) {
            Some(names) => Ok(Kept::Older(names)),
            None => Ok(Kept::Rows(parse(&shown, &bytes)?)),
        }
    }
}

/// The names of the claims of an older file, whose first row says so.
fn older(bytes: &[u8]) -> Option<Vec<String>> {
    let mut reader = csv::Reader::from_reader(bytes);
    let headers = reader.headers().ok()?.clone();
    let [version, claim] = ["schema_version", "claim"].map(|name| headers.iter().position(|header| header == name));
    let mut names = Vec::new();
    for record in reader.records() {
        let record = record.ok()?;
        if record.get(version?)?.parse::<u32>().ok()? >= SCHEMA_VERSION {
            return None;
        }
        names.push(record.get(claim?)?.to_string());
    }
    Some(names).filter(|names| !names.is_empty())
}

/// Reads rows; an error names file, line and reason.
pub fn parse(file: &str, bytes: &[u8]) -> Result<Vec<ClaimRow>> {
    if older(bytes).is_some() {
        bail!(
            "{file}: its verdicts were given by an older rule; `c4lab reproduce --from FOLDER` judges the samples again"
        );
    }
    RowsOf::of(Path::new(file), Box::new(bytes))?.collect()
}

impl Row for ClaimRow {
    const FILE: &'static str = FILE;
    const WHAT: &'static str = "claims";
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
}
