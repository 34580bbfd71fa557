//! Comparison: what one variant is worth beside another, position by position.
//!
//! A ratio is the base's time (or nodes) divided by the variant's: above 1 the variant is better.

use crate::results::{CellResult, Group, Series, pairs};
use crate::stats::{
    Estimate, InBatch, Tally, Times, geometric_mean, mean_ratio, median_ratio, over_processes, ratio_of_sums, tally,
};
use crate::table::units::times;
use crate::table::{Table, TableOver};
use crate::tables::conclusion;
use crate::tables::summary::ratio;

/// Times within one hundredth of each other are a tie: smaller differences come from the clock.
pub const TIE: f64 = 0.01;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Nanoseconds, over the positions that neither variant failed.
    Time,
    Nodes,
}

impl Quantity {
    pub const ALL: [Quantity; 2] = [Quantity::Nodes, Quantity::Time];

    pub fn name(self) -> &'static str {
        match self {
            Quantity::Time => "time",
            Quantity::Nodes => "nodes",
        }
    }

    /// The largest relative difference of two values that is still a tie.
    fn tie(self) -> f64 {
        match self {
            Quantity::Time => TIE,
            Quantity::Nodes => 0.0,
        }
    }

    /// What both variants took on each position. Times of two kinds are not compared ([`Group::timed_base`]).
    pub fn pairs(self, group: &Group, base: &Series, variant: &Series) -> Vec<Paired> {
        if self == Quantity::Time && base.run_time != variant.run_time {
            return Vec::new();
        }
        let columns = (base, variant);
        let of = |(place, base, variant): (usize, &CellResult, &CellResult)| {
            let line = group.places[place].position_id;
            let pair = match self {
                Quantity::Time => (base.ns()?, variant.ns()?),
                Quantity::Nodes => (base.nodes?, variant.nodes?),
            };
            let is_time = self == Quantity::Time;
            // Nodes are counted, and no batch disturbs them.
            let batch = base.batch.filter(|_| is_time);
            Some(Paired { line, times: Times { pair, batch }, is_short: is_time && group.is_short(columns, &pair) })
        };
        pairs(base, variant).filter_map(of).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    pub line: u64,
    pub times: Times,
    /// Whether a time of it is short ([`Group::is_short`]).
    pub is_short: bool,
}

/// What a ratio of single positions rests on: those that are not short.
pub fn telling(paired: &[Paired]) -> Vec<Times> {
    paired.iter().filter(|paired| !paired.is_short).map(|paired| paired.times).collect()
}

/// What a variant is worth beside its base in one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub positions: usize,
    /// Of these, how many are short: they stand in the sums alone.
    pub short: usize,
    /// The ratio of the sums: what somebody who waits for the whole set gains. `None` where sums mean nothing.
    pub ratio_of_sums: Option<Estimate>,
    pub geometric_mean: Option<Estimate>,
    pub median: Option<f64>,
    /// Positions on which the variant is better, alike, worse.
    pub tally: Tally,
    /// The position on which it does worst: line of the set, and its ratio.
    pub worst: Option<(u64, f64)>,
    pub best: Option<(u64, f64)>,
}

impl Comparison {
    pub fn of(group: &Group, base: &Series, variant: &Series, quantity: Quantity, seed: u64) -> Self {
        let pooled = Self::of_pairs(&quantity.pairs(group, base, variant), quantity, seed);
        if quantity == Quantity::Nodes {
            return pooled;
        }
        let processes = group.times_of_processes(base, variant);
        let sums: Vec<f64> = processes.iter().filter_map(|(_, pairs)| ratio(pairs)).collect();
        let means = processes.iter().filter_map(|(_, pairs)| mean_ratio(&group.telling((base, variant), pairs)));
        let means: Vec<f64> = means.collect();
        Comparison {
            ratio_of_sums: pooled.ratio_of_sums.map(|estimate| over_processes(estimate, &sums)),
            geometric_mean: pooled.geometric_mean.map(|estimate| over_processes(estimate, &means)),
            ..pooled
        }
    }

    pub fn of_pairs(paired: &[Paired], quantity: Quantity, seed: u64) -> Self {
        let pairs: Vec<Times> = paired.iter().map(|paired| paired.times).collect();
        let telling = telling(paired);
        let ratio = |paired: &Paired| {
            let (base, variant) = paired.times.pair();
            (paired.line, base / variant)
        };
        // Without a node nothing can be divided by.
        let ratios =
            || paired.iter().filter(|paired| !paired.is_short).map(ratio).filter(|(_, ratio)| ratio.is_finite());
        let by_ratio = |one: &(u64, f64), other: &(u64, f64)| one.1.total_cmp(&other.1);
        Comparison {
            positions: pairs.len(),
            short: pairs.len() - telling.len(),
            ratio_of_sums: ratio_of_sums(&pairs, seed),
            geometric_mean: geometric_mean(&telling, seed),
            median: median_ratio(&telling),
            tally: tally(&telling, quantity.tie()),
            worst: ratios().min_by(by_ratio),
            best: ratios().max_by(by_ratio),
        }
    }
}

