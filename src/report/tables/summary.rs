//! The summary: times and nodes of every variant on every set, beside the first variant of that set.

use crate::entry;
use crate::results::{CellResult, Group, Outcome, Quantity, Results, Series, mean};
use crate::stats::{Estimate, sums_ratio};
use crate::table::pipes;
use crate::table::units::{four_digits, three_digits, time, times};
use crate::table::{Cell, Column, Subject, Table, TableOver};
use crate::tables::comparison::{Comparison, SHORT};
use crate::tables::conclusion;
use anyhow::Result;
use c4lab_measure::plan::experiment::TableState;
use c4lab_measure::text::{distinct, pluralize};
use c4lab_solver::search::Goal;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// One variant on one set under one goal: a line of `summary.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    pub set: String,
    pub variant: String,
    pub goal: Goal,
    pub positions: usize,
    pub ok: usize,
    pub wrong: usize,
    pub limited: usize,
    pub mean_ns: Option<f64>,
    pub mean_nodes: Option<f64>,
    pub nodes_per_s: Option<f64>,
    /// The first variant's time divided by this one's, over the positions that both have, and its 95 % interval.
    pub speedup: Option<f64>,
    pub speedup_low: Option<f64>,
    pub speedup_high: Option<f64>,
    /// The first variant's nodes divided by this one's, over the positions that both answered.
    pub node_ratio: Option<f64>,
    /// Positions that failed otherwise: by a crash, an unreadable answer, or a lack of memory.
    pub failed: usize,
    /// The geometric mean of the ratios of times of single positions.
    pub geometric_mean: Option<f64>,
    pub geometric_mean_low: Option<f64>,
    pub geometric_mean_high: Option<f64>,
    /// Positions with a time below 20 resolutions of the clock.
    pub short: usize,
    /// Mean nodes that an engine states. They are apart from `mean_nodes`, since an engine counts in its own way.
    pub engine_nodes: Option<f64>,
    /// The machine, build and state of the table, if several groups have the same set and goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apart: Option<String>,
    #[serde(skip)]
    caveats: String,
    #[serde(skip)]
    pub is_base: bool,
}

/// A line for each variant of each group. The first variant of a group is the base.
pub fn summarise(results: &Results, seed: u64) -> Vec<Line> {
    let mut lines = Vec::new();
    for group in &results.groups {
        lines.extend(group.series.iter().map(|series| line(group, series, &group.series[0], seed)));
    }
    lines
}

pub fn line(group: &Group, series: &Series, base: &Series, seed: u64) -> Line {
    let cells: Vec<&CellResult> = series.cells.iter().flatten().collect();
    let answered: Vec<(f64, f64)> = cells.iter().filter_map(|cell| Some((cell.ns()?, cell.nodes?))).collect();
    let (ns, nodes) = answered.iter().fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let compared =
        group.timed_base(base, series).map(|timed| Comparison::of(group, timed, series, Quantity::Time, seed));
    let sum_ratio = compared.as_ref().and_then(|compared| compared.ratio_of_sums);
    let mean_ratio = compared.as_ref().and_then(|compared| compared.geometric_mean);
    let interval = |estimate: Option<Estimate>| estimate.and_then(|estimate| estimate.interval).unzip();
    let (speedup_low, speedup_high) = interval(sum_ratio);
    let (geometric_mean_low, geometric_mean_high) = interval(mean_ratio);
    Line {
        set: group.set.clone(),
        variant: series.variant.clone(),
        goal: group.goal,
        positions: cells.len(),
        ok: series.count(Outcome::Answered),
        wrong: series.count(Outcome::Wrong),
        limited: series.count(Outcome::Limited),
        mean_ns: mean(cells.iter().filter_map(|cell| cell.ns())),
        mean_nodes: mean(answered.iter().map(|one| one.1)),
        nodes_per_s: (ns > 0.0).then(|| nodes / ns * 1e9),
        speedup: sum_ratio.map(|estimate| estimate.value),
        speedup_low,
        speedup_high,
        node_ratio: sums_ratio(&group.pairs(base, series, Quantity::Nodes)),
        failed: series.count(Outcome::Failed),
        geometric_mean: mean_ratio.map(|estimate| estimate.value),
        geometric_mean_low,
        geometric_mean_high,
        short: compared.map_or(0, |compared| compared.short),
        engine_nodes: series.own_nodes(),
        apart: group.apart.clone(),
        caveats: group.caveats(),
        is_base: series.variant == base.variant,
    }
}

impl Line {
    fn subject(&self) -> Subject {
        Subject { set: Some(self.set.clone()), goal: Some(self.goal), apart: self.apart.clone() }
    }

