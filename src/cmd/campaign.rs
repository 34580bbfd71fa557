//! `c4lab campaign status`: counts the cells of an experiment that several machines measure.
//! `experiments/scheduler/` has the scripts.

use crate::cmd::measure;
use crate::cmd::merge::contradict;
use anyhow::Result;
use c4lab_cli::output::{self, TableFormat};
use c4lab_cli::{Exit, Usage, complain};
use c4lab_measure::campaign::merge::FolderUnion;
use c4lab_measure::campaign::{self, StatusLine};
use c4lab_measure::files::manifest::{Manifest, digest};
use c4lab_measure::plan::Plan;
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::plan::shard::Shard;
use c4lab_measure::run::tally::Tally;
use c4lab_measure::text::pluralize;
use c4lab_report::table::{Subject, Table};
use clap::{Args as _, FromArgMatches};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Count the cells of an experiment that several machines measure (experiments/scheduler/ has the scripts)
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Status(Args),
}

/// Count the cells that are measured and those that are missing, by set, goal and variant
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab campaign status ladder runs/ladder/shard-*
  c4lab campaign status my.toml runs/mine/shard-* -- --limit 100
  c4lab campaign status runs/merged runs/merged       the plan is the experiment in the folder's manifest

Exit status: 0 every cell is measured, 1 some failed, 4 wrong answers or rows that contradict each other, 5 cells are missing.")]
pub struct Args {
    /// The planned experiment: its name, its file, or a folder that holds its rows
    plan: String,
    /// Folders that `measure` or `merge` wrote, or records
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: TableFormat,
    /// The options of `c4lab measure` that the folders were measured with
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

/// The experiment that `c4lab measure NAME OPTIONS` measures.
fn experiment(name: &str, options: &[String]) -> Result<Experiment> {
    let line = [name.to_string()].into_iter().chain(options.iter().cloned());
    let measure = measure::Args::augment_args(clap::Command::new("c4lab measure").no_binary_name(true));
    let matches = measure.try_get_matches_from(line).map_err(|error| Usage(error.render().to_string()))?;
    let args = measure::Args::from_arg_matches(&matches)?;
    if args.names_a_place() {
        return Err(Usage("--shard and --out of `measure` are the campaign's to choose".to_string()).into());
    }
    args.experiment()
}

pub fn run(Command::Status(args): &Command) -> Result<Exit> {
    let plan = plan(args)?;
    let (there, not_yet): (Vec<PathBuf>, Vec<PathBuf>) =
        args.folders.iter().cloned().partition(|folder| folder.join("manifest.json").is_file());
    not_yet.iter().for_each(|folder| complain(format_args!("{}: no manifest.json yet", folder.display())));
    let gathered = FolderUnion::read(&there)?;
    let shards = shards(&plan, &there)?;
    let conflicts = gathered.conflicts();
    contradict(&conflicts);
    gathered.differences()?.iter().for_each(complain);
    let mut tally = Tally::default();
    gathered.rows().filter_map(|row| tally.enter(row)).for_each(drop);
    let mut lines = campaign::status(&plan, gathered.rows());
    let total = StatusLine { set: "total".to_string(), ..StatusLine::total(&lines) };
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
    let title = format!("{}: {} of {} cells", plan.experiment.name, total.expected - total.missing, total.expected);
    lines.push(total);
    output::print(&args.format.of(&[table(title, begun(&shards), &lines)])?, exit)
}

/// The plan that the command line names: an experiment, or a folder whose manifest holds one.
fn plan(args: &Args) -> Result<Plan> {
    if !Path::new(&args.plan).join("manifest.json").is_file() {
        return Plan::of(experiment(&args.plan, &args.options)?);
    }
    if !args.options.is_empty() {
        return Err(Usage("no options after a folder: its manifest holds the experiment".to_string()).into());
    }
    campaign::plan_of(Path::new(&args.plan))
}

/// The shards that `folders` hold, whole or in part. A message names each folder of another experiment than the plan's.
fn shards(plan: &Plan, folders: &[PathBuf]) -> Result<BTreeSet<Shard>> {
    let (mut shards, planned) = (BTreeSet::new(), digest(&plan.experiment.shown())?);
    for folder in folders {
        let Some(manifest) = Manifest::read(folder)? else { continue };
        for experiment in manifest.experiments() {
            if digest(experiment)? != planned {
                let place = folder.display();
                complain(format_args!(
                    "{place}: rows of another experiment than the planned one, or of other settings"
                ));
            }
        }
        shards.extend(manifest.shards());
    }
    Ok(shards)
}

/// The table of `lines`, of which the last is their total.
fn table(title: String, note: String, lines: &[StatusLine]) -> Table {
    let is_total = |line: &StatusLine| line.variant.is_empty();
    Table::new("status", Subject::default(), title, note)
        .over(lines)
        .text("set", "set", |line| &line.set)
        .text("goal", "goal", |line| if is_total(line) { "" } else { line.goal.name() })
        .text("variant", "variant", |line| &line.variant)
        .count("expected", "expected", |line| line.expected)
        .count("answered", "answered", |line| line.answered)
        .count("limited", "limited", |line| line.limited)
        .count("failed", "failed", |line| line.failed)
        .count("missing", "missing", |line| line.missing)
        .count("duplicate", "duplicate", |line| line.duplicate)
        .count("unplanned", "unplanned", |line| line.unplanned)
        .table
}

/// The shards that were begun, and those that were not, in a sentence.
fn begun(shards: &BTreeSet<Shard>) -> String {
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
        assert_eq!(begun(&shards(&[])), "Shards begun: none.");
        assert_eq!(begun(&shards(&["1/1"])), "Shards begun: 1/1.");
        assert_eq!(begun(&shards(&["3/3", "1/3"])), "Shards begun: 1/3, 3/3; not begun: 2/3.");
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
