//! Bytes: what the forms of a store take, by the stones that it goes to.

use crate::report::plot::frame::{ACROSS, Axis, Frame, UP};
use crate::report::plot::scale::Scale;
use crate::report::plot::svg::Svg;
use crate::report::plot::unit::Unit;

/// The bytes of one form: stones, bytes.
pub type Sizes = (String, Vec<(u32, u64)>);

/// Draws it.
pub fn bytes(forms: &[Sizes]) -> Svg {
    let points = || forms.iter().flat_map(|(_, sizes)| sizes);
    let (fewest, most) =
        (points().map(|size| size.0).min().unwrap_or(0), points().map(|size| size.0).max().unwrap_or(1));
    let x = Scale::linear((f64::from(fewest.min(most)), f64::from(most)), ACROSS);
    let y = Scale::log(points().map(|size| size.1 as f64), UP);
    let labels: Vec<&str> = forms.iter().map(|(label, _)| label.as_str()).collect();
    let axes = [Axis { title: "stones", unit: Unit::Count }, Axis { title: "bytes", unit: Unit::Count }];
    let mut frame = Frame::new((x, axes[0]), (y, axes[1]), UP.0, &labels);
    for (index, (label, sizes)) in forms.iter().enumerate() {
        let points: Vec<_> = sizes.iter().map(|size| (x.at(f64::from(size.0)), y.at(size.1 as f64))).collect();
        let text =
            sizes.last().map_or(label.clone(), |(stones, bytes)| format!("{label}: {bytes} bytes to {stones} stones"));
        frame.polyline((index, label), &text, &points);
    }
    if forms.is_empty() {
        frame.nothing("no form was written");
    }
    frame.svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::plot::tests::{assert_sound, paths};

    #[test]
    fn more_stones_are_to_the_right_and_more_bytes_higher() {
        let forms = [("a".to_string(), vec![(2, 100), (4, 10_000)]), ("b".to_string(), vec![(2, 10), (4, 100)])];
        let svg = bytes(&forms).to_string();
        let (a, b) = (&paths(&svg, "line s0")[1], &paths(&svg, "line s1")[1]);
        assert!(a[0] < a[2] && a[1] > a[3] && (a[1] - b[3]).abs() < 0.11, "{a:?} {b:?}");
        assert!(svg.contains("a: 10000 bytes to 4 stones"));
        assert_sound(&svg);
        assert_sound(&bytes(&[]).to_string());
    }
}
