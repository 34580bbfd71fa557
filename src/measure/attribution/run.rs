//! Counts an attribution: the searches that its folder misses are counted, checked, and added row by row.
//!
//! They are not timed, so that every core can work. The node count of a search with a cold table does not depend on other
//! work of the machine.

use crate::attribution::{Attribution, ablation_path};
use crate::files::machine::{Machine, MachineState};
use crate::files::manifest::{Binary, SetRecord, read_versioned, write_manifest};
use crate::files::node_row::{self, NodeRow, NodeTable};
use crate::files::rows::RowWriter;
use crate::files::sample::{self, Status};
use crate::in_order::in_order;
use crate::run::measure::Progress;
use crate::sets::test_set::{Item, TestSet};
use crate::text::{now, sha256};
use anyhow::{Context, Result, bail};
use c4lab_solver::search::{Goal, Limits, Options, Solve, Spec, Stopped, registry};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

const SCHEMA_VERSION: u32 = 1;

/// `manifest.json` of an attribution: its settings, binary and runs. The runs may be on several machines, because node
/// counts, unlike times, do not depend on the machine.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct AttributionManifest {
    pub schema_version: u32,
    pub attribution: Attribution,
    pub attribution_sha256: String,
    pub test_sets: Vec<SetRecord>,
    pub binary: Binary,
    /// The requested ablation paths: the specs of both ends.
    #[serde(default)]
    pub paths: Vec<(String, String)>,
    pub runs: Vec<NodeRun>,
}

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct NodeRun {
    pub command: Vec<String>,
    pub started_at: String,
    pub ended_at: Option<String>,
    pub machine_id: String,
    pub threads: usize,
    pub before: MachineState,
    pub after: Option<MachineState>,
}

impl AttributionManifest {
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        read_versioned(folder, SCHEMA_VERSION)
    }

    pub fn write(&self, folder: &Path) -> Result<()> {
        write_manifest(folder, self)
    }

    pub fn warnings(&self) -> Vec<String> {
        self.binary.doubt().into_iter().collect()
    }
}

fn manifest_of(
    attribution: &Attribution,
    sets: &[TestSet],
    folder: &Path,
    is_new: bool,
) -> Result<AttributionManifest> {
    let (place, attribution, binary) = (folder.display(), attribution.without_folders(), Binary::current()?);
    let attribution_sha256 = sha256(toml::to_string(&attribution)?.as_bytes());
    let test_sets: Vec<SetRecord> = sets.iter().map(SetRecord::of).collect();
    let Some(manifest) = AttributionManifest::read(folder)? else {
        if !is_new {
            bail!("{place}: rows without a manifest; choose another --out");
        }
        return Ok(AttributionManifest {
            schema_version: SCHEMA_VERSION,
            attribution,
            attribution_sha256,
            test_sets,
            binary,
            paths: Vec::new(),
            runs: Vec::new(),
        });
    };
    let refused = [
        (manifest.attribution_sha256 != attribution_sha256, "holds another attribution or other settings of this one"),
        (manifest.test_sets != test_sets, "a test set has changed since"),
        (manifest.binary.sha256 != binary.sha256, "counted by another build of c4lab"),
    ];
    match refused.iter().find(|(differs, _)| *differs) {
        Some((_, reason)) => bail!("{place}: {reason}; choose another --out"),
        None => Ok(manifest),
    }
}

pub struct AttributionRun<'a> {
    attribution: &'a Attribution,
    combinations: Vec<Spec>,
    sets: Vec<TestSet>,
    folder: PathBuf,
    file: RowWriter<NodeRow>,
    table: NodeTable,
    manifest: AttributionManifest,
    threads: usize,
    interrupt: &'a AtomicBool,
}

impl<'a> AttributionRun<'a> {
    pub fn open(
        attribution: &'a Attribution,
        folder: &Path,
        command: Vec<String>,
        threads: usize,
        interrupt: &'a AtomicBool,
        progress: &mut dyn Progress,
    ) -> Result<Self> {
        // The whole request is checked before anything is written.
        let (sets, combinations) = (attribution.open_sets()?, attribution.combinations()?);
        if folder.join(sample::FILE).exists() {
            bail!("{}: holds the samples of `measure`; choose another --out", folder.display());
        }
        let (file, rows) = RowWriter::<NodeRow>::open(folder)?;
        let rows = node_row::checked(folder, rows)?;
        let mut manifest = manifest_of(attribution, &sets, folder, rows.is_empty())?;
        manifest.runs.push(NodeRun {
            command,
            started_at: now(),
            ended_at: None,
            machine_id: Machine::read().id,
            threads,
            before: MachineState::read(),
            after: None,
        });
        manifest.write(folder)?;
        let mut table = NodeTable::default();
        rows.iter().filter_map(|row| table.enter(row)).for_each(|warning| progress.warn(&warning));
        let folder = folder.to_path_buf();
        Ok(AttributionRun { attribution, combinations, sets, folder, file, table, manifest, threads, interrupt })
    }

