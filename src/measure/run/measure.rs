//! Measures an experiment: the cells that its folder misses are measured, checked, and added row by row.

use crate::clock::{Clock, SystemClock};
use crate::engines::Contestant;
use crate::engines::foreign::process::log_path;
use crate::engines::foreign::{Foreign, Program};
use crate::engines::record::EngineRecord;
use crate::engines::table::EngineClock;
use crate::files::machine::{Machine, beside_pinned, pin, usable};
use crate::files::manifest::{self, Binary, Manifest, ProcessRecord, SetRecord, digest};
use crate::files::sample::{CellKey, Folder, MOST_PAUSE, PAUSED, SCHEMA_VERSION, Sample, Status, VOID};
use crate::plan::experiment::TableState;
use crate::plan::growth::growth;
use crate::plan::schedule::{Block, PlannedCell, cells, schedule};
use crate::plan::shard::Shard;
use crate::plan::{Code, Entrant, Plan};
use crate::run::cell::{Cell, Measured, WarmUp};
use crate::run::chain::calibrate;
use crate::run::pilot::{Costs, pilot};
use crate::run::tally::Tally;
use crate::sets::test_set::print_moves;
use crate::text::{pluralize, timestamp};
use anyhow::{Context, Result, anyhow, bail};
use c4lab_solver::game::Position;
use c4lab_solver::search::{Goal, Limits, Name, Options, Solve, Stopped};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub trait Progress {
    /// `missing` cells are to be measured; `there` rows exist.
    fn start(&mut self, missing: usize, there: usize);
    /// The plan adds `more` (each in words) to the experiment of the folder.
    fn grows(&mut self, more: &[String]);
    /// A cell of `set` was measured. The others take about `left`, if that is known.
    fn row(&mut self, set: &str, goal: Goal, left: Option<Duration>);
    fn warn(&mut self, message: &str);
}

