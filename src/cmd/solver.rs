//! The solver that a command line asks for.

use crate::cmd::values::variant;
use crate::cmd::{Usage, complain};
use anyhow::Result;
use c4lab::lab::plan::bytes;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::registry::{self, DEFAULT, Entry};
use c4lab_solver::search::{Options, Solver, Spec};

/// Which solver, and how large its table.
#[derive(Debug, clap::Args)]
pub struct SolverArgs {
    /// The variant (`c4lab list variants`)
    #[arg(long, value_name = "NAME", default_value = DEFAULT, value_parser = variant(), hide_possible_values = true)]
    variant: &'static Entry,
    /// Changes to that variant, key=value,... (`c4lab list axes`)
    #[arg(long, value_name = "KEY=VALUE,...")]
    spec: Option<String>,
    /// Size of the table, for variants without a fixed one: 64MiB, 1GiB, 40MB or bytes [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = bytes::parse)]
    tt: Option<u64>,
    /// Columns and rows of the board (`c4lab list boards`)
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = BoardSize::STANDARD)]
    pub board: BoardSize,
}

impl SolverArgs {
    /// The name of the variant, and the changes to it.
    pub fn name(&self) -> String {
        let changes = self.spec.as_ref().map(|spec| format!(" with {spec}")).unwrap_or_default();
        format!("{}{changes}", self.variant.name)
    }

    /// Its choice on every axis.
    pub fn choice(&self) -> Result<Spec> {
        let parse = |changes: &String| Spec::parse(changes, self.variant.spec);
        let spec = self.spec.as_ref().map(parse).transpose();
        Ok(spec.map_err(|reason| Usage(format!("--spec: {reason}")))?.unwrap_or(self.variant.spec))
    }

    /// Builds the solver. Warns where it has no use for the table's size, is not what its name says, or not exact.
    pub fn build(&self) -> Result<Box<dyn Solver>> {
        let spec = self.choice()?;
        let options = Options { board: self.board, ..options(spec, self.tt, &self.name()) };
        let solver = if self.spec.is_none() { self.variant.build(&options)? } else { registry::build(spec, &options)? };
        if let Err(reason) = spec.available() {
            complain(format_args!("warning: {}: {reason}", self.name()));
        }
        if !spec.is_exact() {
            let most = "a search of n nodes is wrong with a chance of at most n / 2^56";
            complain(format_args!("warning: {} hashes its keys: {most}", self.name()));
        }
        Ok(solver)
    }
}

/// The options with a table of `tt` bytes, if given. Warns where the spec has no use for them.
pub fn options(spec: Spec, tt: Option<u64>, name: &str) -> Options {
    if let Some(reason) = spec.ignores_table_size().filter(|_| tt.is_some()) {
        complain(ignored_size(name, reason));
    }
    tt.map_or(Options::default(), |tt_bytes| Options::with_tt(tt_bytes))
}

/// What is said when a table's size is asked for in vain.
pub fn ignored_size(name: &str, reason: &str) -> String {
    format!("warning: --tt does not apply to {name}: {reason}")
}
