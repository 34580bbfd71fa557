//! Tables by stones on the board: times, nodes, the ends of nodes, and the share of positions solved within limits.

use crate::results::{CellResult, Group, Outcome, Series, mean};
use crate::stats::wilson;
use crate::table::units::{percent, three_digits, time};
use crate::table::{Table, TableOver};
use c4lab_measure::run::counting::{AnatomyRow, Counts};
use c4lab_solver::search::{NodeEnd, PlyCounts};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// A variant on the positions of one band of plies.
struct PlyRow<'a> {
    plies: RangeInclusive<u32>,
    series: &'a Series,
    cells: Vec<&'a CellResult>,
}

impl PlyRow<'_> {
    fn answered(&self) -> usize {
        self.cells.iter().filter(|cell| cell.outcome == Outcome::Answered).count()
    }

    fn interval(&self) -> (f64, f64) {
        wilson(self.answered(), self.cells.len())
    }
}

/// The rows of a variant, one for each band of `band` plies.
fn rows_of<'a>(group: &'a Group, series: &'a Series, band: u32) -> Vec<PlyRow<'a>> {
    let mut rows = Vec::new();
    for plies in bands(group.places.iter().map(|place| place.ply), band) {
        let within = series.cells.iter().zip(&group.places).filter(|(_, place)| plies.contains(&place.ply));
        let cells: Vec<&CellResult> = within.filter_map(|(cell, _)| cell.as_ref()).collect();
        rows.push(PlyRow { plies, series, cells });
    }
    rows.retain(|row| !row.cells.is_empty());
    rows
}

/// The bands of `band` plies that hold some of `plies`.
fn bands(plies: impl Iterator<Item = u32>, band: u32) -> Vec<RangeInclusive<u32>> {
    let numbers: BTreeSet<u32> = plies.map(|ply| ply / band).collect();
    let of = |number: u32| number * band..=(number * band).saturating_add(band - 1);
    numbers.into_iter().map(of).collect()
}

fn plies<'a, T>(over: TableOver<'a, T>, get: impl Fn(&T) -> &RangeInclusive<u32>) -> TableOver<'a, T> {
    over.count("stones from", "ply_from", |row| *get(row).start() as usize)
        .count("to", "ply_to", |row| *get(row).end() as usize)
}

/// Means of each variant, and the hits of its table, for each band of `band` plies.
pub fn means(group: &Group, counts: &[Counts], band: u32) -> Table {
    let mut rows: Vec<PlyRow<'_>> = group.series.iter().flat_map(|series| rows_of(group, series, band)).collect();
    rows.sort_by_key(|row| *row.plies.start());
    let note = "Table hits: the share of probes that found a bound, from the counting pass (`--counters`).".to_string()
        + &group.caveats();
    plies(Table::about(group, "by-ply", "by stones on the board", note).over(&rows), |row| &row.plies)
        .text("variant", "variant", |row| &row.series.variant)
        .count("n", "positions", |row| row.cells.len())
        .count("answered", "ok", PlyRow::answered)
        .number("mean time", "mean_ns", time, |row| mean(row.cells.iter().filter_map(|cell| cell.ns())))
        .number("mean nodes", "mean_nodes", three_digits, |row| mean(row.cells.iter().filter_map(|cell| cell.nodes)))
        .number("table hits", "hit_share", percent, |row| hit_share(group, row.series, counts, &row.plies))
        .table
}

fn hit_share(group: &Group, series: &Series, counts: &[Counts], plies: &RangeInclusive<u32>) -> Option<f64> {
    let own = counts.iter().filter(|counts| {
        (&counts.set_sha256, counts.goal, &counts.variant) == (&group.set_sha256, group.goal, &series.variant)
            && plies.contains(&counts.ply)
    });
    let (hits, probes) = own.fold((0.0, 0.0), |sum, own| (sum.0 + own.hits as f64, sum.1 + own.probes as f64));
    (probes > 0.0).then(|| hits / probes)
}

/// The number of moves with their own column in the tables of nodes.
const FIRST: usize = 3;

const ANATOMY: &str = "Shares of nodes by their end: a win or loss seen at once, forced replies that were played out, zugzwang, the number of stones \
                       alone (bound), the table, a search of their moves. Table hits: the share of probes that found a bound. Children: the mean number \
                       searched by a node that searched any. Move 1, 2, 3: the share of cutoffs by the first, second, third move that was tried.";

struct NodeRow<'a> {
    plies: RangeInclusive<u32>,
    series: &'a Series,
    positions: u64,
    counts: PlyCounts,
}

