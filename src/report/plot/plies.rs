//! Plies: what variants take by stones on the board, a line each.

use crate::plot::frame::{ACROSS, Axis, Frame, UP};
use crate::plot::scale::Scale;
use crate::plot::svg::Svg;
use crate::plot::unit::Unit;

/// A line: stones, and the value there.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The variant.
    pub label: String,
    /// By stones, the fewest first; all values above 0.
    pub points: Vec<(u32, f64)>,
}

/// Draws it. Variants beyond [`crate::plot::DISTINCT`] are off at the start.
pub fn plies(curves: &[Curve], title: &str, unit: Unit) -> Svg {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let stones = || points().map(|(stones, _)| f64::from(*stones));
    let (fewest, most) = (stones().fold(f64::INFINITY, f64::min), stones().fold(0.0, f64::max));
    let x = Scale::linear((fewest.min(most), most), ACROSS);
    let y = Scale::log(points().map(|(_, value)| *value).chain((unit == Unit::Ratio).then_some(1.0)), UP);
    let labels: Vec<&str> = curves.iter().map(|curve| curve.label.as_str()).collect();
    let axes = [Axis { title: "stones on the board", unit: Unit::Count }, Axis { title, unit }];
    let mut frame = Frame::new((x, axes[0]), (y, axes[1]), UP.0, &labels);
    if unit == Unit::Ratio {
        frame.svg.line("mark", (ACROSS.0, y.at(1.0)), (ACROSS.1, y.at(1.0)));
    }
    for (index, curve) in curves.iter().enumerate() {
        let points = curve.points.iter().map(|(stones, value)| (x.at(f64::from(*stones)), y.at(*value)));
        frame.polyline((index, labels[index]), labels[index], &points.collect::<Vec<_>>());
    }
    if points().next().is_none() {
        frame.nothing("no position was solved");
    }
    frame.svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::{assert_sound, paths};

    fn curve(label: &str, points: &[(u32, f64)]) -> Curve {
        Curve { label: label.to_string(), points: points.to_vec() }
    }

    #[test]
    fn stones_are_across_and_values_up() {
        let curves = [curve("a", &[(8, 1e4), (10, 1e2)]), curve("b", &[(9, 1e3)])];
        let svg = plies(&curves, "mean time", Unit::Time).to_string();
        let (a, b) = (&paths(&svg, "line s0")[1], &paths(&svg, "line s1")[1]);
        assert_eq!((a[0], a[2]), (ACROSS.0, ACROSS.1));
        assert!((b[0] - (ACROSS.0 + ACROSS.1) / 2.0).abs() < 0.11 && (b[1] - (a[1] + a[3]) / 2.0).abs() < 0.11);
        assert!(!svg.contains("class=\"mark\""));
        assert_sound(&svg);
    }

    #[test]
    fn ratios_have_a_line_at_one_and_nothing_is_said() {
        let svg = plies(&[curve("a", &[(8, 2.0), (9, 4.0)])], "ratio", Unit::Ratio).to_string();
        assert!(svg.contains("class=\"mark\""));
        assert_sound(&svg);
        let svg = plies(&[curve("a", &[])], "ratio", Unit::Ratio).to_string();
        assert!(svg.contains("no position was solved"));
        assert_sound(&svg);
    }
}
