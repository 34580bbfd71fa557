//! c4lab: a laboratory for Connect Four solvers.
//!
//! A solver is a choice of techniques. [`axes`] holds the techniques, one enum each; [`solve::Spec`] is a choice;
//! [`solve::Engine`] is the one search that every choice is compiled from; [`solve::registry`] names some of them.
//! [`lab`] measures choices against each other, every score checked, and [`report`] says what came of it.
//!
//! The rooms import only from those above them, and are best read in this order: [`game`], [`axes`], [`solve`],
//! [`lab`], [`report`], [`cmd`].
//!
//! ```
//! use c4lab::game::Position;
//! use c4lab::solve::{registry, Goal, Limits, Options, Solver};
//!
//! let mut solver = registry::find(registry::DEFAULT)?.build(&Options::default())?;
//! let position = Position::parse("44455554221")?;
//! println!("{}", position.board());
//! // . . . . . . .
//! // . . . O . . .   (the diagram is the board's own; X moves first)
//! let solved = solver.solve(&position, Goal::Strong, &Limits::default())?;
//! assert_eq!(solved.score, -15); // the opponent wins with its seventh stone
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod axes;
pub mod cmd;
pub mod game;
pub mod lab;
pub mod report;
pub mod solve;
