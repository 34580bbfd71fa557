//! Self-tests of the instrument, to be passed before its numbers are used.
//!
//! - [`chain`]: a search of known length takes as long by our clock as by the system's.
//! - [`same`]: one variant under two names, each with a table, differs from itself only as often as by chance.
//! - [`turns`]: a variant takes as long in the first turn of a block as in others, within 1 %.
//! - [`block`]: a pair of variants has the same ratio alone and among thirty, within 2 %.
//!
//! Each test makes one table, and holds or does not hold on the machine that measured.

use crate::results::{CellResult, Group, Quantity, Series};
use crate::stats::{Estimate, Pair, geometric_mean, pooled_geometric_mean, ratio_of_sums};
use crate::table::units::{time, times};
use crate::table::{Subject, Table};
use crate::tables::comparison::Comparison;
use c4lab_measure::clock::middle;
use c4lab_measure::files::manifest::DRIFT;
use c4lab_measure::run::chain::{ChainRow, LENGTHS_NS};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq)]
pub struct SelfTest {
    pub table: Table,
    pub holds: bool,
}

pub fn conclusion(tests: &[SelfTest]) -> String {
    let broken: Vec<&str> = tests.iter().filter(|test| !test.holds).map(|test| test.table.name).collect();
    match broken.len() {
        0 => format!("All {} self-tests hold on this machine.", tests.len()),
        _ => format!("Of {} self-tests, these do not hold on this machine: {}.", tests.len(), broken.join(", ")),
    }
}

impl SelfTest {
    /// The test on a machine whose speed changed by up to `drift` within a process. It says nothing beyond [`DRIFT`].
    pub fn on_machine(mut self, drift: f64) -> Self {
        let drifted = format!("The machine's speed changed by at most {:.0} % within a process", 100.0 * drift);
        self.holds &= drift <= DRIFT;
        let rest = if drift > DRIFT { ": too much for this test. Try again at another time." } else { "." };
        self.table = self.table.remarking(&(drifted + rest));
        self
    }
}

/// The range of the time in the first turn divided by that in others, and of a ratio alone divided by that among many.
const EVEN_TURNS: (f64, f64) = (0.99, 1.01);
const WITHOUT_COMPANY: (f64, f64) = (0.98, 1.02);

/// The shortest chain whose time is tested, and the largest relative error allowed.
const FROM_NS: u64 = 200;
const WITHIN: f64 = 0.02;

struct ChainLine {
    length_ns: u64,
    /// Nanoseconds expected and measured, by round.
    rounds: BTreeMap<u32, (f64, f64)>,
    /// The measured ratio of the next length to this one, divided by the expected ratio.
    next: Option<f64>,
}

impl ChainLine {
    fn middle(&self, of: fn(&(f64, f64)) -> f64) -> Option<f64> {
        middle(self.rounds.values().map(of).collect())
    }

    fn ratio(&self) -> Option<f64> {
        self.middle(|(expected, measured)| measured / expected)
    }
}

/// The clock: chains of known length, by our clock and by the system's.
pub fn chain(rows: &[ChainRow]) -> SelfTest {
    let mut lines = Vec::new();
    for length_ns in LENGTHS_NS.into_iter().rev() {
        let rows = rows.iter().filter(|row| row.length_ns == length_ns);
        let rounds: BTreeMap<u32, (f64, f64)> =
            rows.map(|row| (row.round, (row.expected_ns, row.wall_ns as f64))).collect();
        let next = lines.last().and_then(|longer: &ChainLine| {
            let both = rounds.iter().filter_map(|(round, one)| Some((one, longer.rounds.get(round)?)));
            middle(both.map(|(one, next)| next.1 / one.1 / (next.0 / one.0)).collect())
        });
        lines.push(ChainLine { length_ns, rounds, next });
    }
    lines.reverse();
    let asked = lines.iter().filter(|line| line.length_ns >= FROM_NS);
    let errors = asked.flat_map(|line| [line.ratio(), line.next]).flatten().map(|ratio| (ratio - 1.0).abs());
    let most = errors.reduce(f64::max);
    let holds = most.is_some_and(|most| most <= WITHIN);
    let clock = rows.first().map(ChainRow::clock).unwrap_or_default();
    let by = clock.counter_khz.map_or("the system's monotonic clock".to_string(), |khz| {
        format!("the processor's counter at {:.0} MHz", khz as f64 / 1000.0)
    });
    let note = format!(
        "A chain of dependent steps is timed as a search is: once, by {by}. An empty sample takes {} ns, which are subtracted; the \
         resolution is {} ns. Expected is the time of the steps by the system's monotonic clock. Each number is the mean of the middle \
         half of all rounds. The last column is the measured ratio of the next length to this one, divided by the expected ratio. From \
         {FROM_NS} ns on, both ratios must be 0.98 to 1.02.",
        clock.cost_ns, clock.resolution_ns
    );
    let table = Table::new("chain", Subject::default(), "the clock: a search of known length", note)
        .concluding(format!(
            "From {FROM_NS} ns on, times and their ratios lie at most {:.1} % off{}.",
            100.0 * most.unwrap_or(0.0),
            if holds { "" } else { ", which is more than 2 %" }
        ))
        .over(&lines)
        .count("samples", "samples", |line| line.rounds.len())
        .number("expected", "expected_ns", time, |line| line.middle(|it| it.0))
        .number("measured", "measured_ns", time, |line| line.middle(|it| it.1))
        .number("measured : expected", "ratio", times, ChainLine::ratio)
        .number("next length", "next_ratio", times, |line| line.next)
        .table;
    SelfTest { table, holds }
}

