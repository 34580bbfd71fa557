//! Points: what the script draws scatters from, as JSON. Times and nodes have four digits.
//!
//! A time of 0 was not measured, a negative one is twice a limit that was reached; nodes of -1 are not known.

use crate::plot::pictures::{MOST, first_pair, sampled};
use crate::results::{CellResult, Group, Outcome, Series};
use crate::tables::summary::Line;
use serde_json::{Value, json};
use std::fmt::Write;

/// Times and nodes of the whole page, at most: about two megabytes.
const VALUES: usize = 400_000;
/// The fewest positions of a group, however many groups there are.
const LEAST: usize = 20;

/// How many positions of each group the page holds at most.
pub(super) fn most(groups: &[Group]) -> usize {
    let columns: usize = groups.iter().map(|group| group.columns.len()).sum();
    (VALUES / (2 * columns.max(1))).clamp(LEAST, MOST)
}

/// The points of all groups. The text can stand within a script element.
pub(super) fn json(groups: &[(&Group, &[Line])], most: usize) -> String {
    let groups: Vec<String> = groups.iter().map(|(group, lines)| of(group, lines, most)).collect();
    // No name can end the element that holds it.
    format!("[{}]", groups.join(",\n")).replace('<', "\\u003c")
}

fn of(group: &Group, lines: &[Line], most: usize) -> String {
    let kept = sampled(group.places.len(), most);
    let places = || kept.iter().map(|&place| &group.places[place]);
    let variants: Vec<&str> = group.columns.iter().map(|column| column.variant.as_str()).collect();
    let (base, variant) = first_pair(group, lines).unwrap_or((0, 0));
    let names: Value = json!({
        "variants": variants,
        "pair": [base, variant],
        "at_run_time": group.columns.iter().map(|column| column.run_time).collect::<Vec<_>>(),
        "ids": places().map(|place| place.position_id).collect::<Vec<_>>(),
        "plies": places().map(|place| place.ply).collect::<Vec<_>>(),
        "moves": places().map(|place| place.moves.as_deref().unwrap_or_default()).collect::<Vec<_>>(),
    });
    let times = matrix(group, &kept, time);
    let nodes = matrix(group, &kept, |cell| cell.nodes.map_or("-1".to_string(), compact));
    let names = names.to_string();
    format!("{},\"time\":{times},\"nodes\":{nodes}}}", names.trim_end_matches('}'))
}

fn time(cell: &CellResult) -> String {
    let sign = if cell.outcome == Outcome::Limited { "-" } else { "" };
    cell.ns().map_or("0".to_string(), |ns| format!("{sign}{}", compact(ns)))
}

/// An array for each variant, with a number for each position.
fn matrix(group: &Group, kept: &[usize], show: impl Fn(&CellResult) -> String) -> String {
    let row = |column: &Series| {
        let mut text = String::new();
        for (index, &place) in kept.iter().enumerate() {
            // What was not measured has no nodes either: its time says so.
            let number = column.cells[place].as_ref().map_or("0".to_string(), &show);
            let _ = write!(text, "{}{number}", if index == 0 { "" } else { "," });
        }
        format!("[{text}]")
    };
    format!("[{}]", group.columns.iter().map(row).collect::<Vec<_>>().join(","))
}

/// A number of four digits in few characters: `12.5`, `9324`, `1234e5`.
fn compact(value: f64) -> String {
    let digits = if value >= 1.0 { value.log10().floor() as i32 } else { 0 };
    if digits < 4 {
        let unit = 10f64.powi(3 - digits).min(100.0);
        return format!("{}", (value * unit).round() / unit);
    }
    let power = digits - 3;
    format!("{}e{power}", (value / 10f64.powi(power)).round())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use crate::tables::summary::summarise;
    use c4lab_measure::files::sample::{Sample, Status};
    use c4lab_measure::fixtures::sample;

    #[test]
    fn numbers_keep_four_digits() {
        for (value, text) in [(0.0, "0"), (12.5, "12.5"), (9324.4, "9324"), (93_235.0, "9324e1"), (5e9, "5000e6")] {
            assert_eq!(compact(value), text);
            assert!((text.parse::<f64>().unwrap() - value).abs() <= 5e-4 * value);
        }
    }

    #[test]
    fn points_are_json_that_no_name_can_end() {
        let limited = Sample { status: Status::Timeout, limit_ns: Some(500), score: None, ..sample("b", 2, 500, 9) };
        let rows = [
            sample("</script>", 1, 100, 10),
            sample("b", 1, 50, 5),
            limited,
            Sample { moves: None, ..sample("b", 3, 7, 0) },
            Sample { status: Status::Wrong, score: Some(9), ..sample("</script>", 3, 7, 0) },
        ];
        let results = results(&rows, &["</script>"]);
        let lines = summarise(&results, 1);
        let text = json(&[(&results.groups[0], &lines)], MOST);
        assert!(!text.contains('<'), "{text}");
        let points: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(points[0]["variants"], json!(["</script>", "b"]));
        assert_eq!(points[0]["moves"], json!(["44", "44", ""]));
        assert_eq!(points[0]["time"], json!([[100, 0, 0], [50, -1000, 7]]));
        assert_eq!(points[0]["nodes"], json!([[10, 0, -1], [5, -1, 0]]));
        assert_eq!(points[0]["pair"], json!([0, 1]));
    }

    #[test]
    fn a_page_holds_so_many_values() {
        assert_eq!(most(&[]), MOST);
        let rows: Vec<Sample> = (0..77).map(|i| sample(&format!("v{i}"), 1, 100, 10)).collect();
        let group = results(&rows, &[]).groups[0].clone();
        assert_eq!(most(&vec![group.clone(); 12]), VALUES / (2 * 77 * 12));
        assert_eq!(most(&vec![group; 1200]), LEAST);
    }
}
