//! The outcome row: the empty board of one size, solved, or a position of a board that was split, one line of `outcomes.csv`.

use crate::files::appended::Added;
use crate::files::rows::{self, Row, RowsOf};
use crate::files::whole_lines::WholeLines;
use crate::outcomes::outcome::BoardOutcome;
use anyhow::{Context, Result};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::Goal;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "outcomes.csv";

/// The version of its columns.
pub const SCHEMA_VERSION: u32 = 2;

/// The moves of the empty board.
pub const NO_MOVES: &str = "-";

/// A board that was solved, or that reached its limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/FORMAT.md describes the columns")]
pub struct OutcomeRow {
    pub schema_version: u32,
    pub board: String,
    #[serde(default = "no_moves")]
    pub moves: String,
    #[serde(default)]
    pub plies: u32,
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
    #[serde(default)]
    pub resumed: bool,
    pub machine: String,
    pub cpu: Option<String>,
    pub git_rev: Option<String>,
}

fn no_moves() -> String {
    NO_MOVES.to_string()
}

const COLUMNS: [&str; 19] = [
    "schema_version",
    "board",
    "moves",
    "plies",
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
    "resumed",
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

/// The rows of a folder about whole boards; none where it has no file of them. Older folders have rows about positions of boards that were
/// split, too.
///
/// # Errors
/// A line is no row: the file, the line and the reason.
pub fn read(folder: &Path) -> Result<Vec<OutcomeRow>> {
    let file = rows::file_of(folder, FILE);
    if !file.is_file() {
        return Ok(Vec::new());
    }
    let bytes = rows::open(&file).with_context(|| format!("cannot read {}", file.display()))?;
    // A line that another process is just writing is left out.
    let bytes = WholeLines::new(bytes);
    let mut rows: Vec<OutcomeRow> = RowsOf::of(&file, Box::new(bytes))?.collect::<Result<_>>()?;
    rows.retain(OutcomeRow::is_whole_board);
    Ok(rows)
}

impl OutcomeRow {
    /// The board; `None` where the row names none.
    pub fn size(&self) -> Option<BoardSize> {
        self.board.parse().ok()
    }

    /// Whether it is about the empty board, and not about one of the positions that it was split into.
    pub fn is_whole_board(&self) -> bool {
        self.moves == NO_MOVES
    }

    /// Who wins, where it was solved.
    pub fn found(&self) -> Option<BoardOutcome> {
        self.outcome.as_ref()?.parse().ok()
    }
}

impl OutcomeRow {
    /// A row for tests: an empty board, weak, by the champion, with neither score nor outcome.
    #[doc(hidden)]
    pub fn example(board: &str) -> Self {
        OutcomeRow {
            schema_version: SCHEMA_VERSION,
            board: board.to_string(),
            moves: NO_MOVES.to_string(),
            plies: 0,
            goal: Goal::Weak,
            variant: c4lab_solver::search::registry::DEFAULT.to_string(),
            compiled: true,
            tt_bytes: 1 << 26,
            status: String::new(),
            score: None,
            outcome: None,
            nodes: 0,
            wall_ns: 1_000_000,
            cpu_ns: None,
            limit_ns: None,
            resumed: false,
            machine: String::new(),
            cpu: None,
            git_rev: None,
        }
    }
}
