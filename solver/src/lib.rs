//! Connect Four solvers, taken apart into techniques.
//!
//! A solver is a choice of techniques. [`axes`] holds the techniques, one enum each; [`search::Spec`] is a choice;
//! [`search::Searcher`] is the search that every choice is compiled from; [`search::registry`] names some of them.
//!
//! The rooms import only from those above them, and are best read in this order: [`game`], [`axes`], [`search`].
//!
//! ```
//! use c4lab_solver::game::Position;
//! use c4lab_solver::search::{registry, Goal, Limits, Options, Solve};
//!
//! let mut solver = registry::find(registry::DEFAULT)?.build(&Options::default())?;
//! let position = Position::parse("44455554221")?;
//! print!("{}", position.diagram());
//! // . . . . . . .
//! // . . . O . . .   (the diagram is the board's own; X moves first)
//! let solved = solver.solve(&position, Goal::Strong, &Limits::default())?;
//! assert_eq!(solved.score, -15); // the opponent wins with its seventh stone
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

pub mod axes;
pub mod game;
// The model of the tables (axes/table/words.rs) needs no search, and searches take minutes to compile.
#[cfg(not(all(loom, test)))]
pub mod search;

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
