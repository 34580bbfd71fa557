//! Why a search has no threads.

use super::MOST_THREADS;
use std::fmt;

/// Why a search cannot have so many threads.
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
            ThreadsError::Variant => f.write_str(
                "threads are compiled for the champion, and for every choice at run time: an empty bracket behind the name asks for that",
            ),
            ThreadsError::Counted => f.write_str("what a search does is counted with one thread alone"),
            ThreadsError::Solver => f.write_str("this solver has one thread"),
            ThreadsError::Refused(threads, error) => write!(f, "no {threads} threads to be had: {error}"),
        }
    }
}

impl std::error::Error for ThreadsError {}
