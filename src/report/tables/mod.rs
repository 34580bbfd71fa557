//! The tables of a report, by name.

pub mod ablation;
pub mod by_ply;
pub mod compare;
pub mod comparison;
pub mod conclusion;
pub mod instructions;
pub mod matrix;
pub mod pairs;
pub mod profiles;
pub mod runs;
pub mod summary;

use crate::reading::Reading;
use crate::results::{Group, Results, Series};
use crate::table::Table;
use crate::tables::ablation::Ablation;
use c4lab_measure::text::unknown;

/// The names of the tables, with their contents.
pub const NAMES: [&str; 16] = [
    "matrix",         // every variant on every set: geometric means beside the base
    "summary",        // every variant beside the first of its set: means, rates, speed-up
    "nodes",          // nodes pooled over machines and builds, if there are several
    "speed-ups",      // every variant beside one base: all statistics of nodes and of time
    "steps",          // every variant beside the variant before it, if they are the rungs of a ladder
    "ablation",       // the variants that change one technique of a base, or two or three that need each other
    "by-ply",         // nodes, time and table hits by stones on the board
    "anatomy",        // the ends of the nodes of each variant, if they were counted
    "anatomy-by-ply", // the ends of nodes by stones on the board
    "threads",        // variants of several threads beside those of one thread
    "budgets",        // the share of positions solved within a time
    "budget-by-ply",  // the share solved within the limits, by stones on the board, if a limit was reached
    "profiles",       // the share of positions within a factor of the fastest
    "engines",        // the nodes and times that engines state
    "processes",      // every variant beside the base, process by process, if there are several
    "failures",       // positions that were limited or answered wrongly
];

/// The most axes that a variant of the ablation may change: a key, its table and the size of that change together.
const MOST_CHANGES: usize = 3;

const FEW_LINKS: &str =
    "A difference in time below 3 % may be where the code lies in memory: measure three links or more (--binaries).";

#[derive(Clone, Debug)]
pub struct Choice {
    /// The base of comparisons; `None` for the first variant of each set.
    pub base: Option<String>,
    pub band: u32,
}

impl Default for Choice {
    fn default() -> Self {
        Choice { base: None, band: 4 }
    }
}

impl Choice {
    fn base<'a>(&self, group: &'a Group) -> Option<&'a Series> {
        self.base.as_ref().map_or(group.series.first(), |base| group.named(base))
    }

    pub fn validate(&self, reading: &Reading) -> Result<(), String> {
        let results = &reading.results;
        match &self.base {
            Some(base) if results.groups.iter().all(|group| group.named(base).is_none()) => {
                Err(unknown("variant in the folder", base, results.series().map(|column| column.variant.as_str())))
            }
            _ => Ok(()),
        }
    }
}

/// The tables called `name`, one for each set and goal. Empty tables are left out.
pub fn tables(results: &Results, seed: u64, name: &str, choice: &Choice) -> Vec<Table> {
    let of_group = |group: &Group| -> Option<Table> {
        let base = choice.base(group);
        Some(match name {
            "speed-ups" => comparison::beside(group, base?, seed),
            "steps" if ablation::is_ladder(group) => comparison::steps(group, seed),
            "steps" => return None,
            "ablation" => Ablation::of(&[group], &base?.variant, MOST_CHANGES, seed).table(),
            "by-ply" => by_ply::means(group, &results.counts, choice.band),
            "anatomy" => by_ply::anatomy(group, &results.anatomy, None),
            "anatomy-by-ply" => by_ply::anatomy(group, &results.anatomy, Some(choice.band)),
            "threads" => runs::threads(group, seed),
            "budgets" => profiles::budgets(group),
            "budget-by-ply" => by_ply::budget(group, choice.band),
            "profiles" => profiles::factors(group),
            "engines" => runs::engines(group),
            "processes" => runs::processes(group, base?),
            _ => runs::failures(group),
        })
    };
    let mut tables = match name {
        "summary" => summary::tables(&summary::summarise(results, seed)),
        "matrix" => matrix::table(results, |group| choice.base(group), seed).into_iter().collect(),
        "nodes" => summary::pooled(&results.groups),
        _ => results.groups.iter().filter_map(of_group).collect(),
    };
    tables.retain(|table| !table.rows.is_empty());
    let about_times = !["nodes", "anatomy", "anatomy-by-ply", "failures"].contains(&name);
    let remark = results.remark(about_times);
    let with_remark = |table: Table| match about_times && results.has_few_links() && table.has_small_difference() {
        true => table.remarking(&remark).remarking(FEW_LINKS),
        false => table.remarking(&remark),
    };
    tables.into_iter().map(with_remark).collect()
}

impl Reading {
    pub fn tables(&self, name: &str, choice: &Choice) -> Vec<Table> {
        let mut tables = tables(&self.results, self.manifest.experiment.seed, name, choice);
        if let Some(last) = tables.last_mut().filter(|_| name == "failures") {
            // The log of an engine is about all sets, so only the last table has it.
            last.conclusion = runs::stderr(&self.results, &self.folder, &self.engines()).join(" ");
        }
        tables
    }
}
