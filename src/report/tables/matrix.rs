//! Matrix: every variant on every set in one table, as the geometric mean of its speed-ups beside the base.

use crate::results::{Group, Results, Series};
use crate::stats::Estimate;
use crate::table::units::times;
use crate::table::{Cell, Column, Subject, Table};
use crate::tables::conclusion;
use crate::tables::summary::{Line, line};
use c4lab_measure::text::distinct;

/// The mark of a ratio whose interval lies above 1.
pub const FASTER: &str = "▲";
/// The mark of a ratio whose interval lies below 1.
pub const SLOWER: &str = "▼";

/// The matrix of results with at least two variants. `base` gives the base of a group.
pub fn table<'a>(results: &'a Results, base: impl Fn(&'a Group) -> Option<&'a Series>, seed: u64) -> Option<Table> {
    let mut groups: Vec<(&Group, Vec<Line>)> = Vec::new();
    for group in &results.groups {
        let Some(base) = base(group) else { continue };
        groups.push((group, group.series.iter().map(|series| line(group, series, base, seed)).collect()));
    }
    let all = || groups.iter().map(|(_, lines)| lines.as_slice());
    let variants = distinct(all().flatten().map(|line| line.variant.as_str()));
    if variants.len() < 2 {
        return None;
    }
    let table = Table::new("matrix", Subject::default(), "Every variant on every set: speed-ups", note(all()));
    let mut over = table.over(&variants).text("variant", "variant", |variant| *variant);
    for (group, lines) in &groups {
        over = over.column(Column::number(&group.title(), &group.title()), |variant| cell(lines, variant));
    }
    Some(over.table.concluding(conclude(all(), &variants)))
}

/// The cell of a variant on a set. It has no ratio if an answer of the variant or of the base is wrong or failed.
fn cell(lines: &[Line], variant: &str) -> Cell {
    let Some(line) = lines.iter().find(|line| line.variant == variant) else { return Cell::Empty };
    let (wrong, failed) = (line.wrong, line.failed);
    match (wrong, failed) {
        (0, 0) => {}
        (wrong, 0) => return Cell::text(format!("{wrong} wrong")),
        (0, failed) => return Cell::text(format!("{failed} failed")),
        (wrong, failed) => return Cell::text(format!("{wrong} wrong, {failed} failed")),
    }
    if line.is_base {
        return Cell::Number { value: 1.0, shown: "base".to_string() };
    }
    if !lines.iter().any(|line| line.is_base && line.is_sound()) {
        return Cell::text("no base");
    }
    let Some(estimate) = line.of_positions() else { return Cell::Empty };
    Cell::Number { value: estimate.value, shown: format!("{}{}", times(estimate.value), mark(estimate)) }
}

fn mark(estimate: Estimate) -> String {
    match estimate.interval {
        None => " (too few)".to_string(),
        Some((low, _)) if low > 1.0 => format!(" {FASTER}"),
        Some((_, high)) if high < 1.0 => format!(" {SLOWER}"),
        Some(_) => String::new(),
    }
}

fn note<'a>(groups: impl Iterator<Item = &'a [Line]> + Clone) -> String {
    let lines = || groups.clone().flatten();
    let limited = match lines().any(|line| line.limited > 0) {
        true => " A position that reached a limit counts with twice the limit.",
        false => "",
    };
    let few = match lines().any(|line| line.of_positions().is_some_and(|mean| mean.interval.is_none())) {
        true => " Too few: too few positions differ for an interval.",
        false => "",
    };
    format!(
        "The time of the base divided by that of the variant, on the typical position (geometric mean): above 1 the variant is \
         faster. {FASTER} it is significantly faster, {SLOWER} significantly slower: the 95 % interval excludes 1.{few}{limited}"
    )
}

