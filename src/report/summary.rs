//! The summary: what every variant took on every set, beside the first variant of that set.
//!
//! A position's time is the median over repetitions. A position that reached a limit counts with twice the limit
//! (PAR-2) in times, and leaves node statistics; one with a wrong score leaves both, and is counted.

use super::stats::{Estimate, median, ratio_of_sums};
use crate::lab::sample::{Sample, Status};
use crate::solve::Goal;
use anyhow::Result;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// One variant on one set under one goal: a line of `summary.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The test set.
    pub set: String,
    /// The variant.
    pub variant: String,
    /// The goal.
    pub goal: Goal,
    /// Positions measured.
    pub positions: usize,
    /// Positions answered rightly in every repetition.
    pub ok: usize,
    /// Positions with a wrong answer, or another failure.
    pub wrong: usize,
    /// Positions that reached a limit.
    pub limited: usize,
    /// Mean time of a position.
    pub mean_ns: Option<f64>,
    /// Mean number of nodes of a position.
    pub mean_nodes: Option<f64>,
    /// Nodes a second, over all positions answered.
    pub nodes_per_s: Option<f64>,
    /// The first variant's time divided by this one's, over the positions that both have.
    pub speedup: Option<f64>,
    /// Lower end of its 95 % interval.
    pub speedup_low: Option<f64>,
    /// Upper end.
    pub speedup_high: Option<f64>,
    /// The first variant's nodes divided by this one's, over the positions that both answered.
    pub node_ratio: Option<f64>,
}

/// What a variant took on a position.
#[derive(Clone, Copy, Debug)]
struct Taken {
    ns: f64,
    /// None where a limit was reached.
    nodes: Option<f64>,
}

/// A variant's results on one set.
#[derive(Default)]
struct Results {
    taken: BTreeMap<u64, Taken>,
    wrong: usize,
}

/// Sums up samples. `order` names variants in the order they are shown and compared: the first that a set has is
/// what the others are compared with. Variants that it does not name follow by name.
pub fn summarise(samples: &[Sample], order: &[String], seed: u64) -> Vec<Line> {
    let mut sets: Vec<(String, String, Goal)> = Vec::new();
    let mut rows: HashMap<(String, String, Goal), HashMap<String, Vec<&Sample>>> = HashMap::new();
    for sample in samples {
        let key = (sample.set.clone(), sample.set_sha256.clone(), sample.goal);
        if !rows.contains_key(&key) {
            sets.push(key.clone());
        }
        rows.entry(key).or_default().entry(sample.variant.clone()).or_default().push(sample);
    }
    let mut lines = Vec::new();
    for key in sets {
        let (by_variant, (set, _, goal)) = (&rows[&key], &key);
        let place = |name: &String| order.iter().position(|other| other == name).unwrap_or(usize::MAX);
        let mut variants: Vec<&String> = by_variant.keys().collect();
        variants.sort_by_key(|name| (place(name), (*name).clone()));
        let results: Vec<Results> = variants.iter().map(|&name| collect(&by_variant[name])).collect();
        for (name, result) in variants.iter().zip(&results) {
            lines.push(line(set, *goal, name, result, &results[0], seed));
        }
    }
    lines
}

fn collect(samples: &[&Sample]) -> Results {
    let mut by_position: BTreeMap<u64, Vec<&Sample>> = BTreeMap::new();
    samples.iter().for_each(|sample| by_position.entry(sample.position_id).or_default().push(sample));
    let mut results = Results::default();
    for (position, samples) in by_position {
        if samples.iter().any(|sample| sample.status != Status::Ok && !sample.status.is_limited()) {
            results.wrong += 1;
            continue;
        }
        let times: Vec<f64> = samples.iter().map(|sample| par_2(sample)).collect();
        let nodes: Vec<f64> = samples.iter().filter_map(|sample| sample.nodes).map(|nodes| nodes as f64).collect();
        let limited = samples.iter().any(|sample| sample.status.is_limited());
        if let Some(ns) = median(&times) {
            results.taken.insert(position, Taken { ns, nodes: median(&nodes).filter(|_| !limited) });
        }
    }
    results
}

/// The time of a row; at a limit twice the time limit, or twice the time it had where only nodes were limited.
fn par_2(sample: &Sample) -> f64 {
    let wall = sample.wall_ns.unwrap_or_default() as f64;
    if sample.status.is_limited() { 2.0 * sample.limit_ns.map_or(wall, |limit| limit as f64) } else { wall }
}

fn line(set: &str, goal: Goal, variant: &str, results: &Results, base: &Results, seed: u64) -> Line {
    let taken: Vec<&Taken> = results.taken.values().collect();
    let answered: Vec<(f64, f64)> = taken.iter().filter_map(|taken| Some((taken.ns, taken.nodes?))).collect();
    let sum = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>();
    let (ns, nodes) = (sum(&mut answered.iter().map(|pair| pair.0)), sum(&mut answered.iter().map(|pair| pair.1)));
    let mean = |total: f64, count: usize| (count > 0).then(|| total / count as f64);
    let speedup = compare(results, base, seed);
    Line {
        set: set.to_string(),
        variant: variant.to_string(),
        goal,
        positions: taken.len() + results.wrong,
        ok: answered.len(),
        wrong: results.wrong,
        limited: taken.len() - answered.len(),
        mean_ns: mean(sum(&mut taken.iter().map(|taken| taken.ns)), taken.len()),
        mean_nodes: mean(nodes, answered.len()),
        nodes_per_s: (ns > 0.0).then(|| nodes / ns * 1e9),
        speedup: speedup.map(|estimate| estimate.value),
        speedup_low: speedup.and_then(|estimate| estimate.interval).map(|interval| interval.0),
        speedup_high: speedup.and_then(|estimate| estimate.interval).map(|interval| interval.1),
        node_ratio: node_ratio(results, base),
    }
}

