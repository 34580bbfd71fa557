//! What the size of a table costs and saves: one search after another with tables that have their full size from the start, and one that
//! grows with its use.
//!
//! ```text
//! cargo run --release --example table-sizes
//! cargo run --release --example table-sizes -- --board 8x7 --nodes 200000000 --sizes 64MiB,1GiB,4GiB,16GiB --rounds 3
//! ```
//!
//! The empty board is solved, or searched for so many nodes, by the champion with a cold table, who wins. A line for each size and round:
//! nodes, time of the processor, million nodes a second of it. *grows* is the table as all commands have it: it starts small, and the
//! size is its limit.
//!
//! Every score is checked against the first one.

use anyhow::{Context, Result, ensure};
use c4lab_measure::clock::{Clock, SystemClock};
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Options, Stopped, registry, size};
use clap::Parser;

/// What the size of a table costs and saves
#[derive(Debug, Parser)]
struct Args {
    /// The board
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "6x7")]
    board: BoardSize,
    /// Sizes of the table
    #[arg(long, value_name = "SIZE,...", value_delimiter = ',', value_parser = size::parse, default_value = "16MiB,64MiB,256MiB,1GiB")]
    sizes: Vec<u64>,
    /// The most nodes of a search; without it each comes to its end
    #[arg(long, value_name = "NODES")]
    nodes: Option<u64>,
    /// How often to search with each size, in turn
    #[arg(long, value_name = "N", default_value_t = 1)]
    rounds: u32,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let start = Position::start_on(args.board);
    let largest = args.sizes.iter().copied().max().context("no sizes")?;
    let mut first = None;
    println!("{:>8} {:>10} {:>5} {:>16} {:>10} {:>6}", "board", "table", "round", "nodes", "seconds", "Mn/s");
    for round in 1..=args.rounds {
        for bytes in args.sizes.iter().map(|&bytes| Some(bytes)).chain([None]) {
            let options = Options { tt_bytes: bytes.unwrap_or(largest), board: args.board };
            let mut solver = registry::find(registry::DEFAULT).context("no champion")?.build(&options)?;
            if bytes.is_some() {
                // A table that was shared has its full size, and keeps it: the other solver goes at once.
                solver.sharing_table().with_context(|| format!("the table of {} cannot be shared", args.board))?;
            }
            let (mut clock, limits) = (SystemClock::default(), Limits { nodes: args.nodes, ..Limits::default() });
            let before = clock.cpu().context("no clock of the processor's time")?;
            let answer = solver.solve(&start, Goal::Weak, &limits);
            let seconds = (clock.cpu().context("no clock of the processor's time")? - before) as f64 / 1e9;
            let nodes = match answer {
                Ok(solved) => {
                    let first = *first.get_or_insert(solved.score);
                    ensure!(solved.score == first, "scores differ: {first} and {}", solved.score);
                    solved.nodes
                }
                Err(Stopped::Nodes(nodes)) => nodes,
                Err(other) => return Err(other.into()),
            };
            let table = bytes.map_or("grows".to_string(), size::show);
            let rate = nodes as f64 / seconds / 1e6;
            println!("{:>8} {table:>10} {round:>5} {nodes:>16} {seconds:>10.2} {rate:>6.2}", args.board);
        }
    }
    Ok(())
}