#[derive(Debug, Default)]
pub struct Outcome {
    pub missing: usize,
    pub tally: Tally,
    pub signature_moved: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanPart {
    pub shard: Shard,
    pub process: u32,
    /// True if this program may be another link of the binary that began the folder.
    pub may_be_link: bool,
}

impl PlanPart {
    pub const FIRST: PlanPart = PlanPart { shard: Shard::WHOLE, process: 1, may_be_link: false };
}

pub fn measure(
    plan: &Plan,
    part: PlanPart,
    folder: &Path,
    command: Vec<String>,
    interrupt: &AtomicBool,
    progress: &mut dyn Progress,
) -> Result<Outcome> {
    // The whole request is checked before anything is written.
    let engines = engines(plan, interrupt)?;
    let (mut participants, helpers) = participants(plan, &engines, folder)?;
    let (folder, rows) = Folder::open(folder)?;
    if !rows.is_empty() && !folder.path().join(manifest::FILE).exists() {
        bail!("{}: samples without a manifest; choose another --out", folder.path().display());
    }
    let binary = Binary::current()?;
    let (mut manifest, more) = manifest_of(plan, part, engines, &binary, folder.path())?;
    if !more.is_empty() {
        progress.grows(&more);
    }
    let limits = Limits { nodes: plan.experiment.node_limit, time: plan.time, interrupt: Some(interrupt) };
    let blocks = schedule(plan, part.shard, part.process, &[]);
    for participant in participants.iter().filter(|it| it.solver.threads() as usize > usable().max(1)) {
        let cores = pluralize(usable(), "processor");
        progress.warn(&format!("{}: it has more threads than this machine has processors ({cores})", participant.name));
    }
    let mut outcome = Outcome::default();
    rows.iter().filter_map(|row| outcome.tally.enter(row)).for_each(|warning| progress.warn(&warning));
    if !manifest.runs.is_empty() && missing(plan, &blocks, part.process, &rows).is_empty() {
        if !more.is_empty() {
            manifest.write(folder.path())?;
        }
        progress.start(0, rows.len());
        warn(plan, &manifest, progress);
        return Ok(outcome);
    }
    let pinned = pin();
    let mut clock = SystemClock::default();
    let mut run = ProcessRecord::begin(part.process, command, pinned, || calibrate(&mut clock), &manifest.machine)?;
    run.helpers_pinned_to = helpers;
    let piloted = manifest.runs.iter().map(|run| &run.batches).find(|batches| !batches.is_empty());
    // Every process runs a pilot, even if the lengths are known: all processes do equal work before their first row.
    let mut solvers: Vec<&mut dyn Contestant> = Vec::new();
    participants.iter_mut().for_each(|it| solvers.push(&mut *it.solver));
    let (lengths, costs) = pilot(plan, part.shard, &mut solvers, &limits, &mut clock);
    run.batches = piloted.cloned().unwrap_or(lengths);
    solvers.iter_mut().for_each(|solver| solver.reset());
    if interrupt.load(Ordering::Relaxed) {
        // The lengths of an interrupted pilot are not used.
        run.batches.clear();
    }
    let blocks = schedule(plan, part.shard, part.process, &run.batches);
    let turns = missing(plan, &blocks, part.process, &rows);
    let warm_up = Rc::new(WarmUp::of(plan.options.board));
    manifest.runs.push(run.clone());
    manifest.write(folder.path())?;
    let there = rows.iter().filter(|row| row.process == part.process).count();
    let (usual, left) = (HashMap::new(), HashMap::new());
    let begun = Instant::now();
    let mut session = Session {
        plan,
        participants,
        limits,
        binary,
        run,
        warm_up,
        folder,
        outcome,
        progress,
        usual,
        costs,
        left,
        begun,
    };
    session.run(turns, there, &mut clock)?;
    let Session { folder, mut outcome, progress, participants, .. } = session;
    // Engines end here, so that their processor time is none of other programs.
    drop(participants);
    if let Some(run) = manifest.runs.last_mut() {
        outcome.signature_moved = !run.end(outcome.missing == 0)?;
    }
    manifest.write(folder.path())?;
    warn(plan, &manifest, progress);
    Ok(outcome)
}

/// Prints the warnings of `manifest`. If there are several processes, the one that starts them prints the warnings.
fn warn(plan: &Plan, manifest: &Manifest, progress: &mut dyn Progress) {
    if plan.experiment.processes == 1 {
        manifest.warnings().iter().for_each(|warning| progress.warn(warning));
    }
}

pub(super) fn engines(plan: &Plan, interrupt: &AtomicBool) -> Result<Vec<EngineRecord>> {
    let record = |entrant: &Entrant| {
        let Entrant::Engine(name, engine) = entrant else { return None };
        let record = engine.build(interrupt).and_then(|()| engine.record(name, interrupt));
        Some(record.with_context(|| format!("engine {name:?}")))
    };
    plan.entrants.iter().filter_map(record).collect()
}

/// A variant or an engine, ready to be measured, and the fields of its rows.
pub(super) struct Participant {
    pub(super) name: String,
    spec: String,
    geometry: String,
    code: Option<Code>,
    clock: EngineClock,
    dynamic: bool,
    pub(super) solver: Box<dyn Contestant>,
    /// True for an engine that failed its warm-up, so that it gets no further one.
    declines: bool,
}

/// The participants in order of first mention, and the processors to which their worker threads are pinned. Engines
/// write their stderr to `engines/NAME.log` in `folder`.
pub(super) fn participants(
    plan: &Plan,
    engines: &[EngineRecord],
    folder: &Path,
) -> Result<(Vec<Participant>, Vec<u64>)> {
    let (mut participants, mut helpers) = (Vec::new(), BTreeSet::new());
    for entrant in &plan.entrants {
        let participant = match entrant {
            Entrant::Engine(name, table) => {
                let record = engines.iter().find(|record| record.name == *name).with_context(|| name.clone())?;
                Participant::engine(
                    record,
                    Program { board: plan.options.board, ..table.program(Some(&folder.join(log_path(name))))? },
                )
            }
            Entrant::Variant(name) => {
                let (participant, pinned) = Participant::variant(name, &plan.options)?;
                helpers.extend(pinned);
                participant
            }
        };
        participants.push(participant);
    }
    Ok((participants, helpers.into_iter().collect()))
}

impl Participant {
    fn variant(name: &Name, options: &Options) -> Result<(Self, Vec<u64>)> {
        let (text, board) = (name.text(), options.board);
        // The time of an emulated SIMD level is not that of a real one.
        name.available_on(board).map_err(|reason| anyhow!("{text} is not measured here: {reason}"))?;
        let (solver, helpers) = beside_pinned(name.threads().count, || name.build(options));
        let participant = Participant {
            name: text.to_string(),
            spec: name.spec().to_string(),
            geometry: name.geometry(board),
            code: Some(Code::of(name.spec(), !name.is_run_time_on(board))),
            clock: EngineClock::Ours,
            dynamic: name.is_run_time_on(board),
            solver: Box::new(solver.with_context(|| text.to_string())?),
            declines: false,
        };
        Ok((participant, helpers))
    }

