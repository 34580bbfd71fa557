//! How many threads a search has, and what they do.

use super::{MOST_THREADS, ThreadsError};
use crate::axes::Split;

/// The threads of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// How many: 1 to [`MOST_THREADS`].
    pub count: u32,
    /// How they divide the work.
    pub split: Split,
    /// Nodes that a search enters on one thread before the others join it: so it takes the same nodes each time if it takes no more.
    pub alone: u64,
}

impl Threads {
    /// About a millisecond on one thread.
    pub const FEW_NODES: u64 = 10_000;
    /// About a second on one thread.
    pub const MANY_NODES: u64 = 10_000_000;

    /// So many, which divide a search of more than a millisecond in the best way known ([`Split::Abdada`]).
    pub const fn of(count: u32) -> Self {
        Threads { count, split: Split::Abdada, alone: Self::FEW_NODES }
    }

    /// Whether a search may have so many.
    ///
    /// # Errors
    /// There are none, or more than [`MOST_THREADS`].
    pub const fn is_possible(self) -> Result<(), ThreadsError> {
        if self.count == 0 || self.count > MOST_THREADS { Err(ThreadsError::Count(self.count)) } else { Ok(()) }
    }

    /// The same, for searches that take longer than a second.
    #[must_use]
    pub const fn for_long_searches(self) -> Self {
        Threads { alone: Self::MANY_NODES, ..self }
    }

    /// The same, which divide a search in another way.
    #[must_use]
    pub const fn by(self, split: Split) -> Self {
        Threads { split, ..self }
    }
}
