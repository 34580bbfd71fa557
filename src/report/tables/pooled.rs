//! Pooled nodes: what variants took on a set that several machines or builds measured, for example in shards.
//!
//! From a cold table nodes are the same everywhere: a position that several measured counts once. Times are not pooled.

use crate::results::{Ground, Observed, Outcome, Series};
use crate::table::units::{three_digits, times};
use crate::table::{Cell, Column, Subject, Table};
use crate::tables::summary;
use c4lab_measure::plan::table_state::TableState;
use std::collections::BTreeMap;

/// A sheet for each set and goal that has several grounds with cold tables.
pub fn sheets(grounds: &[Ground]) -> Vec<Table> {
    let cold: Vec<&Ground> = grounds.iter().filter(|ground| ground.tt_state == TableState::Cold).collect();
    let mut sheets = Vec::new();
    for (index, ground) in cold.iter().enumerate() {
        let same = |other: &&&Ground| {
            (&other.set, &other.set_sha256, other.goal) == (&ground.set, &ground.set_sha256, ground.goal)
        };
        let alike: Vec<&Ground> = cold.iter().filter(same).copied().collect();
        let is_first = !cold[..index].iter().any(|other| same(&other));
        if is_first && alike.len() > 1 {
            sheets.push(sheet(&pool(&alike), alike.len()));
        }
    }
    sheets
}

/// One ground made of several that differ only in machine and build. It has no times.
fn pool(grounds: &[&Ground]) -> Ground {
    let mut places = BTreeMap::new();
    let mut columns: Vec<(Series, BTreeMap<u64, Observed>)> = Vec::new();
    for ground in grounds {
        // With several threads nodes differ from one search to the next.
        for column in ground.columns.iter().filter(|column| column.threads == 1) {
            let known = columns.iter().position(|(known, _)| known.variant == column.variant);
            let number = known.unwrap_or_else(|| {
                columns.push((column.clone(), BTreeMap::new()));
                columns.len() - 1
            });
            for (place, cell) in ground.places.iter().zip(&column.cells) {
                let Some(cell) = cell else { continue };
                places.entry(place.position_id).or_insert_with(|| place.clone());
                let cells = &mut columns[number].1;
                let known = cells.remove(&place.position_id);
                cells.insert(place.position_id, join(known, cell));
            }
        }
    }
    let columns = columns
        .into_iter()
        .map(|(column, mut cells)| Series { cells: places.keys().map(|line| cells.remove(line)).collect(), ..column });
    Ground { columns: columns.collect(), places: places.into_values().collect(), apart: None, ..grounds[0].clone() }
}

/// Two observations of a variant on a position. A failure stays one, and an answer replaces a limit.
fn join(known: Option<Observed>, cell: &Observed) -> Observed {
    let ours = Observed { times: Vec::new(), passes: Vec::new(), ..cell.clone() };
    let Some(known) = known else { return ours };
    let rank = |cell: &Observed| match cell.outcome {
        Outcome::Wrong => 0,
        Outcome::Failed => 1,
        Outcome::Answered => 2,
        Outcome::Limited => 3,
    };
    if rank(&known) <= rank(&ours) { known } else { ours }
}

fn sheet(ground: &Ground, count: usize) -> Table {
    let base = &ground.columns[0];
    let mut cells = ground.columns.iter().flat_map(|column| column.cells.iter().flatten());
    let fails = cells.any(|cell| cell.outcome == Outcome::Failed);
    let row = |column: &Series| -> Vec<Cell> {
        let cells = || column.cells.iter().flatten();
        let of = |outcome| Cell::count(cells().filter(|cell| cell.outcome == outcome).count());
        let failed = fails.then(|| of(Outcome::Failed));
        let nodes: Vec<f64> = cells().filter_map(|cell| cell.nodes).collect();
        let mean = (!nodes.is_empty()).then(|| nodes.iter().sum::<f64>() / nodes.len() as f64);
        let pairs = ground.nodes(base, column);
        let (ours, theirs) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.1, sum.1 + pair.0));
        let counts = [Cell::count(cells().count()), of(Outcome::Answered), of(Outcome::Wrong)];
        let counts = counts.into_iter().chain(failed).chain([of(Outcome::Limited)]);
        let numbers = [Cell::number(mean, three_digits), Cell::number((ours > 0.0).then(|| theirs / ours), times)];
        [Cell::text(&column.variant)].into_iter().chain(counts).chain(numbers).collect()
    };
    Table {
        name: "nodes",
        subject: Subject { apart: None, ..Subject::of(ground) },
        title: format!("{}, {}: nodes, pooled over {count} machines or builds", ground.set, ground.goal.name()),
        note: format!("A position that several measured counts once. Ratios compare with {}.", base.variant),
        conclusion: String::new(),
        columns: summary::counts(fails)
            .chain([Column::number("mean nb pos", "mean_nodes"), Column::number("fewer nodes", "node_ratio")])
            .collect(),
        rows: ground.columns.iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::{Sample, Status};
    use c4lab_measure::fixtures::sample;

    fn on(machine: &str, sample: Sample) -> Sample {
        Sample { machine_id: machine.to_string(), ..sample }
    }

    fn shown(sheet: &Table) -> Vec<Vec<String>> {
        sheet.rows.iter().map(|row| row.iter().map(Cell::shown).collect()).collect()
    }

    #[test]
    fn positions_of_all_machines_count_once() {
        let limited = |sample: Sample| Sample { status: Status::Timeout, limit_ns: Some(5), score: None, ..sample };
        let rows = [
            on("m", sample("a", 1, 10, 100)),
            on("m", sample("b", 1, 10, 50)),
            // The same position again, and one that the other machine did not come to the end of.
            on("n", sample("a", 1, 99, 100)),
            on("n", sample("b", 1, 99, 50)),
            on("n", sample("a", 2, 99, 300)),
            on("n", sample("b", 2, 99, 50)),
            on("m", limited(sample("b", 2, 5, 7))),
        ];
        let results = results(&rows, &["a", "b"]);
        let sheets = sheets(&results.grounds);
        assert_eq!(sheets.len(), 1);
        assert_eq!(sheets[0].title, "s, strong: nodes, pooled over 2 machines or builds");
        assert_eq!(
            shown(&sheets[0]),
            [["a", "2", "2", "0", "0", "200", "1.00x"], ["b", "2", "2", "0", "0", "50.0", "4.00x"]]
        );
    }

    #[test]
    fn one_machine_has_nothing_to_pool() {
        assert!(sheets(&results(&[sample("a", 1, 10, 100), sample("b", 1, 10, 50)], &[]).grounds).is_empty());
    }

    #[test]
    fn builds_are_grounds_of_their_own() {
        let other = Sample { binary_sha256: "c".to_string(), ..sample("a", 1, 20, 100) };
        let results = results(&[sample("a", 1, 10, 100), other], &[]);
        let titles: Vec<String> = results.grounds.iter().map(Ground::title).collect();
        assert_eq!(titles, ["s, strong, machine m, build b, cold", "s, strong, machine m, build c, cold"]);
        assert_eq!(sheets(&results.grounds).len(), 1);
    }
}
