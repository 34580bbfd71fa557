//! Comparison: what one variant is worth beside another, position by position.
//!
//! A ratio is the base's time (or nodes) divided by the variant's: above 1 the variant is better.

use crate::report::results::{Column, Ground, pairs};
use crate::report::sheets::sheet::{Heading, Sheet, Subject, Value};
use crate::report::sheets::units::times;
use crate::report::stats::{Estimate, Tally, geometric_mean, median_ratio, over_processes, ratio_of_sums, tally};
use crate::report::tables::summary::ratio;

/// Times within one hundredth of each other are a tie: smaller differences come from the clock.
pub const TIE: f64 = 0.01;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Nanoseconds, over the positions that neither variant failed.
    Time,
    /// Nodes, over the positions that both answered.
    Nodes,
}

impl Quantity {
    /// Both.
    pub const ALL: [Quantity; 2] = [Quantity::Nodes, Quantity::Time];

    /// Its name in tables.
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

    /// What both variants took on a position: line of the set, base, variant. Times of two kinds are not compared
    /// ([`Ground::timed_base`]).
    pub fn pairs(self, ground: &Ground, base: &Column, variant: &Column) -> Vec<(u64, f64, f64)> {
        if self == Quantity::Time && base.run_time != variant.run_time {
            return Vec::new();
        }
        let of =
            |(place, base, variant): (usize, &crate::report::results::Observed, &crate::report::results::Observed)| {
                let line = ground.places[place].position_id;
                match self {
                    Quantity::Time => Some((line, base.ns()?, variant.ns()?)),
                    Quantity::Nodes => Some((line, base.nodes?, variant.nodes?)),
                }
            };
        pairs(base, variant).filter_map(of).collect()
    }
}

/// What a variant is worth beside its base in one quantity.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Positions that both have.
    pub positions: usize,
    /// The ratio of the sums: what somebody who waits for the whole set gains. `None` where sums mean nothing.
    pub ratio_of_sums: Option<Estimate>,
    /// The geometric mean of the positions' ratios.
    pub geometric_mean: Option<Estimate>,
    /// The middle ratio.
    pub median: Option<f64>,
    /// Positions on which the variant is better, alike, worse.
    pub tally: Tally,
    /// The position on which it does worst: line of the set, and its ratio.
    pub worst: Option<(u64, f64)>,
    /// The position on which it does best.
    pub best: Option<(u64, f64)>,
}

impl Comparison {
    /// Compares two columns of a ground.
    pub fn of(ground: &Ground, base: &Column, variant: &Column, quantity: Quantity, seed: u64) -> Self {
        let pooled = Self::of_pairs(&quantity.pairs(ground, base, variant), quantity, seed);
        if quantity == Quantity::Nodes {
            return pooled;
        }
        let processes = ground.times_of_processes(base, variant);
        let of_each = |ratio: fn(&[(f64, f64)]) -> Option<f64>| -> Vec<f64> {
            processes.iter().filter_map(|(_, pairs)| ratio(pairs)).collect()
        };
        let (sums, means) = (of_each(ratio), of_each(|pairs| Some(geometric_mean(pairs, 0)?.value)));
        Comparison {
            ratio_of_sums: pooled.ratio_of_sums.map(|estimate| over_processes(estimate, &sums)),
            geometric_mean: pooled.geometric_mean.map(|estimate| over_processes(estimate, &means)),
            ..pooled
        }
    }

    /// Compares what was paired already: line of the set, base, variant.
    pub fn of_pairs(lines: &[(u64, f64, f64)], quantity: Quantity, seed: u64) -> Self {
        let pairs: Vec<(f64, f64)> = lines.iter().map(|&(_, base, variant)| (base, variant)).collect();
        let ratio = |&(line, base, variant): &(u64, f64, f64)| (line, base / variant);
        let by_ratio = |one: &(u64, f64), other: &(u64, f64)| one.1.total_cmp(&other.1);
        Comparison {
            positions: pairs.len(),
            ratio_of_sums: ratio_of_sums(&pairs, seed),
            geometric_mean: geometric_mean(&pairs, seed),
            median: median_ratio(&pairs),
            tally: tally(&pairs, quantity.tie()),
            worst: lines.iter().map(ratio).min_by(by_ratio),
            best: lines.iter().map(ratio).max_by(by_ratio),
        }
    }

