//! Pictures of a ground: which numbers go into which plot. docs/METHODOLOGY.md says how each is read.

use crate::plot::anatomy;
use crate::plot::bars::{Bar, bars};
use crate::plot::curves::{Offered, curves};
use crate::plot::scatters::{MOST, scatters};
use crate::plot::svg::Svg;
use crate::plot::threads;
use crate::plot::waterfall::{Stair, waterfall};
use crate::results::{Ground, Series, pairs};
use crate::tables::ladder::is_ladder;
use crate::tables::summary::{Line, ratio};
use anyhow::Result;
use c4lab_measure::files::atomic;
use c4lab_measure::run::anatomy::AnatomyRow;
use std::collections::BTreeMap;
use std::path::Path;

/// Most steps of a waterfall that goes through all variants.
const STEPS: usize = 12;

/// A picture with what it is called.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The name of its kind: letters and hyphens.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// How it is read, and what was left out.
    pub note: String,
    /// The picture.
    pub svg: Svg,
    /// The same with each line beside the base, where that can be drawn, and what it is called.
    pub relative: Option<(String, Svg)>,
}

/// All pictures of a ground, the scatters last, with so many dots at most. `lines` sum up its columns, in their order.
pub fn pictures(ground: &Ground, lines: &[Line], dots: usize, offered: Offered) -> Vec<Picture> {
    let mut pictures = vec![speedups(ground, lines)];
    pictures.extend(is_ladder(ground).then(|| steps(ground, lines)));
    pictures.extend(threads::picture(ground));
    pictures.extend(curves(ground, lines, offered));
    pictures.extend(scatters(ground, lines, dots));
    pictures
}

/// Each ground with its lines, where `lines` are the summary of all grounds in their order.
pub fn by_ground<'a>(grounds: &'a [Ground], mut lines: &'a [Line]) -> Vec<(&'a Ground, &'a [Line])> {
    let of = |ground: &'a Ground| {
        let (own, rest) = lines.split_at(ground.columns.len().min(lines.len()));
        lines = rest;
        debug_assert!(own.iter().zip(&ground.columns).all(|(line, column)| line.variant == column.variant));
        (ground, own)
    };
    grounds.iter().map(of).collect()
}

/// Writes all pictures of all grounds as files `SET-GOAL-NAME.svg`, and says how many.
pub fn write(folder: &Path, grounds: &[Ground], lines: &[Line], counted: &[AnatomyRow]) -> Result<usize> {
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let mut count = 0;
    for (ground, lines) in by_ground(grounds, lines) {
        let drawn = pictures(ground, lines, MOST, Offered::Shown);
        for picture in drawn.into_iter().chain(anatomy::pictures(ground, counted)) {
            let name = format!("{}-{}-{}", file_name(&ground.set), ground.goal.name(), picture.name);
            // Another machine, or another file of the same name.
            let seen = names.entry(name.clone()).or_default();
            *seen += 1;
            let name = if *seen > 1 { format!("{name}-{seen}.svg") } else { format!("{name}.svg") };
            let title = format!("{}: {}", ground.title(), picture.title);
            atomic::write(&folder.join(name), picture.svg.alone(&title).as_bytes())?;
            count += 1;
        }
    }
    Ok(count)
}

/// A set's name as a part of a file name.
fn file_name(set: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._".contains(c) { c } else { '-' };
    let name: String = set.chars().map(plain).collect();
    name.trim_start_matches(['.', '-']).to_string()
}

fn speedups(ground: &Ground, lines: &[Line]) -> Picture {
    let bar = |line: &Line| Bar {
        label: line.variant.clone(),
        value: line.speedup,
        interval: line.speedup_low.zip(line.speedup_high),
    };
    let rows: Vec<Bar> = lines.iter().map(bar).collect();
    Picture {
        name: "speedup",
        title: "Speed-up".to_string(),
        note: format!(
            "Total time of {} divided by the variant's, over the positions that both have, with its 95 % interval. \
             Right of the line at 1 is faster.{}",
            first(ground),
            ground.said_of_limits()
        ),
        svg: bars(&rows, &format!("times faster than {}", first(ground))),
        relative: None,
    }
}

pub(super) fn first(ground: &Ground) -> &str {
    ground.columns.first().map_or("nothing", |column| &column.variant)
}

/// The waterfall: through all variants in the order of tables, or through those that were faster than all before them.
fn steps(ground: &Ground, lines: &[Line]) -> Picture {
    let is_whole = ground.columns.len() <= STEPS + 1;
    let mut best = 0.0;
    let mut is_next = |index: usize| {
        let speed = lines.get(index).and_then(|line| line.speedup).unwrap_or(0.0);
        let is_better = index == 0 || speed > best;
        best = if is_better { speed.max(best) } else { best };
        is_whole || is_better
    };
    let columns = ground.columns.iter().enumerate();
    let path: Vec<&Series> = columns.filter(|(index, _)| is_next(*index)).map(|(_, column)| column).collect();
    let steps: Vec<Stair> = path.windows(2).map(|pair| step(ground, pair[0], pair[1])).collect();
    let through = if is_whole {
        "Through the variants in the order of the table".to_string()
    } else {
        let (kept, all) = (path.len(), ground.columns.len());
        format!("Through the {kept} of {all} variants that were faster than all before them in the table")
    };
    Picture {
        name: "waterfall",
        title: "Step by step".to_string(),
        note: format!(
            "{through}: how many times less time (strong) and how many times fewer nodes (pale) each takes than the one \
             above it, over the positions that both have.{}",
            ground.said_of_limits()
        ),
        svg: waterfall(first(ground), &steps),
        relative: None,
    }
}

