//! The store row: one position and its move, one line of `store.csv`. Flushed row by row, so that a build can be stopped
//! at any moment and resumed.

use crate::store::strategy::Seat;
use anyhow::{Context, Result};
use c4lab_measure::files::appended::{Added, Appended};
use c4lab_measure::files::rows::{self, Row, RowsOf};
use c4lab_measure::files::whole_lines::WholeLines;
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

/// The header line.
const COLUMNS: [&str; 10] =
    ["schema_version", "board", "seat", "ply", "moves", "value", "rank", "column", "variant", "git_rev"];

/// The file of a folder that store rows are added to.
pub type StoreFile = Appended<StoreRow>;

impl Row for StoreRow {
    const WHAT: &'static str = "store rows";
    const SCHEMA_VERSION: u32 = SCHEMA_VERSION;
}

impl Added for StoreRow {
    const FILE: &'static str = FILE;
    const COLUMNS: &'static [&'static str] = &COLUMNS;
    const DOING: &'static str = "solving";
}

/// Reads the rows of a folder, from `store.csv` or `store.csv.gz`; a torn last line is dropped.
///
/// # Errors
/// There are none, or a line is no row: the file, the line and the reason.
pub fn read(folder: &Path) -> Result<Vec<StoreRow>> {
    let file = rows::file_of(folder, FILE);
    let bytes = rows::open(&file).with_context(|| format!("no store rows in {}", folder.display()))?;
    RowsOf::of(&file, Box::new(WholeLines::new(bytes)))?.collect()
}
