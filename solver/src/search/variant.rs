//! Variants: a choice of alternatives, as a type or as a value.

use crate::axes::lines::laned::Laned;
use crate::axes::table::SharedTable;
use crate::axes::table::any::AnyTable;
use crate::game::Geometry;
use crate::search::spec::Spec;

/// A choice of alternatives that a search can be compiled for.
///
/// A named variant is a zero-sized type with a constant `spec`, so matches fold away. [`AtRunTime`] is any choice.
pub trait Variant: Copy + Send + 'static {
    type Geometry: Geometry<Word: Laned>;
    type Table: SharedTable + 'static;
    /// The choice, if the type fixes it: only code that it can reach is compiled. `None` for a choice made at run time.
    const FIXED: Option<Spec> = None;
    fn geometry(self) -> Self::Geometry;
    fn spec(self) -> Spec;
    /// True if it counts the probes of its table, and the ends of its nodes. A named variant does not: it is timed.
    #[inline(always)]
    fn counts(self) -> bool {
        false
    }
}

/// Any choice, made at run time, with all branches in the search. There is one copy of it for each geometry.
#[derive(Clone, Copy, Debug)]
pub struct AtRunTime<G: Geometry> {
    pub geometry: G,
    pub spec: Spec,
    pub counts: bool,
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
    fn counts(self) -> bool {
        self.counts
    }
}
