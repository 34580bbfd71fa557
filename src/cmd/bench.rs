//! `c4lab bench`: the signature of a variant and its speed.

use crate::cmd::Exit;
use crate::cmd::solver::SolverArgs;
use anyhow::{Context, Result, bail};
use c4lab::lab::run::signature::{positions, signature};
use std::io::{self, Write};

const EXAMPLES: &str = "\
Every score is checked. The node total is the same on every machine: it changes only where the search changes. \
Variants without a table take hours.

Examples:
  c4lab bench
  c4lab bench --variant pons-10

Exit status: 0 all scores right, 4 a wrong score.";

/// Solve a fixed list of positions: node total (the signature) and speed
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    solver: SolverArgs,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    if let Err(reason) = args.solver.choice()?.available() {
        bail!("{} is not measured here: {reason}", args.solver.name());
    }
    let mut solver = args.solver.build()?;
    let signature = signature(&mut *solver, positions()).with_context(|| args.solver.name())?;
    let mut out = io::stdout().lock();
    writeln!(out, "Variant: {}", args.solver.name())?;
    writeln!(out, "Positions: {}", positions().count())?;
    writeln!(out, "Nodes: {}", signature.nodes)?;
    writeln!(out, "Time: {:.3} s", signature.wall.as_secs_f64())?;
    writeln!(out, "Speed: {:.0} nodes/s", signature.speed())?;
    Ok(Exit::Success)
}
