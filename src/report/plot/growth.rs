//! Growth: the nodes of empty boards by their squares, a line for each height.

use crate::report::plot::frame::{ACROSS, Axis, Frame, UP};
use crate::report::plot::scale::Scale;
use crate::report::plot::svg::Svg;
use crate::report::plot::unit::Unit;

/// The boards of one height: squares, nodes.
pub type BoardNodes = (String, Vec<(u32, u64)>);

/// Draws it.
pub fn growth(heights: &[BoardNodes]) -> Svg {
    let points = || heights.iter().flat_map(|(_, boards)| boards);
    let (fewest, most) =
        (points().map(|board| board.0).min().unwrap_or(0), points().map(|board| board.0).max().unwrap_or(1));
    let x = Scale::linear((f64::from(fewest.min(most)), f64::from(most)), ACROSS);
    let y = Scale::log(points().map(|board| board.1 as f64), UP);
    let labels: Vec<&str> = heights.iter().map(|(label, _)| label.as_str()).collect();
    let axes = [Axis { title: "squares", unit: Unit::Count }, Axis { title: "nodes", unit: Unit::Count }];
    let mut frame = Frame::new((x, axes[0]), (y, axes[1]), UP.0, &labels);
    for (index, (label, boards)) in heights.iter().enumerate() {
        let points: Vec<_> = boards.iter().map(|board| (x.at(f64::from(board.0)), y.at(board.1 as f64))).collect();
        let text = boards.last().map_or(label.clone(), |(squares, nodes)| {
            format!("{label}: {nodes} nodes of the board with {squares} squares")
        });
        frame.polyline((index, label), &text, &points);
    }
    if heights.is_empty() {
        frame.nothing("no board is solved");
    }
    frame.svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::plot::tests::{assert_sound, paths};

    #[test]
    fn more_squares_are_to_the_right_and_more_nodes_higher() {
        let heights =
            [("4 rows".to_string(), vec![(16, 100), (20, 10_000)]), ("5 rows".to_string(), vec![(20, 10), (25, 100)])];
        let svg = growth(&heights).to_string();
        let (four, five) = (&paths(&svg, "line s0")[1], &paths(&svg, "line s1")[1]);
        assert!(four[0] < four[2] && four[1] > four[3] && (four[1] - five[3]).abs() < 0.11, "{four:?} {five:?}");
        assert!(svg.contains("4 rows: 10000 nodes of the board with 20 squares"));
        assert_sound(&svg);
        assert_sound(&growth(&[]).to_string());
    }
}
