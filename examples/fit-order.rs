//! Fits the weights of `order=weighted`: a search over weights that wants few nodes of the champion on the development sets.
//!
//! ```text
//! cargo run --release --example fit-order -- --tries 200 --seed 1
//! cargo run --release --example fit-order -- --set development/middle-medium --limit 50 --start 8,6,2,1
//! ```
//!
//! It climbs: a try changes one weight of the best so far, at times two, by a small step or to any value, and is kept if its cost is
//! lower. The cost is the mean over sets of the mean over positions of ln(nodes + 1): a set counts as much as another
//! although its nodes are a thousand times as many, and a position by its ratio, so that the few hardest do not decide alone.
//!
//! Sets are solved in the order in which they are given. A try is given up after a set by which its cost is higher than the best one's by
//! more than 1 %, or where a position takes eight times its nodes: what is given up might have been better in the end, rarely.
//!
//! Every score is checked. Nodes depend on nothing but the weights, so a seed finds the same again on any machine.

use anyhow::{Context, Result, bail, ensure};
use c4lab_measure::sets::draw::Draw;
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::axes::order::{FEATURES, MOST_WEIGHT, Order, WEIGHTS, Weights};
use c4lab_solver::search::registry::CHAMPION_SCALAR;
use c4lab_solver::search::{AtRunTime, Goal, Limits, Options, Searcher, Solver, Spec, size};
use clap::Parser;

/// Fits the weights of order=weighted on development sets
#[derive(Debug, Parser)]
struct Args {
    /// A set, easy ones first; may be given again [default: the development sets but for end-easy]
    #[arg(long = "set", value_name = "SET")]
    sets: Vec<String>,
    /// Positions of each set, from its first
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
    /// How many weights are tried
    #[arg(long, default_value_t = 100)]
    tries: usize,
    /// The seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The weights to start from, by the order of the features, 0 for those left out [default: the ones in use]
    #[arg(long, value_parser = weights)]
    start: Option<Weights>,
    /// The table's size
    #[arg(long, value_parser = size::parse, default_value = "64MiB")]
    tt: u64,
}

/// Sets that are fitted on: in end-easy positions take a handful of nodes, whatever their order.
const SETS: [&str; 5] = ["begin-easy", "middle-easy", "middle-medium", "begin-medium", "begin-hard"];

fn weights(text: &str) -> Result<Weights, String> {
    let parsed: Result<Vec<u32>, _> = text.split(',').map(str::parse).collect();
    let given = parsed.map_err(|error| error.to_string())?;
    if given.len() > FEATURES.len() || given.iter().any(|&weight| weight > MOST_WEIGHT) {
        return Err(format!("at most {} weights of at most {MOST_WEIGHT}", FEATURES.len()));
    }
    Ok(std::array::from_fn(|feature| given.get(feature).copied().unwrap_or(0)))
}

/// Nodes of every position, set by set.
type Nodes = Vec<Vec<u64>>;

/// Positions, and how they are solved.
struct Bench {
    sets: Vec<TestSet>,
    options: Options,
}

impl Bench {
    fn open(args: &Args) -> Result<Self> {
        let names = if args.sets.is_empty() {
            SETS.map(|set| format!("development/{set}")).to_vec()
        } else {
            args.sets.clone()
        };
        let open = |name: &String| -> Result<TestSet> {
            let mut set = TestSet::open(name)?;
            set.items.truncate(args.limit);
            Ok(set)
        };
        let sets: Result<_> = names.iter().map(open).collect();
        Ok(Bench { sets: sets?, options: Options::with_tt(args.tt) })
    }

    /// The nodes under `weights`; `None` when they are given up against `best`.
    ///
    /// # Errors
    /// A wrong score.
    fn nodes(&self, weights: Weights, best: Option<&Nodes>) -> Result<Option<Nodes>> {
        let mut engine = Searcher::new(
            AtRunTime::new(Spec { order: Order::Replies, ..CHAMPION_SCALAR }).weighing(weights),
            &self.options,
        )?;
        let mut nodes = Nodes::new();
        for (index, set) in self.sets.iter().enumerate() {
            let limits: Option<&[u64]> = best.map(|best| &*best[index]);
            let Some(solved) = solve(&mut engine, set, limits)? else { return Ok(None) };
            nodes.push(solved);
            if best.is_some_and(|best| cost(&nodes) > cost(&best[..=index]) + 0.01) {
                return Ok(None);
            }
        }
        Ok(Some(nodes))
    }
}

