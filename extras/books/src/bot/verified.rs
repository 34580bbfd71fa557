//! The verified row: what was found of all positions of a player with as many stones, one line of `verified.csv`.

use crate::store::strategy::Seat;
use crate::store::verify::{Verified, Walk};
use anyhow::{Result, bail};
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{Appended, Row};
use c4lab_measure::sets::test_set::print_moves;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "verified.csv";

/// The version of its columns.
pub const SCHEMA_VERSION: u32 = 1;

/// A layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/FORMAT.md describes the columns")]
pub struct VerifiedRow {
    pub schema_version: u32,
    pub command: String,
    pub board: String,
    pub seat: Seat,
    pub ply: u32,
    pub positions: usize,
    pub asked: usize,
    pub won: usize,
    pub drawn: usize,
    pub lost: usize,
    pub failed: usize,
    pub reason: Option<String>,
    pub mean_ns: u64,
    pub worst_ns: u64,
    pub worst: String,
    pub limit_ns: Option<u64>,
    pub seed: u64,
    pub git_rev: Option<String>,
}

impl Row for VerifiedRow {
    const FILE: &'static str = FILE;
    const WHAT: &'static str = "verified layers";
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
    const DOING: &'static str = "verifying";
}

/// The file of a folder for a new walk.
///
/// # Errors
/// It cannot be written, or there are rows: a walk begins anew.
pub fn open_new(folder: &Path) -> Result<Appended<VerifiedRow>> {
    let (file, rows) = Appended::<VerifiedRow>::open(folder)?;
    if !rows.is_empty() {
        bail!("{}: a walk begins anew, and there are rows; choose another --out", folder.join(FILE).display());
    }
    Ok(file)
}

impl VerifiedRow {
    /// The row of a layer of a walk.
    pub fn new(command: &str, walk: &Walk<'_>, verified: &Verified) -> Self {
        let [won, drawn, lost] = verified.outcomes;
        let (worst_ns, worst) = verified
            .worst
            .as_ref()
            .map_or((0, String::new()), |(time, position)| (time.as_nanos() as u64, print_moves(position)));
        let reason = verified.failures.first().map(|given| given.to_string().replace(['\n', '\r'], " "));
        VerifiedRow {
            schema_version: SCHEMA_VERSION,
            command: command.to_string(),
            board: walk.size.to_string(),
            seat: verified.seat,
            ply: verified.ply,
            positions: verified.positions,
            asked: verified.asked(),
            won,
            drawn,
            lost,
            failed: verified.failures.len(),
            reason,
            mean_ns: (verified.total.as_nanos() / (verified.asked().max(1) as u128)) as u64,
            worst_ns,
            worst,
            limit_ns: walk.limits.time.map(|time| time.as_nanos() as u64),
            seed: walk.sample.map_or(0, |(_, seed)| seed),
            git_rev: git_rev(),
        }
    }
}
