//! Failures: the positions that a variant did not answer, or answered wrongly.

use crate::report::results::{Ground, Outcome};
use crate::report::sheets::sheet::{Heading, Sheet, Subject, Value};

/// Rows that a sheet shows of each ground.
const SHOWN: usize = 100;

/// What was limited or failed, failures first; `None` where everything was answered.
pub fn sheet(ground: &Ground) -> Option<Sheet> {
    let mut found = Vec::new();
    for column in &ground.columns {
        let cells = column.cells.iter().enumerate().filter_map(|(place, cell)| Some((place, cell.as_ref()?)));
        let bad = cells.filter(|(_, cell)| cell.outcome != Outcome::Answered);
        found.extend(bad.map(|(place, cell)| (cell.outcome, &ground.places[place], column.variant.as_str())));
    }
    found.sort_by_key(|(outcome, place, _)| (*outcome != Outcome::Failed, place.position_id));
    if found.is_empty() {
        return None;
    }
    let name = |outcome| if outcome == Outcome::Failed { "failed" } else { "limited" };
    let more = found.len().saturating_sub(SHOWN);
    let rows = found.iter().take(SHOWN).map(|(outcome, place, variant)| {
        vec![
            Value::text(name(*outcome)),
            Value::number(Some(place.position_id as f64), |line| line.to_string()),
            Value::text(*variant),
            Value::count(place.ply as usize),
            place.moves.as_ref().map_or(Value::Empty, Value::text),
        ]
    });
    Some(Sheet {
        name: "failures",
        subject: Subject::of(ground),
        title: format!("{}: limited and failed", ground.title()),
        note: if more > 0 { format!("And {more} more.") } else { String::new() },
        headings: vec![
            Heading::text("", "outcome"),
            Heading::number("line", "position_id"),
            Heading::text("variant", "variant"),
            Heading::number("stones", "ply"),
            Heading::text("moves", "moves"),
        ],
        rows: rows.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::files::folder::tests::sample;
    use crate::lab::files::sample::{Sample, Status};
    use crate::report::results::tests::results;

    #[test]
    fn failures_come_first_and_many_are_counted() {
        let of = |id, status| Sample { status, limit_ns: Some(5), ..sample("a", id, 1, 1) };
        assert!(sheet(&results(&[of(1, Status::Ok)], &[]).grounds[0]).is_none());
        let mut rows: Vec<Sample> = (1..=150).map(|id| of(id, Status::Timeout)).collect();
        rows.push(of(200, Status::Wrong));
        let sheet = sheet(&results(&rows, &[]).grounds[0]).unwrap();
        assert_eq!((sheet.rows.len(), sheet.note.as_str()), (100, "And 51 more."));
        assert_eq!((sheet.rows[0][0].shown().as_str(), sheet.rows[0][1].shown().as_str()), ("failed", "200"));
        assert_eq!(sheet.rows[1][0].shown(), "limited");
    }
}
