//! Relaid: an engine that searches in another layout than its positions come in.
//!
//! The board is laid out anew once a search, which takes some nanoseconds and is timed: it is part of the layout's cost.

use crate::game::score::Score;
use crate::game::{Geometry, Position, Standard};
use crate::search::limits::{Limits, Stopped};
use crate::search::searcher::Searcher;
use crate::search::solver::{Counters, Goal, Solved, Solver};
use crate::search::variant::Variant;
use std::marker::PhantomData;

/// An engine of any layout of a board, as a solver of positions of `G`.
pub struct Relaid<V: Variant, G: Geometry = Standard>(Searcher<V>, PhantomData<G>);

impl<V: Variant, G: Geometry> Relaid<V, G> {
    /// A solver made of an engine; does not compile where the boards differ in more than layout.
    pub fn new(engine: Searcher<V>) -> Self {
        Relaid(engine, PhantomData)
    }
}

impl<V: Variant, G: Geometry> Solver<G> for Relaid<V, G> {
    fn reset(&mut self) {
        self.0.reset();
    }

    fn solve(&mut self, position: &Position<G>, goal: Goal, limits: &Limits<'_>) -> Result<Solved, Stopped> {
        self.0.score(position.board().to_layout(), goal, limits)
    }

    fn exceeds(&mut self, position: &Position<G>, bound: Score, limits: &Limits<'_>) -> Result<bool, Stopped> {
        self.0.is_above(position.board().to_layout(), bound, limits)
    }

    fn table_bytes(&self) -> u64 {
        self.0.table_bytes()
    }

    fn counters(&self) -> Option<Counters> {
        self.0.counters()
    }
}
