//! Scatter plot of two variants, both axes logarithmic and alike: a dot a position. Below the diagonal the second is better.

use crate::plot::frame::{ACROSS, Axis, Frame, UP_SQUARE};
use crate::plot::scale::Scale;
use crate::plot::svg::{Svg, short};
use crate::plot::unit::Unit;
use std::collections::HashSet;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// What the first variant took.
    pub x: f64,
    /// What the second took.
    pub y: f64,
    /// Whether either reached a limit.
    pub is_limited: bool,
}

/// Draws it. `range` is the least and the greatest value that the axes must hold beside those of the dots, so that
/// pictures of other pairs have the same axes. The element says in `data-` attributes where the axes lie.
pub fn scatter(dots: &[Dot], range: Option<(f64, f64)>, titles: (&str, &str), unit: Unit) -> Svg {
    let ends = range.into_iter().flat_map(|(low, high)| [low, high]);
    let values: Vec<f64> = ends.chain(dots.iter().flat_map(|dot| [dot.x, dot.y])).collect();
    let (x, y) = (Scale::log(values.iter().copied(), ACROSS), Scale::log(values.iter().copied(), UP_SQUARE));
    let axes = [Axis { title: titles.0, unit }, Axis { title: titles.1, unit }];
    let mut frame = Frame::new((x, axes[0]), (y, axes[1]), UP_SQUARE.0, &[]);
    let (low, high) = x.ends();
    frame.svg.line("mark", (x.at(low), y.at(low)), (x.at(high), y.at(high)));
    for factor in [10.0, 0.1] {
        // Ten times more, and ten times less, where the axes are that long.
        let (from, to) = (low.max(low / factor), high.min(high / factor));
        if from < to {
            frame.svg.line("hint", (x.at(from), y.at(from * factor)), (x.at(to), y.at(to * factor)));
        }
    }
    let of = |is_limited: bool| dots.iter().filter(move |dot| dot.is_limited == is_limited);
    let solved = marks(of(false).map(|dot| (x.at(dot.x), y.at(dot.y))), "h0");
    let limited = marks(of(true).map(|dot| (x.at(dot.x) - 3.0, y.at(dot.y) - 3.0)), "l6 6m0 -6l-6 6");
    frame.svg.path("dots", &solved, "");
    frame.svg.path("limited", &limited, "");
    if dots.is_empty() {
        frame.nothing("no position that both have");
    }
    let numbers = [("low", low), ("high", high)];
    numbers.into_iter().for_each(|(name, value)| frame.svg.attribute(&format!("data-{name}"), format!("{value:e}")));
    let pixels = [("left", ACROSS.0), ("right", ACROSS.1), ("bottom", UP_SQUARE.0), ("top", UP_SQUARE.1)];
    pixels.into_iter().for_each(|(name, value)| frame.svg.attribute(&format!("data-{name}"), value));
    frame.svg
}

/// The same mark at each point; points of one pixel are drawn once.
fn marks(points: impl Iterator<Item = (f64, f64)>, mark: &str) -> String {
    let mut drawn = HashSet::new();
    let steps = points.map(|(x, y)| format!("M{} {}{mark}", short(x.round()), short(y.round())));
    steps.filter(|step| drawn.insert(step.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::{assert_sound, paths};

    fn dot(x: f64, y: f64) -> Dot {
        Dot { x, y, is_limited: false }
    }

    #[test]
    fn a_faster_second_variant_lies_below_the_diagonal() {
        let dots = [dot(1e3, 1e3), dot(1e5, 1e3), dot(1e5, 1e3), Dot { is_limited: true, ..dot(1e3, 1e5) }];
        let svg = scatter(&dots, None, ("a", "b"), Unit::Time).to_string();
        let (dots, diagonal) = (&paths(&svg, "dots")[0], &paths(&svg, "mark")[0]);
        assert_eq!(dots.len(), 6, "M x y h0, twice: equal points are one");
        assert_eq!(diagonal[..], [ACROSS.0, UP_SQUARE.0, ACROSS.1, UP_SQUARE.1]);
        let rise = |x: f64| UP_SQUARE.0 + (x - ACROSS.0) / (ACROSS.1 - ACROSS.0) * (UP_SQUARE.1 - UP_SQUARE.0);
        assert!((rise(dots[0]) - dots[1]).abs() < 1.0, "equal times lie on it");
        assert!(dots[4] > rise(dots[3]) + 100.0, "less is lower");
        assert_eq!(paths(&svg, "limited").len(), 1);
        assert_sound(&svg);
    }

    #[test]
    fn axes_hold_the_range_of_other_pairs_and_say_where_they_lie() {
        let svg = scatter(&[dot(10.0, 10.0)], Some((1.0, 100.0)), ("a", "b"), Unit::Count).to_string();
        let middle = paths(&svg, "dots")[0][0];
        assert!((middle - (ACROSS.0 + ACROSS.1) / 2.0).abs() <= 0.5, "{middle}");
        for attribute in ["data-low=\"8.3", "data-high=\"1.2", "data-left=\"76\"", "data-top=\"14\""] {
            assert!(svg.contains(attribute), "{attribute}: {svg}");
        }
    }

    #[test]
    fn nothing_one_point_and_zeros() {
        let none = scatter(&[], None, ("a", "b"), Unit::Time).to_string();
        assert!(none.contains("no position that both have"));
        let zero = scatter(&[dot(0.0, 0.0)], None, ("a", "b"), Unit::Time).to_string();
        [none, zero, scatter(&[dot(7.0, 7.0)], None, ("a", "b"), Unit::Time).to_string()]
            .iter()
            .for_each(|svg| assert_sound(svg));
    }
}
