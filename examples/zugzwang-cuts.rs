//! At which nodes each zugzwang bound cuts, and what it costs to ask for it.
//!
//! ```text
//! cargo run --release --example zugzwang-cuts
//! cargo run --release --example zugzwang-cuts -- --set development/begin-hard --limit 2
//! ```
//!
//! Each value of the axis adds one bound to those of the line before. The first table of a set has a line for each value, and a column
//! for every four numbers of stones: of the nodes with so many stones, the share that zugzwang ended. Its last columns are all nodes. The search is
//! the champion's, one board at a time.
//!
//! The second table asks every value for a bound of 0 on boards of nodes that the champion met: how many boards it proves, and how long
//! a question takes on average, in nanoseconds. A question asks for the bounds of the lines before, too. Boards with few stones, which the rules
//! are asked about, stand apart from the others, and boards whose mover is the last player, the second one, from those whose mover is not.
//! The last line asks the rules alone, of any number of stones.
//!
//! Every score is checked.

use anyhow::{Context, Result, bail};
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::axes::lines::threats::winning_squares;
use c4lab_solver::axes::rules::{Rules, most_on_board, stop_all};
use c4lab_solver::axes::zugzwang::{Sides, at_most};
use c4lab_solver::axes::{Axis, Threats, Zugzwang};
use c4lab_solver::game::{Board, Geometry, Standard};
use c4lab_solver::search::registry::CHAMPION_SCALAR;
use c4lab_solver::search::{AtRunTime, Goal, Limits, NodeEnd, Options, PlyCounts, Searcher, Solver, Spec, Watch, size};
use clap::Parser;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// At which nodes each zugzwang bound cuts, and what it costs
#[derive(Debug, Parser)]
struct Args {
    /// A set; may be given again
    #[arg(long = "set", value_name = "SET", default_values_t = ["development/middle-medium".to_owned(), "development/begin-medium".to_owned()])]
    sets: Vec<String>,
    /// Positions of each set, from its first
    #[arg(long, default_value_t = 100)]
    limit: usize,
    /// Boards of each kind that are asked about
    #[arg(long, default_value_t = 4000)]
    boards: usize,
    /// The table's size
    #[arg(long, value_parser = size::parse, default_value = "64MiB")]
    tt: u64,
}

/// Numbers of stones that share a column.
const GROUP: usize = 4;

/// One node in so many is kept, of those with few stones and of the others.
const KEPT: [u64; 2] = [1, 64];

/// What a search of a set left behind.
struct Searched {
    by_stones: Vec<PlyCounts>,
    boards: Vec<Board>,
}

/// Searches a set from its beginning, and keeps boards with so many stones.
fn search(spec: Spec, watch: Watch, name: &str, args: &Args, keep: impl Fn(u32) -> bool) -> Result<Searched> {
    let mut engine = Searcher::new(AtRunTime::<Standard>::new(spec).watching(watch), &Options::with_tt(args.tt))?;
    let mut found = Searched { by_stones: Vec::new(), boards: Vec::new() };
    for item in TestSet::open(name)?.items.iter().take(args.limit) {
        engine.reset();
        let solved = engine.solve(&item.position, Goal::Strong, &Limits::default()).ok().context("no limit")?;
        if solved.score != item.score {
            bail!("{name}: {} is wrong for {}", solved.score, item.position);
        }
        found.by_stones.resize(engine.anatomy().len(), PlyCounts::default());
        found.by_stones.iter_mut().zip(engine.anatomy()).for_each(|(sum, &counts)| *sum += counts);
        found.boards.extend(engine.sampled().iter().filter(|board| keep(board.ply())));
    }
    Ok(found)
}

