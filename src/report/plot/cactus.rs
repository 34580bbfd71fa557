//! Cactus plot: how many positions a variant solves when each may take so long. The further right and the lower, the better.

use crate::plot::Costs;
use crate::plot::frame::{ACROSS, Axis, Frame, UP};
use crate::plot::scale::Scale;
use crate::plot::svg::Svg;
use crate::plot::unit::Unit;

/// Draws it: positions that were solved, the easiest first, against what each took. Variants beyond [`crate::plot::DISTINCT`] are off at the start.
pub fn cactus(series: &[Costs], title: &str, unit: Unit) -> Svg {
    let sorted: Vec<Vec<f64>> = series.iter().map(Costs::sorted).collect();
    let most = sorted.iter().map(Vec::len).max().unwrap_or_default();
    let x = Scale::linear((0.0, most as f64), ACROSS);
    let y = Scale::log(sorted.iter().flat_map(|costs| [costs.first(), costs.last()]).flatten().copied(), UP);
    let labels: Vec<&str> = series.iter().map(|costs| costs.label.as_str()).collect();
    let axes = [Axis { title: "positions solved", unit: Unit::Count }, Axis { title, unit }];
    let mut frame = Frame::new((x, axes[0]), (y, axes[1]), UP.0, &labels);
    for (index, costs) in sorted.iter().enumerate() {
        let points = costs.iter().enumerate().map(|(rank, &cost)| (x.at(rank as f64 + 1.0), y.at(cost)));
        let text = format!("{}: {} of {} solved", labels[index], costs.len(), series[index].values.len());
        frame.polyline((index, labels[index]), &text, &points.collect::<Vec<_>>());
    }
    if most == 0 {
        frame.nothing("no position was solved");
    }
    frame.svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::{assert_sound, costs, paths};

    #[test]
    fn positions_are_sorted_by_what_they_took() {
        let series = [costs("a", &[Some(1e4), None, Some(1e2)]), costs("b", &[Some(1e3), Some(1e2), Some(1e4)])];
        let svg = cactus(&series, "time", Unit::Time).to_string();
        let (a, b) = (&paths(&svg, "line s0")[1], &paths(&svg, "line s1")[1]);
        assert_eq!((a.len(), b.len()), (4, 6), "an x and a y a position");
        let third = (ACROSS.1 - ACROSS.0) / 3.0;
        assert!((a[0] - (ACROSS.0 + third)).abs() < 0.1 && (a[2] - (ACROSS.0 + 2.0 * third)).abs() < 0.1);
        assert!((b[4] - ACROSS.1).abs() < 0.1, "the last of all is at the right end");
        assert_eq!((a[1], a[3]), (b[1], b[5]));
        assert!(a[1] > a[3], "more time is higher");
        assert!((b[3] - (b[1] + b[5]) / 2.0).abs() < 0.11, "the axis is logarithmic");
        assert!(svg.contains("a: 2 of 3 solved"));
        assert_sound(&svg);
    }

    #[test]
    fn nothing_and_one_position() {
        for series in [vec![], vec![costs("a", &[])], vec![costs("a", &[None, None])]] {
            let svg = cactus(&series, "time", Unit::Time).to_string();
            assert!(svg.contains("no position was solved"), "{svg}");
            assert_sound(&svg);
        }
        let svg = cactus(&[costs("<a>", &[Some(5.0)])], "time", Unit::Time).to_string();
        assert_eq!(paths(&svg, "line s0")[1][..2], [ACROSS.1, 159.0]);
        assert!(svg.contains("h0") && svg.contains("&lt;a&gt;") && !svg.contains("<a>"));
        assert_sound(&svg);
    }
}
