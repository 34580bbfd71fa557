//! Comparison of a variant with its base, position by position.
//!
//! A ratio is the base's time (or nodes) divided by the variant's: above 1 the variant is better.

use crate::results::{Group, Quantity, Series};
use crate::stats::{
    Estimate, Pair, Tally, mean_ratio, median_ratio, over_processes, pooled_geometric_mean, ratio_of_sums, sums_ratio,
    tally,
};
use crate::table::units::times;
use crate::table::{Table, TableOver};
use crate::tables::conclusion;
use std::collections::{BTreeMap, BTreeSet};

/// Times within one hundredth of each other are a tie: smaller differences come from the clock. Nodes have no error.
const TIE: f64 = 0.01;

/// A group with the base and the variant.
pub type Beside<'a> = (&'a Group, &'a Series, &'a Series);

/// A variant beside its base in one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub positions: usize,
    /// The number of positions with a time below 20 resolutions of the clock.
    pub short: usize,
    /// The ratio of the sums: the gain over the whole set.
    pub ratio_of_sums: Option<Estimate>,
    pub geometric_mean: Option<Estimate>,
    pub median: Option<f64>,
    /// The numbers of positions on which the variant is better, equal, worse.
    pub tally: Tally,
    /// The position with the lowest ratio: its line in the set, and the ratio.
    pub worst: Option<(u64, f64)>,
    pub best: Option<(u64, f64)>,
    /// True for several sets, where a line alone names no position.
    is_pooled: bool,
}

impl Comparison {
    pub fn of(group: &Group, base: &Series, variant: &Series, quantity: Quantity, seed: u64) -> Self {
        Self::pooled(&[(group, base, variant)], quantity, seed)
    }

    /// Compares over the positions of several groups. For times, they must be of one machine and build.
    pub fn pooled(groups: &[Beside<'_>], quantity: Quantity, seed: u64) -> Self {
        let (is_time, is_pooled) = (quantity == Quantity::Time, groups.len() > 1);
        let (mut strata, mut seen) = (Vec::new(), BTreeSet::new());
        for (group, base, variant) in groups {
            let mut pairs = group.pairs(base, variant, quantity);
            // Nodes are the same on every machine: a position of two machines counts once.
            pairs.retain(|pair| is_time || seen.insert((&group.set_sha256, pair.line)));
            strata.push(pairs);
        }
        let pairs = strata.concat();
        let processes = if is_time { by_process(groups) } else { Vec::new() };
        let sums: Vec<f64> = processes.iter().filter_map(|pairs| sums_ratio(pairs)).collect();
        let means: Vec<f64> = processes.iter().filter_map(|pairs| mean_ratio(pairs)).collect();
        // Drawn from all positions together: a little wider than within each set.
        let ratio_of_sums = ratio_of_sums(&pairs, seed).map(|estimate| over_processes(estimate, &sums));
        let geometric_mean = pooled_geometric_mean(&strata, seed).map(|estimate| over_processes(estimate, &means));
        // A variant without nodes on a position has no ratio.
        let ratios = || pairs.iter().map(|pair| (pair.line, pair.ratio())).filter(|(_, ratio)| ratio.is_finite());
        let by_ratio = |one: &(u64, f64), other: &(u64, f64)| one.1.total_cmp(&other.1);
        Comparison {
            positions: pairs.len(),
            short: pairs.iter().filter(|pair| pair.is_short()).count(),
            ratio_of_sums,
            geometric_mean,
            median: median_ratio(&pairs),
            tally: tally(&pairs, if is_time { TIE } else { 0.0 }),
            worst: ratios().min_by(by_ratio),
            best: ratios().max_by(by_ratio),
            is_pooled,
        }
    }
}

/// The pairs of each process over all groups. A process that lacks a pair is left out.
fn by_process(groups: &[Beside<'_>]) -> Vec<Vec<Pair>> {
    let mut processes: BTreeMap<u32, Vec<Pair>> = BTreeMap::new();
    for (group, base, variant) in groups {
        for (process, pairs) in group.times_of_processes(base, variant) {
            processes.entry(process).or_default().extend(pairs);
        }
    }
    let most = processes.values().map(Vec::len).max().unwrap_or_default();
    processes.into_values().filter(|pairs| pairs.len() == most).collect()
}

pub fn columns<'a, T>(over: TableOver<'a, T>, get: impl Fn(&T) -> &Comparison) -> TableOver<'a, T> {
    let line = |compared: &Comparison, place: Option<(u64, f64)>| {
        place.filter(|_| !compared.is_pooled).map(|place| place.0 as f64)
    };
    let whole = |line: f64| line.to_string();
    over.count("n", "positions", |row| get(row).positions)
        .count("short", "short", |row| get(row).short)
        .ratio("ratio of sums", "ratio_of_sums", |row| get(row).ratio_of_sums)
        .ratio("geometric mean", "geometric_mean", |row| get(row).geometric_mean)
        .number("median", "median", times, |row| get(row).median)
        .count("wins", "wins", |row| get(row).tally.wins)
        .count("ties", "ties", |row| get(row).tally.ties)
        .count("losses", "losses", |row| get(row).tally.losses)
        .number("worst", "worst", times, |row| Some(get(row).worst?.1))
        .number("at line", "worst_line", whole, |row| line(get(row), get(row).worst))
        .number("best", "best", times, |row| Some(get(row).best?.1))
        .number("at line", "best_line", whole, |row| line(get(row), get(row).best))
}