/// The share of nodes that zugzwang ended, by number of stones.
fn print_cuts(name: &str, args: &Args) -> Result<()> {
    println!("{name}, {} positions: of the nodes with so many stones, zugzwang ended", args.limit);
    let mut head = true;
    for &zugzwang in Zugzwang::ALL {
        let found = search(Spec { zugzwang, ..CHAMPION_SCALAR }, Watch::COUNTS, name, args, |_| false)?;
        let groups: Vec<[u64; 2]> = found
            .by_stones
            .chunks(GROUP)
            .map(|group| [nodes(group), group.iter().map(|counts| counts.ends[NodeEnd::Zugzwang as usize]).sum()])
            .collect();
        let last = Standard::CELLS as usize / GROUP;
        if std::mem::take(&mut head) {
            let column = |group: usize| format!("{:>7}", format!("{}-{}", GROUP * group, GROUP * group + GROUP - 1));
            let columns: String = (1..last).map(column).collect();
            println!("{:<12}{columns}{:>9}{:>12}", "zugzwang", "all", "nodes");
        }
        let column = |&[nodes, ended]: &[u64; 2]| match nodes {
            0 => format!("{:>7}", "-"),
            nodes => format!("{:>5.1} %", 100.0 * ended as f64 / nodes as f64),
        };
        let columns: String = groups[1..last].iter().map(column).collect();
        let all = groups.iter().fold([0, 0], |[nodes, ended], group| [nodes + group[0], ended + group[1]]);
        println!("{:<12}{columns}{:>9}{:>12}", zugzwang.value(), column(&all), all[0]);
    }
    println!();
    Ok(())
}

fn nodes(counts: &[PlyCounts]) -> u64 {
    counts.iter().map(|counts| counts.nodes).sum()
}

/// How many boards of a kind each value proves a bound of 0 for, and how long a question takes.
fn print_costs(args: &Args) -> Result<()> {
    let few = most_on_board::<Standard>();
    let mut kinds: [Vec<Sides<u64>>; 4] = Default::default();
    for sample_every in KEPT {
        let watch = Watch { counts: false, sample_every };
        for name in &args.sets {
            let is_asked = |stones: u32| (stones > few) == (sample_every > 1);
            for board in search(CHAMPION_SCALAR, watch, name, args, is_asked)?.boards {
                let threats = winning_squares::<Standard>(Threats::Halves, board.opponent(), board.empty());
                let sides = Sides { mover: board.mover(), opponent: board.opponent(), threats };
                kinds[2 * usize::from(board.ply() > few) + board.ply() as usize % 2].push(sides);
            }
        }
    }
    println!("A bound of 0: the share of boards with one, and the mean time of a question in nanoseconds");
    let about = |first: u32, mover: &str| format!("{first} stones, {mover} player");
    println!(
        "{:<14}{:>28}{:>28}{:>28}{:>28}",
        "zugzwang",
        format!("<= {}", about(few, "first")),
        format!("<= {}", about(few, "second")),
        format!("> {}", about(few, "first")),
        format!("> {}", about(few, "second"))
    );
    for kind in &mut kinds {
        let step = (kind.len() / args.boards.max(1)).max(1);
        *kind = kind.iter().step_by(step).take(args.boards).copied().collect();
    }
    let counts: String = kinds.iter().map(|kind| format!("{:>28}", format!("{} boards", kind.len()))).collect();
    println!("{:<14}{counts}", "");
    let line = |name: &str, is_proven: &dyn Fn(Sides<u64>) -> bool| {
        let columns: String = kinds.iter().map(|boards| format!("{:>28}", cost(boards, is_proven))).collect();
        println!("{name:<14}{columns}");
    };
    for &zugzwang in Zugzwang::ALL {
        line(zugzwang.value(), &|board| at_most::<Standard>(zugzwang, board, 0).is_some());
    }
    line("rules alone", &|board| stop_all::<Standard>(board.mover, board.opponent, Rules::ALL));
    Ok(())
}

/// The share of boards for which something is proven, and the mean time.
fn cost(boards: &[Sides<u64>], is_proven: &dyn Fn(Sides<u64>) -> bool) -> String {
    let ask = || boards.iter().filter(|&&board| is_proven(black_box(board))).count();
    let (proven, started, mut turns) = (ask(), Instant::now(), 0);
    while started.elapsed() < Duration::from_millis(300) {
        black_box(ask());
        turns += 1;
    }
    let questions = (turns * boards.len()).max(1) as f64;
    let time = started.elapsed().as_nanos() as f64 / questions;
    format!("{:.1} % {time:>8.1} ns", 100.0 * proven as f64 / boards.len().max(1) as f64)
}

fn main() -> Result<()> {
    let args = Args::parse();
    for name in &args.sets {
        print_cuts(name, &args)?;
    }
    print_costs(&args)
}
