//! `c4lab compare`: the ratio of one variant to another, and gates on it.

use anyhow::{Result, bail};
use c4lab_cli::output::{self, Format};
use c4lab_cli::values::{goal, ratio};
use c4lab_cli::{Exit, Usage, complain};
use c4lab_measure::engines::table::EngineClock;
use c4lab_measure::files::manifest::DRIFT;
use c4lab_measure::text::pluralize;
use c4lab_report::reading::Reading;
use c4lab_report::results::{Outcome, Quantity};
use c4lab_report::table::units::three_digits;
use c4lab_report::tables::compare::Compared;
use c4lab_solver::search::Goal;
use std::path::{Path, PathBuf};

/// Compare two variants, of one folder or of two: ratios with intervals, set by set and pooled
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab compare runs/x --base pons-11 --to pons-12
  c4lab compare runs/before runs/after --base pons-12           the same variant of two builds
  c4lab compare runs/x --base pons-12 --to mine --gate 0.97     exit status 3 if mine is certainly slower

A ratio is the base divided by the variant: above 1 the variant is better.")]
pub struct Args {
    /// A folder that `measure` wrote, or a record
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The folder of the variant, if it is not the base's; the same machine must have measured both
    #[arg(value_name = "DIR")]
    other: Option<PathBuf>,
    /// The variant that the other variant is compared with
    #[arg(long, value_name = "VARIANT")]
    base: String,
    /// The variant that is compared [default: with two folders, the one of --base]
    #[arg(long, value_name = "VARIANT", required_unless_present = "other")]
    to: Option<String>,
    /// Only this goal
    #[arg(long, value_parser = goal())]
    goal: Option<Goal>,
    /// Fail with status 3 if the whole 95 % interval of the pooled geometric mean of time lies below this
    #[arg(long, value_name = "RATIO", value_parser = ratio)]
    gate: Option<f64>,
    /// Fail with status 3 if the whole 95 % interval of the pooled geometric mean of nodes lies below this
    #[arg(long, value_name = "RATIO", value_parser = ratio)]
    gate_nodes: Option<f64>,
    /// Compare nodes alone; then the folders may come from two machines
    #[arg(long, conflicts_with = "gate")]
    nodes_only: bool,
    /// The time of engines: ours (by c4lab's clock) or own (as the engine states it) [default: that of the folder]
    #[arg(long, value_name = "CLOCK", value_parser = c4lab_cli::values::engine_clock())]
    engine_clock: Option<EngineClock>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(args: &Args) -> Result<Exit> {
    let first = read(&args.folder, args)?;
    let second = args.other.as_ref().map(|folder| read(folder, args)).transpose()?;
    let to = args.to.as_ref().unwrap_or(&args.base);
    let same = args.other.as_ref().is_none_or(|other| other.canonicalize().ok() == args.folder.canonicalize().ok());
    if same && *to == args.base {
        return Err(Usage(format!("{to} is compared with itself")).into());
    }
    let other = second.as_ref().unwrap_or(&first);
    let compared = Compared::of((&first, &args.base), (other, to), args.nodes_only)?;
    let mut exit = Exit::Success;
    let readings = || [Some(&first), second.as_ref()].into_iter().flatten();
    if readings().any(|reading| reading.results.incomplete.is_some()) {
        exit = Exit::Incomplete;
    }
    for reading in readings().filter(|reading| reading.tally.mismatches > 0) {
        let moved = pluralize(reading.tally.mismatches, "differing node count");
        complain(format_args!("{}: {moved}", reading.folder.display()));
        exit = Exit::Wrong;
    }
    for (column, name) in [&args.base, to].into_iter().enumerate() {
        let [limited, wrong, failed] =
            [Outcome::Limited, Outcome::Wrong, Outcome::Failed].map(|outcome| compared.count(column, outcome));
        if limited > 0 {
            complain(format_args!(
                "{name}: {} reached a limit: twice the limit in times, none in nodes",
                pluralize(limited, "position")
            ));
        }
        if wrong > 0 {
            complain(format_args!("{name}: {} answered wrongly", pluralize(wrong, "position")));
            exit = Exit::Wrong;
        }
        if failed > 0 {
            complain(format_args!("{name}: no answer on {}", pluralize(failed, "position")));
            exit = exit.max(Exit::Failure);
        }
    }
    if second.is_some() && compared.times {
        complain("the folders were measured one after the other: changes of the machine's speed are in the times");
    }
    compared.left_out.iter().for_each(complain);
    let [base, to] = [0, 1].map(|column| &compared.groups[0].series[column].variant);
    let title = match &second {
        Some(second) => format!("{base} in {} : {to} in {}", first.folder.display(), second.folder.display()),
        None => format!("{base} : {to}"),
    };
    let of = |reading: &Reading| match (reading.results.remark(compared.times), &second) {
        (remark, Some(_)) if !remark.is_empty() => format!("{}: {remark}", reading.folder.display()),
        (remark, _) => remark,
    };
    let sheet = readings().fold(compared.table(title), |sheet, reading| sheet.remarking(&of(reading)));
    exit = output::print(&args.format.compared(&[sheet])?, exit)?;
    if let Some(speeds) = second.as_ref().and_then(|second| speeds([&first, second])).filter(|_| compared.times) {
        if args.gate.is_some() {
            bail!("no gate on time: {speeds}; measure both in one run, or use --gate-nodes");
        }
        complain(speeds);
    }
    for (gate, quantity) in [(args.gate, Quantity::Time), (args.gate_nodes, Quantity::Nodes)] {
        let Some(gate) = gate else { continue };
        for (goal, mean) in compared.below(gate, quantity)? {
            let (name, mean) = (quantity.name(), three_digits(mean.value));
            complain(format_args!("gate failed: {} {name} {mean}x lies below {gate}, its interval too", goal.name()));
            exit = exit.max(Exit::Regression);
        }
    }
    Ok(exit)
}

/// A message if the machine ran at different speeds while the folders were measured.
fn speeds(readings: [&Reading; 2]) -> Option<String> {
    let runs = readings.into_iter().flat_map(|reading| &reading.manifest.runs);
    let signatures = runs.flat_map(|run| [Some(&run.signature_before), run.signature_after.as_ref()]);
    let speeds: Vec<f64> = signatures.flatten().map(|signature| signature.nodes_per_s as f64).collect();
    let least = speeds.iter().copied().fold(f64::INFINITY, f64::min);
    let most = speeds.iter().copied().fold(0.0, f64::max);
    (most > (1.0 + DRIFT) * least).then(|| {
        let (least, most) = (three_digits(least / 1e6), three_digits(most / 1e6));
        format!("the reference variant ran at {least} to {most} million nodes a second while the folders were measured")
    })
}

fn read(folder: &Path, args: &Args) -> Result<Reading> {
    let (goal, mut reading) = (args.goal, Reading::open_by(folder, args.engine_clock)?);
    reading.warnings().iter().for_each(complain);
    reading.results.groups.retain(|ground| goal.is_none_or(|goal| ground.goal == goal));
    match goal.filter(|_| reading.results.groups.is_empty()) {
        Some(goal) => bail!("{}: no row of the goal {}", folder.display(), goal.name()),
        None => Ok(reading),
    }
}