/// The note on the column `short`.
pub const SHORT: &str =
    "Times below 20 clock ticks (short) widen the interval of the geometric mean by half a tick either way.";

struct Row<'a> {
    base: &'a str,
    variant: &'a str,
    quantity: Quantity,
    compared: Comparison,
    is_sound: bool,
}

/// Every variant of a group beside one base: a row for nodes and one for time.
pub fn beside(group: &Group, base: &Series, seed: u64) -> Table {
    let others = group.series.iter().filter(|series| series.variant != base.variant);
    let rows = rows(group, others.map(|variant| (base, variant)), seed);
    let means: Vec<(&str, Estimate)> = means(&rows).map(|(_, variant, mean)| (variant, mean)).collect();
    let title = format!("compared with {}", base.variant);
    table("speed-ups", group, &title, &rows).concluding(conclusion::beside(&base.variant, &means))
}

/// Every variant of a group beside the variant before it: the rungs of a ladder.
pub fn steps(group: &Group, seed: u64) -> Table {
    let rows = rows(group, group.series.windows(2).map(|step| (&step[0], &step[1])), seed);
    let means: Vec<(&str, &str, Estimate)> = means(&rows).collect();
    table("steps", group, "each compared with the one before it", &rows).concluding(conclusion::steps(&means))
}

fn rows<'a>(group: &'a Group, pairs: impl Iterator<Item = (&'a Series, &'a Series)>, seed: u64) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for (base, variant) in pairs {
        for quantity in Quantity::ALL {
            let timed = group.timed_base(base, variant).filter(|_| quantity == Quantity::Time);
            let Some(base) = timed.or(Some(base).filter(|_| quantity == Quantity::Nodes)) else { continue };
            let compared = Comparison::of(group, base, variant, quantity, seed);
            let is_sound = base.is_sound() && variant.is_sound();
            rows.push(Row { base: &base.variant, variant: &variant.variant, quantity, compared, is_sound });
        }
    }
    rows
}

/// The geometric means of times without a wrong or failed answer: base, variant, mean.
fn means<'a>(rows: &'a [Row<'a>]) -> impl Iterator<Item = (&'a str, &'a str, Estimate)> {
    let sound = rows.iter().filter(|row| row.quantity == Quantity::Time && row.is_sound);
    sound.filter_map(|row| Some((row.base, row.variant, row.compared.geometric_mean?)))
}

fn table(name: &'static str, group: &Group, title: &str, rows: &[Row<'_>]) -> Table {
    let note = format!(
        "The base divided by the variant, over the positions that both have. Times that differ by less than 1 % are a tie. \
         {SHORT}{}",
        group.caveats()
    );
    let over = Table::about(group, name, title, note)
        .over(rows)
        .text("base", "base", |row| row.base)
        .text("variant", "variant", |row| row.variant)
        .text("of", "of", |row| row.quantity.name());
    columns(over, |row| &row.compared).table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{group_of, sample};

    #[test]
    fn positions_by_hand() {
        let rows = [
            sample("a", 1, 400, 20),
            sample("b", 1, 100, 20),
            sample("a", 2, 1000, 10),
            sample("b", 2, 1001, 40),
            sample("a", 7, 100, 30),
            sample("b", 7, 200, 15),
            sample("b", 8, 200, 15),
        ];
        let group = &group_of(&rows, &["a", "b"]);
        let of = |quantity| Comparison::of(group, &group.series[0], &group.series[1], quantity, 1);
        let time = of(Quantity::Time);
        assert_eq!((time.positions, time.worst, time.best), (3, Some((7, 0.5)), Some((1, 4.0))));
        assert_eq!((time.tally.wins, time.tally.ties, time.tally.losses), (1, 1, 1));
        assert_eq!(time.ratio_of_sums.unwrap().value, 1500.0 / 1301.0);
        let nodes = of(Quantity::Nodes);
        assert_eq!((nodes.tally.wins, nodes.tally.ties, nodes.tally.losses), (1, 1, 1));
        assert!((nodes.geometric_mean.unwrap().value - 0.5f64.cbrt()).abs() < 1e-12);
        let table = beside(group, &group.series[0], 1);
        assert_eq!(table.shown()[1][..4], ["a", "b", "time", "3"]);
        assert_eq!(steps(group, 1).rows, table.rows);
    }

    #[test]
    fn a_position_without_a_node_is_neither_the_worst_nor_the_best() {
        let rows = [sample("a", 1, 4, 20), sample("b", 1, 1, 10), sample("a", 2, 4, 20), sample("b", 2, 1, 0)];
        let group = &group_of(&rows, &["a", "b"]);
        let nodes = Comparison::of(group, &group.series[0], &group.series[1], Quantity::Nodes, 1);
        assert_eq!((nodes.positions, nodes.worst, nodes.best), (2, Some((1, 2.0)), Some((1, 2.0))));
        assert_eq!(nodes.tally.wins, 2);
    }
}