fn step(ground: &Ground, before: &Series, after: &Series) -> Stair {
    Stair {
        label: after.variant.clone(),
        time: ratio(&ground.times(before, after)).filter(|ratio| *ratio > 0.0),
        nodes: ratio(&ground.nodes(before, after)).filter(|ratio| *ratio > 0.0),
    }
}

/// Whether two variants have a position in common.
pub(crate) fn meet(base: &Series, variant: &Series) -> bool {
    pairs(base, variant).next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use crate::tables::summary::summarise;
    use c4lab_measure::files::sample::{Sample, Status};
    use c4lab_measure::fixtures::sample;

    fn drawn(rows: &[Sample]) -> Vec<Picture> {
        let results = results(rows, &["a"]);
        let lines = summarise(&results, 1);
        let grounds = by_ground(&results.grounds, &lines);
        pictures(grounds[0].0, grounds[0].1, MOST, Offered::Shown)
    }

    fn note<'a>(pictures: &'a [Picture], name: &str) -> &'a str {
        &pictures.iter().find(|picture| picture.name == name).unwrap().note
    }

    #[test]
    fn many_variants_are_the_first_and_the_fastest() {
        let spec = |rung: u64| (0..20).map(|i| format!("x{i}={}", u8::from(i < rung))).collect::<Vec<_>>().join(",");
        let name = |rung: u64| if rung == 0 { "a".to_string() } else { format!("v{rung:02}") };
        let row = |rung: u64| Sample { spec: spec(rung), ..sample(&name(rung), 1, 100 - 3 * rung, 9) };
        let rows: Vec<Sample> = (0..20).map(row).collect();
        let pictures = drawn(&rows);
        let svg = |name: &str| pictures.iter().find(|picture| picture.name == name).unwrap().svg.to_string();
        assert!(note(&pictures, "cactus").contains("Of 20 variants the first and the 7 fastest."));
        for (label, is_there) in [("a", true), ("v12", false), ("v13", true), ("v19", true)] {
            assert_eq!(svg("cactus").contains(&format!(">{label}</text>")), is_there, "{label}");
            assert!(svg("speedup").contains(&format!(">{label}</text>")), "every variant has a bar");
        }
        assert!(note(&pictures, "waterfall").contains("20 of 20 variants that were faster"));
    }

    #[test]
    fn only_a_ladder_has_steps() {
        let row = |variant: &str, spec: &str| Sample { spec: spec.to_string(), ..sample(variant, 1, 10, 1) };
        let (a, b) = (row("a", "x=0,y=0"), row("b", "x=1,y=0"));
        let has_steps = |c: Sample| drawn(&[a.clone(), b.clone(), c]).iter().any(|picture| picture.name == "waterfall");
        assert!(has_steps(row("c", "x=1,y=1")) && !has_steps(row("c", "x=0,y=1")));
    }

    #[test]
    fn curves_are_over_the_positions_of_all() {
        let rows = [sample("a", 1, 10, 1), sample("a", 2, 10, 1), sample("b", 1, 20, 2), sample("a", 3, 10, 1)];
        assert!(note(&drawn(&rows), "profile").contains("The 1 of 3 positions"));
        assert!(note(&drawn(&rows[..1]), "profile").ends_with("1 position."));
    }

    #[test]
    fn limits_everywhere_and_wrong_answers_are_pictures_too() {
        for status in [Status::Timeout, Status::Wrong] {
            let row = |variant: &str| Sample { status, limit_ns: Some(1000), ..sample(variant, 1, 1003, 9) };
            let pictures = drawn(&[row("a"), row("b")]);
            assert_eq!(pictures.len(), 8);
            assert!(pictures.iter().filter(|picture| picture.svg.to_string().contains("no position")).count() >= 4);
        }
    }

    #[test]
    fn files_have_names_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let row = Sample { set: "../own set/a".into(), ..sample("a", 1, 10, 1) };
        let results = results(&[row.clone(), Sample { machine_id: "n".into(), ..row }], &[]);
        let count = write(folder.path(), &results.grounds, &summarise(&results, 1), &[]).unwrap();
        let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!((count, names.len()), (12, 12), "{names:?}");
        let text = std::fs::read_to_string(folder.path().join("own-set-a-strong-cactus-2.svg")).unwrap();
        assert!(
            text.starts_with("<svg xmlns") && text.contains("../own set/a, strong, machine n, cold: Cactus plot"),
            "{text}"
        );
    }
}
