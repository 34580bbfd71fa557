//! Measuring an experiment: what is missing in its folder is measured, checked, and added row by row.

use super::clock::{Calibration, Clock, SystemClock};
use super::experiment::Experiment;
use super::folder::Folder;
use super::machine::{Condition, Machine, pin};
use super::manifest::{Binary, Manifest, RunRecord, SignatureRecord, digest, now};
use super::run::{Cell, Measured};
use super::sample::{SCHEMA_VERSION, Sample, Status, TableState};
use super::schedule::{Block, cell_id, schedule};
use super::test_set::{TestSet, sha256};
use crate::game::{Geometry, Standard};
use crate::solve::registry::Entry;
use crate::solve::{Goal, Limits, Solver, Stopped};
use anyhow::{Context, Result, bail};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is told of a measurement while it goes on.
pub trait Observer {
    /// So many cells are to be measured, and so many were there.
    fn start(&mut self, missing: usize, there: usize);
    /// A row was added.
    fn row(&mut self, sample: &Sample);
    /// Something is worth saying.
    fn warn(&mut self, message: &str);
}

/// How a measurement ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Rows added.
    pub added: usize,
    /// Rows that were there.
    pub resumed: usize,
    /// Rows with a wrong score, old and new.
    pub wrong: usize,
    /// Rows whose nodes differ from another row of the same cell.
    pub mismatches: usize,
    /// Whether it was stopped before the end.
    pub interrupted: bool,
}

/// An experiment with everything that it names at hand.
struct Laboratory<'a> {
    experiment: &'a Experiment,
    sets: Vec<TestSet>,
    variants: Vec<&'static Entry>,
    solvers: Vec<Box<dyn Solver>>,
    limits: Limits<'a>,
    binary: Binary,
    machine: Machine,
    run: RunRecord,
    warnings: Option<String>,
}

/// Nodes by what was measured: a second observation must agree with the first.
#[derive(Default)]
struct Ledger(HashMap<(String, u64, String, Goal, u64), u64>);

