//! Splice: what stands between two markers of a Markdown file.
//!
//! | kind | of | what | words |
//! | --- | --- | --- | --- |
//! | `summary` | samples | a table for each set and goal | `goal= sets= variants=` |
//! | `ladder` | samples | variants by sets: mean time / mean nodes | `goal= sets= variants=` |
//! | `steps` | samples | every variant beside the one before it | `goal= sets= variants=` |
//! | `speed-ups` | samples | every variant beside the first: all statistics | `goal= sets= variants=` |
//! | `ablation` | samples | variants that change one technique of the first | `goal= sets= variants=` |
//! | `engines` | samples | what foreign programs say of themselves | `goal= sets= variants=` |
//! | `pairs` | samples | pairs of variants by sets: nodes and time | `goal= sets= pairs=base:variant,... means=geometric` |
//! | `by-ply` | samples | pairs of variants by stones on the board | `goal= sets= pairs= band=` |
//! | `instructions` | instruction counts | a table for each group | `groups=` |
//! | `attribution` | node rows of an attribution | what techniques are worth | `parts=values,interactions,paths,times` |
//! | `claims` | samples, and claims.csv beside them | claims with their verdicts | `claims= kinds= goal= verdicts=` |
//! | a kind that an extra adds | its rows | its tables | |
//!
//! Names are separated by commas. Of `variants=`, the first is what the others are compared with. All of samples may have
//! `clock=own` or `clock=ours`: whose times of foreign programs they show, whatever their record says.

use crate::attribution::AttributionReading;
use crate::attribution::output as attribution_output;
use crate::claims;
use crate::extras::row_kinds;
use crate::kept_rows::KeptRows;
use crate::reading::Reading;
use crate::results::{Ground, Results, Series, said_of_limits};
use crate::table::Table;
use crate::tables::instructions::{self, InstructionRow};
use crate::tables::pairs::{self, Pair};
use crate::tables::summary::{ladder, markdown, summarise};
use crate::tables::{Choice, by_ply, tables};
use anyhow::{Result, bail};
use c4lab_measure::engines::engine_clock::EngineClock;
use c4lab_measure::files::node_row;
use c4lab_solver::search::{Goal, name};
use std::path::Path;

const KINDS: &str = "summary, ladder, steps, speed-ups, ablation, engines, budget-by-ply, pairs, by-ply, instructions, attribution, claims";

#[derive(Debug)]
pub enum Contents {
    Samples(Box<Reading>),
    Instructions(Vec<InstructionRow>),
    Attribution(Box<AttributionReading>),
    /// Verdicts on claims, or rows of a kind that an extra adds.
    Kept(KeptRows),
}

impl Contents {
    pub fn open(folder: &Path) -> Result<Self> {
        Ok(if instructions::is_in(folder) {
            Contents::Instructions(instructions::read(folder)?)
        } else if node_row::is_in(folder) {
            Contents::Attribution(Box::new(AttributionReading::open(folder)?))
        } else if let Some(kept) = KeptRows::of(folder) {
            Contents::Kept(kept)
        } else {
            let reading = Reading::open(folder)?;
            if !reading.ledger.is_clean() {
                bail!("{}: wrong scores or differing node counts: nothing is made of it", folder.display());
            }
            Contents::Samples(Box::new(reading))
        })
    }
}

/// What stands in a splice, given the words of its marker: kind, folder and choices. Or why it says nothing.
pub fn splice(words: &[&str], contents: &Contents) -> Result<String, String> {
    let chosen = words.get(2..).unwrap_or_default();
    let of_samples =
        ["summary", "ladder", "steps", "speed-ups", "ablation", "engines", "budget-by-ply", "pairs", "by-ply"];
    let of_kept = |kind: &str| kind == "claims" || row_kinds().iter().any(|known| known.name == kind);
    match (words[0], contents) {
        (kind, Contents::Samples(reading)) if of_samples.contains(&kind) => {
            of_results(kind, &Selection::parse(chosen)?, reading)
        }
        ("instructions", Contents::Instructions(rows)) => of_counts(chosen, rows),
        ("attribution", Contents::Attribution(reading)) => attribution_output::splice(chosen, reading),
        // They stand beside the samples, with what else they were made from.
        ("claims", Contents::Samples(reading)) => claims::splice::splice(reading, chosen),
        (kind, Contents::Kept(kept)) if of_kept(kind) => kept.splice(kind, chosen),
        (kind, _) if ["instructions", "attribution"].contains(&kind) || of_samples.contains(&kind) || of_kept(kind) => {
            Err(format!("the folder holds nothing for {kind:?}"))
        }
        (other, _) => {
            let extra: String = row_kinds().iter().map(|kind| format!(", {}", kind.name)).collect();
            Err(format!("{other:?} is none of {KINDS}{extra}"))
        }
    }
}

