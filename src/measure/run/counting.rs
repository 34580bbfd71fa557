//! The counting pass: an untimed search of every cell. It counts the probes of the transposition table (`counters.csv`)
//! and the ways in which nodes ended (`anatomy.csv`).

use crate::files::rows;
use crate::files::sample::{SCHEMA_VERSION, Sample, Status};
use crate::plan::Plan;
use crate::plan::experiment::TableState;
use crate::sets::test_set::print_moves;
use crate::signature::Mismatch;
use anyhow::{Context, Result, bail};
use c4lab_solver::search::{Counters, Goal, Limits, Name, PlyCounts, Solve};
use serde::{Deserialize, Serialize};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;

pub const FILE: &str = "counters.csv";

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

crate::row!(Counts, FILE, SCHEMA_VERSION);

/// Searches every answered cell of the variants once, and writes `counters.csv` and `anatomy.csv` whole. `false` if
/// interrupted. A cell without a transposition table has no row in `counters.csv`.
/// Fails if the nodes are not those of the timed search.
pub fn count(plan: &Plan, folder: &Path, samples: &[Sample], interrupt: &AtomicBool) -> Result<bool> {
    let limits = Limits { interrupt: Some(interrupt), ..Limits::default() };
    let mut solvers: HashMap<&str, Box<dyn Solve>> = HashMap::new();
    let (mut sums, mut counts) = (Sums::default(), Vec::new());
    for (sample, name) in searches(plan, samples) {
        let solver = match solvers.entry(name.text()) {
            Entry::Occupied(built) => built.into_mut(),
            Entry::Vacant(free) => free.insert(name.build_counted(&plan.options)?),
        };
        // Rows may lack the moves.
        let mut items = plan.sets.iter().filter(|set| set.sha256 == sample.set_sha256).flat_map(|set| &set.items);
        let item = items.find(|item| item.line as u64 == sample.position_id);
        let position = &item.with_context(|| format!("{} has no line {}", sample.set, sample.position_id))?.position;
        solver.reset();
        let Ok(solved) = solver.solve(position, sample.goal, &limits) else { return Ok(false) };
        if sample.nodes != Some(solved.nodes) {
            let timed = sample.nodes.unwrap_or_default();
            return Err(Mismatch::of_nodes(&print_moves(position), &sample.variant, solved.nodes, timed).into());
        }
        add_up(&mut sums, sample, solver.anatomy());
        if sample.tt_bytes > 0 {
            counts.push(row(sample, solver.counters().unwrap_or_default()));
        }
    }
    rows::write(folder, &counts)?;
    write_anatomy(&sums, folder)?;
    Ok(true)
}

/// The searches to count, each once: those of variants that can be counted. The node count of a search with a warm table
/// or with several threads differs from search to search.
fn searches<'a>(plan: &'a Plan, samples: &'a [Sample]) -> impl Iterator<Item = (&'a Sample, &'a Name)> {
    let uncounted = plan.uncounted();
    let mut names: HashMap<&str, &Name> = plan.variants().map(|name| (name.text(), name)).collect();
    names.retain(|name, _| !uncounted.contains(name));
    let mut subjects = HashSet::new();
    let is_counted =
        |sample: &Sample| sample.status == Status::Ok && sample.threads <= 1 && sample.tt_state == TableState::Cold;
    let named = samples.iter().filter_map(move |sample| Some((sample, *names.get(sample.variant.as_str())?)));
    named.filter(move |(sample, _)| is_counted(sample) && subjects.insert(sample.subject()))
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

pub const ANATOMY: &str = "anatomy.csv";

/// Greatest count that is accepted. Sums over the rows of a file fit a `u64`.
const MOST: u64 = 1 << 48;

/// A row of `anatomy.csv`: the nodes with `ply` stones in all searches of `variant` on `set`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnatomyRow {
    pub schema_version: u32,
    pub set: String,
    pub set_sha256: String,
    pub goal: Goal,
    pub variant: String,
    pub positions: u64,
    pub ply: u32,
    pub nodes: u64,
    pub probes: u64,
    pub hits: u64,
    /// Nodes ended by a win or a loss that is found without a search.
    pub win: u64,
    pub forced: u64,
    pub zugzwang: u64,
    pub bound: u64,
    pub table: u64,
    pub search: u64,
    pub parents: u64,
    pub children: u64,
    /// Nodes cut off by their first child.
    pub cutoff_1: u64,
    pub cutoff_2: u64,
    pub cutoff_3: u64,
    pub cutoff_4: u64,
    pub cutoff_5: u64,
    pub cutoff_6: u64,
    pub cutoff_7: u64,
}