    pub fn of_sums(&self) -> Option<Estimate> {
        Some(Estimate { value: self.speedup?, interval: self.speedup_low.zip(self.speedup_high) })
    }

    pub fn of_positions(&self) -> Option<Estimate> {
        let interval = self.geometric_mean_low.zip(self.geometric_mean_high);
        Some(Estimate { value: self.geometric_mean?, interval })
    }

    /// True if no answer is wrong or failed. Limits may be reached.
    pub fn is_sound(&self) -> bool {
        self.wrong + self.failed == 0
    }
}

/// `summary.csv`. It has a last column `apart` only if several groups have one set and goal.
pub fn csv(lines: &[Line]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let has_apart = lines.iter().any(|line| line.apart.is_some());
    for line in lines {
        let apart = has_apart.then(|| line.apart.clone().unwrap_or_default());
        writer.serialize(Line { apart, ..line.clone() })?;
    }
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}

/// A table for each group. Columns of rare events are shown only if one occurred.
pub fn tables(lines: &[Line]) -> Vec<Table> {
    let fails = lines.iter().any(|line| line.failed > 0);
    let short = lines.iter().any(|line| line.short > 0);
    let own_nodes = lines.iter().any(|line| line.engine_nodes.is_some());
    // The base beside itself needs no interval.
    let interval = |line: &Line, estimate| if line.is_base { Cell::Empty } else { Cell::interval_of(estimate) };
    let groups = lines.chunk_by(|one, other| one.subject() == other.subject());
    let table = |group: &[Line]| {
        let (line, subject) = (&group[0], group[0].subject());
        let apart = line.apart.as_ref().map_or(String::new(), |apart| format!(", {apart}"));
        let title = format!("{}, {}{apart}", line.set, line.goal.name());
        outcomes(Table::new("summary", subject, title, note(group)).over(group), fails)
            .number("mean time", "mean_ns", time, |line| line.mean_ns)
            .number("mean nodes", "mean_nodes", three_digits, |line| line.mean_nodes)
            .when(own_nodes, |table| table.number("own nodes", "engine_nodes", three_digits, |line| line.engine_nodes))
            .number("k nodes/s", "nodes_per_s", |rate| three_digits(rate / 1e3), |line| line.nodes_per_s)
            .number("speed-up", "speedup", times, |line| line.speedup)
            .column(Column::interval("speedup"), |line| interval(line, line.of_sums()))
            .number("geometric mean", "geometric_mean", times, |line| line.geometric_mean)
            .column(Column::interval("geometric_mean"), |line| interval(line, line.of_positions()))
            .when(short, |table| table.count("short", "short", |line| line.short))
            .table
            .concluding(conclude(group))
    };
    groups.map(table).collect()
}

