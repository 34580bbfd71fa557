//! Square: a factor for every two of some names, written into its cell, and coloured by how far it is from 1.

use crate::plot::heat::{STRENGTHS, class};
use crate::plot::svg::{Anchor, Svg, fitted, width_of};

/// The widest that names beside the rows may be.
const NAMES: f64 = 170.0;
/// Height of a row, and the least and the greatest width of a column.
const ROW: f64 = 26.0;
const NARROW: f64 = 44.0;
const WIDE: f64 = 64.0;
/// Width of the picture, unless columns need more.
const WIDTH: f64 = 540.0;
/// The sine and cosine of the angle at which heads lean.
const LEAN: f64 = std::f64::consts::FRAC_1_SQRT_2;
/// From which factor each strength of a colour is used: what hardly differs from 1 has none.
const FROM: [f64; STRENGTHS] = [1.05, 1.2, 1.6, 2.7];

/// Draws it: names beside the rows and, leaning, above the columns. A factor stands in both cells of its pair, given by index.
pub fn square(names: &[&str], pairs: &[(usize, usize, f64)]) -> Svg {
    let widest = names.iter().map(|name| width_of(name)).fold(0.0, f64::max).min(NAMES);
    let left = widest + 16.0;
    // A head rises and reaches to the right by what its length is worth at its angle.
    let head = (widest + 8.0) * LEAN;
    let count = names.len() as f64;
    let cell = ((WIDTH - left - head) / count.max(1.0)).clamp(NARROW, WIDE);
    let top = head + 14.0;
    let mut svg = Svg::new((left + count * cell + head).max(WIDTH), top + count * ROW + 8.0);
    for (index, name) in names.iter().enumerate() {
        let (across, down) = (left + (index as f64 + 0.5) * cell, top + (index as f64 + 0.5) * ROW);
        let shown = fitted(name, NAMES);
        svg.text("", Anchor::End, (left - 8.0, down + 4.0), &shown);
        svg.text_leaning("", (across, top - 8.0), &shown);
    }
    for &(one, other, factor) in pairs.iter().filter(|pair| pair.2.is_finite() && pair.2 > 0.0) {
        let title = format!("{} and {}: {factor:.3}", names[one], names[other]);
        for (row, column) in [(one, other), (other, one)] {
            let (x, y) = (left + column as f64 * cell, top + row as f64 * ROW);
            let class = class(factor, FROM);
            svg.rectangle(&format!("cell {class}"), (x + 1.0, y + 1.0), (x + cell - 1.0, y + ROW - 1.0), &title);
            let middle = (x + cell / 2.0, y + ROW / 2.0 + 4.0);
            svg.text(&format!("on {class}"), Anchor::Middle, middle, &format!("{factor:.2}"));
        }
    }
    if pairs.is_empty() {
        svg.text("soft", Anchor::Start, (left, top + 16.0), "no pair to show");
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::assert_sound;

    #[test]
    fn a_factor_stands_in_both_cells_and_heads_are_whole() {
        let names = ["anticipation of both", "table", "c<d"];
        let svg = square(&names, &[(0, 1, 1.25), (0, 2, 0.5), (1, 2, 1.01)]).to_string();
        assert_eq!((svg.matches(">1.25</text>").count(), svg.matches("<rect ").count()), (2, 6));
        assert_eq!(svg.matches(">anticipation of both</text>").count(), 2, "beside its row and above its column");
        assert!(svg.contains("cell fast2") && svg.contains("cell slow3") && svg.contains("cell even"), "{svg}");
        assert!(svg.contains("c&lt;d"));
        assert_sound(&svg);
        assert_sound(&square(&[], &[]).to_string());
    }

    /// A head ends within the picture: above its upper edge, and beyond its right one, nothing is seen.
    #[test]
    fn no_head_is_cut_off() {
        let names = ["a technique with a long name"; 9];
        let svg = square(&names, &[(0, 8, 2.0)]).to_string();
        let number = |tag: &str| -> Vec<f64> {
            let inner = tag.split_once("translate(").unwrap().1.split(')').next().unwrap();
            inner.split(' ').map(|number| number.parse().unwrap()).collect()
        };
        let length = width_of(&fitted(names[0], NAMES)) * LEAN;
        let width: f64 = svg.split("viewBox=\"0 0 ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        for tag in svg.split("<text").filter(|tag| tag.contains("rotate(-45)")) {
            let at = number(tag);
            assert!(at[1] - length >= 0.0 && at[0] + length <= width, "{tag}");
        }
        assert_eq!(svg.matches("rotate(-45)").count(), 9);
    }
}
