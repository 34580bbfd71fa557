//! Engines: foreign programs that answer positions. [`foreign`] makes a solver of a running program. [`table`] is how
//! an experiment names a program. [`record`] says which program stood under a name. [`detection`] finds out how a program is asked, [`fit`] what its answers mean.

pub mod detection;
pub mod fit;
pub mod foreign;
pub mod record;
pub mod table;

use c4lab_solver::search::{Limits, Solve};

/// A solver that can be prepared outside of its time, and a program that says more than scores.
pub trait Contestant: Solve {
    /// Prepares for a search: a program starts here, and forgets.
    fn prepare(&mut self, _limits: &Limits<'_>) {}

    /// The program's own figures for its last search; `None` for a solver of ours.
    fn account(&self) -> Option<&Account> {
        None
    }
}

impl Contestant for Box<dyn Solve> {}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    pub nodes: Option<u64>,
    pub ns: Option<u64>,
    pub failure: Option<Failure>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// In words, on one line.
    pub reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    Signal,
    Memory,
    /// It did not start, or forget, in time.
    Late,
    /// It answered something else, exited, or could not be started.
    Other,
}
