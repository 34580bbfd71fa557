//! Results: the times and nodes of variants on positions, from samples.
//!
//! Variants are compared within a [`Group`]: one set, one goal, one machine, one build, one state of the table. Its
//! series are variants, its rows positions:
//!
//! ```text
//!              pons-11   pons-12
//! position 1   cell      cell       a cell: outcome, time, nodes;
//! position 2   cell      -
//! ```
//!
//! A position that reached a limit counts in times with twice the limit (PAR-2), and does not count in nodes. A
//! position with a wrong score or another failure counts in neither, and is counted apart.

use crate::entry;
use crate::stats::{Pair, median};
use anyhow::{Result, bail};
use c4lab_measure::engines::table::EngineClock;
use c4lab_measure::files::manifest::Manifest;
use c4lab_measure::files::node_row::read_spec;
use c4lab_measure::files::sample::{MOST_PAUSE, PAUSED, Sample, Status};
use c4lab_measure::plan::experiment::TableState;
use c4lab_measure::run::counting::{AnatomyRow, Counts};
use c4lab_measure::text::{distinct, pluralize};
use c4lab_solver::search::{Goal, Name, Spec, Threads};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};

/// The outcome of a position for a variant, over all its repetitions.
///
/// The worst repetition counts: a later outcome of this list is worse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    #[default]
    Answered,
    /// Some repetition reached a limit, and none failed.
    Limited,
    /// Some repetition failed, but not by a wrong answer.
    Failed,
    Wrong,
}

impl Outcome {
    fn of(status: Status) -> Self {
        match status {
            Status::Ok => Outcome::Answered,
            Status::Wrong => Outcome::Wrong,
            limited if limited.is_limited() => Outcome::Limited,
            _ => Outcome::Failed,
        }
    }

