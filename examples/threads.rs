//! What threads are worth: one position after another on several threads, beside one thread and beside processes that share nothing.
//!
//! ```text
//! cargo run --release --example threads -- test-sets/begin-hard.txt --positions 12 --threads 2
//! cargo run --release --example threads -- test-sets/begin-hard.txt --positions 12 --threads 2,4,8 --simulate
//! ```
//!
//! Positions that take one thread less than `--least` are left out. The rest are solved in turn by one thread, by each split on each number
//! of threads, and by as many searches that share nothing, one on each thread at the same time: what the machine can do at all. Every score is checked. A line for each way: the
//! geometric mean of time and nodes over those of one thread, over all positions and rounds. Before and after it stands how long a line of
//! memory takes from one core to the other: that differs from minute to minute on some virtual machines, and with it what threads are worth.
//!
//! With `--simulate` threads are simulated: the nodes of a search are the same on any machine, and time is the nodes that one
//! thread could have entered meanwhile. What memory and caches cost is not seen.

use anyhow::{Context, Result, ensure};
use c4lab_solver::axes::{Axis, Split};
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::registry::Champion;
use c4lab_solver::search::{Goal, Limits, Options, Searcher, Solver, Threads, registry, size};
use clap::Parser;
use std::path::PathBuf;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::time::Instant;

/// What threads are worth
#[derive(Debug, Parser)]
struct Args {
    /// Positions, one a line: moves, or - for the empty board
    positions_of: PathBuf,
    /// The board
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "7x6")]
    board: BoardSize,
    /// The most positions
    #[arg(long, value_name = "N", default_value_t = usize::MAX)]
    positions: usize,
    /// Leave out positions that one thread solves in less than so many milliseconds
    #[arg(long, value_name = "MS", default_value_t = 100)]
    least: u64,
    /// Numbers of threads
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "2")]
    threads: Vec<u32>,
    /// How the threads divide a search
    #[arg(long, value_name = "SPLIT,...", value_delimiter = ',', default_value = "abdada,brothers,lazy")]
    splits: Vec<String>,
    /// How often to solve each position in each way, in turn
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: u32,
    /// Size of a table
    #[arg(long, value_name = "SIZE", value_parser = size::parse, default_value = "64MiB")]
    tt: u64,
    /// Who wins, and not the score
    #[arg(long)]
    weak: bool,
    /// Simulate threads
    #[arg(long)]
    simulate: bool,
    /// A line for each search, too
    #[arg(long)]
    verbose: bool,
}

/// What a way took, over what one thread took.
#[derive(Clone, Debug, Default)]
struct Taken {
    time: Vec<f64>,
    nodes: Vec<f64>,
}

impl Taken {
    fn add(&mut self, [time, nodes]: [f64; 2], [one_time, one_nodes]: [f64; 2]) {
        self.time.push(time / one_time);
        self.nodes.push(nodes / one_nodes);
    }
}

/// The geometric mean.
fn mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// Nanoseconds that a line of memory takes from one core to another: two threads write to it in turn.
fn line_ns() -> f64 {
    /// Times that each writes.
    const TIMES: u32 = 50_000;
    let line = AtomicU32::new(0);
    let turns = |first: u32| {
        for turn in 0..TIMES {
            let mut waits = 0;
            while line.load(Acquire) != 2 * turn + first {
                std::hint::spin_loop();
                waits += 1;
                // On one core the other one would never have its turn.
                if waits % 10_000 == 0 {
                    std::thread::yield_now();
                }
            }
            line.store(2 * turn + first + 1, Release);
        }
    };
    let start = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| turns(1));
        turns(0);
    });
    start.elapsed().as_nanos() as f64 / f64::from(2 * TIMES)
}

