//! Charts: lines with a legend below, dots, and bars on a logarithmic axis of ratios.

use crate::plot::DISTINCT;
use crate::plot::scale::Scale;
pub use crate::plot::scale::Unit;
use crate::plot::svg::{Svg, fitted, short, width_of};
use std::collections::HashSet;

const WIDTH: f64 = 540.0;
const HEIGHT: f64 = 350.0;
/// Pixels left of the axes, below them, above them (half a tick's label), and right of them.
const LEFT: f64 = 76.0;
const BELOW: f64 = 46.0;
const EDGE: f64 = 14.0;
const RIGHT: f64 = 26.0;
const LEGEND: f64 = 19.0;

const ACROSS: (f64, f64) = (LEFT, WIDTH - RIGHT);
/// Pixels of the y axis, from bottom to top. Scatters have a higher one, since they are about square.
const UP: (f64, f64) = (HEIGHT - BELOW, EDGE);
const UP_SQUARE: (f64, f64) = (HEIGHT + 70.0 - BELOW, EDGE);

#[derive(Clone, Copy, Debug)]
pub struct Axis<'a> {
    pub title: &'a str,
    pub unit: Unit,
    /// The ends of a linear axis; `None` for a logarithmic axis, which covers all positive values.
    pub linear: Option<(f64, f64)>,
}

#[derive(Clone, Debug)]
pub struct Line {
    pub label: String,
    pub about: String,
    pub points: Vec<(f64, f64)>,
}

/// Draws at most [`DISTINCT`] lines, straight from point to point, or as stairs if `is_stair`: along x, then along y.
pub fn lines(x: Axis<'_>, y: Axis<'_>, lines: &[Line], is_stair: bool) -> Svg {
    let lines = &lines[..lines.len().min(DISTINCT)];
    let points = || lines.iter().flat_map(|line| line.points.iter().copied());
    let scale = |axis: Axis<'_>, values: Vec<f64>, pixels| match axis.linear {
        Some(range) => Scale::linear(range, pixels),
        None => Scale::log(values, pixels),
    };
    let scale_x = scale(x, points().map(|point| point.0).collect(), ACROSS);
    let scale_y = scale(y, points().map(|point| point.1).collect(), UP);
    let places = legend(lines);
    let legend_lines = places.last().map_or(0.0, |place| place.1 + 1.0);
    let height = HEIGHT + if legend_lines > 0.0 { legend_lines * LEGEND + 6.0 } else { 0.0 };
    let mut svg = Svg::new(WIDTH, height);
    axes(&mut svg, (scale_x, x), (scale_y, y), UP.0);
    for (index, (line, (left, row))) in lines.iter().zip(places).enumerate() {
        let at = HEIGHT + 10.0 + row * LEGEND;
        svg.line(&format!("line s{index}"), (left, at), (left + 22.0, at));
        svg.text("", "start", (left + 29.0, at + 4.0), &fitted(&line.label, WIDTH - LEFT - 40.0));
    }
    for (index, line) in lines.iter().enumerate() {
        let pixels: Vec<(f64, f64)> =
            line.points.iter().map(|point| (scale_x.at(point.0), scale_y.at(point.1))).collect();
        svg.path(&format!("line s{index}"), &steps(&thinned(&pixels), is_stair), &line.about);
    }
    if points().next().is_none() {
        nothing(&mut svg, HEIGHT, "no position was solved");
    }
    svg
}

fn ticks_across(svg: &mut Svg, scale: &Scale, unit: Unit, (top, bottom): (f64, f64)) -> Vec<(f64, String)> {
    let ticks: Vec<_> = scale.ticks().into_iter().map(|tick| (scale.at(tick), unit.tick(tick))).collect();
    for (at, label) in &ticks {
        svg.line("grid", (*at, top), (*at, bottom));
        svg.text("soft", "middle", (*at, bottom + 17.0), label);
    }
    ticks
}

fn axes(svg: &mut Svg, (x, across): (Scale, Axis<'_>), (y, up): (Scale, Axis<'_>), bottom: f64) {
    ticks_across(svg, &x, across.unit, (EDGE, bottom));
    for tick in y.ticks() {
        let at = y.at(tick);
        svg.line("grid", (LEFT, at), (ACROSS.1, at));
        svg.text("soft", "end", (LEFT - 7.0, at + 4.0), &up.unit.tick(tick));
    }
    svg.line("axis", (LEFT, bottom), (ACROSS.1, bottom));
    svg.line("axis", (LEFT, bottom), (LEFT, EDGE));
    svg.text("x-title", "middle", ((LEFT + ACROSS.1) / 2.0, bottom + 37.0), across.title);
    svg.text_upwards("y-title", (13.0, (EDGE + bottom) / 2.0), up.title);
}

fn nothing(svg: &mut Svg, height: f64, why: &str) {
    svg.text("soft nothing", "middle", ((LEFT + ACROSS.1) / 2.0, height / 2.0), why);
}

