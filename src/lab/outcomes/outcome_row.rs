//! The outcome row: the empty board of one size, solved, one line of `outcomes.csv`.

use crate::lab::files::appended::Added;
use crate::lab::files::rows::{self, Row, RowsOf};
use crate::lab::outcomes::outcome::BoardOutcome;
use anyhow::{Context, Result};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::Goal;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "outcomes.csv";

/// The version of its columns.
pub const SCHEMA_VERSION: u32 = 1;

/// A board that was solved, or that reached its limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/FORMAT.md describes the columns")]
pub struct OutcomeRow {
    pub schema_version: u32,
    pub board: String,
    pub goal: Goal,
    pub variant: String,
    pub compiled: bool,
    pub tt_bytes: u64,
    pub status: String,
    pub score: Option<i32>,
    pub outcome: Option<String>,
    pub nodes: u64,
    pub wall_ns: u64,
    pub cpu_ns: Option<u64>,
    pub limit_ns: Option<u64>,
    pub machine: String,
    pub cpu: Option<String>,
    pub git_rev: Option<String>,
}

const COLUMNS: [&str; 16] = [
    "schema_version",
    "board",
    "goal",
    "variant",
    "compiled",
    "tt_bytes",
    "status",
    "score",
    "outcome",
    "nodes",
    "wall_ns",
    "cpu_ns",
    "limit_ns",
    "machine",
    "cpu",
    "git_rev",
];

impl Row for OutcomeRow {
    const WHAT: &'static str = "outcomes of boards";
    const SCHEMA_VERSION: u32 = SCHEMA_VERSION;
}

impl Added for OutcomeRow {
    const FILE: &'static str = FILE;
    const COLUMNS: &'static [&'static str] = &COLUMNS;
    const DOING: &'static str = "solving boards";
}

/// The rows of a folder; none where it has no file of them.
///
/// # Errors
/// A line is no row: the file, the line and the reason.
pub fn read(folder: &Path) -> Result<Vec<OutcomeRow>> {
    let file = rows::file_of(folder, FILE);
    if !file.is_file() {
        return Ok(Vec::new());
    }
    let bytes = rows::open(&file).with_context(|| format!("cannot read {}", file.display()))?;
    RowsOf::of(&file, Box::new(bytes))?.collect()
}

impl OutcomeRow {
    /// The board; `None` where the row names none.
    pub fn size(&self) -> Option<BoardSize> {
        self.board.parse().ok()
    }

    /// Who wins, where it was solved.
    pub fn found(&self) -> Option<BoardOutcome> {
        self.outcome.as_ref()?.parse().ok()
    }
}
