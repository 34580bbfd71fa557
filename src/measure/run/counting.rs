//! The counting pass: what the tables did, and what became of the nodes, in a search of its own that is not timed. Written to
//! `counters.csv` and `anatomy.csv`.

use crate::files::rows::{self, Row};
use crate::files::sample::{SCHEMA_VERSION, Sample, Status};
use crate::plan::plan::Plan;
use crate::plan::table_state::TableState;
use crate::run::anatomy;
use crate::sets::test_set::parse_moves_on;
use anyhow::{Context, Result};
use c4lab_solver::search::{Counters, Goal, Limits, Solve};
use serde::{Deserialize, Serialize};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;

pub const FILE: &str = "counters.csv";

/// A row of `counters.csv`: what the table did in one search.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub schema_version: u32,
    pub set: String,
    pub set_sha256: String,
    pub position_id: u64,
    pub ply: u32,
    pub variant: String,
    pub goal: Goal,
    pub tt_bytes: u64,
    pub nodes: u64,
    pub probes: u64,
    pub hits: u64,
    pub cutoffs: u64,
    pub stores: u64,
}

impl Row for Counts {
    const FILE: &'static str = FILE;
    const WHAT: &'static str = "counts";
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
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
    let mut counts = Vec::new();
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
            counts.push(row(sample, solver.counters().unwrap_or_default()));
        }
    }
    rows::write(folder, &counts)?;
    sums.write(folder)?;
    Ok(true)
}

fn row(sample: &Sample, counters: Counters) -> Counts {
    Counts {
        schema_version: SCHEMA_VERSION,
        set: sample.set.clone(),
        set_sha256: sample.set_sha256.clone(),
        position_id: sample.position_id,
        ply: sample.ply,
        variant: sample.variant.clone(),
        goal: sample.goal,
        tt_bytes: sample.tt_bytes,
        nodes: sample.nodes.unwrap_or_default(),
        probes: counters.probes,
        hits: counters.hits,
        cutoffs: counters.cutoffs,
        stores: counters.stores,
    }
}
