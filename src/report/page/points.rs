//! Points: the data of the script's scatters, as JSON. Times and nodes have four significant digits.
//!
//! A time of 0 was not measured. A negative time is twice a limit that was reached. Nodes of -1 are not known.

use crate::plot::pictures::{MOST, first_pair, sampled};
use crate::results::{CellResult, Group, Outcome, Place, Series};
use crate::tables::summary::Line;
use serde_json::{Value, json};

/// The most times and nodes of a page: about three megabytes.
const VALUES: usize = 400_000;
/// The least positions of a group, even if the page then exceeds [`VALUES`].
const LEAST: usize = 20;

/// The most positions of a group on the page.
pub(super) fn most(groups: &[Group]) -> usize {
    let columns: usize = groups.iter().map(|group| group.series.len()).sum();
    (VALUES / (2 * columns.max(1))).clamp(LEAST, MOST)
}

/// The points of all groups, safe within a script element.
pub(super) fn json(groups: &[(&Group, &[Line])], most: usize) -> String {
    let groups: Vec<Value> = groups.iter().map(|(group, lines)| of(group, lines, most)).collect();
    // No name can end the script element.
    json!(groups).to_string().replace('<', "\\u003c")
}

fn of(group: &Group, lines: &[Line], most: usize) -> Value {
    let kept = sampled(group.places.len(), most);
    let places: Vec<&Place> = kept.iter().map(|&place| &group.places[place]).collect();
    // An array for each variant, with a number for each position: 0 without a sample.
    let matrix = |number: fn(&CellResult) -> Value| -> Vec<Vec<Value>> {
        let of = |column: &Series, place: usize| column.cells[place].as_ref().map_or(json!(0), number);
        group.series.iter().map(|column| kept.iter().map(|&place| of(column, place)).collect()).collect()
    };
    let (base, variant) = first_pair(group, lines).unwrap_or((0, 0));
    json!({
        "variants": group.series.iter().map(|column| &column.variant).collect::<Vec<_>>(),
        "pair": [base, variant],
        "at_run_time": group.series.iter().map(|column| column.run_time).collect::<Vec<_>>(),
        "ids": places.iter().map(|place| place.position_id).collect::<Vec<_>>(),
        "plies": places.iter().map(|place| place.ply).collect::<Vec<_>>(),
        "moves": places.iter().map(|place| place.moves.as_deref().unwrap_or_default()).collect::<Vec<_>>(),
        "time": matrix(time),
        "nodes": matrix(|cell| cell.nodes.map_or(json!(-1), short)),
    })
}

fn time(cell: &CellResult) -> Value {
    let sign = if cell.outcome == Outcome::Limited { -1.0 } else { 1.0 };
    cell.ns().map_or(json!(0), |ns| short(sign * ns))
}

/// A number with four significant digits.
fn short(value: f64) -> Value {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if rounded.fract() == 0.0 { json!(rounded as i64) } else { json!(rounded) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{Sample, Status, results, sample};
    use crate::tables::summary::summarise;

    #[test]
    fn numbers_keep_four_digits() {
        let shown = [0.0, 12.5, 9324.4, 93_235.0, -5e9].map(|value| short(value).to_string());
        assert_eq!(shown, ["0", "12.5", "9324", "93240", "-5000000000"]);
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
