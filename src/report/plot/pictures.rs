//! Pictures of a group, and their numbers. docs/METHODOLOGY.md says how to read each.
//!
//! | name | what it shows |
//! | --- | --- |
//! | `speedup` | ratio of the first variant's total time and that of each variant, with its interval |
//! | `cactus` | positions sorted by time, for every variant by itself |
//! | `profile` | share of positions within a factor of the best time (E. Dolan, J. Moré, 2002) |
//! | `scatter-time`, `scatter-nodes` | the first variant and the fastest other, position by position |

use crate::plot::DISTINCT;
use crate::plot::chart::{Axis, Bar, Dot, Line as ChartLine, Unit, bars, lines, scatter};
use crate::plot::scale::range;
use crate::plot::svg::Svg;
use crate::results::{CellResult, Group, Outcome, Series, pairs};
use crate::tables::summary::Line;
use anyhow::Result;
use c4lab_measure::files::atomic;
use std::collections::BTreeMap;
use std::path::Path;

pub const MOST: usize = 5000;

#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub name: &'static str,
    pub title: String,
    pub note: String,
    pub svg: Svg,
}

impl Picture {
    pub fn new(name: &'static str, title: &str, note: impl Into<String>, svg: Svg) -> Self {
        Picture { name, title: title.to_string(), note: note.into(), svg }
    }
}

/// All pictures of a group, scatters last. A scatter has at most `most` dots. `summary` has a line for each column.
pub fn pictures(group: &Group, summary: &[Line], most: usize) -> Vec<Picture> {
    let mut pictures = vec![speedups(group, summary)];
    pictures.extend(curves(group, summary));
    pictures.extend(scatters(group, summary, most));
    pictures
}

/// Each group with its lines, where `lines` are the summary of all groups in their order.
pub fn by_group<'a>(groups: &'a [Group], mut lines: &'a [Line]) -> Vec<(&'a Group, &'a [Line])> {
    let mut of_groups = Vec::new();
    for group in groups {
        let (own, rest) = lines.split_at(group.series.len().min(lines.len()));
        debug_assert!(own.iter().zip(&group.series).all(|(line, series)| line.variant == series.variant));
        of_groups.push((group, own));
        lines = rest;
    }
    of_groups
}

/// Writes all pictures of all groups as files `SET-GOAL-NAME.svg`, and returns their number.
pub fn write(folder: &Path, groups: &[Group], lines: &[Line]) -> Result<usize> {
    let (mut names, mut count): (BTreeMap<String, usize>, _) = (BTreeMap::new(), 0);
    for (group, lines) in by_group(groups, lines) {
        for picture in pictures(group, lines, MOST) {
            let name = format!("{}-{}-{}", file_name(&group.set), group.goal.name(), picture.name);
            // Groups of two machines, or of two sets of one name, have equal names.
            let seen = names.entry(name.clone()).or_default();
            *seen += 1;
            let name = if *seen > 1 { format!("{name}-{seen}.svg") } else { format!("{name}.svg") };
            let title = format!("{}: {}", group.title(), picture.title);
            atomic::write(&folder.join(name), picture.svg.alone(&title).as_bytes())?;
            count += 1;
        }
    }
    Ok(count)
}

fn file_name(set: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._".contains(c) { c } else { '-' };
    let name: String = set.chars().map(plain).collect();
    name.trim_start_matches(['.', '-']).to_string()
}

fn first(group: &Group) -> &str {
    group.series.first().map_or("nothing", |series| &series.variant)
}

fn speedups(group: &Group, summary: &[Line]) -> Picture {
    let bar = |line: &Line| Bar {
        label: line.variant.clone(),
        value: line.speedup,
        interval: line.speedup_low.zip(line.speedup_high),
    };
    let rows: Vec<Bar> = summary.iter().map(bar).collect();
    let note = format!(
        "Total time of {} divided by the variant's, over the positions that both have, with its 95 % interval. Right of the line \
         at 1 is faster.{}",
        first(group),
        group.said_of_limits()
    );
    Picture::new("speedup", "Speed-up", note, bars(&rows, &format!("times faster than {}", first(group))))
}

