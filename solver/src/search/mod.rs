//! Solvers: the trait, the one generic searcher, its named variants, and the oracle that checks them.
//!
//! [`Spec`] is a choice of one alternative for each axis. [`Variant`] makes a choice a type. So [`Searcher`] compiles
//! to one search for each named variant, without the branches of other alternatives. [`AtRunTime`] runs any choice with
//! all branches: a *dynamic variant*. [`registry`] lists the named variants.

pub mod analysis;
pub mod anatomy;
mod children;
mod choice;
mod fhourstones;
pub mod limits;
mod moves;
pub mod name;
mod node;
pub mod oracle;
pub mod registry;
pub mod root;
pub mod searcher;
pub mod size;
pub mod solver;
pub mod spec;
mod team;
pub mod threads;
pub mod variant;
pub mod view;

pub use anatomy::{NodeEnd, PlyCounts, RootWindow};
pub use limits::{Limits, Stopped};
pub use name::{Name, NameError};
pub use searcher::Searcher;
pub use solver::{BuildError, Counters, Goal, Options, Solve, Solved};
pub use spec::Spec;
pub use threads::{Threads, ThreadsError};
pub use variant::{AtRunTime, Variant};
pub use view::{Place, Proven, View};
