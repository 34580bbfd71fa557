//! The book row: one position that was solved, one line of `book.csv`. Flushed row by row, so that a build can be
//! stopped at any moment and resumed.

use anyhow::Result;
use c4lab_measure::files::rows::{self, Appended, Row};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "book.csv";

/// One position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/FORMAT.md describes the columns")]
pub struct BookRow {
    pub schema_version: u32,
    pub board: String,
    pub ply: u32,
    /// Place in the order of the book, from 0.
    pub place: usize,
    pub moves: String,
    pub score: i32,
    pub nodes: u64,
    pub variant: String,
    pub git_rev: Option<String>,
}

/// The version of the columns.
pub const SCHEMA_VERSION: u32 = 1;

/// The file of a folder that book rows are added to.
pub type BookFile = Appended<BookRow>;

impl Row for BookRow {
    const FILE: &'static str = FILE;
    const WHAT: &'static str = "book rows";
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
    const DOING: &'static str = "solving";
}

/// Reads the rows of a folder, from `book.csv` or `book.csv.gz`; a torn last line is dropped.
///
/// # Errors
/// There are none, or a line is no row: the file, the line and the reason.
pub fn read(folder: &Path) -> Result<Vec<BookRow>> {
    rows::read(folder)
}
