//! Measuring an experiment: what is missing in its folder is measured, checked, and added row by row.

use crate::clock::SystemClock;
use crate::counted::counted;
use crate::engines::contestant::Contestant;
use crate::engines::foreign::Program;
use crate::engines::program_log;
use crate::engines::record::EngineRecord;
use crate::files::folder::Folder;
use crate::files::machine::{Machine, beside_pinned, pin, usable};
use crate::files::manifest::{Binary, Manifest, SetRecord, digest};
use crate::files::process_record::ProcessRecord;
use crate::files::sample::{SCHEMA_VERSION, Sample};
use crate::plan::growth::growth;
use crate::plan::participant::Participant;
use crate::plan::plan::{Entrant, Plan};
use crate::plan::schedule::schedule;
use crate::plan::shard::Shard;
use crate::run::cell::calibrate;
use crate::run::ledger::Ledger;
use crate::run::pilot::pilot;
use crate::run::session::{Session, missing};
use crate::run::untimed::Untimed;
use anyhow::{Context, Result, bail};
use c4lab_solver::search::{Goal, Limits, Solve};
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

pub trait Observer {
    /// These cells are to be measured, in an order that is not told, and so many rows were there.
    fn start(&mut self, missing: &[Upcoming<'_>], there: usize);
    /// The folder holds less than is asked for now: what is added, in words.
    fn grows(&mut self, more: &[String]);
    fn row(&mut self, sample: &Sample);
    fn warn(&mut self, message: &str);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Upcoming<'a> {
    pub set: &'a str,
    pub variant: &'a str,
    pub goal: Goal,
}

#[derive(Debug, Default)]
pub struct Conclusion {
    /// Cells that are still missing, because it was interrupted.
    pub missing: usize,
    pub ledger: Ledger,
    /// Whether the reference variant took other nodes after the run than before.
    pub signature_moved: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanPart {
    pub shard: Shard,
    pub process: u32,
}

impl PlanPart {
    pub const FIRST: PlanPart = PlanPart { shard: Shard::WHOLE, process: 1 };
}

/// Measures what is missing of a part of a plan in `folder`.
pub fn measure(
    plan: &Plan,
    part: PlanPart,
    folder: &Path,
    command: Vec<String>,
    interrupt: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<Conclusion> {
    // Everything that can be wrong with the request is looked at before anything is written.
    let engines = engines(plan, interrupt)?;
    let participants = participants(plan, &engines, folder)?;
    let (mut solvers, helpers) = build(plan, &participants)?;
    let binary = Binary::current()?;
    let (mut folder, rows) = Folder::open(folder)?;
    let (mut manifest, more) = manifest((plan, part.shard), &binary, &engines, &folder, &rows)?;
    if !more.is_empty() {
        observer.grows(&more);
    }
    let limits = Limits { nodes: plan.experiment.node_limit, time: plan.time, interrupt: Some(interrupt) };
    let cells = schedule(plan, part.shard, part.process, &[]);
    for participant in participants.iter().filter(|participant| participant.threads > 1) {
        if participant.threads as usize > usable() {
            let cores = counted(usable(), "processor");
            observer.warn(&format!("{}: there are {cores} here, which its threads share", participant.name));
        }
    }
    let is_whole = || missing(plan, &cells, part.process, &rows).is_empty();
    let mut outcome = Conclusion::default();
    rows.iter().filter_map(|row| outcome.ledger.enter(row)).for_each(|complaint| observer.warn(&complaint));
    if !manifest.runs.is_empty() && is_whole() {
        if !more.is_empty() {
            manifest.write(folder.path())?;
        }
        observer.start(&[], rows.len());
        warn(plan, &manifest, observer);
        return Ok(outcome);
    }
    let pinned = pin();
    let mut clock = SystemClock::default();
    let mut run = ProcessRecord::begin(part.process, command, pinned, || calibrate(&mut clock), &manifest.machine)?;
    run.helpers_pinned_to = helpers;
    let piloted = manifest.runs.iter().map(|run| &run.batches).find(|batches| !batches.is_empty());
    // Every process makes a pilot, so that its solvers have done the same before the first row.
    let pilot = pilot(plan, part.shard, &mut solvers, &limits, &mut clock);
    run.batches = piloted.cloned().unwrap_or(pilot);
    solvers.iter_mut().for_each(|solver| solver.reset());
    if interrupt.load(Ordering::Relaxed) {
        // What an interrupted pilot found says nothing.
        run.batches.clear();
    }
    let blocks = schedule(plan, part.shard, part.process, &run.batches);
    let turns = missing(plan, &blocks, part.process, &rows);
    let untimed = Rc::new(Untimed::of(plan.options.board));
    manifest.runs.push(run.clone());
    manifest.write(folder.path())?;
    let declines = vec![false; solvers.len()];
    let mut session = Session { plan, participants, solvers, limits, binary, run, untimed, declines };
    let there = rows.iter().filter(|row| row.process == part.process).count();
    session.run(turns, there, &mut outcome, &mut folder, &mut clock, observer)?;
    if let Some(run) = manifest.runs.last_mut() {
        outcome.signature_moved = !run.end(outcome.missing == 0)?;
    }
    manifest.write(folder.path())?;
    warn(plan, &manifest, observer);
    Ok(outcome)
}

/// What is worth saying of a folder. Of several processes, the one that starts them says it.
fn warn(plan: &Plan, manifest: &Manifest, observer: &mut dyn Observer) {
    if plan.experiment.processes == 1 {
        manifest.warnings().iter().for_each(|warning| observer.warn(warning));
    }
}

/// The engines that take part, built and asked for their versions.
fn engines(plan: &Plan, interrupt: &AtomicBool) -> Result<Vec<EngineRecord>> {
    let record = |entrant: &Entrant| {
        let Entrant::Engine(name, engine) = entrant else { return None };
        let record = engine.build(interrupt).and_then(|()| engine.record(name, interrupt));
        Some(record.with_context(|| format!("engine {name:?}")))
    };
    plan.entrants.iter().filter_map(record).collect()
}

/// All that takes part, in the order of first mention. Engines write their stderr to `engines/NAME.log` in the folder.
fn participants(plan: &Plan, engines: &[EngineRecord], folder: &Path) -> Result<Vec<Participant>> {
    let of = |entrant: &Entrant| match entrant {
        Entrant::Engine(name, table) => {
            let record = engines.iter().find(|record| record.name == *name).with_context(|| name.clone())?;
            let log = folder.join(program_log::place(name));
            let program = Program { board: plan.options.board, ..table.program(&log)? };
            Ok(Participant::engine(record, program))
        }
        // An emulated vector is no measurement of one.
        Entrant::Variant(name) => match name.available_on(plan.options.board) {
            Ok(()) => Ok(Participant::variant(name, plan.options.board)),
            Err(reason) => bail!("{} is not measured here: {reason}", name.text()),
        },
    };
    plan.entrants.iter().map(of).collect()
}

type Solvers = Vec<Box<dyn Contestant>>;

/// The solvers of all that takes part, and the processors that the other threads of a search are pinned to.
fn build(plan: &Plan, participants: &[Participant]) -> Result<(Solvers, Vec<u64>)> {
    let (mut solvers, mut all) = (Vec::new(), Vec::new());
    for participant in participants {
        let (solver, helpers) = beside_pinned(participant.threads, || participant.build(&plan.options));
        solvers.push(solver.with_context(|| participant.name.clone())?);
        all.extend(helpers);
    }
    all.sort_unstable();
    all.dedup();
    Ok((solvers, all))
}

/// The manifest of the folder, or a new one, and what the plan adds to what the folder was measured by; refused where
/// the folder holds something else.
fn manifest(
    (plan, shard): (&Plan, Shard),
    binary: &Binary,
    engines: &[EngineRecord],
    folder: &Folder,
    rows: &[Sample],
) -> Result<(Manifest, Vec<String>)> {
    let (place, experiment, machine) = (folder.path().display(), plan.experiment.shown(), Machine::read());
    let experiment_sha256 = digest(&experiment)?;
    let test_sets = plan.sets.iter().map(SetRecord::of).collect();
    let engines = engines.to_vec();
    let Some(mut manifest) = Manifest::read(folder.path())? else {
        if !rows.is_empty() {
            bail!("{place}: samples without a manifest; choose another --out");
        }
        let (binary, runs) = (binary.clone(), Vec::new());
        let (shard, merged) = ((shard != Shard::WHOLE).then_some(shard), None);
        let manifest = Manifest {
            schema_version: SCHEMA_VERSION,
            experiment,
            experiment_sha256,
            history: Vec::new(),
            test_sets,
            engines,
            run_time: plan.run_time(),
            binary,
            machine,
            shard,
            merged,
            runs,
        };
        return Ok((manifest, Vec::new()));
    };
    if manifest.merged.is_some() {
        bail!("{place}: a merged folder; measure what is missing into another --out, and merge that too");
    }
    let theirs = manifest.shard.unwrap_or(Shard::WHOLE);
    let more = growth(&manifest.experiment, plan);
    let other_settings = more.as_ref().err().map_or("", String::as_str);
    let refused = [
        (manifest.schema_version != SCHEMA_VERSION, "measured with rows of another schema"),
        (more.is_err(), other_settings),
        (manifest.test_sets != test_sets, "a test set has changed since"),
        (manifest.engines != engines, "an engine has another version, or is another program"),
        (manifest.binary.sha256 != binary.sha256, "measured by another build of c4lab"),
        (manifest.machine.id != machine.id, "measured on another machine"),
    ];
    if let Some((_, reason)) = refused.iter().find(|(differs, _)| *differs) {
        let advice = if more.is_err() { "" } else { "; choose another --out" };
        bail!("{place}: {reason}{advice}");
    }
    if theirs != shard {
        bail!("{place}: holds the shard {theirs}, not {shard}; choose another --out");
    }
    let more = more.unwrap_or_default();
    if !more.is_empty() {
        manifest.grow(experiment, experiment_sha256);
    }
    Ok((manifest, more))
}