fn node_rows<'a>(group: &'a Group, anatomy: &[&AnatomyRow], bands: Vec<RangeInclusive<u32>>) -> Vec<NodeRow<'a>> {
    let mut rows = Vec::new();
    for plies in bands {
        for series in &group.series {
            let (mut counts, mut positions) = (PlyCounts::default(), 0);
            let own = anatomy.iter().filter(|row| row.variant == series.variant);
            for row in own.filter(|row| plies.contains(&row.ply)) {
                counts += row.counts();
                positions = positions.max(row.positions);
            }
            if counts.nodes > 0 {
                rows.push(NodeRow { plies: plies.clone(), series, positions, counts });
            }
        }
    }
    rows
}

/// The ends of the nodes of each variant: of all nodes, or for each band of `band` plies.
pub fn anatomy(group: &Group, anatomy: &[AnatomyRow], band: Option<u32>) -> Table {
    let own: Vec<&AnatomyRow> =
        anatomy.iter().filter(|row| row.set_sha256 == group.set_sha256 && row.goal == group.goal).collect();
    let (name, title, bands) = match band {
        None => ("anatomy", "ends of the nodes", vec![0..=u32::MAX]),
        Some(band) => {
            let bands = bands(own.iter().map(|row| row.ply), band);
            ("anatomy-by-ply", "ends of the nodes, by stones on the board", bands)
        }
    };
    let rows = node_rows(group, &own, bands);
    let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
    let mut over = Table::about(group, name, title, ANATOMY)
        .over(&rows)
        .when(band.is_some(), |table| plies(table, |row| &row.plies))
        .text("variant", "variant", |row| &row.series.variant)
        .when(band.is_none(), |table| table.count("n", "positions", |row| row.positions as usize))
        .number("nodes", "nodes", three_digits, |row| Some(row.counts.nodes as f64));
    for (index, end) in NodeEnd::ALL.into_iter().enumerate() {
        let name = format!("{}_share", end.name());
        over = over.number(end.name(), &name, percent, |row| share(row.counts.ends[index], row.counts.nodes));
    }
    over = over.number("table hits", "hit_share", percent, |row| share(row.counts.hits, row.counts.probes)).number(
        "children",
        "children_per_parent",
        three_digits,
        |row| share(row.counts.children, row.counts.parents),
    );
    for turn in 0..FIRST {
        let (title, name) = (format!("move {}", turn + 1), format!("move_{}_share", turn + 1));
        over =
            over.number(&title, &name, percent, |row| share(row.counts.cutoffs[turn], row.counts.cutoffs.iter().sum()));
    }
    over.table
}

/// The number of stones from which on a variant solves all positions.
pub fn solved_from(group: &Group, series: &Series) -> Option<u32> {
    let rows = rows_of(group, series, 1);
    from(&rows.iter().collect::<Vec<_>>())
}

