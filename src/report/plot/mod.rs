//! Pictures as SVG. Colours are CSS classes, so that pictures can be light or dark, on the page and in files.
//!
//! [`pictures`] chooses the numbers of a group; the other files draw numbers and know nothing of sets or samples.

pub mod chart;
pub mod pictures;
mod scale;
pub mod svg;

/// The most lines that can be told apart in one picture: four colours, solid and dashed.
pub const DISTINCT: usize = 8;

#[cfg(test)]
pub(crate) mod testing {
    /// The numbers in the paths of a class: one list for each path, in the order of drawing.
    pub(crate) fn paths(svg: &str, class: &str) -> Vec<Vec<f64>> {
        let numbers = |path: &str| -> Vec<f64> {
            let steps = path.split_once(" d=\"").unwrap().1.split('"').next().unwrap();
            let numbers = steps.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-'));
            numbers.filter(|text| !text.is_empty()).map(|text| text.parse().unwrap()).collect()
        };
        let wanted = format!("class=\"{class}");
        svg.split("<path").skip(1).filter(|path| path.trim_start().starts_with(&wanted)).map(numbers).collect()
    }

    /// Checks that a text is well-formed enough for a browser: tags closed in order, every number a finite one.
    pub(crate) fn assert_sound(svg: &str) {
        let mut open = Vec::new();
        for tag in svg.split('<').skip(1) {
            let tag = tag.split('>').next().unwrap();
            let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name), "{svg}");
            } else if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty() && !svg.contains("NaN") && !svg.contains("inf\"") && !svg.contains("inf "), "{svg}");
    }
}
