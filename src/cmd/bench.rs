//! `c4lab bench`: the signature of a variant and its speed.

use crate::cmd::solver::SolverArgs;
use crate::cmd::{Exit, Usage};
use anyhow::{Context, Result, bail};
use c4lab::lab::signature::{positions, signature};
use c4lab_solver::game::BoardSize;
use std::io::{self, Write};

const EXAMPLES: &str = "\
Every score is checked. The node total is the same on every machine: it changes only where the search changes. \
Variants without a table take hours.

Examples:
  c4lab bench
  c4lab bench --variant pons-10
  c4lab bench --variant 'champion[order=centre,root=step]'

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
    if args.solver.board != BoardSize::STANDARD {
        return Err(Usage(format!(
            "--board {}: the positions of bench are of {}",
            args.solver.board,
            BoardSize::STANDARD
        ))
        .into());
    }
    let name = args.solver.name()?;
    if let Err(reason) = name.spec().available() {
        bail!("{} is not measured here: {reason}", name.text());
    }
    let mut solver = args.solver.build()?;
    let signature = signature(&mut *solver, positions()).with_context(|| name.text().to_string())?;
    let mut out = io::stdout().lock();
    let how = if name.is_run_time() { " (run at run time)" } else { "" };
    writeln!(out, "Variant: {}{how}", name.text())?;
    writeln!(out, "Positions: {}", positions().count())?;
    writeln!(out, "Nodes: {}", signature.nodes)?;
    writeln!(out, "Time: {:.3} s", signature.wall.as_secs_f64())?;
    writeln!(out, "Speed: {:.0} nodes/s", signature.speed())?;
    Ok(Exit::Success)
}
