//! The plan: an experiment as TOML has it, resolved once, and the schedule of cells that follows from it and its seed.

pub mod experiment;
pub mod growth;
#[allow(clippy::module_inception, reason = "the room is named after its main file")]
pub mod plan;
pub mod schedule;
pub mod shard;
