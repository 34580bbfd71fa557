//! SVG: a drawing as text. Numbers have one decimal: a tenth of a pixel.

use std::fmt::{self, Display, Write};

pub const STYLE: &str = include_str!("plot.css");

/// Height of the title of a picture in its own file.
const TITLE: f64 = 30.0;

/// A drawing. Its `Display` is an `<svg>` element for a page that has [`STYLE`].
#[derive(Clone, Debug, PartialEq)]
pub struct Svg {
    width: f64,
    height: f64,
    attributes: String,
    body: String,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Svg { width, height, attributes: String::new(), body: String::new() }
    }

    pub(super) fn attribute(&mut self, name: &str, value: impl Display) {
        let _ = write!(self.attributes, " {name}=\"{}\"", escape(&value.to_string()));
    }

    fn add(&mut self, text: fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.body.write_fmt(text);
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let [x, y, right, bottom] = [from.0, from.1, to.0, to.1].map(short);
        self.add(format_args!("<path class=\"{class}\" d=\"M{x} {y}L{right} {bottom}\"/>"));
    }

    /// A text whose `anchor` is at a point: its `start`, `middle` or `end`.
    pub(super) fn text(&mut self, class: &str, anchor: &str, at: (f64, f64), text: &str) {
        let anchor = if anchor == "start" { String::new() } else { format!(" text-anchor=\"{anchor}\"") };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let (x, y) = (short(at.0), short(at.1));
        self.add(format_args!("<text{class} x=\"{x}\" y=\"{y}\"{anchor}>{}</text>", escape(text)));
    }

    pub(super) fn text_upwards(&mut self, class: &str, at: (f64, f64), text: &str) {
        let (x, y) = (short(at.0), short(at.1));
        let turned = format!("transform=\"translate({x} {y}) rotate(-90)\" text-anchor=\"middle\"");
        self.add(format_args!("<text class=\"{class}\" {turned}>{}</text>", escape(text)));
    }

    pub(super) fn path(&mut self, class: &str, steps: &str, title: &str) {
        if !steps.is_empty() {
            self.add(format_args!("<path class=\"{class}\" d=\"{steps}\">{}</path>", titled(title)));
        }
    }

    pub(super) fn rectangle(&mut self, class: &str, one: (f64, f64), other: (f64, f64), title: &str) {
        let (x, y) = (one.0.min(other.0), one.1.min(other.1));
        let [x, y, width, height] = [x, y, (one.0 - other.0).abs(), (one.1 - other.1).abs()].map(short);
        let place = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
        self.add(format_args!("<rect class=\"{class}\" {place}>{}</rect>", titled(title)));
    }

    /// The element with an `aria-label`, for screen readers.
    pub fn labelled(&self, label: &str) -> String {
        let mut labelled = self.clone();
        labelled.attribute("aria-label", label);
        labelled.to_string()
    }

    pub fn alone(&self, title: &str) -> String {
        let (width, height) = (short(self.width), short(self.height + TITLE));
        let (title, middle) = (escape(title), short(self.width / 2.0));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 {} {width} {height}\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
             <rect class=\"paper\" y=\"{}\" width=\"{width}\" height=\"{height}\"/>\n\
             <text class=\"title\" x=\"{middle}\" y=\"-10\" text-anchor=\"middle\">{title}</text>\n{}\n</svg>\n",
            -TITLE, -TITLE, self.body
        )
    }
}

impl Display for Svg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Svg { width, height, attributes, body } = self;
        write!(f, "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 {width} {height}\"{attributes}>{body}</svg>")
    }
}

fn titled(title: &str) -> String {
    if title.is_empty() { String::new() } else { format!("<title>{}</title>", escape(title)) }
}

pub(super) fn short(number: f64) -> String {
    let rounded = (number * 10.0).round() / 10.0;
    // No negative zero.
    format!("{}", rounded + 0.0)
}

/// Escapes a text for HTML and SVG, also within quotation marks. Characters that XML does not allow are left out.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => safe.push(c),
        }
    }
    safe
}

/// The approximate width of a text in pixels: its font is unknown here.
pub(super) fn width_of(text: &str) -> f64 {
    6.9 * text.chars().count() as f64
}

/// The text, cut in the middle if it is wider than `width` pixels, since names differ at their ends.
pub(super) fn fitted(text: &str, width: f64) -> String {
    let most = (width / 6.9) as usize;
    if text.chars().count() <= most {
        return text.to_string();
    }
    let (tail, count) = (most / 2, text.chars().count());
    let head = text.chars().take(most.saturating_sub(tail + 1));
    head.chain(['…']).chain(text.chars().skip(count - tail)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::testing::assert_sound;

    #[test]
    fn texts_cannot_become_markup() {
        assert_eq!(
            escape("<script>\"a\" & 'b'\u{0}</script>"),
            "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/script&gt;"
        );
        let mut svg = Svg::new(10.0, 10.0);
        svg.text("", "middle", (1.0, 2.0), "<b>");
        svg.rectangle("c", (5.0, 5.0), (1.0, 2.0), "\"</svg>");
        svg.attribute("data-x", "\"><script>");
        assert!(!svg.to_string().contains("<b>") && !svg.to_string().contains("<script>"));
        assert!(svg.to_string().contains("x=\"1\" y=\"2\" width=\"4\" height=\"3\""), "{svg}");
        assert_sound(&svg.to_string());
        assert_sound(&svg.alone("<title>"));
    }

    #[test]
    fn a_file_brings_its_style_and_a_page_has_it() {
        let svg = Svg::new(10.0, 10.0);
        assert!(svg.alone("t").contains("prefers-color-scheme") && svg.alone("t").contains(">t</text>"));
        assert!(!svg.to_string().contains("style"));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([1.0, 0.04, -0.04, 12.3456, -7.25].map(short), ["1", "0", "0", "12.3", "-7.3"]);
        assert_eq!((fitted("pons-12", 100.0).as_str(), fitted("pons-12", 30.0).as_str()), ("pons-12", "p…12"));
    }
}
