//! Connect Four solvers: the fastest exact one, and every published technique as an option of one search.
//!
//! ```
//! use c4lab_solver::{Position, Solver};
//!
//! let position: Position = "44455554221".parse()?;
//! let score = Solver::default().score(&position)?;
//! assert_eq!(score, -15); // the opponent wins with its seventh stone
//! # Ok::<(), c4lab_solver::Error>(())
//! ```
//!
//! A [`Solver`] is made by its [`Builder`] for a [`Variant`], the name of a choice of techniques: `champion`,
//! `pons-12`, `champion[order=centre]`. All variants, and solvers of your own, implement the trait [`Solve`].
//!
//! The laboratory's own code is in three modules hidden from this page: `game` has the rules, `axes` the techniques,
//! with an enum of alternatives for each, and `search` combines them. Each module imports only from those before it.

#![warn(missing_docs)]

#[doc(hidden)]
pub mod axes;
#[doc(hidden)]
pub mod game;
// The loom model of the tables (axes/table/words.rs) needs no search, and searches take minutes to compile.
#[cfg(not(all(loom, test)))]
#[doc(hidden)]
pub mod search;
#[cfg(not(all(loom, test)))]
mod solver;

pub use game::Position;
pub use game::score::Score;
#[cfg(not(all(loom, test)))]
pub use search::{Goal, Limits, Name as Variant, Solve, Solved, Stopped};
#[cfg(not(all(loom, test)))]
pub use solver::{Builder, Error, Solver, Winner};

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
