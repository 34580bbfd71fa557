//! Ranking: all variants that were measured beside each other, from the fastest to the slowest, pooled over test sets.
//!
//! A ranking is of one goal, one state of the table and one kind of code: what ran at run time is ranked by itself. It
//! rests on the positions that all of its variants have (`common.rs`). So its ratios fit together: that of a and c is the
//! product of those of a and b, and of b and c.

mod common;
mod sheet;
#[cfg(test)]
mod tests;

use crate::reading::Reading;
use crate::results::{Ground, Outcome, Series};
use crate::stats::Estimate;
use anyhow::{Result, bail};
use c4lab_measure::nearest::unknown;
use c4lab_measure::plan::table_state::TableState;
use c4lab_solver::search::Goal;
use common::Common;
use std::collections::{BTreeMap, BTreeSet};

/// What is ranked.
#[derive(Clone, Debug, Default)]
pub struct RankChoice {
    /// What all are compared with; the first variant without a wrong or failed answer where none is named.
    pub base: Option<String>,
    /// Only these variants; all where none is named.
    pub variants: Vec<String>,
    /// Only these test sets; all where none is named.
    pub test_sets: Vec<String>,
    /// Only this goal.
    pub goal: Option<Goal>,
}

/// Variants of one goal, one state of the table and one kind of code, by their times.
#[derive(Debug)]
pub struct Ranking {
    /// The goal.
    pub goal: Goal,
    /// Whether tables were cleared.
    pub tt_state: TableState,
    /// Whether its variants ran at run time.
    pub run_time: bool,
    /// What all are compared with.
    pub base: String,
    /// The ranked variants, the fastest first.
    pub ranked: Vec<Ranked>,
    /// Variants without a rank, each with the reason.
    pub unranked: Vec<(String, String)>,
    /// What it rests on.
    common: Common,
}

/// A variant with its rank.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// Its name.
    pub variant: String,
    /// Its rank, from 1: one more than the number of variants before those that share it.
    pub rank: usize,
    /// Positions at a limit, which count with twice the limit.
    pub limited: usize,
    /// The geometric mean of its times, in nanoseconds.
    pub mean_ns: f64,
    /// The base's time divided by its own.
    pub beside_base: Option<Estimate>,
    /// The base's nodes divided by its own, where they are counted alike.
    pub node_ratio: Option<f64>,
    /// The first variant of the rank that it was held against, and that one's time divided by its own; `None` for the
    /// fastest.
    pub beside_first: Option<(String, Option<Estimate>)>,
}

impl Ranking {
    /// The rankings of some folders: one for each goal, state of the table and kind of code.
    ///
    /// # Errors
    /// A name that nothing was measured under, a base with a wrong answer, folders that cannot be put together, and no
    /// position that all variants have.
    pub fn of(readings: &[Reading], choice: &RankChoice) -> Result<Vec<Ranking>> {
        fit(readings)?;
        let all = || readings.iter().flat_map(|reading| &reading.results.grounds);
        for name in &choice.test_sets {
            if all().all(|ground| ground.set != *name) {
                bail!(unknown("test set in the folder", name, all().map(|ground| ground.set.as_str())));
            }
        }
        let is_asked = |ground: &&Ground| {
            choice.goal.is_none_or(|goal| goal == ground.goal)
                && (choice.test_sets.is_empty() || choice.test_sets.contains(&ground.set))
        };
        let grounds: Vec<&Ground> = all().filter(is_asked).collect();
        if let Some(goal) = choice.goal.filter(|_| grounds.is_empty()) {
            bail!("no row of the goal {}", goal.name());
        }
        let names = || grounds.iter().flat_map(|ground| &ground.columns).map(|column| column.variant.as_str());
        for name in choice.base.iter().chain(&choice.variants) {
            if grounds.iter().all(|ground| ground.column(name).is_none()) {
                bail!(unknown("variant in the folder", name, names()));
            }
        }
        let seed = readings.first().map_or(1, |reading| reading.manifest.experiment.seed);
        let mut rankings = Vec::new();
        for goal in Goal::ALL {
            for tt_state in [TableState::Cold, TableState::Warm] {
                let alike = |ground: &&&Ground| (ground.goal, ground.tt_state) == (goal, tt_state);
                let alike: Vec<&Ground> = grounds.iter().filter(alike).copied().collect();
                let first = Candidates::of(&alike, choice, false, None)?;
                let base = first.as_ref().map(|candidates| candidates.base.clone());
                let second = Candidates::of(&alike, choice, true, base.as_deref())?;
                let found = first.into_iter().chain(second).filter(|candidates| candidates.names.len() > 1);
                for candidates in found {
                    rankings.push(candidates.rank(&alike, seed)?);
                }
            }
        }
        if rankings.is_empty() {
            bail!("nothing to rank: fewer than two variants that may be compared");
        }
        Ok(rankings)
    }
}

/// Whether rows of several folders may stand in one table.
fn fit(readings: &[Reading]) -> Result<()> {
    let mut choices: BTreeMap<&str, ((&str, u64), &Reading)> = BTreeMap::new();
    for reading in readings {
        let (first, place) = (&readings[0], reading.folder.display());
        if reading.manifest.schema_version != first.manifest.schema_version {
            bail!(
                "{place}: rows of schema {}, and of schema {} in {}: their times were taken in different ways \
                 (docs/METHODOLOGY.md, \"Records before 2026-11-23\")",
                reading.manifest.schema_version,
                first.manifest.schema_version,
                first.folder.display()
            );
        }
        for column in reading.results.grounds.iter().flat_map(|ground| &ground.columns) {
            let ours = (column.spec.as_str(), column.tt_bytes);
            let (known, other) = choices.entry(&column.variant).or_insert((ours, reading));
            if *known != ours {
                bail!("{place}: {} is another choice than in {}", column.variant, other.folder.display());
            }
        }
    }
    Ok(())
}

