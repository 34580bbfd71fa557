//! How far the champion's order of moves is from one that knows: each position is searched twice, and the second time each node with few
//! stones first looks at the child that ended it the first time.
//!
//! ```text
//! cargo run --release --example order-oracle
//! cargo run --release --example order-oracle -- --set development/begin-hard --limit 10 --stones 14 --stones 18
//! cargo run --release --example order-oracle -- --variant 'champion-threats-halves[order=weighted]'
//! ```
//!
//! A line for each set and number of stones: the nodes of the second search divided by those of the first, of the whole set and of the
//! typical position (geometric mean, each search plus one node). What is left between such an order and the best one is not in it: a child that
//! ends a node need not be the one that does so at least cost.
//!
//! Every score is checked.

use anyhow::{Result, bail};
use c4lab_measure::sets::test_set::{Item, TestSet};
use c4lab_solver::game::Standard;
use c4lab_solver::search::guide::Guide;
use c4lab_solver::search::name::Name;
use c4lab_solver::search::{AtRunTime, Goal, Limits, Options, Searcher, Solver, size};
use clap::Parser;

/// How far the champion's order of moves is from one that knows
#[derive(Debug, Parser)]
struct Args {
    /// A set; may be given again
    #[arg(long = "set", value_name = "SET", default_value = "development/begin-medium")]
    sets: Vec<String>,
    /// Positions of each set, from its first
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
    /// The most stones of a node that is led; may be given again
    #[arg(long, value_name = "STONES", default_values_t = [14, 18])]
    stones: Vec<u32>,
    /// A variant with search=children
    #[arg(long, value_parser = Name::parse, default_value = "champion-threats-halves")]
    variant: Name,
    /// The table's size
    #[arg(long, value_parser = size::parse, default_value = "64MiB")]
    tt: u64,
}

/// The nodes of a search.
fn nodes(engine: &mut Searcher<AtRunTime<Standard>>, item: &Item) -> Result<u64> {
    engine.reset();
    let Ok(solved) = engine.solve(&item.position, Goal::Strong, &Limits::default()) else {
        bail!("stopped without a limit");
    };
    if solved.score != item.score {
        bail!("{} is wrong for {}", solved.score, item.position);
    }
    Ok(solved.nodes)
}

fn main() -> Result<()> {
    let args = Args::parse();
    let mut engine = Searcher::new(AtRunTime::<Standard>::new(args.variant.spec()), &Options::with_tt(args.tt))?;
    println!(
        "{:<28} {:>6} {:>9} {:>14} {:>14} {:>6} {:>14}",
        "set", "stones", "positions", "nodes", "led", "sums", "geometric mean"
    );
    for name in &args.sets {
        let set = TestSet::open(name)?;
        let items = &set.items[..set.items.len().min(args.limit)];
        for &stones in &args.stones {
            let (mut sums, mut logarithms) = ([0, 0], 0.0);
            for item in items {
                *engine.guide() = Some(Guide::noting(stones));
                let first = nodes(&mut engine, item)?;
                *engine.guide() = engine.guide().take().map(Guide::leading);
                let second = nodes(&mut engine, item)?;
                sums = [sums[0] + first, sums[1] + second];
                logarithms += ((second + 1) as f64 / (first + 1) as f64).ln();
            }
            let ([first, second], count) = (sums, items.len().max(1));
            let (ratio, mean) = (second as f64 / first.max(1) as f64, (logarithms / count as f64).exp());
            println!("{name:<28} {stones:>6} {:>9} {first:>14} {second:>14} {ratio:>6.3} {mean:>14.3}", items.len());
        }
    }
    Ok(())
}
