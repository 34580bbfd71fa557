//! Threads: what several threads are worth beside one, for variants that differ in nothing else.

use crate::results::{Ground, Series};
use crate::stats::Estimate;
use crate::table::units::times;
use crate::table::{Cell, Column, Subject, Table};
use crate::tables::comparison::{Comparison, Quantity};
use c4lab_solver::search::Name;

/// A variant of several threads, and the same with one.
pub struct TeamColumn<'a> {
    /// Its name.
    pub name: Name,
    /// What it took.
    pub column: &'a Series,
    /// What one thread took.
    pub alone: &'a Series,
}

/// The variants of several threads whose like with one thread was measured beside them, in the order of the ground.
pub fn teams(ground: &Ground) -> Vec<TeamColumn<'_>> {
    of_threads(ground).filter_map(|(name, column, alone)| Some(TeamColumn { name, column, alone: alone? })).collect()
}

/// The variants of several threads with nothing of one thread beside them, and what should stand there.
pub fn without_alone(ground: &Ground) -> impl Iterator<Item = (&str, String)> {
    let missing = of_threads(ground).filter(|(_, _, alone)| alone.is_none());
    missing.map(|(name, column, _)| (column.variant.as_str(), name.with_one_thread().text().to_string()))
}

/// The columns of several threads, their names, and what one thread took, where that was measured beside it.
fn of_threads(ground: &Ground) -> impl Iterator<Item = (Name, &Series, Option<&Series>)> {
    ground.columns.iter().filter(|column| column.threads > 1).filter_map(|column| {
        let name = Name::parse(&column.variant).ok()?;
        let is_alone = |other: &&Series| {
            other.threads == 1 && Name::parse(&other.variant).is_ok_and(|other| other.alone() == name.alone())
        };
        let alone = ground.columns.iter().find(is_alone);
        Some((name, column, alone))
    })
}

/// Nodes of the team over those of one thread.
pub fn overhead(ground: &Ground, team: &TeamColumn<'_>, seed: u64) -> Option<Estimate> {
    let mean = Comparison::of(ground, team.alone, team.column, Quantity::Nodes, seed).geometric_mean?;
    Some(Estimate { value: 1.0 / mean.value, interval: mean.interval.map(|(low, high)| (1.0 / high, 1.0 / low)) })
}

/// A row for every variant of several threads.
pub fn sheet(ground: &Ground, seed: u64) -> Table {
    let row = |team: &TeamColumn<'_>| {
        let time = Comparison::of(ground, team.alone, team.column, Quantity::Time, seed);
        let nodes = overhead(ground, team, seed);
        let value = |estimate: Option<Estimate>| Cell::number(estimate.map(|estimate| estimate.value), times);
        let threads = team.column.threads;
        let each = time.geometric_mean.map(|mean| 100.0 * mean.value / f64::from(threads));
        vec![
            Cell::text(team.column.variant.clone()),
            Cell::count(threads as usize),
            Cell::count(time.positions),
            Cell::count(time.short),
            value(time.ratio_of_sums),
            Cell::interval_of(time.ratio_of_sums),
            value(time.geometric_mean),
            Cell::interval_of(time.geometric_mean),
            Cell::number(each, |share| format!("{share:.0} %")),
            value(nodes),
            Cell::interval_of(nodes),
        ]
    };
    Table {
        name: "threads",
        subject: Subject::of(ground),
        title: format!("{}: threads", ground.title()),
        note: "Beside the same variant with one thread. Speed-up: one thread's time divided by theirs. A thread: the typical speed-up \
               divided by the threads, 100 % is ideal. Nodes: theirs divided by one thread's, the geometric mean."
            .to_string(),
        conclusion: String::new(),
        columns: vec![
            Column::text("variant", "variant"),
            Column::number("threads", "threads"),
            Column::number("n", "positions"),
            Column::number("short", "short"),
            Column::number("speed-up", "speedup"),
            Column::interval("speedup"),
            Column::number("typical", "typical_speedup"),
            Column::interval("typical_speedup"),
            Column::number("a thread", "percent_of_ideal"),
            Column::number("nodes", "node_ratio"),
            Column::interval("node_ratio"),
        ],
        rows: teams(ground).iter().map(row).collect(),
    }
}
