//! Failures: the positions that a variant did not answer, or answered wrongly, and what foreign programs wrote to stderr.

use crate::results::{Ground, Observed, Outcome, Results, unmarked};
use crate::table::{Cell, Column, Subject, Table};
use c4lab_measure::engines::program_log;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::path::Path;

/// Rows that a sheet shows of each ground.
const SHOWN: usize = 100;

/// What was limited or failed, failures first; `None` where everything was answered.
pub fn sheet(ground: &Ground) -> Option<Table> {
    let mut found = Vec::new();
    for column in &ground.columns {
        let cells = column.cells.iter().enumerate().filter_map(|(place, cell)| Some((place, cell.as_ref()?)));
        let bad = cells.filter(|(_, cell)| cell.outcome != Outcome::Answered);
        found.extend(bad.map(|(place, cell)| (cell, &ground.places[place], column.variant.as_str())));
    }
    found.sort_by_key(|(cell, place, _)| (Reverse(cell.outcome), place.position_id));
    if found.is_empty() {
        return None;
    }
    let name = |cell: &Observed| match cell.outcome {
        Outcome::Wrong => "wrong",
        Outcome::Failed => "failed",
        Outcome::Limited | Outcome::Answered => "limited",
    };
    let more = found.len().saturating_sub(SHOWN);
    let score = |score: Option<i32>| Cell::number(score.map(f64::from), |score| score.to_string());
    let rows = found.iter().take(SHOWN).map(|(cell, place, variant)| {
        let fault = cell.fault.as_deref();
        vec![
            Cell::text(name(cell)),
            Cell::number(Some(place.position_id as f64), |line| line.to_string()),
            Cell::text(*variant),
            fault.map_or(Cell::Empty, |fault| Cell::text(fault.status.name())),
            score(fault.and_then(|fault| fault.expected)),
            score(fault.and_then(|fault| fault.answer)),
            fault.and_then(|fault| fault.reason.as_ref()).map_or(Cell::Empty, |reason| Cell::text(short(reason))),
            Cell::count(place.ply as usize),
            place.moves.as_ref().map_or(Cell::Empty, Cell::text),
        ]
    });
    Some(Table {
        name: "failures",
        subject: Subject::of(ground),
        title: format!("{}: wrong, failed, limited", ground.title()),
        note: if more > 0 { format!("And {more} more.") } else { String::new() },
        conclusion: String::new(),
        columns: vec![
            Column::text("", "outcome"),
            Column::number("line", "position_id"),
            Column::text("variant", "variant"),
            Column::text("status", "status"),
            Column::number("score", "expected"),
            Column::number("answer", "answer"),
            Column::text("reason", "reason"),
            Column::number("stones", "ply"),
            Column::text("moves", "moves"),
        ],
        rows: rows.collect(),
    })
}

/// How the logs of the foreign programs end that failed on some position, or reached a limit: a sentence for each. There
/// are logs in the folder of a measurement, and none in a record.
pub fn stderr(results: &Results, folder: &Path, engines: &[&str]) -> Vec<String> {
    let columns = results.grounds.iter().flat_map(|ground| &ground.columns);
    let is_unanswered = |cell: &Observed| matches!(cell.outcome, Outcome::Failed | Outcome::Limited);
    let failed = columns.filter(|column| column.cells.iter().flatten().any(is_unanswered));
    let names: BTreeSet<&str> = failed.map(|column| unmarked(&column.variant)).collect();
    let sentence = |name: &str| {
        let lines: Vec<String> =
            program_log::last_lines(folder, name).iter().map(|line| format!("\"{line}\"")).collect();
        let place = program_log::place(name);
        (!lines.is_empty())
            .then(|| format!("The stderr of {name} ({}) ends with {}.", place.display(), lines.join(", ")))
    };
    names.into_iter().filter(|name| engines.contains(name)).filter_map(sentence).collect()
}

/// The first line of a reason, cut where it is longer than a table likes.
fn short(reason: &str) -> String {
    const MOST: usize = 80;
    let line = reason.lines().next().unwrap_or_default();
    if line.chars().count() <= MOST {
        line.to_string()
    } else {
        line.chars().take(MOST - 3).chain("...".chars()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::{Sample, Status};
    use c4lab_measure::fixtures::sample;

    #[test]
    fn failures_come_first_and_many_are_counted() {
        let of = |id, status| Sample { status, limit_ns: Some(5), ..sample("a", id, 1, 1) };
        assert!(sheet(&results(&[of(1, Status::Ok)], &[]).grounds[0]).is_none());
        let mut rows: Vec<Sample> = (1..=150).map(|id| of(id, Status::Timeout)).collect();
        let reason = Some(format!("ended by signal 11\n{}", "x".repeat(500)));
        rows.push(Sample { marks: reason, score: None, ..of(199, Status::Signal) });
        rows.push(Sample { expected_score: Some(3), score: Some(-2), ..of(200, Status::Wrong) });
        let sheet = sheet(&results(&rows, &[]).grounds[0]).unwrap();
        assert_eq!((sheet.rows.len(), sheet.note.as_str()), (100, "And 52 more."));
        let shown = |row: usize| sheet.rows[row].iter().map(Cell::shown).collect::<Vec<_>>();
        assert_eq!(shown(0)[..6], ["wrong", "200", "a", "wrong", "3", "-2"]);
        assert_eq!(shown(1)[..4], ["failed", "199", "a", "signal"]);
        assert_eq!((shown(1)[5].as_str(), shown(1)[6].as_str()), ("-", "ended by signal 11"));
        assert_eq!(sheet.rows[2][0].shown(), "limited");
    }
}
