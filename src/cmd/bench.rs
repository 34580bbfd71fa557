//! `c4lab bench`: the signature of a variant and its speed.

use anyhow::{Context, Result, bail};
use c4lab_cli::output::{Format, Records};
use c4lab_cli::solver::SolverArgs;
use c4lab_cli::{Exit, Usage};
use c4lab_measure::signature::{positions, signature};
use c4lab_solver::game::BoardSize;
use serde_json::json;

const EXAMPLES: &str = "\
Every score is checked. The node total is the same on every machine: it changes only when the search changes. \
Variants without a table take hours. A variant that says only who wins is asked for that.

Examples:
  c4lab bench
  c4lab bench --variant pons-10
  c4lab bench --variant fhourstones
  c4lab bench --variant 'champion[order=centre,root=step]'

Exit status: 0 all scores right, 4 a wrong score.";

/// Solve a fixed list of positions: node total (the signature) and speed
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    solver: SolverArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(args: &Args) -> Result<Exit> {
    if args.solver.board != BoardSize::STANDARD {
        let (board, standard) = (args.solver.board, BoardSize::STANDARD);
        return Err(Usage(format!("--board {board}: the positions of bench are of {standard}")).into());
    }
    let name = args.solver.name()?;
    if let Err(reason) = name.available_on(BoardSize::STANDARD) {
        bail!("{} is not measured here: {reason}", name.text());
    }
    let mut solver = args.solver.build(name.spec().goals()[0])?;
    let signature = signature(&mut *solver, positions()).with_context(|| name.text().to_string())?;
    let (count, nodes, wall, speed) = (positions().count(), signature.nodes, signature.wall, signature.speed());
    let (text, run_time, ns) = (name.text(), name.is_run_time_on(BoardSize::STANDARD), wall.as_nanos() as u64);
    let kind = if run_time { " (dynamic)" } else { "" };
    args.format.line(&format!(
        "Variant: {text}{kind}\nPositions: {count}\nNodes: {nodes}\nTime: {:.3} s\nSpeed: {speed:.0} nodes/s",
        wall.as_secs_f64()
    ))?;
    let fields = vec!["variant", "run_time", "positions", "nodes", "ns", "nodes_per_s"];
    let row = vec![json!(text), json!(run_time), json!(count), json!(nodes), json!(ns), json!(speed)];
    args.format.records(&Records { fields, rows: vec![row] })?;
    Ok(Exit::Success)
}
