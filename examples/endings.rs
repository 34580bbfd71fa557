//! How often the columns of a searched board no longer touch each other: what a search could save that treats them one by one, or looks
//! them up in a table of the endings of single columns.
//!
//! ```text
//! cargo run --release --example endings
//! cargo run --release --example endings -- --set development/begin-medium --limit 100 --every 1009
//! ```
//!
//! A line of four is *alive* while one side at most has stones in it. Two columns *touch* if a line that is alive has empty squares in
//! both. Columns that touch, and columns that those touch, are a group:
//!
//! ```text
//! row 4   x  x  .  .  o    x can still complete a line here, so the third column touches the fourth
//! ```
//!
//! A line for each number of stones, of nodes taken at regular distances (`--every`): the share of all nodes, and how many of them have
//! groups of one column alone (*apart*) or of two at most (*pairs*), how many groups of more than one column there are, and how many
//! columns the largest has. Stones never make columns touch again. So nodes that are apart have only such nodes below them, and their
//! share of all nodes is more than such a search could save.
//!
//! Every score is checked.

use anyhow::{Result, bail};
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::game::{Board, Geometry, Standard};
use c4lab_solver::search::registry::CHAMPION_SCALAR;
use c4lab_solver::search::{AtRunTime, Goal, Limits, Options, Searcher, Solver, Watch, size};
use clap::Parser;

/// How often the columns of a searched board no longer touch each other
#[derive(Debug, Parser)]
struct Args {
    /// A set; may be given again
    #[arg(long = "set", value_name = "SET", default_value = "development/middle-medium")]
    sets: Vec<String>,
    /// Positions of each set, from its first
    #[arg(long, default_value_t = usize::MAX, hide_default_value = true)]
    limit: usize,
    /// Nodes from one that is taken to the next
    #[arg(long, value_name = "NODES", default_value_t = 101, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// The table's size
    #[arg(long, value_parser = size::parse, default_value = "64MiB")]
    tt: u64,
}

/// Every line of four of the board.
fn lines() -> Vec<u64> {
    let mut lines = Vec::new();
    for square in (0..u64::BITS).map(|bit| 1 << bit) {
        for step in Standard::DIRECTIONS {
            let line = (0..4).fold(0, |line, squares| line | square << (squares * step));
            if line & !Standard::BOARD == 0 {
                lines.push(line);
            }
        }
    }
    lines
}

/// The groups of a board's columns, each as a bit for each of its columns; full columns are in none.
fn groups(lines: &[u64], board: Board<Standard>) -> Vec<u32> {
    let columns = |set: u64| {
        let holds = |column: &u32| set & Standard::column(*column) != 0;
        (0..Standard::WIDTH).filter(holds).fold(0, |columns, column| columns | 1 << column)
    };
    let mut groups: Vec<u32> = (0..Standard::WIDTH).map(|column| columns(board.empty()) & 1 << column).collect();
    groups.retain(|&group| group != 0);
    for line in lines {
        if line & board.mover() != 0 && line & board.opponent() != 0 {
            continue;
        }
        let touching = columns(line & board.empty());
        let (met, mut others): (Vec<u32>, Vec<u32>) = groups.iter().partition(|&&group| group & touching != 0);
        others.extend(met.into_iter().reduce(|all, group| all | group));
        groups = others;
    }
    groups
}

/// What is counted of the boards with one number of stones.
#[derive(Clone, Copy, Default)]
struct Count {
    boards: u64,
    apart: u64,
    pairs: u64,
    joined: u64,
    largest: u64,
}

impl Count {
    fn add(&mut self, groups: &[u32]) {
        let largest = groups.iter().map(|group| group.count_ones()).max().unwrap_or(0);
        self.boards += 1;
        self.apart += u64::from(largest <= 1);
        self.pairs += u64::from(largest <= 2);
        self.joined += groups.iter().filter(|group| group.count_ones() > 1).count() as u64;
        self.largest += u64::from(largest);
    }

    fn print(&self, stones: &str, all: u64) {
        let of = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        let share = |part, whole| 100.0 * of(part, whole);
        println!(
            "{stones:>6} {:>9} {:>6.1} % {:>6.2} % {:>6.2} % {:>7.2} {:>8.2}",
            self.boards,
            share(self.boards, all),
            share(self.apart, self.boards),
            share(self.pairs, self.boards),
            of(self.joined, self.boards),
            of(self.largest, self.boards)
        );
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    let watch = Watch { sample_every: args.every, ..Watch::NOTHING };
    let variant = AtRunTime::<Standard>::new(CHAMPION_SCALAR).watching(watch);
    let mut engine = Searcher::new(variant, &Options::with_tt(args.tt))?;
    let lines = lines();
    for name in &args.sets {
        let (mut counts, mut nodes) = ([Count::default(); Standard::CELLS as usize + 1], 0);
        for item in TestSet::open(name)?.items.iter().take(args.limit) {
            engine.reset();
            let Ok(solved) = engine.solve(&item.position, Goal::Strong, &Limits::default()) else {
                bail!("stopped without a limit");
            };
            if solved.score != item.score {
                bail!("{name}: {} is wrong for {}", solved.score, item.position);
            }
            nodes += solved.nodes;
            for &board in engine.sampled() {
                counts[board.ply() as usize].add(&groups(&lines, board));
            }
        }
        let mut all = Count::default();
        for Count { boards, apart, pairs, joined, largest } in counts {
            all.boards += boards;
            all.apart += apart;
            all.pairs += pairs;
            all.joined += joined;
            all.largest += largest;
        }
        println!("{name}: {nodes} nodes");
        println!(
            "{:>6} {:>9} {:>8} {:>8} {:>8} {:>7} {:>8}",
            "stones", "boards", "share", "apart", "pairs", "groups", "largest"
        );
        for (stones, count) in counts.iter().enumerate().filter(|(_, count)| count.boards > 0) {
            count.print(&stones.to_string(), all.boards);
        }
        all.print("all", all.boards);
    }
    Ok(())
}
