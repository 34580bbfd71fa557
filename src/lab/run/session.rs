//! A session: one process that measures cells, one by one, and adds their rows.

use crate::lab::clock::Clock;
use crate::lab::files::folder::Folder;
use crate::lab::files::manifest::Binary;
use crate::lab::files::process_record::ProcessRecord;
use crate::lab::files::sample::{SCHEMA_VERSION, Sample, Status};
use crate::lab::moment::now;
use crate::lab::plan::participant::Participant;
use crate::lab::plan::plan::Plan;
use crate::lab::plan::schedule::{Block, cell_id, schedule};
use crate::lab::plan::shard::Shard;
use crate::lab::plan::table_state::TableState;
use crate::lab::run::cell::{Cell, Measured};
use crate::lab::run::measure::{Conclusion, Observer, Upcoming};
use crate::lab::sets::test_set::print_moves;
use anyhow::Result;
use c4lab_solver::search::solver::FailureKind;
use c4lab_solver::search::{Limits, Solver, Stopped};
use std::collections::HashSet;
use std::sync::atomic::Ordering;

/// A plan, with everything that it names ready for use.
pub(in crate::lab) struct Session<'a> {
    pub(in crate::lab) plan: &'a Plan,
    pub(in crate::lab) shard: Shard,
    pub(in crate::lab) participants: Vec<Participant>,
    pub(in crate::lab) solvers: Vec<Box<dyn Solver>>,
    pub(in crate::lab) limits: Limits<'a>,
    pub(in crate::lab) binary: Binary,
    pub(in crate::lab) run: ProcessRecord,
}

/// A cell that is to be measured.
struct Missing<'a> {
    block: &'a Block,
    variant: usize,
    order: usize,
    id: String,
}

