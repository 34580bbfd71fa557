//! The laboratory: an experiment in, checked samples out.
//!
//! An [`experiment`] names variants, test sets and limits; [`schedule`] turns it into blocks, a pure function of
//! the experiment and its seed; [`run`] measures them one by one with a [`clock`], checks every score, and leaves
//! [`sample`] rows and a [`manifest`] in a [`folder`] that can be resumed.

pub mod ablation_path;
pub mod atomic;
pub mod attribution;
pub mod attribution_manifest;
pub mod attribution_run;
pub mod build_info;
pub mod bytes;
pub mod campaign;
pub mod clock;
mod contradiction;
pub mod count_manifest;
pub mod counting;
pub mod draw;
pub mod embedded;
pub mod engine_record;
pub mod engine_table;
pub mod experiment;
pub mod folder;
pub mod generate;
pub mod ledger;
pub mod machine;
pub mod manifest;
pub mod measure;
pub mod merge;
pub mod merged;
mod merged_counters;
pub mod node_row;
pub mod node_run;
pub mod participant;
pub mod pick;
pub mod protocol;
pub mod rate;
pub mod run;
pub mod run_record;
pub mod sample;
pub mod schedule;
mod session;
pub mod shard;
pub mod signature;
pub mod sized;
pub mod test_set;
pub mod toml_error;
pub mod verify;
pub mod whole_lines;
