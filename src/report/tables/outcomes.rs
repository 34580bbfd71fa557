//! Outcomes: who wins on empty boards, beside what was published, and what it took.

use crate::claims::claim::Claim;
use crate::table::units::{grouped, time};
use crate::table::{Cell, Column, Subject, Table};
use c4lab_measure::outcomes::outcome::BoardOutcome;
use c4lab_measure::outcomes::outcome_row::OutcomeRow;
use c4lab_solver::search::{Goal, size};

/// A published outcome, and where.
type PublishedOutcome<'a> = (BoardOutcome, &'a str);

/// What claims say of a board.
fn published<'a>(claims: &'a [Claim], board: &str) -> Vec<PublishedOutcome<'a>> {
    let of = |claim: &'a Claim| {
        let told = claim.outcome.as_ref().filter(|told| told.0.to_string() == board)?;
        Some((told.1, claim.source.as_str()))
    };
    claims.iter().filter_map(of).collect()
}

/// Whether a row was solved and contradicts a published outcome.
pub fn contradicts(row: &OutcomeRow, claims: &[Claim]) -> bool {
    let found = row.found();
    found.is_some_and(|found| published(claims, &row.board).iter().any(|(told, _)| !told.agrees(found)))
}

/// The time that a board took: of the processor where it is known, since other programs may run beside it; else on the wall.
pub(super) fn taken(row: &OutcomeRow) -> u64 {
    row.cpu_ns.unwrap_or(row.wall_ns)
}

/// Nodes a second.
pub(super) fn speed(row: &OutcomeRow) -> f64 {
    row.nodes as f64 / taken(row).max(1) as f64 * 1e9
}

/// A row for every board and goal.
pub fn sheet(rows: &[OutcomeRow], claims: &[Claim]) -> Table {
    let number = |value: u64| Cell::number(Some(value as f64), |value| grouped(&format!("{value:.0}")));
    let line = |row: &OutcomeRow| {
        let told: Vec<String> = published(claims, &row.board).iter().map(|(told, _)| told.to_string()).collect();
        let cells = row.size().map_or(Cell::Empty, |size| Cell::count(size.cells() as usize));
        let found = row.outcome.clone().unwrap_or_else(|| row.status.clone());
        let (taken, speed) = (taken(row), speed(row) / 1e6);
        vec![
            Cell::text(&row.board),
            cells,
            Cell::text(row.goal.name()),
            Cell::text(found),
            Cell::text(told.join(" ")),
            number(row.nodes),
            Cell::number(Some(taken as f64), time),
            Cell::number(Some(speed), |speed| format!("{speed:.1}")),
            Cell::text(size::show(row.tt_bytes)),
        ]
    };
    Table {
        name: "outcomes",
        subject: Subject::default(),
        title: title(rows),
        note: "+ the first player, = a draw, - the second; behind it the number of the last stone. Time of the processor, where it is known, \
               and million nodes a second of it."
            .to_string(),
        conclusion: conclusion(rows, claims),
        columns: vec![
            Column::text("board", "board"),
            Column::number("squares", "squares"),
            Column::text("goal", "goal"),
            Column::text("outcome", "outcome"),
            Column::text("published", "published"),
            Column::number("nodes", "nodes"),
            Column::number("time", "cpu_ns"),
            Column::number("Mn/s", "million_nodes_per_s"),
            Column::text("table", "table"),
        ],
        rows: rows.iter().map(line).collect(),
    }
}

/// What the table is of, and who solved it.
fn title(rows: &[OutcomeRow]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        if !names.contains(&row.variant.as_str()) {
            names.push(&row.variant);
        }
    }
    let by = if names.is_empty() { String::new() } else { format!(", by {}", names.join(", ")) };
    format!("Who wins on empty boards{by}")
}

/// How many were solved, and whether they are what was published.
fn conclusion(rows: &[OutcomeRow], claims: &[Claim]) -> String {
    let of = |goal: Goal| rows.iter().filter(move |row| row.goal == goal && row.found().is_some());
    let with = |row: &&OutcomeRow| !published(claims, &row.board).is_empty();
    let other = rows.iter().filter(|row| contradicts(row, claims)).count();
    let agree = rows.iter().filter(|row| row.found().is_some()).filter(with).count() - other;
    let against = if other == 0 { String::new() } else { format!(" {other} of them contradict it.") };
    format!(
        "{} boards are solved, {} of them with the last stone. {agree} answers agree with what was published.{against}",
        of(Goal::Weak).chain(of(Goal::Strong)).map(|row| &row.board).collect::<std::collections::HashSet<_>>().len(),
        of(Goal::Strong).count(),
    )
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) fn row(board: &str, nodes: u64, outcome: Option<&str>) -> OutcomeRow {
        OutcomeRow {
            status: if outcome.is_some() { "ok" } else { "limit" }.to_string(),
            outcome: outcome.map(str::to_string),
            nodes,
            ..OutcomeRow::example(board)
        }
    }

    #[test]
    fn the_title_names_each_variant_once_and_nobody_while_there_are_no_rows() {
        let by = |variant: &str| OutcomeRow { variant: variant.to_string(), ..row("4x4", 1, Some("=")) };
        assert_eq!(title(&[]), "Who wins on empty boards");
        assert_eq!(
            title(&[by("pons-12"), by("champion"), by("pons-12")]),
            "Who wins on empty boards, by pons-12, champion"
        );
    }

    #[test]
    fn what_was_published_stands_beside_it() {
        let claims = crate::claims::written::file::embedded().unwrap();
        assert!(!contradicts(&row("4x4", 1, Some("=")), &claims));
        assert!(contradicts(&row("4x4", 1, Some("+")), &claims) && !contradicts(&row("4x4", 1, None), &claims));
        assert!(
            contradicts(&row("8x7", 1, Some("+51")), &claims) && !contradicts(&row("8x7", 1, Some("+53")), &claims)
        );
        let sheet = sheet(&[row("6x4", 1, Some("-")), row("4x15", 1, Some("="))], &claims);
        assert!(sheet.conclusion.starts_with("2 boards are solved, 0 of them with the last stone. 1 answers agree"));
    }
}
