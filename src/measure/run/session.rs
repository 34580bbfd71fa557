//! A session: one process that measures cells, one by one, and adds their rows.

use crate::clock::Clock;
use crate::engines::contestant::{Account, Contestant, FailureKind};
use crate::files::folder::Folder;
use crate::files::manifest::Binary;
use crate::files::process_record::ProcessRecord;
use crate::files::sample::{CellKey, Sample, Status};
use crate::moment::moment;
use crate::plan::participant::Participant;
use crate::plan::plan::Plan;
use crate::plan::schedule::{Block, PlannedCell};
use crate::plan::table_state::TableState;
use crate::run::cell::{Cell, Measured};
use crate::run::measure::{Conclusion, Observer, Upcoming};
use crate::run::untimed::Untimed;
use crate::sets::test_set::print_moves;
use anyhow::Result;
use c4lab_solver::game::Position;
use c4lab_solver::search::{Goal, Limits, Stopped};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

/// A plan, with everything that it names ready for use.
pub(crate) struct Session<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) participants: Vec<Participant>,
    pub(crate) solvers: Vec<Box<dyn Contestant>>,
    pub(crate) limits: Limits<'a>,
    pub(crate) binary: Binary,
    pub(crate) run: ProcessRecord,
    pub(crate) untimed: Rc<Untimed>,
    pub(crate) declines: Vec<bool>,
}

/// The cells of one variant's batch that are to be measured.
pub(crate) type Turn<'a> = Vec<PlannedCell<'a>>;

/// A cell that was measured, before it is a row: nothing is written or put together between two searches of a batch.
struct Taken<'a> {
    cell: PlannedCell<'a>,
    started_at: SystemTime,
    measured: Measured,
    account: Option<Account>,
}

const WRITTEN_EVERY: Duration = Duration::from_secs(1);

