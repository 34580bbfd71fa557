//! A record of verdicts alone: the rows of claims, and how they read. What they were made from lies in the folders that they name.

use crate::claims::sheets::markdown;
use crate::claims::table::{ClaimRow, FILE, csv};
use crate::record::make;
use anyhow::Result;
use c4lab_measure::files::atomic;
use c4lab_measure::files::build_info::git_rev;
use std::path::Path;

pub fn write(folder: &Path, rows: &[ClaimRow], command: &str) -> Result<()> {
    make(folder)?;
    let revision = git_rev().unwrap_or_else(|| "no commit".to_string());
    let text = format!("# Verdicts\n\nMade by `{command}` at {revision}: {}", markdown(rows));
    atomic::write(&folder.join("report.md"), text.as_bytes())?;
    atomic::write(&folder.join(FILE), &csv(rows)?)
}
