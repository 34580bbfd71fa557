//! `c4lab merge`: joins the folders into which an experiment was measured.

use anyhow::{Result, bail};
use c4lab_cli::{Exit, complain, output};
use c4lab_measure::campaign::merge::FolderUnion;
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
Exit status: 0 all right, 4 two rows differ in a score or a node count, and nothing is written.")]
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

/// The most contradictions that are printed.
const MOST: usize = 20;

pub fn run(args: &Args) -> Result<Exit> {
    let out = &args.out;
    let gathered = FolderUnion::read(&args.folders)?;
    let differences = gathered.differences()?;
    if let Some(difference) = differences.first().filter(|_| !args.mixed) {
        bail!("{difference}; --mixed merges them all the same");
    }
    differences.iter().for_each(complain);
    let conflicts = gathered.conflicts();
    if !conflicts.is_empty() {
        contradict(&conflicts);
        complain(format_args!("{}: nothing is written", out.display()));
        return Ok(Exit::Wrong);
    }
    if gathered.rows().len() == 0 {
        bail!("the folders have no rows yet");
    }
    let manifest = gathered.manifest()?;
    // Fails before anything is written if no report could read the rows.
    let results = Results::of(gathered.rows().cloned().map(Ok), &manifest.experiment.order())?;
    gathered.write(out, &manifest, &csv(&summarise(&results, manifest.experiment.seed))?)?;
    if !args.quiet {
        let [rows, machines, runs] =
            [(results.rows, "row"), (results.machines.len(), "machine"), (manifest.runs.len(), "run")]
                .map(|(count, one)| pluralize(count, one));
        let place = out.display();
        output::say(format_args!("{place}: {rows} of {machines}, {runs}\nNext: c4lab report {place}"));
    }
    Ok(Exit::Success)
}

pub(super) fn contradict(conflicts: &[String]) {
    conflicts.iter().take(MOST).for_each(complain);
    if let Some(more) = conflicts.len().checked_sub(MOST).filter(|more| *more > 0) {
        complain(format_args!("and {more} more"));
    }
}
