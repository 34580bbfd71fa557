//! Variants: a choice of alternatives, as a type or as a value.

use crate::axes::order::{self, Weights};
use crate::game::{Geometry, Standard};
use crate::search::spec::Spec;
use std::marker::PhantomData;

/// A choice of alternatives that the engine can be compiled for.
///
/// A named variant is a zero-sized type whose `spec` is a constant: every match on it folds away.
pub trait Variant: Copy + Send {
    /// The geometry it searches.
    type Geometry: Geometry;
    /// Whether the engine counts what its table does, and which children end their parents
    /// ([`Searcher::cutoffs`](crate::search::Searcher::cutoffs)); a timed search counts nothing but nodes.
    const COUNTS: bool = false;
    /// Keep the board of every so many nodes ([`Searcher::sampled`](crate::search::Searcher::sampled)); 0 keeps none.
    const SAMPLE_EVERY: u64 = 0;
    /// The choice, where the type alone tells it: only what it can reach is compiled. `None` for a choice that is made at run time.
    const FIXED: Option<Spec> = None;
    /// The choice.
    fn spec(self) -> Spec;
    /// What `order=weighted` goes by.
    #[inline(always)]
    fn weights(self) -> Weights {
        order::WEIGHTS
    }
}

/// A variant with other weights, for fitting them: all else is folded as in the variant.
#[derive(Clone, Copy, Debug)]
pub struct Fitted<V: Variant>(V, Weights);

impl<V: Variant> Fitted<V> {
    /// The variant with those weights, each at most [`order::MOST_WEIGHT`].
    ///
    /// # Panics
    /// If a weight is larger.
    pub fn new(variant: V, weights: Weights) -> Self {
        assert!(weights.iter().all(|&weight| weight <= order::MOST_WEIGHT), "{weights:?}");
        Fitted(variant, weights)
    }
}

impl<V: Variant> Variant for Fitted<V> {
    type Geometry = V::Geometry;
    const FIXED: Option<Spec> = V::FIXED;
    const COUNTS: bool = V::COUNTS;
    const SAMPLE_EVERY: u64 = V::SAMPLE_EVERY;

    #[inline(always)]
    fn spec(self) -> Spec {
        self.0.spec()
    }

    #[inline(always)]
    fn weights(self) -> Weights {
        self.1
    }
}

/// Any choice, decided at run time, with the branches left in the search.
#[derive(Clone, Copy, Debug)]
pub struct Dynamic<G: Geometry = Standard>(Spec, PhantomData<G>);

impl<G: Geometry> Dynamic<G> {
    /// The variant of that choice.
    pub fn new(spec: Spec) -> Self {
        Dynamic(spec, PhantomData)
    }
}

impl<G: Geometry> Variant for Dynamic<G> {
    type Geometry = G;

    #[inline(always)]
    fn spec(self) -> Spec {
        self.0
    }
}

/// Any choice, decided at run time, that counts what its table does and which children end their parents.
#[derive(Clone, Copy, Debug)]
pub struct Counted<G: Geometry = Standard>(Spec, PhantomData<G>);

impl<G: Geometry> Counted<G> {
    /// The variant of that choice.
    pub fn new(spec: Spec) -> Self {
        Counted(spec, PhantomData)
    }
}

impl<G: Geometry> Variant for Counted<G> {
    type Geometry = G;
    const COUNTS: bool = true;

    #[inline(always)]
    fn spec(self) -> Spec {
        self.0
    }
}

/// Any choice, decided at run time, that keeps the board of every `EVERY`-th node: for benchmarks of what a node does.
#[derive(Clone, Copy, Debug)]
pub struct Sampling<const EVERY: u64, G: Geometry = Standard>(Spec, PhantomData<G>);

impl<const EVERY: u64, G: Geometry> Sampling<EVERY, G> {
    /// The variant of that choice.
    pub fn new(spec: Spec) -> Self {
        Sampling(spec, PhantomData)
    }
}

impl<const EVERY: u64, G: Geometry> Variant for Sampling<EVERY, G> {
    type Geometry = G;
    const SAMPLE_EVERY: u64 = EVERY;

    #[inline(always)]
    fn spec(self) -> Spec {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;
    use crate::search::registry::{CHAMPION_SCALAR, ChampionThreatsHalves};
    use crate::search::{Goal, Limits, Options, Searcher, Solver};

    fn nodes(variant: impl Variant<Geometry = Standard>) -> (i32, u64) {
        let mut engine = Searcher::new(variant, &Options { tt_bytes: 1 << 20 }).expect("a table");
        let position = Position::parse("5116116347241757466521647").expect("a position");
        let solved = engine.solve(&position, Goal::Strong, &Limits::default()).expect("no limit");
        (solved.score, solved.nodes)
    }

    #[test]
    fn other_weights_change_nodes_alone() {
        let fitted = |weights| nodes(Fitted::new(ChampionThreatsHalves, weights));
        let [own, none] = [order::WEIGHTS, [0; order::FEATURES.len()]].map(fitted);
        assert_eq!(own, nodes(Dynamic::<Standard>::new(CHAMPION_SCALAR)));
        assert_eq!(own.0, none.0);
        assert_ne!(own.1, none.1);
    }

    #[test]
    fn counting_changes_nothing_and_counts_what_others_were_searched_before() {
        let counted = Counted::<Standard>::new(CHAMPION_SCALAR);
        assert_eq!(nodes(counted), nodes(ChampionThreatsHalves));
        let mut engine = Searcher::new(counted, &Options { tt_bytes: 1 << 20 }).expect("a table");
        let position = Position::parse("113541175777156").expect("a position");
        let solved = engine.solve(&position, Goal::Strong, &Limits::default()).expect("no limit");
        let mut all = crate::search::Cutoffs::default();
        for (stones, &cutoffs) in engine.cutoffs().iter().enumerate() {
            assert!(cutoffs.count == 0 || (15..42).contains(&stones), "{stones}: {cutoffs:?}");
            assert!(cutoffs.late <= cutoffs.count && cutoffs.before <= cutoffs.nodes, "{stones}: {cutoffs:?}");
            assert!(cutoffs.late <= cutoffs.before, "a late cutoff comes after a node at least");
            all += cutoffs;
        }
        assert!(all.late > 0 && all.count < solved.nodes, "{all:?} of {} nodes", solved.nodes);
        engine.reset();
        assert!(engine.cutoffs().iter().all(|&cutoffs| cutoffs == Default::default()));
    }

    #[test]
    fn a_reset_forgets_what_ended_other_nodes() {
        for order in [crate::axes::Order::History, crate::axes::Order::Killers] {
            // Without a table, nothing else is remembered.
            let spec = Spec { order, ..crate::search::registry::without_table(CHAMPION_SCALAR) };
            let mut engine = Searcher::new(Dynamic::<Standard>::new(spec), &Options::default()).expect("no table");
            let position = Position::parse("41357411232772432666").expect("a position");
            let mut solve = |reset: bool| {
                if reset {
                    engine.reset();
                }
                engine.solve(&position, Goal::Strong, &Limits::default()).expect("no limit")
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
        Fitted::new(ChampionThreatsHalves, weights);
    }
}
