//! The sample: one measured cell. docs/FORMAT.md describes every column.
//!
//! On disk it is a row of `samples.csv`, of some 100 bytes. Values that many rows share are kept once, in three files
//! beside it that are joined by name:
//!
//! ```text
//! samples.csv     process  set  position_id  variant  goal  repetition ...  status  score  nodes  wall_ns ...
//!                    |       \      /           |
//! processes.csv   process     |   |             |            machine, binary, seed, limits, clock's resolution
//! variants.csv    process ----|---|---------- variant        spec, geometry, table, threads, code, clock
//! positions.csv              set position_id                 digest of the set, moves, expected score
//! ```
//!
//! In memory a [`Sample`] is joined already.

use crate::engines::table::EngineClock;
use crate::files::rows::{self, Row};
use crate::plan::Code;
use crate::plan::experiment::TableState;
use anyhow::{Context, Result, bail};
use c4lab_solver::search::Goal;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

/// The version of the columns below, and the only version that is read.
pub const SCHEMA_VERSION: u32 = 3;

pub const READS_OLDER: &str = "cf8c828";

pub const FILE: &str = "samples.csv";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    Ok,
    Wrong,
    Timeout,
    NodeLimit,
    Oom,
    Signal,
    Error,
    Skipped,
}

impl Status {
    pub fn is_limited(self) -> bool {
        matches!(self, Status::Timeout | Status::NodeLimit)
    }
}

/// One measured cell. Integers are in base units; `None` is an empty field: not available.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    // Values of the process.
    /// Identifier of the process, unique over all machines; `process` in the files.
    pub run_id: String,
    pub process: u32,
    pub machine_id: String,
    pub binary_sha256: String,
    pub git_rev: Option<String>,
    pub dirty: Option<bool>,
    pub seed: u64,
    pub limit_ns: Option<u64>,
    pub limit_nodes: Option<u64>,
    /// Resolution of the clock in nanoseconds.
    pub resolution_ns: u64,
    // Values of the position.
    pub set: String,
    pub set_sha256: String,
    pub position_id: u64,
    pub ply: u32,
    pub moves: Option<String>,
    pub expected_score: Option<i32>,
    // Values of the variant.
    pub variant: String,
    pub spec: String,
    pub geometry: String,
    pub tt_bytes: u64,
    pub tt_state: TableState,
    pub threads: u32,
    pub book: Option<u32>,
    pub code: Option<Code>,
    pub clock: EngineClock,
    /// True for a dynamic variant, whose times are compared only with those of other dynamic variants.
    pub dynamic: bool,
    // Values of the cell.
    pub goal: Goal,
    pub repetition: u32,
    pub batch: u32,
    pub block_order: u32,
    pub status: Status,
    pub score: Option<i32>,
    pub nodes: Option<u64>,
    pub wall_ns: Option<u64>,
    pub cpu_ns: Option<u64>,
    pub engine_nodes: Option<u64>,
    pub engine_ns: Option<u64>,
    pub started_at: String,
    /// The reason of a failure, or a remark that the search was not pinned.
    pub marks: Option<String>,
}

/// Identifies a cell: set, line, variant, goal, number of the process, repetition.
pub type CellKey<'a> = (&'a str, u64, &'a str, Goal, u32, u32);

impl Sample {
    /// The pass over the set: its process, from 1, and its repetition, from 0.
    pub fn pass(&self) -> (u32, u32) {
        (self.process, self.repetition)
    }

    /// The search of a row, without process and repetition. Rows of equal subject must have equal nodes.
    pub fn subject(&self) -> (&str, u64, &str, Goal, u64) {
        (&self.set_sha256, self.position_id, &self.variant, self.goal, self.tt_bytes)
    }