/// The number of stones from which on all positions of `rows` are solved.
fn from(rows: &[&PlyRow<'_>]) -> Option<u32> {
    let last = rows.iter().rev().take_while(|row| row.answered() == row.cells.len()).last();
    last.map(|row| *row.plies.start())
}

/// The share of positions solved within limits, for each band of `band` plies; no rows if no limit was reached.
pub fn budget(group: &Group, band: u32) -> Table {
    let mut rows: Vec<PlyRow<'_>> = group.series.iter().flat_map(|series| rows_of(group, series, band)).collect();
    if group.series.iter().all(|series| series.count(Outcome::Limited) == 0) {
        rows.clear();
    }
    let note = "The interval is Wilson's, at 95 %.".to_string() + &group.said_of_limits();
    let title = "share solved within the limits, by stones on the board";
    let table = Table::about(group, "budget-by-ply", title, note)
        .over(&rows)
        .text("variant", "variant", |row| &row.series.variant);
    let table = plies(table, |row| &row.plies)
        .count("n", "positions", |row| row.cells.len())
        .count("solved", "ok", PlyRow::answered)
        .number("share", "share", percent, |row| Some(row.answered() as f64 / row.cells.len() as f64))
        .number("at least", "share_low", percent, |row| Some(row.interval().0))
        .number("at most", "share_high", percent, |row| Some(row.interval().1))
        .table;
    let said = group.series.iter().map(|series| {
        let own: Vec<&PlyRow<'_>> = rows.iter().filter(|row| row.series.variant == series.variant).collect();
        from(&own).map_or(format!("{} nowhere", series.variant), |from| format!("{} from {from}", series.variant))
    });
    let said = said.collect::<Vec<_>>().join(", ");
    table.concluding(format!("All positions are solved, by stones on the board: {said}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{Sample, Status, group_of, sample};
    use c4lab_solver::search::Goal;

    fn at(ply: u32, sample: Sample) -> Sample {
        Sample { ply, ..sample }
    }

    fn counts(ply: u32, hits: u64, probes: u64) -> Counts {
        let (set_sha256, variant) = ("d".to_string(), "a".to_string());
        Counts { set_sha256, ply, variant, goal: Goal::Strong, probes, hits, ..Counts::default() }
    }

    fn joined(table: &Table) -> Vec<String> {
        table.shown().iter().map(|row| row.join("|")).collect()
    }

    #[test]
    fn means_by_bands_and_variants() {
        let rows = [
            at(8, sample("a", 1, 100, 10)),
            at(11, sample("a", 2, 300, 30)),
            at(12, sample("a", 3, 50, 5)),
            at(12, sample("b", 3, 70, 7)),
        ];
        let group = group_of(&rows, &["a", "b"]);
        let table = means(&group, &[counts(8, 1, 8), counts(10, 3, 8), counts(12, 8, 8)], 4);
        let expected =
            ["8|11|a|2|2|200 ns|20.0|25.0 %", "12|15|a|1|1|50.0 ns|5.00|100.0 %", "12|15|b|1|1|70.0 ns|7.00|-"];
        assert_eq!(joined(&table), expected);
    }

    #[test]
    fn numbers_that_nobody_counted_do_not_overflow() {
        let group = group_of(&[at(u32::MAX, sample("a", 1, 1, 1))], &[]);
        let counts = counts(u32::MAX, u64::MAX, u64::MAX);
        let shown = means(&group, &[counts.clone(), counts], 4).shown();
        assert_eq!((shown[0][1].as_str(), shown[0][7].as_str()), ("4294967295", "100.0 %"));
    }

    /// Nodes of the variant `a`; half of them were ended by a win, half by a search.
    fn row(ply: u32, nodes: u64) -> AnatomyRow {
        AnatomyRow {
            set_sha256: "d".to_string(),
            variant: "a".to_string(),
            positions: 2,
            ply,
            nodes,
            probes: nodes,
            hits: nodes / 4,
            win: nodes / 2,
            search: nodes / 2,
            parents: nodes / 2,
            children: nodes,
            cutoff_1: nodes / 4,
            cutoff_7: nodes / 4,
            ..AnatomyRow::default()
        }
    }

    #[test]
    fn shares_of_nodes_by_hand() {
        let group = &group_of(&[sample("a", 1, 10, 8), sample("b", 1, 10, 8)], &[]);
        let rows = [row(8, 8), row(9, 16), row(12, 16)];
        let table = anatomy(group, &rows, None);
        assert_eq!(joined(&table), ["a|2|40.0|50.0 %|0.0 %|0.0 %|0.0 %|0.0 %|50.0 %|25.0 %|2.00|50.0 %|0.0 %|0.0 %"]);
        let begins: Vec<String> = joined(&anatomy(group, &rows, Some(4))).iter().map(|row| row[..10].into()).collect();
        assert_eq!(begins, ["8|11|a|24.", "12|15|a|16"]);
        let other = AnatomyRow { set_sha256: "other".to_string(), ..row(8, 8) };
        assert!(anatomy(group, &[other], None).rows.is_empty());
    }

    #[test]
    fn shares_solved_by_stones() {
        let limited = |sample: Sample| Sample { status: Status::Timeout, limit_ns: Some(500), ..sample };
        let rows = [
            at(8, limited(sample("a", 1, 500, 1))),
            at(8, sample("a", 2, 100, 1)),
            at(10, sample("a", 3, 100, 1)),
            at(11, sample("a", 4, 100, 1)),
            at(8, sample("b", 1, 100, 1)),
            at(11, limited(sample("b", 4, 500, 1))),
        ];
        let table = budget(&group_of(&rows, &["a", "b"]), 2);
        assert_eq!(
            joined(&table),
            [
                "a|8|9|2|1|50.0 %|9.5 %|90.5 %",
                "a|10|11|2|2|100.0 %|34.2 %|100.0 %",
                "b|8|9|1|1|100.0 %|20.7 %|100.0 %",
                "b|10|11|1|0|0.0 %|0.0 %|79.3 %"
            ]
        );
        assert!(table.conclusion.ends_with(": a from 10, b nowhere."), "{}", table.conclusion);
        assert!(budget(&group_of(&rows[1..2], &["a"]), 1).rows.is_empty());
    }
}
