//! Results: what variants took on positions, from samples.
//!
//! A [`Group`] is where variants may be compared: one set, one goal, one machine, one build, one state of the table. Its columns are
//! variants, its rows positions:
//!
//! ```text
//!              pons-11   pons-12
//! position 1   cell      cell       a cell: outcome, time, nodes;
//! position 2   cell      -
//! ```
//!
//! A position that reached a limit counts in times with twice the limit (PAR-2), and does not count in nodes. One with
//! a wrong score or another failure counts in neither; such positions are counted apart.

mod gathering;

use crate::stats::{InBatch, Times, median};
use anyhow::Result;
use c4lab_measure::engines::table::EngineClock;
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::plan::experiment::TableState;
use c4lab_measure::text::pluralize;
use c4lab_solver::search::{Goal, Name, Spec, Threads};
use gathering::Gathering;
use std::collections::{BTreeMap, BTreeSet};

/// How a position ended for a variant, over all its repetitions.
///
/// The worst of its rows counts: a later outcome of this list is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    Answered,
    /// Some repetition reached a limit, and none failed.
    Limited,
    /// Some repetition failed, by anything but a wrong answer.
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

    /// Whether it has neither a time nor nodes: it failed, by a wrong answer or otherwise.
    pub fn is_failure(self) -> bool {
        self >= Outcome::Failed
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct CellResult {
    pub outcome: Outcome,
    /// Nanoseconds of every repetition, in their order, by the clock of the column; at a limit twice the limit.
    pub times: Vec<f64>,
    pub passes: Vec<Pass>,
    pub batch: Option<u32>,
    /// Nodes, the mean over repetitions (equal with a cold table); `None` unless answered.
    pub nodes: Option<f64>,
    /// The nodes that a foreign program said, for every repetition.
    pub own_nodes: Vec<f64>,
    /// The nanoseconds that a foreign program said, for every repetition.
    pub own_times: Vec<f64>,
    /// The nanoseconds of c4lab's clock for the same repetitions, and for those with nodes alone.
    pub asked_times: Vec<f64>,
    pub fault: Option<Box<Fault>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    pub process: u32,
    pub turn: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub status: Status,
    pub expected: Option<i32>,
    pub answer: Option<i32>,
    pub reason: Option<String>,
}

impl CellResult {
    /// Nanoseconds, the median over repetitions; `None` where it failed.
    pub fn ns(&self) -> Option<f64> {
        if self.outcome.is_failure() { None } else { median(&self.times) }
    }

    /// Nanoseconds, the median over the repetitions of the passes that `of` keeps.
    pub fn ns_of(&self, of: impl Fn(&Pass) -> bool) -> Option<f64> {
        let kept = self.times.iter().zip(&self.passes).filter(|(_, pass)| of(pass)).map(|(&time, _)| time);
        if self.outcome.is_failure() { None } else { median(&kept.collect::<Vec<_>>()) }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub position_id: u64,
    pub ply: u32,
    /// The moves that lead to it; records of sets that are not shipped have none.
    pub moves: Option<String>,
    /// The exact score under the goal, where a row has it: as expected, or as a right answer.
    pub score: Option<i32>,
}

#[derive(Clone, Debug)]
pub struct Series {
    /// The name of the variant or of the foreign program, as in rows.
    pub name: String,
    /// What the name says of a variant of ours; `None` for a foreign program.
    pub choice: Option<Name>,
    /// The name with the mark of its clock, as it stands in tables.
    pub variant: String,
    pub spec: String,
    /// What its spec is here; or why it is not read.
    pub read: Result<Spec, String>,
    pub clock: EngineClock,
    /// A time of the program's own that is shorter is short: by the step of its figures, and by the resolution of the
    /// machine's clock, which it cannot undercut. 0 where times are ours.
    pub short_ns: f64,
    pub tt_bytes: u64,
    pub threads: u32,
    /// Whether it ran at run time: its times are compared only with others that did.
    pub run_time: bool,
    /// One for each place of the group; `None` where it was not measured.
    pub cells: Vec<Option<CellResult>>,
    pub all_nodes: u64,
    pub rows: usize,
    /// The line of its first row, where the rows are those of one file.
    pub line: usize,
}

/// A time of fewer resolutions of the clock is short.
pub const SHORT_RESOLUTIONS: u64 = 20;

impl Series {
    /// Whether it has the choices, the table and the threads of another, however it is run.
    pub fn is_alike(&self, other: &Series) -> bool {
        let threads = |series: &Series| series.choice.as_ref().map_or(Threads::of(1), |name| name.threads());
        (&self.spec, self.tt_bytes, threads(self)) == (&other.spec, other.tt_bytes, threads(other))
    }

    /// Whether it goes under this name. The mark of its clock need not stand there.
    pub fn is_called(&self, name: &str) -> bool {
        name == self.name || name == self.variant
    }

    /// Positions that were answered, but not by its clock: they have no time.
    fn untimed(&self) -> usize {
        let answered = self.cells.iter().flatten().filter(|cell| cell.outcome == Outcome::Answered);
        answered.filter(|cell| cell.times.is_empty()).count()
    }

    /// The nodes that a foreign program states of itself, in the mean over the positions that it answered.
    pub fn own_nodes(&self) -> Option<f64> {
        let answered = self.cells.iter().flatten().filter(|cell| cell.outcome == Outcome::Answered);
        let stated: Vec<f64> = answered.filter_map(|cell| median(&cell.own_nodes)).collect();
        (!stated.is_empty()).then(|| stated.iter().sum::<f64>() / stated.len() as f64)
    }

    /// Whether no position was answered wrongly, and none failed. Of no other variant is anything concluded.
    pub fn is_sound(&self) -> bool {
        !self.cells.iter().flatten().any(|cell| cell.outcome.is_failure())
    }
}

#[derive(Clone, Debug)]
pub struct Group {
    pub set: String,
    pub set_sha256: String,
    pub goal: Goal,
    pub machine_id: String,
    pub binary_sha256: String,
    pub tt_state: TableState,
    pub processes: BTreeSet<u32>,
    /// A time below so many nanoseconds is short: the clock hardly tells it from others. It enters sums, and no ratio of a
    /// single position.
    pub short_ns: f64,
    /// What tells it from other groups of its set and goal here: machine, build, state of the table. `None` where it is alone.
    pub apart: Option<String>,
    pub places: Vec<Place>,
    pub columns: Vec<Series>,
}

impl Group {
    /// Set and goal, and what tells it from others of the same.
    pub fn title(&self) -> String {
        let apart = self.apart.as_ref().map_or(String::new(), |apart| format!(", {apart}"));
        format!("{}, {}{apart}", self.set, self.goal.name())
    }

    /// The column of a variant, under this name or one that it had once.
    pub fn column(&self, variant: &str) -> Option<&Series> {
        let same = |column: &&Series| column.is_called(variant);
        let named = self.columns.iter().find(|column| column.variant == variant);
        named.or_else(|| self.columns.iter().find(same)).or_else(|| self.column_of_choice(variant))
    }

    /// The one column of the same choice and table, run in the same way, under whatever name: `champion[zugzwang=none]` has several.
    fn column_of_choice(&self, variant: &str) -> Option<&Series> {
        let name = Name::parse(variant).ok()?;
        let (spec, settings) = (name.spec().to_string(), (name.tt_bytes(), name.threads()));
        let same = |column: &&Series| {
            column.spec == spec
                && column.choice.as_ref().is_some_and(|other| (other.tt_bytes(), other.threads()) == settings)
        };
        let of_choice: Vec<&Series> = self.columns.iter().filter(same).collect();
        // A build without the feature `ablations` runs named variants at run time, too.
        let alike = |column: &&Series| column.run_time == name.is_run_time();
        match of_choice.iter().copied().filter(alike).collect::<Vec<_>>().as_slice() {
            [] if name.named().is_some() && of_choice.len() == 1 => Some(of_choice[0]),
            [column] => Some(column),
            _ => None,
        }
    }

    /// The column whose times stand for those of `base` beside a variant. It is `base` itself, where both are types of
    /// their own or both ran at run time. Else it is the twin: the same choices and table, run as the variant is.
    /// `None` where there is no twin.
    pub fn timed_base<'a>(&'a self, base: &'a Series, variant: &Series) -> Option<&'a Series> {
        if base.run_time == variant.run_time {
            return Some(base);
        }
        let is_twin = |column: &&Series| {
            column.run_time == variant.run_time && column.is_alike(base) && column.variant != variant.variant
        };
        self.columns.iter().find(is_twin)
    }

    pub fn run_time(&self) -> Vec<&str> {
        self.columns.iter().filter(|column| column.run_time).map(|column| column.variant.as_str()).collect()
    }

    /// What is said under a table of times where some of its variants ran at run time, or are timed by their own clock;
    /// empty where none is.
    pub fn said_of_times(&self) -> String {
        let at_run_time = match self.run_time().as_slice() {
            [] => String::new(),
            names => {
                format!(" Run at run time, with times that are compared only with each other: {}.", names.join(", "))
            }
        };
        at_run_time + &self.said_of_clocks()
    }

    /// What is said where programs are timed by their own clocks; empty where none is.
    pub fn said_of_clocks(&self) -> String {
        let own: Vec<&Series> = self.columns.iter().filter(|column| !column.clock.is_ours()).collect();
        if own.is_empty() {
            return String::new();
        }
        let untimed = own.iter().filter(|column| column.untimed() > 0);
        let untimed: Vec<String> = untimed.map(|column| format!("{} of {}", column.untimed(), column.name)).collect();
        let left_out = match untimed.as_slice() {
            [] => String::new(),
            counts => format!(" Answers without such a time have none here: {}.", counts.join(", ")),
        };
        let names: Vec<&str> = own.iter().map(|column| column.name.as_str()).collect();
        format!(
            " Own clock ({}): the time that the program states of itself, without the way to it and back. All other times \
             are taken by c4lab.{left_out}",
            names.join(", ")
        )
    }

    /// What is said under a table of times where some of them are limits ([`said_of_limits`]).
    pub fn said_of_limits(&self) -> String {
        said_of_limits([self])
    }

    /// Whether one of the times of two variants is short.
    pub fn is_short(&self, (base, variant): (&Series, &Series), pair: &(f64, f64)) -> bool {
        pair.0.min(pair.1) < self.short_ns.max(base.short_ns).max(variant.short_ns)
    }

    /// The pairs of times of two variants that are not short: what ratios of single positions rest on.
    pub fn telling<P: InBatch>(&self, columns: (&Series, &Series), pairs: &[P]) -> Vec<P> {
        pairs.iter().copied().filter(|pair| !self.is_short(columns, &pair.pair())).collect()
    }

    /// Times of two variants in nanoseconds, over the positions that both have: (base, variant). None where one ran at run time and
    /// the other did not ([`timed_base`](Self::timed_base)).
    pub fn times(&self, base: &Series, variant: &Series) -> Vec<Times> {
        if base.run_time != variant.run_time {
            return Vec::new();
        }
        let times = |base: &CellResult, variant: &CellResult| {
            Some(Times { pair: (base.ns()?, variant.ns()?), batch: base.batch })
        };
        pairs(base, variant).filter_map(|(_, base, variant)| times(base, variant)).collect()
    }

    /// Times of two variants by each process alone: its number, and (base, variant) over the positions that all of these
    /// processes have. One that has less than half as many as another, since it was cut off, is left out. Nothing where
    /// one process measured everything.
    pub fn times_of_processes(&self, base: &Series, variant: &Series) -> Vec<(u32, Vec<Times>)> {
        if self.processes.len() < 2 || base.run_time != variant.run_time {
            return Vec::new();
        }
        let of = |process: u32| -> BTreeMap<usize, Times> {
            let ns = |cell: &CellResult| cell.ns_of(|pass| pass.process == process);
            let times = |base: &CellResult, variant: &CellResult| {
                Some(Times { pair: (ns(base)?, ns(variant)?), batch: base.batch })
            };
            pairs(base, variant).filter_map(|(at, base, variant)| Some((at, times(base, variant)?))).collect()
        };
        let mut processes: Vec<_> = self.processes.iter().map(|&process| (process, of(process))).collect();
        let most = processes.iter().map(|(_, times)| times.len()).max().unwrap_or_default();
        processes.retain(|(_, times)| 2 * times.len() >= most);
        let all = |at: &usize| processes.iter().all(|(_, times)| times.contains_key(at));
        let shared =
            |times: &BTreeMap<usize, Times>| times.iter().filter(|(at, _)| all(at)).map(|(_, &pair)| pair).collect();
        processes.iter().map(|(process, times)| (*process, shared(times))).collect()
    }

    /// Nodes of two variants, over the positions that both answered: (base, variant).
    pub fn nodes(&self, base: &Series, variant: &Series) -> Vec<(f64, f64)> {
        pairs(base, variant).filter_map(|(_, base, variant)| Some((base.nodes?, variant.nodes?))).collect()
    }

    pub fn keep(&self, keep: impl Fn(usize, &Place) -> bool) -> Group {
        let kept: Vec<usize> = (0..self.places.len()).filter(|&index| keep(index, &self.places[index])).collect();
        let places = kept.iter().map(|&index| self.places[index].clone()).collect();
        let of = |column: &Series| Series {
            cells: kept.iter().map(|&index| column.cells[index].clone()).collect(),
            ..column.clone()
        };
        Group { places, columns: self.columns.iter().map(of).collect(), ..self.clone() }
    }
}

/// What is said under a table of times where a limit was reached, so that twice the limit stands for the time; empty where none was.
pub fn said_of_limits<'a>(groups: impl IntoIterator<Item = &'a Group>) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for column in groups.into_iter().flat_map(|group| &group.columns) {
        let limited = column.cells.iter().flatten().filter(|cell| cell.outcome == Outcome::Limited).count();
        match counts.iter_mut().find(|(variant, _)| *variant == column.variant) {
            Some((_, count)) => *count += limited,
            None => counts.push((&column.variant, limited)),
        }
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
}

impl Results {
    /// The results of samples, with variants in the order of `order`; those that it does not name follow by name.
    pub fn of(samples: impl IntoIterator<Item = Result<Sample>>, order: &[String]) -> Result<Self> {
        let mut gathering = Gathering::of(order);
        samples.into_iter().try_for_each(|sample| gathering.enter(sample?))?;
        Ok(gathering.finish())
    }

    /// Whether every time is the mean of many searches of a position, so that none is short: records before 2026-11-23.
    pub fn are_means(&self) -> bool {
        self.groups.iter().all(|group| group.short_ns == 0.0)
    }

    pub fn keep(&self, keep: impl Fn(&Group) -> bool) -> Results {
        Results { groups: self.groups.iter().filter(|group| keep(group)).cloned().collect(), ..self.clone() }
    }
}

#[cfg(test)]
pub(crate) mod tests;