/// The variants of one kind of code.
struct Candidates {
    run_time: bool,
    base: String,
    /// Those without a wrong or failed answer, in the order of tables.
    names: Vec<String>,
    unranked: Vec<(String, String)>,
}

impl Candidates {
    /// The variants of a kind, and what they are compared with: the base that was asked for, or else the twin of `other`,
    /// the base of the other kind, or else the first. `None` where there are none.
    fn of(grounds: &[&Ground], choice: &RankChoice, run_time: bool, other: Option<&str>) -> Result<Option<Self>> {
        let (mut names, mut unranked): (Vec<String>, Vec<(String, String)>) = (Vec::new(), Vec::new());
        let chosen = |ground: &Ground, column: &Series| {
            let named = |name: &String| ground.column(name).is_some_and(|named| named.variant == column.variant);
            choice.variants.is_empty() || choice.variants.iter().chain(&choice.base).any(named)
        };
        for ground in grounds {
            let kind = ground.columns.iter().filter(|column| column.run_time == run_time && chosen(ground, column));
            for column in kind {
                if !names.contains(&column.variant) && unranked.iter().all(|(name, _)| *name != column.variant) {
                    match failures(grounds, &column.variant) {
                        None => names.push(column.variant.clone()),
                        Some(reason) => unranked.push((column.variant.clone(), reason)),
                    }
                }
            }
        }
        let of = |name: &str| grounds.iter().find_map(|ground| ground.column(name));
        let named: BTreeSet<&String> = choice.base.iter().chain(&choice.variants).collect();
        let absent = named.into_iter().filter(|name| !run_time && of(name).is_none());
        unranked
            .extend(absent.map(|name| (name.clone(), "not measured under this goal and on these sets".to_string())));
        let asked = choice.base.as_deref().and_then(of).filter(|column| column.run_time == run_time);
        if let Some((name, reason)) = asked.and_then(|base| unranked.iter().find(|(name, _)| *name == base.variant)) {
            bail!("{name} cannot be the base: {reason}; name another --base");
        }
        // Of the other kind stands the twin of the base, if it was measured.
        let stands_for = |base: &Series| {
            let mut columns = grounds.iter().flat_map(|ground| &ground.columns);
            columns
                .find(|column| column.run_time == run_time && column.is_alike(base) && names.contains(&column.variant))
        };
        let twin = || choice.base.as_deref().or(other).and_then(of).and_then(stands_for);
        let base = asked.or_else(twin).map(|column| column.variant.clone());
        let Some(base) = base.or_else(|| names.first().cloned()) else { return Ok(None) };
        Ok(Some(Candidates { run_time, base, names, unranked }))
    }

    /// Ranks them.
    fn rank(self, grounds: &[&Ground], seed: u64) -> Result<Ranking> {
        let Candidates { run_time, base, mut names, mut unranked } = self;
        let (beside, alone): (Vec<String>, Vec<String>) =
            names.into_iter().partition(|name| *name == base || common::meet(grounds, &base, name));
        unranked.extend(alone.into_iter().map(|name| (name, format!("not measured beside {base}"))));
        names = beside;
        let common = Common::of(grounds, &names);
        if common.positions() == 0 {
            let fewest = common.fewest.as_ref().map_or(String::new(), |(name, count)| format!(" ({name} has {count})"));
            bail!(
                "no position with a time that is not short on which all of {} were measured beside each \
                 other{fewest}; choose some of them with --variants, or sets with --test-sets",
                names.join(", ")
            );
        }
        let at = names.iter().position(|name| *name == base).unwrap_or_default();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&one, &other| common.mean_ns(one).total_cmp(&common.mean_ns(other)));
        let (mut ranked, mut first): (Vec<Ranked>, Option<(usize, usize)>) = (Vec::new(), None);
        for (place, &variant) in order.iter().enumerate() {
            let held = first.map(|(first, _)| (first, common.ratio(first, variant, seed)));
            let slower =
                held.is_some_and(|(_, ratio)| ratio.and_then(|ratio| ratio.interval).is_some_and(|of| of.1 < 1.0));
            first = first.filter(|_| !slower).or(Some((variant, place + 1)));
            ranked.push(Ranked {
                variant: names[variant].clone(),
                rank: first.map_or(1, |(_, rank)| rank),
                limited: common.limited(variant),
                mean_ns: common.mean_ns(variant),
                beside_base: if variant == at { None } else { common.ratio(at, variant, seed) },
                node_ratio: common.node_ratio(at, variant),
                beside_first: held.map(|(first, ratio)| (names[first].clone(), ratio)),
            });
        }
        let (goal, tt_state) = (grounds[0].goal, grounds[0].tt_state);
        Ok(Ranking { goal, tt_state, run_time, base, ranked, unranked, common })
    }
}

/// Why a variant has no rank: what is not right, over all grounds.
fn failures(grounds: &[&Ground], variant: &str) -> Option<String> {
    let columns: Vec<&Series> = grounds.iter().filter_map(|ground| ground.column(variant)).collect();
    if columns.iter().all(|column| column.is_sound()) {
        return None;
    }
    let cells = || columns.iter().flat_map(|column| column.cells.iter().flatten());
    let count = |outcome: Outcome| cells().filter(|cell| cell.outcome == outcome).count();
    let (wrong, failed) = (count(Outcome::Wrong), count(Outcome::Failed));
    Some(format!("{wrong} wrong and {failed} failed of {} positions", cells().count()))
}