#[derive(Clone, Default)]
struct Selection<'a> {
    goal: Option<Goal>,
    sets: Vec<&'a str>,
    variants: Vec<String>,
    pairs: Vec<Pair>,
    band: u32,
    clock: Option<EngineClock>,
}

impl<'a> Selection<'a> {
    fn parse(words: &[&'a str]) -> Result<Self, String> {
        let (mut choice, mut with_mean) = (Selection { band: 4, ..Selection::default() }, false);
        for word in words {
            match word.split_once('=') {
                Some(("goal", name)) => {
                    let goal = Goal::ALL.into_iter().find(|goal| goal.name() == name);
                    choice.goal = Some(goal.ok_or("goal=strong or goal=weak")?);
                }
                Some(("sets", names)) => choice.sets = names.split(',').collect(),
                Some(("variants", names)) => {
                    choice.variants = name::list(names).into_iter().map(str::to_string).collect()
                }
                Some(("pairs", pairs)) => {
                    choice.pairs = name::list(pairs).into_iter().map(Pair::parse).collect::<Result<_, _>>()?;
                }
                Some(("band", plies)) => {
                    let plies = plies.parse().ok().filter(|plies| (1..=64).contains(plies));
                    choice.band = plies.ok_or("band= is a number of plies")?;
                }
                Some(("means", "geometric")) => with_mean = true,
                Some(("clock", name)) => choice.clock = Some(name.parse()?),
                _ => {
                    return Err(format!(
                        "{word:?} is none of goal=, sets=, variants=, pairs=, band=, means=geometric, clock="
                    ));
                }
            }
        }
        choice.pairs.iter_mut().for_each(|pair| pair.with_mean = with_mean);
        Ok(choice)
    }

    fn takes(&self, ground: &Ground) -> bool {
        self.goal.is_none_or(|goal| ground.goal == goal)
            && (self.sets.is_empty() || self.sets.contains(&ground.set.as_str()))
    }

    /// The results that are chosen: the variants in the order of their names, where they are named.
    fn of(&self, results: &Results) -> Results {
        let mut chosen = results.keep(|ground| self.takes(ground));
        for ground in chosen.grounds.iter_mut().filter(|_| !self.variants.is_empty()) {
            let places: Vec<_> = ground.columns.iter().map(|column| self.place(ground, column)).collect();
            let columns = std::mem::take(&mut ground.columns).into_iter().zip(places);
            let mut columns: Vec<_> = columns.filter_map(|(column, place)| Some((place?, column))).collect();
            columns.sort_by_key(|(place, _)| *place);
            ground.columns = columns.into_iter().map(|(_, column)| column).collect();
        }
        chosen.grounds.retain(|ground| !ground.columns.is_empty());
        chosen
    }

    /// Where a column stands among those that are named. The twin of a named column stands behind it, where some named
    /// variant's times are compared with the twin's.
    fn place(&self, ground: &Ground, column: &Series) -> Option<(usize, bool)> {
        let named = |column: &Series| self.variants.iter().position(|name| column.is_called(name));
        let is_twin = |other: &&Series| {
            named(other).is_some()
                && ground.columns.iter().any(|variant| {
                    named(variant).is_some()
                        && ground.timed_base(other, variant).is_some_and(|twin| twin.variant == column.variant)
                })
        };
        let of_twin = || ground.columns.iter().find(is_twin).and_then(named);
        named(column).map(|place| (place, false)).or_else(|| of_twin().map(|place| (place, true)))
    }

    /// The recorded names of what is chosen, in its order, twins included.
    fn order(&self, chosen: &Results) -> Vec<String> {
        let mut places: Vec<((usize, bool), &String)> = Vec::new();
        for ground in &chosen.grounds {
            places.extend(
                ground.columns.iter().filter_map(|column| Some((self.place(ground, column)?, &column.variant))),
            );
        }
        places.sort();
        places.dedup();
        places.into_iter().map(|(_, name)| name.clone()).collect()
    }
}

fn of_results(kind: &str, choice: &Selection<'_>, reading: &Reading) -> Result<String, String> {
    if choice.clock.is_some() {
        let reading = Reading::open_by(&reading.folder, choice.clock).map_err(|error| format!("{error:#}"))?;
        return of_results(kind, &Selection { clock: None, ..choice.clone() }, &reading);
    }
    let (chosen, seed) = (choice.of(&reading.results), reading.manifest.experiment.seed);
    if chosen.grounds.is_empty() {
        return Err("the folder has no row that the marker asks for".to_string());
    }
    let absent = |name: &&String| chosen.grounds.iter().all(|ground| ground.column(name).is_none());
    let named = choice.pairs.iter().flat_map(|pair| [&pair.base, &pair.variant]).chain(&choice.variants);
    if let Some(absent) = named.into_iter().find(absent) {
        return Err(format!("the folder has no row of {absent:?} that the marker asks for"));
    }
    let shown = |name: &str| {
        let sheets = tables(&chosen, seed, &reading.counts, name, &Choice::default());
        Ok(sheets.iter().map(Table::markdown).collect::<Vec<_>>().join("\n"))
    };
    match kind {
        "steps" | "speed-ups" | "ablation" | "engines" => shown(kind),
        "ladder" => {
            let goal = choice.goal.unwrap_or_default();
            Ok(ladder(&summarise(&chosen, seed), goal, &choice.order(&chosen)) + &said(&chosen))
        }
        "summary" => Ok(markdown(&summarise(&chosen, seed))),
        "budget-by-ply" => {
            let sheets: Vec<Table> =
                chosen.grounds.iter().filter_map(|ground| by_ply::budget_matrix(ground, choice.band)).collect();
            match sheets.is_empty() {
                true => Err("no limit was reached there".to_string()),
                false => Ok(sheets.iter().map(Table::markdown).collect::<Vec<_>>().join("\n")),
            }
        }
        _ if choice.pairs.is_empty() || choice.goal.is_none() => Err(format!("{kind} needs goal= and pairs=")),
        "pairs" => Ok(pairs::by_set(&chosen, seed, &choice.pairs) + &said(&chosen)),
        _ => match chosen.grounds.as_slice() {
            [ground] => Ok(pairs::by_ply(ground, seed, &choice.pairs, choice.band) + &said(&chosen)),
            _ => Err("by-ply needs one set: sets=".to_string()),
        },
    }
}

/// What is said under a table where some variants ran at run time, or reached a limit.
fn said(chosen: &Results) -> String {
    let times = chosen.grounds.iter().map(Ground::said_of_times).max_by_key(String::len).unwrap_or_default();
    let said = said_of_limits(&chosen.grounds) + &times;
    if said.is_empty() { said } else { format!("\n{}\n", said.trim()) }
}

fn of_counts(words: &[&str], rows: &[InstructionRow]) -> Result<String, String> {
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
    let chosen: Vec<InstructionRow> = names.iter().flat_map(of).collect();
    Ok(instructions::markdown(if names.is_empty() { rows } else { &chosen }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::at_run_time;
    use c4lab_measure::files::sample::Sample;
    use c4lab_measure::fixtures::sample;

    #[test]
    fn a_twin_stands_behind_its_base_where_its_times_are_needed() {
        let of = |variant: &str, spec: &str| Sample { spec: spec.to_string(), ..sample(variant, 1, 100, 10) };
        let rows = [of("a", "x=1"), of("a[]", "x=1"), of("a[x=2]", "x=2"), of("champion-claims-none", "x=3")];
        let results = at_run_time(&rows, &[], &["a[]", "a[x=2]"]);
        let shown = |words: &str| {
            let choice = Selection::parse(&[words]).unwrap();
            let chosen = choice.of(&results);
            let columns: Vec<String> = chosen.grounds[0].columns.iter().map(|column| column.variant.clone()).collect();
            assert_eq!(choice.order(&chosen), columns);
            columns
        };
        assert_eq!(shown("variants=a[x=2],a"), ["a[x=2]", "a", "a[]"]);
        assert_eq!(shown("variants=a,champion-zugzwang-none"), ["a", "champion-claims-none"]);
        assert_eq!(shown("variants=a[x=2]"), ["a[x=2]"]);
        assert!(said(&results).contains("with each other: a[], a[x=2]"));
        assert_eq!(said(&at_run_time(&rows, &[], &[])), "");
    }
}
