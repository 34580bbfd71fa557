//! The count of a ply: how many legal positions of a board have so many stones, one line of `positions.csv`.

use crate::files::appended::Added;
use crate::files::build_info::git_rev;
use crate::files::rows::{self, Row, RowsOf};
use anyhow::{Context, Result};
use c4lab_solver::game::BoardSize;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "positions.csv";

/// The version of its columns.
pub const SCHEMA_VERSION: u32 = 1;

/// The positions of one ply of a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/FORMAT.md describes the columns")]
pub struct PlyCount {
    pub schema_version: u32,
    pub board: String,
    pub ply: u32,
    pub positions: u64,
    pub git_rev: Option<String>,
}

impl Row for PlyCount {
    const WHAT: &'static str = "counts of positions";
    const SCHEMA_VERSION: u32 = SCHEMA_VERSION;
}

impl Added for PlyCount {
    const FILE: &'static str = FILE;
    const COLUMNS: &'static [&'static str] = &["schema_version", "board", "ply", "positions", "git_rev"];
    const DOING: &'static str = "counting positions";
}

impl PlyCount {
    /// The row of a ply that was counted now.
    pub fn new(board: BoardSize, ply: u32, positions: u64) -> Self {
        PlyCount { schema_version: SCHEMA_VERSION, board: board.to_string(), ply, positions, git_rev: git_rev() }
    }

    /// The board; `None` where the row names none.
    pub fn size(&self) -> Option<BoardSize> {
        self.board.parse().ok()
    }
}

/// The rows of a folder.
///
/// # Errors
/// There is no such file, or a line is no row: the file, the line and the reason.
pub fn read(folder: &Path) -> Result<Vec<PlyCount>> {
    let file = rows::file_of(folder, FILE);
    let bytes = rows::open(&file).with_context(|| format!("no {} in {}", PlyCount::WHAT, folder.display()))?;
    RowsOf::of(&file, Box::new(bytes))?.collect()
}
