//! Engines: foreign programs that answer positions. [`foreign`] makes a solver of a running program. [`table`]
//! describes an engine in an experiment. [`record`] identifies the program that was measured. [`detection`]
//! finds the protocol of an unknown engine, and the meaning of its answers.

pub mod detection;
pub mod foreign;
pub mod record;
pub mod table;

use crate::files::sample::Status;
use c4lab_solver::search::{Limits, Solve};

/// A solver that can prepare untimed, and that may report more than a score if it is an engine.
pub trait Contestant: Solve {
    /// Prepares for a search, untimed: an engine starts and resets here.
    fn prepare(&mut self, _limits: &Limits<'_>) {}

    /// The engine's own figures for its last search; `None` for a variant.
    fn figures(&self) -> Option<&EngineFigures> {
        None
    }
}

impl Contestant for Box<dyn Solve> {}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineFigures {
    pub nodes: Option<u64>,
    pub ns: Option<u64>,
    pub failure: Option<Failure>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The status of the row. `Timeout` is of a program that did not start, reset or answer in time.
    pub status: Status,
    /// In words, on one line.
    pub reason: String,
}
