//! Engines: what foreign programs say of their own nodes and time, and how much more it took to ask them.

use crate::results::{Ground, Observed, Outcome, Series, unmarked};
use crate::stats::median;
use crate::table::units::{three_digits, time};
use crate::table::{Cell, Column, Subject, Table};

/// A line for each engine that says anything of itself; `None` where there is none.
pub fn sheet(ground: &Ground) -> Option<Table> {
    let rows: Vec<Vec<Cell>> = ground.columns.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| Table {
        name: "engines",
        subject: Subject::of(ground),
        title: format!("{}: what programs say of themselves", ground.title()),
        note: "Over the positions answered. Beyond its own: how much longer a position took by our clock than by the program's own; the median."
            .to_string(),
        conclusion: String::new(),
        columns: vec![
            Column::text("variant", "variant"),
            Column::number("positions", "positions"),
            Column::number("own nodes, mean", "engine_nodes"),
            Column::number("own time, mean", "engine_ns"),
            Column::number("our time, mean", "wall_ns"),
            Column::number("beyond its own", "more_ns"),
        ],
        rows,
    })
}

fn row(column: &Series) -> Option<Vec<Cell>> {
    let cells = || column.cells.iter().flatten().filter(|cell| cell.outcome == Outcome::Answered);
    if cells().all(|cell| cell.own_nodes.is_empty() && cell.own_times.is_empty()) {
        return None;
    }
    let mean = |of: fn(&Observed) -> Option<f64>| {
        let known: Vec<f64> = cells().filter_map(of).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    // By our clock, whatever clock the other tables have.
    let asked = |cell: &Observed| median(&cell.asked_times).or_else(|| cell.ns());
    let more: Vec<f64> = cells().filter_map(|cell| Some(asked(cell)? - median(&cell.own_times)?)).collect();
    Some(vec![
        Cell::text(unmarked(&column.variant)),
        Cell::count(cells().count()),
        Cell::number(column.own_nodes(), three_digits),
        Cell::number(mean(|cell| median(&cell.own_times)), time),
        Cell::number(mean(asked), time),
        Cell::number(median(&more), time),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::{Sample, Status};
    use c4lab_measure::fixtures::sample;

    #[test]
    fn what_it_says_stands_beside_what_was_measured() {
        let ours = |id| sample("ours", id, 100, 7);
        let theirs =
            |id, ns, own| Sample { nodes: None, engine_nodes: Some(7), engine_ns: own, ..sample("theirs", id, ns, 0) };
        let silent = |id| Sample { nodes: None, ..sample("silent", id, 50, 0) };
        let late = Sample { status: Status::Timeout, limit_ns: Some(9), ..theirs(4, 9, Some(9)) };
        let rows = [ours(1), theirs(1, 30, Some(20)), theirs(2, 50, Some(30)), theirs(3, 70, None), silent(1), late];
        let sheet = sheet(&results(&rows, &[]).grounds[0]).unwrap();
        let shown: Vec<Vec<String>> = sheet.rows.iter().map(|row| row.iter().map(Cell::shown).collect()).collect();
        assert_eq!(shown, [["theirs", "3", "7.00", "25.0 ns", "50.0 ns", "15.0 ns"]]);
        assert!(super::sheet(&results(&[ours(1), silent(1)], &[]).grounds[0]).is_none());
    }
}
