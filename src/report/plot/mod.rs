//! Pictures: plain numbers in, SVG out. Nothing here knows of sets or samples.
//!
//! Colours are classes, so that the page and a file that is looked at alone can each be light or dark; texts stay texts.

pub mod anatomy;
pub mod bars;
pub mod budget;
pub mod cactus;
pub mod curves;
mod frame;
pub mod heat;
mod parts;
pub mod pictures;
pub mod plies;
pub mod profile;
mod rows;
mod scale;
pub mod scatter;
pub mod scatters;
pub mod solved;
pub mod square;
pub mod svg;
pub mod threads;
pub mod unit;
pub mod waterfall;

/// Lines that can be told apart in one picture: four colours, and the same number of dashed ones. In the page a picture may
/// hold more: these are hidden until somebody asks for them, and bear the same colours with other dashes.
pub const DISTINCT: usize = 8;

/// What one variant took on positions; the same positions, in the same order, for all variants of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Costs {
    /// The variant.
    pub label: String,
    /// Time or nodes of each position; `None` where it was not solved.
    pub values: Vec<Option<f64>>,
}

impl Costs {
    /// Costs of the positions that were solved, the least first.
    fn sorted(&self) -> Vec<f64> {
        let mut solved: Vec<f64> = self.values.iter().copied().flatten().filter(|cost| cost.is_finite()).collect();
        solved.sort_unstable_by(f64::total_cmp);
        solved
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Costs of a variant.
    pub(crate) fn costs(label: &str, values: &[Option<f64>]) -> Costs {
        Costs { label: label.to_string(), values: values.to_vec() }
    }

    /// The numbers of the paths of a class: one list a path, in the order of drawing.
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
