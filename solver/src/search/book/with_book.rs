//! A solver with a book: it looks up what the book knows, and searches the rest.

use super::Book;
use crate::game::score::Score;
use crate::game::{BoardSize, Position};
use crate::search::anatomy::{PlyCounts, RootWindow};
use crate::search::limits::{Limits, Stopped};
use crate::search::solver::{Account, Counters, Goal, Solve, Solved};
use crate::search::threads::{Threads, ThreadsError};
use std::sync::Arc;

/// A solver and its book. A position that the book knows takes no node.
pub struct WithBook {
    solver: Box<dyn Solve>,
    book: Arc<Book>,
}

impl WithBook {
    /// Both; a book of another board answers nothing.
    pub fn new(solver: Box<dyn Solve>, book: Arc<Book>) -> Self {
        WithBook { solver, book }
    }
}

impl Solve for WithBook {
    fn board_size(&self) -> BoardSize {
        self.solver.board_size()
    }

    fn reset(&mut self) {
        self.solver.reset();
    }

    fn prepare(&mut self, limits: &Limits<'_>) {
        self.book.list();
        self.solver.prepare(limits);
    }

    fn solve(&mut self, position: &Position, goal: Goal, limits: &Limits<'_>) -> Result<Solved, Stopped> {
        match self.book.score(position) {
            Some(score) => Ok(Solved { score: goal.of(score), nodes: 0 }),
            None => self.solver.solve(position, goal, limits),
        }
    }

    fn exceeds(&mut self, position: &Position, bound: Score, limits: &Limits<'_>) -> Result<bool, Stopped> {
        match self.book.score(position) {
            Some(score) => Ok(score > bound),
            None => self.solver.exceeds(position, bound, limits),
        }
    }

    fn table_bytes(&self) -> u64 {
        self.solver.table_bytes()
    }

    fn use_threads(&mut self, threads: Threads) -> Result<(), ThreadsError> {
        self.solver.use_threads(threads)
    }

    fn threads(&self) -> u32 {
        self.solver.threads()
    }

    fn account(&self) -> Option<&Account> {
        self.solver.account()
    }

    fn counters(&self) -> Option<Counters> {
        self.solver.counters()
    }

    fn anatomy(&self) -> &[PlyCounts] {
        self.solver.anatomy()
    }

    fn windows(&self) -> &[RootWindow] {
        self.solver.windows()
    }
}
