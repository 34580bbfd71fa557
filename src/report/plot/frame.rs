//! Frame: two axes with their grid, and the legend below.

use crate::plot::DISTINCT;
use crate::plot::scale::Scale;
use crate::plot::svg::{Anchor, Svg, fitted, short, width_of};
use crate::plot::unit::Unit;

/// Width of a picture with two axes.
const WIDTH: f64 = 540.0;
/// Height without legend.
const HEIGHT: f64 = 350.0;
/// Room for what stands left of and below the axes.
const LEFT: f64 = 76.0;
const BELOW: f64 = 46.0;
/// Room above and right of them: half a tick's label.
const EDGE: f64 = 14.0;
const RIGHT: f64 = 26.0;
/// Height of a line of the legend.
const LEGEND: f64 = 19.0;

/// Kinds of dashes for lines of one colour.
const DASHES: usize = 4;

/// An axis: what it is called and counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis<'a> {
    pub(super) title: &'a str,
    pub(super) unit: Unit,
}

/// Two axes.
pub(super) struct Frame {
    pub(super) svg: Svg,
    pub(super) x: Scale,
    pub(super) y: Scale,
    height: f64,
}

/// Pixels of the x axis, from left to right.
pub(super) const ACROSS: (f64, f64) = (LEFT, WIDTH - RIGHT);
/// Pixels of the y axis, from bottom to top.
pub(super) const UP: (f64, f64) = (HEIGHT - BELOW, EDGE);
/// Pixels of the y axis of a picture that is about square.
pub(super) const UP_SQUARE: (f64, f64) = (HEIGHT + 70.0 - BELOW, EDGE);

impl Frame {
    /// Draws axes that lie at [`ACROSS`] and [`UP`] or [`UP_SQUARE`], and a legend of the lines that are shown at the start.
    pub(super) fn new(x: (Scale, Axis<'_>), y: (Scale, Axis<'_>), bottom: f64, labels: &[&str]) -> Self {
        let shown = &labels[..labels.len().min(DISTINCT)];
        let places = legend(shown);
        let lines = places.last().map_or(0.0, |place| place.1 + 1.0);
        let height = bottom + BELOW;
        let svg = Svg::new(WIDTH, height + if lines > 0.0 { lines * LEGEND + 6.0 } else { 0.0 });
        let mut frame = Frame { svg, x: x.0, y: y.0, height };
        frame.svg.attribute("data-plain", height);
        frame.axes(x.1, y.1, bottom);
        for (index, (label, place)) in shown.iter().zip(places).enumerate() {
            frame.key(index, label, place);
        }
        frame
    }

    fn axes(&mut self, x: Axis<'_>, y: Axis<'_>, bottom: f64) {
        let svg = &mut self.svg;
        for tick in self.x.ticks() {
            let at = self.x.at(tick);
            svg.line("grid", (at, EDGE), (at, bottom));
            svg.text("soft", Anchor::Middle, (at, bottom + 17.0), &x.unit.tick(tick));
        }
        for tick in self.y.ticks() {
            let at = self.y.at(tick);
            svg.line("grid", (LEFT, at), (ACROSS.1, at));
            svg.text("soft", Anchor::End, (LEFT - 7.0, at + 4.0), &y.unit.tick(tick));
        }
        svg.line("axis", (LEFT, bottom), (ACROSS.1, bottom));
        svg.line("axis", (LEFT, bottom), (LEFT, EDGE));
        svg.text("x-title", Anchor::Middle, ((LEFT + ACROSS.1) / 2.0, bottom + 37.0), x.title);
        svg.text_upwards("y-title", (13.0, (EDGE + bottom) / 2.0), y.title);
    }

    /// A line of the legend: a dash in the series' colour, and its name.
    fn key(&mut self, index: usize, label: &str, (x, line): (f64, f64)) {
        let y = self.height + 10.0 + line * LEGEND;
        self.svg.line(&format!("line s{index} key"), (x, y), (x + 22.0, y));
        self.svg.text("key", Anchor::Start, (x + 29.0, y + 4.0), &fitted(label, WIDTH - LEFT - 40.0));
    }

