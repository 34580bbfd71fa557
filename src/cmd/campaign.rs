//! `c4lab campaign`: how much of an experiment over several machines is there. `experiments/scheduler/` has the scripts that measure it.

use crate::cmd::measure;
use crate::cmd::merge::contradict;
use anyhow::Result;
use c4lab_cli::output::{self, TableFormat};
use c4lab_cli::{Exit, Usage, complain};
use c4lab_measure::campaign::merge::Gathered;
use c4lab_measure::campaign::{self, StatusLine};
use c4lab_measure::files::manifest::{Manifest, digest};
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::plan::plan::Plan;
use c4lab_measure::plan::shard::Shard;
use c4lab_measure::run::tally::Tally;
use c4lab_measure::text::pluralize;
use c4lab_report::table::{Cell, Column, Subject, Table};
use clap::Parser;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How much of an experiment over several machines is there (experiments/scheduler/ has scripts that measure one)
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: CampaignCommand,
}

#[derive(Debug, clap::Subcommand)]
enum CampaignCommand {
    Status(StatusArgs),
}

/// Say how much of an experiment is there: cells by set, goal and variant
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab campaign status ladder runs/ladder/shard-*
  c4lab campaign status my.toml runs/mine/shard-* -- --limit 100
  c4lab campaign status runs/merged runs/merged       the plan is the experiment that the folder was measured by

Exit status: 0 every cell is there, 1 some failed, 4 wrong answers or rows that contradict each other, 5 cells are missing.")]
struct StatusArgs {
    /// The experiment that was to be measured: its name, its file, or a folder that was measured by it
    plan: String,
    /// Folders that `measure` or `merge` wrote, or records
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: TableFormat,
    /// The options of `c4lab measure` that it was measured with
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

/// Runs it.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.command {
        CampaignCommand::Status(args) => status(args),
    }
}

/// The command line of `measure`, without the program's name.
#[derive(Debug, Parser)]
#[command(name = "c4lab measure", no_binary_name = true)]
struct MeasureLine {
    #[command(flatten)]
    args: measure::Args,
}

/// The experiment that `measure` would measure.
fn experiment(name: &str, options: &[String]) -> Result<Experiment> {
    let line = [name.to_string()].into_iter().chain(options.iter().cloned());
    let measure = MeasureLine::try_parse_from(line).map_err(|error| Usage(error.render().to_string()))?;
    if measure.args.names_a_place() {
        return Err(Usage("--shard and --out of `measure` are the campaign's to choose".to_string()).into());
    }
    measure.args.experiment()
}

fn status(args: &StatusArgs) -> Result<Exit> {
    let plan = plan(args)?;
    let (there, not_yet): (Vec<PathBuf>, Vec<PathBuf>) =
        args.folders.iter().cloned().partition(|folder| folder.join("manifest.json").is_file());
    not_yet.iter().for_each(|folder| complain(format_args!("{}: nothing is there yet", folder.display())));
    let gathered = Gathered::read(&there)?;
    let shards = shards(&plan, &there)?;
    let conflicts = gathered.conflicts();
    contradict(&conflicts);
    gathered.differences()?.iter().for_each(complain);
    let mut tally = Tally::default();
    gathered.rows().filter_map(|row| tally.enter(row)).for_each(drop);
    let lines = campaign::status(&plan, gathered.rows());
    let total = StatusLine::total(&lines);
    let exit = if !conflicts.is_empty() || !tally.is_clean() {
        let (wrong, conflicts) = (pluralize(tally.wrong, "wrong score"), pluralize(conflicts.len(), "contradiction"));
        complain(format_args!("{wrong}, {conflicts}"));
        Exit::Wrong
    } else if total.missing > 0 {
        complain(format_args!("{} missing", pluralize(total.missing, "cell")));
        Exit::Incomplete
    } else if total.failed > 0 {
        complain(format_args!("{} failed", pluralize(total.failed, "cell")));
        Exit::Failure
    } else {
        Exit::Success
    };
    output::print(&args.format.of(&[sheet(&plan.experiment.name, &lines, &total, &shards)])?, exit)
}