/// Variants with wrong or failed answers are in no sentence about speed.
fn conclude<'a>(groups: impl Iterator<Item = &'a [Line]> + Clone, variants: &[&str]) -> String {
    let unsound = groups.clone().flatten().filter(|line| !line.is_sound()).map(|line| line.variant.as_str());
    let unsound = distinct(unsound);
    let sound: Vec<&[Line]> = groups.filter(|lines| lines.iter().any(|line| line.is_base && line.is_sound())).collect();
    let lines = || sound.iter().copied().flatten();
    let bases = distinct(lines().filter(|line| line.is_base).map(|line| &*line.variant));
    let mut others = Vec::new();
    for &variant in variants.iter().filter(|variant| !unsound.contains(variant)) {
        let own = lines().filter(|line| line.variant == variant && !line.is_base);
        others.push((variant, own.filter_map(Line::of_positions).collect::<Vec<_>>()));
    }
    others.retain(|(_, estimates)| !estimates.is_empty());
    let fastest = sound.iter().filter_map(|lines| {
        let told = lines.iter().filter(|line| line.is_sound()).filter_map(|line| Some((line, line.geometric_mean?)));
        told.max_by(|one, other| one.1.total_cmp(&other.1)).map(|(line, _)| line.variant.as_str())
    });
    let base = if bases.len() == 1 { bases[0] } else { "the base of each set" };
    let mut said = conclusion::on_sets(base, &others, &fastest.collect::<Vec<_>>());
    if !unsound.is_empty() {
        said += &format!(" Wrong or failed answers: {}.", unsound.join(", "));
    }
    said.trim_start().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{Sample, Status, results, sample};

    fn on(set: &str, variant: &str, ns: u64) -> Vec<Sample> {
        let row = |line: u64| Sample {
            set: set.to_string(),
            set_sha256: set.to_string(),
            ..sample(variant, line, ns + ns * ((line * line + line * ns / 500) % 13) / 100, 10)
        };
        (1..=20).map(row).collect()
    }

    fn matrix(rows: &[Sample]) -> Option<Table> {
        let results = results(rows, &["a", "b"]);
        table(&results, |group| group.series.first(), 1)
    }

    #[test]
    fn a_row_a_variant_and_a_column_a_set() {
        let rows = [on("s", "a", 4000), on("s", "b", 1000), on("t", "a", 1000), on("t", "b", 2000), on("t", "c", 500)];
        let found = matrix(&rows.concat()).unwrap();
        let titles: Vec<&str> = found.columns.iter().map(|heading| heading.title.as_str()).collect();
        assert_eq!(titles, ["variant", "s, strong", "t, strong"]);
        let marks =
            |row: usize| found.rows[row][1..].iter().map(|cell| cell.shown().chars().last()).collect::<Vec<_>>();
        assert_eq!(found.shown()[0], ["a", "base", "base"]);
        assert_eq!((marks(1), marks(2)), (vec![Some('▲'), Some('▼')], vec![Some('-'), Some('▲')]), "{:?}", found.rows);
        assert!(matches!(found.rows[1][1], Cell::Number { value, .. } if (value - 4.0).abs() < 0.2));
        assert!(found.conclusion.starts_with("Of 2 variants, significantly faster than a on every set: 1,"));
        assert!(found.conclusion.contains("b on 1 of 2, c on 1 of 2"), "{}", found.conclusion);
    }

    #[test]
    fn what_is_wrong_or_failed_has_no_time_here() {
        let mut rows = [on("s", "a", 4000), on("s", "b", 10), on("s", "c", 10)].concat();
        rows[20].status = Status::Wrong;
        rows[20].score = Some(9);
        rows[40].status = Status::Error;
        let found = matrix(&rows).unwrap();
        assert_eq!(found.shown(), [["a", "base"], ["b", "1 wrong"], ["c", "1 failed"]]);
        assert_eq!(found.conclusion, "Wrong or failed answers: b, c.");
        rows[0].status = Status::Wrong;
        rows[0].score = Some(9);
        rows[20].status = Status::Ok;
        assert_eq!(matrix(&rows).unwrap().shown(), [["a", "1 wrong"], ["b", "no base"], ["c", "1 failed"]]);
    }

    #[test]
    fn too_few_positions_are_said_and_one_variant_is_no_matrix() {
        let found = matrix(&[sample("a", 1, 400, 1), sample("b", 1, 100, 1)]).unwrap();
        assert_eq!(found.rows[1][1].shown(), "4.00x (too few)");
        assert!(found.note.contains("Too few:"), "{}", found.note);
        assert!(matrix(&[sample("a", 1, 400, 1)]).is_none());
    }
}
