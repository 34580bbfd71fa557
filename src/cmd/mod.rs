//! The command line: one thin file a subcommand. `main.rs` lists them.
//!
//! Data goes to stdout, messages to stderr as `c4lab: message`. A command returns how it ended. Every line that it
//! prints is written to a locked stdout. It returns the errors of that, so that a closed pipe ends it quietly.

pub mod attribute;
pub mod bench;
pub mod campaign;
pub mod check;
pub mod compare;
pub mod completions;
pub mod cpu;
pub mod engine;
mod forecast;
pub mod list;
pub mod man;
pub mod measure;
pub mod merge;
pub mod processes;
pub mod proof;
pub mod rank;
pub mod report;
pub mod reproduce;
mod screen;
pub mod solve;
pub mod test_sets;
