//! Scatters of a ground: the dots of a pair of variants, in time and in nodes, with axes that are the same for all pairs.

use crate::plot::pictures::{Picture, meet};
use crate::plot::scatter::{Dot, scatter};
use crate::plot::unit::Unit;
use crate::results::{Ground, Observed, Outcome, Series, pairs, unmarked};
use crate::tables::summary::Line;

/// The most positions of a ground that are drawn as dots.
pub const MOST: usize = 5000;

/// What is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Nanoseconds; twice the limit where it was reached.
    Time,
    /// Nodes.
    Nodes,
}

impl Measure {
    /// What a cell took.
    pub fn of(self, cell: &Observed) -> Option<f64> {
        match self {
            Measure::Time => cell.ns(),
            Measure::Nodes => cell.nodes,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Measure::Time => "time",
            Measure::Nodes => "nodes",
        }
    }

    fn unit(self) -> Unit {
        match self {
            Measure::Time => Unit::Time,
            Measure::Nodes => Unit::Count,
        }
    }
}

/// The scatters of the first pair of a ground, in time and in nodes, with so many dots at most.
pub fn scatters(ground: &Ground, lines: &[Line], most: usize) -> Vec<Picture> {
    let Some((base, variant)) = first_pair(ground, lines) else { return Vec::new() };
    let (base, variant) = (&ground.columns[base], &ground.columns[variant]);
    let places = sampled(ground.places.len(), most);
    // A program that does not tell its nodes has none to draw.
    let told = |column: &Series| {
        let cells = || column.cells.iter().flatten();
        cells().all(|cell| cell.outcome != Outcome::Answered) || cells().any(|cell| cell.nodes.is_some())
    };
    let mut pictures = vec![of(ground, (base, variant), &places, Measure::Time)];
    match [base, variant].into_iter().find(|column| !told(column)) {
        None => pictures.push(of(ground, (base, variant), &places, Measure::Nodes)),
        // Not left out in silence.
        Some(program) => {
            pictures[0].note += &format!(
                " There is no such picture of nodes: {} is another program, and what it counts as a node is its own.",
                unmarked(&program.variant)
            )
        }
    }
    pictures
}

fn of(ground: &Ground, (base, variant): (&Series, &Series), places: &[usize], measure: Measure) -> Picture {
    let mut kept = vec![false; ground.places.len()];
    places.iter().for_each(|&place| kept[place] = true);
    let alike = measure == Measure::Nodes || base.run_time == variant.run_time;
    let both = pairs(base, variant).filter(|(place, ..)| alike && kept[*place]);
    let dot = |(_, base, variant): (usize, &Observed, &Observed)| {
        let is_limited = [base, variant].iter().any(|cell| cell.outcome == Outcome::Limited);
        Some(Dot { x: measure.of(base)?, y: measure.of(variant)?, is_limited })
    };
    let dots: Vec<Dot> = both.filter_map(dot).collect();
    let name = measure.name();
    let titles = [base, variant].map(|column| format!("{name} of {}", column.variant));
    let svg = scatter(&dots, range(ground, measure), (&titles[0], &titles[1]), measure.unit());
    let note = format!(
        "A dot a position; below the diagonal the variant of the vertical axis takes less.{}{}",
        if dots.iter().any(|dot| dot.is_limited) {
            " A cross reached a limit and counts with twice the limit."
        } else {
            ""
        },
        part(places.len(), ground.places.len())
    );
    let (title, name) = match measure {
        Measure::Time => ("Times, position by position", "scatter-time"),
        Measure::Nodes => ("Nodes, position by position", "scatter-nodes"),
    };
    Picture { name, title: title.to_string(), note, svg, relative: None }
}

/// Says that only a part of the positions is drawn, where it is.
pub fn part(drawn: usize, all: usize) -> String {
    if drawn < all { format!(" {drawn} of {all} positions are drawn, evenly through the set.") } else { String::new() }
}

