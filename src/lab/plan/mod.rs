//! The plan: an experiment as TOML has it, and the schedule of cells that follows from it and its seed.

pub mod bytes;
pub mod embedded;
pub mod experiment;
pub mod participant;
pub mod schedule;
pub mod shard;
pub mod sized;
pub mod toml_error;