/// How many of `intervals` may exclude 1. By chance, 6 of 120 do, and more than 12 in less than 1 % of cases.
fn allowed(intervals: usize) -> usize {
    (0.1 * intervals as f64).round() as usize
}

struct SameLine {
    set: String,
    process: u32,
    positions: usize,
    sums: Option<Estimate>,
    mean: Option<Estimate>,
}

/// The intervals: one variant under two names. Only the addresses of the tables differ: an interval without 1 is wrong.
pub fn same(groups: &[Group], seed: u64) -> SelfTest {
    let mut lines = Vec::new();
    for group in groups {
        let [one, other] = group.series.as_slice() else { continue };
        let mut processes = group.times_of_processes(one, other);
        if processes.is_empty() {
            processes.push((1, group.pairs(one, other, Quantity::Time)));
        }
        for (process, pairs) in processes {
            lines.push(SameLine {
                set: set_and_goal(group),
                process,
                positions: pairs.len(),
                sums: ratio_of_sums(&pairs, seed),
                mean: geometric_mean(&pairs, seed),
            });
        }
    }
    let estimates: Vec<Estimate> = lines.iter().flat_map(|line| [line.sums, line.mean]).flatten().collect();
    let intervals: Vec<(f64, f64)> = estimates.iter().filter_map(|estimate| estimate.interval).collect();
    let excluding = intervals.iter().filter(|(low, high)| *low > 1.0 || *high < 1.0).count();
    let allowed = allowed(intervals.len());
    let title = format!("one variant under two names: {}", names(groups).join(" and "));
    let note = "Both names are one search, compiled once, each with a table at its own address. Each process has an interval over the \
                positions. Of twenty such intervals, one excludes 1 by chance; two are allowed.";
    let table = Table::new("same", Subject::default(), title, note)
        .concluding(format!(
            "Of {} intervals, {excluding} exclude 1; {allowed} may. {} ratios have too few positions for an interval.",
            intervals.len(),
            estimates.len() - intervals.len()
        ))
        .over(&lines)
        .text("set", "set", |line| line.set.clone())
        .count("process", "process", |line| line.process as usize)
        .count("n", "positions", |line| line.positions)
        .ratio("ratio of sums", "ratio_of_sums", |line| line.sums)
        .ratio("geometric mean", "geometric_mean", |line| line.mean)
        .table;
    SelfTest { table, holds: !intervals.is_empty() && excluding <= allowed }
}

/// The order: the time of a variant as the first of a block, divided by its time in other turns.
pub fn turns(groups: &[Group]) -> SelfTest {
    let mut strata: BTreeMap<&str, Vec<Vec<Pair>>> = BTreeMap::new();
    for (group, series) in groups.iter().flat_map(|group| group.series.iter().map(move |series| (group, series))) {
        let pair = |cell: &CellResult| {
            let times = (cell.ns_of(|pass| pass.turn == 0)?, cell.ns_of(|pass| pass.turn > 0)?);
            let slack = [group.slack(series, times.0), group.slack(series, times.1)];
            Some(Pair { batch: cell.batch, slack, ..Pair::from(times) })
        };
        strata.entry(&series.variant).or_default().push(series.cells.iter().flatten().filter_map(pair).collect());
    }
    let mean = |strata: &[Vec<Pair>]| pooled_geometric_mean(strata, 1);
    let lines: Vec<(&str, usize, Option<Estimate>)> =
        strata.iter().map(|(variant, strata)| (*variant, strata.iter().map(Vec::len).sum(), mean(strata))).collect();
    let even = lines.iter().filter(|(.., mean)| lies_within(*mean, EVEN_TURNS)).count();
    let note = "Time in the first turn divided by the time in the others, geometric mean over the positions of all sets measured in both, with \
                its interval over positions. The whole interval must lie within 0.99 to 1.01.";
    let table = Table::new("turns", Subject::default(), "the first turn of a block beside the others", note)
        .concluding(format!("Of {} intervals, {even} lie within 0.99 to 1.01.", lines.len()))
        .over(&lines)
        .text("variant", "variant", |line| line.0)
        .count("n", "positions", |line| line.1)
        .ratio("geometric mean", "geometric_mean", |line| line.2)
        .table;
    SelfTest { table, holds: !lines.is_empty() && even == lines.len() }
}

