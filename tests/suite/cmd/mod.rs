//! Subcommands, driven as people and scripts drive them.

mod attribute;
mod boards;
mod book;
mod bots;
mod campaign;
mod elsewhere;
mod engine_clocks;
mod engines;
mod goals;
mod grow;
mod instructions;
mod list;
mod matches;
mod measure;
mod merge;
mod names;
mod page;
mod programs;
mod proof;
mod rank;
mod regime;
mod report;
mod reproduce;
mod sizes;
#[cfg(unix)]
mod soak;
mod solve;
mod store;
mod test_sets;
mod widths;
