//! Pairs: what one variant is worth beside another, for any two that were measured in the same blocks.

use crate::results::{Group, Results};
use crate::stats::Estimate;
use crate::table::markdown::{distinct, pipes};
use crate::table::units::three_digits;
use crate::tables::summary::{Line, line};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub base: String,
    pub variant: String,
    /// Whether the geometric mean of the times stands beside the ratio of their sums.
    pub with_mean: bool,
}

impl Pair {
    pub fn parse(text: &str) -> Result<Self, String> {
        let (base, variant) = text.split_once(':').ok_or(format!("{text:?} is not base:variant"))?;
        Ok(Pair { base: base.to_string(), variant: variant.to_string(), with_mean: false })
    }

    /// What the variant is worth beside its base on a group; empty where it was not measured.
    fn cell(&self, group: &Group, seed: u64) -> String {
        self.lines(group, seed).map_or(String::new(), |(base, variant)| self.ratios(&base, &variant))
    }

    /// The lines of the base and of the variant, over the positions that both have.
    fn lines(&self, group: &Group, seed: u64) -> Option<(Line, Line)> {
        let both = [group.column(&self.base)?, group.column(&self.variant)?];
        let group = group.keep(|place, _| both.iter().all(|column| column.cells[place].is_some()));
        let (base, variant) = (group.column(&self.base)?, group.column(&self.variant)?);
        if group.places.is_empty() {
            return None;
        }
        Some((line(&group, base, base, seed), line(&group, variant, base, seed)))
    }

    /// `nodes 1.23x, time 1.10x (1.05 to 1.15), n = 100`, and how many positions a limit cut off: those have no nodes,
    /// and count with twice the limit in times. With the mean: `typical 1.08x (1.06 to 1.10)`, and how many positions are
    /// too short for it.
    fn ratios(&self, base: &Line, line: &Line) -> String {
        let estimate = |name: &str, estimate: Estimate| match estimate.interval {
            Some((low, high)) => {
                let [value, low, high] = [estimate.value, low, high].map(three_digits);
                format!("{name} {value}x ({low} to {high})")
            }
            None => format!("{name} {}x (too few)", three_digits(estimate.value)),
        };
        let nodes = line.node_ratio.map(|ratio| format!("nodes {}x", three_digits(ratio)));
        let time = line.of_sums().map(|sums| estimate("time", sums));
        let mean = line.of_positions().filter(|_| self.with_mean).map(|mean| estimate("typical", mean));
        let count = Some(format!("n = {}", line.positions));
        let short = (self.with_mean && line.short > 0).then(|| format!("{} short", line.short));
        let limited = |line: &Line| (line.limited > 0).then(|| format!("{} of {} limited", line.limited, line.variant));
        let parts = nodes.into_iter().chain(time).chain(mean).chain(count).chain(short);
        parts.chain(limited(base)).chain(limited(line)).collect::<Vec<_>>().join(", ")
    }
}

/// Pairs by sets: how many times fewer nodes, how many times less time, and the 95 % interval of the time.
pub fn by_set(results: &Results, seed: u64, pairs: &[Pair]) -> String {
    let sets = distinct(results.groups.iter().map(|group| group.set.as_str()));
    let heads: Vec<String> = ["base", "variant"].iter().chain(&sets).map(|head| head.to_string()).collect();
    let row = |pair: &Pair| {
        let of = |set: &&str| {
            let cells = results.groups.iter().filter(|group| group.set == **set).map(|group| pair.cell(group, seed));
            cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join("; ")
        };
        let names = [&pair.base, &pair.variant].map(|name| recorded(results, name));
        [names.to_vec(), sets.iter().map(of).collect()].concat()
    };
    let is_text: Vec<bool> = (0..heads.len()).map(|column| column < 2).collect();
    pipes(&heads, &is_text, false, &pairs.iter().map(row).collect::<Vec<_>>())
}

/// The name that a variant was recorded under; where it was not, the name that it was asked for by.
fn recorded(results: &Results, name: &str) -> String {
    let column = results.groups.iter().find_map(|group| group.column(name));
    column.map_or(name, |column| &column.variant).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::{Sample, Status};
    use c4lab_measure::fixtures::sample;

    fn samples() -> Vec<Sample> {
        let at = |ply: u32, sample: Sample| Sample { ply, ..sample };
        vec![
            at(10, sample("a", 1, 400, 20)),
            at(10, sample("b", 1, 100, 10)),
            at(20, sample("a", 2, 300, 30)),
            at(20, sample("b", 2, 300, 30)),
            at(20, sample("c", 2, 150, 15)),
        ]
    }

    #[test]
    fn a_pair_is_compared_with_its_own_base() {
        let pairs = ["a:b", "b:c", "c:a"].map(|text| Pair::parse(text).unwrap());
        let text = by_set(&results(&samples(), &[]), 1, &pairs);
        let rows: Vec<&str> = text.lines().skip(2).collect();
        assert!(rows[0].contains("nodes 1.25x, time 1.75x"), "{text}");
        assert!(rows[1].contains("nodes 2.00x, time 2.00x"), "{text}");
        assert!(rows[2].contains("nodes 0.500x, time 0.500x"), "{text}");
        assert_eq!(Pair::parse("a").unwrap_err(), "\"a\" is not base:variant");
    }

    #[test]
    fn the_typical_position_stands_beside_the_sums_where_it_is_asked_for() {
        let pair = |with_mean| Pair { with_mean, ..Pair::parse("a:b").unwrap() };
        let of = |with_mean| by_set(&results(&samples(), &[]), 1, &[pair(with_mean)]);
        assert!(of(true).contains("time 1.75x (too few), typical 2.00x (too few), n = 2"), "{}", of(true));
        assert!(!of(false).contains("typical"), "{}", of(false));
    }

    #[test]
    fn a_cell_counts_shared_positions_and_those_that_a_limit_cut_off() {
        let limited = Sample { status: Status::Timeout, limit_ns: Some(1000), score: None, ..sample("a", 3, 1003, 99) };
        let samples = [samples(), vec![limited, sample("b", 3, 100, 10), sample("b", 4, 100, 10)]].concat();
        let text = by_set(&results(&samples, &[]), 1, &[Pair::parse("a:b").unwrap()]);
        assert!(text.contains("nodes 1.25x") && text.contains("n = 3, 1 of a limited"), "{text}");
    }

    #[test]
    fn a_pair_that_was_not_measured_has_an_empty_cell() {
        let text = by_set(&results(&samples(), &[]), 1, &[Pair::parse("x:a").unwrap(), Pair::parse("a:x").unwrap()]);
        assert!(text.lines().skip(2).all(|row| !row.contains("nodes")), "{text}");
    }
}
