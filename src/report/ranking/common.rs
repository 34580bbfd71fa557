//! The positions that all variants of a ranking have, with the time of each variant on each.

use crate::results::{CellResult, Group, Outcome, Pass, Series, pairs};
use crate::stats::{Estimate, InBatch, Times, over_processes, pooled_geometric_mean};
use crate::tables::summary;
use std::collections::{BTreeMap, BTreeSet};

type Spot = (usize, u64);

type Logs = BTreeMap<Spot, Vec<f64>>;

#[derive(Debug, Default)]
pub(super) struct Common {
    pub(super) sets: Vec<(String, usize)>,
    /// Positions that some of the variants have, and not all.
    pub(super) left_out: usize,
    /// Positions that are short for one of the variants.
    pub(super) short: usize,
    /// The variant with the fewest positions, and how many it has.
    pub(super) fewest: Option<(String, usize)>,
    pub(super) limited: Vec<usize>,
    logs: Logs,
    /// The logs of each process alone, where there are several.
    of_each: Vec<Logs>,
    /// The batch of each position that one machine measured.
    batches: BTreeMap<Spot, u32>,
    nodes: BTreeMap<Spot, Vec<Option<f64>>>,
    /// The recursion of each variant: nodes of two are not compared.
    recursions: Vec<String>,
}

/// Whether two variants were measured on one position, beside each other.
pub(super) fn meet(groups: &[&Group], one: &str, other: &str) -> bool {
    let columns = groups.iter().filter_map(|group| group.column(one).zip(group.column(other)));
    columns.into_iter().any(|(one, other)| pairs(one, other).next().is_some())
}

impl Common {
    /// The positions on which all of these variants were measured beside each other. One that several machines measured counts once, with
    /// the mean of its logarithms.
    pub(super) fn of(groups: &[&Group], variants: &[String]) -> Self {
        let mut sets: Vec<(&str, &str)> = Vec::new();
        let mut common = Common { limited: vec![0; variants.len()], ..Common::default() };
        let (mut all, mut has, mut short) = (BTreeSet::new(), vec![BTreeSet::new(); variants.len()], BTreeSet::new());
        let mut found: BTreeMap<Spot, Vec<Vec<f64>>> = BTreeMap::new();
        let mut of_processes: BTreeMap<u32, BTreeMap<Spot, Vec<Vec<f64>>>> = BTreeMap::new();
        for group in groups {
            let set = sets.iter().position(|(sha256, _)| *sha256 == group.set_sha256).unwrap_or_else(|| {
                sets.push((&group.set_sha256, &group.set));
                sets.len() - 1
            });
            let columns: Vec<Option<&Series>> = variants.iter().map(|variant| group.column(variant)).collect();
            let short_ns = columns.iter().flatten().map(|column| column.short_ns).fold(group.short_ns, f64::max);
            for (at, place) in group.places.iter().enumerate() {
                let spot = (set, place.position_id);
                let cells: Vec<Option<&CellResult>> =
                    columns.iter().map(|column| column.and_then(|column| column.cells[at].as_ref())).collect();
                for (has, _) in has.iter_mut().zip(&cells).filter(|(_, cell)| cell.is_some()) {
                    all.insert(spot);
                    has.insert(spot);
                }
                let Some(times) = times(&cells, |_| true) else { continue };
                if times.iter().any(|&ns| ns < short_ns) {
                    short.insert(spot);
                    continue;
                }
                found.entry(spot).or_default().push(logs(times));
                if let Some(batch) = cells.iter().flatten().find_map(|cell| cell.batch) {
                    common.batches.insert(spot, batch);
                }
                for &process in group.processes.iter().filter(|_| group.processes.len() > 1) {
                    if let Some(times) = self::times(&cells, |pass| pass.process == process) {
                        of_processes.entry(process).or_default().entry(spot).or_default().push(logs(times));
                    }
                }
                let nodes = || cells.iter().map(|cell| cell.and_then(|it| it.nodes)).collect();
                common.nodes.entry(spot).or_insert_with(nodes);
                for (limited, cell) in common.limited.iter_mut().zip(&cells) {
                    *limited += usize::from(cell.is_some_and(|cell| cell.outcome == Outcome::Limited));
                }
            }
        }
        common.batches.retain(|spot, _| found[spot].len() == 1);
        common.logs = means(found);
        common.of_each = whole(of_processes.into_values().map(means).collect());
        common.short = short.iter().filter(|spot| !common.logs.contains_key(spot)).count();
        common.left_out = all.len() - common.logs.len() - common.short;
        let fewest = has.iter().zip(variants).min_by_key(|(has, _)| has.len());
        common.fewest = fewest.map(|(has, variant)| (variant.clone(), has.len()));
        for (set, (_, name)) in sets.iter().enumerate() {
            let count = common.logs.keys().filter(|spot| spot.0 == set).count();
            common.sets.extend((count > 0).then(|| (name.to_string(), count)));
        }
        let column = |variant: &String| groups.iter().find_map(|group| group.column(variant));
        common.recursions = variants.iter().map(|variant| column(variant).map(recursion).unwrap_or_default()).collect();
        common
    }

