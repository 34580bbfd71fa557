//! Ranking: all variants that were measured beside each other, from the fastest to the slowest, pooled over test sets.
//!
//! A ranking is of one goal, one state of the table and one kind of code: what ran at run time is ranked by itself. It rests on the positions
//! that all of its variants have. So its ratios fit together: that of a and c is the product of those of a and b, and of b and c.

mod common;
mod table;
#[cfg(test)]
mod tests;

use crate::reading::Reading;
use crate::results::{Group, Outcome, Series};
use crate::stats::Estimate;
use anyhow::{Result, bail};
use c4lab_measure::plan::experiment::TableState;
use c4lab_measure::text::unknown;
use c4lab_solver::search::Goal;
use common::Common;
use std::collections::BTreeMap;

/// What is ranked. An empty list of variants or sets chooses all.
#[derive(Clone, Debug, Default)]
pub struct RankChoice {
    /// By default the first variant without a wrong or failed answer.
    pub base: Option<String>,
    pub variants: Vec<String>,
    pub test_sets: Vec<String>,
    pub goal: Option<Goal>,
}

#[derive(Debug)]
pub struct Ranking {
    pub goal: Goal,
    pub tt_state: TableState,
    pub run_time: bool,
    pub base: String,
    pub ranked: Vec<Ranked>,
    pub unranked: Vec<(String, String)>,
    common: Common,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    pub variant: String,
    /// One more than the number of variants before those that share it.
    pub rank: usize,
    /// Positions at a limit, which count with twice the limit.
    pub limited: usize,
    pub mean_ns: f64,
    pub beside_base: Option<Estimate>,
    /// The base's nodes divided by its own, where they are counted alike.
    pub node_ratio: Option<f64>,
    /// The first variant of the rank that it was held against, and that one's time divided by its own; `None` for the fastest.
    pub beside_first: Option<(String, Option<Estimate>)>,
}

