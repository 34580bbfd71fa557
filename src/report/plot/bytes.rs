//! Bytes: what the forms of a store take, by the stones that it goes to.

use crate::plot::counted::{Captions, CountedLine, counted};
use crate::plot::svg::Svg;

/// Draws it: for each form, stones and bytes.
pub fn bytes(forms: &[CountedLine]) -> Svg {
    let words = Captions { across: "stones", up: "bytes", nothing: "no form was written" };
    counted(forms, words, |label, stones, bytes| format!("{label}: {bytes} bytes to {stones} stones"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::{assert_sound, paths};

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