fn outcomes(over: TableOver<'_, Line>, fails: bool) -> TableOver<'_, Line> {
    over.text("variant", "variant", |line| &line.variant)
        .count("positions", "positions", |line| line.positions)
        .count("ok", "ok", |line| line.ok)
        .count("wrong", "wrong", |line| line.wrong)
        .when(fails, |table| table.count("failed", "failed", |line| line.failed))
        .count("limited", "limited", |line| line.limited)
}

/// Variants with wrong or failed answers are in no sentence about speed.
fn conclude(lines: &[Line]) -> String {
    let Some(base) = lines.iter().find(|line| line.is_base) else { return String::new() };
    let others = lines.iter().filter(|line| base.is_sound() && !line.is_base && line.is_sound());
    let others: Vec<(&str, Estimate)> =
        others.filter_map(|line| Some((line.variant.as_str(), line.of_positions()?))).collect();
    let mut said = conclusion::beside(&base.variant, &others);
    for (reason, is_it) in [
        ("not all of its answers are right", (|line| line.wrong > 0) as fn(&Line) -> bool),
        ("it failed on some positions", |line| line.wrong == 0 && line.failed > 0),
    ] {
        let names: Vec<&str> = lines.iter().filter(|line| is_it(line)).map(|line| line.variant.as_str()).collect();
        if !names.is_empty() {
            said += &format!(" Left out, since {reason}: {}.", names.join(", "));
        }
    }
    said.trim_start().to_string()
}

const OWN_NODES: &str =
    " Own nodes: nodes that an engine states. It counts in its own way, so compare them with no others.";

/// The note on how to read the table of `lines`. The first line is the base.
fn note(lines: &[Line]) -> String {
    let short = if lines.iter().any(|line| line.short > 0) { format!(" {SHORT}") } else { String::new() };
    let own_nodes = if lines.iter().any(|line| line.engine_nodes.is_some()) { OWN_NODES } else { "" };
    let Line { variant, caveats, .. } = &lines[0];
    format!(
        "Speed-ups: the time of {variant} divided by that of each variant, on the whole set (ratio of sums) and on the \
         typical position (geometric mean).{short}{own_nodes}{caveats}"
    )
}

/// Variants by sets: `mean time / mean nodes`, for one goal. Nodes that an engine states are marked `own`. Variants are
/// in the order of `order`, or by name if it is empty.
pub fn ladder(lines: &[Line], goal: Goal, order: &[String]) -> String {
    let lines: Vec<&Line> = lines.iter().filter(|line| line.goal == goal).collect();
    let sets = distinct(lines.iter().map(|line| line.set.as_str()));
    let mut variants = distinct(lines.iter().map(|line| line.variant.as_str()));
    variants.sort_by_key(|name| (order.iter().position(|named| named == name), *name));
    let row = |variant: &str| -> Vec<String> {
        let cells = sets.iter().map(|set| {
            let line = lines.iter().find(|line| line.set == *set && line.variant == variant);
            line.map_or(String::new(), |line| match (line.mean_ns, line.mean_nodes, line.engine_nodes) {
                (Some(ns), Some(nodes), _) => format!("{} / {}", time(ns), four_digits(nodes)),
                (Some(ns), None, Some(nodes)) => format!("{} / own {}", time(ns), four_digits(nodes)),
                (Some(ns), None, None) => format!("{} / -", time(ns)),
                (None, ..) => String::new(),
            })
        });
        [variant.to_string()].into_iter().chain(cells).collect()
    };
    let heads: Vec<String> = ["variant"].iter().chain(&sets).map(|head| head.to_string()).collect();
    let is_text: Vec<bool> = (0..heads.len()).map(|column| column == 0).collect();
    let table = pipes(&heads, &is_text, false, &variants.into_iter().map(row).collect::<Vec<_>>());
    match lines.iter().map(|line| line.limited).sum::<usize>() {
        0 => table,
        limited => format!(
            "{table}\n{} of a variant reached a limit: twice the limit is in its mean time.\n",
            pluralize(limited, "position")
        ),
    }
}

/// Nodes of sets that several machines or builds measured, for example in shards. With cold tables nodes are equal
/// everywhere: a position of several machines counts once. Times are not pooled.
pub fn pooled(groups: &[Group]) -> Vec<Table> {
    let mut alike: Vec<Vec<&Group>> = Vec::new();
    for group in groups.iter().filter(|group| group.tt_state == TableState::Cold) {
        let same =
            |other: &Group| (&other.set, &other.set_sha256, other.goal) == (&group.set, &group.set_sha256, group.goal);
        entry(&mut alike, |alike| same(alike[0]), Vec::new).push(group);
    }
    alike.iter().filter(|alike| alike.len() > 1).filter_map(|alike| pooled_table(&pool(alike), alike.len())).collect()
}

/// Merges groups that differ only in machine and build. The times of the result mean nothing.
fn pool(groups: &[&Group]) -> Group {
    let mut places = BTreeMap::new();
    let mut pooled: Vec<(&Series, BTreeMap<u64, &CellResult>)> = Vec::new();
    for group in groups {
        // With several threads nodes differ from one search to the next.
        for series in group.series.iter().filter(|series| series.threads == 1) {
            let is_known = |(known, _): &(&Series, _)| known.variant == series.variant;
            let (_, known) = entry(&mut pooled, is_known, || (series, BTreeMap::new()));
            for (place, cell) in group.places.iter().zip(&series.cells) {
                let Some(cell) = cell else { continue };
                places.entry(place.position_id).or_insert_with(|| place.clone());
                let best = known.entry(place.position_id).or_insert(cell);
                // A failure stays, and an answer replaces a limit.
                let order = cell.outcome.cmp(&best.outcome);
                let is_failure = cell.outcome.max(best.outcome).is_failure();
                if order == if is_failure { Ordering::Greater } else { Ordering::Less } {
                    *best = cell;
                }
            }
        }
    }
    let columns = pooled.into_iter().map(|(series, cells)| Series {
        cells: places.keys().map(|line| cells.get(line).copied().cloned()).collect(),
        ..series.clone()
    });
    Group { series: columns.collect(), places: places.into_values().collect(), apart: None, ..groups[0].clone() }
}

fn pooled_table(group: &Group, count: usize) -> Option<Table> {
    let base = group.series.first()?;
    let lines: Vec<Line> = group.series.iter().map(|series| line(group, series, base, 0)).collect();
    let title = format!("{}, {}: nodes, pooled over {count} machines or builds", group.set, group.goal.name());
    let note = format!("A position of several machines counts once. Ratios: {} divided by the variant.", base.variant);
    let over = Table::new("nodes", Subject::of(group), title, note).over(&lines);
    let table = outcomes(over, lines.iter().any(|line| line.failed > 0))
        .number("mean nodes", "mean_nodes", three_digits, |line| line.mean_nodes)
        .number("fewer nodes", "node_ratio", times, |line| line.node_ratio)
        .table;
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{Sample, Status, results, sample};

    fn on(machine: &str, sample: Sample) -> Sample {
        Sample { machine_id: machine.to_string(), ..sample }
    }

    #[test]
    fn means_and_ratios_by_hand() {
        let rows = [sample("b", 1, 100, 10), sample("a", 1, 400, 20), sample("a", 2, 800, 60), sample("b", 2, 300, 30)];
        let lines = summarise(&results(&rows, &["a", "b"]), 1);
        assert_eq!(lines.iter().map(|line| line.variant.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((lines[0].mean_ns, lines[0].mean_nodes), (Some(600.0), Some(40.0)));
        assert_eq!((lines[0].speedup, lines[0].node_ratio), (Some(1.0), Some(1.0)));
        assert_eq!((lines[1].speedup, lines[1].node_ratio), (Some(3.0), Some(2.0)));
        assert_eq!(lines[1].nodes_per_s, Some(40.0 / 400.0 * 1e9));
        // Repetitions count by their median.
        let rows = [100, 900, 200].map(|ns| Sample { repetition: ns as u32, ..sample("a", 1, ns, 10) });
        let lines = summarise(&results(&rows, &[]), 1);
        assert_eq!((lines[0].positions, lines[0].mean_ns, lines[0].mean_nodes), (1, Some(200.0), Some(10.0)));
    }

    /// Two positions, each with 100 ns and 10 nodes for `a` and `b`, but for the given second row of `b`.
    #[test]
    fn limits_count_twice_and_wrong_answers_have_no_time() {
        let second = sample("b", 2, 1003, 99);
        let timeout = Sample { status: Status::Timeout, limit_ns: Some(1000), score: None, ..second.clone() };
        let wrong = Sample { status: Status::Wrong, score: Some(2), ..second.clone() };
        let crashed = Sample { status: Status::Signal, score: None, ..second };
        let silent = Sample { nodes: None, ..sample("b", 2, 100, 10) };
        for (row, counts, mean_ns, speedup) in [
            (timeout, [1, 0, 1, 0], 1050.0, 200.0 / 2100.0),
            (wrong, [1, 1, 0, 0], 100.0, 1.0),
            (crashed, [1, 0, 0, 1], 100.0, 1.0),
            (silent, [2, 0, 0, 0], 100.0, 1.0),
        ] {
            let rows = [sample("a", 1, 100, 10), sample("a", 2, 100, 10), sample("b", 1, 100, 10), row];
            let line = summarise(&results(&rows, &["a", "b"]), 1).remove(1);
            assert_eq!([line.ok, line.wrong, line.limited, line.failed], counts);
            assert_eq!((line.positions, line.mean_ns, line.mean_nodes), (2, Some(mean_ns), Some(10.0)), "{counts:?}");
            assert_eq!((line.speedup, line.node_ratio), (Some(speedup), Some(1.0)), "{counts:?}");
        }
    }

    /// A wrong answer never counts as a fast time, in no sentence either.
    #[test]
    fn unsound_variants_are_in_no_conclusion() {
        let of = |unsound: &str, status: Status| {
            let row = |variant: &str, id: u64, ns: u64| {
                let status = if variant == unsound && id == 3 { status } else { Status::Ok };
                Sample { status, ..sample(variant, id, ns + id, 10) }
            };
            let rows: Vec<Sample> =
                (1..=20).flat_map(|id| [row("a", id, 400), row("b", id, 100), row("c", id, 200)]).collect();
            let results = results(&rows, &["a", "b", "c"]);
            let group = &results.groups[0];
            let beside = crate::tables::comparison::beside(group, &group.series[0], 1);
            [tables(&summarise(&results, 1)).remove(0).conclusion, beside.conclusion]
        };
        assert!(
            of("", Status::Ok).iter().all(|said| said.contains("b is 3.") && said.contains("; c is 1.95 times faster"))
        );
        let [summary, beside] = of("b", Status::Wrong);
        assert!(beside.contains("c is 1.95 times faster") && !beside.contains("b is"), "{beside}");
        assert_eq!(summary, format!("{beside} Left out, since not all of its answers are right: b."));
        assert_eq!(of("a", Status::Wrong), ["Left out, since not all of its answers are right: a.", ""]);
        assert_eq!(of("a", Status::Error), ["Left out, since it failed on some positions: a.", ""]);
    }

    /// Two of twenty positions have a short time: it stays in all means, and half a resolution widens the interval.
    #[test]
    fn short_times_widen_the_interval_of_the_geometric_mean() {
        let rows: Vec<Sample> = (1..=20)
            .flat_map(|id| {
                let (base, variant) = if id <= 2 { (90, 900) } else { (2000 + 10 * id, 1000) };
                [sample("a", id, base, 10), sample("b", id, variant, 10)]
            })
            .collect();
        let of = |resolution_ns| {
            let rows: Vec<Sample> = rows.iter().map(|row| Sample { resolution_ns, ..row.clone() }).collect();
            summarise(&results(&rows, &[]), 1).remove(1)
        };
        let (line, all) = (of(10), of(0));
        assert_eq!((line.short, line.positions, all.short, line.speedup), (2, 20, 0, all.speedup));
        assert_eq!(line.geometric_mean, all.geometric_mean);
        let wider = |of: fn(&Line) -> Option<f64>| (of(&line).unwrap() / of(&all).unwrap()).ln() * 10.0;
        assert!((wider(|line| line.geometric_mean_high) - (95.0_f64 / 90.0).ln()).abs() < 1e-9);
        assert!((wider(|line| line.geometric_mean_low) - (85.0_f64 / 90.0).ln()).abs() < 1e-9);
        let shown = |line| tables(&[line]).remove(0).terminal(None);
        assert!(shown(line).contains("clock ticks") && !shown(all).contains("clock ticks"));
    }

    #[test]
    fn csv_leaves_empty_what_is_not_there_and_tells_machines_apart() {
        let lines = |rows: &[Sample]| -> Vec<String> {
            let text = csv(&summarise(&results(rows, &[]), 1)).unwrap();
            String::from_utf8(text).unwrap().lines().map(str::to_string).collect()
        };
        let row = sample("a", 1, 100, 10);
        let line = "s,a,strong,1,1,0,0,100.0,10.0,100000000.0,1.0,,,1.0,0,1.0,,,0,";
        assert_eq!(lines(std::slice::from_ref(&row))[1..], [line]);
        let both = lines(&[row.clone(), on("n", row)]);
        assert!(both[0].ends_with(
            ",node_ratio,failed,geometric_mean,geometric_mean_low,geometric_mean_high,short,engine_nodes,apart"
        ));
        assert_eq!(both[1..], ["m", "n"].map(|machine| format!("{line},\"machine {machine}, cold\"")));
    }

    #[test]
    fn a_ladder_has_a_column_a_set() {
        let lines = summarise(&results(&[sample("a", 1, 4420, 51), sample("b", 1, 2210, 25)], &["a", "b"]), 1);
        let text = ladder(&lines, Goal::Strong, &[]);
        assert!(text.lines().count() == 4 && text.contains("4.42 us / 51.00"), "{text}");
        assert_eq!(ladder(&lines, Goal::Weak, &[]).lines().count(), 2);
        let second = ladder(&lines, Goal::Strong, &["b", "a"].map(str::to_string));
        assert!(second.lines().nth(2).unwrap().starts_with("| b"), "{second}");
    }

    #[test]
    fn positions_of_all_machines_count_once() {
        let limited = |sample: Sample| Sample { status: Status::Timeout, limit_ns: Some(5), score: None, ..sample };
        let rows = [
            on("m", sample("a", 1, 10, 100)),
            on("m", sample("b", 1, 10, 50)),
            // Machine n repeats position 1, and answers position 2, on which m reached a limit.
            on("n", sample("a", 1, 99, 100)),
            on("n", sample("b", 1, 99, 50)),
            on("n", sample("a", 2, 99, 300)),
            on("n", sample("b", 2, 99, 50)),
            on("m", limited(sample("b", 2, 5, 7))),
        ];
        let tables = pooled(&results(&rows, &["a", "b"]).groups);
        assert_eq!(
            tables[0].shown(),
            [["a", "2", "2", "0", "0", "200", "1.00x"], ["b", "2", "2", "0", "0", "50.0", "4.00x"]]
        );
        assert!(pooled(&results(&rows[..2], &[]).groups).is_empty(), "one machine has nothing to pool");
        let builds = [rows[0].clone(), Sample { binary_sha256: "c".to_string(), ..rows[0].clone() }];
        assert_eq!(pooled(&results(&builds, &[]).groups).len(), 1, "builds are groups of their own");
    }
}