impl Session<'_> {
    /// Measures so many turns, until they are done or interrupted. `there` is how many rows this process has already.
    pub(crate) fn run(
        &mut self,
        turns: Vec<Turn<'_>>,
        there: usize,
        outcome: &mut Conclusion,
        folder: &mut Folder,
        clock: &mut dyn Clock,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        let upcoming: Vec<Upcoming<'_>> = turns.iter().flatten().map(|&cell| self.upcoming(cell)).collect();
        observer.start(&upcoming, there);
        outcome.missing = upcoming.len();
        for turn in turns {
            let Some(first) = turn.first() else { continue };
            let (variant, goal) = (first.variant, first.block.goal);
            self.warm_up(variant, goal, observer);
            let (mut taken, mut written) = (Vec::with_capacity(turn.len()), Instant::now());
            for cell in turn {
                let Some(measured) = self.measure(cell, clock) else { break };
                taken.push(measured);
                if written.elapsed() > WRITTEN_EVERY {
                    self.write(&mut taken, folder, outcome, observer)?;
                    self.warm_up(variant, goal, observer);
                    written = Instant::now();
                }
            }
            self.write(&mut taken, folder, outcome, observer)?;
            if self.is_interrupted() {
                break;
            }
        }
        Ok(())
    }

    fn write(
        &self,
        taken: &mut Vec<Taken<'_>>,
        folder: &mut Folder,
        outcome: &mut Conclusion,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        for taken in taken.drain(..) {
            let sample = self.sample(taken);
            folder.add(&sample)?;
            outcome.missing -= 1;
            outcome.ledger.enter(&sample).iter().for_each(|complaint| observer.warn(complaint));
            observer.row(&sample);
        }
        Ok(())
    }

    fn upcoming(&self, place: PlannedCell<'_>) -> Upcoming<'_> {
        let (set, variant) = (&self.plan.sets[place.block.set].name, &self.participants[place.variant].name);
        Upcoming { set, variant, goal: place.block.goal }
    }

    fn is_interrupted(&self) -> bool {
        self.limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// The untimed searches before a batch; a warm table is not touched by them. A foreign program is asked one position,
    /// and if it fails or does not end, since it knows few positions, it is not asked again.
    fn warm_up(&mut self, variant: usize, goal: Goal, observer: &mut dyn Observer) {
        if self.declines[variant] || self.plan.experiment.tt_state == TableState::Warm {
            return;
        }
        let untimed = Rc::clone(&self.untimed);
        if self.solvers[variant].account().is_none() {
            let limits = self.limits;
            untimed.search(&limits, |position, limits| {
                Cell { limits, ..self.cell(variant, position, goal, false) }.warm_up()
            });
            return;
        }
        let outcome = self.cell(variant, &untimed.foreign, goal, false).warm_up();
        if matches!(outcome, Err(Stopped::Failed | Stopped::Time(_))) {
            self.declines[variant] = true;
            let (name, asked) = (&self.participants[variant].name, &untimed.foreign);
            observer.warn(&format!("{name} does not answer {asked}, which is asked without a clock before a batch"));
        }
    }

    fn cell<'c>(&'c mut self, variant: usize, position: &'c Position, goal: Goal, asks_cpu: bool) -> Cell<'c> {
        let cold = self.plan.experiment.tt_state == TableState::Cold;
        Cell { solver: self.solvers[variant].as_mut(), position, goal, limits: self.limits, cold, asks_cpu }
    }

    /// Measures one cell; `None` when it was interrupted.
    fn measure<'c>(&mut self, cell: PlannedCell<'c>, clock: &mut dyn Clock) -> Option<Taken<'c>> {
        if self.is_interrupted() {
            return None;
        }
        let (started_at, calibration) = (SystemTime::now(), self.run.clock);
        let PlannedCell { block, item, variant, .. } = cell;
        // A copy that was just made is in the cache, whoever's turn it is.
        let position = self.plan.sets[block.set].items[item].position.clone();
        let alone = block.items.len() == 1;
        let measured = self.cell(variant, &position, block.goal, alone).measure(clock, calibration);
        // Nodes of a foreign program are what it says: they have a column of their own.
        let account = self.solvers[variant].account().cloned();
        let interrupted = matches!(measured.outcome, Err(Stopped::Interrupted(_)));
        (!interrupted).then_some(Taken { cell, started_at, measured, account })
    }

    fn sample(&self, taken: Taken<'_>) -> Sample {
        let Taken { cell, started_at, measured, account } = taken;
        let PlannedCell { block, item, variant, turn } = cell;
        let (set, participant) = (&self.plan.sets[block.set], &self.participants[variant]);
        let item = &set.items[item];
        let account = account.as_ref();
        let failure = account.and_then(|account| account.failure.as_ref());
        let status = match measured.outcome {
            Ok(solved) if solved.score == block.goal.of(item.score) => Status::Ok,
            Ok(_) => Status::Wrong,
            Err(Stopped::Nodes(_)) => Status::NodeLimit,
            Err(Stopped::Time(_) | Stopped::Interrupted(_)) => Status::Timeout,
            // A plan holds sets and solvers of one board, and goals that they answer.
            Err(Stopped::OtherBoard | Stopped::OtherGoal) => Status::Error,
            Err(Stopped::Failed) => match failure.map(|failure| failure.kind) {
                Some(FailureKind::Signal) => Status::Signal,
                Some(FailureKind::Memory) => Status::Oom,
                Some(FailureKind::Late) => Status::Timeout,
                Some(FailureKind::Other) | None => Status::Error,
            },
        };
        let threads = self.solvers[variant].threads();
        let is_pinned = self.run.pinned_to.is_some() && self.run.helpers_pinned_to.len() + 1 >= threads as usize;
        let unpinned = (!is_pinned).then(|| "not pinned".to_string());
        Sample {
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
            tt_bytes: self.solvers[variant].table_bytes(),
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
            nodes: account.is_none().then(|| measured.outcome.map_or_else(Stopped::nodes, |solved| solved.nodes)),
            wall_ns: Some(measured.wall_ns),
            // Of a foreign program only our own waiting would be known.
            cpu_ns: measured.cpu_ns.filter(|_| account.is_none()),
            engine_nodes: account.and_then(|account| account.nodes),
            engine_ns: account.and_then(|account| account.ns),
            started_at: moment(started_at),
            marks: failure.map(|failure| failure.reason.clone()).or(unpinned),
        }
    }
}

/// The cells of a schedule that have no row, turn by turn, in its order.
pub(crate) fn missing<'b>(plan: &'b Plan, blocks: &'b [Block], process: u32, rows: &[Sample]) -> Vec<Turn<'b>> {
    let done: HashSet<CellKey<'_>> = rows.iter().map(Sample::cell).collect();
    let is_missing = |place: &PlannedCell<'b>| !done.contains(&place.key(plan, process));
    let turns = blocks.iter().flat_map(|block| block.turns(plan));
    let missing = turns.map(|turn| turn.into_iter().filter(is_missing).collect());
    missing.filter(|turn: &Turn<'_>| !turn.is_empty()).collect()
}
