//! Running: one process measures or counts cells, one by one, and every score is checked.
//!
//! [`measure`] runs an experiment; a [`pilot`] says how long batches are, [`cell`] times one search by the
//! [`clock`](crate::clock); [`counting`] and [`node_run`] count without a clock; [`chain`] holds the clock against the
//! system's; [`tally`] and [`signature`](crate::signature) say when rows are worthless.

pub mod cell;
pub mod chain;
pub mod counting;
pub mod measure;
pub mod node_run;
pub mod pilot;
pub mod tally;
