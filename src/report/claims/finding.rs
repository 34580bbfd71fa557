//! A finding: a claim, what was measured, and the verdict.

use crate::claims::claim::Claim;
use crate::claims::ratios::MeasuredRatio;
use crate::claims::verdict::Verdict;

/// What became of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The claim.
    pub claim: Claim,
    /// The set it was tested on.
    pub set: Option<String>,
    /// How many positions.
    pub positions: Option<usize>,
    /// How many repetitions.
    pub repetitions: Option<usize>,
    /// The number.
    pub measured: Option<MeasuredRatio>,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is so.
    pub why: String,
    /// Conditions that differ from the published ones.
    pub conditions: Vec<String>,
}

impl Finding {
    /// A claim that was not tested, and why.
    pub fn untested(claim: &Claim, verdict: Verdict, why: String) -> Self {
        let (claim, conditions) = (claim.clone(), claim.differs.clone());
        Finding { claim, set: None, positions: None, repetitions: None, measured: None, verdict, why, conditions }
    }

    /// A claim without a verdict: nothing could fail it. What was measured stands beside it, or why nothing was.
    pub fn stated(self) -> Self {
        let (mut conditions, measured) = (self.conditions, self.measured.is_some());
        if !measured {
            conditions.insert(0, self.why);
        }
        let why = if measured { "no measurement could fail it" } else { "not measured" }.to_string();
        Finding { verdict: Verdict::Statement, why, conditions, ..self }
    }
}