    /// True for a wrong answer or another failure. The position then has neither a time nor nodes.
    pub fn is_failure(self) -> bool {
        self >= Outcome::Failed
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellResult {
    pub outcome: Outcome,
    /// The repetitions with a time, in their order.
    pub passes: Vec<Pass>,
    pub batch: Option<u32>,
    /// Nodes, the mean over repetitions (equal with a cold table); `None` unless answered.
    pub nodes: Option<f64>,
    /// The nodes that an engine stated, for every repetition.
    pub own_nodes: Vec<f64>,
    /// The nanoseconds that an engine stated, for every repetition.
    pub own_times: Vec<f64>,
    /// The nanoseconds of c4lab's clock, for the repetitions in which an engine stated a time or nodes.
    pub wall_times: Vec<f64>,
    /// The row of the worst repetition, unless answered.
    pub worst: Option<Box<Sample>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pass {
    pub process: u32,
    pub turn: u32,
    /// Nanoseconds by the clock of the series; at a limit twice the limit.
    pub ns: f64,
    /// True if the row is marked as paused.
    pub paused: bool,
}

impl CellResult {
    /// Nanoseconds, the median over repetitions; `None` if the position failed.
    pub fn ns(&self) -> Option<f64> {
        self.ns_of(|_| true)
    }

    /// Nanoseconds, the median over the repetitions of the passes that `of` keeps.
    pub fn ns_of(&self, of: impl Fn(&Pass) -> bool) -> Option<f64> {
        let kept = self.passes.iter().filter(|pass| of(pass)).map(|pass| pass.ns);
        if self.outcome.is_failure() { None } else { median(&kept.collect::<Vec<_>>()) }
    }

    fn enter(&mut self, sample: &Sample) {
        let limited = sample.status.is_limited();
        let (first, before) = (self.passes.is_empty(), self.passes.len() as f64);
        // At least 1, like a time of c4lab's clock.
        let own = sample.engine_ns.map(|ns| ns.max(1));
        let measured = if sample.clock.is_ours() { sample.wall_ns } else { own };
        // Without a time limit, a search that reached its node limit counts with twice its own time.
        let counted =
            if limited { sample.limit_ns.or(sample.wall_ns).map(|ns| ns.saturating_mul(2)) } else { measured };
        self.batch = self.batch.or(Some(sample.batch));
        let (process, turn) = (sample.process, sample.block_order);
        let paused = sample.marks.as_deref() == Some(PAUSED);
        self.passes.extend(counted.map(|ns| Pass { process, turn, ns: ns as f64, paused }));
        let outcome = Outcome::of(sample.status);
        if outcome > self.outcome {
            self.outcome = outcome;
            self.worst = Some(Box::new(sample.clone()));
        }
        // With a cold table all repetitions take equal nodes. With a warm table the mean counts.
        let known = self.outcome == Outcome::Answered && (first || self.nodes.is_some());
        let mean = |nodes: u64| (self.nodes.unwrap_or_default() * before + nodes as f64) / (before + 1.0);
        self.nodes = sample.nodes.map(mean).filter(|_| known);
        self.own_nodes.extend(sample.engine_nodes.map(|nodes| nodes as f64));
        self.own_times.extend(own.map(|ns| ns as f64));
        let stated = sample.engine_nodes.is_some() || own.is_some();
        self.wall_times.extend(sample.wall_ns.filter(|_| stated).map(|ns| ns as f64));
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub position_id: u64,
    pub ply: u32,
    /// The moves that lead to the position; records of sets that are not shipped have none.
    pub moves: Option<String>,
    /// The exact score under the goal, if a row has it as expected score or as right answer.
    pub score: Option<i32>,
}

#[derive(Clone, Debug)]
pub struct Series {
    /// The name of the variant or of the engine, as in rows.
    pub name: String,
    /// The parsed name; `None` for an engine.
    pub choice: Option<Name>,
    /// The name in tables: `name`, with a mark if the clock is the engine's own.
    pub variant: String,
    pub spec: String,
    /// The parsed spec, or the reason why it cannot be read.
    pub read: Result<Spec, String>,
    pub clock: EngineClock,
    /// A shorter time by an engine's own clock is short, by the step of the engine's figures and by the resolution of the
    /// machine's clock. 0 for c4lab's clock.
    pub short_ns: f64,
    pub tt_bytes: u64,
    pub threads: u32,
    /// True for a dynamic variant. Its times are compared only with those of dynamic variants.
    pub run_time: bool,
    /// True for an engine, whose rows have no nodes, if it gave no answer.
    pub is_silent: bool,
    /// One for each place of the group; `None` if it was not measured.
    pub cells: Vec<Option<CellResult>>,
    pub all_nodes: u64,
    pub rows: usize,
    /// The line of its first row, if all rows are of one file.
    pub line: usize,
}

/// A time of fewer resolutions of the clock is short.
const SHORT_RESOLUTIONS: u64 = 20;

/// A ratio of times nearer to 1 needs three links of the binary.
pub const LINKED: f64 = 1.03;

impl Series {
    fn of(sample: &Sample, line: usize) -> Self {
        Series {
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
            is_silent: sample.nodes.is_none(),
            cells: Vec::new(),
            all_nodes: 0,
            rows: 0,
            line,
        }
    }

    /// True if choices, table and threads are equal, whether compiled or dynamic.
    pub fn is_alike(&self, other: &Series) -> bool {
        let threads = |series: &Series| series.choice.as_ref().map_or(Threads::of(1), |name| name.threads());
        (&self.spec, self.tt_bytes, threads(self)) == (&other.spec, other.tt_bytes, threads(other))
    }

    /// True if `name` is the name of this series, with the mark of its clock or without.
    pub fn is_called(&self, name: &str) -> bool {
        name == self.name || name == self.variant
    }

    pub fn count(&self, outcome: Outcome) -> usize {
        self.cells.iter().flatten().filter(|cell| cell.outcome == outcome).count()
    }

    pub fn answered(&self) -> impl Iterator<Item = &CellResult> {
        self.cells.iter().flatten().filter(|cell| cell.outcome == Outcome::Answered)
    }

    /// The number of answered positions without a time by the clock of the series.
    fn untimed(&self) -> usize {
        self.answered().filter(|cell| cell.passes.is_empty()).count()
    }

    /// The mean of the nodes that an engine states, over the positions that it answered.
    pub fn own_nodes(&self) -> Option<f64> {
        mean(self.answered().filter_map(|cell| median(&cell.own_nodes)))
    }

    /// The number of searches that were paused: those of marked rows, and those that took far longer than searches of as
    /// many nodes. It is 0 if the pauses are a small share of the time of all searches.
    fn paused(&self) -> usize {
        let size = |nodes: f64| nodes.max(1.0).log2() as u32;
        let mut usual: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        let timed = || self.answered().filter(|cell| !cell.passes.is_empty());
        let cells = || timed().filter_map(|cell| Some((cell.nodes?.max(1.0), &cell.passes)));
        for (nodes, passes) in cells() {
            usual.entry(size(nodes)).or_default().extend(passes.iter().map(|pass| pass.ns / nodes));
        }
        let usual: BTreeMap<u32, f64> =
            usual.into_iter().filter_map(|(size, all)| Some((size, median(&all)?))).collect();
        let (mut all, mut lost, mut count) = (0.0, 0.0, 0);
        for (nodes, passes) in cells() {
            let expected = nodes * usual[&size(nodes)];
            for pass in passes {
                all += pass.ns;
                if pass.paused || pass.ns > MOST_PAUSE * expected {
                    lost += (pass.ns - expected).max(0.0);
                    count += 1;
                }
            }
        }
        if lost > NOTED_PAUSES * all { count } else { 0 }
    }

    /// True if no answer is wrong or failed. Conclusions are drawn on such variants only.
    pub fn is_sound(&self) -> bool {
        !self.cells.iter().flatten().any(|cell| cell.outcome.is_failure())
    }

    /// The step of the times that an engine states: the largest power of ten nanoseconds, at most a second, that
    /// divides all times. An engine that counts milliseconds cannot resolve shorter times.
    fn step(&self) -> f64 {
        let times = || self.cells.iter().flatten().flat_map(|cell| &cell.own_times);
        let divides = |step: &f64| times().all(|time| time % step == 0.0);
        (0..=9).rev().map(|power| 10f64.powi(power)).find(divides).filter(|_| times().next().is_some()).unwrap_or(1.0)
    }
}

/// The share of pauses in the time of a variant from which on its times are in doubt.
const NOTED_PAUSES: f64 = 0.01;

/// The mean of `values`; `None` without values.
pub fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Nanoseconds, over the positions that neither variant failed.
    Time,
    Nodes,
}

impl Quantity {
    pub const ALL: [Quantity; 2] = [Quantity::Nodes, Quantity::Time];

    pub fn name(self) -> &'static str {
        match self {
            Quantity::Time => "time",
            Quantity::Nodes => "nodes",
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Group {
    pub set: String,
    pub set_sha256: String,
    pub goal: Goal,
    pub machine_id: String,
    pub binary_sha256: String,
    pub tt_state: TableState,
    pub processes: BTreeSet<u32>,
    /// A shorter time is short: half a resolution either way is part of the interval of its ratio.
    pub short_ns: f64,
    /// Machine, build and state of the table, if another group has the same set and goal.
    pub apart: Option<String>,
    pub places: Vec<Place>,
    pub series: Vec<Series>,
    /// The place of each position by its line, while rows are read.
    pub(crate) index: HashMap<u64, usize>,
}

impl Group {
    fn of(sample: &Sample) -> Self {
        Group {
            set: sample.set.clone(),
            set_sha256: sample.set_sha256.clone(),
            goal: sample.goal,
            machine_id: sample.machine_id.clone(),
            binary_sha256: sample.binary_sha256.clone(),
            tt_state: sample.tt_state,
            ..Group::default()
        }
    }

    fn is_of(&self, sample: &Sample) -> bool {
        self.goal == sample.goal
            && self.set_sha256 == sample.set_sha256
            && self.set == sample.set
            && self.machine_id == sample.machine_id
            && self.binary_sha256 == sample.binary_sha256
            && self.tt_state == sample.tt_state
    }

    fn enter(&mut self, sample: &Sample, line: usize) -> Result<()> {
        self.short_ns = self.short_ns.max((SHORT_RESOLUTIONS * sample.resolution_ns) as f64);
        self.processes.insert(sample.process);
        let next = self.places.len();
        let place = *self.index.entry(sample.position_id).or_insert(next);
        if place == next {
            let (position_id, ply, moves) = (sample.position_id, sample.ply, sample.moves.clone());
            self.places.push(Place { position_id, ply, moves, score: None });
        }
        let answered = sample.score.filter(|_| sample.status == Status::Ok);
        let known = sample.expected_score.map(|score| sample.goal.of(score)).or(answered);
        self.places[place].score = self.places[place].score.or(known);
        let is_known = |series: &Series| series.name == sample.variant;
        let series = entry(&mut self.series, is_known, || Series::of(sample, line));
        if (&series.spec, series.tt_bytes, series.threads) != (&sample.spec, sample.tt_bytes, sample.threads) {
            let (variant, set) = (&sample.variant, &sample.set);
            bail!("{variant} on {set}: rows with two specs, two tables or two numbers of threads under one name");
        }
        series.rows += 1;
        series.is_silent &= !matches!(sample.status, Status::Ok | Status::Wrong);
        series.all_nodes = series.all_nodes.saturating_add(sample.nodes.unwrap_or_default());
        if series.cells.len() <= place {
            series.cells.resize(place + 1, None);
        }
        series.cells[place].get_or_insert_default().enter(sample);
        Ok(())
    }

    /// Sorts positions by line of the set, and variants in the order of `order`.
    fn finish(&mut self, order: &[String]) {
        let by_line: BTreeMap<u64, usize> = std::mem::take(&mut self.index).into_iter().collect();
        self.places = by_line.values().map(|&old| self.places[old].clone()).collect();
        for series in &mut self.series {
            series.cells.resize(by_line.len(), None);
            series.cells = by_line.values().map(|&old| series.cells[old].take()).collect();
        }
        let place = |name: &String| order.iter().position(|other| other == name).unwrap_or(usize::MAX);
        self.series.sort_by_key(|series| (place(&series.variant), series.variant.clone()));
        for series in self.series.iter_mut().filter(|series| !series.clock.is_ours()) {
            series.variant.push_str(" (own clock)");
            series.short_ns = self.short_ns.max(SHORT_RESOLUTIONS as f64 * series.step());
        }
    }

    /// Set and goal, and [`apart`](Self::apart) if another group has the same set and goal.
    pub fn title(&self) -> String {
        let apart = self.apart.as_ref().map_or(String::new(), |apart| format!(", {apart}"));
        format!("{}, {}{apart}", self.set, self.goal.name())
    }

    /// The machine and the build that made its times.
    pub fn bench(&self) -> (&str, &str) {
        (&self.machine_id, &self.binary_sha256)
    }

    /// The series of a variant: by name, or by choice if it was recorded under another name.
    pub fn named(&self, variant: &str) -> Option<&Series> {
        let same = |series: &&Series| series.is_called(variant);
        let named = self.series.iter().find(|series| series.variant == variant);
        named.or_else(|| self.series.iter().find(same)).or_else(|| self.series_of_choice(variant))
    }

    /// The only series with the choice, table and threads of `variant`, both compiled or both dynamic.
    /// `champion[zugzwang=none]` has several names.
    fn series_of_choice(&self, variant: &str) -> Option<&Series> {
        let name = Name::parse(variant).ok()?;
        let (spec, settings) = (name.spec().to_string(), (name.tt_bytes(), name.threads()));
        let same = |series: &&Series| {
            series.spec == spec
                && series.choice.as_ref().is_some_and(|other| (other.tt_bytes(), other.threads()) == settings)
        };
        let of_choice: Vec<&Series> = self.series.iter().filter(same).collect();
        // Without the feature `ablations`, a named variant may be dynamic, too.
        let alike = |series: &&Series| series.run_time == name.is_run_time();
        match of_choice.iter().copied().filter(alike).collect::<Vec<_>>().as_slice() {
            [] if name.named().is_some() && of_choice.len() == 1 => Some(of_choice[0]),
            [series] => Some(series),
            _ => None,
        }
    }

    /// The series whose times are compared with those of `variant`: `base` itself if both are compiled or both are
    /// dynamic, else the counterpart of `base`, with equal choices and table and run as `variant` is. `None` without
    /// one.
    pub fn timed_base<'a>(&'a self, base: &'a Series, variant: &Series) -> Option<&'a Series> {
        if base.run_time == variant.run_time {
            return Some(base);
        }
        let is_counterpart = |series: &&Series| {
            series.run_time == variant.run_time && series.is_alike(base) && series.variant != variant.variant
        };
        self.series.iter().find(is_counterpart)
    }

    /// The note on a table of times with dynamic variants or with engines' own clocks; empty without them.
    pub fn said_of_times(&self) -> String {
        let (run_time, others): (Vec<&Series>, Vec<&Series>) = self.series.iter().partition(|series| series.run_time);
        if run_time.is_empty() {
            return self.said_of_clocks();
        }
        let names = |of: &[&Series]| of.iter().map(|series| series.variant.as_str()).collect::<Vec<_>>().join(", ");
        let are_most = run_time.len() > others.len() && !others.is_empty();
        let named = if are_most { format!("all but {}", names(&others)) } else { names(&run_time) };
        let said = format!(" Dynamic variants, whose times are compared only with each other: {named}.");
        said + &self.said_of_clocks()
    }

    /// The note on engines that are timed by their own clocks; empty without any.
    pub fn said_of_clocks(&self) -> String {
        let own: Vec<&Series> = self.series.iter().filter(|series| !series.clock.is_ours()).collect();
        if own.is_empty() {
            return String::new();
        }
        let names: Vec<&str> = own.iter().map(|series| series.name.as_str()).collect();
        let mut said = format!(
            " Own clock ({}): the time that the engine states, without the communication with it. All other times are taken \
             by c4lab's clock.",
            names.join(", ")
        );
        let untimed = own.iter().filter(|series| series.untimed() > 0);
        let untimed: Vec<String> = untimed.map(|series| format!("{} of {}", series.untimed(), series.name)).collect();
        if !untimed.is_empty() {
            said += &format!(" Answers without a stated time have none here: {}.", untimed.join(", "));
        }
        said
    }

    pub fn said_of_limits(&self) -> String {
        said_of_limits([self])
    }

    /// The note on a table of times: limits, dynamic variants and own clocks.
    pub fn caveats(&self) -> String {
        self.said_of_limits() + &self.said_of_times()
    }

    /// The values of two variants on each common position. There are no times if only one is dynamic
    /// ([`timed_base`](Self::timed_base)).
    pub fn pairs(&self, base: &Series, variant: &Series, quantity: Quantity) -> Vec<Pair> {
        if quantity == Quantity::Time {
            return self.times(base, variant, |_| true);
        }
        let pair = |(place, base, variant): (usize, &CellResult, &CellResult)| {
            let line = self.places[place].position_id;
            // Nodes need no batch: no disturbance changes them.
            Some(Pair { line, ..Pair::from((base.nodes?, variant.nodes?)) })
        };
        pairs(base, variant).filter_map(pair).collect()
    }

    /// Half a resolution of the clock for a short time of `series`, else 0.
    pub fn slack(&self, series: &Series, ns: f64) -> f64 {
        let short_ns = self.short_ns.max(series.short_ns);
        if ns < short_ns { short_ns / (2 * SHORT_RESOLUTIONS) as f64 } else { 0.0 }
    }

    fn times(&self, base: &Series, variant: &Series, of: impl Fn(&Pass) -> bool) -> Vec<Pair> {
        if base.run_time != variant.run_time {
            return Vec::new();
        }
        let pair = |(place, one, other): (usize, &CellResult, &CellResult)| {
            let times = (one.ns_of(&of)?, other.ns_of(&of)?);
            let (line, slack) =
                (self.places[place].position_id, [self.slack(base, times.0), self.slack(variant, times.1)]);
            Some(Pair { line, batch: one.batch, slack, ..Pair::from(times) })
        };
        pairs(base, variant).filter_map(pair).collect()
    }

    /// The times of two variants by number of process, over the positions that all these processes have. A process with
    /// less than half the positions of another was cut off, and is left out. Empty with a single process.
    pub fn times_of_processes(&self, base: &Series, variant: &Series) -> Vec<(u32, Vec<Pair>)> {
        if self.processes.len() < 2 || base.run_time != variant.run_time {
            return Vec::new();
        }
        let of = |&process: &u32| (process, self.times(base, variant, |pass| pass.process == process));
        let mut processes: Vec<(u32, Vec<Pair>)> = self.processes.iter().map(of).collect();
        let most = processes.iter().map(|(_, pairs)| pairs.len()).max().unwrap_or_default();
        processes.retain(|(_, pairs)| 2 * pairs.len() >= most);
        let mut counts: HashMap<u64, usize> = HashMap::new();
        for pair in processes.iter().flat_map(|(_, pairs)| pairs) {
            *counts.entry(pair.line).or_default() += 1;
        }
        let all = processes.len();
        processes.iter_mut().for_each(|(_, pairs)| pairs.retain(|pair| counts[&pair.line] == all));
        processes
    }

    pub fn keep(&self, keep: impl Fn(usize, &Place) -> bool) -> Group {
        let kept: Vec<usize> = (0..self.places.len()).filter(|&index| keep(index, &self.places[index])).collect();
        let places = kept.iter().map(|&index| self.places[index].clone()).collect();
        let of = |series: &Series| Series {
            cells: kept.iter().map(|&index| series.cells[index].clone()).collect(),
            ..series.clone()
        };
        Group { places, series: self.series.iter().map(of).collect(), ..self.clone() }
    }
}

/// The note on positions that reached a limit, and count with twice the limit as their time; empty without any.
pub fn said_of_limits<'a>(groups: impl IntoIterator<Item = &'a Group>) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for series in groups.into_iter().flat_map(|group| &group.series) {
        let (_, count) = entry(&mut counts, |(variant, _)| *variant == series.variant, || (&series.variant, 0));
        *count += series.count(Outcome::Limited);
    }
    let counts = counts.into_iter().filter(|(_, count)| *count > 0);
    let said: Vec<String> =
        counts.map(|(variant, count)| format!("{} of {variant}", pluralize(count, "position"))).collect();
    if said.is_empty() {
        return String::new();
    }
    format!(" Reached a limit, with twice the limit as their time: {}.", said.join(", "))
}

/// The cells of two variants on the positions that both have, with the index of the place.
pub fn pairs<'a>(
    base: &'a Series,
    variant: &'a Series,
) -> impl Iterator<Item = (usize, &'a CellResult, &'a CellResult)> {
    let both = base.cells.iter().zip(&variant.cells).enumerate();
    both.filter_map(|(index, (base, variant))| Some((index, base.as_ref()?, variant.as_ref()?)))
}

#[derive(Clone, Debug, Default)]
pub struct Results {
    pub groups: Vec<Group>,
    pub binaries: BTreeSet<String>,
    pub machines: BTreeSet<String>,
    pub rows: usize,
    /// The number of rows beside a pause, whose cells were measured again.
    pub void: usize,
    pub counts: Vec<Counts>,
    /// The ends of the nodes, if they were counted.
    pub anatomy: Vec<AnatomyRow>,
    /// The number of cells with a row.
    cells: HashSet<u64>,
    /// The number of links of the binary that measured; 0 if no manifest says.
    pub links: usize,
    /// A sentence on the cells without a row, if there are any.
    pub incomplete: Option<String>,
    /// The reasons to doubt the times.
    doubts: Vec<String>,
}

impl Results {
    /// The results of samples in any order. Variants are sorted by `order`; variants that it lacks follow by name.
    pub fn of(samples: impl IntoIterator<Item = Result<Sample>>, order: &[String]) -> Result<Self> {
        let (mut results, hasher) = (Results::default(), RandomState::new());
        for sample in samples {
            let sample = sample?;
            results.rows += 1;
            if sample.is_void() {
                results.void += 1;
                continue;
            }
            results.cells.insert(hasher.hash_one(sample.cell()));
            remember(&mut results.binaries, &sample.binary_sha256);
            remember(&mut results.machines, &sample.machine_id);
            let group = entry(&mut results.groups, |group| group.is_of(&sample), || Group::of(&sample));
            // Line 1 is the header.
            group.enter(&sample, results.rows + 1)?;
        }
        results.groups.iter_mut().for_each(|group| group.finish(order));
        results.tell_apart();
        results.fail_silent();
        let paused: Vec<(&str, usize)> = results.series().map(|series| (&*series.variant, series.paused())).collect();
        let count: usize = paused.iter().map(|(_, count)| count).sum();
        let of = distinct(paused.iter().filter(|(_, count)| *count > 0).map(|(name, _)| *name));
        let of = if of.len() < 4 { of.join(", ") } else { format!("{} variants", of.len()) };
        results.doubts.extend((count > 0).then(|| format!("paused searches of {of}: {count}")));
        Ok(results)
    }

    /// Notes what the manifest says against the results: cells without a row, and doubts about the machine.
    pub fn hold_against(&mut self, manifest: &Manifest) {
        let missing = manifest.cells.map(|cells| (cells.saturating_sub(self.cells.len()), cells));
        let missing = missing.filter(|(missing, _)| *missing > 0);
        self.incomplete =
            missing.map(|(missing, cells)| format!("Incomplete: {missing} of {cells} cells have no row."));
        self.doubts.extend(manifest.doubts());
        self.links = manifest.links.len() + 1;
    }

    /// The sentences that limit the conclusions of every table: on missing cells, and on doubts `about_times`.
    pub fn remark(&self, about_times: bool) -> String {
        let doubts = (about_times && !self.doubts.is_empty())
            .then(|| format!("Times are in doubt ({}).", self.doubts.join("; ")));
        let again = pluralize(self.void, "row");
        let void = (about_times && self.void > 0).then(|| format!("Measured again after a pause: {again}."));
        self.incomplete.iter().cloned().chain(void).chain(doubts).collect::<Vec<_>>().join(" ")
    }

    /// An engine that gave no answer is not a slow one: its limited cells failed.
    fn fail_silent(&mut self) {
        let heard = self.series().filter(|series| !series.is_silent).map(|series| series.name.clone());
        let heard: BTreeSet<String> = heard.collect();
        let all = self.groups.iter_mut().flat_map(|group| &mut group.series);
        for series in all.filter(|series| !heard.contains(&series.name)) {
            let limited = series.cells.iter_mut().flatten().filter(|cell| cell.outcome == Outcome::Limited);
            limited.for_each(|cell| cell.outcome = Outcome::Failed);
        }
    }

    /// Sets [`Group::apart`] for groups of one set and goal.
    fn tell_apart(&mut self) {
        let subjects: Vec<_> = self.groups.iter().map(|group| (group.set.clone(), group.goal)).collect();
        for (group, subject) in self.groups.iter_mut().zip(&subjects) {
            if subjects.iter().filter(|other| *other == subject).count() > 1 {
                let state = if group.tt_state == TableState::Warm { "warm" } else { "cold" };
                let build = group.binary_sha256.get(..12).unwrap_or(&group.binary_sha256);
                let build = if self.binaries.len() > 1 { format!(", build {build}") } else { String::new() };
                group.apart = Some(format!("machine {}{build}, {state}", group.machine_id));
            }
        }
    }

    /// True if differences of [`LINKED`] and less may be the layout of the code: less than three links measured.
    pub fn has_few_links(&self) -> bool {
        (1..3).contains(&self.links)
    }

    /// True if every time is a mean of many searches, so that none is short: in records before 2026-11-23.
    pub fn are_means(&self) -> bool {
        self.groups.iter().all(|group| group.short_ns == 0.0)
    }

    pub fn series(&self) -> impl Iterator<Item = &Series> {
        self.groups.iter().flat_map(|group| &group.series)
    }

    pub fn keep(&self, keep: impl Fn(&Group) -> bool) -> Results {
        Results { groups: self.groups.iter().filter(|group| keep(group)).cloned().collect(), ..self.clone() }
    }
}

fn remember(names: &mut BTreeSet<String>, name: &str) {
    if !names.contains(name) {
        names.insert(name.to_string());
    }
}

#[cfg(test)]
pub(crate) mod tests;
