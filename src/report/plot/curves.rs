//! Curves of a ground: a line for each variant, over the positions that all of them were given.
//!
//! A cactus plot, a profile and budgets have no form beside the base: each sorts the positions of every variant by itself, so the
//! same place on two lines is not the same position, and a profile is relative already. By stones the lines have a common axis:
//! there each can be drawn beside the base ([`Picture::relative`]).

use crate::plot::budget::budget;
use crate::plot::cactus::cactus;
use crate::plot::pictures::{Picture, first};
use crate::plot::plies::{Curve, plies};
use crate::plot::profile::profile;
use crate::plot::scatters::Measure;
use crate::plot::solved::{self as plot, Share};
use crate::plot::svg::Svg;
use crate::plot::unit::Unit;
use crate::plot::{Costs, DISTINCT};
use crate::results::{Ground, Outcome, Series};
use crate::tables::solved;
use crate::tables::summary::Line;
use std::collections::BTreeMap;

/// Which lines a picture holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// Those that are shown: the first variant and the fastest, so many as can be told apart.
    Shown,
    /// The others too, hidden until they are asked for.
    All,
}

/// The curves of costs: cactus, profile, budgets, and means by stones where positions differ in them.
pub(super) fn curves(ground: &Ground, lines: &[Line], offered: Offered) -> Vec<Picture> {
    let shown = shown(ground, lines);
    let places = shared(ground, &shown);
    let drawn = drawn(ground, &shown, &places, offered);
    let of = |measure: Measure, columns: &[&Series]| -> Vec<Costs> {
        let values = |column: &Series| places.iter().map(|&place| cost(column, place, measure)).collect();
        columns.iter().map(|column| Costs { label: column.variant.clone(), values: values(column) }).collect()
    };
    let (times, nodes) = (of(Measure::Time, &drawn), of(Measure::Nodes, &drawn));
    // Who is the best is asked among those that ran in the same way: most of them.
    let at_run_time = 2 * shown.iter().filter(|column| column.run_time).count() > shown.len();
    let alike: Vec<&Series> = drawn.iter().filter(|column| column.run_time == at_run_time).copied().collect();
    let alike = of(Measure::Time, &alike);
    let which = which(ground, shown.len(), drawn.len(), places.len());
    let said = format!("{which}{}", ground.said_of_times());
    let picture = |name, title: &str, how: &str, svg| picture(name, title, format!("{how} {said}"), svg);
    let how = "Positions sorted by what each took, for every variant by itself: further right and lower is better.";
    let cactus = picture("cactus", "Cactus plot", how, cactus(&times, "time of a position", Unit::Time));
    let how = "Share of positions on which a variant took at most so many times the best time of any variant here \
               (Dolan and Moré): at 1x, how often it is the best; at the right end, how many it solves.";
    let profile = picture("profile", "Performance profile", how, profile(&alike, "times the best time of a position"));
    let how = "Share of positions solved when each may take so long.";
    let time = picture("budget-time", "Solved within a time", how, budget(&times, "time of a position", Unit::Time));
    let how = "Share of positions solved when each may take so many nodes.";
    let budget =
        picture("budget-nodes", "Solved within nodes", how, budget(&nodes, "nodes of a position", Unit::Count));
    let stones: Vec<u32> = places.iter().map(|&place| ground.places[place].ply).collect();
    let by_stones = of_stones(first(ground), &drawn, [&times, &nodes], &stones);
    let by_stones = by_stones.into_iter().map(|it| Picture { note: format!("{} {said}", it.note), ..it });
    [cactus, profile, time, budget].into_iter().chain(share_by_stones(ground, &drawn)).chain(by_stones).collect()
}

/// The share solved by stones, where some variant reached a limit and positions differ in their stones.
fn share_by_stones(ground: &Ground, drawn: &[&Series]) -> Option<Picture> {
    if !solved::has_limits(ground) || ground.places.iter().all(|place| place.ply == ground.places[0].ply) {
        return None;
    }
    let share = |part: &solved::Solved| Share { stones: part.stones, share: part.share(), interval: part.interval() };
    let curve = |column: &&Series| {
        let parts = solved::solved(ground, column, 1);
        (column.variant.clone(), parts.iter().map(share).collect())
    };
    let curves: Vec<(String, Vec<Share>)> = drawn.iter().map(curve).collect();
    let how = "Share of the positions with so many stones that a variant solves within its limits, with Wilson's 95 % \
               interval: higher is better.";
    Some(picture("solved-by-stones", "Solved within the limits, by stones", how.to_string(), plot::solved(&curves)))
}

