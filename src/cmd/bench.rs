//! `c4lab bench`: the signature of a variant and its speed.

use anyhow::{Context, Result, bail};
use c4lab_cli::output::{Format, Records};
use c4lab_cli::solver::SolverArgs;
use c4lab_cli::{Exit, Usage};
use c4lab_measure::sets::test_set::{TestSet, print_moves};
use c4lab_measure::signature::{Mismatch, positions, signature};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{Goal, Limits, Name};
use serde_json::json;
use std::io::{self, Write};
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Every score is checked. The node total is the same on every machine: it changes only when the search changes. \
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
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

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
    if let Err(reason) = name.available_on(BoardSize::STANDARD) {
        bail!("{} is not measured here: {reason}", name.text());
    }
    if name.spec().goals() == [Goal::Weak] {
        return run_fhourstones(args, &name);
    }
    let mut solver = args.solver.build(Goal::Strong)?;
    let signature = signature(&mut *solver, positions()).with_context(|| name.text().to_string())?;
    if args.format != Format::Text {
        let fields = vec!["variant", "run_time", "positions", "nodes", "ns", "nodes_per_s"];
        let ns = signature.wall.as_nanos() as u64;
        let numbers = [json!(positions().count()), json!(signature.nodes), json!(ns), json!(signature.speed())];
        let row =
            [json!(name.text()), json!(name.is_run_time_on(BoardSize::STANDARD))].into_iter().chain(numbers).collect();
        args.format.records(&Records { fields, rows: vec![row] })?;
        return Ok(Exit::Success);
    }
    let mut out = io::stdout().lock();
    let kind = if name.is_run_time_on(BoardSize::STANDARD) { " (dynamic)" } else { "" };
    writeln!(out, "Variant: {}{kind}", name.text())?;
    writeln!(out, "Positions: {}", positions().count())?;
    writeln!(out, "Nodes: {}", signature.nodes)?;
    writeln!(out, "Time: {:.3} s", signature.wall.as_secs_f64())?;
    writeln!(out, "Speed: {:.0} nodes/s", signature.speed())?;
    Ok(Exit::Success)
}

/// The table of the benchmark Fhourstones: for each position the winner, the positions searched, and the thousands of
/// positions a second; then the totals.
fn run_fhourstones(args: &Args, name: &Name) -> Result<Exit> {
    let mut solver = args.solver.build(Goal::Weak)?;
    let set = TestSet::open("fhourstones")?;
    let kind = if name.is_run_time_on(BoardSize::STANDARD) { " (dynamic)" } else { "" };
    args.format.line(&format!("Variant: {}{kind}\n", name.text()))?;
    args.format.line(&format!("{:<10} {:<7} {:>13} {:>9} {:>7}", "position", "outcome", "positions", "s", "Kpos/s"))?;
    let (mut nodes, mut wall, mut rows) = (0, Duration::ZERO, Vec::new());
    for item in &set.items {
        solver.reset();
        let start = Instant::now();
        let solved = solver.solve(&item.position, Goal::Weak, &Limits::default())?;
        let took = start.elapsed();
        let moves = print_moves(&item.position);
        if solved.score != item.score.signum() {
            return Err(Mismatch::of_score(&moves, item.score.signum(), solved.score).into());
        }
        let outcome = ["loss", "draw", "win"][(solved.score + 1) as usize];
        args.format.line(&format!("{moves:<10} {outcome:<7} {}", speed(solved.nodes, took)))?;
        rows.push(vec![json!(moves), json!(outcome), json!(solved.nodes), json!(took.as_nanos() as u64)]);
        (nodes, wall) = (nodes + solved.nodes, wall + took);
    }
    args.format.line(&format!("{:<10} {:<7} {}", "all", "", speed(nodes, wall)))?;
    args.format.records(&Records { fields: vec!["position", "outcome", "positions", "ns"], rows })?;
    Ok(Exit::Success)
}

/// The last three columns of a row: positions searched, seconds, thousands of positions a second.
fn speed(nodes: u64, wall: Duration) -> String {
    let seconds = wall.as_secs_f64();
    format!("{nodes:>13} {seconds:>9.3} {:>7.0}", nodes as f64 / seconds.max(1e-9) / 1000.0)
}
