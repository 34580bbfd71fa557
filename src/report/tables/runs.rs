//! Tables on the measurement: failures, processes, threads, and the figures that engines state; and the times of turns
//! in a block.

use crate::results::{CellResult, Group, Outcome, Place, Quantity, Results, Series, mean};
use crate::stats::{Estimate, Pair, mean_ratio, median, sums_ratio};
use crate::table::Table;
use crate::table::units::{three_digits, time, times};
use crate::tables::comparison::Comparison;
use c4lab_measure::engines::foreign::process;
use c4lab_measure::files::sample::Sample;
use c4lab_measure::text::name_of;
use c4lab_solver::search::Name;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::Path;

const MOST_FAILURES: usize = 100;

pub fn failures(group: &Group) -> Table {
    let mut found: Vec<(&CellResult, &Place, &str)> = Vec::new();
    for series in &group.series {
        let cells = group.places.iter().zip(&series.cells).filter_map(|(place, cell)| Some((cell.as_ref()?, place)));
        let bad = cells.filter(|(cell, _)| cell.outcome != Outcome::Answered);
        found.extend(bad.map(|(cell, place)| (cell, place, series.variant.as_str())));
    }
    found.sort_by_key(|(cell, place, _)| (Reverse(cell.outcome), place.position_id));
    let more = found.len().saturating_sub(MOST_FAILURES);
    found.truncate(MOST_FAILURES);
    let outcome = |cell: &CellResult| match cell.outcome {
        Outcome::Wrong => "wrong",
        Outcome::Failed => "failed",
        Outcome::Limited | Outcome::Answered => "limited",
    };
    let whole = |number: f64| number.to_string();
    let expected = |row: &Sample| Some(f64::from(row.goal.of(row.expected_score?)));
    let note = if more > 0 { format!("And {more} more.") } else { String::new() };
    Table::about(group, "failures", "wrong, failed, limited", note)
        .over(&found)
        .text("", "outcome", |row| outcome(row.0))
        .count("line", "position_id", |row| row.1.position_id as usize)
        .text("variant", "variant", |row| row.2)
        .some_text("status", "status", |row| Some(name_of(&row.0.worst.as_ref()?.status)))
        .number("score", "expected", whole, |row| row.0.worst.as_ref().and_then(|row| expected(row)))
        .number("answer", "answer", whole, |row| row.0.worst.as_ref()?.score.map(f64::from))
        .some_text("reason", "reason", |row| Some(first_line(row.0.worst.as_ref()?.marks.as_ref()?)))
        .count("stones", "ply", |row| row.1.ply as usize)
        .some_text("moves", "moves", |row| row.1.moves.clone())
        .table
}

fn first_line(reason: &str) -> String {
    const MOST: usize = 80;
    let line = reason.lines().next().unwrap_or_default();
    match line.chars().count() {
        0..=MOST => line.to_string(),
        _ => line.chars().take(MOST - 3).chain("...".chars()).collect(),
    }
}

/// A sentence with the last lines of its log for each engine that failed or reached a limit on some position. The
/// folder of a measurement has logs, a record has none.
pub fn stderr(results: &Results, folder: &Path, engines: &[&str]) -> Vec<String> {
    let is_unanswered = |cell: &CellResult| matches!(cell.outcome, Outcome::Failed | Outcome::Limited);
    let series = results.series();
    let failed = series.filter(|series| series.cells.iter().flatten().any(is_unanswered));
    let names: BTreeSet<&str> = failed.map(|series| series.name.as_str()).collect();
    let mut sentences = Vec::new();
    for name in names.into_iter().filter(|name| engines.contains(name)) {
        let lines: Vec<String> = process::last_lines(folder, name).iter().map(|line| format!("\"{line}\"")).collect();
        if !lines.is_empty() {
            let place = process::log_path(name);
            sentences.push(format!("The stderr of {name} ({}) ends with {}.", place.display(), lines.join(", ")));
        }
    }
    sentences
}

struct ProcessRow<'a> {
    base: &'a str,
    variant: &'a str,
    process: u32,
    pairs: Vec<Pair>,
}