/// The plan that is named: an experiment, or a folder that holds one.
fn plan(args: &StatusArgs) -> Result<Plan> {
    if !Path::new(&args.plan).join("manifest.json").is_file() {
        return Plan::of(experiment(&args.plan, &args.options)?);
    }
    if !args.options.is_empty() {
        return Err(Usage("a folder holds its experiment as it was measured: no options after it".to_string()).into());
    }
    campaign::plan_of(Path::new(&args.plan))
}

/// The shards that were begun. Folders that were measured by another experiment are named.
fn shards(plan: &Plan, folders: &[PathBuf]) -> Result<BTreeSet<Shard>> {
    let (mut shards, planned) = (BTreeSet::new(), digest(&plan.experiment.shown())?);
    for folder in folders {
        let Some(manifest) = Manifest::read(folder)? else { continue };
        for experiment in manifest.experiments() {
            if digest(experiment)? != planned {
                let place = folder.display();
                complain(format_args!(
                    "{place}: measured by another experiment, or with other settings, than the plan's"
                ));
            }
        }
        shards.extend(manifest.shards());
    }
    Ok(shards)
}

/// The table, with a line of totals.
fn sheet(name: &str, lines: &[StatusLine], total: &StatusLine, shards: &BTreeSet<Shard>) -> Table {
    let names = ["set", "goal", "variant"].map(|name| Column::text(name, name));
    let counts = ["expected", "answered", "limited", "failed", "missing", "duplicate", "unplanned"];
    let counts_of = |line: &StatusLine| {
        [line.expected, line.answered, line.limited, line.failed, line.missing, line.duplicate, line.unplanned]
    };
    let row = |lead: [&str; 3], line: &StatusLine| -> Vec<Cell> {
        lead.map(Cell::text).into_iter().chain(counts_of(line).map(Cell::count)).collect()
    };
    let mut rows: Vec<Vec<Cell>> =
        lines.iter().map(|line| row([&line.set, line.goal.name(), &line.variant], line)).collect();
    rows.push(row(["total", "", ""], total));
    Table {
        name: "status",
        subject: Subject::default(),
        title: format!("{name}: {} of {} cells", total.expected - total.missing, total.expected),
        note: said_of(shards),
        conclusion: String::new(),
        columns: names.into_iter().chain(counts.map(|name| Column::number(name, name))).collect(),
        rows,
    }
}

/// Which shards are there, and which are not.
fn said_of(shards: &BTreeSet<Shard>) -> String {
    let list = |shards: Vec<Shard>| shards.iter().map(Shard::to_string).collect::<Vec<_>>().join(", ");
    let counts: BTreeSet<u32> = shards.iter().map(|shard| shard.count()).collect();
    let all = counts.into_iter().flat_map(|count| (1..=count).filter_map(move |index| Shard::new(index, count).ok()));
    let absent: Vec<Shard> = all.filter(|shard| !shards.contains(shard)).collect();
    let begun = if shards.is_empty() { "none".to_string() } else { list(shards.iter().copied().collect()) };
    let absent = if absent.is_empty() { String::new() } else { format!("; not begun: {}", list(absent)) };
    format!("Shards begun: {begun}{absent}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_that_are_not_there_are_named() {
        let shards = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
        assert_eq!(said_of(&shards(&[])), "Shards begun: none.");
        assert_eq!(said_of(&shards(&["1/1"])), "Shards begun: 1/1.");
        assert_eq!(said_of(&shards(&["3/3", "1/3"])), "Shards begun: 1/3, 3/3; not begun: 2/3.");
    }

    #[test]
    fn options_of_measure_are_understood() {
        let options = |words: &str| words.split(' ').map(str::to_string).collect::<Vec<_>>();
        let narrowed = experiment("ladder", &options("--limit 3 --variants pons-12")).unwrap();
        assert_eq!((narrowed.limit, narrowed.order().contains(&"pons-11".to_string())), (Some(3), false));
        for wrong in ["--limit x", "--shard 1/2", "--out a", "--nonsense", "--variants pons-99"] {
            assert!(experiment("ladder", &options(wrong)).unwrap_err().is::<Usage>(), "{wrong}");
        }
    }
}
