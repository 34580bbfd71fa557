//! The subcommands of the command line, one file each. `main.rs` lists them. `c4lab_cli` says how they print and end.

pub mod ablate;
pub mod attribute;
pub mod bench;
pub mod check;
pub mod compare;
pub mod cpu;
pub mod engine;
pub mod list;
pub mod measure;
pub mod merge;
pub mod proof;
pub mod rank;
pub mod report;
pub mod reproduce;
pub mod solve;
pub mod test_sets;
