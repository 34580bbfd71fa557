//! The laboratory: an experiment in, checked samples out.
//!
//! Its modules, in the order in which a reader needs them:
//!
//! - [`sets`]: test sets, their generation and verification, and random draws.
//! - [`plan`]: an experiment, and the schedule that follows from it and its seed.
//! - [`engines`]: foreign programs that answer positions.
//! - [`files`]: rows, the manifest, and the folder that holds them. Every reader of rows is here.
//! - [`run`]: one process that measures, cell by cell, and checks every score.
//! - [`merge`]: the folders of several machines become one.
//! - [`attribution`]: techniques switched on and off in all combinations.
//!
//! All of them use [`text`]; [`mod@in_order`] runs threads and keeps their results in order.

#[cfg(not(unix))]
compile_error!(
    "the laboratory needs a Unix: it waits for foreign programs, ends their groups, and reads the clock of a thread as a Unix does. \
     The solvers need none: `cargo build -p c4lab-solver`, or the Python package (python/README.md)"
);

pub mod attribution;
pub mod clock;
pub mod engines;
pub mod files;
#[doc(hidden)]
pub mod fixtures;
pub mod in_order;
pub mod merge;
pub mod plan;
pub mod run;
pub mod sets;
pub mod signature;
pub mod text;
