//! Bars on a logarithmic axis of ratios, labels on the left and numbers on the right: speed-ups with intervals, and
//! waterfalls. A bar of a waterfall begins where the bar before it ends; the last row is the product.

use crate::plot::scale::{Scale, Unit};
use crate::plot::svg::{Svg, fitted, short, width_of};

const WIDTH: f64 = 540.0;
const NAMES: f64 = 200.0;
const NUMBERS: f64 = 74.0;
const ABOVE: f64 = 24.0;
const BELOW: f64 = 46.0;
/// From this number of rows on, ticks are labelled at the top, too.
const TALL: usize = 18;

struct BarRows {
    svg: Svg,
    scale: Scale,
    left: f64,
    height: f64,
}

impl BarRows {
    /// Draws axis and labels. The axis covers `values` and 1.
    fn new(labels: &[&str], height: f64, values: impl IntoIterator<Item = f64>, title: &str) -> Self {
        let widest = labels.iter().map(|label| width_of(label)).fold(60.0, f64::max);
        let left = widest.min(NAMES) + 12.0;
        let bottom = ABOVE + height * labels.len().max(1) as f64;
        let right = WIDTH - NUMBERS;
        let scale = Scale::log(values.into_iter().chain([1.0]), (left, right));
        let mut svg = Svg::new(WIDTH, bottom + BELOW);
        for tick in scale.ticks() {
            let at = scale.at(tick);
            svg.line("grid", (at, ABOVE), (at, bottom));
            svg.text("soft", "middle", (at, bottom + 17.0), &Unit::Ratio.tick(tick));
            if labels.len() >= TALL {
                svg.text("soft", "middle", (at, ABOVE - 8.0), &Unit::Ratio.tick(tick));
            }
        }
        svg.line("axis", (left, bottom), (right, bottom));
        svg.line("mark", (scale.at(1.0), ABOVE), (scale.at(1.0), bottom));
        svg.text("", "middle", ((left + right) / 2.0, bottom + 37.0), title);
        let mut rows = BarRows { svg, scale, left, height };
        for (row, label) in labels.iter().enumerate() {
            let at = (left - 8.0, rows.middle(row) + 4.0);
            rows.svg.text("", "end", at, &fitted(label, NAMES));
        }
        if labels.is_empty() {
            rows.svg.text("soft", "middle", ((left + right) / 2.0, ABOVE + height / 2.0 + 4.0), "nothing to compare");
        }
        rows
    }

    fn middle(&self, row: usize) -> f64 {
        ABOVE + self.height * (row as f64 + 0.5)
    }

    fn number(&mut self, at: f64, text: &str) {
        self.svg.text("soft", "start", (WIDTH - NUMBERS + 8.0, at + 4.0), text);
    }

    fn remark(&mut self, row: usize, text: &str) {
        self.svg.text("soft", "start", (self.left + 6.0, self.middle(row) + 4.0), text);
    }