/// The nodes of every position of a set, each from a cleared table; `None` when one takes eight times its limit.
fn solve(engine: &mut Searcher<AtRunTime>, set: &TestSet, limits: Option<&[u64]>) -> Result<Option<Vec<u64>>> {
    let mut nodes = Vec::new();
    for (index, item) in set.items.iter().enumerate() {
        let most = limits.map(|limits| 8 * limits[index] + 1000);
        engine.reset();
        match engine.solve(&item.position, Goal::Strong, &Limits { nodes: most, ..Limits::default() }) {
            Ok(solved) if solved.score == item.score => nodes.push(solved.nodes),
            Ok(solved) => bail!("{}: {} is wrong for {}", set.name, solved.score, item.position),
            Err(_) => return Ok(None),
        }
    }
    Ok(Some(nodes))
}

/// The mean over sets of the mean of ln(nodes + 1).
fn cost(nodes: &[Vec<u64>]) -> f64 {
    let mean = |set: &Vec<u64>| set.iter().map(|&nodes| (nodes as f64 + 1.0).ln()).sum::<f64>() / set.len() as f64;
    nodes.iter().map(mean).sum::<f64>() / nodes.len() as f64
}

/// Other weights near these.
fn change(mut weights: Weights, draw: &mut Draw) -> Weights {
    let before = weights;
    while weights == before {
        for _ in 0..1 + draw.below(3) / 2 {
            let feature = draw.below(FEATURES.len());
            weights[feature] = match draw.below(2) {
                0 => draw.below(MOST_WEIGHT as usize + 1) as u32,
                _ => (weights[feature] + draw.below(7) as u32).saturating_sub(3).min(MOST_WEIGHT),
            };
        }
    }
    weights
}

fn shown(weights: Weights) -> String {
    let named = FEATURES.iter().zip(weights).map(|(feature, weight)| format!("{feature} {weight}"));
    named.collect::<Vec<_>>().join(", ")
}

fn print_sets(bench: &Bench, before: &Nodes, after: &Nodes) {
    println!("{:26} {:>14} {:>14} {:>7} {:>9}", "set", "nodes before", "after", "ratio", "geometric");
    for ((set, before), after) in bench.sets.iter().zip(before).zip(after) {
        let [old, new] = [before, after].map(|nodes| nodes.iter().sum::<u64>());
        let geometric = (cost(std::slice::from_ref(after)) - cost(std::slice::from_ref(before))).exp();
        println!("{:26} {old:>14} {new:>14} {:>7.4} {geometric:>9.4}", set.name, new as f64 / old as f64);
    }
    println!("cost {:.5} before, {:.5} after", cost(before), cost(after));
}

fn main() -> Result<()> {
    let args = Args::parse();
    let bench = Bench::open(&args)?;
    ensure!(bench.sets.iter().all(|set| !set.items.is_empty()), "a set without positions");
    let in_use = bench.nodes(WEIGHTS, None)?.context("no limit")?;
    println!("in use: {}", shown(WEIGHTS));
    let mut weights = args.start.unwrap_or(WEIGHTS);
    let mut best = bench.nodes(weights, None)?.context("no limit")?;
    print_sets(&bench, &in_use, &best);
    let mut draw = Draw::new(args.seed, "fit-order");
    for turn in 1..=args.tries {
        let other = change(weights, &mut draw);
        let Some(nodes) = bench.nodes(other, Some(&best))? else { continue };
        if cost(&nodes) < cost(&best) {
            (weights, best) = (other, nodes);
            println!("try {turn}: cost x {:.4}: {weights:?}", (cost(&best) - cost(&in_use)).exp());
        }
    }
    println!("best: {}", shown(weights));
    print_sets(&bench, &in_use, &best);
    Ok(())
}