/// True if the whole interval of an estimate lies within `range`: equivalence was shown.
fn lies_within(estimate: Option<Estimate>, range: (f64, f64)) -> bool {
    let interval = estimate.and_then(|estimate| estimate.interval);
    interval.is_some_and(|(low, high)| low >= range.0 && high <= range.1)
}

/// A pair of variants, alone and among many: in each group of `alone`, and in that of `among` with equal set and goal.
pub fn block(alone: &[Group], among: &[Group], seed: u64) -> SelfTest {
    let (mut lines, mut strata, mut variants) = (Vec::new(), Vec::new(), 0);
    for group in alone {
        let [base, variant] = group.series.as_slice() else { continue };
        let is_same = |other: &&Group| (&other.set_sha256, other.goal) == (&group.set_sha256, group.goal);
        let Some(other) = among.iter().find(is_same) else { continue };
        let their = other.named(&base.variant).zip(other.named(&variant.variant));
        let Some((their_base, their_variant)) = their else { continue };
        let one = Comparison::of(group, base, variant, Quantity::Time, seed).geometric_mean;
        let two = Comparison::of(other, their_base, their_variant, Quantity::Time, seed).geometric_mean;
        let changes = changes(&ratios(group, base, variant), &ratios(other, their_base, their_variant));
        variants = variants.max(other.series.len());
        lines.push((set_and_goal(group), changes.len(), [one, two], geometric_mean(&changes, seed)));
        strata.push(changes);
    }
    let all = pooled_geometric_mean(&strata, seed);
    let positions = strata.iter().map(Vec::len).sum();
    lines.push(("all".to_string(), positions, [None, None], all));
    let holds = lies_within(all, WITHOUT_COMPANY);
    let title = format!("a pair alone and among {variants} variants: {}", names(alone).join(" : "));
    let note = "Time of the first divided by time of the second, geometric means, measured alone and among many. Change is the ratio alone divided \
                by the ratio among many, position by position. Over all positions its whole interval must lie within 0.98 to 1.02.";
    let verb = if holds { "lies" } else { "does not lie" };
    let table = Table::new("block", Subject::default(), title, note)
        .concluding(format!("The interval of the change over all positions {verb} within 0.98 to 1.02."))
        .over(&lines)
        .text("set", "set", |(set, ..)| set.clone())
        .count("n", "positions", |line| line.1)
        .ratio("alone", "alone", |&(.., [alone, _], _)| alone)
        .ratio("among many", "among", |&(.., [_, among], _)| among)
        .ratio("change", "change", |&(.., change)| change)
        .table;
    SelfTest { table, holds }
}

/// Ratio and batch of each position, by its line.
fn ratios(group: &Group, base: &Series, variant: &Series) -> BTreeMap<u64, (f64, Option<u32>)> {
    let pairs = group.pairs(base, variant, Quantity::Time);
    pairs.iter().map(|pair| (pair.line, (pair.ratio(), pair.batch))).collect()
}

/// Pairs of the ratios in `one` and in `other` on common positions, with the batches of `one`.
fn changes(one: &BTreeMap<u64, (f64, Option<u32>)>, other: &BTreeMap<u64, (f64, Option<u32>)>) -> Vec<Pair> {
    let both = one.iter().filter_map(|(line, (ratio, batch))| Some((ratio, other.get(line)?, batch)));
    both.map(|(&one, &(other, _), &batch)| Pair { batch, ..Pair::from((one, other)) }).collect()
}

fn set_and_goal(group: &Group) -> String {
    format!("{}, {}", group.set, group.goal.name())
}