fn picture(name: &'static str, title: &str, note: String, svg: Svg) -> Picture {
    Picture { name, title: title.to_string(), note, svg, relative: None }
}

/// Means by stones, of times and of nodes, each also relative to the base; none where all positions have as many stones.
fn of_stones(base: &str, drawn: &[&Series], [times, nodes]: [&[Costs]; 2], stones: &[u32]) -> Vec<Picture> {
    if stones.iter().all(|count| *count == stones[0]) {
        return Vec::new();
    }
    let of = |(name, title, costs, unit, measure): (&'static str, &str, &[Costs], Unit, Measure)| {
        let how = "Mean over the solved positions with so many stones on the board: lower is better, \
                   and relative to the base higher.";
        let axis = format!("mean {} of a position", measure.name());
        let plain = picture(name, title, how.to_string(), plies(&by_stones(costs, stones), &axis, unit));
        let axis = format!("{} of {base} divided by the variant's", measure.name());
        let relative = plies(&beside(drawn, costs, stones, measure), &axis, Unit::Ratio);
        Picture { relative: Some((format!("Relative to {base}"), relative)), ..plain }
    };
    [
        ("plies-time", "Time by stones", times, Unit::Time, Measure::Time),
        ("plies-nodes", "Nodes by stones", nodes, Unit::Count, Measure::Nodes),
    ]
    .map(of)
    .into()
}

/// The variants that get a line of their own: all, or the first and the fastest, in the order of tables.
fn shown<'a>(ground: &'a Ground, lines: &[Line]) -> Vec<&'a Series> {
    let mut order: Vec<usize> = (1..ground.columns.len()).collect();
    let speed = |index: &usize| lines.get(*index).and_then(|line| line.speedup).unwrap_or(0.0);
    order.sort_by(|one, other| speed(other).total_cmp(&speed(one)));
    let fastest = &order[..order.len().min(DISTINCT - 1)];
    let columns = ground.columns.iter().enumerate();
    columns.filter(|(index, _)| *index == 0 || fastest.contains(index)).map(|(_, column)| column).collect()
}

/// The positions that all these variants were measured on.
fn shared(ground: &Ground, columns: &[&Series]) -> Vec<usize> {
    (0..ground.places.len()).filter(|&place| columns.iter().all(|column| column.cells[place].is_some())).collect()
}

