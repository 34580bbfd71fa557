//! `c4lab report`: sums up what was measured.

use super::output::{self, say};
use super::{Exit, complain};
use crate::lab::atomic;
use crate::lab::count_manifest::CountManifest;
use crate::report::block::Contents;
use crate::report::reading::Reading;
use crate::report::splice::splice;
use crate::report::summary::{self, summarise};
use crate::report::{instructions, record, risk};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Sum up what was measured: tables, records, blocks of Markdown files
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab report runs/quick-2026-11-20T12-00-00      the tables on the terminal
  c4lab report DIR --record results/2026-11-20-x   keeps the run as a dated record
  c4lab report results/2026-11-20-x --splice README.md
                                                   renews the blocks of that record between their markers
  c4lab report target/gungraun                     the instruction counts of `cargo bench --bench instructions`")]
pub struct Args {
    /// A folder that `measure` or the benchmark `instructions` wrote, or a record
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Renew this folder's blocks in a Markdown file
    #[arg(long, value_name = "FILE")]
    splice: Option<PathBuf>,
    /// With --splice: write nothing, fail when a block is not up to date
    #[arg(long, requires = "splice")]
    check: bool,
    /// Keep the run as a record in a new folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
}

/// Runs it.
pub fn run(args: &Args) -> Result<Exit> {
    let folder = &args.folder;
    if instructions::is_in(folder) {
        return run_counts(args);
    }
    let reading = Reading::open(folder)?;
    let Reading { results, ledger, manifest, .. } = &reading;
    let seed = manifest.experiment.seed;
    let lines = summarise(results, seed);
    manifest.warnings().iter().chain(&risk::warnings(results)).for_each(complain);
    let exit = if ledger.is_clean() { Exit::Success } else { Exit::Wrong };
    if exit == Exit::Wrong {
        complain(format_args!("{} wrong scores, {} differing node counts", ledger.wrong, ledger.mismatches));
    }
    if let Some(place) = &args.record {
        if exit == Exit::Wrong {
            bail!("{}: no record is made of it", folder.display());
        }
        record::write(place, &reading, &lines)?;
        say(format_args!("{} rows kept in {}", results.rows, place.display()));
    }
    match &args.splice {
        Some(file) => Ok(exit.max(renew(file, folder, Contents::Results(results, seed), args.check)?)),
        None => output::print(&summary::terminal(&lines), exit),
    }
}

/// The same for instruction counts.
fn run_counts(args: &Args) -> Result<Exit> {
    let folder = &args.folder;
    let (rows, manifest) = (instructions::read(folder)?, CountManifest::read(folder)?);
    manifest.warnings().iter().for_each(complain);
    if let Some(place) = &args.record {
        record::write_counts(place, &rows, &manifest)?;
        say(format_args!("{} rows kept in {}", rows.len(), place.display()));
    }
    match &args.splice {
        Some(file) => renew(file, folder, Contents::Instructions(&rows), args.check),
        None => output::print(&instructions::terminal(&rows), Exit::Success),
    }
}

fn renew(file: &Path, folder: &Path, contents: Contents<'_>, check: bool) -> Result<Exit> {
    let old = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let (new, blocks) = splice(&file.display().to_string(), &old, folder, contents)?;
    if blocks == 0 {
        let kind = if matches!(contents, Contents::Results(..)) { "summary" } else { "instructions" };
        bail!("{0}: no block of {1} (<!-- c4lab:begin {kind} {1} -->)", file.display(), folder.display());
    }
    if check && new != old {
        complain(format_args!("{}: a block is not what {} says", file.display(), folder.display()));
        return Ok(Exit::Failure);
    }
    if new != old {
        atomic::write(file, new.as_bytes())?;
    }
    say(format_args!("{}: {blocks} blocks up to date", file.display()));
    Ok(Exit::Success)
}
