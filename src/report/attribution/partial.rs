//! What an attribution says before all of its rows are there: how many nodes each combination took so far.

use crate::attribution::AttributionReading;
use crate::stats::geometric_mean;
use crate::table::units::{three_digits, times};
use crate::table::{Cell, Column, Subject, Table};
use c4lab_measure::counted::counted;
use c4lab_measure::files::manifest::SetRecord;
use c4lab_measure::files::node_row::NodeCell;

/// A sheet for each set that the first combination has rows of.
pub fn sheets(reading: &AttributionReading) -> Vec<Table> {
    reading.manifest.test_sets.iter().filter_map(|set| sheet(reading, set)).collect()
}

fn sheet(reading: &AttributionReading, set: &SetRecord) -> Option<Table> {
    let attribution = reading.attribution();
    let rows: Vec<Vec<Cell>> = (0..reading.combinations.len()).filter_map(|on| row(reading, set, on)).collect();
    let (there, all) = (rows.len(), reading.combinations.len());
    (!rows.is_empty()).then(|| Table {
        name: "combinations",
        subject: Subject { set: Some(set.name.clone()), goal: Some(attribution.goal), apart: None },
        title: format!(
            "{}, {}: so far {there} of {}",
            set.name,
            attribution.goal.name(),
            counted(all, "combination")
        ),
        note: "Nodes without any of the techniques, divided by those of the combination, over the positions that both have \
               (geometric mean). What each technique is worth is known when all rows are there."
            .to_string(),
        conclusion: String::new(),
        columns: vec![
            Column::text("techniques", "techniques"),
            Column::number("n", "positions"),
            Column::number("mean nodes", "mean_nodes"),
            Column::number("fewer nodes", "node_ratio"),
            Column::interval("node_ratio"),
        ],
        rows,
    })
}

/// A combination beside the one without any technique; nothing where it shares no position with it.
fn row(reading: &AttributionReading, set: &SetRecord, on: usize) -> Option<Vec<Cell>> {
    let attribution = reading.attribution();
    let cells = |on: usize| reading.table.cells(&set.sha256, &reading.combinations[on].to_string());
    let (without, with) = (cells(0)?, cells(on)?);
    let both = with.iter().filter_map(|(line, cell)| Some((without.get(line)?, cell)));
    let is_whole = |(without, with): &(&NodeCell, &NodeCell)| !without.status.is_limited() && !with.status.is_limited();
    let both: Vec<(&NodeCell, &NodeCell)> = both.filter(is_whole).collect();
    let logs: Vec<(f64, f64)> = both.iter().map(|(without, with)| (without.log().exp(), with.log().exp())).collect();
    let ratio = geometric_mean(&logs, attribution.seed)?;
    let mean = both.iter().map(|(_, with)| with.nodes as f64).sum::<f64>() / both.len() as f64;
    let names: Vec<&str> = attribution.on(on).map(|technique| technique.name.as_str()).collect();
    Some(vec![
        Cell::text(if names.is_empty() { "none".to_string() } else { names.join(", ") }),
        Cell::count(both.len()),
        Cell::number(Some(mean), three_digits),
        Cell::number(Some(ratio.value), times),
        if on == 0 { Cell::Empty } else { Cell::interval_of(Some(ratio)) },
    ])
}
