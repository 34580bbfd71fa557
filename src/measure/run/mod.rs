//! Running: one process measures or counts cells, one by one, and every score is checked.
//!
//! [`measure`] runs an experiment; [`pilot`] finds the lengths of its batches, and [`estimate`] how
//! long it will take; [`cell`] times one search by the
//! [`clock`](crate::clock); [`counting`] counts untimed; [`chain`] tests the clock against the
//! system's; [`tally`] and [`signature`](crate::signature) find rows that are worthless.

pub mod cell;
pub mod chain;
pub mod counting;
pub mod estimate;
pub mod measure;
pub mod pilot;
pub mod tally;