/// The places of the legend's entries: x in pixels, and the row.
fn legend(lines: &[Line]) -> Vec<(f64, f64)> {
    let (mut x, mut row, mut places) = (LEFT, 0.0, Vec::new());
    for line in lines {
        let width = 29.0 + width_of(&line.label) + 16.0;
        if x > LEFT && x + width > WIDTH {
            (x, row) = (LEFT, row + 1.0);
        }
        places.push((x, row));
        x += width;
    }
    places
}

fn steps(points: &[(f64, f64)], is_stair: bool) -> String {
    let Some((first, rest)) = points.split_first() else { return String::new() };
    let mut steps = format!("M{} {}", short(first.0), short(first.1));
    for &(x, y) in rest {
        let (x, y) = (short(x), short(y));
        steps += &if is_stair { format!("H{x}V{y}") } else { format!("L{x} {y}") };
    }
    // A path of length 0 is drawn as a dot.
    if rest.is_empty() { steps + "h0" } else { steps }
}

/// Leaves out points within about a pixel of the point before, but never the last point.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (index, &point) in points.iter().enumerate() {
        let far = |kept: &(f64, f64)| (kept.0 - point.0).abs() >= 1.2 || (kept.1 - point.1).abs() >= 1.2;
        if index + 1 == points.len() || kept.last().is_none_or(far) {
            kept.push(point);
        }
    }
    kept
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    pub x: f64,
    pub y: f64,
    pub is_limited: bool,
}

/// Draws dots on two logarithmic axes with equal ends. Below the diagonal, the variant of the vertical axis is better.
/// The axes also cover `range`, so that all pairs have equal axes. `data-` attributes tell the script the ends.
pub fn scatter(dots: &[Dot], range: Option<(f64, f64)>, titles: [&str; 2], unit: Unit) -> Svg {
    let ends = range.into_iter().flat_map(|(low, high)| [low, high]);
    let values: Vec<f64> = ends.chain(dots.iter().flat_map(|dot| [dot.x, dot.y])).collect();
    let (x, y) = (Scale::log(values.iter().copied(), ACROSS), Scale::log(values.iter().copied(), UP_SQUARE));
    let mut svg = Svg::new(WIDTH, UP_SQUARE.0 + BELOW);
    let [across, up] = titles.map(|title| Axis { title, unit, linear: None });
    axes(&mut svg, (x, across), (y, up), UP_SQUARE.0);
    let (low, high) = x.ends();
    svg.line("mark", (x.at(low), y.at(low)), (x.at(high), y.at(high)));
    for factor in [10.0, 0.1] {
        // Ten times more, and ten times less, if the axes are that long.
        let (from, to) = (low.max(low / factor), high.min(high / factor));
        if from < to {
            svg.line("hint", (x.at(from), y.at(from * factor)), (x.at(to), y.at(to * factor)));
        }
    }
    for (class, mark, shift) in [("dots", "h0", 0.0), ("limited", "l6 6m0 -6l-6 6", 3.0)] {
        let own = dots.iter().filter(|dot| dot.is_limited == (class == "limited"));
        let steps = own.map(|dot| {
            let (left, top) = ((x.at(dot.x) - shift).round(), (y.at(dot.y) - shift).round());
            format!("M{} {}{mark}", short(left), short(top))
        });
        // Dots on one pixel are drawn once.
        let mut drawn = HashSet::new();
        svg.path(class, &steps.filter(|step| drawn.insert(step.clone())).collect::<String>(), "");
    }
    if dots.is_empty() {
        nothing(&mut svg, UP_SQUARE.0 + BELOW, "no position that both have");
    }
    for (name, value) in [("low", low), ("high", high)] {
        svg.attribute(&format!("data-{name}"), format!("{value:e}"));
    }
    for (name, value) in [("left", ACROSS.0), ("right", ACROSS.1), ("bottom", UP_SQUARE.0), ("top", UP_SQUARE.1)] {
        svg.attribute(&format!("data-{name}"), value);
    }
    svg
}

/// Bars: pixels of the names on the left, of the numbers on the right, and above the first bar.
const NAMES: f64 = 200.0;
const NUMBERS: f64 = 74.0;
const ABOVE_BARS: f64 = 24.0;
/// From this number of bars on, ticks are labelled at the top, too.
const TALL: usize = 18;