/// The lines of a picture: those that are shown, and behind them the others that have all these positions, if they are offered.
fn drawn<'a>(ground: &'a Ground, shown: &[&'a Series], places: &[usize], offered: Offered) -> Vec<&'a Series> {
    let is_new = |column: &&Series| shown.iter().all(|known| known.variant != column.variant);
    let has_all = |column: &&Series| places.iter().all(|&place| column.cells[place].is_some());
    let others = ground.columns.iter().filter(|_| offered == Offered::All).filter(is_new).filter(has_all);
    shown.iter().copied().chain(others).collect()
}

fn cost(column: &Series, place: usize, measure: Measure) -> Option<f64> {
    let cell = column.cells[place].as_ref().filter(|cell| cell.outcome == Outcome::Answered)?;
    measure.of(cell)
}

/// What a picture of so many variants and positions leaves out, or hides.
fn which(ground: &Ground, shown: usize, drawn: usize, positions: usize) -> String {
    let (all_variants, all_positions) = (ground.columns.len(), ground.places.len());
    let mut text = match shown {
        shown if shown == all_variants => String::new(),
        shown if shown == drawn => format!("Of {all_variants} variants the first and the {} fastest. ", shown - 1),
        shown => format!("At the start the first and the {} fastest of {drawn} variants are on. ", shown - 1),
    };
    match positions {
        1 if all_positions == 1 => text += "1 position.",
        count if count == all_positions => text += &format!("{count} positions."),
        count => text += &format!("The {count} of {all_positions} positions that all of them were given."),
    }
    text
}

/// The mean of each variant at every number of stones.
fn by_stones(costs: &[Costs], stones: &[u32]) -> Vec<Curve> {
    let of = |costs: &Costs| {
        let solved = costs.values.iter().zip(stones).filter_map(|(cost, stones)| Some((*stones, (*cost)?)));
        let points = sums(solved.map(|(stones, cost)| (stones, (cost, 1.0))));
        Curve { label: costs.label.clone(), points }
    };
    costs.iter().map(of).collect()
}

/// The base divided by each variant at every number of stones, over the positions that both solved. Times of what ran in another
/// way are not compared.
fn beside(drawn: &[&Series], costs: &[Costs], stones: &[u32], measure: Measure) -> Vec<Curve> {
    let of = |(column, ours): (&&Series, &Costs)| {
        let is_alike = measure == Measure::Nodes || column.run_time == drawn[0].run_time;
        let pairs = costs[0].values.iter().zip(&ours.values).zip(stones).filter(|_| is_alike);
        let pairs = pairs.filter_map(|((base, ours), stones)| Some((*stones, ((*base)?, (*ours)?))));
        Curve { label: ours.label.clone(), points: sums(pairs) }
    };
    drawn.iter().zip(costs).map(of).collect()
}

/// At every number of stones the sum of the first parts divided by that of the second.
fn sums(pairs: impl Iterator<Item = (u32, (f64, f64))>) -> Vec<(u32, f64)> {
    let mut sums: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    pairs.for_each(|(stones, (over, under))| {
        let sum = sums.entry(stones).or_default();
        *sum = (sum.0 + over, sum.1 + under);
    });
    let ratio =
        |(stones, (over, under)): (u32, (f64, f64))| (over > 0.0 && under > 0.0).then(|| (stones, over / under));
    sums.into_iter().filter_map(ratio).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use crate::tables::summary::summarise;
    use c4lab_measure::files::sample::Sample;
    use c4lab_measure::fixtures::sample;

    fn drawn_of(rows: &[Sample], offered: Offered) -> Vec<Picture> {
        let results = results(rows, &["a"]);
        curves(&results.grounds[0], &summarise(&results, 1), offered)
    }

    fn twenty() -> Vec<Sample> {
        (0..20).map(|i| sample(&if i == 0 { "a".into() } else { format!("v{i:02}") }, 1, 100 - 3 * i, 9)).collect()
    }

    #[test]
    fn the_page_offers_every_line_and_hides_most() {
        let (file, page) = (drawn_of(&twenty(), Offered::Shown), drawn_of(&twenty(), Offered::All));
        let lines = |picture: &Picture| picture.svg.to_string().matches("data-name=").count();
        assert_eq!((lines(&file[0]), lines(&page[0])), (DISTINCT, 20));
        let svg = page[0].svg.to_string();
        assert_eq!(svg.matches(" off\"").count(), 20 - DISTINCT);
        assert!(svg.contains("class=\"line s0\" data-name=\"a\"") && svg.contains("class=\"line s0 d1 off\""), "{svg}");
        assert!(page[0].note.contains("the first and the 7 fastest of 20 variants are on."), "{}", page[0].note);
    }

    #[test]
    fn means_by_stones_can_be_divided_by_the_base() {
        let at = |variant: &str, line: u64, ply: u32, ns: u64| Sample { ply, ..sample(variant, line, ns, ns) };
        let rows = [
            at("a", 1, 8, 100),
            at("a", 2, 8, 300),
            at("a", 3, 9, 900),
            at("b", 1, 8, 50),
            at("b", 2, 8, 50),
            at("b", 3, 9, 300),
        ];
        let results = results(&rows, &["a"]);
        let ground = &results.grounds[0];
        let columns: Vec<&Series> = ground.columns.iter().collect();
        let costs: Vec<Costs> = columns
            .iter()
            .map(|column| Costs {
                label: column.variant.clone(),
                values: (0..3).map(|place| cost(column, place, Measure::Time)).collect(),
            })
            .collect();
        assert_eq!(by_stones(&costs, &[8, 8, 9])[0].points, [(8, 200.0), (9, 900.0)]);
        assert_eq!(beside(&columns, &costs, &[8, 8, 9], Measure::Time)[1].points, [(8, 4.0), (9, 3.0)]);
        let pictures = drawn_of(&rows, Offered::All);
        assert!(pictures.iter().any(|picture| picture.name == "plies-time" && picture.relative.is_some()));
        assert!(
            drawn_of(&twenty(), Offered::All).iter().all(|picture| picture.relative.is_none()),
            "one number of stones"
        );
    }
}
