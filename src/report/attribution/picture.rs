//! The picture of an attribution, as SVG: a bar with its interval for each technique, and a square of interactions.
//!
//! Bars are drawn on a logarithmic scale: what lies right of 1 saves nodes.

use std::fmt::Write;

/// A bar: its name, its value and the ends of its interval; all above 0.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectBar {
    /// What stands beside it.
    pub label: String,
    /// The factor.
    pub value: f64,
    /// Its interval, where there is one.
    pub interval: Option<(f64, f64)>,
}

/// Pixels.
const ROW: f64 = 24.0;
const LABELS: f64 = 150.0;
const WIDTH: f64 = 760.0;
const CELL: f64 = 64.0;
/// A factor in full colour has at least this logarithm. So what hardly differs from 1 stays pale.
const LIGHT: f64 = 0.2;

/// The picture: bars on top, and a square below them. A cell of the square is the factor of two bars, given by index.
pub fn picture(title: &str, bars: &[EffectBar], pairs: &[(usize, usize, f64)]) -> String {
    let top = 2.0 * ROW;
    let square = top + (bars.len() as f64 + 2.0) * ROW;
    let height = square + (bars.len() as f64 + 1.0) * ROW;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>{0}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        escaped(title)
    );
    text(&mut svg, (8.0, 16.0), "start", title);
    text(
        &mut svg,
        (8.0, 32.0),
        "start",
        "By what each technique divides the nodes, 95 % intervals; below, interactions.",
    );
    draw_bars(&mut svg, top, bars);
    draw_square(&mut svg, square, bars, pairs);
    svg + "</svg>\n"
}

fn draw_bars(svg: &mut String, top: f64, bars: &[EffectBar]) {
    let ends =
        bars.iter().flat_map(|bar| [Some(bar.value), bar.interval.map(|ends| ends.0), bar.interval.map(|ends| ends.1)]);
    let logs: Vec<f64> = ends.flatten().map(f64::ln).collect();
    let (least, most) = logs.iter().fold((0.0f64, 0.1f64), |(least, most), &log| (least.min(log), most.max(log)));
    let x = |factor: f64| LABELS + (factor.ln() - least) / (most - least) * (WIDTH - LABELS - 80.0);
    for (index, bar) in bars.iter().enumerate() {
        let middle = top + (index as f64 + 0.5) * ROW;
        let (from, to) = (x(1.0).min(x(bar.value)), x(1.0).max(x(bar.value)));
        let color = if bar.value < 1.0 { "#c0504d" } else { "#4f81bd" };
        text(svg, (LABELS - 8.0, middle + 4.0), "end", &bar.label);
        rectangle(svg, (from, middle - 8.0), (to - from, 16.0), color);
        if let Some((low, high)) = bar.interval {
            line(svg, (x(low), middle), (x(high), middle));
            [low, high].into_iter().for_each(|end| line(svg, (x(end), middle - 4.0), (x(end), middle + 4.0)));
        }
        let right = x(bar.interval.map_or(bar.value, |ends| ends.1.max(bar.value))).max(to);
        text(svg, (right + 6.0, middle + 4.0), "start", &format!("{:.3}x", bar.value));
    }
    line(svg, (x(1.0), top), (x(1.0), top + bars.len() as f64 * ROW));
}

fn draw_square(svg: &mut String, top: f64, bars: &[EffectBar], pairs: &[(usize, usize, f64)]) {
    let most = pairs.iter().map(|pair| pair.2.ln().abs()).fold(LIGHT, f64::max);
    for (index, bar) in bars.iter().enumerate() {
        text(svg, (LABELS - 8.0, top + (index as f64 + 0.6) * ROW), "end", &bar.label);
        let short: String = bar.label.chars().take(10).collect();
        text(svg, (LABELS + (index as f64 + 0.5) * CELL, top - 6.0), "middle", &short);
    }
    for &(one, other, factor) in pairs {
        let strength = factor.ln().abs() / most;
        // From white to blue where two do more together, to red where they overlap.
        let pale = (255.0 - 140.0 * strength) as u8;
        let color = if factor < 1.0 { format!("rgb(255,{pale},{pale})") } else { format!("rgb({pale},{pale},255)") };
        for (row, column) in [(one, other), (other, one)] {
            let corner = (LABELS + column as f64 * CELL, top + row as f64 * ROW);
            rectangle(svg, corner, (CELL - 2.0, ROW - 2.0), &color);
            text(svg, (corner.0 + CELL / 2.0, corner.1 + 15.0), "middle", &format!("{factor:.2}"));
        }
    }
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, text: &str) {
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>", escaped(text));
}

fn line(svg: &mut String, from: (f64, f64), to: (f64, f64)) {
    let (x1, y1, x2, y2) = (from.0, from.1, to.0, to.1);
    let _ = writeln!(svg, "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"black\"/>");
}

fn rectangle(svg: &mut String, (x, y): (f64, f64), (width, height): (f64, f64), color: &str) {
    let _ =
        writeln!(svg, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{color}\"/>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bar_and_every_pair_is_drawn() {
        let bar = |label: &str, value: f64, interval| EffectBar { label: label.to_string(), value, interval };
        let bars = [bar("a<b", 8.0, Some((7.0, 9.0))), bar("c", 0.5, None)];
        let svg = picture("t & u", &bars, &[(0, 1, 1.25)]);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{svg}");
        assert!(svg.contains("a&lt;b") && svg.contains("t &amp; u") && svg.contains("8.000x"), "{svg}");
        // The ground, two bars and two cells; an interval of three lines and the line at 1.
        assert_eq!((svg.matches("<rect ").count(), svg.matches("<line ").count()), (5, 4));
        assert_eq!(svg.matches(">1.25<").count(), 2);
    }
}