    /// Draws a series as straight lines from point to point. What lies closer than about a pixel is drawn once.
    pub(super) fn polyline(&mut self, (index, name): (usize, &str), label: &str, points: &[(f64, f64)]) {
        let steps = thinned(points).map(|(x, y)| format!("{} {}", short(x), short(y))).collect::<Vec<_>>();
        // A path without length is a dot.
        let dot = if steps.len() == 1 { "h0" } else { "" };
        if !steps.is_empty() {
            self.svg.series(&class(index), name, &format!("M{}{dot}", steps.join("L")), label);
        }
    }

    /// Draws a series as straight lines from point to point, an upright bar at each x, from one y to another, and a small triangle
    /// that points up to a mark.
    pub(super) fn polyline_with_bars(
        &mut self,
        (index, name, title): (usize, &str, &str),
        points: &[(f64, f64)],
        bars: &[(f64, f64, f64)],
        mark: Option<(f64, f64)>,
    ) {
        let steps = points.iter().map(|(x, y)| format!("{} {}", short(*x), short(*y))).collect::<Vec<_>>();
        let bars = bars.iter().map(|(x, from, to)| format!("M{} {}V{}", short(*x), short(*from), short(*to)));
        if !steps.is_empty() {
            let mark = mark.map_or(String::new(), |(x, y)| format!("M{} {}l-4 7h8z", short(x), short(y)));
            let path = format!("M{}{}{mark}", steps.join("L"), bars.collect::<String>());
            self.svg.series(&class(index), name, &path, title);
        }
    }

    /// Draws a series as a staircase: along x, then up or down.
    pub(super) fn staircase(&mut self, (index, name): (usize, &str), label: &str, points: &[(f64, f64)]) {
        let mut thinned = thinned(points);
        let Some((x, y)) = thinned.next() else { return };
        let mut steps = format!("M{} {}", short(x), short(y));
        thinned.for_each(|(x, y)| steps.push_str(&format!("H{}V{}", short(x), short(y))));
        self.svg.series(&class(index), name, &steps, label);
    }

    /// Says in the middle that there is nothing to draw.
    pub(super) fn nothing(&mut self, why: &str) {
        let middle = ((LEFT + ACROSS.1) / 2.0, self.height / 2.0);
        self.svg.text("soft nothing", Anchor::Middle, middle, why);
    }
}

/// The classes of a line by its place among all: one beyond [`DISTINCT`] is off at the start.
fn class(index: usize) -> String {
    let colour = format!("line s{}", index % DISTINCT);
    if index < DISTINCT { colour } else { format!("{colour} d{} off", index / DISTINCT % DASHES) }
}

/// Where the entries of a legend stand: x, and the line.
fn legend(labels: &[&str]) -> Vec<(f64, f64)> {
    let (mut x, mut line) = (LEFT, 0.0);
    let place = |label: &&str| {
        let width = 29.0 + width_of(label) + 16.0;
        if x > LEFT && x + width > WIDTH {
            (x, line) = (LEFT, line + 1.0);
        }
        let place = (x, line);
        x += width;
        place
    };
    labels.iter().map(place).collect()
}

/// Points without those that lie within about a pixel of the one before; the last always stays.
fn thinned(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> {
    let mut kept: Option<(f64, f64)> = None;
    points.iter().enumerate().filter_map(move |(index, &point)| {
        let far = |kept: (f64, f64)| (kept.0 - point.0).abs() >= 1.2 || (kept.1 - point.1).abs() >= 1.2;
        let keep = index + 1 == points.len() || kept.is_none_or(far);
        keep.then(|| {
            kept = Some(point);
            point
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_legend_breaks_its_lines() {
        let places = legend(&["pons-11", "best-by-far-of-all-variants-that-are", "pons-12-with-directions", "a"]);
        assert_eq!(places.iter().map(|place| place.1).collect::<Vec<_>>(), [0.0, 0.0, 1.0, 1.0]);
        assert_eq!((places[0].0, places[2].0), (LEFT, LEFT));
        assert_eq!(legend(&[]), []);
    }

    #[test]
    fn a_million_points_are_no_more_than_the_picture_has_pixels() {
        let points: Vec<(f64, f64)> = (0..1_000_000).map(|i| (f64::from(i) / 2e3, 100.0)).collect();
        let kept: Vec<(f64, f64)> = thinned(&points).collect();
        assert!(kept.len() < 500, "{}", kept.len());
        assert_eq!((kept[0], kept.last()), (points[0], points.last()));
    }
}