    fn engine(record: &EngineRecord, program: Program) -> Self {
        Participant {
            name: record.name.clone(),
            spec: record.spec(),
            // The board layout of an engine is unknown; only the size of its board is known.
            geometry: program.board.to_string(),
            code: None,
            clock: record.clock,
            dynamic: false,
            solver: Box::new(Foreign::new(program)),
            declines: false,
        }
    }
}

/// The manifest of `folder`, or a new one, and the additions of `plan` to its experiment. Fails if `folder` holds rows
/// of another experiment, build or machine.
pub(super) fn manifest_of(
    plan: &Plan,
    PlanPart { shard, may_be_link, .. }: PlanPart,
    engines: Vec<EngineRecord>,
    binary: &Binary,
    folder: &Path,
) -> Result<(Manifest, Vec<String>)> {
    let (place, experiment, machine) = (folder.display(), plan.experiment.shown(), Machine::read());
    let experiment_sha256 = digest(&experiment)?;
    let test_sets: Vec<SetRecord> = plan.sets.iter().map(SetRecord::of).collect();
    let cells = Some(cells(plan, shard));
    let Some(mut manifest) = Manifest::read(folder)? else {
        let manifest = Manifest {
            schema_version: SCHEMA_VERSION,
            experiment,
            experiment_sha256,
            test_sets,
            engines,
            run_time: plan.run_time(),
            binary: binary.clone(),
            machine,
            shard: (shard != Shard::WHOLE).then_some(shard),
            cells,
            ..Manifest::default()
        };
        return Ok((manifest, Vec::new()));
    };
    if manifest.merged.is_some() {
        bail!("{place}: a merged folder; measure the missing cells into another --out, and merge that folder too");
    }
    let theirs = manifest.shard.unwrap_or(Shard::WHOLE);
    let more = growth(&manifest.experiment, plan);
    let other_settings = more.as_ref().err().map_or("", String::as_str);
    let is_known = manifest.binary.sha256 == binary.sha256 || manifest.links.contains(&binary.sha256);
    if !is_known && may_be_link && binary.is_link_of(&manifest.binary) {
        manifest.links.push(binary.sha256.clone());
    }
    let refused = [
        (more.is_err(), other_settings),
        (manifest.test_sets != test_sets, "a test set has changed since"),
        (manifest.engines != engines, "an engine has another version, or is another program"),
        (manifest.build_of(binary.sha256.clone()) != manifest.binary.sha256, "measured by another build of c4lab"),
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
    manifest.cells = cells;
    Ok((manifest, more))
}

struct Session<'a> {
    plan: &'a Plan,
    participants: Vec<Participant>,
    limits: Limits<'a>,
    binary: Binary,
    run: ProcessRecord,
    warm_up: Rc<WarmUp>,
    folder: Folder,
    outcome: Outcome,
    progress: &'a mut dyn Progress,
    /// The nanoseconds a node of each variant's first searches, sorted, by the logarithm of their nodes.
    usual: HashMap<(usize, u32), Vec<f64>>,
    costs: Costs,
    left: HashMap<(usize, usize, Goal), Left>,
    begun: Instant,
}

/// The cells of one participant on one set under one goal: how many are left, and how many took how long.
#[derive(Default)]
struct Left {
    cells: usize,
    measured: u64,
    ns: u64,
}

/// Least and greatest number of searches that tell the usual time of a node.
const LEAST_USUAL: usize = 10;
const MOST_USUAL: usize = 101;

/// The missing cells of one variant in one block; at least one.
type Turn<'a> = Vec<PlannedCell<'a>>;

/// Rows wait for the end of their block, or for so long: a pause concerns all rows of a block.
const WRITTEN_EVERY: Duration = Duration::from_secs(5);

/// How often a block is measured again if a search in it is paused.
const MOST_AGAIN: u32 = 3;

impl Session<'_> {
    /// Measures `turns` until all are done or interrupted. `there` is the number of rows that this process has already.
    fn run(&mut self, turns: Vec<Turn<'_>>, there: usize, clock: &mut dyn Clock) -> Result<()> {
        self.outcome.missing = turns.iter().map(Vec::len).sum();
        self.progress.start(self.outcome.missing, there);
        for cell in turns.iter().flatten() {
            self.left.entry((cell.variant, cell.block.set, cell.block.goal)).or_default().cells += 1;
        }
        let pass = |turn: &Turn<'_>| (turn[0].block.set, turn[0].block.goal, turn[0].block.repetition);
        for pass in turns.chunk_by(|one, other| pass(one) == pass(other)) {
            let mut turns = pass.to_vec();
            // A warm table would answer a second time at once.
            let is_cold = self.plan.experiment.tt_state == TableState::Cold;
            for again in (0..=if is_cold { MOST_AGAIN } else { 0 }).rev() {
                let mut void = Vec::new();
                for block in turns.chunk_by(|one, other| one[0].block == other[0].block) {
                    self.measure_block(block, (again > 0).then_some(&mut void), clock)?;
                    if self.is_interrupted() {
                        return Ok(());
                    }
                }
                let turn = |cell: &PlannedCell<'_>| (cell.block.batch, cell.variant);
                turns = void.chunk_by(|one, other| turn(one) == turn(other)).map(<[_]>::to_vec).collect();
            }
        }
        Ok(())
    }

