//! Estimates: how long the missing cells of a plan will take, by the rows that are there, or else by a few searches.

use crate::clock::SystemClock;
use crate::files::manifest::{self, Binary};
use crate::files::sample::{Sample, read_samples};
use crate::plan::Plan;
use crate::plan::schedule::counts;
use crate::plan::shard::Shard;
use crate::run::cell::{Cell, WarmUp};
use crate::run::measure::{Participant, PlanPart, engines, manifest_of, participants};
use crate::run::pilot::{batch, mean, spread};
use anyhow::Result;
use c4lab_solver::search::{Goal, Limits};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The cells of one participant on one set under one goal.
#[derive(Clone, Debug)]
pub struct Estimate {
    pub set: String,
    pub goal: Goal,
    pub participant: String,
    pub positions: usize,
    pub cells: usize,
    pub missing: usize,
    /// The mean time of a cell, and its part of the warm-up before a batch.
    pub ns: f64,
    pub warm_up_ns: f64,
    /// True if searches were cut off, so that a cell takes at least `ns`.
    pub is_least: bool,
}

/// The longest search, and the longest time for one participant on one set.
const LONGEST: Duration = Duration::from_secs(1);
const MOST: Duration = Duration::from_secs(3);

/// The estimates of `plan`, in its order. `folder` may have rows already. Nothing is written there.
pub fn estimates(plan: &Plan, shard: Shard, folder: &Path, interrupt: &AtomicBool) -> Result<Vec<Estimate>> {
    let (engines, logs) = (engines(plan, interrupt)?, tempfile::tempdir()?);
    let (mut participants, _) = participants(plan, &engines, logs.path())?;
    let mut rows = Vec::new();
    if folder.join(manifest::FILE).exists() {
        // Rows of another experiment, build or machine are refused, as by the measurement.
        let part = PlanPart { shard, may_be_link: true, ..PlanPart::FIRST };
        manifest_of(plan, part, engines, &Binary::current()?, folder)?;
        rows = read_samples(folder)?;
    }
    let time = plan.time.map_or(LONGEST, |time| time.min(LONGEST));
    let limits = Limits { nodes: plan.experiment.node_limit, time: Some(time), interrupt: Some(interrupt) };
    let mut clock = SystemClock::default();
    let warm_up = WarmUp::of(plan.options.board);
    let warmed_up = |participant: &mut Participant| {
        let (solver, begun) = (&mut *participant.solver, Instant::now());
        if solver.figures().is_none() {
            warm_up.search(&limits, |position, limits| {
                Cell { solver: &mut *solver, position, goal: Goal::Weak, limits, cold: true, asks_cpu: false }.warm_up()
            });
        }
        begun.elapsed().as_nanos() as f64
    };
    let warm_ups: Vec<f64> = participants.iter_mut().map(warmed_up).collect();
    let mut estimates = Vec::new();
    for ((set, goal, variant), [cells, missing]) in counts(plan, shard, rows.iter()) {
        let participant = &mut participants[variant];
        let name = &plan.sets[set].name;
        let items = plan.measured(shard, set, goal);
        let alike = |row: &&Sample| row.set == *name && row.goal == goal && row.variant == participant.name;
        let times: Vec<u64> = rows.iter().filter(alike).filter_map(|row| row.wall_ns).collect();
        let (mut ns, mut is_least) = (times.iter().sum::<u64>() as f64 / times.len().max(1) as f64, false);
        if times.is_empty() && missing > 0 {
            let positions = spread(&items).into_iter().map(|item| &plan.sets[set].items[item].position);
            let found = mean(&mut *participant.solver, positions, goal, &limits, &mut clock, MOST);
            let (cost, is_cut) = found.unwrap_or_default();
            (ns, is_least) = (cost as f64, is_cut && plan.time.is_none_or(|it| it > time));
        }
        estimates.push(Estimate {
            set: name.clone(),
            goal,
            participant: participant.name.clone(),
            positions: items.len(),
            cells,
            missing,
            ns,
            warm_up_ns: warm_ups[variant],
            is_least,
        });
    }
    let all = estimates.clone();
    for it in &mut estimates {
        let alike = all.iter().filter(|other| (&other.set, other.goal) == (&it.set, it.goal));
        it.warm_up_ns /= batch(alike.map(|other| other.ns as u64).min(), it.positions) as f64;
    }
    Ok(estimates)
}
