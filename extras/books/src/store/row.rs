//! The store row: one position and its move, one line of `store.csv`. Flushed row by row, so that a build can be stopped
//! at any moment and resumed.

use crate::store::strategy::Seat;
use anyhow::Result;
use c4lab_measure::files::rows::{self, Appended, Row};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "store.csv";

/// One position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/FORMAT.md describes the columns")]
pub struct StoreRow {
    pub schema_version: u32,
    pub board: String,
    pub seat: Seat,
    pub ply: u32,
    pub moves: String,
    /// 1, 0 or -1, from the mover's side.
    pub value: i8,
    /// Place of the move in the order of the rule, from 0.
    pub rank: u8,
    /// The column, from 1.
    pub column: u32,
    pub variant: String,
    pub git_rev: Option<String>,
}

/// The version of the columns.
pub const SCHEMA_VERSION: u32 = 1;

/// The file of a folder that store rows are added to.
pub type StoreFile = Appended<StoreRow>;

impl Row for StoreRow {
    const FILE: &'static str = FILE;
    const WHAT: &'static str = "store rows";
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
    const DOING: &'static str = "solving";
}

/// Reads the rows of a folder, from `store.csv` or `store.csv.gz`; a torn last line is dropped.
///
/// # Errors
/// There are none, or a line is no row: the file, the line and the reason.
pub fn read(folder: &Path) -> Result<Vec<StoreRow>> {
    rows::read(folder)
}