fn names(groups: &[Group]) -> Vec<&str> {
    groups.first().map_or(Vec::new(), |group| group.series.iter().map(|column| column.variant.as_str()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{Sample, results, sample};
    use c4lab_measure::run::chain::SCHEMA_VERSION;

    /// Five rounds, the second disturbed. `measured` maps an expected time to a measured one.
    fn chains(measured: impl Fn(u64) -> u64) -> Vec<ChainRow> {
        let row = |round: u32, length_ns: u64| ChainRow {
            schema_version: SCHEMA_VERSION,
            round,
            length_ns,
            steps: length_ns,
            expected_ns: length_ns as f64,
            wall_ns: if round == 1 { 9 * length_ns } else { measured(length_ns) },
            cost_ns: 30,
            resolution_ns: 2,
            counter_khz: Some(2_000_000),
        };
        (0..5).flat_map(|round| LENGTHS_NS.map(|length_ns| row(round, length_ns))).collect()
    }

    #[test]
    fn a_clock_holds_within_two_per_cent_from_200_ns_on() {
        let right = chain(&chains(|ns| ns + 3));
        assert!(right.holds && right.table.rows.len() == LENGTHS_NS.len());
        assert_eq!(right.table.shown()[2][..4], ["5", "200 ns", "203 ns", "1.01x"]);
        assert!(chain(&chains(|ns| if ns < 200 { 2 * ns } else { ns })).holds);
        assert!(!chain(&chains(|ns| ns + 8)).holds, "4 % of 200 ns");
        assert!(!chain(&chains(|ns| ns * 103 / 100)).holds, "the rate of the counter");
        assert!(!chain(&chains(|ns| if ns > 20_000 { ns * 101 / 100 } else { ns * 985 / 1000 })).holds, "two regimes");
        assert!(!chain(&[]).holds);
        assert_eq!(conclusion(&[right, chain(&[])]), "Of 2 self-tests, these do not hold on this machine: chain.");
    }

    /// Forty positions. In process `i` from 0, `b` takes `percent[i]` % of the time of `a`.
    fn same_of(percent: &[u64]) -> SelfTest {
        let mut rows = Vec::new();
        for (process, percent) in percent.iter().enumerate() {
            for id in 1..=40 {
                let ns = 100_000 * (10 + id % 3);
                let pair = [sample("a", id, ns, 5), sample("b", id, ns * (percent + id % 5 - 2) / 100, 5)];
                rows.extend(pair.map(|row| Sample { process: process as u32 + 1, ..row }));
            }
        }
        same(&results(&rows, &["a", "b"]).groups, 1)
    }

    #[test]
    fn intervals_that_exclude_1_are_counted() {
        assert!(same_of(&[100; 5]).holds && same_of(&[100; 5]).table.rows.len() == 5);
        // One process that lies off is two intervals: too many of ten, and not of twenty.
        assert!(!same_of(&[100, 100, 104, 100, 100]).holds);
        assert!(same_of(&[100, 100, 104, 100, 100, 100, 100, 100, 100, 100]).holds);
        assert_eq!(same_of(&[100]).table.rows.len(), 1);
        assert!(!same(&[], 1).holds);
    }

    /// Forty positions in two passes. A variant's first turn takes `percent` % of the time of its other turn.
    fn turns_of(percent: u64) -> SelfTest {
        let row = |variant: &str, id: u64, repetition: u32, turn: u32| Sample {
            repetition,
            block_order: turn,
            wall_ns: Some((1000 + id % 7) * if turn == 0 { percent + id % 3 - 1 } else { 100 }),
            ..sample(variant, id, 1, 5)
        };
        let of = |id| [row("a", id, 0, 0), row("b", id, 0, 1), row("b", id, 1, 0), row("a", id, 1, 1)];
        turns(&results(&(1..=40).flat_map(of).collect::<Vec<Sample>>(), &["a", "b"]).groups)
    }

    #[test]
    fn who_is_first_takes_as_long() {
        assert!(turns_of(100).holds && turns_of(100).on_machine(0.1).holds);
        assert!(!turns_of(100).on_machine(0.11).holds, "the machine was not steady");
        assert!(!turns_of(95).holds && !turns(&[]).holds);
        // An interval that reaches beyond one per cent proves nothing.
        assert!(!turns_of(99).holds);
    }

    /// Sixty positions. `b` takes about `percent` % of the time of `a`; `others` are measured too.
    fn groups(percent: u64, others: &[&str]) -> Vec<Group> {
        let of = |id: u64| {
            let ns = 100_000 * (10 + id % 3);
            let percent = percent + (id + others.len() as u64) % 5 - 2;
            let pair = [sample("a", id, ns, 5), sample("b", id, ns * percent / 100, 5)];
            pair.into_iter().chain(others.iter().map(move |other| sample(other, id, 7 * ns, 5)))
        };
        results(&(1..=60).flat_map(of).collect::<Vec<Sample>>(), &["a", "b"]).groups
    }

    #[test]
    fn a_pair_has_the_same_ratio_alone_and_among_many() {
        let same = block(&groups(50, &[]), &groups(50, &["c", "d"]), 1);
        assert!(same.holds);
        assert_eq!(same.table.shown()[1][6], "1.00x");
        let other = block(&groups(50, &[]), &groups(54, &["c", "d"]), 1);
        assert!(!other.holds);
        assert_eq!(other.table.shown()[1][6], "1.08x");
        let without = groups(50, &["c"]).into_iter().map(|group| Group { series: Vec::new(), ..group });
        assert!(!block(&groups(50, &[]), &without.collect::<Vec<_>>(), 1).holds);
    }
}