impl Session<'_> {
    /// Measures what `rows` do not hold, until it is done or interrupted.
    pub(in crate::lab) fn run(
        &mut self,
        folder: &mut Folder,
        rows: &[Sample],
        clock: &mut dyn Clock,
        observer: &mut dyn Observer,
    ) -> Result<Conclusion> {
        let mut outcome = Conclusion::default();
        rows.iter().filter_map(|row| outcome.ledger.enter(row)).for_each(|complaint| observer.warn(&complaint));
        let mut blocks = schedule(self.plan);
        self.shard.filter(&self.plan.sets, &mut blocks);
        let missing = self.missing(&blocks, rows);
        let upcoming: Vec<Upcoming<'_>> = missing.iter().map(|cell| self.upcoming(cell)).collect();
        observer.start(&upcoming, rows.len());
        outcome.missing = missing.len();
        for cell in missing {
            let Some(sample) = self.measure(cell, clock) else { break };
            folder.add(&sample)?;
            outcome.missing -= 1;
            outcome.ledger.enter(&sample).iter().for_each(|complaint| observer.warn(complaint));
            observer.row(&sample);
        }
        Ok(outcome)
    }

    /// The kind of a cell.
    fn upcoming(&self, cell: &Missing<'_>) -> Upcoming<'_> {
        let (set, variant) = (&self.plan.sets[cell.block.set].name, &self.participants[cell.variant].name);
        Upcoming { set, variant, goal: cell.block.goal }
    }

    /// The cells of the schedule that have no row, in its order.
    fn missing<'b>(&self, blocks: &'b [Block], rows: &[Sample]) -> Vec<Missing<'b>> {
        let done: HashSet<&str> = rows.iter().map(|row| row.cell_id.as_str()).collect();
        let mut missing = Vec::new();
        for block in blocks {
            for (order, &variant) in block.variants.iter().enumerate() {
                let tt_bytes = self.solvers[variant].table_bytes();
                let id = cell_id(self.plan, &self.participants[variant], tt_bytes, block);
                if !done.contains(id.as_str()) {
                    missing.push(Missing { block, variant, order, id });
                }
            }
        }
        missing
    }

    /// Measures one cell; `None` when it was interrupted.
    fn measure(&mut self, cell: Missing<'_>, clock: &mut dyn Clock) -> Option<Sample> {
        if self.limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return None;
        }
        let started_at = now();
        let mut running = Cell {
            solver: self.solvers[cell.variant].as_mut(),
            position: &self.plan.sets[cell.block.set].items[cell.block.item].position,
            goal: cell.block.goal,
            limits: self.limits,
            cold: self.plan.experiment.tt_state == TableState::Cold,
        };
        let measured = running.measure(clock, self.run.clock);
        let interrupted = matches!(measured.outcome, Err(Stopped::Interrupted(_)));
        (!interrupted).then(|| self.sample(cell, started_at, measured))
    }

    fn sample(&self, cell: Missing<'_>, started_at: String, measured: Measured) -> Sample {
        let Missing { block, variant, order, id } = cell;
        let (set, participant) = (&self.plan.sets[block.set], &self.participants[variant]);
        let item = &set.items[block.item];
        // Nodes of a foreign program are what it says: they have a column of their own.
        let account = self.solvers[variant].account();
        let failure = account.and_then(|account| account.failure.as_ref());
        let status = match measured.outcome {
            _ if !measured.steady => Status::Error,
            Ok(solved) if solved.score == block.goal.of(item.score) => Status::Ok,
            Ok(_) => Status::Wrong,
            Err(Stopped::Nodes(_)) => Status::NodeLimit,
            Err(Stopped::Time(_) | Stopped::Interrupted(_)) => Status::Timeout,
            // A plan holds sets and solvers of one board.
            Err(Stopped::OtherBoard) => Status::Error,
            Err(Stopped::Failed) => match failure.map(|failure| failure.kind) {
                Some(FailureKind::Signal) => Status::Signal,
                Some(FailureKind::Memory) => Status::Oom,
                Some(FailureKind::Late) => Status::Timeout,
                Some(FailureKind::Other) | None => Status::Error,
            },
        };
        let unpinned = self.run.pinned_to.is_none().then(|| "not pinned".to_string());
        let unsteady = (!measured.steady).then(|| "repetitions within the sample differ".to_string());
        Sample {
            schema_version: SCHEMA_VERSION,
            cell_id: id,
            run_id: self.run.id.clone(),
            machine_id: self.run.machine_id.clone(),
            binary_sha256: self.binary.sha256.clone(),
            git_rev: self.binary.git_rev.clone(),
            dirty: self.binary.dirty,
            set: set.name.clone(),
            set_sha256: set.sha256.clone(),
            position_id: item.line as u64,
            moves: Some(print_moves(&item.position)),
            ply: item.position.ply(),
            geometry: participant.geometry.clone(),
            variant: participant.name.clone(),
            spec: participant.spec.clone(),
            goal: block.goal,
            tt_bytes: self.solvers[variant].table_bytes(),
            tt_state: self.plan.experiment.tt_state,
            threads: 1,
            repetition: block.repetition,
            inner_repetitions: Some(measured.inner_repetitions),
            inner_timing: Some(measured.inner_timing),
            block_order: order as u32,
            seed: self.plan.experiment.seed,
            limit_ns: self.limits.time.map(|time| time.as_nanos() as u64),
            limit_nodes: self.limits.nodes,
            status,
            expected_score: Some(item.score),
            score: measured.outcome.ok().map(|solved| solved.score),
            nodes: account.is_none().then(|| measured.outcome.map_or_else(Stopped::nodes, |solved| solved.nodes)),
            wall_ns: Some(measured.wall_ns),
            // Of a foreign program only our own waiting would be known.
            cpu_ns: measured.cpu_ns.filter(|_| account.is_none()),
            engine_nodes: account.and_then(|account| account.nodes),
            engine_ns: account.and_then(|account| account.ns),
            started_at,
            warnings: failure.map(|failure| failure.reason.clone()).or(unsteady).or(unpinned),
        }
    }
}
