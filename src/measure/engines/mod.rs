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

    /// What a program said of its last search; `None` for a solver of ours.
    fn account(&self) -> Option<&Account> {
        None
    }
}

impl Contestant for Box<dyn Solve> {}

/// What a program said of its last search, and what was wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Nodes, as it counts them.
    pub nodes: Option<u64>,
    /// Nanoseconds, by its own clock.
    pub ns: Option<u64>,
    /// Why there is no answer.
    pub failure: Option<Failure>,
}

/// What a program did instead of answering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// In words, on one line.
    pub reason: String,
}

/// What kind of thing it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// It was ended by a signal.
    Signal,
    /// It ran out of the memory that it was given.
    Memory,
    /// It did not start, or forget, in time.
    Late,
    /// It answered something else, exited, or could not be started.
    Other,
}
