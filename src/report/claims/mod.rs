//! Claims: what somebody published, held against what is measured here.
//!
//! A file of `experiments/claims/` has the [`claim`]s. A [`plan`] is the experiment that tests them. [`judge`] holds a claim against what was
//! measured and makes a finding, by the rule of [`verdict`]. [`output`] keeps findings as rows and shows them.

pub mod claim;
pub mod finding;
pub mod judge;
pub mod output;
pub mod plan;
pub mod verdict;
