//! Claims: published figures, compared with measurements.
//!
//! A file of `experiments/claims/` has the [`claim`]s. [`judge`] makes a [`finding`] of a claim and measurements, by the
//! rule of [`verdict`].

pub mod claim;
pub mod finding;
pub mod judge;
pub mod verdict;
