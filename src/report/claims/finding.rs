//! A finding: a claim, what was measured, and the verdict.

use crate::report::claims::claim::Claim;
use crate::report::claims::ratios::MeasuredRatio;
use crate::report::claims::verdict::Verdict;

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
    /// Conditions that differ from the published ones. Where nothing can be said, also the reason.
    pub conditions: Vec<String>,
}

impl Finding {
    /// A claim that was not tested, and why.
    pub fn untested(claim: &Claim, verdict: Verdict, why: String) -> Self {
        let conditions = [vec![why], claim.differs.clone()].concat();
        let claim = claim.clone();
        Finding { claim, set: None, positions: None, repetitions: None, measured: None, verdict, conditions }
    }
}