/// Every variant beside the base in each process alone; no rows with a single process.
pub fn processes(group: &Group, base: &Series) -> Table {
    let mut rows = Vec::new();
    for series in group.series.iter().filter(|series| series.variant != base.variant) {
        let Some(base) = group.timed_base(base, series) else { continue };
        rows.extend(group.times_of_processes(base, series).into_iter().map(|(process, pairs)| ProcessRow {
            base: &base.variant,
            variant: &series.variant,
            process,
            pairs,
        }));
    }
    let note =
        "Times of the base divided by those of the variant, over the positions that all of these processes have.";
    let note = note.to_string() + &group.caveats();
    Table::about(group, "processes", "process by process", note)
        .over(&rows)
        .text("base", "base", |row| row.base)
        .text("variant", "variant", |row| row.variant)
        .count("process", "process", |row| row.process as usize)
        .count("n", "positions", |row| row.pairs.len())
        .number("ratio of sums", "ratio_of_sums", times, |row| sums_ratio(&row.pairs))
        .number("geometric mean", "geometric_mean", times, |row| mean_ratio(&row.pairs))
        .table
}

/// The variants of several threads, each with its variant of one thread, if that was measured.
fn of_threads(group: &Group) -> impl Iterator<Item = (&Name, &Series, Option<&Series>)> {
    group.series.iter().filter(|series| series.threads > 1).filter_map(|series| {
        let name = series.choice.as_ref()?;
        let alone = group.series.iter().find(|other| {
            other.threads == 1 && other.choice.as_ref().is_some_and(|other| other.alone() == name.alone())
        });
        Some((name, series, alone))
    })
}

/// The variants of several threads whose variant of one thread was not measured, and the name of the latter.
pub fn without_alone(group: &Group) -> impl Iterator<Item = (&str, String)> {
    let missing = of_threads(group).filter(|(_, _, alone)| alone.is_none());
    missing.map(|(name, series, _)| (series.variant.as_str(), name.with_one_thread().text().to_string()))
}

struct ThreadRow<'a> {
    series: &'a Series,
    time: Comparison,
    nodes: Option<Estimate>,
}

/// Every variant of several threads beside its variant of one thread.
pub fn threads(group: &Group, seed: u64) -> Table {
    let inverse = |mean: Estimate| Estimate {
        value: 1.0 / mean.value,
        interval: mean.interval.map(|(low, high)| (1.0 / high, 1.0 / low)),
    };
    let compared = |alone, series, quantity| Comparison::of(group, alone, series, quantity, seed);
    let rows: Vec<ThreadRow<'_>> = of_threads(group)
        .filter_map(|(_, series, alone)| {
            let time = compared(alone?, series, Quantity::Time);
            let nodes = compared(alone?, series, Quantity::Nodes).geometric_mean.map(inverse);
            Some(ThreadRow { series, time, nodes })
        })
        .collect();
    let note = "Beside the variant of one thread. Speed-up: the time of one thread divided by that of all. Efficiency: the typical speed-up \
                divided by the threads, 100 % is ideal. Nodes: those of all threads divided by those of one, the geometric mean.";
    Table::about(group, "threads", "threads", note)
        .over(&rows)
        .text("variant", "variant", |row| &row.series.variant)
        .count("threads", "threads", |row| row.series.threads as usize)
        .count("n", "positions", |row| row.time.positions)
        .count("short", "short", |row| row.time.short)
        .ratio("speed-up", "speedup", |row| row.time.ratio_of_sums)
        .ratio("typical", "typical_speedup", |row| row.time.geometric_mean)
        .number(
            "efficiency",
            "percent_of_ideal",
            |share| format!("{share:.0} %"),
            |row| Some(100.0 * row.time.geometric_mean?.value / f64::from(row.series.threads)),
        )
        .ratio("nodes", "node_ratio", |row| row.nodes)
        .table
}

