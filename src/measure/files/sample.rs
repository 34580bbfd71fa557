//! The row: one measured cell, one line of `samples.csv`. docs/FORMAT.md describes every column.

use crate::plan::code::Code;
use crate::plan::table_state::TableState;
use c4lab_solver::search::Goal;
use serde::{Deserialize, Serialize};

/// The version of the columns below. A reader accepts older ones.
pub const SCHEMA_VERSION: u32 = 2;

/// The name of the file.
pub const FILE: &str = "samples.csv";

/// How a cell ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The right answer.
    Ok,
    /// A wrong answer: no time of it counts.
    Wrong,
    /// The time limit was reached.
    Timeout,
    /// The node limit was reached.
    NodeLimit,
    /// Memory ran out.
    Oom,
    /// The program was ended by a signal.
    Signal,
    /// Another failure; `warnings` says which.
    Error,
    /// Not measured; `warnings` says why.
    Skipped,
}

impl Status {
    /// Its name in rows.
    pub fn name(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Wrong => "wrong",
            Status::Timeout => "timeout",
            Status::NodeLimit => "node_limit",
            Status::Oom => "oom",
            Status::Signal => "signal",
            Status::Error => "error",
            Status::Skipped => "skipped",
        }
    }

    /// Whether the cell reached a limit.
    pub fn is_limited(self) -> bool {
        matches!(self, Status::Timeout | Status::NodeLimit)
    }
}

/// One row. Integers are in base units; `None` is an empty field: not available.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/FORMAT.md describes the columns")]
pub struct Sample {
    pub schema_version: u32,
    pub cell_id: String,
    pub run_id: String,
    #[serde(default = "first")]
    pub process: u32,
    pub machine_id: String,
    pub binary_sha256: String,
    pub git_rev: Option<String>,
    pub dirty: Option<bool>,
    pub set: String,
    pub set_sha256: String,
    pub position_id: u64,
    pub moves: Option<String>,
    pub ply: u32,
    pub geometry: String,
    pub variant: String,
    pub spec: String,
    pub goal: Goal,
    pub tt_bytes: u64,
    pub tt_state: TableState,
    pub threads: u32,
    #[serde(default)]
    pub book: Option<u32>,
    #[serde(default)]
    pub code: Option<Code>,
    pub repetition: u32,
    #[serde(default)]
    pub batch: Option<u32>,
    pub block_order: u32,
    pub seed: u64,
    pub limit_ns: Option<u64>,
    pub limit_nodes: Option<u64>,
    pub status: Status,
    pub expected_score: Option<i32>,
    pub score: Option<i32>,
    pub nodes: Option<u64>,
    pub wall_ns: Option<u64>,
    pub cpu_ns: Option<u64>,
    pub engine_nodes: Option<u64>,
    pub engine_ns: Option<u64>,
    pub started_at: String,
    pub warnings: Option<String>,
}

/// Rows of schema 1 are of one process.
fn first() -> u32 {
    1
}

/// The header line of `samples.csv`.
pub const COLUMNS: [&str; 38] = [
    "schema_version",
    "cell_id",
    "run_id",
    "process",
    "machine_id",
    "binary_sha256",
    "git_rev",
    "dirty",
    "set",
    "set_sha256",
    "position_id",
    "moves",
    "ply",
    "geometry",
    "variant",
    "spec",
    "goal",
    "tt_bytes",
    "tt_state",
    "threads",
    "book",
    "code",
    "repetition",
    "batch",
    "block_order",
    "seed",
    "limit_ns",
    "limit_nodes",
    "status",
    "expected_score",
    "score",
    "nodes",
    "wall_ns",
    "cpu_ns",
    "engine_nodes",
    "engine_ns",
    "started_at",
    "warnings",
];

impl Sample {
    /// Which pass over its set it is of: the process, from 1, and its repetition, from 0.
    pub fn pass(&self) -> (u32, u32) {
        (self.process, self.repetition)
    }

    /// What one observation is of: everything but the machine and the run. Rows that agree here must agree in nodes.
    pub fn subject(&self) -> (&str, u64, &str, Goal, u64) {
        (&self.set_sha256, self.position_id, &self.variant, self.goal, self.tt_bytes)
    }
}