/// The least and the greatest value of all variants of a ground.
fn range(ground: &Ground, measure: Measure) -> Option<(f64, f64)> {
    let cells = ground.columns.iter().flat_map(|column| column.cells.iter().flatten());
    let values = cells.filter_map(|cell| measure.of(cell)).filter(|value| *value > 0.0);
    values.fold(None, |range, value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((value.min(low), value.max(high)))
    })
}

/// The indices of the first variant and of the fastest other that it has a position in common with.
pub fn first_pair(ground: &Ground, lines: &[Line]) -> Option<(usize, usize)> {
    let speed = |index: &usize| lines.get(*index).and_then(|line| line.speedup).unwrap_or(0.0);
    let base = ground.columns.first()?;
    let others = (1..ground.columns.len()).filter(|&index| meet(base, &ground.columns[index]));
    // Of equally fast ones the first.
    let fastest = others.rev().max_by(|one, other| speed(one).total_cmp(&speed(other)))?;
    // Beside one that ran at run time stands the twin of the first.
    let timed = ground.timed_base(base, &ground.columns[fastest]).unwrap_or(base);
    let place = ground.columns.iter().position(|column| column.variant == timed.variant);
    Some((place.unwrap_or(0), fastest))
}

/// So many of a ground's positions at most, evenly through the set: always the same.
pub fn sampled(count: usize, most: usize) -> Vec<usize> {
    let kept = count.min(most);
    (0..kept).map(|index| index * count / kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use crate::tables::summary::summarise;
    use c4lab_measure::files::sample::{Sample, Status};
    use c4lab_measure::fixtures::sample;

    #[test]
    fn positions_are_drawn_evenly() {
        assert_eq!(sampled(3, 5), [0, 1, 2]);
        assert_eq!(sampled(10, 4), [0, 2, 5, 7]);
        assert_eq!(sampled(0, 4), [0; 0]);
    }

    #[test]
    fn the_first_pair_is_the_first_variant_and_the_fastest() {
        let limited = Sample { status: Status::Timeout, limit_ns: Some(500), score: None, ..sample("c", 2, 500, 9) };
        let rows =
            [sample("a", 1, 100, 10), sample("b", 1, 50, 5), sample("c", 1, 20, 2), sample("a", 2, 100, 1), limited];
        let results = results(&rows, &["a"]);
        let lines = summarise(&results, 1);
        let ground = &results.grounds[0];
        assert_eq!(first_pair(ground, &lines), Some((0, 1)), "with its limit c is slower");
        assert_eq!(range(ground, Measure::Time), Some((20.0, 1000.0)));
        assert_eq!(range(ground, Measure::Nodes), Some((1.0, 10.0)));
        let pair = (&ground.columns[0], &ground.columns[2]);
        let note = of(ground, pair, &[0, 1], Measure::Time).note;
        assert!(note.contains("takes less. A cross") && !note.contains("are drawn"), "{note}");
        assert!(
            of(ground, pair, &[0], Measure::Nodes)
                .note
                .ends_with("1 of 2 positions are drawn, evenly through the set.")
        );
    }

    #[test]
    fn nodes_of_another_program_are_not_drawn_and_that_is_said() {
        let theirs = Sample { nodes: None, engine_nodes: Some(7), ..sample("theirs", 1, 50, 0) };
        let results = results(&[sample("a", 1, 100, 10), theirs], &["a"]);
        let pictures = scatters(&results.grounds[0], &summarise(&results, 1), MOST);
        assert_eq!(pictures.iter().map(|picture| picture.name).collect::<Vec<_>>(), ["scatter-time"]);
        assert!(pictures[0].note.contains("theirs is another program"), "{}", pictures[0].note);
    }

    #[test]
    fn one_variant_has_no_scatter() {
        let results = results(&[sample("a", 1, 100, 10)], &[]);
        assert!(scatters(&results.grounds[0], &summarise(&results, 1), MOST).is_empty());
    }
}
