//! Solvers: the trait, the one generic engine, its named variants, and the oracle that checks them.
//!
//! [`Spec`] is a choice of alternatives, one an axis. [`Variant`] lifts a choice into a type, so that
//! [`Engine`] compiles to one search a named variant with every other alternative folded away;
//! [`Dynamic`] runs any choice, branches left in. [`registry`] lists the named ones. [`foreign`] makes a solver of somebody else's
//! program.

pub mod analysis;
mod brood;
mod cutoffs;
pub mod engine;
mod expand;
pub mod foreign;
pub mod limits;
pub mod oracle;
pub mod registry;
pub mod relaid;
pub mod root;
pub mod solver;
pub mod spec;
pub mod variant;

pub use cutoffs::Cutoffs;
pub use engine::Engine;
pub use limits::{Limits, Stopped};
pub use relaid::Relaid;
pub use solver::{Account, BuildError, Counters, Failure, FailureKind, Goal, Options, Solved, Solver};
pub use spec::Spec;
pub use variant::{Counted, Dynamic, Fitted, Sampling, Variant};
