//! Solved: the share of positions that variants solve within their limits, by stones on the board.

use crate::plot::frame::{ACROSS, Axis, Frame, UP};
use crate::plot::scale::Scale;
use crate::plot::svg::Svg;
use crate::plot::unit::Unit;

/// A share at some number of stones, with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Stones on the board.
    pub stones: u32,
    /// The share.
    pub share: f64,
    /// Its interval.
    pub interval: (f64, f64),
}

/// Draws it: stones against the share, an upright bar for each interval, and a triangle on the axis where a share of 1 begins that lasts.
/// Variants beyond [`crate::plot::DISTINCT`] are off at the start.
pub fn solved(curves: &[(String, Vec<Share>)]) -> Svg {
    shares(curves, "positions solved")
}

/// The stones from which on the share is 1.
fn all_from(shares: &[Share]) -> Option<u32> {
    let last_below = shares.iter().rposition(|share| share.share < 1.0);
    shares.get(last_below.map_or(0, |place| place + 1)).map(|share| share.stones)
}

/// The same of any share.
pub fn shares(curves: &[(String, Vec<Share>)], title: &str) -> Svg {
    let stones = || curves.iter().flat_map(|(_, shares)| shares).map(|share| f64::from(share.stones));
    let (fewest, most) = (stones().fold(f64::INFINITY, f64::min), stones().fold(0.0, f64::max));
    let x = Scale::linear((fewest.min(most), most), ACROSS);
    let y = Scale::linear((0.0, 1.0), UP);
    let labels: Vec<&str> = curves.iter().map(|(label, _)| label.as_str()).collect();
    let axes = [Axis { title: "stones on the board", unit: Unit::Count }, Axis { title, unit: Unit::Share }];
    let mut frame = Frame::new((x, axes[0]), (y, axes[1]), UP.0, &labels);
    for (index, (label, shares)) in curves.iter().enumerate() {
        let at = |share: &Share| x.at(f64::from(share.stones));
        let points: Vec<(f64, f64)> = shares.iter().map(|share| (at(share), y.at(share.share))).collect();
        let bar = |share: &Share| (at(share), y.at(share.interval.0), y.at(share.interval.1));
        let bars: Vec<_> = shares.iter().map(bar).collect();
        let from = all_from(shares);
        let title = from.map_or(label.clone(), |from| format!("{label}: all from {from} stones on"));
        let mark = from.map(|from| (x.at(f64::from(from)), UP.0));
        frame.polyline_with_bars((index, label, &title), &points, &bars, mark);
    }
    frame.svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::{assert_sound, paths};

    #[test]
    fn shares_rise_with_the_stones() {
        let share = |stones, share| Share { stones, share, interval: (share / 2.0, 1.0) };
        let curves = [("a".to_string(), vec![share(8, 0.5), share(10, 1.0)]), ("b".to_string(), vec![share(9, 0.0)])];
        let svg = solved(&curves).to_string();
        let (a, b) = (&paths(&svg, "line s0")[1], &paths(&svg, "line s1")[1]);
        let close = |one: f64, other: f64| (one - other).abs() < 0.11;
        assert!(close(a[0], ACROSS.0) && close(a[2], ACROSS.1) && close(a[3], UP.1), "{a:?}");
        assert!(close(a[1], (UP.0 + UP.1) / 2.0) && close(b[1], UP.0), "{a:?} {b:?}");
        // The bar of the first point: from a quarter to all.
        assert!(close(a[4], ACROSS.0) && close(a[5], UP.0 + (UP.1 - UP.0) / 4.0) && close(a[6], UP.1), "{a:?}");
        // All from ten stones on: a triangle on the axis, and words.
        assert!(
            close(a[a.len() - 5], ACROSS.1) && close(a[a.len() - 4], UP.0) && svg.contains("a: all from 10 stones on"),
            "{a:?}"
        );
        assert!(!svg.contains("b: all from"), "{svg}");
        assert_sound(&svg);
    }
}
