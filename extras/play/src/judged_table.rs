//! Judged: what the moves of a player are worth, by the stones on the board.

use crate::matches::judge::JudgedRow;
use c4lab_measure::counted::counted;
use c4lab_report::stats::formulas::wilson;
use c4lab_report::table::units::time;
use c4lab_report::table::{Cell, Column, Subject, Table};

/// The rows of every band of stones, the fewest first.
fn bands(rows: &[JudgedRow], band: u32) -> Vec<(u32, Vec<&JudgedRow>)> {
    let mut bands: Vec<(u32, Vec<&JudgedRow>)> = Vec::new();
    let mut sorted: Vec<&JudgedRow> = rows.iter().collect();
    sorted.sort_by_key(|row| row.ply);
    for row in sorted {
        let from = row.ply / band * band;
        match bands.last_mut().filter(|(last, _)| *last == from) {
            Some((_, rows)) => rows.push(row),
            None => bands.push((from, vec![row])),
        }
    }
    bands
}

/// Those where a move can be a mistake, and of these the ones that are none.
fn kept(rows: &[&JudgedRow]) -> (usize, usize) {
    let matters: Vec<_> = rows.iter().filter(|row| row.matters).collect();
    (matters.iter().filter(|row| row.keeps).count(), matters.len())
}

fn fastest(rows: &[&JudgedRow]) -> (usize, usize) {
    (rows.iter().filter(|row| row.fastest).count(), rows.len())
}

/// A count of so many, and its share with the interval.
fn shown((count, of): (usize, usize)) -> Cell {
    if of == 0 {
        return Cell::Empty;
    }
    let (low, high) = wilson(count, of);
    let [share, low, high] = [count as f64 / of as f64, low, high].map(|share| 100.0 * share);
    Cell::text(format!("{count} of {of}: {share:.0} % ({low:.0} to {high:.0})"))
}

/// A row for every `band` stones, and one for all.
pub fn sheet(rows: &[JudgedRow], band: u32) -> Table {
    let line = |stones: String, rows: &[&JudgedRow]| {
        let guesses = rows.iter().filter(|row| row.status == "guess").count();
        let failed = rows.iter().filter(|row| !["ok", "guess"].contains(&row.status.as_str())).count();
        let worst = rows.iter().map(|row| row.ns).max().unwrap_or_default();
        vec![
            Cell::text(stones),
            shown(kept(rows)),
            shown(fastest(rows)),
            Cell::count(guesses),
            Cell::count(failed),
            Cell::number(Some(worst as f64), time),
        ]
    };
    let mut lines: Vec<_> =
        bands(rows, band).iter().map(|(from, rows)| line(format!("{from} to {}", from + band - 1), rows)).collect();
    lines.push(line("all".to_string(), &rows.iter().collect::<Vec<_>>()));
    Table {
        name: "judged",
        subject: Subject::default(),
        title: title(rows),
        note: "The share that keeps the value leaves out positions in which every move does. Intervals of 95 %, by Wilson."
            .to_string(),
        conclusion: conclusion(rows),
        columns: vec![
            Column::text("stones", "stones"),
            Column::number("keeps the value", "keeps"),
            Column::number("fastest", "fastest"),
            Column::number("guesses", "guesses"),
            Column::number("no move", "failed"),
            Column::number("longest move", "worst_ns"),
        ],
        rows: lines,
    }
}

fn title(rows: &[JudgedRow]) -> String {
    format!("Moves of {}", rows.first().map_or("nobody", |row| &row.player))
}

/// Where the first mistake is.
fn conclusion(rows: &[JudgedRow]) -> String {
    let mistakes = rows.iter().filter(|row| row.matters && !row.keeps);
    match mistakes.clone().min_by_key(|row| row.ply) {
        None => "No move gave the value away.".to_string(),
        Some(first) => {
            let last = mistakes.map(|row| row.ply).max().unwrap_or_default();
            let stones = counted(first.ply as usize, "stone");
            format!("First mistake with {stones} ({}), none with more than {last}.", first.moves)
        }
    }
}
