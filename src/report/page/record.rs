//! The page of a folder, as it is made where nothing else is asked for.

use crate::attribution::AttributionReading;
use crate::ranking::{RankChoice, Ranking};
use crate::reading::Reading;
use crate::tables::list::{Choice, NAMES};
use crate::tables::summary::{self, Line, summarise};
use c4lab_measure::files::node_row;
use std::path::Path;

/// The page of a folder of samples or of an attribution.
///
/// # Errors
/// A folder of another kind, or one that cannot be read.
pub fn of(folder: &Path) -> anyhow::Result<String> {
    if node_row::is_in(folder) {
        return Ok(super::attribution::html(&AttributionReading::open(folder)?)?);
    }
    let reading = Reading::open(folder)?;
    let lines = summarise(&reading.results, reading.manifest.experiment.seed);
    Ok(with_tables(&reading, &lines, &Choice::default())?)
}

/// The page of a folder with every table, beside a base.
///
/// # Errors
/// A manifest that cannot be written as JSON.
pub fn with_tables(reading: &Reading, lines: &[Line], choice: &Choice) -> serde_json::Result<String> {
    let others = NAMES.into_iter().filter(|name| *name != "summary").flat_map(|name| reading.sheets(name, choice));
    // Where no position is common to all variants there is no ranking.
    let rank = RankChoice { base: choice.base.clone(), ..RankChoice::default() };
    let rankings = Ranking::of(std::slice::from_ref(reading), &rank).unwrap_or_default();
    let rankings = rankings.iter().map(Ranking::table);
    let sheets: Vec<_> = summary::sheets(lines).into_iter().chain(others).chain(rankings).collect();
    super::html(reading, lines, &sheets)
}
