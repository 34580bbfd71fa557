//! Claims: what somebody published, held against what is measured here.
//!
//! A [`file`](written::file) of `experiments/claims/` names claims one by one, and [`ladder`](written::ladder)s whose
//! [`figures`](written::figures) become a claim each. What no measurement could fail is a statement. A [`plan`] is the experiment that tests
//! claims. [`evidence`] is what was measured. [`judge`](judge::judge) makes a [`finding`] of a claim and its evidence, with the word of the
//! [`verdict`] and the reason for it. [`table`] keeps the findings, [`sheets`] shows them,
//! [`by_source`] counts them.

pub mod by_source;
pub mod claim;
pub mod effect;
pub mod evidence;
pub mod finding;
pub mod judge;
pub mod plan;
pub mod published;
pub mod ratios;
pub mod sheets;
pub mod solved;
pub mod splice;
pub mod table;
pub mod verdict;
pub mod verdicts_record;
pub mod written;

#[cfg(test)]
mod tests;