fn main() -> Result<()> {
    let args = Args::parse();
    let goal = if args.weak { Goal::Weak } else { Goal::Strong };
    let splits = args.splits.iter().map(|name| Split::parse(name).with_context(|| format!("no split {name:?}")));
    let splits: Vec<Split> = splits.collect::<Result<_>>()?;
    let options = Options { tt_bytes: args.tt, board: args.board };
    let champion =
        || registry::find(registry::DEFAULT).context("no champion")?.build(&options).map_err(anyhow::Error::from);
    ensure!(!args.simulate || args.board == BoardSize::STANDARD, "--simulate is for the standard board");
    let text = std::fs::read_to_string(&args.positions_of)?;
    let mut solvers = vec![champion()?];
    // One way for each split and number of threads.
    let mut ways = Vec::new();
    for &threads in &args.threads {
        for &split in &splits {
            ways.push((threads, split, Taken::default()));
        }
    }
    let most = args.threads.iter().copied().max().context("no threads")?;
    while solvers.len() < most as usize && !args.simulate {
        solvers.push(champion()?);
    }
    let before = if args.simulate { 0.0 } else { line_ns() };
    let mut independent = vec![Taken::default(); args.threads.len()];
    let mut used = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if used == args.positions {
            break;
        }
        let moves = line.split_whitespace().next().unwrap_or_default();
        let position =
            Position::parse_on(args.board, if moves == "-" { "" } else { moves }).with_context(|| line.to_string())?;
        let solve = |solver: &mut dyn Solver| -> Result<(i32, [f64; 2])> {
            solver.reset();
            let start = Instant::now();
            let solved = solver.solve(&position, goal, &Limits::default())?;
            Ok((solved.score, [start.elapsed().as_secs_f64(), solved.nodes as f64]))
        };
        let (score, first) = solve(&mut *solvers[0])?;
        if first[0] * 1e3 < args.least as f64 {
            continue;
        }
        used += 1;
        for round in 0..args.rounds {
            let (again, one) = solve(&mut *solvers[0])?;
            ensure!(again == score, "{moves}: {again} and {score}");
            for (threads, split, taken) in &mut ways {
                let (found, took) = if args.simulate {
                    let mut searcher = Searcher::new(Champion, &options)?;
                    searcher.simulate_threads(Threads::of(*threads).by(*split), u64::from(round))?;
                    let solved = Solver::solve(&mut searcher, &position, goal, &Limits::default())?;
                    let nodes = searcher.simulated_nodes().context("it is simulated")?;
                    (solved.score, [nodes as f64, solved.nodes as f64])
                } else {
                    solvers[0].use_threads(Threads::of(*threads).by(*split))?;
                    let solved = solve(&mut *solvers[0])?;
                    solvers[0].use_threads(Threads::of(1))?;
                    solved
                };
                ensure!(found == score, "{moves}: {found} on {threads} threads, {}; {score} on one", split.value());
                let one = if args.simulate { [one[1]; 2] } else { one };
                if args.verbose {
                    println!(
                        "{moves} {threads} {} {:.3} {:.3} {:.0}",
                        split.value(),
                        took[0] / one[0],
                        took[1] / one[1],
                        took[1]
                    );
                }
                taken.add(took, one);
            }
            for (index, &threads) in args.threads.iter().enumerate().filter(|_| !args.simulate) {
                let start = Instant::now();
                std::thread::scope(|scope| {
                    let searches: Vec<_> = solvers[..threads as usize]
                        .iter_mut()
                        .map(|solver| scope.spawn(|| solve(&mut **solver).map(|_| ())))
                        .collect();
                    searches.into_iter().try_for_each(|search| search.join().expect("a search ends"))
                })?;
                // So many positions in this time.
                let each = start.elapsed().as_secs_f64() / f64::from(threads);
                independent[index].add([each, one[1]], one);
            }
        }
    }
    print!("{used} positions, {} rounds", args.rounds);
    if args.simulate {
        println!(", simulated");
    } else {
        println!(", a line to the other core: {before:.0} ns before, {:.0} after", line_ns());
    }
    println!("{:>8} {:>12} {:>10} {:>10}", "threads", "split", "speed-up", "nodes");
    for (threads, split, taken) in &ways {
        println!("{threads:>8} {:>12} {:>9.3}x {:>9.3}x", split.value(), 1.0 / mean(&taken.time), mean(&taken.nodes));
    }
    for (threads, taken) in args.threads.iter().zip(&independent).filter(|_| !args.simulate) {
        println!("{threads:>8} {:>12} {:>9.3}x {:>9.3}x", "independent", 1.0 / mean(&taken.time), 1.0);
    }
    Ok(())
}
