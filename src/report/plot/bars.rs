//! Bars with intervals on a logarithmic axis, from 1 to the value: speed-ups, node ratios, Shapley values.

use crate::plot::rows::BarRows;
use crate::plot::svg::{Svg, short};
use crate::plot::unit::Unit;

/// A row: a factor, and how sure it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its name.
    pub label: String,
    /// The factor; above 1 is better. `None` where there is none.
    pub value: Option<f64>,
    /// The ends of its interval.
    pub interval: Option<(f64, f64)>,
}

/// Draws them from top to bottom. `title` says what the axis counts.
pub fn bars(bars: &[Bar], title: &str) -> Svg {
    let labels: Vec<&str> = bars.iter().map(|bar| bar.label.as_str()).collect();
    let usable = |value: &f64| value.is_finite() && *value > 0.0;
    let ends = bars.iter().flat_map(|bar| bar.interval.into_iter().flat_map(|(low, high)| [low, high]));
    let values = bars.iter().filter_map(|bar| bar.value).chain(ends).filter(usable);
    let mut rows = BarRows::new(&labels, 22.0, values, title);
    for (row, bar) in bars.iter().enumerate() {
        match bar.value.filter(usable) {
            Some(value) => draw(&mut rows, row, bar, value),
            None => rows.remark(row, "not measured"),
        }
    }
    rows.svg
}

fn draw(rows: &mut BarRows, row: usize, bar: &Bar, value: f64) {
    let middle = rows.middle(row);
    let shown = Unit::Ratio.tick(value);
    let interval = bar.interval.filter(|(low, high)| *low > 0.0 && high.is_finite());
    let range = interval.map(|(low, high)| format!(" ({} to {})", Unit::Ratio.tick(low), Unit::Ratio.tick(high)));
    let title = format!("{}: {shown}{}", bar.label, range.unwrap_or_default());
    rows.bar(if value >= 1.0 { "better" } else { "worse" }, (1.0, value), (middle, 12.0), &title);
    if let Some((low, high)) = interval {
        let (low, high) = (short(rows.scale.at(low)), short(rows.scale.at(high)));
        let [top, middle, bottom] = [middle - 4.0, middle, middle + 4.0].map(short);
        let steps = format!("M{low} {top}V{bottom}M{low} {middle}H{high}M{high} {top}V{bottom}");
        rows.svg.path("whisker", &steps, &title);
    }
    rows.number(middle, &shown);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::{assert_sound, paths};

    fn bar(label: &str, value: Option<f64>, interval: Option<(f64, f64)>) -> Bar {
        Bar { label: label.to_string(), value, interval }
    }

    fn rectangles(svg: &str, class: &str) -> Vec<(f64, f64)> {
        let number = |tag: &str, name: &str| -> f64 {
            tag.split_once(&format!(" {name}=\"")).unwrap().1.split('"').next().unwrap().parse().unwrap()
        };
        let parts = svg.split("<rect ").skip(1).filter(|tag| tag.starts_with(&format!("class=\"{class}\"")));
        parts.map(|tag| (number(tag, "x"), number(tag, "width"))).collect()
    }

    #[test]
    fn bars_begin_at_one_and_are_as_long_as_their_logarithm() {
        let svg = bars(&[bar("a", Some(4.0), Some((2.0, 8.0))), bar("b", Some(0.5), None)], "speed-up").to_string();
        let (better, worse) = (rectangles(&svg, "better")[0], rectangles(&svg, "worse")[0]);
        let one = paths(&svg, "mark")[0][0];
        assert!((better.0 - one).abs() < 0.11 && (worse.0 + worse.1 - one).abs() < 0.11);
        assert!((better.1 - 2.0 * worse.1).abs() < 0.3, "{better:?} {worse:?}");
        let whisker = &paths(&svg, "whisker")[0];
        let middle = better.0 + better.1;
        // M low top V bottom M low middle H high M high top V bottom
        assert!((middle - whisker[0] - (whisker[5] - middle)).abs() < 0.3, "2 and 8 are as far from 4");
        assert!(svg.contains("a: 4x (2x to 8x)") && svg.contains(">0.5x</text>"), "{svg}");
        assert_sound(&svg);
    }

    #[test]
    fn what_is_missing_is_said() {
        let svg = bars(&[bar("a", None, None), bar("b", Some(f64::NAN), Some((f64::NAN, f64::NAN)))], "x").to_string();
        assert_eq!(svg.matches("not measured").count(), 2);
        assert_sound(&svg);
        let svg = bars(&[], "x").to_string();
        assert!(svg.contains("nothing to compare"));
        assert_sound(&svg);
    }

    #[test]
    fn a_factor_of_one_can_be_seen() {
        let svg = bars(&[bar("a", Some(1.0), Some((1.0, 1.0)))], "x").to_string();
        assert_eq!(rectangles(&svg, "better")[0].1, 1.0);
        assert_sound(&svg);
    }
}