    pub fn cell(&self) -> CellKey<'_> {
        (&self.set_sha256, self.position_id, &self.variant, self.goal, self.process, self.repetition)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleRow {
    process: String,
    set: String,
    position_id: u64,
    variant: String,
    goal: Goal,
    repetition: u32,
    batch: u32,
    block_order: u32,
    status: Status,
    score: Option<i32>,
    nodes: Option<u64>,
    wall_ns: Option<u64>,
    cpu_ns: Option<u64>,
    engine_nodes: Option<u64>,
    engine_ns: Option<u64>,
    started_at: String,
    marks: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessRow {
    schema_version: u32,
    process: String,
    number: u32,
    machine_id: String,
    binary_sha256: String,
    git_rev: Option<String>,
    dirty: Option<bool>,
    seed: u64,
    limit_ns: Option<u64>,
    limit_nodes: Option<u64>,
    resolution_ns: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantRow {
    process: String,
    variant: String,
    spec: String,
    geometry: String,
    tt_bytes: u64,
    tt_state: TableState,
    threads: u32,
    book: Option<u32>,
    code: Option<Code>,
    clock: EngineClock,
    dynamic: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionRow {
    set: String,
    position_id: u64,
    set_sha256: String,
    ply: u32,
    moves: Option<String>,
    expected_score: Option<i32>,
}

impl Row for SampleRow {
    const FILE: &'static str = FILE;

    fn other(header: &csv::StringRecord) -> Option<String> {
        // Schema 1 repeated short searches in place.
        let is_older = header.get(0) == Some("schema_version") && header.get(1) == Some("cell_id");
        let version = if header.iter().any(|column| column == "inner_repetitions") { 1 } else { 2 };
        is_older.then(|| {
            format!(
                "rows of schema {version}; this c4lab reads only schema {SCHEMA_VERSION}; c4lab at revision {READS_OLDER} reads them"
            )
        })
    }
}

impl Row for ProcessRow {
    const FILE: &'static str = "processes.csv";
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
}

impl Row for VariantRow {
    const FILE: &'static str = "variants.csv";
}

impl Row for PositionRow {
    const FILE: &'static str = "positions.csv";
}

impl Sample {
    /// The row of `samples.csv`, and the lines of the side files to which it refers.
    pub(super) fn lines(&self) -> (ProcessRow, VariantRow, PositionRow, SampleRow) {
        let of = self.clone();
        let process = ProcessRow {
            schema_version: SCHEMA_VERSION,
            process: of.run_id.clone(),
            number: of.process,
            machine_id: of.machine_id,
            binary_sha256: of.binary_sha256,
            git_rev: of.git_rev,
            dirty: of.dirty,
            seed: of.seed,
            limit_ns: of.limit_ns,
            limit_nodes: of.limit_nodes,
            resolution_ns: of.resolution_ns,
        };
        let variant = VariantRow {
            process: of.run_id.clone(),
            variant: of.variant.clone(),
            spec: of.spec,
            geometry: of.geometry,
            tt_bytes: of.tt_bytes,
            tt_state: of.tt_state,
            threads: of.threads,
            book: of.book,
            code: of.code,
            clock: of.clock,
            dynamic: of.dynamic,
        };
        let position = PositionRow {
            set: of.set.clone(),
            position_id: of.position_id,
            set_sha256: of.set_sha256,
            ply: of.ply,
            moves: of.moves,
            expected_score: of.expected_score,
        };
        let sample = SampleRow {
            process: of.run_id,
            set: of.set,
            position_id: of.position_id,
            variant: of.variant,
            goal: of.goal,
            repetition: of.repetition,
            batch: of.batch,
            block_order: of.block_order,
            status: of.status,
            score: of.score,
            nodes: of.nodes,
            wall_ns: of.wall_ns,
            cpu_ns: of.cpu_ns,
            engine_nodes: of.engine_nodes,
            engine_ns: of.engine_ns,
            started_at: of.started_at,
            marks: of.marks,
        };
        (process, variant, position, sample)
    }
}

/// The lines of the side files, by the names that rows refer to.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    processes: HashMap<String, ProcessRow>,
    variants: HashMap<String, HashMap<String, VariantRow>>,
    positions: HashMap<String, HashMap<u64, PositionRow>>,
}

impl Sides {
    pub fn read(folder: &Path) -> Result<Self> {
        Self::of(rows::read(folder)?, rows::read(folder)?, rows::read(folder)?)
    }

    pub fn of(processes: Vec<ProcessRow>, variants: Vec<VariantRow>, positions: Vec<PositionRow>) -> Result<Self> {
        let mut sides = Sides::default();
        processes.into_iter().try_for_each(|row| sides.add_process(row).map(drop))?;
        variants.into_iter().try_for_each(|row| sides.add_variant(row).map(drop))?;
        positions.into_iter().try_for_each(|row| sides.add_position(row).map(drop))?;
        Ok(sides)
    }

    /// Adds a line, and returns it if it is new.
    pub(super) fn add_process(&mut self, row: ProcessRow) -> Result<Option<&ProcessRow>> {
        let what = || format!("process {}", row.process);
        unless_known(self.processes.entry(row.process.clone()), &row).with_context(what)
    }

    pub(super) fn add_variant(&mut self, row: VariantRow) -> Result<Option<&VariantRow>> {
        let what = || format!("{} of process {}", row.variant, row.process);
        let of_process = self.variants.entry(row.process.clone()).or_default();
        unless_known(of_process.entry(row.variant.clone()), &row).with_context(what)
    }

    pub(super) fn add_position(&mut self, row: PositionRow) -> Result<Option<&PositionRow>> {
        let what = || format!("position {} of {}", row.position_id, row.set);
        let of_set = self.positions.entry(row.set.clone()).or_default();
        unless_known(of_set.entry(row.position_id), &row).with_context(what)
    }

    pub fn join(&self, row: SampleRow) -> Result<Sample> {
        let absent = |what: &str, file: &str| format!("{what} is not in {file}");
        let process = self.processes.get(&row.process);
        let process = process.with_context(|| absent(&format!("process {}", row.process), ProcessRow::FILE))?;
        let variant = self.variants.get(&row.process).and_then(|variants| variants.get(&row.variant));
        let variant = variant
            .with_context(|| absent(&format!("{} of process {}", row.variant, row.process), VariantRow::FILE))?;
        let position = self.positions.get(&row.set).and_then(|positions| positions.get(&row.position_id));
        let position = position
            .with_context(|| absent(&format!("position {} of {}", row.position_id, row.set), PositionRow::FILE))?;
        Ok(Sample {
            run_id: row.process,
            process: process.number,
            machine_id: process.machine_id.clone(),
            binary_sha256: process.binary_sha256.clone(),
            git_rev: process.git_rev.clone(),
            dirty: process.dirty,
            seed: process.seed,
            limit_ns: process.limit_ns,
            limit_nodes: process.limit_nodes,
            resolution_ns: process.resolution_ns,
            set: row.set,
            set_sha256: position.set_sha256.clone(),
            position_id: row.position_id,
            ply: position.ply,
            moves: position.moves.clone(),
            expected_score: position.expected_score,
            variant: row.variant,
            spec: variant.spec.clone(),
            geometry: variant.geometry.clone(),
            tt_bytes: variant.tt_bytes,
            tt_state: variant.tt_state,
            threads: variant.threads,
            book: variant.book,
            code: variant.code,
            clock: variant.clock,
            dynamic: variant.dynamic,
            goal: row.goal,
            repetition: row.repetition,
            batch: row.batch,
            block_order: row.block_order,
            status: row.status,
            score: row.score,
            nodes: row.nodes,
            wall_ns: row.wall_ns,
            cpu_ns: row.cpu_ns,
            engine_nodes: row.engine_nodes,
            engine_ns: row.engine_ns,
            started_at: row.started_at,
            marks: row.marks,
        })
    }
}

fn unless_known<'a, K, V: Clone + PartialEq>(entry: Entry<'a, K, V>, row: &V) -> Result<Option<&'a V>> {
    match entry {
        Entry::Occupied(known) if known.get() != row => bail!("two lines about it differ"),
        Entry::Occupied(_) => Ok(None),
        Entry::Vacant(free) => Ok(Some(free.insert(row.clone()))),
    }
}
