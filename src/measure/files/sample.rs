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
use crate::files::rows::Row;
use crate::plan::Code;
use crate::plan::experiment::TableState;
use anyhow::{Context, Result, bail};
use c4lab_solver::search::Goal;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

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

/// Makes [`Sample`] of all columns, and for each file a row of its columns. The columns in parentheses are those of other
/// files, by which a row refers to them. A column is named like its field, or as its literal says.
macro_rules! sample_columns {
    ($( $file:ident: $row:ident $(($( $key:ident: $key_type:ty $(= $key_name:literal)? ),+))? {
        $( $(#[$about:meta])* $column:ident: $type:ty $(= $name:literal)?, )+
    } )+) => {
        /// One measured cell. Integers are in base units; `None` is an empty field: not available.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Sample {
            $( $( $(#[$about])* pub $column: $type, )+ )+
        }

        impl Sample {
            fn joined($( $file: &$row ),+) -> Self {
                Sample { $( $( $column: $file.$column.clone(), )+ )+ }
            }
        }

        $(
            #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
            pub struct $row {
                $($( $(#[serde(rename = $key_name)])? $key: $key_type, )+)?
                $( $(#[serde(rename = $name)])? $column: $type, )+
            }

            impl From<&Sample> for $row {
                fn from(sample: &Sample) -> Self {
                    $row { $($( $key: sample.$key.clone(), )+)? $( $column: sample.$column.clone(), )+ }
                }
            }
        )+
    };
}

sample_columns! {
    process: ProcessRow {
        schema_version: u32,
        /// Identifier of the process, unique over all machines.
        run_id: String = "process",
        process: u32 = "number",
        machine_id: String,
        binary_sha256: String,
        git_rev: Option<String>,
        dirty: Option<bool>,
        seed: u64,
        limit_ns: Option<u64>,
        limit_nodes: Option<u64>,
        /// Resolution of the clock in nanoseconds.
        resolution_ns: u64,
    }

    variant: VariantRow(run_id: String = "process") {
        variant: String,
        spec: String,
        geometry: String,
        tt_bytes: u64,
        tt_state: TableState,
        threads: u32,
        book: Option<u32>,
        code: Option<Code>,
        clock: EngineClock,
        /// True for a dynamic variant, whose times are compared only with those of other dynamic variants.
        dynamic: bool,
    }

    position: PositionRow {
        set: String,
        position_id: u64,
        set_sha256: String,
        ply: u32,
        moves: Option<String>,
        expected_score: Option<i32>,
    }

    cell: SampleRow(run_id: String = "process", set: String, position_id: u64, variant: String) {
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
        /// The reason of a failure, or a remark that the search was not pinned.
        marks: Option<String>,
    }
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

/// The rows of the side files, by the names that samples refer to.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    processes: HashMap<String, ProcessRow>,
    variants: HashMap<String, HashMap<String, VariantRow>>,
    positions: HashMap<String, HashMap<u64, PositionRow>>,
}

impl Sides {
    pub fn of(processes: Vec<ProcessRow>, variants: Vec<VariantRow>, positions: Vec<PositionRow>) -> Result<Self> {
        let mut sides = Sides::default();
        processes.iter().try_for_each(|row| sides.add_process(row).map(drop))?;
        variants.iter().try_for_each(|row| sides.add_variant(row).map(drop))?;
        positions.iter().try_for_each(|row| sides.add_position(row).map(drop))?;
        Ok(sides)
    }

    /// Adds the rows to which `sample` refers, and returns those that are new.
    pub(super) fn add(
        &mut self,
        sample: &Sample,
    ) -> Result<(Option<ProcessRow>, Option<VariantRow>, Option<PositionRow>)> {
        let (process, variant, position) = (sample.into(), sample.into(), sample.into());
        let is_new = (self.add_process(&process)?, self.add_variant(&variant)?, self.add_position(&position)?);
        Ok((is_new.0.then_some(process), is_new.1.then_some(variant), is_new.2.then_some(position)))
    }

    fn add_process(&mut self, row: &ProcessRow) -> Result<bool> {
        let name = || format!("process {}", row.run_id);
        is_new(self.processes.entry(row.run_id.clone()), row).with_context(name)
    }

    fn add_variant(&mut self, row: &VariantRow) -> Result<bool> {
        let name = || format!("{} of process {}", row.variant, row.run_id);
        let variants = self.variants.entry(row.run_id.clone()).or_default();
        is_new(variants.entry(row.variant.clone()), row).with_context(name)
    }

    fn add_position(&mut self, row: &PositionRow) -> Result<bool> {
        let name = || format!("position {} of {}", row.position_id, row.set);
        let positions = self.positions.entry(row.set.clone()).or_default();
        is_new(positions.entry(row.position_id), row).with_context(name)
    }

    pub fn join(&self, cell: &SampleRow) -> Result<Sample> {
        let SampleRow { run_id, variant, set, position_id, .. } = cell;
        let process = self.processes.get(run_id);
        let process = process.with_context(|| format!("process {run_id} is not in {}", ProcessRow::FILE))?;
        let variant_row = self.variants.get(run_id).and_then(|variants| variants.get(variant));
        let variant_row =
            variant_row.with_context(|| format!("{variant} of process {run_id} is not in {}", VariantRow::FILE))?;
        let position = self.positions.get(set).and_then(|positions| positions.get(position_id));
        let position =
            position.with_context(|| format!("position {position_id} of {set} is not in {}", PositionRow::FILE))?;
        Ok(Sample::joined(process, variant_row, position, cell))
    }
}

/// Adds `row` to a vacant `entry`. True if it was vacant.
fn is_new<K, V: Clone + PartialEq>(entry: Entry<'_, K, V>, row: &V) -> Result<bool> {
    match entry {
        Entry::Occupied(known) if known.get() != row => bail!("two lines about it differ"),
        Entry::Occupied(_) => Ok(false),
        Entry::Vacant(free) => {
            free.insert(row.clone());
            Ok(true)
        }
    }
}