pub fn engines(group: &Group) -> Table {
    let own = |cell: &CellResult| median(&cell.own_times);
    // By c4lab's clock, even if the other tables use the engine's.
    let asked = |cell: &CellResult| median(&cell.wall_times).or_else(|| cell.ns());
    let states =
        |series: &&Series| series.answered().any(|cell| !cell.own_nodes.is_empty() || !cell.own_times.is_empty());
    let rows: Vec<&Series> = group.series.iter().filter(states).collect();
    let note = "Over the positions answered. Beyond its own: the time by c4lab's clock less the time by the engine's own; the median.";
    Table::about(group, "engines", "figures that engines state", note)
        .over(&rows)
        .text("variant", "variant", |row| row.name.as_str())
        .count("positions", "positions", |row| row.answered().count())
        .number("own nodes, mean", "engine_nodes", three_digits, |row| row.own_nodes())
        .number("own time, mean", "engine_ns", time, |row| mean(row.answered().filter_map(own)))
        .number("our time, mean", "wall_ns", time, |row| mean(row.answered().filter_map(asked)))
        .number("beyond its own", "more_ns", time, |row| {
            median(&row.answered().filter_map(|cell| Some(asked(cell)? - own(cell)?)).collect::<Vec<_>>())
        })
        .table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{Status, group_of, sample};

    #[test]
    fn failures_come_first_and_many_are_counted() {
        let of = |id, status| Sample { status, limit_ns: Some(5), ..sample("a", id, 1, 1) };
        assert!(failures(&group_of(&[of(1, Status::Ok)], &[])).rows.is_empty());
        let mut rows: Vec<Sample> = (1..=150).map(|id| of(id, Status::Timeout)).collect();
        let reason = Some(format!("ended by signal 11\n{}", "x".repeat(500)));
        rows.push(Sample { marks: reason, score: None, ..of(199, Status::Signal) });
        rows.push(Sample { expected_score: Some(3), score: Some(-2), ..of(200, Status::Wrong) });
        let table = failures(&group_of(&rows, &[]));
        let shown = table.shown();
        assert_eq!((shown.len(), table.note.as_str()), (100, "And 52 more."));
        assert_eq!(shown[0][..6], ["wrong", "200", "a", "wrong", "3", "-2"]);
        assert_eq!(shown[1][..7], ["failed", "199", "a", "signal", "1", "-", "ended by signal 11"]);
        assert_eq!(shown[2][0], "limited");
    }

    /// Ten positions. In process `i` from 0, `b` is `faster[i]` times as fast as `a`.
    fn in_processes(faster: &[u64]) -> Vec<Sample> {
        let of = |(process, &faster): (usize, &u64)| {
            let with = move |sample: Sample| Sample { process: process as u32 + 1, ..sample };
            (1..=10).flat_map(move |id| {
                let ns = 1000 * (10 + id % 3);
                [with(sample("a", id, faster * ns, 5)), with(sample("b", id, ns + id % 2, 5))]
            })
        };
        faster.iter().enumerate().flat_map(of).collect()
    }

    #[test]
    fn each_process_has_a_row() {
        let group = group_of(&in_processes(&[2, 3, 2]), &["a", "b"]);
        let shown = processes(&group, &group.series[0]).shown();
        let shown: Vec<&[String]> = shown.iter().map(|row| &row[1..5]).collect();
        assert_eq!(shown, [["b", "1", "10", "2.00x"], ["b", "2", "10", "3.00x"], ["b", "3", "10", "2.00x"]]);
        let one = group_of(&in_processes(&[2]), &["a", "b"]);
        assert!(processes(&one, &one.series[0]).rows.is_empty());
    }

    #[test]
    fn what_a_program_states_stands_beside_what_was_measured() {
        let ours = |id| sample("ours", id, 100, 7);
        let theirs =
            |id, ns, own| Sample { nodes: None, engine_nodes: Some(7), engine_ns: own, ..sample("theirs", id, ns, 0) };
        let silent = |id| Sample { nodes: None, ..sample("silent", id, 50, 0) };
        let late = Sample { status: Status::Timeout, limit_ns: Some(9), ..theirs(4, 9, Some(9)) };
        let rows = [ours(1), theirs(1, 30, Some(20)), theirs(2, 50, Some(30)), theirs(3, 70, None), silent(1), late];
        let shown = engines(&group_of(&rows, &[])).shown();
        assert_eq!(shown, [["theirs", "3", "7.00", "25.0 ns", "50.0 ns", "15.0 ns"]]);
        assert!(engines(&group_of(&[ours(1), silent(1)], &[])).rows.is_empty());
    }
}
