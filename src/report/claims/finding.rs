//! A finding: a claim, its measurement and its verdict, as a row of `claims.csv`.

use crate::claims::claim::{Claim, Kind, Unit};
use crate::claims::verdict::{Measured, Verdict, verdict, why};
use c4lab_measure::files::rows::Row;
use c4lab_solver::search::Goal;
use serde::{Deserialize, Serialize};

/// The file in the folder of a run, or of a record.
pub const FILE: &str = "claims.csv";
/// The version of its columns, and of its verdicts.
const SCHEMA_VERSION: u32 = 2;

/// docs/FORMAT.md describes the columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

impl Row for Finding {
    const FILE: &'static str = FILE;
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
}

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
            set: claim.place.as_ref().map(|place| place.set.clone()),
            goal: claim.place.as_ref().map(|place| place.goal),
            published: claim.published.shown.clone(),
            published_low: Some(low),
            published_high: Some(high).filter(|high| high.is_finite()),
            own_table: claim.own_table,
            own_table_holds: claim.own_table.map(|value| (low..=high).contains(&value)),
            measured: None,
            measured_low: None,
            measured_high: None,
            interval_over: None,
            effect: None,
            effect_low: None,
            effect_high: None,
            positions: None,
            repetitions: None,
            verdict,
            why,
            conditions: claim.differs.join(BETWEEN),
        }
    }

    /// A claim with its measurement, and the verdict on it.
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

    /// `value` in the unit and with the decimals of the published number.
    pub fn shown(&self, value: f64) -> String {
        match self.kind.unit(self.base.is_some()) {
            Unit::Nodes => Unit::nodes(value, Unit::decimals(&self.published)),
            unit => unit.shown(value),
        }
    }
}
