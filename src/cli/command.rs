//! The types by which a package of extras/ adds commands, and options of `solve`, to the command line.

use crate::Exit;
use anyhow::Result;
use c4lab_solver::search::Solve;
use clap::{Arg, ArgMatches, Args, Command as Clap, Subcommand};

/// A command: its declaration for clap, and the function that runs it.
pub struct Command {
    pub clap: Clap,
    pub run: Run,
}

pub type Run = Box<dyn Fn(&ArgMatches) -> Result<Exit>>;

pub fn command<A: Args + 'static>(name: &'static str, run: fn(&A) -> Result<Exit>) -> Command {
    let clap = A::augment_args(Clap::new(name));
    Command { clap, run: Box::new(move |matches| run(&A::from_arg_matches(matches)?)) }
}

/// A command that is divided into commands.
pub fn divided<C: Subcommand + 'static>(name: &'static str, run: fn(&C) -> Result<Exit>) -> Command {
    let clap = C::augment_subcommands(Clap::new(name)).subcommand_required(true).arg_required_else_help(true);
    Command { clap, run: Box::new(move |matches| run(&C::from_arg_matches(matches)?)) }
}

/// Wraps a solver, for example in one that looks into an opening book first.
pub type Wrap = Box<dyn Fn(Box<dyn Solve>) -> Box<dyn Solve>>;

pub struct SolveOption {
    pub arg: fn() -> Arg,
    /// The wrapper for the command line of `solve`; `None` if the option is not given.
    pub wrap: fn(&ArgMatches) -> Result<Option<Wrap>>,
}
