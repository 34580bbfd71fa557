//! Gathering: results out of rows, one by one, in whatever order they come.

use crate::results::{CellResult, Fault, Group, Outcome, Pass, Place, Results, SHORT_RESOLUTIONS, Series};
use anyhow::{Result, bail};
use c4lab_measure::files::node_row::read_spec;
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::plan::experiment::TableState;
use c4lab_solver::search::Name;
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(super) struct Gathering<'a> {
    order: &'a [String],
    groups: Vec<GatheredGroup>,
    results: Results,
}

struct GatheredGroup {
    group: Group,
    index: HashMap<u64, usize>,
}

impl<'a> Gathering<'a> {
    pub(super) fn of(order: &'a [String]) -> Self {
        Gathering { order, groups: Vec::new(), results: Results::default() }
    }

    pub(super) fn enter(&mut self, sample: Sample) -> Result<()> {
        self.results.rows += 1;
        remember(&mut self.results.binaries, &sample.binary_sha256);
        remember(&mut self.results.machines, &sample.machine_id);
        let same = |gathered: &GatheredGroup| gathered.is_of(&sample);
        let known = self.groups.iter().rposition(same);
        let number = known.unwrap_or_else(|| {
            self.groups.push(GatheredGroup::new(&sample));
            self.groups.len() - 1
        });
        // Line 1 is the header.
        self.groups[number].enter(sample, self.results.rows + 1)
    }

    pub(super) fn finish(self) -> Results {
        let place = |name: &String| self.order.iter().position(|other| other == name).unwrap_or(usize::MAX);
        let groups = self.groups.into_iter().map(|gathered| {
            let mut group = gathered.sorted();
            let short_ns = group.short_ns;
            group.columns.sort_by_key(|column| (place(&column.variant), column.variant.clone()));
            for column in group.columns.iter_mut().filter(|column| !column.clock.is_ours()) {
                column.variant.push_str(" (own clock)");
                column.short_ns = short_ns.max(SHORT_RESOLUTIONS as f64 * step(column));
            }
            group
        });
        let mut groups: Vec<Group> = groups.collect();
        tell_apart(&mut groups, self.results.binaries.len() > 1);
        Results { groups, ..self.results }
    }
}

/// Names what differs between groups of one set and goal.
fn tell_apart(groups: &mut [Group], builds: bool) {
    let of = |group: &Group| (group.set.clone(), group.goal);
    let subjects: Vec<_> = groups.iter().map(of).collect();
    for (group, subject) in groups.iter_mut().zip(&subjects) {
        if subjects.iter().filter(|other| *other == subject).count() > 1 {
            let state = if group.tt_state == TableState::Warm { "warm" } else { "cold" };
            let build = group.binary_sha256.get(..12).unwrap_or(&group.binary_sha256);
            let build = if builds { format!(", build {build}") } else { String::new() };
            group.apart = Some(format!("machine {}{build}, {state}", group.machine_id));
        }
    }
}

/// The step of the times that a program states: the largest power of ten nanoseconds, of a second at most, that all are
/// multiples of. A program that counts milliseconds cannot tell shorter ones.
fn step(column: &Series) -> f64 {
    let times = || column.cells.iter().flatten().flat_map(|cell| &cell.own_times);
    let divides = |step: &f64| times().all(|time| time % step == 0.0);
    (0..=9).rev().map(|power| 10f64.powi(power)).find(divides).filter(|_| times().next().is_some()).unwrap_or(1.0)
}

fn remember(names: &mut BTreeSet<String>, name: &str) {
    if !names.contains(name) {
        names.insert(name.to_string());
    }
}

impl GatheredGroup {
    fn new(sample: &Sample) -> Self {
        let group = Group {
            set: sample.set.clone(),
            set_sha256: sample.set_sha256.clone(),
            goal: sample.goal,
            machine_id: sample.machine_id.clone(),
            binary_sha256: sample.binary_sha256.clone(),
            tt_state: sample.tt_state,
            processes: BTreeSet::new(),
            short_ns: 0.0,
            apart: None,
            places: Vec::new(),
            columns: Vec::new(),
        };
        GatheredGroup { group, index: HashMap::new() }
    }

    fn is_of(&self, sample: &Sample) -> bool {
        let group = &self.group;
        group.goal == sample.goal
            && group.set_sha256 == sample.set_sha256
            && group.set == sample.set
            && group.machine_id == sample.machine_id
            && group.binary_sha256 == sample.binary_sha256
            && group.tt_state == sample.tt_state
    }