    /// The cells of a row, as [`headings`] has them.
    pub fn cells(&self) -> Vec<Value> {
        let value = |estimate: Option<Estimate>| Value::number(estimate.map(|estimate| estimate.value), times);
        let interval = |estimate: Option<Estimate>| Value::interval(estimate.and_then(|estimate| estimate.interval));
        let ratio = |place: Option<(u64, f64)>| Value::number(place.map(|place| place.1), times);
        let line =
            |place: Option<(u64, f64)>| Value::number(place.map(|place| place.0 as f64), |line| line.to_string());
        vec![
            Value::count(self.positions),
            value(self.ratio_of_sums),
            interval(self.ratio_of_sums),
            value(self.geometric_mean),
            interval(self.geometric_mean),
            Value::number(self.median, times),
            Value::count(self.tally.wins),
            Value::count(self.tally.ties),
            Value::count(self.tally.losses),
            ratio(self.worst),
            line(self.worst),
            ratio(self.best),
            line(self.best),
        ]
    }
}

/// The columns of a comparison.
pub fn headings() -> Vec<Heading> {
    vec![
        Heading::number("n", "positions"),
        Heading::number("ratio of sums", "ratio_of_sums"),
        Heading::interval("ratio_of_sums"),
        Heading::number("geometric mean", "geometric_mean"),
        Heading::interval("geometric_mean"),
        Heading::number("median", "median"),
        Heading::number("wins", "wins"),
        Heading::number("ties", "ties"),
        Heading::number("losses", "losses"),
        Heading::number("worst", "worst"),
        Heading::number("at line", "worst_line"),
        Heading::number("best", "best"),
        Heading::number("at line", "best_line"),
    ]
}

/// Every variant of a ground beside one base: a row for nodes and one for time.
pub fn beside(ground: &Ground, base: &Column, seed: u64) -> Sheet {
    let others = ground.columns.iter().filter(|column| column.variant != base.variant);
    let title = format!("beside {}", base.variant);
    sheet("speed-ups", ground, &title, others.map(|variant| (base, variant)), seed)
}

/// Every variant of a ground beside the one before it: the rungs of a ladder.
pub fn steps(ground: &Ground, seed: u64) -> Sheet {
    let steps = ground.columns.windows(2).map(|step| (&step[0], &step[1]));
    sheet("steps", ground, "each beside the one before", steps, seed)
}

fn sheet<'a>(
    name: &'static str,
    ground: &Ground,
    title: &str,
    pairs: impl Iterator<Item = (&'a Column, &'a Column)>,
    seed: u64,
) -> Sheet {
    let names = ["base", "variant", "of"].map(|name| Heading::text(name, name));
    let row = |base: &Column, variant: &Column, quantity: Quantity| {
        let base = if quantity == Quantity::Time { ground.timed_base(base, variant)? } else { base };
        let cells = Comparison::of(ground, base, variant, quantity, seed).cells();
        let names = [base.variant.as_str(), variant.variant.as_str(), quantity.name()].map(Value::text);
        Some(names.into_iter().chain(cells).collect())
    };
    Sheet {
        name,
        subject: Subject::of(ground),
        title: format!("{}: {title}", ground.title()),
        note: "The base divided by the variant, over the positions that both have; in times a limit counts twice, and \
               what differs by less than 1 % is a tie."
            .to_string()
            + &ground.said_of_run_time(),
        headings: names.into_iter().chain(headings()).collect(),
        rows: pairs.flat_map(|(base, variant)| Quantity::ALL.map(|of| row(base, variant, of))).flatten().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::files::folder::tests::sample;
    use crate::report::results::tests::results;

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
        let ground = &results.grounds[0];
        let of = |quantity| Comparison::of(ground, &ground.columns[0], &ground.columns[1], quantity, 1);
        let time = of(Quantity::Time);
        assert_eq!((time.positions, time.worst, time.best), (3, Some((7, 0.5)), Some((1, 4.0))));
        assert_eq!((time.tally.wins, time.tally.ties, time.tally.losses), (1, 1, 1));
        assert_eq!(time.ratio_of_sums.unwrap().value, 1500.0 / 1301.0);
        let nodes = of(Quantity::Nodes);
        assert_eq!((nodes.tally.wins, nodes.tally.ties, nodes.tally.losses), (1, 1, 1));
        assert!((nodes.geometric_mean.unwrap().value - 0.5f64.cbrt()).abs() < 1e-12);
        let sheet = beside(ground, &ground.columns[0], 1);
        assert_eq!((sheet.rows.len(), sheet.rows[0].len()), (2, sheet.headings.len()));
        assert_eq!(steps(ground, 1).rows, sheet.rows);
    }
}