/// Labels on the left, a logarithmic axis of ratios with room for bars, and numbers on the right.
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
        let bottom = ABOVE_BARS + height * labels.len().max(1) as f64;
        let right = WIDTH - NUMBERS;
        let scale = Scale::log(values.into_iter().chain([1.0]), (left, right));
        let mut svg = Svg::new(WIDTH, bottom + BELOW);
        let ticks = ticks_across(&mut svg, &scale, Unit::Ratio, (ABOVE_BARS, bottom));
        for (at, label) in ticks.iter().filter(|_| labels.len() >= TALL) {
            svg.text("soft", "middle", (*at, ABOVE_BARS - 8.0), label);
        }
        svg.line("axis", (left, bottom), (right, bottom));
        svg.line("mark", (scale.at(1.0), ABOVE_BARS), (scale.at(1.0), bottom));
        svg.text("", "middle", ((left + right) / 2.0, bottom + 37.0), title);
        let mut rows = BarRows { svg, scale, left, height };
        for (row, label) in labels.iter().enumerate() {
            let at = (left - 8.0, rows.middle(row) + 4.0);
            rows.svg.text("", "end", at, &fitted(label, NAMES));
        }
        if labels.is_empty() {
            rows.svg.text(
                "soft",
                "middle",
                ((left + right) / 2.0, ABOVE_BARS + height / 2.0 + 4.0),
                "nothing to compare",
            );
        }
        rows
    }

    fn middle(&self, row: usize) -> f64 {
        ABOVE_BARS + self.height * (row as f64 + 0.5)
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

pub fn bars(bars: &[Bar], title: &str) -> Svg {
    let labels: Vec<&str> = bars.iter().map(|bar| bar.label.as_str()).collect();
    let ends = bars.iter().flat_map(|bar| bar.interval.into_iter().flat_map(|(low, high)| [low, high]));
    let values = bars.iter().filter_map(|bar| bar.value).chain(ends).filter(|value| usable(Some(*value)).is_some());
    let mut rows = BarRows::new(&labels, 22.0, values, title);
    for (row, bar) in bars.iter().enumerate() {
        match usable(bar.value) {
            Some(value) => draw_bar(&mut rows, row, bar, value),
            None => rows.remark(row, "not measured"),
        }
    }
    rows.svg
}

fn draw_bar(rows: &mut BarRows, row: usize, bar: &Bar, value: f64) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::testing::{assert_sound, paths};

    fn line(label: &str, points: &[(f64, f64)]) -> Line {
        Line { label: label.to_string(), about: label.to_string(), points: points.to_vec() }
    }

    fn draw(lines_of: &[Line], is_stair: bool) -> String {
        let x = Axis { title: "x", unit: Unit::Count, linear: Some((0.0, 2.0)) };
        lines(x, Axis { title: "y", unit: Unit::Time, linear: None }, lines_of, is_stair).to_string()
    }

    #[test]
    fn points_lie_on_their_axes() {
        let svg = draw(&[line("a", &[(0.0, 10.0), (2.0, 1000.0)]), line("b", &[(1.0, 100.0)])], false);
        let (a, b) = (&paths(&svg, "line s0")[1], &paths(&svg, "line s1")[1]);
        assert_eq!((a[0], a[2]), ACROSS);
        assert!((b[0] - (a[0] + a[2]) / 2.0).abs() < 0.11 && (b[1] - (a[1] + a[3]) / 2.0).abs() < 0.11, "{a:?} {b:?}");
        assert!(a[1] > a[3], "more is higher");
        assert_sound(&svg);
        let stair = draw(&[line("a", &[(0.0, 10.0), (2.0, 1000.0)])], true);
        assert!(stair.contains(&format!("H{}V", ACROSS.1)), "{stair}");
        for none in [draw(&[], false), draw(&[line("a", &[])], true)] {
            assert_sound(&none);
        }
    }

    #[test]
    fn a_million_points_are_no_more_than_the_picture_has_pixels() {
        let points: Vec<(f64, f64)> = (0..1_000_000).map(|i| (f64::from(i) / 2e3, 100.0)).collect();
        let kept = thinned(&points);
        assert!(kept.len() < 500, "{}", kept.len());
        assert_eq!((kept.first(), kept.last()), (points.first(), points.last()));
    }

    #[test]
    fn a_faster_second_variant_lies_below_the_diagonal() {
        let dot = |x, y| Dot { x, y, is_limited: false };
        let dots = [dot(1e3, 1e3), dot(1e5, 1e3), dot(1e5, 1e3), Dot { is_limited: true, ..dot(1e3, 1e5) }];
        let svg = scatter(&dots, None, ["a", "b"], Unit::Time).to_string();
        let dots = &paths(&svg, "dots")[0];
        assert_eq!(dots.len(), 6, "M x y h0, twice: equal points are one");
        let rise = |x: f64| UP_SQUARE.0 + (x - ACROSS.0) / (ACROSS.1 - ACROSS.0) * (UP_SQUARE.1 - UP_SQUARE.0);
        assert!((rise(dots[0]) - dots[1]).abs() < 1.0, "equal times lie on it");
        assert!(dots[4] > rise(dots[3]) + 100.0, "less is lower");
        assert_eq!(paths(&svg, "limited").len(), 1);
        assert_sound(&svg);
        for few in [&[][..], &[dot(0.0, 0.0)], &[dot(7.0, 7.0)]] {
            assert_sound(&scatter(few, None, ["a", "b"], Unit::Time).to_string());
        }
        let wide = scatter(&[dot(10.0, 10.0)], Some((1.0, 100.0)), ["a", "b"], Unit::Count).to_string();
        assert!((paths(&wide, "dots")[0][0] - (ACROSS.0 + ACROSS.1) / 2.0).abs() <= 0.5);
    }

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
}
