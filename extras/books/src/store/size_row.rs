//! The size row: how many bytes a form takes that knows positions with fewer than so many stones, one line of `sizes.csv`.

use crate::store::file::Store;
use crate::store::form::StoreForm;
use crate::store::strategy::Strategy;
use anyhow::Result;
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{self, Row};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "sizes.csv";

/// The version of its columns.
pub const SCHEMA_VERSION: u32 = 1;

/// The size of one form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/FORMAT.md describes the columns")]
pub struct SizeRow {
    pub schema_version: u32,
    pub board: String,
    pub seats: String,
    pub stones: u32,
    pub form: String,
    pub bytes: u64,
    pub packed: u64,
    pub git_rev: Option<String>,
}

impl Row for SizeRow {
    const FILE: &'static str = FILE;
    const WHAT: &'static str = "sizes of stores";
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
}

impl SizeRow {
    /// The size of strategies in a form.
    ///
    /// # Errors
    /// A strategy does not know a position, or has too many lines for the form.
    pub fn of(strategies: &[Strategy], stones: u32, form: StoreForm) -> Result<Self> {
        let store = Store::of(strategies, stones, form)?;
        let seats: Vec<String> = strategies.iter().map(|strategy| strategy.seat().to_string()).collect();
        Ok(SizeRow {
            schema_version: SCHEMA_VERSION,
            board: store.size.to_string(),
            seats: seats.join(" "),
            stones,
            form: form.name().to_string(),
            bytes: store.bytes.iter().flatten().map(|bytes| bytes.len() as u64).sum(),
            packed: store.pack()?.len() as u64,
            git_rev: git_rev(),
        })
    }
}

/// Whether a folder has such rows.
pub fn is_in(folder: &Path) -> bool {
    folder.join(FILE).is_file()
}

/// The rows of a folder.
///
/// # Errors
/// There are none, or a line is no row: the file, the line and the reason.
pub fn read(folder: &Path) -> Result<Vec<SizeRow>> {
    rows::read(folder)
}

/// Writes the rows of a folder, all at one stroke.
///
/// # Errors
/// The file cannot be written.
pub fn write(folder: &Path, rows: &[SizeRow]) -> Result<()> {
    rows::write(folder, rows)
}