    /// Measures the missing turns of a block. Cells that are to be measured again are added to `void`, if there is one.
    fn measure_block<'b>(
        &mut self,
        turns: &[Turn<'b>],
        mut void: Option<&mut Vec<PlannedCell<'b>>>,
        clock: &mut dyn Clock,
    ) -> Result<()> {
        let (mut measured, mut written) = (Vec::new(), Instant::now());
        for turn in turns {
            let PlannedCell { variant, block, .. } = turn[0];
            self.warm_up(variant, block.goal);
            for &cell in turn {
                let search = if self.is_interrupted() { None } else { Some(self.measure(cell, clock)) };
                let Some(search) = search.filter(|it| !matches!(it.outcome, Err(Stopped::Interrupted(_)))) else {
                    return self.write(&mut measured, None);
                };
                measured.push((cell, search));
                if written.elapsed() > WRITTEN_EVERY {
                    self.write(&mut measured, void.as_deref_mut())?;
                    self.warm_up(variant, block.goal);
                    written = Instant::now();
                }
            }
        }
        self.write(&mut measured, void)
    }

    /// Adds rows. If a search was paused, those of all variants are void, and their cells are added to `void`, if it is there.
    fn write<'b>(
        &mut self,
        measured: &mut Vec<(PlannedCell<'b>, Measured)>,
        mut void: Option<&mut Vec<PlannedCell<'b>>>,
    ) -> Result<()> {
        let time_left = self.time_left();
        let mut rows = Vec::with_capacity(measured.len());
        for (cell, measured) in measured.drain(..) {
            let left = self.left.entry((cell.variant, cell.block.set, cell.block.goal)).or_default();
            (left.measured, left.ns) = (left.measured + 1, left.ns + measured.wall_ns);
            let paused = measured.is_paused() | self.is_beyond_usual(cell.variant, &measured);
            let sample = self.sample(cell, measured);
            let is_judged = sample.status == Status::Ok && sample.marks.is_none() && sample.threads == 1;
            rows.push((cell, sample, is_judged && paused, is_judged));
        }
        let is_void = void.is_some() && rows.iter().any(|(.., paused, _)| *paused);
        for (cell, mut sample, paused, is_judged) in rows {
            if is_void && is_judged && self.participants[cell.variant].solver.figures().is_none() {
                (sample.status, sample.marks) = (Status::Skipped, Some(VOID[usize::from(!paused)].to_string()));
                void.iter_mut().for_each(|void| void.push(cell));
            } else {
                sample.marks = if paused { Some(PAUSED.to_string()) } else { sample.marks };
                self.outcome.missing -= 1;
                let left = self.left.entry((cell.variant, cell.block.set, cell.block.goal)).or_default();
                left.cells = left.cells.saturating_sub(1);
                self.progress.row(&sample.set, sample.goal, Some(time_left));
            }
            self.folder.add(&sample)?;
            self.outcome.tally.enter(&sample).iter().for_each(|warning| self.progress.warn(warning));
        }
        Ok(())
    }