/// Cactus plot and profile of the first variant and the fastest others, over the positions measured with all of them.
fn curves(group: &Group, summary: &[Line]) -> [Picture; 2] {
    let shown = shown(group, summary);
    let places: Vec<usize> =
        (0..group.places.len()).filter(|&place| shown.iter().all(|series| series.cells[place].is_some())).collect();
    let costs = |series: &Series| -> Vec<Option<f64>> {
        let answered = |cell: &&CellResult| cell.outcome == Outcome::Answered;
        places.iter().map(|&place| series.cells[place].as_ref().filter(answered)?.ns().map(|ns| ns.max(1.0))).collect()
    };
    let said = format!("{}{}", which(group, shown.len(), places.len()), group.said_of_times());
    let of_all = |series: &[&'_ Series]| -> Vec<(String, Vec<Option<f64>>)> {
        series.iter().map(|series| (series.variant.clone(), costs(series))).collect()
    };
    let how = "Positions sorted by their time, for every variant by itself: further right and lower is better.";
    let cactus = Picture::new("cactus", "Cactus plot", format!("{how} {said}"), cactus(&of_all(&shown)));
    // Times of dynamic and compiled variants are not compared: the profile has the kind of most variants.
    let at_run_time = 2 * shown.iter().filter(|series| series.run_time).count() > shown.len();
    let alike: Vec<&Series> = shown.into_iter().filter(|series| series.run_time == at_run_time).collect();
    let how = "Share of positions that a variant solves within a factor of the best time of any variant here (Dolan and Moré): \
               at 1x, the share on which it is the best; at the right end, the share that it solves.";
    [cactus, Picture::new("profile", "Performance profile", format!("{how} {said}"), profile(&of_all(&alike)))]
}

fn cactus(costs: &[(String, Vec<Option<f64>>)]) -> Svg {
    let mut drawn = Vec::new();
    for (label, costs) in costs {
        let mut solved: Vec<f64> = costs.iter().copied().flatten().collect();
        solved.sort_unstable_by(f64::total_cmp);
        let about = format!("{label}: {} of {} solved", solved.len(), costs.len());
        let points = solved.iter().enumerate().map(|(rank, &cost)| (rank as f64 + 1.0, cost)).collect();
        drawn.push(ChartLine { label: label.clone(), about, points });
    }
    let most = drawn.iter().map(|line| line.points.len()).max().unwrap_or_default();
    let x = Axis { title: "positions solved", unit: Unit::Count, linear: Some((0.0, most as f64)) };
    lines(x, Axis { title: "time of a position", unit: Unit::Time, linear: None }, &drawn, false)
}

fn profile(costs: &[(String, Vec<Option<f64>>)]) -> Svg {
    let count = costs.first().map_or(0, |(_, costs)| costs.len());
    let best: Vec<f64> = (0..count)
        .map(|place| costs.iter().filter_map(|(_, costs)| costs[place]).fold(f64::INFINITY, f64::min))
        .collect();
    let of = |costs: &[Option<f64>]| {
        let mut ratios: Vec<f64> = costs.iter().zip(&best).filter_map(|(cost, best)| Some((*cost)? / best)).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        ratios
    };
    let ratios: Vec<Vec<f64>> = costs.iter().map(|(_, costs)| of(costs)).collect();
    let end = ratios.iter().filter_map(|ratios| ratios.last()).fold(1.0, |most, &ratio| f64::max(most, ratio));
    let mut drawn = Vec::new();
    for ((label, _), ratios) in costs.iter().zip(&ratios).filter(|(_, ratios)| !ratios.is_empty()) {
        let share = |solved: usize| solved as f64 / count as f64;
        let bests = ratios.iter().filter(|ratio| **ratio <= 1.0).count();
        let mut points = vec![(1.0, share(bests))];
        points.extend(ratios.iter().enumerate().skip(bests).map(|(rank, &ratio)| (ratio, share(rank + 1))));
        points.push((end, share(ratios.len())));
        let about = format!("{label}: best on {bests} of {count} positions");
        drawn.push(ChartLine { label: label.clone(), about, points });
    }
    let x = Axis { title: "times the best time of a position", unit: Unit::Ratio, linear: None };
    lines(x, Axis { title: "positions", unit: Unit::Share, linear: Some((0.0, 1.0)) }, &drawn, true)
}

/// The variants that get a line, in the order of tables: all, or the first and the fastest others.
fn shown<'a>(group: &'a Group, summary: &[Line]) -> Vec<&'a Series> {
    let mut order: Vec<usize> = (1..group.series.len()).collect();
    order.sort_by(|one, other| speed(summary, *other).total_cmp(&speed(summary, *one)));
    let fastest = &order[..order.len().min(DISTINCT - 1)];
    let series = group.series.iter().enumerate();
    series.filter(|(index, _)| *index == 0 || fastest.contains(index)).map(|(_, series)| series).collect()
}

