//! Subcommands, driven as people and scripts drive them.

mod attribute;
mod boards;
mod book;
mod bot_export;
mod bots;
mod campaign;
#[cfg(unix)]
mod check;
mod elsewhere;
mod engine_clocks;
mod engines;
mod explain;
mod formats;
mod goals;
mod grow;
mod instructions;
mod list;
mod many;
mod matches;
mod measure;
mod merge;
mod names;
mod outcomes;
mod page;
#[cfg(unix)]
mod pages;
#[cfg(unix)]
mod pictures;
#[cfg(unix)]
mod play;
mod programs;
mod proof;
mod rank;
mod regime;
mod report;
mod reproduce;
mod serve;
#[cfg(target_os = "linux")]
mod sizes;
#[cfg(unix)]
mod solve;
mod store;
mod teams;
mod test_sets;
mod widths;