    /// Counts all combinations. `false` if interrupted.
    pub fn factorial(&mut self, progress: &mut dyn Progress) -> Result<bool> {
        let specs = self.combinations.clone();
        self.need(&specs, progress)
    }

    /// Counts the specs on and beside the ablation path between two specs. `false` if interrupted.
    pub fn path(&mut self, from: Spec, to: Spec, progress: &mut dyn Progress) -> Result<bool> {
        let ends = (from.to_string(), to.to_string());
        if !self.manifest.paths.contains(&ends) {
            self.manifest.paths.push(ends);
            self.manifest.write(&self.folder)?;
        }
        if !self.need(&[from, to], progress)? {
            return Ok(false);
        }
        let path = ablation_path::walk(from, to, |specs| {
            if !self.need(specs, progress)? {
                return Ok(None);
            }
            let sets: Vec<&str> = self.sets.iter().map(|set| set.sha256.as_str()).collect();
            Ok(specs.iter().map(|spec| self.table.mean_log(&sets, *spec)).collect())
        })?;
        Ok(path.is_some())
    }

    /// Counts the missing searches of `specs`. `false` if interrupted.
    fn need(&mut self, specs: &[Spec], progress: &mut dyn Progress) -> Result<bool> {
        let AttributionRun { attribution, combinations, sets, file, table, .. } = self;
        let mut tasks = Vec::new();
        for (index, &spec) in specs.iter().enumerate() {
            if !specs[..index].contains(&spec) {
                let combination = combinations.iter().position(|other| *other == spec);
                let techniques = combination.map(|on| attribution.digits(on));
                tasks.extend(missing(attribution, sets, table, spec, techniques));
            }
        }
        if !tasks.is_empty() {
            progress.start(tasks.len(), table.rows);
        }
        let limits = Limits { nodes: attribution.node_limit, time: None, interrupt: Some(self.interrupt) };
        let counted = count(&tasks, &attribution.options()?, limits, self.threads, |row| {
            file.add(&row)?;
            table.enter(&row).iter().for_each(|warning| progress.warn(warning));
            progress.row(&row.set, row.goal, None);
            Ok(())
        })?;
        Ok(counted == tasks.len())
    }

    pub fn table(&self) -> &NodeTable {
        &self.table
    }

    pub fn end(mut self) -> Result<()> {
        if let Some(run) = self.manifest.runs.last_mut() {
            run.after = Some(MachineState::read());
            run.ended_at = Some(now());
        }
        self.manifest.write(&self.folder)
    }
}

/// A search to be counted.
#[derive(Clone, Debug)]
struct Task<'a> {
    spec: Spec,
    /// The first combination of techniques whose spec is `spec`, if there is one.
    techniques: Option<String>,
    set: &'a TestSet,
    item: &'a Item,
    goal: Goal,
}

/// The searches of `spec` without a row.
fn missing<'a>(
    attribution: &Attribution,
    sets: &'a [TestSet],
    table: &NodeTable,
    spec: Spec,
    techniques: Option<String>,
) -> Vec<Task<'a>> {
    let (text, goal) = (spec.to_string(), attribution.goal);
    let mut tasks = Vec::new();
    for set in sets {
        let counted = table.cells(&set.sha256, &text);
        for item in &set.items[..attribution.positions(set.items.len())] {
            if counted.is_none_or(|cells| !cells.contains_key(&(item.line as u64))) {
                tasks.push(Task { spec, techniques: techniques.clone(), set, item, goal });
            }
        }
    }
    tasks
}