    pub(super) fn positions(&self) -> usize {
        self.logs.len()
    }

    pub(super) fn mean_ns(&self, variant: usize) -> f64 {
        (self.logs.values().map(|logs| logs[variant]).sum::<f64>() / self.logs.len() as f64).exp()
    }

    /// The geometric mean of the ratios of two variants' times, each position counting once. Its interval is drawn within each set, and
    /// covers processes where there are several.
    pub(super) fn ratio(&self, base: usize, variant: usize, seed: u64) -> Option<Estimate> {
        let strata = self.strata(|spot, logs| {
            let pair = (logs[base].exp(), logs[variant].exp());
            Some(Times { pair, batch: self.batches.get(spot).copied() })
        });
        let mean = |logs: &Logs| {
            let sum: f64 = logs.values().map(|logs| logs[base] - logs[variant]).sum();
            (sum / logs.len() as f64).exp()
        };
        let of_each: Vec<f64> = self.of_each.iter().filter(|logs| !logs.is_empty()).map(mean).collect();
        pooled_geometric_mean(&strata, seed).map(|estimate| over_processes(estimate, &of_each))
    }

    /// The nodes of one variant divided by those of another, over the positions that both answered: the ratio of the sums, since a position
    /// may have none. `None` where they are not counted alike: by two recursions, or by a foreign program.
    pub(super) fn node_ratio(&self, base: usize, variant: usize) -> Option<f64> {
        if self.recursions[base] != self.recursions[variant] {
            return None;
        }
        let pairs = self.strata(|spot, _| self.nodes.get(spot).and_then(|nodes| Some((nodes[base]?, nodes[variant]?))));
        summary::ratio(&pairs.concat())
    }

    fn strata<P: InBatch>(&self, pair: impl Fn(&Spot, &[f64]) -> Option<P>) -> Vec<Vec<P>> {
        let mut strata: BTreeMap<usize, Vec<P>> = BTreeMap::new();
        for (spot, logs) in &self.logs {
            strata.entry(spot.0).or_default().extend(pair(spot, logs));
        }
        strata.into_values().collect()
    }
}

/// Each variant's time in the passes that `of` keeps; `None` where one has none.
fn times(cells: &[Option<&CellResult>], of: impl Fn(&Pass) -> bool) -> Option<Vec<f64>> {
    cells.iter().map(|cell| cell.and_then(|cell| cell.ns_of(&of))).collect()
}

fn logs(times: Vec<f64>) -> Vec<f64> {
    times.into_iter().map(f64::ln).collect()
}

/// The mean over the machines that measured a position.
fn means(found: BTreeMap<Spot, Vec<Vec<f64>>>) -> Logs {
    let mean = |of: Vec<Vec<f64>>| {
        let sum = |variant: usize| of.iter().map(|logs| logs[variant]).sum::<f64>();
        (0..of[0].len()).map(|variant| sum(variant) / of.len() as f64).collect()
    };
    found.into_iter().map(|(spot, of)| (spot, mean(of))).collect()
}

/// The processes without those that were cut off: less than half as many positions as another. Of the rest, the positions
/// that all have.
fn whole(mut processes: Vec<Logs>) -> Vec<Logs> {
    let most = processes.iter().map(Logs::len).max().unwrap_or_default();
    processes.retain(|logs| 2 * logs.len() >= most);
    let spots: Vec<BTreeSet<Spot>> = processes.iter().map(|logs| logs.keys().copied().collect()).collect();
    for logs in &mut processes {
        logs.retain(|spot, _| spots.iter().all(|spots| spots.contains(spot)));
    }
    processes
}

/// The recursion that a spec names. Before there were two of them, specs named none.
fn recursion(column: &Series) -> String {
    let named = column.spec.split(',').find_map(|choice| choice.strip_prefix("search="));
    named.unwrap_or("moves").to_string()
}