fn speed(summary: &[Line], index: usize) -> f64 {
    summary.get(index).and_then(|line| line.speedup).unwrap_or(0.0)
}

fn which(group: &Group, shown: usize, positions: usize) -> String {
    let (variants, all) = (group.series.len(), group.places.len());
    let of = match shown {
        shown if shown == variants => String::new(),
        shown => format!("The first of {variants} variants and the {} fastest others. ", shown - 1),
    };
    match positions {
        1 if all == 1 => of + "1 position.",
        count if count == all => of + &format!("{count} positions."),
        count => of + &format!("The {count} of {all} positions that were measured with all of them."),
    }
}

fn scatters(group: &Group, summary: &[Line], most: usize) -> Vec<Picture> {
    let Some((base, variant)) = first_pair(group, summary) else { return Vec::new() };
    let pair = (&group.series[base], &group.series[variant]);
    let nodes: fn(&CellResult) -> Option<f64> = |cell| cell.nodes;
    let mut times = scatter_of(group, pair, most, CellResult::ns, ("time", Unit::Time));
    // An engine that does not state its nodes has none to draw.
    let states = |series: &Series| {
        let cells = || series.cells.iter().flatten();
        cells().all(|cell| cell.outcome != Outcome::Answered) || cells().any(|cell| cell.nodes.is_some())
    };
    match [pair.0, pair.1].into_iter().find(|series| !states(series)) {
        None => vec![times, scatter_of(group, pair, most, nodes, ("nodes", Unit::Count))],
        Some(program) => {
            let name = &program.name;
            times.note += &format!(
                " There is no such picture of nodes: {name} is another program, and counts nodes in its own way."
            );
            vec![times]
        }
    }
}

fn scatter_of(
    group: &Group,
    (base, variant): (&Series, &Series),
    most: usize,
    cost: fn(&CellResult) -> Option<f64>,
    (what, unit): (&str, Unit),
) -> Picture {
    let is_time = unit == Unit::Time;
    let places = sampled(group.places.len(), most);
    let mut dots = Vec::new();
    for (place, base_cell, cell) in pairs(base, variant) {
        let is_comparable = !is_time || base.run_time == variant.run_time;
        if let (Some(x), Some(y), true) =
            (cost(base_cell), cost(cell), is_comparable && places.binary_search(&place).is_ok())
        {
            let is_limited = [base_cell, cell].iter().any(|cell| cell.outcome == Outcome::Limited);
            dots.push(Dot { x, y, is_limited });
        }
    }
    let cells = group.series.iter().flat_map(|series| series.cells.iter().flatten());
    let range = range(cells.filter_map(cost));
    let titles = [base, variant].map(|series| format!("{what} of {}", series.variant));
    let mut note =
        "One dot for each position; below the diagonal the variant of the vertical axis takes less.".to_string();
    if dots.iter().any(|dot| dot.is_limited) {
        note += " A cross is a position that reached a limit and counts with twice the limit.";
    }
    if places.len() < group.places.len() {
        note += &format!(" {} of {} positions are drawn, evenly through the set.", places.len(), group.places.len());
    }
    let svg = scatter(&dots, range, [&titles[0], &titles[1]], unit);
    if is_time {
        Picture::new("scatter-time", "Times, position by position", note, svg)
    } else {
        Picture::new("scatter-nodes", "Nodes, position by position", note, svg)
    }
}

/// The indices of the first variant and of the fastest other variant with a common position.
pub fn first_pair(group: &Group, summary: &[Line]) -> Option<(usize, usize)> {
    let base = group.series.first()?;
    let others = (1..group.series.len()).filter(|&index| pairs(base, &group.series[index]).next().is_some());
    // Of equally fast variants the first.
    let fastest = others.rev().max_by(|one, other| speed(summary, *one).total_cmp(&speed(summary, *other)))?;
    // A dynamic variant is compared with the dynamic counterpart of the first variant.
    let timed = group.timed_base(base, &group.series[fastest]).unwrap_or(base);
    let place = group.series.iter().position(|series| series.variant == timed.variant);
    Some((place.unwrap_or(0), fastest))
}