impl Ranking {
    /// The rankings of some folders: one for each goal, state of the table and kind of code.
    pub fn of(readings: &[Reading], choice: &RankChoice) -> Result<Vec<Ranking>> {
        refuse_other_choices(readings)?;
        let mut groups: Vec<&Group> = readings.iter().flat_map(|reading| &reading.results.groups).collect();
        for name in &choice.test_sets {
            if groups.iter().all(|group| group.set != *name) {
                bail!(unknown("test set in the folder", name, groups.iter().map(|group| group.set.as_str())));
            }
        }
        groups.retain(|group| {
            choice.goal.is_none_or(|goal| goal == group.goal)
                && (choice.test_sets.is_empty() || choice.test_sets.contains(&group.set))
        });
        if let Some(goal) = choice.goal.filter(|_| groups.is_empty()) {
            bail!("no row of the goal {}", goal.name());
        }
        for name in choice.base.iter().chain(&choice.variants) {
            if groups.iter().all(|group| group.column(name).is_none()) {
                let names = groups.iter().flat_map(|group| &group.columns).map(|column| column.variant.as_str());
                bail!(unknown("variant in the folder", name, names));
            }
        }
        let seed = readings.first().map_or(1, |reading| reading.manifest.experiment.seed);
        let mut rankings = Vec::new();
        for goal in Goal::ALL {
            for tt_state in [TableState::Cold, TableState::Warm] {
                let mut alike = groups.clone();
                alike.retain(|group| (group.goal, group.tt_state) == (goal, tt_state));
                let named = Candidates::of(&alike, choice, false, None)?;
                let base = named.as_ref().map(|candidates| candidates.base.clone());
                let at_run_time = Candidates::of(&alike, choice, true, base.as_deref())?;
                for candidates in named.into_iter().chain(at_run_time).filter(|of| of.names.len() > 1) {
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

/// Rows of several folders stand in one table only where a name means one choice.
fn refuse_other_choices(readings: &[Reading]) -> Result<()> {
    let mut choices: BTreeMap<&str, ((&str, u64), &Reading)> = BTreeMap::new();
    for reading in readings {
        if reading.results.are_means() != readings[0].results.are_means() {
            bail!("{}: times that are means of many stand beside times of single searches", reading.folder.display());
        }
        for column in reading.results.groups.iter().flat_map(|group| &group.columns) {
            let ours = (column.spec.as_str(), column.tt_bytes);
            let (known, other) = choices.entry(&column.variant).or_insert((ours, reading));
            if *known != ours {
                let (place, other) = (reading.folder.display(), other.folder.display());
                bail!("{place}: {} is another choice than in {other}", column.variant);
            }
        }
    }
    Ok(())
}

struct Candidates {
    run_time: bool,
    base: String,
    /// Those without a wrong or failed answer, in the order of tables.
    names: Vec<String>,
    unranked: Vec<(String, String)>,
}

impl Candidates {
    /// The variants of a kind, and their base: the one that was asked for, or else the twin of `other`, the base of the other kind, or else
    /// the first. `None` where there are none.
    fn of(groups: &[&Group], choice: &RankChoice, run_time: bool, other: Option<&str>) -> Result<Option<Self>> {
        let (mut names, mut unranked): (Vec<String>, Vec<(String, String)>) = (Vec::new(), Vec::new());
        for group in groups {
            for column in group.columns.iter().filter(|column| column.run_time == run_time) {
                let mut chosen = choice.variants.iter().chain(&choice.base);
                let is_chosen = choice.variants.is_empty()
                    || chosen.any(|name| group.column(name).is_some_and(|named| named.variant == column.variant));
                let is_new =
                    !names.contains(&column.variant) && unranked.iter().all(|(name, _)| *name != column.variant);
                if is_chosen && is_new {
                    match failures(groups, &column.variant) {
                        None => names.push(column.variant.clone()),
                        Some(reason) => unranked.push((column.variant.clone(), reason)),
                    }
                }
            }
        }
        let of = |name: &str| groups.iter().find_map(|group| group.column(name));
        for name in choice.base.iter().chain(&choice.variants).filter(|name| !run_time && of(name).is_none()) {
            if unranked.iter().all(|(known, _)| known != name) {
                unranked.push((name.clone(), "not measured under this goal and on these sets".to_string()));
            }
        }
        let asked = choice.base.as_deref().and_then(of).filter(|column| column.run_time == run_time);
        if let Some((name, reason)) = asked.and_then(|base| unranked.iter().find(|(name, _)| *name == base.variant)) {
            bail!("{name} cannot be the base: {reason}; name another --base");
        }
        let counterpart = choice.base.as_deref().or(other).and_then(of);
        let mut columns = groups.iter().flat_map(|group| &group.columns);
        let twin = columns.find(|column| {
            column.run_time == run_time
                && names.contains(&column.variant)
                && counterpart.is_some_and(|base| column.is_alike(base))
        });
        let base = asked.or(twin).map(|column| &column.variant).or(names.first()).cloned();
        Ok(base.map(|base| Candidates { run_time, base, names, unranked }))
    }

    fn rank(self, groups: &[&Group], seed: u64) -> Result<Ranking> {
        let Candidates { run_time, base, names, mut unranked } = self;
        let (names, alone): (Vec<String>, Vec<String>) =
            names.into_iter().partition(|name| *name == base || common::meet(groups, &base, name));
        unranked.extend(alone.into_iter().map(|name| (name, format!("not measured beside {base}"))));
        let common = Common::of(groups, &names);
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
        let mut ranked: Vec<Ranked> = Vec::new();
        // The first variant of the current rank, and the rank.
        let (mut first, mut rank) = (order[0], 1);
        for (place, &variant) in order.iter().enumerate() {
            let beside_first = (place > 0).then(|| (names[first].clone(), common.ratio(first, variant, seed)));
            let interval = beside_first.as_ref().and_then(|(_, ratio)| ratio.as_ref()?.interval);
            if interval.is_some_and(|(_, high)| high < 1.0) {
                (first, rank) = (variant, place + 1);
            }
            ranked.push(Ranked {
                variant: names[variant].clone(),
                rank,
                limited: common.limited[variant],
                mean_ns: common.mean_ns(variant),
                beside_base: if variant == at { None } else { common.ratio(at, variant, seed) },
                node_ratio: common.node_ratio(at, variant),
                beside_first,
            });
        }
        let (goal, tt_state) = (groups[0].goal, groups[0].tt_state);
        Ok(Ranking { goal, tt_state, run_time, base, ranked, unranked, common })
    }
}

/// Why a variant has no rank: what is not right, over all groups.
fn failures(groups: &[&Group], variant: &str) -> Option<String> {
    let columns: Vec<&Series> = groups.iter().filter_map(|group| group.column(variant)).collect();
    if columns.iter().all(|column| column.is_sound()) {
        return None;
    }
    let cells = || columns.iter().flat_map(|column| column.cells.iter().flatten());
    let count = |outcome: Outcome| cells().filter(|cell| cell.outcome == outcome).count();
    let (wrong, failed) = (count(Outcome::Wrong), count(Outcome::Failed));
    Some(format!("{wrong} wrong and {failed} failed of {} positions", cells().count()))
}
