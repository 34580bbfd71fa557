//! How many threads a search has, and why it cannot have them. What they do stands in `team`.

use crate::search::registry::{ABLATIONS, WITH_ABLATIONS};
use std::fmt;

pub const MOST_THREADS: u32 = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// How many: 1 to [`MOST_THREADS`].
    pub count: u32,
    /// Nodes that a search enters on one thread before the others join it: so it takes the same nodes each time if it takes no more.
    pub alone: u64,
}

impl Threads {
    /// About a millisecond on one thread.
    pub const FEW_NODES: u64 = 10_000;
    /// About a second on one thread.
    pub const MANY_NODES: u64 = 10_000_000;

    /// So many, for searches of more than a millisecond.
    pub const fn of(count: u32) -> Self {
        Threads { count, alone: Self::FEW_NODES }
    }

    pub const fn is_possible(self) -> Result<(), ThreadsError> {
        if self.count == 0 || self.count > MOST_THREADS { Err(ThreadsError::Count(self.count)) } else { Ok(()) }
    }

    /// The same, for searches that take longer than a second.
    #[must_use]
    pub const fn for_long_searches(self) -> Self {
        Threads { alone: Self::MANY_NODES, ..self }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadsError {
    /// That is no number of threads.
    Count(u32),
    /// Only a search of children together has threads.
    Search,
    /// The table is not made of words that several threads can write.
    Table,
    /// No threads were compiled for this named variant.
    Variant,
    /// It is no search of this crate, or one that has no threads.
    Solver,
    /// What a search does is counted with one thread alone.
    Counted,
    /// The system gave fewer threads than these; what it said.
    Refused(u32, String),
}

impl fmt::Display for ThreadsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ThreadsError::Count(threads) => write!(f, "{threads} threads: there may be 1 to {MOST_THREADS}"),
            ThreadsError::Search => f.write_str("threads are for search=children"),
            ThreadsError::Table => f.write_str("threads need table=buckets"),
            ThreadsError::Variant if ABLATIONS => f.write_str(
                "threads are compiled for the champion, and for every choice at run time: an empty bracket behind the name asks for that",
            ),
            ThreadsError::Variant => {
                write!(f, "threads are compiled for the champion; `{WITH_ABLATIONS}` compiles them for every choice at run time")
            }
            ThreadsError::Counted => f.write_str("what a search does is counted with one thread alone"),
            ThreadsError::Solver => f.write_str("this solver has one thread"),
            ThreadsError::Refused(threads, error) => write!(f, "no {threads} threads to be had: {error}"),
        }
    }
}

impl std::error::Error for ThreadsError {}
