//! Which cutoffs of the champion do not come from the first child, and what was searched for nothing before them.
//!
//! ```text
//! cargo run --release --example late-cutoffs
//! cargo run --release --example late-cutoffs -- --set development/begin-hard --limit 5
//! ```
//!
//! A line for each number of stones. *Late* is the share of the cutoffs that were not by the first child; *before*, of all nodes below nodes
//! with a cutoff, the share below children that did not bring it. Trees of several lines lie in one another: shares do not add up.
//!
//! Every score is checked.

use anyhow::{Result, bail};
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::game::Standard;
use c4lab_solver::search::registry::CHAMPION_SCALAR;
use c4lab_solver::search::{AtRunTime, Cutoffs, Goal, Limits, Options, Searcher, Solver, Watch, size};
use clap::Parser;

/// Which cutoffs of the champion do not come from the first child
#[derive(Debug, Parser)]
struct Args {
    /// A set; may be given again
    #[arg(long = "set", value_name = "SET", default_value = "development/begin-medium")]
    sets: Vec<String>,
    /// Positions of each set, from its first
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
    /// The table's size
    #[arg(long, value_parser = size::parse, default_value = "64MiB")]
    tt: u64,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let mut engine =
        Searcher::new(AtRunTime::<Standard>::new(CHAMPION_SCALAR).watching(Watch::COUNTS), &Options::with_tt(args.tt))?;
    let (mut by_stones, mut nodes) = (vec![Cutoffs::default(); engine.cutoffs().len()], 0);
    for name in &args.sets {
        for item in TestSet::open(name)?.items.iter().take(args.limit) {
            engine.reset();
            let Ok(solved) = engine.solve(&item.position, Goal::Strong, &Limits::default()) else {
                bail!("stopped without a limit");
            };
            if solved.score != item.score {
                bail!("{name}: {} is wrong for {}", solved.score, item.position);
            }
            nodes += solved.nodes;
            by_stones.iter_mut().zip(engine.cutoffs()).for_each(|(sum, &cutoffs)| *sum += cutoffs);
        }
    }
    println!("{nodes} nodes");
    println!("{:>6} {:>12} {:>7} {:>14} {:>7}", "stones", "cutoffs", "late", "nodes below", "before");
    for (stones, Cutoffs { count, late, nodes, before }) in by_stones.into_iter().enumerate() {
        if count > 0 {
            let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
            println!(
                "{stones:>6} {count:>12} {:>5.1} % {nodes:>14} {:>5.1} %",
                share(late, count),
                share(before, nodes)
            );
        }
    }
    Ok(())
}
