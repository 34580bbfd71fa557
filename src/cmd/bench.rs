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
        let (board, standard) = (args.solver.board, BoardSize::STANDARD);
        return Err(Usage(format!("--board {board}: the positions of bench are of {standard}")).into());
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
    let (count, nodes, wall, speed) = (positions().count(), signature.nodes, signature.wall, signature.speed());
    args.format.line(&format!(
        "{}\nPositions: {count}\nNodes: {nodes}\nTime: {:.3} s\nSpeed: {speed:.0} nodes/s",
        heading(&name),
        wall.as_secs_f64()
    ))?;
    let fields = vec!["variant", "run_time", "positions", "nodes", "ns", "nodes_per_s"];
    let (text, run_time, ns) = (name.text(), name.is_run_time_on(BoardSize::STANDARD), wall.as_nanos() as u64);
    let row = vec![json!(text), json!(run_time), json!(count), json!(nodes), json!(ns), json!(speed)];
    args.format.records(&Records { fields, rows: vec![row] })?;
    Ok(Exit::Success)
}

fn heading(name: &Name) -> String {
    let kind = if name.is_run_time_on(BoardSize::STANDARD) { " (dynamic)" } else { "" };
    format!("Variant: {}{kind}", name.text())
}

/// The table of the benchmark Fhourstones: for each position the winner, the positions searched, and the thousands of
/// positions a second; then the totals.
fn run_fhourstones(args: &Args, name: &Name) -> Result<Exit> {
    let mut solver = args.solver.build(Goal::Weak)?;
    let set = TestSet::open("fhourstones")?;
    args.format.line(&heading(name))?;
    args.format.line("")?;
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