    /// The time that the missing cells take, each as long as those like it took, or else as long as in the pilot; with as
    /// much time between searches as so far.
    fn time_left(&self) -> Duration {
        let of = |(key, left): (_, &Left)| {
            let piloted = || self.costs.get(key).copied().unwrap_or(0);
            left.cells as u64 * left.ns.checked_div(left.measured).unwrap_or_else(piloted)
        };
        let (left, spent): (u64, u64) = (self.left.iter().map(of).sum(), self.left.values().map(|left| left.ns).sum());
        let factor = self.begun.elapsed().as_nanos() as f64 / spent.max(1) as f64;
        Duration::from_nanos((left as f64 * if spent > 0 { factor.max(1.0) } else { 1.0 }) as u64)
    }

    /// True if an answered search took more than [`MOST_PAUSE`] times the usual time for its nodes.
    fn is_beyond_usual(&mut self, variant: usize, measured: &Measured) -> bool {
        let Some(nodes) =
            measured.outcome.ok().filter(|_| measured.figures.is_none()).map(|solved| solved.nodes.max(1))
        else {
            return false;
        };
        let of_node = measured.wall_ns as f64 / nodes as f64;
        let usual = self.usual.entry((variant, nodes.ilog2())).or_default();
        let is_beyond = usual.len() >= LEAST_USUAL && of_node > MOST_PAUSE * usual[usual.len() / 2];
        if usual.len() < MOST_USUAL {
            usual.insert(usual.partition_point(|other| *other < of_node), of_node);
        }
        is_beyond
    }

