//! Block: what stands between two markers of a Markdown file.
//!
//! | kind | of | what | words |
//! | --- | --- | --- | --- |
//! | `summary` | samples | a table for each set and goal | `goal= sets= variants=` |
//! | `ladder` | samples | variants by sets: mean time / mean nodes | `goal= sets= variants=` |
//! | `pairs` | samples | pairs of variants by sets: nodes and time | `goal= sets= pairs=base:variant,...` |
//! | `by-ply` | samples | pairs of variants by stones on the board | `goal= sets= pairs= band=` |
//! | `instructions` | instruction counts | a table for each group | `groups=` |
//!
//! Names are separated by commas. Of `variants=`, the first is what the others are compared with.

use super::instructions::{self, Row};
use super::markdown::{ladder, markdown};
use super::pairs::{Pair, by_ply, by_set};
use super::summary::summarise;
use crate::lab::sample::Sample;
use crate::solve::Goal;

/// What a folder holds for blocks.
#[derive(Clone, Copy, Debug)]
pub enum Contents<'a> {
    /// Samples, the order of their variants, and the seed of their experiment.
    Samples(&'a [Sample], &'a [String], u64),
    /// Instruction counts.
    Instructions(&'a [Row]),
}

/// What stands in a block, given the words of its marker: kind, folder and choices. Or why it says nothing.
pub fn block(words: &[&str], contents: Contents<'_>) -> Result<String, String> {
    let chosen = words.get(2..).unwrap_or_default();
    match (words[0], contents) {
        (kind @ ("summary" | "ladder" | "pairs" | "by-ply"), Contents::Samples(samples, order, seed)) => {
            of_samples(kind, &Choice::parse(chosen)?, samples, order, seed)
        }
        ("instructions", Contents::Instructions(rows)) => of_counts(chosen, rows),
        ("summary" | "ladder" | "pairs" | "by-ply" | "instructions", _) => {
            Err(format!("the folder holds nothing for {:?}", words[0]))
        }
        (other, _) => Err(format!("{other:?} is none of summary, ladder, pairs, by-ply, instructions")),
    }
}

/// What the words of a block of samples choose.
#[derive(Default)]
struct Choice<'a> {
    goal: Option<Goal>,
    sets: Vec<&'a str>,
    variants: Vec<String>,
    pairs: Vec<Pair>,
    band: u32,
}

impl<'a> Choice<'a> {
    fn parse(words: &[&'a str]) -> Result<Self, String> {
        let mut choice = Choice { band: 4, ..Choice::default() };
        for word in words {
            match word.split_once('=') {
                Some(("goal", name)) => {
                    let goal = Goal::ALL.into_iter().find(|goal| goal.name() == name);
                    choice.goal = Some(goal.ok_or("goal=strong or goal=weak")?);
                }
                Some(("sets", names)) => choice.sets = names.split(',').collect(),
                Some(("variants", names)) => choice.variants = names.split(',').map(str::to_string).collect(),
                Some(("pairs", names)) => choice.pairs = names.split(',').map(Pair::parse).collect::<Result<_, _>>()?,
                Some(("band", plies)) => {
                    let plies = plies.parse().ok().filter(|plies| (1..=64).contains(plies));
                    choice.band = plies.ok_or("band= is a number of plies")?;
                }
                _ => return Err(format!("{word:?} is none of goal=, sets=, variants=, pairs=, band=")),
            }
        }
        Ok(choice)
    }

    fn takes(&self, sample: &Sample) -> bool {
        self.goal.is_none_or(|goal| sample.goal == goal)
            && (self.sets.is_empty() || self.sets.contains(&sample.set.as_str()))
            && (self.variants.is_empty() || self.variants.contains(&sample.variant))
    }
}

fn of_samples(
    kind: &str,
    choice: &Choice<'_>,
    samples: &[Sample],
    order: &[String],
    seed: u64,
) -> Result<String, String> {
    let chosen: Vec<Sample> = samples.iter().filter(|sample| choice.takes(sample)).cloned().collect();
    if chosen.is_empty() {
        return Err("the folder has no row that the marker asks for".to_string());
    }
    let absent = |name: &&String| chosen.iter().all(|sample| sample.variant != **name);
    let named = choice.pairs.iter().flat_map(|pair| [&pair.base, &pair.variant]).chain(&choice.variants);
    if let Some(absent) = named.into_iter().find(absent) {
        return Err(format!("the folder has no row of {absent:?} that the marker asks for"));
    }
    let order = if choice.variants.is_empty() { order } else { &choice.variants };
    match kind {
        "ladder" => Ok(ladder(&summarise(&chosen, order, seed), choice.goal.unwrap_or_default())),
        "summary" => Ok(markdown(&summarise(&chosen, order, seed))),
        _ if choice.pairs.is_empty() || choice.goal.is_none() => Err(format!("{kind} needs goal= and pairs=")),
        "pairs" => Ok(by_set(&chosen, seed, &choice.pairs)),
        _ if chosen.iter().any(|sample| sample.set != chosen[0].set) => Err("by-ply needs one set: sets=".to_string()),
        _ => Ok(by_ply(&chosen, seed, &choice.pairs, choice.band)),
    }
}

fn of_counts(words: &[&str], rows: &[Row]) -> Result<String, String> {
    let mut groups = None;
    for word in words {
        match word.split_once('=') {
            Some(("groups", names)) => groups = Some(names.split(',').collect::<Vec<_>>()),
            _ => return Err(format!("{word:?} is not groups=")),
        }
    }
    let names = groups.unwrap_or_default();
    if let Some(missing) = names.iter().find(|name| rows.iter().all(|row| row.group != **name)) {
        return Err(format!("the folder has no group {missing:?}"));
    }
    let of = |name: &&str| rows.iter().filter(|row| row.group == *name).cloned().collect::<Vec<_>>();
    let chosen: Vec<Row> = names.iter().flat_map(of).collect();
    Ok(instructions::markdown(if names.is_empty() { rows } else { &chosen }))
}
