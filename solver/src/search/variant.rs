//! Variants: a choice of alternatives, as a type or as a value.

use crate::axes::order::{self, Weights};
use crate::axes::table::Table;
use crate::axes::table::any::AnyTable;
use crate::game::{Geometry, Standard};
use crate::search::spec::Spec;
use std::marker::PhantomData;

/// A choice of alternatives that a search can be compiled for.
///
/// A named variant is a zero-sized type whose `spec` is a constant: every match on it folds away. [`AtRunTime`] is any choice.
pub trait Variant: Copy + Send {
    /// The geometry it searches.
    type Geometry: Geometry;
    /// Its table.
    type Table: Table;
    /// The choice, where the type alone tells it: only what it can reach is compiled. `None` for a choice that is made at run time.
    const FIXED: Option<Spec> = None;
    /// The choice.
    fn spec(self) -> Spec;
    /// The weights of `order=weighted`.
    #[inline(always)]
    fn weights(self) -> Weights {
        order::WEIGHTS
    }
    /// What a search takes note of besides its nodes. A named variant takes note of nothing: it is timed.
    #[inline(always)]
    fn watch(self) -> Watch {
        Watch::NOTHING
    }
}

/// What a search takes note of besides its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Whether it counts what its table does, and which children end their parents ([`Searcher::cutoffs`](super::Searcher::cutoffs)).
    pub counts: bool,
    /// Whether to keep the board of every so many nodes ([`Searcher::sampled`](super::Searcher::sampled)); 0 keeps
    /// none.
    pub sample_every: u64,
}

impl Watch {
    /// Nothing.
    pub const NOTHING: Watch = Watch { counts: false, sample_every: 0 };
    /// What tables do, and which children end their parents.
    pub const COUNTS: Watch = Watch { counts: true, sample_every: 0 };
}

/// Any choice, made at run time, with the branches left in the search. There is one copy of it for each geometry.
#[derive(Clone, Copy, Debug)]
pub struct AtRunTime<G: Geometry = Standard> {
    spec: Spec,
    weights: Weights,
    watch: Watch,
    geometry: PhantomData<G>,
}

impl<G: Geometry> AtRunTime<G> {
    /// The variant of that choice.
    pub fn new(spec: Spec) -> Self {
        AtRunTime { spec, weights: order::WEIGHTS, watch: Watch::NOTHING, geometry: PhantomData }
    }

    /// The same, taking note of more.
    #[must_use]
    pub fn watching(self, watch: Watch) -> Self {
        AtRunTime { watch, ..self }
    }

    /// The same with other weights, for fitting them, each at most [`order::MOST_WEIGHT`].
    ///
    /// # Panics
    /// If a weight is larger.
    #[must_use]
    pub fn weighing(self, weights: Weights) -> Self {
        assert!(weights.iter().all(|&weight| weight <= order::MOST_WEIGHT), "{weights:?}");
        AtRunTime { weights, ..self }
    }
}

impl<G: Geometry> Variant for AtRunTime<G> {
    type Geometry = G;
    type Table = AnyTable;

    #[inline(always)]
    fn spec(self) -> Spec {
        self.spec
    }

    #[inline(always)]
    fn weights(self) -> Weights {
        self.weights
    }

    #[inline(always)]
    fn watch(self) -> Watch {
        self.watch
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::search::registry::{CHAMPION_SCALAR, ChampionThreatsHalves};
    use crate::search::{Goal, Limits, Options, Searcher, Solver};

    fn nodes(variant: impl Variant<Geometry = Standard>) -> (i32, u64) {
        let mut solver = Searcher::new(variant, &Options::with_tt(1 << 20)).expect("a table");
        let position = Position::parse("5116116347241757466521647").expect("a position");
        let solved = solver.solve(&position, Goal::Strong, &Limits::default()).expect("no limit");
        (solved.score, solved.nodes)
    }

    #[test]
    fn other_weights_change_nodes_alone() {
        let fitted = |weights| nodes(AtRunTime::<Standard>::new(CHAMPION_SCALAR).weighing(weights));
        let [own, none] = [order::WEIGHTS, [0; order::FEATURES.len()]].map(fitted);
        assert_eq!(own, nodes(AtRunTime::<Standard>::new(CHAMPION_SCALAR)));
        assert_eq!(own.0, none.0);
        assert_ne!(own.1, none.1);
    }

    #[test]
    fn counting_changes_nothing_and_counts_what_others_were_searched_before() {
        let counted = AtRunTime::<Standard>::new(CHAMPION_SCALAR).watching(Watch::COUNTS);
        assert_eq!(nodes(counted), nodes(ChampionThreatsHalves));
        let mut solver = Searcher::new(counted, &Options::with_tt(1 << 20)).expect("a table");
        let position = Position::parse("113541175777156").expect("a position");
        let solved = solver.solve(&position, Goal::Strong, &Limits::default()).expect("no limit");
        let mut all = crate::search::Cutoffs::default();
        for (stones, &cutoffs) in solver.cutoffs().iter().enumerate() {
            assert!(cutoffs.count == 0 || (15..42).contains(&stones), "{stones}: {cutoffs:?}");
            assert!(cutoffs.late <= cutoffs.count && cutoffs.before <= cutoffs.nodes, "{stones}: {cutoffs:?}");
            assert!(cutoffs.late <= cutoffs.before, "a late cutoff comes after a node at least");
            all += cutoffs;
        }
        assert!(all.late > 0 && all.count < solved.nodes, "{all:?} of {} nodes", solved.nodes);
        solver.reset();
        assert!(solver.cutoffs().iter().all(|&cutoffs| cutoffs == Default::default()));
    }

    #[test]
    fn a_reset_forgets_what_ended_other_nodes() {
        for order in [crate::axes::Order::History, crate::axes::Order::Killers] {
            // Without a table, nothing else is remembered.
            let spec = Spec { order, ..crate::search::registry::without_table(CHAMPION_SCALAR) };
            let mut solver = Searcher::new(AtRunTime::<Standard>::new(spec), &Options::default()).expect("no table");
            let position = Position::parse("41357411232772432666").expect("a position");
            let mut solve = |reset: bool| {
                if reset {
                    solver.reset();
                }
                solver.solve(&position, Goal::Strong, &Limits::default()).expect("no limit")
            };
            let [first, warm, again] = [true, false, true].map(&mut solve);
            assert_eq!((first.score, warm.score, first.nodes), (again.score, again.score, again.nodes), "{order:?}");
            assert_ne!(first.nodes, warm.nodes, "{order:?}");
        }
    }

    #[test]
    #[should_panic(expected = "[32, 0")]
    fn a_weight_too_large_is_refused() {
        let mut weights = [0; order::FEATURES.len()];
        weights[0] = order::MOST_WEIGHT + 1;
        let _ = AtRunTime::<Standard>::new(CHAMPION_SCALAR).weighing(weights);
    }
}
