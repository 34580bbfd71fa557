//! Parts of a whole: a row for each thing, from 0 to 100 %, cut into its parts.

use crate::plot::svg::{Anchor, Svg, fitted, width_of};

const WIDTH: f64 = 540.0;
/// The widest that names may be.
const NAMES: f64 = 200.0;
/// Room for the number on the right.
const NUMBERS: f64 = 74.0;
/// Room above the rows, for the names of the parts, and below them.
const ABOVE: f64 = 34.0;
const BELOW: f64 = 46.0;
const HEIGHT: f64 = 22.0;
const THICK: f64 = 14.0;

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PartsRow {
    /// Its name.
    pub(super) label: String,
    /// Its parts, in the order of their names; they need not add up to anything.
    pub(super) parts: Vec<f64>,
    /// What stands on the right.
    pub(super) number: String,
}

/// Draws the rows from top to bottom. `title` says what 100 % are.
pub(super) fn parts(names: &[&str], rows: &[PartsRow], title: &str) -> Svg {
    let widest = rows.iter().map(|row| width_of(&row.label)).fold(60.0, f64::max);
    let (left, right) = (widest.min(NAMES) + 12.0, WIDTH - NUMBERS);
    let bottom = ABOVE + HEIGHT * rows.len().max(1) as f64;
    let at = |share: f64| left + share * (right - left);
    let mut svg = Svg::new(WIDTH, bottom + BELOW);
    legend(&mut svg, names);
    for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
        svg.line("grid", (at(tick), ABOVE), (at(tick), bottom));
        svg.text("soft", Anchor::Middle, (at(tick), bottom + 17.0), &format!("{:.0} %", 100.0 * tick));
    }
    svg.text("", Anchor::Middle, ((left + right) / 2.0, bottom + 37.0), title);
    for (index, row) in rows.iter().enumerate() {
        let middle = ABOVE + HEIGHT * (index as f64 + 0.5);
        svg.text("", Anchor::End, (left - 8.0, middle + 4.0), &fitted(&row.label, NAMES));
        svg.text("soft", Anchor::Start, (right + 8.0, middle + 4.0), &row.number);
        let whole: f64 = row.parts.iter().sum();
        let mut before = 0.0;
        for (number, (name, part)) in names.iter().zip(&row.parts).enumerate().filter(|(_, (_, part))| **part > 0.0) {
            let share = part / whole;
            let said = format!("{}: {name} {:.1} %", row.label, 100.0 * share);
            let corners = [(at(before), middle - THICK / 2.0), (at(before + share), middle + THICK / 2.0)];
            svg.rectangle(&format!("part{number}"), corners[0], corners[1], &said);
            before += share;
        }
    }
    svg
}

/// The names of the parts, each beside its colour.
fn legend(svg: &mut Svg, names: &[&str]) {
    let mut x = 12.0;
    for (number, name) in names.iter().enumerate() {
        svg.rectangle(&format!("part{number}"), (x, 8.0), (x + 10.0, 18.0), name);
        svg.text("soft", Anchor::Start, (x + 15.0, 17.0), name);
        x += width_of(name) + 30.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::assert_sound;

    #[test]
    fn every_part_is_a_rectangle_and_nothing_is_none() {
        let row = |label: &str, parts: &[f64]| PartsRow {
            label: label.to_string(),
            parts: parts.to_vec(),
            number: "1".to_string(),
        };
        let svg = parts(&["x", "y<"], &[row("a", &[3.0, 1.0]), row("b", &[0.0, 2.0]), row("c", &[0.0, 0.0])], "nodes");
        let text = svg.to_string();
        assert_sound(&text);
        // Two of the legend, two of a, one of b.
        assert_eq!(text.matches("<rect class=\"part").count(), 5, "{text}");
        assert!(text.contains("a: x 75.0 %") && text.contains("b: y&lt; 100.0 %"), "{text}");
        assert_sound(&parts(&[], &[], "").to_string());
    }
}