    fn is_interrupted(&self) -> bool {
        self.limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Warms up `variant` before a batch, unless tables stay warm. An engine searches one position. If it fails or
    /// times out there, perhaps because it supports few positions, it gets no further warm-up.
    fn warm_up(&mut self, variant: usize, goal: Goal) {
        if self.participants[variant].declines || self.plan.experiment.tt_state == TableState::Warm {
            return;
        }
        let warm_up = Rc::clone(&self.warm_up);
        if self.participants[variant].solver.figures().is_none() {
            let limits = self.limits;
            warm_up.search(&limits, |position, limits| {
                Cell { limits, ..self.cell(variant, position, goal, false) }.warm_up()
            });
            return;
        }
        let outcome = self.cell(variant, &warm_up.foreign, goal, false).warm_up();
        if matches!(outcome, Err(Stopped::Failed | Stopped::Time(_))) {
            self.participants[variant].declines = true;
            let (name, position) = (&self.participants[variant].name, &warm_up.foreign);
            self.progress.warn(&format!(
                "{name} does not answer {position}, the warm-up before a batch; it gets no further warm-up"
            ));
        }
    }

    fn cell<'c>(&'c mut self, variant: usize, position: &'c Position, goal: Goal, asks_cpu: bool) -> Cell<'c> {
        let cold = self.plan.experiment.tt_state == TableState::Cold;
        Cell { solver: self.participants[variant].solver.as_mut(), position, goal, limits: self.limits, cold, asks_cpu }
    }

    fn measure(&mut self, cell: PlannedCell<'_>, clock: &mut dyn Clock) -> Measured {
        let calibration = self.run.clock;
        let PlannedCell { block, item, variant, .. } = cell;
        // A fresh copy is in the CPU cache, so that no variant profits from the one before it.
        let position = self.plan.sets[block.set].items[item].position.clone();
        let alone = block.items.len() == 1;
        self.cell(variant, &position, block.goal, alone).measure(clock, calibration)
    }

    fn sample(&self, cell: PlannedCell<'_>, measured: Measured) -> Sample {
        let PlannedCell { block, item, variant, turn } = cell;
        let (set, participant) = (&self.plan.sets[block.set], &self.participants[variant]);
        let item = &set.items[item];
        // The nodes that an engine reports have their own column.
        let figures = measured.figures.as_ref();
        let failure = figures.and_then(|figures| figures.failure.as_ref());
        let status = match measured.outcome {
            Ok(solved) if solved.score == block.goal.of(item.score) => Status::Ok,
            Ok(_) => Status::Wrong,
            Err(Stopped::Nodes(_)) => Status::NodeLimit,
            Err(Stopped::Time(_) | Stopped::Interrupted(_)) => Status::Timeout,
            // Cannot happen: the sets and solvers of a plan have one board, and support its goals.
            Err(Stopped::OtherBoard | Stopped::OtherGoal) => Status::Error,
            Err(Stopped::Failed) => failure.map_or(Status::Error, |failure| failure.status),
        };
        let threads = self.participants[variant].solver.threads();
        let is_pinned = self.run.pinned_to.is_some() && self.run.helpers_pinned_to.len() + 1 >= threads as usize;
        let unpinned = (!is_pinned).then(|| "not pinned".to_string());
        Sample {
            schema_version: SCHEMA_VERSION,
            run_id: self.run.id.clone(),
            process: self.run.process,
            machine_id: self.run.machine_id.clone(),
            binary_sha256: self.binary.sha256.clone(),
            git_rev: self.binary.git_rev.clone(),
            dirty: self.binary.dirty,
            seed: self.plan.experiment.seed,
            limit_ns: self.limits.time.map(|time| time.as_nanos() as u64),
            limit_nodes: self.limits.nodes,
            resolution_ns: self.run.clock.resolution_ns,
            set: set.name.clone(),
            set_sha256: set.sha256.clone(),
            position_id: item.line as u64,
            ply: item.position.ply(),
            moves: Some(print_moves(&item.position)),
            expected_score: Some(item.score),
            variant: participant.name.clone(),
            spec: participant.spec.clone(),
            geometry: participant.geometry.clone(),
            tt_bytes: self.participants[variant].solver.table_bytes(),
            tt_state: self.plan.experiment.tt_state,
            threads,
            book: None,
            code: participant.code,
            clock: participant.clock,
            dynamic: participant.dynamic,
            goal: block.goal,
            repetition: block.repetition,
            batch: block.batch,
            block_order: turn,
            status,
            score: measured.outcome.ok().map(|solved| solved.score),
            nodes: figures.is_none().then(|| measured.outcome.map_or_else(Stopped::nodes, |solved| solved.nodes)),
            wall_ns: Some(measured.wall_ns),
            // For an engine, this would be the CPU time of our own waiting.
            cpu_ns: measured.cpu_ns.filter(|_| figures.is_none()),
            engine_nodes: figures.and_then(|figures| figures.nodes),
            engine_ns: figures.and_then(|figures| figures.ns),
            started_at: timestamp(measured.started_at),
            marks: failure.map(|failure| failure.reason.clone()).or(unpinned),
        }
    }
}

/// The cells of `blocks` without a row, grouped by turn, in order of the schedule.
fn missing<'b>(plan: &'b Plan, blocks: &'b [Block], process: u32, rows: &[Sample]) -> Vec<Turn<'b>> {
    let done: HashSet<CellKey<'_>> = rows.iter().filter(|row| !row.is_void()).map(Sample::cell).collect();
    let is_missing = |place: &PlannedCell<'b>| !done.contains(&place.key(plan, process));
    let turns = blocks.iter().flat_map(|block| block.turns(plan));
    let missing = turns.map(|turn| turn.into_iter().filter(is_missing).collect());
    missing.filter(|turn: &Turn<'_>| !turn.is_empty()).collect()
}