impl AnatomyRow {
    pub fn counts(&self) -> PlyCounts {
        PlyCounts {
            nodes: self.nodes,
            probes: self.probes,
            hits: self.hits,
            ends: [self.win, self.forced, self.zugzwang, self.bound, self.table, self.search],
            parents: self.parents,
            children: self.children,
            cutoffs: [
                self.cutoff_1,
                self.cutoff_2,
                self.cutoff_3,
                self.cutoff_4,
                self.cutoff_5,
                self.cutoff_6,
                self.cutoff_7,
            ],
        }
    }
}

crate::row!(AnatomyRow, ANATOMY, SCHEMA_VERSION);

/// Reads `anatomy.csv` of `folder`; empty if there is none.
pub fn read_anatomy(folder: &Path) -> Result<Vec<AnatomyRow>> {
    let rows: Vec<AnatomyRow> = rows::read_any(folder)?;
    for (row, line) in rows.iter().zip(2..) {
        let PlyCounts { nodes, probes, hits, ends, parents, children, cutoffs } = row.counts();
        let single = [row.positions, nodes, probes, hits, parents, children];
        if let Some(count) = single.into_iter().chain(ends).chain(cutoffs).find(|&count| count > MOST) {
            bail!("{}, line {line}: {count} is more than can have been counted", folder.join(ANATOMY).display());
        }
    }
    Ok(rows)
}

/// Name of the set, its digest, goal, variant.
type Subject = (String, String, Goal, String);

/// The number of positions of a subject, and the sums of its counts by number of stones.
type Sums = BTreeMap<Subject, (u64, Vec<PlyCounts>)>;

fn add_up(sums: &mut Sums, sample: &Sample, plies: &[PlyCounts]) {
    let subject = (sample.set.clone(), sample.set_sha256.clone(), sample.goal, sample.variant.clone());
    let (positions, sums) = sums.entry(subject).or_default();
    *positions += 1;
    sums.resize(sums.len().max(plies.len()), PlyCounts::default());
    sums.iter_mut().zip(plies).for_each(|(sum, &counts)| *sum += counts);
}

/// Writes `anatomy.csv` whole; a number of stones without nodes has no row.
fn write_anatomy(sums: &Sums, folder: &Path) -> Result<()> {
    let mut rows = Vec::new();
    for (subject, (positions, plies)) in sums {
        let counted = plies.iter().enumerate().filter(|(_, counts)| counts.nodes > 0);
        rows.extend(counted.map(|(ply, counts)| anatomy_row(subject, *positions, ply as u32, counts)));
    }
    rows::write(folder, &rows)
}

fn anatomy_row((set, set_sha256, goal, variant): &Subject, positions: u64, ply: u32, counts: &PlyCounts) -> AnatomyRow {
    let PlyCounts { nodes, probes, hits, ends, parents, children, cutoffs } = *counts;
    let [win, forced, zugzwang, bound, table, search] = ends;
    let [cutoff_1, cutoff_2, cutoff_3, cutoff_4, cutoff_5, cutoff_6, cutoff_7] = cutoffs;
    AnatomyRow {
        schema_version: SCHEMA_VERSION,
        set: set.clone(),
        set_sha256: set_sha256.clone(),
        goal: *goal,
        variant: variant.clone(),
        positions,
        ply,
        nodes,
        probes,
        hits,
        win,
        forced,
        zugzwang,
        bound,
        table,
        search,
        parents,
        children,
        cutoff_1,
        cutoff_2,
        cutoff_3,
        cutoff_4,
        cutoff_5,
        cutoff_6,
        cutoff_7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::sample;

    #[test]
    fn searches_are_added_up_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(read_anatomy(folder.path()).unwrap(), []);
        let counts =
            PlyCounts { nodes: 3, ends: [1, 0, 0, 0, 0, 2], cutoffs: [1, 0, 0, 0, 0, 0, 1], ..PlyCounts::default() };
        let mut sums = Sums::default();
        let plies = [PlyCounts::default(), counts];
        for id in 1..=2 {
            add_up(&mut sums, &sample("a", id, 10, 3), &plies);
        }
        add_up(&mut sums, &sample("b", 1, 10, 3), &plies);
        write_anatomy(&sums, folder.path()).unwrap();
        let rows = read_anatomy(folder.path()).unwrap();
        let shown: Vec<_> = rows.iter().map(|row| (row.variant.as_str(), row.positions, row.ply, row.nodes)).collect();
        assert_eq!(shown, [("a", 2, 1, 6), ("b", 1, 1, 3)]);
        assert_eq!(rows[1].counts(), counts);
        let file = folder.path().join(ANATOMY);
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replacen(",3,", ",999999999999999999,", 1)).unwrap();
        let error = read_anatomy(folder.path()).unwrap_err();
        assert!(error.to_string().contains("line 3: 999999999999999999 is more than"), "{error:#}");
    }
}