    fn enter(&mut self, sample: Sample, line: usize) -> Result<()> {
        let group = &mut self.group;
        group.short_ns = group.short_ns.max((SHORT_RESOLUTIONS * sample.resolution_ns) as f64);
        group.processes.insert(sample.process);
        let next = group.places.len();
        let place = *self.index.entry(sample.position_id).or_insert(next);
        if place == next {
            let (position_id, ply, moves) = (sample.position_id, sample.ply, sample.moves.clone());
            group.places.push(Place { position_id, ply, moves, score: None });
        }
        let answered = sample.score.filter(|_| sample.status == Status::Ok);
        let known = sample.expected_score.map(|score| sample.goal.of(score)).or(answered);
        group.places[place].score = group.places[place].score.or(known);
        let known = group.columns.iter().position(|column| column.name == sample.variant);
        let number = known.unwrap_or_else(|| {
            group.columns.push(Series {
                name: sample.variant.clone(),
                choice: Name::parse(&sample.variant).ok(),
                variant: sample.variant.clone(),
                spec: sample.spec.clone(),
                read: read_spec(&sample.spec),
                clock: sample.clock,
                short_ns: 0.0,
                tt_bytes: sample.tt_bytes,
                threads: sample.threads,
                run_time: sample.dynamic,
                cells: Vec::new(),
                all_nodes: 0,
                rows: 0,
                line,
            });
            group.columns.len() - 1
        });
        let column = &mut group.columns[number];
        if (&column.spec, column.tt_bytes, column.threads) != (&sample.spec, sample.tt_bytes, sample.threads) {
            bail!(
                "{} on {}: rows with two specs, two tables or two numbers of threads under one name",
                sample.variant,
                sample.set
            );
        }
        column.rows += 1;
        column.all_nodes = column.all_nodes.saturating_add(sample.nodes.unwrap_or_default());
        if column.cells.len() <= place {
            column.cells.resize(place + 1, None);
        }
        let empty = CellResult {
            outcome: Outcome::Answered,
            times: Vec::with_capacity(1),
            passes: Vec::with_capacity(1),
            batch: None,
            nodes: None,
            own_nodes: Vec::new(),
            own_times: Vec::new(),
            asked_times: Vec::new(),
            fault: None,
        };
        column.cells[place].get_or_insert(empty).enter(&sample);
        Ok(())
    }

    /// The group with its positions by line of the set.
    fn sorted(self) -> Group {
        let by_line: BTreeMap<u64, usize> = self.index.into_iter().collect();
        let mut group = self.group;
        group.places = by_line.values().map(|&old| group.places[old].clone()).collect();
        for column in &mut group.columns {
            column.cells.resize(by_line.len(), None);
            column.cells = by_line.values().map(|&old| column.cells[old].take()).collect();
        }
        group
    }
}

impl CellResult {
    fn enter(&mut self, sample: &Sample) {
        let limited = sample.status.is_limited();
        let (first, before) = (self.times.is_empty(), self.times.len() as f64);
        // As of our own times, 1 is the least.
        let own = sample.engine_ns.map(|ns| ns.max(1));
        let measured = if sample.clock.is_ours() { sample.wall_ns } else { own };
        // Where only nodes were limited, twice the time it had. What was not measured is no time, and no nodes.
        let counted =
            if limited { sample.limit_ns.or(sample.wall_ns).map(|ns| ns.saturating_mul(2)) } else { measured };
        self.batch = self.batch.or(Some(sample.batch));
        self.times.extend(counted.map(|ns| ns as f64));
        self.passes.extend(counted.map(|_| Pass { process: sample.process, turn: sample.block_order }));
        let outcome = Outcome::of(sample.status);
        if outcome > self.outcome {
            self.outcome = outcome;
            self.fault = Some(Box::new(Fault {
                status: sample.status,
                expected: sample.expected_score.map(|score| sample.goal.of(score)),
                answer: sample.score,
                reason: sample.marks.clone(),
            }));
        }
        // With a cold table all repetitions take the same; with a warm one the mean is as good as any.
        let known = self.outcome == Outcome::Answered && (first || self.nodes.is_some());
        let mean = |nodes: u64| (self.nodes.unwrap_or_default() * before + nodes as f64) / (before + 1.0);
        self.nodes = sample.nodes.map(mean).filter(|_| known);
        self.own_nodes.extend(sample.engine_nodes.map(|nodes| nodes as f64));
        self.own_times.extend(own.map(|ns| ns as f64));
        let said = sample.engine_nodes.is_some() || own.is_some();
        self.asked_times.extend(sample.wall_ns.filter(|_| said).map(|ns| ns as f64));
    }
}
