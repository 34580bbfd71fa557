//! The solver that a command line asks for.

use super::values::variant;
use super::{Usage, complain};
use crate::lab::bytes;
use crate::solve::registry::{self, DEFAULT, Entry};
use crate::solve::{Options, Solver, Spec};
use anyhow::Result;

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
}

impl SolverArgs {
    /// The name of the variant, and the changes to it.
    pub fn name(&self) -> String {
        let changes = self.spec.as_ref().map(|spec| format!(" with {spec}")).unwrap_or_default();
        format!("{}{changes}", self.variant.name)
    }

    /// Builds the solver. Warns where it has no use for the table's size.
    pub fn build(&self) -> Result<Box<dyn Solver>> {
        match &self.spec {
            None => {
                let options = options(self.variant.spec, self.tt, self.variant.name);
                Ok(self.variant.build(&options)?)
            }
            Some(changes) => {
                let spec =
                    Spec::parse(changes, self.variant.spec).map_err(|reason| Usage(format!("--spec: {reason}")))?;
                Ok(registry::build(spec, &options(spec, self.tt, &self.name()))?)
            }
        }
    }
}

/// The options with a table of `tt` bytes, if given. Warns where the spec has no use for them.
pub fn options(spec: Spec, tt: Option<u64>, name: &str) -> Options {
    if let Some(reason) = spec.ignores_table_size().filter(|_| tt.is_some()) {
        complain(ignored_size(name, reason));
    }
    tt.map_or(Options::default(), |tt_bytes| Options { tt_bytes })
}

/// What is said when a table's size is asked for in vain.
pub fn ignored_size(name: &str, reason: &str) -> String {
    format!("warning: --tt does not apply to {name}: {reason}")
}
