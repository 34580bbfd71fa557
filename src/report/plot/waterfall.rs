//! Waterfall: from one variant to another, step by step. Each bar begins where the one before ended, on a logarithmic
//! axis; the last row is the product.

use crate::plot::rows::BarRows;
use crate::plot::svg::Svg;
use crate::plot::unit::Unit;

/// A step.
#[derive(Clone, Debug, PartialEq)]
pub struct Stair {
    /// What it leads to.
    pub label: String,
    /// The time before divided by the time after; `None` where they cannot be compared.
    pub time: Option<f64>,
    /// The same of nodes.
    pub nodes: Option<f64>,
}

/// What a row shows of a step.
#[derive(Clone, Copy)]
struct BarKind {
    name: &'static str,
    /// Classes of a gain, a loss.
    classes: [&'static str; 2],
    /// How far below the middle of the row.
    offset: f64,
    of: fn(&Stair) -> Option<f64>,
}

const KINDS: [BarKind; 2] = [
    BarKind { name: "time", classes: ["better", "worse"], offset: -7.0, of: |step| usable(step.time) },
    BarKind { name: "nodes", classes: ["fewer", "more"], offset: 7.0, of: |step| usable(step.nodes) },
];

fn usable(factor: Option<f64>) -> Option<f64> {
    factor.filter(|factor| factor.is_finite() && *factor > 0.0)
}

/// Draws it: of each step the factor in time, and below it that in nodes. `from` is what it starts at.
pub fn waterfall(from: &str, steps: &[Stair]) -> Svg {
    let mut labels: Vec<&str> = steps.iter().map(|step| step.label.as_str()).collect();
    labels.extend((!steps.is_empty()).then_some("all steps"));
    let reached = KINDS.iter().flat_map(|kind| products(steps, kind.of));
    let title = format!("times better than {from}: time (strong), nodes (pale)");
    let mut rows = BarRows::new(&labels, 34.0, reached, &title);
    for kind in KINDS {
        let mut before = 1.0;
        for (row, step) in steps.iter().enumerate() {
            before = draw(&mut rows, row, step, kind, before);
        }
        if !steps.is_empty() {
            let middle = rows.middle(steps.len()) + kind.offset;
            let title = format!("all: {} in {}", Unit::Ratio.tick(before), kind.name);
            rows.bar("total", (1.0, before), (middle, 11.0), &title);
            rows.number(middle, &Unit::Ratio.tick(before));
        }
    }
    rows.svg
}

/// Draws a step and gives where it ended. One that cannot be compared ends where it began.
fn draw(rows: &mut BarRows, row: usize, step: &Stair, kind: BarKind, before: f64) -> f64 {
    let middle = rows.middle(row) + kind.offset;
    let Some(factor) = (kind.of)(step) else {
        rows.number(middle, "-");
        return before;
    };
    let after = before * factor;
    let class = kind.classes[usize::from(factor < 1.0)];
    let title = format!("{}: {} in {}", step.label, Unit::Ratio.tick(factor), kind.name);
    rows.bar(class, (before, after), (middle, 11.0), &title);
    rows.number(middle, &Unit::Ratio.tick(factor));
    after
}

/// What the steps up to each come to.
fn products(steps: &[Stair], of: fn(&Stair) -> Option<f64>) -> Vec<f64> {
    let mut product = 1.0;
    let mut after = |step| {
        product *= of(step).unwrap_or(1.0);
        product
    };
    steps.iter().map(&mut after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::tests::assert_sound;

    fn step(label: &str, time: Option<f64>, nodes: Option<f64>) -> Stair {
        Stair { label: label.to_string(), time, nodes }
    }

    /// Left and right end of every bar of a class.
    fn ends(svg: &str, class: &str) -> Vec<(f64, f64)> {
        let number = |tag: &str, name: &str| -> f64 {
            tag.split_once(&format!(" {name}=\"")).unwrap().1.split('"').next().unwrap().parse().unwrap()
        };
        let tags = svg.split("<rect ").skip(1).filter(|tag| tag.starts_with(&format!("class=\"{class}\"")));
        tags.map(|tag| (number(tag, "x"), number(tag, "x") + number(tag, "width"))).collect()
    }

    #[test]
    fn a_bar_begins_where_the_one_before_ended() {
        let steps = [step("b", Some(10.0), Some(2.0)), step("c", Some(0.5), None), step("d", Some(4.0), Some(3.0))];
        let svg = waterfall("a", &steps).to_string();
        let (gains, losses, all) = (ends(&svg, "better"), ends(&svg, "worse"), ends(&svg, "total"));
        assert!((gains[0].1 - losses[0].1).abs() < 0.2, "a loss goes back from where the gain ended");
        assert!((losses[0].0 - gains[1].0).abs() < 0.2);
        assert!((all[0].1 - gains[1].1).abs() < 0.2 && (all[0].0 - gains[0].0).abs() < 0.2);
        let nodes = ends(&svg, "fewer");
        assert!((nodes[0].1 - nodes[1].0).abs() < 0.2, "a step that cannot be compared moves nothing");
        assert!(svg.contains("all: 20x in time") && svg.contains("all: 6x in nodes"), "{svg}");
        assert_sound(&svg);
    }

    #[test]
    fn no_step_and_steps_without_factors() {
        let svg = waterfall("a", &[]).to_string();
        assert!(svg.contains("nothing to compare"));
        assert_sound(&svg);
        let svg = waterfall("<a>", &[step("b", None, Some(0.0)), step("c", Some(f64::INFINITY), None)]).to_string();
        assert!(ends(&svg, "better").is_empty() && svg.contains("all: 1x in time") && !svg.contains("<a>"));
        assert_sound(&svg);
    }
}
