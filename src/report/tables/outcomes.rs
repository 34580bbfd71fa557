//! Outcomes: who wins on empty boards, beside what was published, and what it took.

use crate::lab::outcomes::outcome::BoardOutcome;
use crate::lab::outcomes::outcome_row::OutcomeRow;
use crate::report::claims::claim::Claim;
use crate::report::sheets::sheet::{Heading, Sheet, Subject, Value};
use crate::report::sheets::units::{grouped, time, times};
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

/// A row for every board and goal.
pub fn sheet(rows: &[OutcomeRow], claims: &[Claim]) -> Sheet {
    let number = |value: u64| Value::number(Some(value as f64), |value| grouped(&format!("{value:.0}")));
    let line = |row: &OutcomeRow| {
        let told: Vec<String> = published(claims, &row.board).iter().map(|(told, _)| told.to_string()).collect();
        let cells = row.size().map_or(Value::Empty, |size| Value::count(size.cells() as usize));
        let found = row.outcome.clone().unwrap_or_else(|| row.status.clone());
        let speed = row.nodes as f64 / row.wall_ns.max(1) as f64 * 1e3;
        vec![
            Value::text(&row.board),
            cells,
            Value::text(row.goal.name()),
            Value::text(found),
            Value::text(told.join(" ")),
            number(row.nodes),
            Value::number(Some(row.wall_ns as f64), time),
            Value::number(Some(speed), |speed| format!("{speed:.1}")),
            Value::text(size::show(row.tt_bytes)),
        ]
    };
    let mut names: Vec<&str> = rows.iter().map(|row| row.variant.as_str()).collect();
    names.dedup();
    Sheet {
        name: "outcomes",
        subject: Subject::default(),
        title: format!("Who wins on empty boards, by {}", names.join(", ")),
        note: "+ the first player, = a draw, - the second; behind it the number of the last stone. Million nodes a second, time on the wall."
            .to_string(),
        conclusion: conclusion(rows, claims),
        headings: vec![
            Heading::text("board", "board"),
            Heading::number("squares", "squares"),
            Heading::text("goal", "goal"),
            Heading::text("outcome", "outcome"),
            Heading::text("published", "published"),
            Heading::number("nodes", "nodes"),
            Heading::number("time", "wall_ns"),
            Heading::number("Mn/s", "million_nodes_per_s"),
            Heading::text("table", "table"),
        ],
        rows: rows.iter().map(line).collect(),
    }
}

/// How the nodes of boards grow with a column and with a row more: a row for every solved board, under one goal.
pub fn growth(rows: &[OutcomeRow], goal: Goal) -> Sheet {
    let nodes = |width: u32, height: u32| {
        let board = format!("{width}x{height}");
        rows.iter()
            .find(|row| row.goal == goal && row.board == board && row.found().is_some())
            .map(|row| row.nodes as f64)
    };
    let factor = |one: f64, other: Option<f64>| Value::number(other.map(|other| other / one), times);
    let (mut lines, mut columns, mut rows_more, mut points) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (row, size) in rows.iter().filter(|row| row.goal == goal).filter_map(|row| Some((row, row.size()?))) {
        let (width, height) = (size.width(), size.height());
        let Some(own) = nodes(width, height) else { continue };
        let [wider, higher] = [nodes(width + 1, height), nodes(width, height + 1)];
        columns.extend(wider.map(|wider| (wider / own).ln()));
        rows_more.extend(higher.map(|higher| (higher / own).ln()));
        points.push((f64::from(size.cells()), own.ln()));
        lines.push(vec![
            Value::text(&row.board),
            Value::count(size.cells() as usize),
            Value::number(Some(own), |value| grouped(&format!("{value:.0}"))),
            factor(own, wider),
            factor(own, higher),
        ]);
    }
    let mean = |logs: &[f64]| times((logs.iter().sum::<f64>() / logs.len().max(1) as f64).exp());
    let conclusion = format!(
        "By the geometric mean a column more takes {} the nodes ({} pairs of boards), a row more {} ({} pairs), a square more {}, by the line \
         through the logarithms of all.",
        mean(&columns),
        columns.len(),
        mean(&rows_more),
        rows_more.len(),
        times(slope(&points).exp()),
    );
    Sheet {
        name: "growth",
        subject: Subject::default(),
        title: format!("How the nodes of empty boards grow, {}", goal.name()),
        note: "Nodes of the board with a column more, and with a row more, divided by its own.".to_string(),
        conclusion,
        headings: vec![
            Heading::text("board", "board"),
            Heading::number("squares", "squares"),
            Heading::number("nodes", "nodes"),
            Heading::number("a column more", "column_more"),
            Heading::number("a row more", "row_more"),
        ],
        rows: lines,
    }
}

/// The slope of the line of least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let count = points.len().max(1) as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.0 / count, sum.1 + point.1 / count));
    let (mut above, mut below) = (0.0, 0.0);
    for point in points {
        above += (point.0 - x) * (point.1 - y);
        below += (point.0 - x) * (point.0 - x);
    }
    if below == 0.0 { 0.0 } else { above / below }
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
mod tests {
    use super::*;

    fn row(board: &str, nodes: u64, outcome: Option<&str>) -> OutcomeRow {
        OutcomeRow {
            schema_version: 1,
            board: board.to_string(),
            goal: Goal::Weak,
            variant: "champion".to_string(),
            compiled: true,
            tt_bytes: 1 << 26,
            status: if outcome.is_some() { "ok" } else { "limit" }.to_string(),
            score: None,
            outcome: outcome.map(str::to_string),
            nodes,
            wall_ns: 1_000_000,
            cpu_ns: None,
            limit_ns: None,
            machine: String::new(),
            cpu: None,
            git_rev: None,
        }
    }

    #[test]
    fn growth_is_by_neighbours() {
        let rows =
            [row("4x4", 100, Some("=")), row("5x4", 800, Some("=")), row("4x5", 400, Some("=")), row("6x4", 7, None)];
        let sheet = growth(&rows, Goal::Weak);
        assert_eq!(sheet.rows.len(), 3, "a board that was not solved has no nodes to compare");
        assert!(sheet.conclusion.contains("a column more takes 8.00x the nodes (1 pairs of boards), a row more 4.00x"));
        assert_eq!(slope(&[(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]), 2.0);
        assert_eq!(slope(&[(1.0, 2.0)]), 0.0);
    }

    #[test]
    fn what_was_published_stands_beside_it() {
        let claims = crate::report::claims::written::file::embedded().unwrap();
        assert!(!contradicts(&row("4x4", 1, Some("=")), &claims));
        assert!(contradicts(&row("4x4", 1, Some("+")), &claims) && !contradicts(&row("4x4", 1, None), &claims));
        assert!(
            contradicts(&row("8x7", 1, Some("+51")), &claims) && !contradicts(&row("8x7", 1, Some("+53")), &claims)
        );
        let sheet = sheet(&[row("6x4", 1, Some("-")), row("4x15", 1, Some("="))], &claims);
        assert!(sheet.conclusion.starts_with("2 boards are solved, 0 of them with the last stone. 1 answers agree"));
    }
}
