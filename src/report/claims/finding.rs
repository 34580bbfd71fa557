//! A finding: a claim, what was measured, and the verdict.

use crate::claims::claim::Claim;
use crate::claims::ratios::MeasuredRatio;
use crate::claims::verdict::Verdict;

#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub claim: Claim,
    pub set: Option<String>,
    pub positions: Option<usize>,
    pub repetitions: Option<usize>,
    pub measured: Option<MeasuredRatio>,
    pub verdict: Verdict,
    pub why: String,
    pub conditions: Vec<String>,
}

impl Finding {
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
