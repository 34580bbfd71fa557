//! Variants: a choice of alternatives, as a type or as a value.

use crate::axes::lines::laned::Laned;
use crate::axes::table::Table;
use crate::axes::table::any::AnyTable;
use crate::game::{Geometry, Standard};
use crate::search::spec::Spec;

/// A choice of alternatives that a search can be compiled for.
///
/// A named variant is a zero-sized type whose `spec` is a constant: every match on it folds away. [`AtRunTime`] is any choice.
pub trait Variant: Copy + Send + 'static {
    type Geometry: Geometry<Word: Laned>;
    type Table: Table + 'static;
    /// The choice, where the type alone tells it: only what it can reach is compiled. `None` for a choice that is made at run time.
    const FIXED: Option<Spec> = None;
    fn geometry(self) -> Self::Geometry;
    fn spec(self) -> Spec;
    /// What a search takes note of besides its nodes. A named variant takes note of nothing: it is timed.
    #[inline(always)]
    fn watch(self) -> Watch {
        Watch::NOTHING
    }
}

/// What a search takes note of besides its nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Whether it counts what its table does, and which children end their parents.
    pub counts: bool,
    /// Whether to keep the board of every so many nodes ([`Searcher::sampled`](super::Searcher::sampled)); 0 keeps
    /// none.
    pub sample_every: u64,
}

impl Watch {
    pub const NOTHING: Watch = Watch { counts: false, sample_every: 0 };
    /// What tables do, and which children end their parents.
    pub const COUNTS: Watch = Watch { counts: true, sample_every: 0 };
}

/// Any choice, made at run time, with the branches left in the search. There is one copy of it for each geometry.
#[derive(Clone, Copy, Debug)]
pub struct AtRunTime<G: Geometry = Standard> {
    spec: Spec,
    watch: Watch,
    geometry: G,
}

impl AtRunTime {
    pub fn new(spec: Spec) -> Self {
        Self::on(Standard::NEW, spec)
    }
}

impl<G: Geometry> AtRunTime<G> {
    pub fn on(geometry: G, spec: Spec) -> Self {
        AtRunTime { spec, watch: Watch::NOTHING, geometry }
    }

    #[must_use]
    pub fn watching(self, watch: Watch) -> Self {
        AtRunTime { watch, ..self }
    }
}

impl<G: Geometry<Word: Laned>> Variant for AtRunTime<G> {
    type Geometry = G;
    type Table = AnyTable;

    #[inline(always)]
    fn geometry(self) -> G {
        self.geometry
    }

    #[inline(always)]
    fn spec(self) -> Spec {
        self.spec
    }

    #[inline(always)]
    fn watch(self) -> Watch {
        self.watch
    }
}
