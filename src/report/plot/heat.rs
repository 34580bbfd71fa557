//! Heat: the colour of a factor, blue above 1 and orange below it, stronger the further away. These two are told apart by people
//! who do not tell red from green; the number always stands in the cell too. The colours are in `plot.css`.

/// How many strengths either side has.
pub const STRENGTHS: usize = 4;

/// The class of a factor: `even`, or `fast` or `slow` with its strength. `from` says from which factor each strength is used.
pub fn class(factor: f64, from: [f64; STRENGTHS]) -> String {
    let away = if factor < 1.0 { 1.0 / factor } else { factor };
    match from.iter().filter(|least| away >= **least).count() {
        0 => "even".to_string(),
        strength if factor > 1.0 => format!("fast{strength}"),
        strength => format!("slow{strength}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::svg::STYLE;

    /// The relative luminance of `#rrggbb`, as the guidelines for accessible pages define it (WCAG 2.2).
    fn luminance(colour: &str) -> f64 {
        let part = |from: usize| f64::from(u8::from_str_radix(&colour[from..from + 2], 16).unwrap()) / 255.0;
        let linear = |part: f64| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
        0.2126 * linear(part(1)) + 0.7152 * linear(part(3)) + 0.0722 * linear(part(5))
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    /// The colours of a class in a style: the cell's and the text's.
    fn colours<'a>(style: &'a str, class: &str) -> (&'a str, &'a str) {
        let rule = style.split_once(&format!(".{class}{{--cell:")).unwrap().1.split('}').next().unwrap();
        rule.split_once(";--on:").unwrap()
    }

    #[test]
    fn texts_can_be_read_on_their_colour() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        assert!((contrast("#777777", "#ffffff") - 4.48).abs() < 0.01);
        let (light, dark) = STYLE.split_once("@media screen").unwrap();
        for style in [light, dark] {
            for strength in 1..=STRENGTHS {
                for side in ["fast", "slow"] {
                    let (cell, on) = colours(style, &format!("{side}{strength}"));
                    assert!(contrast(cell, on) >= 4.5, "{side}{strength}: {cell} under {on}, {}", contrast(cell, on));
                }
            }
            let (cell, on) = colours(style, "bad");
            assert!(contrast(cell, on) >= 4.5, "bad: {cell} under {on}");
        }
    }

    #[test]
    fn strengths_are_alike_on_both_sides() {
        let from = [1.0, 1.25, 2.0, 10.0];
        let of = |factor| class(factor, from);
        assert_eq!([1.3, 3.0, 100.0].map(of), ["fast2", "fast3", "fast4"]);
        assert_eq!([1.0 / 1.3, 0.3, 0.01].map(of), ["slow2", "slow3", "slow4"]);
        assert_eq!(class(1.04, [1.05, 1.2, 1.6, 2.7]), "even");
    }
}