/// The indices of `most` of `count` positions, spread evenly; of all if there are fewer.
pub fn sampled(count: usize, most: usize) -> Vec<usize> {
    let kept = count.min(most);
    (0..kept).map(|index| index * count / kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::testing::assert_sound;
    use crate::results::tests::{Sample, Status, results, sample};
    use crate::tables::summary::summarise;

    fn drawn(rows: &[Sample]) -> Vec<Picture> {
        let results = results(rows, &["a"]);
        pictures(&results.groups[0], &summarise(&results, 1), MOST)
    }

    fn find<'a>(pictures: &'a [Picture], name: &str) -> &'a Picture {
        pictures.iter().find(|picture| picture.name == name).unwrap()
    }

    #[test]
    fn many_variants_are_the_first_and_the_fastest() {
        let spec = |rung: u64| (0..20).map(|i| format!("x{i}={}", u8::from(i < rung))).collect::<Vec<_>>().join(",");
        let name = |rung: u64| if rung == 0 { "a".to_string() } else { format!("v{rung:02}") };
        let row = |rung: u64| Sample { spec: spec(rung), ..sample(&name(rung), 1, 100 - 3 * rung, 9) };
        let pictures = drawn(&(0..20).map(row).collect::<Vec<_>>());
        for (label, is_there) in [("a", true), ("v12", false), ("v13", true), ("v19", true)] {
            let has = |name: &str| find(&pictures, name).svg.to_string().contains(&format!(">{label}</text>"));
            assert_eq!((has("cactus"), has("speedup")), (is_there, true), "{label}");
        }
    }

    #[test]
    fn curves_are_over_the_positions_of_all() {
        let rows = [sample("a", 1, 10, 1), sample("a", 2, 10, 1), sample("b", 1, 20, 2), sample("a", 3, 10, 1)];
        let pictures = drawn(&rows);
        assert!(find(&pictures, "profile").note.contains("The 1 of 3 positions"));
        assert!(find(&pictures, "cactus").svg.to_string().contains("a: 1 of 1 solved"));
        assert!(find(&pictures, "profile").svg.to_string().contains("a: best on 1 of 1 positions"));
    }

    #[test]
    fn limits_everywhere_and_wrong_answers_are_pictures_too() {
        for status in [Status::Timeout, Status::Wrong] {
            let row = |variant: &str| Sample { status, limit_ns: Some(1000), ..sample(variant, 1, 1003, 9) };
            let pictures = drawn(&[row("a"), row("b")]);
            assert_eq!(pictures.len(), 5);
            pictures.iter().for_each(|picture| assert_sound(&picture.svg.to_string()));
        }
    }

    #[test]
    fn the_first_pair_is_the_first_variant_and_the_fastest() {
        let limited = Sample { status: Status::Timeout, limit_ns: Some(500), score: None, ..sample("c", 2, 500, 9) };
        let rows =
            [sample("a", 1, 100, 10), sample("b", 1, 50, 5), sample("c", 1, 20, 2), sample("a", 2, 100, 1), limited];
        let found = results(&rows, &["a"]);
        assert_eq!(first_pair(&found.groups[0], &summarise(&found, 1)), Some((0, 1)), "with its limit c is slower");
        let theirs = Sample { nodes: None, engine_nodes: Some(7), ..sample("theirs", 1, 50, 0) };
        let pictures = drawn(&[rows[0].clone(), theirs]);
        assert!(pictures.iter().all(|picture| picture.name != "scatter-nodes"), "nodes of two kinds");
        assert!(find(&pictures, "scatter-time").note.contains("theirs is another program"));
        assert!(drawn(&rows[..1]).iter().all(|picture| !picture.name.starts_with("scatter")), "one variant");
        assert_eq!([sampled(3, 5), sampled(10, 4), sampled(0, 4)], [vec![0, 1, 2], vec![0, 2, 5, 7], vec![]]);
    }

    #[test]
    fn files_have_names_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let row = Sample { set: "../own set/a".into(), ..sample("a", 1, 10, 1) };
        let results = results(&[row.clone(), Sample { machine_id: "n".into(), ..row }], &[]);
        let count = write(folder.path(), &results.groups, &summarise(&results, 1)).unwrap();
        let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!((count, names.len()), (6, 6), "{names:?}");
        assert!(folder.path().join("own-set-a-strong-cactus-2.svg").is_file());
    }
}
