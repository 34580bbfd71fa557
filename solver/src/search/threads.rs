//! The number of threads of a search, and why it cannot have them. `team` has the threads' work.

use crate::search::registry::{ABLATIONS, WITH_ABLATIONS};
use std::fmt;

pub const MOST_THREADS: u32 = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// 1 to [`MOST_THREADS`].
    pub count: u32,
    /// Nodes that a search enters on one thread before the others join it. A search of no more nodes is deterministic.
    pub alone: u64,
}

impl Threads {
    /// About a millisecond on one thread.
    pub const FEW_NODES: u64 = 10_000;
    /// About a second on one thread.
    pub const MANY_NODES: u64 = 10_000_000;

    /// `count` threads, for searches of more than a millisecond.
    pub const fn of(count: u32) -> Self {
        Threads { count, alone: Self::FEW_NODES }
    }

    pub const fn is_possible(self) -> Result<(), ThreadsError> {
        if self.count == 0 || self.count > MOST_THREADS { Err(ThreadsError::Count(self.count)) } else { Ok(()) }
    }

    /// These threads, for searches of more than a second.
    #[must_use]
    pub const fn for_long_searches(self) -> Self {
        Threads { alone: Self::MANY_NODES, ..self }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadsError {
    /// The number is out of range.
    Count(u32),
    /// Only `search=children` has threads.
    Search,
    /// Several threads cannot write to a table of this kind.
    Table,
    /// No threads were compiled for this named variant.
    Variant,
    /// It is no search of this crate, or one without threads.
    Solver,
    /// Counts need a single thread.
    Counted,
    /// The system refused to start this number of threads; its error.
    Refused(u32, String),
}

impl fmt::Display for ThreadsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ThreadsError::Count(threads) => write!(f, "{threads} threads: there may be 1 to {MOST_THREADS}"),
            ThreadsError::Search => f.write_str("threads are for search=children"),
            ThreadsError::Table => f.write_str("threads need table=buckets"),
            ThreadsError::Variant if ABLATIONS => f.write_str(
                "threads are compiled for the champion and for dynamic variants: write the name with empty brackets",
            ),
            ThreadsError::Variant => {
                write!(
                    f,
                    "threads are compiled for the champion; `{WITH_ABLATIONS}` compiles them for dynamic variants"
                )
            }
            ThreadsError::Counted => f.write_str("counters need a single thread"),
            ThreadsError::Solver => f.write_str("this solver has one thread"),
            ThreadsError::Refused(threads, error) => write!(f, "the system refused {threads} threads: {error}"),
        }
    }
}

impl std::error::Error for ThreadsError {}
