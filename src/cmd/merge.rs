//! `c4lab merge`: joins the folders into which an experiment was measured.

use anyhow::{Context, Result, bail, ensure};
use c4lab_cli::{Exit, complain, output};
use c4lab_measure::files::manifest::Manifest;
use c4lab_measure::files::sample::Sample;
use c4lab_measure::merge::FolderUnion;
use c4lab_measure::plan::Plan;
use c4lab_measure::plan::schedule::{cells, counts};
use c4lab_measure::plan::shard::Shard;
use c4lab_measure::run::tally::Tally;
use c4lab_measure::text::pluralize;
use c4lab_report::results::Results;
use c4lab_report::tables::summary::{csv, summarise};
use std::path::PathBuf;

/// Put the rows of several folders together: shards of one experiment, several machines, several runs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab merge runs/whole runs/shard-*              the shards of an experiment become one folder
  c4lab merge runs/whole runs/whole runs/new       one more, into a folder that was merged before

A row that stands in two folders is written once. A cell that two machines or two runs measured becomes two observations. \
Their nodes and scores must agree, their times need not.
Merge again whenever you like: each merge says how many cells of the experiment are missing.
Exit status: 0 every cell is measured, or a message says why the cells are not counted; 1 cells of a foreign program failed; 4 a wrong \
score, or, and then nothing is written, rows that differ in a score or a node count; 5 cells are missing.")]
pub struct Args {
    /// The folder to write: a new one, or one whose rows are all in the other folders
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Folders that `measure` or `merge` wrote, or records
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// Merge several experiments, builds or versions of the rows too, and say so in the manifest
    #[arg(long)]
    mixed: bool,
    /// No messages; errors only
    #[arg(long, short)]
    quiet: bool,
}

/// The most contradictions, and the most names of missing cells, that are printed.
const MOST: usize = 20;

pub fn run(args: &Args) -> Result<Exit> {
    let out = &args.out;
    let gathered = FolderUnion::read(&args.folders)?;
    let differences = gathered.differences()?;
    if let Some(difference) = differences.first().filter(|_| !args.mixed) {
        bail!("{difference}; --mixed merges the folders nevertheless");
    }
    differences.iter().for_each(complain);
    let conflicts = gathered.conflicts();
    if !conflicts.is_empty() {
        complain_of(conflicts.into_iter());
        complain(format_args!("{}: nothing is written", out.display()));
        return Ok(Exit::Wrong);
    }
    if gathered.rows().len() == 0 {
        bail!("the folders have no rows yet");
    }
    let mut manifest = gathered.manifest()?;
    let plan = plan(&manifest);
    manifest.cells = plan.as_ref().ok().map(|plan| cells(plan, Shard::WHOLE));
    // Fails before anything is written if no report could read the rows.
    let results = Results::of(gathered.rows().cloned().map(Ok), &manifest.experiment.order())?;
    gathered.write(out, &manifest, &csv(&summarise(&results, manifest.experiment.seed))?)?;
    if !args.quiet {
        let [rows, machines, runs] =
            [(results.rows, "row"), (results.machines.len(), "machine"), (manifest.runs.len(), "run")]
                .map(|(count, noun)| pluralize(count, noun));
        let place = out.display();
        output::say(format_args!("{place}: {rows} of {machines}, {runs}\nNext: c4lab report {place}"));
    }
    let mut tally = Tally::default();
    gathered.rows().for_each(|row| drop(tally.enter(row)));
    if !tally.is_clean() || !tally.is_whole() {
        complain(tally.summary());
    }
    let missing = match plan {
        Ok(plan) => complain_of_missing(&plan, gathered.rows()),
        Err(reason) => {
            complain(format_args!("missing cells are not counted: {reason:#}"));
            false
        }
    };
    Ok(if tally.is_clean() && missing { Exit::Incomplete } else { Exit::of(&tally) })
}

/// True if cells of `plan` have no rows. A message counts them.
fn complain_of_missing<'a>(plan: &'a Plan, rows: impl Iterator<Item = &'a Sample>) -> bool {
    let counts = counts(plan, Shard::WHOLE, rows);
    let [planned, missing] = [0, 1].map(|at| counts.values().map(|of| of[at]).sum::<usize>());
    if missing > 0 {
        complain(format_args!("{missing} of {planned} cells are missing:"));
        let named = counts.into_iter().filter(|(_, [_, missing])| *missing > 0).map(|((set, goal, variant), of)| {
            format!("{}, {}, {}: {}", plan.sets[set].name, goal.name(), plan.entrants[variant].name(), of[1])
        });
        complain_of(named.collect::<Vec<_>>().into_iter());
    }
    missing > 0
}

/// The plan of a merged experiment. An error if there are several experiments, or if a test set has changed since.
fn plan(manifest: &Manifest) -> Result<Plan> {
    ensure!(manifest.experiments().len() == 1, "several experiments have no common plan");
    let plan = Plan::of(manifest.experiment.clone())?;
    for set in &plan.sets {
        let known = manifest.test_sets.iter().find(|known| known.name == set.name);
        let known = known.with_context(|| format!("the manifest has no test set {}", set.name))?;
        ensure!(known.sha256 == set.sha256, "the test set {} has changed since", set.name);
    }
    Ok(plan)
}

fn complain_of(lines: impl ExactSizeIterator<Item = String>) {
    let more = lines.len().saturating_sub(MOST);
    lines.take(MOST).for_each(complain);
    if more > 0 {
        complain(format_args!("and {more} more"));
    }
}
