//! The command line: one thin file a subcommand. `main.rs` lists them.
//!
//! Data goes to stdout, messages to stderr as `c4lab: message`. A command returns how it ended. Every line that it
//! prints is written to a locked stdout. It returns the errors of that, so that a closed pipe ends it quietly.

pub mod attribute;
pub mod bench;
pub mod check;
pub mod compare;
pub mod cpu;
pub mod engine;
pub mod list;
pub mod man;
pub mod measure;
pub mod merge;
pub mod processes;
pub mod proof;
pub mod report;
pub mod reproduce;
pub mod solve;
pub mod test_sets;