/// The columns of a comparison. Worst and best are lines of one set: where sets are pooled, lines are left out.
pub fn columns<'a, T>(over: TableOver<'a, T>, get: impl Fn(&T) -> (&Comparison, bool)) -> TableOver<'a, T> {
    let line = |row: &T, place: fn(&Comparison) -> Option<(u64, f64)>| {
        let (compared, is_pooled) = get(row);
        place(compared).filter(|_| !is_pooled).map(|place| place.0 as f64)
    };
    over.count("n", "positions", |row| get(row).0.positions)
        .count("short", "short", |row| get(row).0.short)
        .ratio("ratio of sums", "ratio_of_sums", |row| get(row).0.ratio_of_sums)
        .ratio("geometric mean", "geometric_mean", |row| get(row).0.geometric_mean)
        .number("median", "median", times, |row| get(row).0.median)
        .count("wins", "wins", |row| get(row).0.tally.wins)
        .count("ties", "ties", |row| get(row).0.tally.ties)
        .count("losses", "losses", |row| get(row).0.tally.losses)
        .number("worst", "worst", times, |row| Some(get(row).0.worst?.1))
        .number("at line", "worst_line", |line| line.to_string(), |row| line(row, |compared| compared.worst))
        .number("best", "best", times, |row| Some(get(row).0.best?.1))
        .number("at line", "best_line", |line| line.to_string(), |row| line(row, |compared| compared.best))
}

pub const SHORT: &str =
    "Short: positions timed below 20 resolutions of the clock, which count in the ratio of sums alone.";

struct Row<'a> {
    base: &'a str,
    variant: &'a str,
    quantity: Quantity,
    compared: Comparison,
    is_sound: bool,
}

/// Every variant of a group beside one base: a row for nodes and one for time.
pub fn beside(group: &Group, base: &Series, seed: u64) -> Table {
    let others = group.columns.iter().filter(|series| series.variant != base.variant);
    let rows = rows(group, others.map(|variant| (base, variant)), seed);
    let means: Vec<(&str, Estimate)> = means(&rows).map(|(_, variant, mean)| (variant, mean)).collect();
    let title = format!("compared with {}", base.variant);
    table("speed-ups", group, &title, &rows).concluding(conclusion::beside(&base.variant, &means))
}

/// Every variant of a group beside the one before it: the rungs of a ladder.
pub fn steps(group: &Group, seed: u64) -> Table {
    let rows = rows(group, group.columns.windows(2).map(|step| (&step[0], &step[1])), seed);
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
         {SHORT}{}{}",
        group.said_of_limits(),
        group.said_of_times()
    );
    let over = Table::about(group, name, title, note)
        .over(rows)
        .text("base", "base", |row| row.base)
        .text("variant", "variant", |row| row.variant)
        .text("of", "of", |row| row.quantity.name());
    columns(over, |row| (&row.compared, false)).table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::fixtures::sample;

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
        let results = results(&rows, &["a", "b"]);
        let group = &results.groups[0];
        let of = |quantity| Comparison::of(group, &group.columns[0], &group.columns[1], quantity, 1);
        let time = of(Quantity::Time);
        assert_eq!((time.positions, time.worst, time.best), (3, Some((7, 0.5)), Some((1, 4.0))));
        assert_eq!((time.tally.wins, time.tally.ties, time.tally.losses), (1, 1, 1));
        assert_eq!(time.ratio_of_sums.unwrap().value, 1500.0 / 1301.0);
        let nodes = of(Quantity::Nodes);
        assert_eq!((nodes.tally.wins, nodes.tally.ties, nodes.tally.losses), (1, 1, 1));
        assert!((nodes.geometric_mean.unwrap().value - 0.5f64.cbrt()).abs() < 1e-12);
        let table = beside(group, &group.columns[0], 1);
        assert_eq!(table.shown()[1][..4], ["a", "b", "time", "3"]);
        assert_eq!(steps(group, 1).rows, table.rows);
    }

    /// A position without a node is neither the worst nor the best.
    #[test]
    fn what_cannot_be_divided_has_no_ratio() {
        let rows = [sample("a", 1, 4, 20), sample("b", 1, 1, 10), sample("a", 2, 4, 20), sample("b", 2, 1, 0)];
        let results = results(&rows, &["a", "b"]);
        let group = &results.groups[0];
        let nodes = Comparison::of(group, &group.columns[0], &group.columns[1], Quantity::Nodes, 1);
        assert_eq!((nodes.positions, nodes.worst, nodes.best), (2, Some((1, 2.0)), Some((1, 2.0))));
        assert_eq!(nodes.tally.wins, 2);
    }
}