/// Pairs of the two variants on the positions that both have.
fn pairs<'a>(results: &'a Results, base: &'a Results) -> impl Iterator<Item = (Taken, Taken)> + 'a {
    results.taken.iter().filter_map(|(position, taken)| Some((*base.taken.get(position)?, *taken)))
}

fn compare(results: &Results, base: &Results, seed: u64) -> Option<Estimate> {
    let times: Vec<(f64, f64)> = pairs(results, base).map(|(base, variant)| (base.ns, variant.ns)).collect();
    ratio_of_sums(&times, seed)
}

fn node_ratio(results: &Results, base: &Results) -> Option<f64> {
    let nodes = pairs(results, base).filter_map(|(base, variant)| Some((base.nodes?, variant.nodes?)));
    let (base, variant) = nodes.fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    (variant > 0.0).then(|| base / variant)
}

/// `summary.csv`.
pub fn csv(lines: &[Line]) -> Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.write_record([
        "set",
        "variant",
        "goal",
        "positions",
        "ok",
        "wrong",
        "limited",
        "mean_ns",
        "mean_nodes",
        "nodes_per_s",
        "speedup",
        "speedup_low",
        "speedup_high",
        "node_ratio",
    ])?;
    for line in lines {
        writer.serialize(line)?;
    }
    Ok(writer.into_inner().map_err(|error| error.into_error())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::folder::tests::sample;

    fn order(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn means_and_ratios_by_hand() {
        let rows = [sample("b", 1, 100, 10), sample("a", 1, 400, 20), sample("a", 2, 800, 60), sample("b", 2, 300, 30)];
        let lines = summarise(&rows, &order(&["a", "b"]), 1);
        assert_eq!(lines.iter().map(|line| line.variant.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((lines[0].mean_ns, lines[0].mean_nodes), (Some(600.0), Some(40.0)));
        assert_eq!((lines[0].speedup, lines[0].node_ratio), (Some(1.0), Some(1.0)));
        assert_eq!((lines[1].speedup, lines[1].node_ratio), (Some(3.0), Some(2.0)));
        assert_eq!(lines[1].nodes_per_s, Some(40.0 / 400.0 * 1e9));
        assert_eq!((lines[1].positions, lines[1].ok, lines[1].wrong, lines[1].limited), (2, 2, 0, 0));
    }

    #[test]
    fn repetitions_count_by_their_median() {
        let rows: Vec<Sample> = [100, 900, 200]
            .into_iter()
            .enumerate()
            .map(|(pass, ns)| Sample { repetition: pass as u32, ..sample("a", 1, ns, 10) })
            .collect();
        let lines = summarise(&rows, &[], 1);
        assert_eq!((lines[0].positions, lines[0].mean_ns, lines[0].mean_nodes), (1, Some(200.0), Some(10.0)));
    }

    #[test]
    fn a_limit_costs_twice_the_limit_and_leaves_node_statistics() {
        let limited = Sample { status: Status::Timeout, limit_ns: Some(1000), score: None, ..sample("b", 2, 1003, 99) };
        let rows = [sample("a", 1, 100, 10), sample("a", 2, 100, 10), sample("b", 1, 100, 10), limited];
        let lines = summarise(&rows, &order(&["a", "b"]), 1);
        assert_eq!((lines[1].positions, lines[1].ok, lines[1].limited), (2, 1, 1));
        assert_eq!((lines[1].mean_ns, lines[1].mean_nodes), (Some(1050.0), Some(10.0)));
        assert_eq!(lines[1].speedup, Some(200.0 / 2100.0));
        assert_eq!(lines[1].node_ratio, Some(1.0));
    }

    #[test]
    fn a_wrong_score_is_never_a_time() {
        let wrong = Sample { status: Status::Wrong, score: Some(2), ..sample("b", 2, 1, 1) };
        let rows = [sample("a", 1, 100, 10), sample("a", 2, 100, 10), sample("b", 1, 100, 10), wrong];
        let lines = summarise(&rows, &order(&["a", "b"]), 1);
        assert_eq!((lines[1].positions, lines[1].ok, lines[1].wrong), (2, 1, 1));
        assert_eq!((lines[1].mean_ns, lines[1].speedup), (Some(100.0), Some(1.0)));
    }

    #[test]
    fn csv_leaves_empty_what_is_not_there() {
        let lines = summarise(&[sample("a", 1, 100, 10)], &[], 1);
        let text = String::from_utf8(csv(&lines).unwrap()).unwrap();
        assert_eq!(text.lines().nth(1).unwrap(), "s,a,strong,1,1,0,0,100.0,10.0,100000000.0,1.0,,,1.0");
    }
}
