//! Growth: the nodes of empty boards by their squares, a line for each height.

use crate::report::plot::counted::{Captions, CountedLine, counted};
use crate::report::plot::svg::Svg;

/// Draws it: for each height, squares and nodes.
pub fn growth(heights: &[CountedLine]) -> Svg {
    let words = Captions { across: "squares", up: "nodes", nothing: "no board is solved" };
    counted(heights, words, |label, squares, nodes| {
        format!("{label}: {nodes} nodes of the board with {squares} squares")
    })
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
