//! `c4lab bench`: the signature of a variant and its speed.

use crate::cmd::solver::SolverArgs;
use crate::cmd::{Exit, Usage};
use anyhow::{Context, Result, bail};
use c4lab::lab::sets::test_set::{TestSet, print_moves};
use c4lab::lab::signature::{WrongScore, positions, signature};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{Goal, Limits, Name};
use std::io::{self, Write};
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Every score is checked. The node total is the same on every machine: it changes only where the search changes. \
Variants without a table take hours. A variant that says only who wins prints the table of the benchmark Fhourstones \
instead: its four positions, of which the empty board takes minutes.

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
    if name.spec().goals() == [Goal::Weak] {
        return run_classic(args, &name);
    }
    let mut solver = args.solver.build(Goal::Strong)?;
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

/// The table of the benchmark Fhourstones: for each of its positions who wins, positions searched, thousands of them a
/// second, and all of it together.
fn run_classic(args: &Args, name: &Name) -> Result<Exit> {
    let mut solver = args.solver.build(Goal::Weak)?;
    let set = TestSet::open("fhourstones")?;
    let mut out = io::stdout().lock();
    let how = if name.is_run_time() { " (run at run time)" } else { "" };
    writeln!(out, "Variant: {}{how}\n", name.text())?;
    writeln!(out, "{:<10} {:<7} {:>13} {:>9} {:>7}", "position", "outcome", "positions", "s", "Kpos/s")?;
    let (mut nodes, mut wall) = (0, Duration::ZERO);
    for item in &set.items {
        solver.reset();
        let start = Instant::now();
        let solved = solver.solve(&item.position, Goal::Weak, &Limits::default())?;
        let took = start.elapsed();
        let moves = print_moves(&item.position);
        if solved.score != item.score.signum() {
            return Err(WrongScore { moves, expected: item.score.signum(), score: solved.score }.into());
        }
        let outcome = ["loss", "draw", "win"][(solved.score + 1) as usize];
        writeln!(out, "{moves:<10} {outcome:<7} {}", speed(solved.nodes, took))?;
        // A position takes seconds, the empty board minutes.
        out.flush()?;
        (nodes, wall) = (nodes + solved.nodes, wall + took);
    }
    writeln!(out, "{:<10} {:<7} {}", "all", "", speed(nodes, wall))?;
    Ok(Exit::Success)
}

/// Positions, seconds, and thousands of positions a second, as they stand in the table.
fn speed(nodes: u64, wall: Duration) -> String {
    let seconds = wall.as_secs_f64();
    format!("{nodes:>13} {seconds:>9.3} {:>7.0}", nodes as f64 / seconds.max(1e-9) / 1000.0)
}
