//! BarRows: names on the left, a logarithmic axis of ratios, a number on the right. Bars and waterfalls stand on them.

use crate::plot::scale::Scale;
use crate::plot::svg::{Anchor, Svg, fitted, width_of};
use crate::plot::unit::Unit;

/// Width of the picture.
const WIDTH: f64 = 540.0;
/// The widest that names may be.
const NAMES: f64 = 200.0;
/// Room for the number on the right.
const NUMBERS: f64 = 74.0;
/// Room above the rows and below them.
const ABOVE: f64 = 24.0;
const BELOW: f64 = 46.0;
/// From this many rows on, ticks stand at both ends.
const TALL: usize = 18;

/// A picture with rows.
pub(super) struct BarRows {
    pub(super) svg: Svg,
    pub(super) scale: Scale,
    left: f64,
    height: f64,
}

impl BarRows {
    /// Draws axis and names. `values` are all that the axis must hold; it always holds 1.
    pub(super) fn new(labels: &[&str], height: f64, values: impl IntoIterator<Item = f64>, title: &str) -> Self {
        let widest = labels.iter().map(|label| width_of(label)).fold(60.0, f64::max);
        let left = widest.min(NAMES) + 12.0;
        let bottom = ABOVE + height * labels.len().max(1) as f64;
        let right = WIDTH - NUMBERS;
        let scale = Scale::log(values.into_iter().chain([1.0]), (left, right));
        let mut svg = Svg::new(WIDTH, bottom + BELOW);
        for tick in scale.ticks() {
            let at = scale.at(tick);
            svg.line("grid", (at, ABOVE), (at, bottom));
            svg.text("soft", Anchor::Middle, (at, bottom + 17.0), &Unit::Ratio.tick(tick));
            if labels.len() >= TALL {
                svg.text("soft", Anchor::Middle, (at, ABOVE - 8.0), &Unit::Ratio.tick(tick));
            }
        }
        svg.line("axis", (left, bottom), (right, bottom));
        svg.line("mark", (scale.at(1.0), ABOVE), (scale.at(1.0), bottom));
        svg.text("", Anchor::Middle, ((left + right) / 2.0, bottom + 37.0), title);
        let mut rows = BarRows { svg, scale, left, height };
        for (row, label) in labels.iter().enumerate() {
            let at = (left - 8.0, rows.middle(row) + 4.0);
            rows.svg.text("", Anchor::End, at, &fitted(label, NAMES));
        }
        if labels.is_empty() {
            rows.svg.text(
                "soft",
                Anchor::Middle,
                ((left + right) / 2.0, ABOVE + height / 2.0 + 4.0),
                "nothing to compare",
            );
        }
        rows
    }

    /// The middle of a row.
    pub(super) fn middle(&self, row: usize) -> f64 {
        ABOVE + self.height * (row as f64 + 0.5)
    }

    /// A number at the right end of a row.
    pub(super) fn number(&mut self, at: f64, text: &str) {
        self.svg.text("soft", Anchor::Start, (WIDTH - NUMBERS + 8.0, at + 4.0), text);
    }

    /// A text at the left end of the axis of a row.
    pub(super) fn remark(&mut self, row: usize, text: &str) {
        self.svg.text("soft", Anchor::Start, (self.left + 6.0, self.middle(row) + 4.0), text);
    }

    /// A bar from one ratio to another, of this thickness, around this middle.
    pub(super) fn bar(&mut self, class: &str, (from, to): (f64, f64), (middle, thick): (f64, f64), title: &str) {
        let (x, end) = (self.scale.at(from), self.scale.at(to));
        // What is equal can be seen, too.
        let end = if (x - end).abs() < 1.0 { x + 1.0 } else { end };
        self.svg.rectangle(class, (x, middle - thick / 2.0), (end, middle + thick / 2.0), title);
    }
}
