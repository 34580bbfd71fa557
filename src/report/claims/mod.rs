//! Claims: what somebody published, held against what is measured here.
//!
//! A [`file`](mod@file) of `experiments/claims/` names claims one by one, and [`ladder`]s whose [`figures`] become a
//! claim each. A [`plan`] is the experiment that tests them. [`evidence`] is what was measured. [`judge`](judge::judge)
//! makes a [`finding`] of a claim and its evidence, with the word of the [`verdict`]. [`table`] shows the findings.

pub mod claim;
pub mod evidence;
pub mod figures;
pub mod file;
pub mod finding;
pub mod judge;
pub mod ladder;
pub mod plan;
pub mod ratios;
pub mod splice;
pub mod table;
pub mod verdict;

#[cfg(test)]
mod tests;
