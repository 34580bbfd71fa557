//! Counted: large numbers by small ones, a line for each thing that is compared; upwards by factors.

use crate::plot::frame::{ACROSS, Axis, Frame, UP};
use crate::plot::scale::Scale;
use crate::plot::svg::Svg;
use crate::plot::unit::Unit;

/// A line: its label, and its points from the left.
pub type CountedLine = (String, Vec<(u32, u64)>);

/// What is written beside the lines.
#[derive(Clone, Copy, Debug)]
pub struct Captions {
    /// Along the axis to the right.
    pub across: &'static str,
    /// Along the axis upwards.
    pub up: &'static str,
    /// Where there is no line.
    pub nothing: &'static str,
}

/// Draws them; `said` tells of a line's last point.
pub fn counted(lines: &[CountedLine], words: Captions, said: impl Fn(&str, u32, u64) -> String) -> Svg {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let (fewest, most) =
        (points().map(|point| point.0).min().unwrap_or(0), points().map(|point| point.0).max().unwrap_or(1));
    let x = Scale::linear((f64::from(fewest.min(most)), f64::from(most)), ACROSS);
    let y = Scale::log(points().map(|point| point.1 as f64), UP);
    let labels: Vec<&str> = lines.iter().map(|(label, _)| label.as_str()).collect();
    let [right, upwards] = [words.across, words.up].map(|title| Axis { title, unit: Unit::Count });
    let mut frame = Frame::new((x, right), (y, upwards), UP.0, &labels);
    for (index, (label, points)) in lines.iter().enumerate() {
        let places: Vec<_> = points.iter().map(|point| (x.at(f64::from(point.0)), y.at(point.1 as f64))).collect();
        let text = points.last().map_or(label.clone(), |&(small, large)| said(label, small, large));
        frame.polyline((index, label), &text, &places);
    }
    if lines.is_empty() {
        frame.nothing(words.nothing);
    }
    frame.svg
}