    /// Draws a bar between the ratios `from` and `to`, `thick` pixels high around the height `middle`.
    fn bar(&mut self, class: &str, (from, to): (f64, f64), (middle, thick): (f64, f64), title: &str) {
        let (x, end) = (self.scale.at(from), self.scale.at(to));
        // A bar without length is visible, too.
        let end = if (x - end).abs() < 1.0 { x + 1.0 } else { end };
        self.svg.rectangle(class, (x, middle - thick / 2.0), (end, middle + thick / 2.0), title);
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    pub label: String,
    /// The factor; above 1 is better. `None` if not measured.
    pub value: Option<f64>,
    pub interval: Option<(f64, f64)>,
}

/// Draws `bars` from top to bottom, with `title` below the axis.
pub fn bars(bars: &[Bar], title: &str) -> Svg {
    let labels: Vec<&str> = bars.iter().map(|bar| bar.label.as_str()).collect();
    let ends = bars.iter().flat_map(|bar| bar.interval.into_iter().flat_map(|(low, high)| [low, high]));
    let values = bars.iter().filter_map(|bar| bar.value).chain(ends).filter(|value| usable(Some(*value)).is_some());
    let mut rows = BarRows::new(&labels, 22.0, values, title);
    for (row, bar) in bars.iter().enumerate() {
        match usable(bar.value) {
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

fn usable(factor: Option<f64>) -> Option<f64> {
    factor.filter(|factor| factor.is_finite() && *factor > 0.0)
}

#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub label: String,
    /// Time and nodes before, divided by those after; `None` if they cannot be compared.
    pub factors: [Option<f64>; 2],
}

/// Draws a waterfall: for each step a bar for time, and below it a bar for nodes. A step without a factor has no bar.
/// `from` is the variant before the first step.
pub fn waterfall(from: &str, steps: &[Step]) -> Svg {
    let mut labels: Vec<&str> = steps.iter().map(|step| step.label.as_str()).collect();
    labels.extend((!steps.is_empty()).then_some("all steps"));
    let mut reached = [vec![1.0], vec![1.0]];
    for step in steps {
        for (reached, factor) in reached.iter_mut().zip(step.factors) {
            reached.push(reached[reached.len() - 1] * usable(factor).unwrap_or(1.0));
        }
    }
    let title = format!("times better than {from}: time (strong), nodes (pale)");
    let mut rows = BarRows::new(&labels, 34.0, reached.iter().flatten().copied(), &title);
    for (kind, [name, gain, loss]) in [["time", "better", "worse"], ["nodes", "fewer", "more"]].into_iter().enumerate()
    {
        let offset = [-7.0, 7.0][kind];
        for (row, (step, ends)) in steps.iter().zip(reached[kind].windows(2)).enumerate() {
            let middle = rows.middle(row) + offset;
            let Some(factor) = usable(step.factors[kind]) else {
                rows.number(middle, "-");
                continue;
            };
            let shown = Unit::Ratio.tick(factor);
            let class = if factor < 1.0 { loss } else { gain };
            rows.bar(class, (ends[0], ends[1]), (middle, 11.0), &format!("{}: {shown} in {name}", step.label));
            rows.number(middle, &shown);
        }
        if !steps.is_empty() {
            let (middle, all) = (rows.middle(steps.len()) + offset, reached[kind][steps.len()]);
            let shown = Unit::Ratio.tick(all);
            rows.bar("total", (1.0, all), (middle, 11.0), &format!("all: {shown} in {name}"));
            rows.number(middle, &shown);
        }
    }
    rows.svg
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::testing::{assert_sound, paths};

    fn bar(label: &str, value: Option<f64>, interval: Option<(f64, f64)>) -> Bar {
        Bar { label: label.to_string(), value, interval }
    }

    fn step(label: &str, time: Option<f64>, nodes: Option<f64>) -> Step {
        Step { label: label.to_string(), factors: [time, nodes] }
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
        assert_sound(&svg);
    }

    #[test]
    fn a_missing_or_impossible_factor_has_no_bar() {
        let svg = bars(&[bar("a", None, None), bar("b", Some(f64::NAN), Some((f64::NAN, f64::NAN)))], "x").to_string();
        assert!(rectangles(&svg, "better").is_empty() && rectangles(&svg, "worse").is_empty());
        assert_sound(&svg);
        assert_sound(&bars(&[], "x").to_string());
        let svg = bars(&[bar("a", Some(1.0), Some((1.0, 1.0)))], "x").to_string();
        assert_eq!(rectangles(&svg, "better")[0].1, 1.0, "a factor of one can be seen");
    }

    #[test]
    fn a_step_begins_where_the_one_before_ended() {
        let steps = [step("b", Some(10.0), Some(2.0)), step("c", Some(0.5), None), step("d", Some(4.0), Some(3.0))];
        let svg = waterfall("a", &steps).to_string();
        let ends = |class| rectangles(&svg, class).iter().map(|(x, width)| (*x, x + width)).collect::<Vec<_>>();
        let (gains, losses, all) = (ends("better"), ends("worse"), ends("total"));
        assert!((gains[0].1 - losses[0].1).abs() < 0.2, "a loss goes back from where the gain ended");
        assert!((losses[0].0 - gains[1].0).abs() < 0.2);
        assert!((all[0].1 - gains[1].1).abs() < 0.2 && (all[0].0 - gains[0].0).abs() < 0.2);
        let nodes = ends("fewer");
        assert!((nodes[0].1 - nodes[1].0).abs() < 0.2, "a step that cannot be compared moves nothing");
        assert!(svg.contains("all: 20x in time") && svg.contains("all: 6x in nodes"), "{svg}");
        assert_sound(&svg);
        let none = waterfall("<a>", &[step("b", None, Some(0.0)), step("c", Some(f64::INFINITY), None)]).to_string();
        assert!(rectangles(&none, "better").is_empty() && !none.contains("<a>"));
        assert_sound(&none);
    }
}
