//! What a package beside the laboratory adds to the command line: commands, and options of `solve`.

use crate::Exit;
use anyhow::Result;
use c4lab_solver::search::Solve;
use clap::{Arg, ArgMatches, Args, Command as Clap};

/// A command: its name, its command line, and what runs it.
pub trait Command {
    fn name(&self) -> &'static str;
    fn clap(&self) -> Clap;
    fn run(&self, matches: &ArgMatches) -> Result<Exit>;
}

/// The command of some arguments.
pub fn command<A: Args + 'static>(name: &'static str, run: fn(&A) -> Result<Exit>) -> Box<dyn Command> {
    Box::new(Of { name, run })
}

/// What an option puts around a solver.
pub type Wrap = Box<dyn Fn(Box<dyn Solve>) -> Box<dyn Solve>>;

/// An option of `solve`.
pub struct SolveOption {
    pub arg: fn() -> Arg,
    /// What it does, given the command line of `solve`; nothing where it is not asked for.
    pub wrap: fn(&ArgMatches) -> Result<Option<Wrap>>,
}

struct Of<A> {
    name: &'static str,
    run: fn(&A) -> Result<Exit>,
}

impl<A: Args> Command for Of<A> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn clap(&self) -> Clap {
        A::augment_args(Clap::new(self.name))
    }

    fn run(&self, matches: &ArgMatches) -> Result<Exit> {
        (self.run)(&A::from_arg_matches(matches)?)
    }
}
