//! What a package beside the laboratory adds to the command line: commands, and options of `solve`.

use crate::Exit;
use anyhow::Result;
use c4lab_solver::search::Solve;
use clap::{Arg, ArgMatches, Args, Command as Clap};

/// A command: its command line, and what runs it.
pub struct Command {
    pub clap: Clap,
    pub run: Run,
}

pub type Run = Box<dyn Fn(&ArgMatches) -> Result<Exit>>;

pub fn command<A: Args + 'static>(name: &'static str, run: fn(&A) -> Result<Exit>) -> Command {
    let clap = A::augment_args(Clap::new(name));
    Command { clap, run: Box::new(move |matches| run(&A::from_arg_matches(matches)?)) }
}

/// What an option puts around a solver.
pub type Wrap = Box<dyn Fn(Box<dyn Solve>) -> Box<dyn Solve>>;

pub struct SolveOption {
    pub arg: fn() -> Arg,
    /// What it does, given the command line of `solve`; nothing where it is not asked for.
    pub wrap: fn(&ArgMatches) -> Result<Option<Wrap>>,
}
