//! Pairs: comparisons of any two variants that were measured in the same blocks.

use crate::results::{Group, Results};
use crate::stats::Estimate;
use crate::table::pipes;
use crate::table::units::three_digits;
use crate::tables::summary::{Line, line};
use c4lab_measure::text::distinct;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub base: String,
    pub variant: String,
}

impl Pair {
    pub fn parse(text: &str) -> Result<Self, String> {
        let (base, variant) = text.split_once(':').ok_or(format!("{text:?} is not base:variant"))?;
        Ok(Pair { base: base.to_string(), variant: variant.to_string() })
    }

    /// The variant beside its base on a group, over common positions; `None` without any.
    fn cell(&self, group: &Group, seed: u64) -> Option<String> {
        let both = [group.named(&self.base)?, group.named(&self.variant)?];
        let group = group.keep(|place, _| both.iter().all(|column| column.cells[place].is_some()));
        let (base, variant) = (group.named(&self.base)?, group.named(&self.variant)?);
        let [base, variant] = [base, variant].map(|column| line(&group, column, base, seed));
        (!group.places.is_empty()).then(|| ratios(&base, &variant))
    }
}

/// `nodes 1.23x, time 1.10x (1.05 to 1.15), n = 100`, and the numbers of positions that reached a limit: they have no
/// nodes, and count with twice the limit in times.
fn ratios(base: &Line, line: &Line) -> String {
    let nodes = line.node_ratio.map(|ratio| format!("nodes {}x", three_digits(ratio)));
    let time = line.of_sums().map(|Estimate { value, interval }| match interval {
        Some((low, high)) => {
            format!("time {}x ({} to {})", three_digits(value), three_digits(low), three_digits(high))
        }
        None => format!("time {}x (too few)", three_digits(value)),
    });
    let limited = |line: &Line| (line.limited > 0).then(|| format!("{} of {} limited", line.limited, line.variant));
    let count = Some(format!("n = {}", line.positions));
    [nodes, time, count, limited(base), limited(line)].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Pairs by sets: the ratios of nodes and of times, and the 95 % interval of the latter.
pub fn by_set(results: &Results, seed: u64, pairs: &[Pair]) -> String {
    let sets = distinct(results.groups.iter().map(|group| group.set.as_str()));
    let heads: Vec<String> = ["base", "variant"].iter().chain(&sets).map(|head| head.to_string()).collect();
    let row = |pair: &Pair| {
        let of = |set: &&str| {
            let groups = results.groups.iter().filter(|group| group.set == **set);
            groups.filter_map(|group| pair.cell(group, seed)).collect::<Vec<_>>().join("; ")
        };
        let names = [&pair.base, &pair.variant].map(|name| recorded(results, name));
        [names.to_vec(), sets.iter().map(of).collect()].concat()
    };
    let is_text: Vec<bool> = (0..heads.len()).map(|column| column < 2).collect();
    pipes(&heads, &is_text, false, &pairs.iter().map(row).collect::<Vec<_>>())
}

/// The recorded name of the variant `name`, or `name` itself if there is none.
fn recorded(results: &Results, name: &str) -> String {
    let column = results.groups.iter().find_map(|group| group.named(name));
    column.map_or(name, |column| &column.variant).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::{Sample, Status, results, sample};

    #[test]
    fn a_pair_is_compared_over_the_positions_that_both_have() {
        let limited = Sample { status: Status::Timeout, limit_ns: Some(1000), score: None, ..sample("d", 2, 1003, 99) };
        let rows = [
            sample("a", 1, 400, 20),
            sample("b", 1, 100, 10),
            sample("a", 2, 300, 30),
            sample("b", 2, 300, 30),
            sample("c", 2, 150, 15),
            sample("d", 1, 800, 10),
            limited,
        ];
        let results = results(&rows, &[]);
        for (pair, cell) in [
            ("a:b", " nodes 1.25x, time 1.75x (too few), n = 2 "),
            ("b:c", " nodes 2.00x, time 2.00x (too few), n = 1 "),
            ("c:a", " nodes 0.500x, time 0.500x (too few), n = 1 "),
            ("b:d", " nodes 1.00x, time 0.143x (too few), n = 2, 1 of d limited "),
            ("x:a", "| x    | a       |   |"),
            ("a:x", "| a    | x       |   |"),
        ] {
            let text = by_set(&results, 1, &[Pair::parse(pair).unwrap()]);
            assert!(text.contains(cell), "{pair}: {text}");
        }
        assert_eq!(Pair::parse("a").unwrap_err(), "\"a\" is not base:variant");
    }
}
