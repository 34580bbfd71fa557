//! The counting pass: what the tables did, and what became of the nodes, in a search of its own that is not timed. Written to
//! `counters.csv` and `anatomy.csv`.

use crate::files::atomic;
use crate::files::rows::{self, RowsOf};
use crate::files::sample::{SCHEMA_VERSION, Sample, Status};
use crate::plan::plan::Plan;
use crate::plan::table_state::TableState;
use crate::run::anatomy;
use crate::sets::test_set::parse_moves_on;
use anyhow::{Context, Result};
use c4lab_solver::search::{Goal, Limits, Solve};
use serde::{Deserialize, Serialize};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// A row of `counters.csv`, as it is written.
#[derive(Serialize)]
struct CountRow<'a> {
    schema_version: u32,
    set: &'a str,
    set_sha256: &'a str,
    position_id: u64,
    ply: u32,
    variant: &'a str,
    goal: Goal,
    tt_bytes: u64,
    nodes: u64,
    probes: u64,
    hits: u64,
    cutoffs: u64,
    stores: u64,
}

/// What is read back of a row of `counters.csv`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// The version of the columns.
    pub schema_version: u32,
    /// SHA-256 of the set's bytes.
    pub set_sha256: String,
    /// Stones on the board.
    pub ply: u32,
    /// The variant.
    pub variant: String,
    /// The goal.
    pub goal: Goal,
    /// Times that the table was asked.
    pub probes: u64,
    /// Times that it knew a bound.
    pub hits: u64,
}

/// Reads `counters.csv` of a folder; nothing where there is none.
pub fn read(folder: &Path) -> Result<Vec<Counts>> {
    let file = folder.join("counters.csv");
    if !file.exists() {
        return Ok(Vec::new());
    }
    parse(&file, File::open(&file).with_context(|| format!("cannot read {}", file.display()))?)
}

impl rows::Row for Counts {
    const WHAT: &'static str = "counts";
    const SCHEMA_VERSION: u32 = SCHEMA_VERSION;
}

/// The counts in the bytes of a file, which need not be on disk.
///
/// # Errors
/// A line that is no row: the file, the line and the reason.
pub fn parse(file: &Path, bytes: impl Read) -> Result<Vec<Counts>> {
    RowsOf::of(file, Box::new(bytes))?.collect()
}

/// The counting search took another number of nodes than the timed one.
#[derive(Debug)]
pub struct NodesMoved {
    moves: String,
    variant: String,
    counted: u64,
    timed: u64,
}

impl fmt::Display for NodesMoved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}: {} nodes counted, {} timed", self.moves, self.variant, self.counted, self.timed)
    }
}

impl std::error::Error for NodesMoved {}

/// Counts every cell of ours that was answered, once, and writes `counters.csv` and `anatomy.csv` whole; says whether it came to its end.
/// A cell without a table has no counters.
///
/// The nodes must be those of the timed search.
pub fn count(plan: &Plan, folder: &Path, samples: &[Sample], interrupt: &AtomicBool) -> Result<bool> {
    let mut solvers: HashMap<&str, Box<dyn Solve>> = HashMap::new();
    let (mut counted, mut sums) = (HashSet::new(), anatomy::Sums::default());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let uncounted = plan.uncounted();
    for sample in samples.iter().filter(|sample| sample.status == Status::Ok) {
        // A foreign program counts nothing for us.
        let is_ours = plan.variants().any(|name| name.text() == sample.variant);
        // With several threads nodes differ from one search to the next.
        if !is_ours
            || uncounted.contains(&sample.variant.as_str())
            || sample.threads > 1
            || sample.tt_state == TableState::Warm
            || !counted.insert(sample.subject())
        {
            continue;
        }
        let solver = match solvers.entry(&sample.variant) {
            Entry::Occupied(there) => there.into_mut(),
            Entry::Vacant(free) => {
                let name = plan.variants().find(|name| name.text() == sample.variant);
                let name = name.with_context(|| format!("{}: not in the plan", sample.variant))?;
                free.insert(name.build_counted(&plan.options)?)
            }
        };
        let limits = Limits { interrupt: Some(interrupt), ..Limits::default() };
        let moves = sample.moves.as_deref().unwrap_or_default();
        solver.reset();
        let Ok(solved) = solver.solve(&parse_moves_on(plan.options.board, moves)?, sample.goal, &limits) else {
            return Ok(false);
        };
        if sample.nodes != Some(solved.nodes) {
            let (moves, variant) = (moves.to_string(), sample.variant.clone());
            let (counted, timed) = (solved.nodes, sample.nodes.unwrap_or_default());
            return Err(NodesMoved { moves, variant, counted, timed }.into());
        }
        sums.add(sample, solver.anatomy());
        if sample.tt_bytes > 0 {
            writer.serialize(row(sample, solver.counters().unwrap_or_default()))?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| error.into_error())?;
    atomic::write(&folder.join("counters.csv"), &bytes)?;
    sums.write(folder)?;
    Ok(true)
}

fn row(sample: &Sample, counters: c4lab_solver::search::Counters) -> CountRow<'_> {
    CountRow {
        schema_version: sample.schema_version,
        set: &sample.set,
        set_sha256: &sample.set_sha256,
        position_id: sample.position_id,
        ply: sample.ply,
        variant: &sample.variant,
        goal: sample.goal,
        tt_bytes: sample.tt_bytes,
        nodes: sample.nodes.unwrap_or_default(),
        probes: counters.probes,
        hits: counters.hits,
        cutoffs: counters.cutoffs,
        stores: counters.stores,
    }
}
