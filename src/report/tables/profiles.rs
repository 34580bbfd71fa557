//! Profiles: the share of positions that a variant solves within a time, or within a factor of the fastest time.

use crate::results::{Group, Outcome, Series};
use crate::table::Table;
use crate::table::units::{percent, time};

const BUDGETS: [f64; 9] = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11];

/// Factors of the fastest time (E. Dolan and J. Moré, "Benchmarking Optimization Software with Performance Profiles").
const FACTORS: [f64; 6] = [1.0, 1.1, 1.5, 2.0, 4.0, 10.0];

pub fn budgets(group: &Group) -> Table {
    let share = |series: &Series, budget: f64| share(series, |_, ns| ns <= budget);
    let note = "Of the positions that were measured. A position that reached a limit is not solved.".to_string();
    let table = Table::about(group, "budgets", "share solved within a time", note + &group.said_of_times());
    let mut over = table.over(&group.series).text("variant", "variant", |series| &series.variant);
    for budget in BUDGETS {
        let name = format!("share_within_{budget:e}_ns");
        over = over.number(&time(budget), &name, percent, |series| share(series, budget));
    }
    over.table
}

/// The share of positions on which a variant takes at most some multiple of the time of the fastest one.
pub fn factors(group: &Group) -> Table {
    let fastest = [false, true]
        .map(|run_time| -> Vec<f64> { (0..group.places.len()).map(|place| fastest(group, place, run_time)).collect() });
    let share = |series: &Series, factor: f64| {
        let fastest = &fastest[usize::from(series.run_time)];
        share(series, |place, ns| ns <= factor * fastest[place])
    };
    let title = "share of positions within a multiple of the time of the fastest variant";
    let note = "The fastest variant of this table, position by position. A position that reached a limit is within no multiple.";
    let table = Table::about(group, "profiles", title, note.to_string() + &group.said_of_times());
    let mut over = table.over(&group.series).text("variant", "variant", |series| &series.variant);
    for factor in FACTORS {
        let name = format!("share_within_{factor}");
        over = over.number(&format!("{factor}x"), &name, percent, |series| share(series, factor));
    }
    over.table
}

/// The least time of a dynamic variant (if `run_time`) or of another that answered a position; infinite if none did.
fn fastest(group: &Group, place: usize, run_time: bool) -> f64 {
    let kind = group.series.iter().filter(|column| column.run_time == run_time);
    kind.filter_map(|column| answered_in(column, place)).fold(f64::INFINITY, f64::min)
}

fn answered_in(column: &Series, place: usize) -> Option<f64> {
    column.cells[place].as_ref().filter(|cell| cell.outcome == Outcome::Answered)?.ns()
}

/// The share of a column's positions that were answered and for which `within(place, ns)` is true.
fn share(column: &Series, within: impl Fn(usize, f64) -> bool) -> Option<f64> {
    let measured = column.cells.iter().flatten().count();
    let is_solved = |place: &usize| answered_in(column, *place).is_some_and(|ns| within(*place, ns));
    (measured > 0).then(|| (0..column.cells.len()).filter(is_solved).count() as f64 / measured as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::{Sample, Status};
    use c4lab_measure::fixtures::sample;

    #[test]
    fn shares_by_hand() {
        let limited = Sample { status: Status::Timeout, limit_ns: Some(500), ..sample("b", 3, 500, 1) };
        let rows = [
            sample("a", 1, 1000, 1),
            sample("b", 1, 1400, 1),
            sample("a", 2, 20_000, 1),
            sample("b", 2, 5000, 1),
            sample("a", 3, 100, 1),
            limited,
            sample("a", 4, 100, 1),
        ];
        let results = results(&rows, &["a", "b"]);
        let shown = |table: Table| table.shown().iter().map(|row| row.join("|")).collect::<Vec<_>>();
        let group = &results.groups[0];
        let budgets = shown(budgets(group));
        assert!(budgets[0].starts_with("a|75.0 %|75.0 %|100.0 %"), "{budgets:?}");
        assert!(budgets[1].starts_with("b|0.0 %|66.7 %|66.7 %"), "{budgets:?}");
        let factors = shown(factors(group));
        assert_eq!(factors[0], "a|75.0 %|75.0 %|75.0 %|75.0 %|100.0 %|100.0 %");
        assert_eq!(factors[1], "b|33.3 %|33.3 %|66.7 %|66.7 %|66.7 %|66.7 %");
    }
}