/// Measures what is missing of `experiment` in `folder`.
pub fn measure(
    experiment: &Experiment,
    folder: &Path,
    command: Vec<String>,
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Outcome> {
    let mut clock = SystemClock::default();
    // Everything that can be wrong with the request is looked at before anything is written.
    let (sets, variants) = (experiment.test_sets()?, experiment.variants()?);
    let solvers = build(experiment, &variants)?;
    let binary = Binary::current()?;
    let (mut folder, rows) = Folder::open(folder)?;
    let mut manifest = manifest(experiment, &binary, &folder, &rows)?;
    let blocks = schedule(experiment, &sets, &variants);
    let pinned_to = pin();
    let run = start(command, pinned_to, &mut clock, &manifest.machine)?;
    manifest.runs.push(run.clone());
    manifest.write(folder.path())?;
    let limits = Limits { nodes: experiment.node_limit, time: experiment.time()?, interrupt: Some(interrupt) };
    let warnings = pinned_to.is_none().then(|| "not pinned".to_string());
    let machine = manifest.machine.clone();
    let mut laboratory = Laboratory { experiment, sets, variants, solvers, limits, binary, machine, run, warnings };
    let outcome = laboratory.run_blocks(&blocks, &mut folder, rows, &mut clock, observer)?;
    finish(&mut manifest, outcome)?;
    manifest.write(folder.path())?;
    manifest.warnings().iter().for_each(|warning| observer.warn(warning));
    Ok(outcome)
}

fn build(experiment: &Experiment, variants: &[&'static Entry]) -> Result<Vec<Box<dyn Solver>>> {
    let options = experiment.options()?;
    variants.iter().map(|entry| entry.build(&options).with_context(|| entry.name.to_string())).collect()
}

/// The manifest of the folder, or a new one; refused where the folder holds something else.
fn manifest(experiment: &Experiment, binary: &Binary, folder: &Folder, rows: &[Sample]) -> Result<Manifest> {
    let place = folder.path().display();
    let (experiment_sha256, machine) = (digest(experiment)?, Machine::read());
    let Some(manifest) = Manifest::read(folder.path())? else {
        if !rows.is_empty() {
            bail!("{place}: samples without a manifest; choose another --out");
        }
        let (experiment, binary) = (experiment.clone(), binary.clone());
        return Ok(Manifest {
            schema_version: SCHEMA_VERSION,
            experiment,
            experiment_sha256,
            binary,
            machine,
            runs: vec![],
        });
    };
    if manifest.experiment_sha256 != experiment_sha256 {
        bail!("{place}: holds another experiment or other settings of this one; choose another --out");
    }
    if manifest.binary.sha256 != binary.sha256 {
        bail!("{place}: measured by another build of c4lab; choose another --out");
    }
    if manifest.machine.id != machine.id {
        bail!("{place}: measured on another machine; choose another --out");
    }
    Ok(manifest)
}

fn start(command: Vec<String>, pinned_to: Option<u64>, clock: &mut dyn Clock, machine: &Machine) -> Result<RunRecord> {
    let started_at = now();
    let id = sha256(format!("{started_at}|{}|{}", machine.id, std::process::id()).as_bytes())[..12].to_string();
    Ok(RunRecord {
        id,
        command,
        started_at,
        ended_at: None,
        machine_id: machine.id.clone(),
        pinned_to,
        clock: Calibration::of(clock),
        before: Condition::read(),
        after: None,
        signature_before: SignatureRecord::measure()?,
        signature_after: None,
    })
}

fn finish(manifest: &mut Manifest, outcome: Outcome) -> Result<()> {
    let run = manifest.runs.last_mut().context("a run was begun")?;
    if !outcome.interrupted {
        let after = SignatureRecord::measure()?;
        if after.nodes != run.signature_before.nodes {
            bail!("the signature of {} moved during the run: {:?}", after.variant, run.signature_before);
        }
        run.signature_after = Some(after);
    }
    run.after = Some(Condition::read());
    run.ended_at = Some(now());
    Ok(())
}

impl Laboratory<'_> {
    fn run_blocks(
        &mut self,
        blocks: &[Block],
        folder: &mut Folder,
        rows: Vec<Sample>,
        clock: &mut dyn Clock,
        observer: &mut dyn Observer,
    ) -> Result<Outcome> {
        let mut ledger = Ledger::default();
        let mut outcome = Outcome { resumed: rows.len(), ..Outcome::default() };
        rows.iter().for_each(|row| outcome.check(row, &mut ledger, observer));
        let done: HashSet<String> = rows.into_iter().map(|row| row.cell_id).collect();
        let cells = blocks.iter().map(|block| block.variants.len()).sum::<usize>();
        observer.start(cells.saturating_sub(done.len()), done.len());
        for block in blocks {
            for (order, &variant) in block.variants.iter().enumerate() {
                let tt_bytes = self.solvers[variant].table_bytes();
                let id = cell_id(self.experiment, &self.sets[block.set], self.variants[variant], tt_bytes, block)?;
                if done.contains(&id) {
                    continue;
                }
                let Some(sample) = self.measure(block, variant, order, id, clock) else {
                    return Ok(Outcome { interrupted: true, ..outcome });
                };
                folder.add(&sample)?;
                outcome.added += 1;
                outcome.check(&sample, &mut ledger, observer);
                observer.row(&sample);
            }
        }
        Ok(outcome)
    }

    /// Measures one cell; `None` when it was interrupted.
    fn measure(
        &mut self,
        block: &Block,
        variant: usize,
        order: usize,
        id: String,
        clock: &mut dyn Clock,
    ) -> Option<Sample> {
        if self.limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return None;
        }
        let item = &self.sets[block.set].items[block.item];
        let started_at = now();
        let mut cell = Cell {
            solver: self.solvers[variant].as_mut(),
            position: &item.position,
            goal: block.goal,
            limits: self.limits,
            cold: self.experiment.tt_state == TableState::Cold,
        };
        let measured = cell.measure(clock, self.run.clock);
        if matches!(measured.outcome, Err(Stopped::Interrupted(_))) {
            return None;
        }
        Some(self.sample(block, variant, order, (id, started_at), measured))
    }

    fn sample(&self, block: &Block, variant: usize, order: usize, id: (String, String), measured: Measured) -> Sample {
        let (set, entry) = (&self.sets[block.set], self.variants[variant]);
        let item = &set.items[block.item];
        let status = match measured.outcome {
            _ if !measured.steady => Status::Error,
            Ok(solved) if solved.score == block.goal.of(item.score) => Status::Ok,
            Ok(_) => Status::Wrong,
            Err(Stopped::Nodes(_)) => Status::NodeLimit,
            Err(Stopped::Time(_) | Stopped::Interrupted(_)) => Status::Timeout,
        };
        let unsteady = (!measured.steady).then(|| "repetitions within the sample differ".to_string());
        Sample {
            schema_version: SCHEMA_VERSION,
            cell_id: id.0,
            run_id: self.run.id.clone(),
            machine_id: self.machine.id.clone(),
            binary_sha256: self.binary.sha256.clone(),
            git_rev: self.binary.git_rev.clone(),
            dirty: self.binary.dirty,
            set: set.name.clone(),
            set_sha256: set.sha256.clone(),
            position_id: item.line as u64,
            moves: Some(if item.position.ply() == 0 { "-".to_string() } else { item.position.to_string() }),
            ply: item.position.ply(),
            geometry: Standard::name(),
            variant: entry.name.to_string(),
            spec: entry.spec.to_string(),
            goal: block.goal,
            tt_bytes: self.solvers[variant].table_bytes(),
            tt_state: self.experiment.tt_state,
            threads: 1,
            repetition: block.repetition,
            inner_repetitions: Some(measured.inner_repetitions),
            inner_timing: Some(measured.inner_timing),
            block_order: order as u32,
            seed: self.experiment.seed,
            limit_ns: self.limits.time.map(|time| time.as_nanos() as u64),
            limit_nodes: self.limits.nodes,
            status,
            expected_score: Some(item.score),
            score: measured.outcome.ok().map(|solved| solved.score),
            nodes: Some(measured.outcome.map_or_else(Stopped::nodes, |solved| solved.nodes)),
            wall_ns: Some(measured.wall_ns),
            cpu_ns: measured.cpu_ns,
            engine_nodes: None,
            engine_ns: None,
            started_at: id.1,
            warnings: unsteady.or_else(|| self.warnings.clone()),
        }
    }
}

impl Outcome {
    /// Counts a row that is wrong, or that differs in nodes from another observation of the same cell.
    fn check(&mut self, row: &Sample, ledger: &mut Ledger, observer: &mut dyn Observer) {
        let place = format!("{}, line {}, {} ({})", row.set, row.position_id, row.variant, row.goal.name());
        if row.status == Status::Wrong {
            self.wrong += 1;
            observer.warn(&format!("{place}: wrong score {:?}, expected {:?}", row.score, row.expected_score));
        }
        if row.status == Status::Error {
            self.mismatches += 1;
            observer.warn(&format!("{place}: {}", row.warnings.as_deref().unwrap_or("failed")));
        }
        // Warm tables see other positions before: their nodes need not agree.
        if row.status != Status::Ok || row.tt_state == TableState::Warm {
            return;
        }
        let (set, position, variant, goal, tt_bytes) = row.subject();
        let key = (set.to_string(), position, variant.to_string(), goal, tt_bytes);
        let nodes = row.nodes.unwrap_or_default();
        let first = *ledger.0.entry(key).or_insert(nodes);
        if first != nodes {
            self.mismatches += 1;
            observer.warn(&format!("{place}: {nodes} nodes, {first} before"));
        }
    }
}
