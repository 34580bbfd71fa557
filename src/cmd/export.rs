//! `c4lab export`: the rows of a folder as numbers alone, for other programs.

use anyhow::Result;
use c4lab_cli::Exit;
use c4lab_cli::output::say;
use c4lab_report::export::{self, Exported};
use std::path::PathBuf;

/// Write the rows of a folder as numbers alone, with tables of what they stand for, for other programs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  c4lab export runs/x --out narrow     a million rows take less than 100 MB in pandas (docs/FORMAT.md, \"Narrow samples\")")]
pub struct Args {
    /// A folder that `measure` or `merge` wrote, or a record
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The folder to write into: a new one
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Runs it.
pub fn run(args: &Args) -> Result<Exit> {
    let Exported { rows, variants, positions } = export::write(&args.folder, &args.out)?;
    let place = args.out.display();
    say(format_args!("{rows} rows of {variants} variants on {positions} positions in {place}"));
    Ok(Exit::Success)
}
