//! Tests of the subcommands by the command line.

mod ablate;
mod attribute;
mod boards;
#[cfg(unix)]
mod check;
mod engines;
mod forms;
mod list;
mod measure;
mod merge;
mod page;
#[cfg(unix)]
mod pages;
mod report;
mod reproduce;
mod resume;
mod solve;
mod test_sets;
#[cfg(unix)]
mod text;
mod threads;