/// Counts `tasks` on `threads` threads and calls `each` with every row on the calling thread, in the order of `tasks`.
/// Returns the number of rows. Tasks of one spec should be adjacent: a thread builds a new solver if the spec changes.
fn count(
    tasks: &[Task<'_>],
    options: &Options,
    limits: Limits<'_>,
    threads: usize,
    mut each: impl FnMut(NodeRow) -> Result<()>,
) -> Result<usize> {
    let mut solvers: Vec<_> = (0..threads.clamp(1, tasks.len().max(1))).map(|_| None).collect();
    let mut counted = 0;
    let never = AtomicBool::new(false);
    let work = |solver: &mut Option<_>, task| search(solver, task, options, &limits);
    in_order(&mut solvers, tasks.iter(), limits.interrupt.unwrap_or(&never), work, |row| {
        if let Some(row) = row? {
            each(row)?;
            counted += 1;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(counted)
}

/// The row of a search; `None` if it was interrupted.
fn search(
    solver: &mut Option<(Spec, Box<dyn Solve>)>,
    task: &Task<'_>,
    options: &Options,
    limits: &Limits<'_>,
) -> Result<Option<NodeRow>> {
    let Task { spec, techniques, set, item, goal } = task;
    // The old solver is dropped before the next is built: memory may not hold two transposition tables.
    let (_, solver) = match solver.take().filter(|(built, _)| built == spec) {
        Some(same) => solver.insert(same),
        None => solver.insert((*spec, registry::build(*spec, options).with_context(|| spec.to_string())?)),
    };
    solver.reset();
    let outcome = solver.solve(&item.position, *goal, limits);
    let status = match outcome {
        Ok(solved) if solved.score == goal.of(item.score) => Status::Ok,
        Ok(_) => Status::Wrong,
        Err(Stopped::Nodes(_)) => Status::NodeLimit,
        Err(_) => return Ok(None),
    };
    Ok(Some(NodeRow {
        schema_version: node_row::SCHEMA_VERSION,
        set: set.name.clone(),
        set_sha256: set.sha256.clone(),
        position_id: item.line as u64,
        ply: item.position.ply(),
        goal: *goal,
        techniques: techniques.clone(),
        spec: spec.to_string(),
        tt_bytes: solver.table_bytes(),
        status,
        expected_score: Some(item.score),
        score: outcome.ok().map(|solved| solved.score),
        nodes: outcome.map_or_else(Stopped::nodes, |solved| solved.nodes),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::search::registry::{PONS_06, PONS_12};

    fn tasks<'a>(set: &'a TestSet, positions: usize, specs: &[Spec]) -> Vec<Task<'a>> {
        let task = |spec, item| Task { spec, techniques: None, set, item, goal: Goal::Strong };
        specs.iter().flat_map(|&spec| set.items[..positions].iter().map(move |item| task(spec, item))).collect()
    }

    fn run(threads: usize, set: &TestSet, node_limit: Option<u64>, stop: bool) -> Vec<NodeRow> {
        let interrupt = AtomicBool::new(stop);
        let limits = Limits { nodes: node_limit, time: None, interrupt: Some(&interrupt) };
        let mut rows = Vec::new();
        let counted = count(&tasks(set, 8, &[PONS_06, PONS_12]), &Options::default(), limits, threads, |row| {
            rows.push(row);
            Ok(())
        });
        assert_eq!(counted.unwrap(), rows.len());
        rows.sort_by_key(|row| (row.spec.clone(), row.position_id));
        rows
    }

    #[test]
    fn the_rows_are_the_same_however_many_threads_count() {
        let mut set = TestSet::open("end-easy").unwrap();
        let one = run(1, &set, None, false);
        assert_eq!((one.len(), one.iter().all(|row| row.status == Status::Ok)), (16, true));
        assert_eq!(run(3, &set, None, false), one);
        assert!(run(2, &set, Some(3), false).iter().any(|row| row.status == Status::NodeLimit && row.nodes == 3));
        assert!(run(2, &set, None, true).is_empty(), "an interrupted search is no row");
        set.items[0].score += 1;
        assert_eq!(run(2, &set, None, false).iter().filter(|row| row.status == Status::Wrong).count(), 2);
    }

    #[test]
    fn an_error_ends_the_run() {
        let set = TestSet::open("end-easy").unwrap();
        let (small, limits) = (Options::with_tt(1), Limits::default());
        let error = count(&tasks(&set, 1, &[PONS_06, PONS_12]), &small, limits, 2, |_| bail!("full")).unwrap_err();
        assert_eq!(error.to_string(), "full");
        let wide = Spec::parse("table=wide,table-size=chosen", PONS_12).unwrap();
        let error = count(&tasks(&set, 1, &[wide]), &small, limits, 2, |_| Ok(())).unwrap_err();
        assert!(format!("{error:#}").contains("too small"), "{error:#}");
    }
}
