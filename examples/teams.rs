//! Whether teams are right: many positions, one position many times, and searches that are stopped in the middle. A program for a record; the
//! tests hold a sample.
//!
//! ```text
//! cargo run --release --example teams -- --positions 20000 --runs 200 --stops 5000
//! cargo run --release --example teams -- --board 8x8 --most-empty 26 --positions 2000 --runs 50 --stops 1000
//! ```
//!
//! Every search is put to the team at its first node, however short it is. Scores are compared with those of one thread, and those of the
//! position that is solved again and again with that of the set, too. The first wrong score ends the program.

use anyhow::{Context, Result, ensure};
use c4lab::lab::sets::by_ply;
use c4lab::lab::sets::draw::Draw;
use c4lab::lab::sets::test_set::{TestSet, print_moves};
use c4lab_solver::axes::{Axis, Split};
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Options, Solver, Stopped, Threads, registry};
use clap::Parser;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Whether teams are right
#[derive(Debug, Parser)]
struct Args {
    /// The board; one other than 7x6 must have test sets of its own
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "7x6")]
    board: BoardSize,
    /// Positions with more empty squares are few on 7x6, and none on other boards: their searches are long
    #[arg(long, value_name = "SQUARES", default_value_t = 32)]
    most_empty: u32,
    /// Positions of random play, of all plies
    #[arg(long, default_value_t = 400)]
    positions: usize,
    /// Numbers of threads that solve them
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "2,4,8")]
    threads: Vec<u32>,
    /// How often one hard position is solved, with two threads
    #[arg(long, default_value_t = 4)]
    runs: usize,
    /// Searches that are stopped, each before another on the same table
    #[arg(long, default_value_t = 40)]
    stops: usize,
    /// The seed of positions and stops
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> Result<()> {
    let args = Args::parse();
    positions(&args)?;
    runs(&args)?;
    stops(&args)
}

impl Args {
    /// The test sets of hard and of easier positions.
    fn sets(&self) -> Result<[TestSet; 2]> {
        let names = match self.board {
            BoardSize::STANDARD => ["begin-hard", "begin-medium"].map(String::from),
            board => ["medium", "easy"].map(|set| format!("{board}/middle-{set}")),
        };
        Ok([TestSet::open(&names[0])?, TestSet::open(&names[1])?])
    }
}

fn champion(board: BoardSize, threads: u32, split: Split) -> Result<Box<dyn Solver>> {
    let mut solver = registry::find(registry::DEFAULT)?.build(&Options { board, ..Options::default() })?;
    solver.use_threads(Threads { alone: 0, ..Threads::of(threads).by(split) })?;
    Ok(solver)
}

fn solved(solver: &mut dyn Solver, position: &Position) -> Result<(i32, u64)> {
    let solved = solver.solve(position, Goal::Strong, &Limits::default())?;
    Ok((solved.score, solved.nodes))
}

/// So many positions: of the early plies a hundredth together, of the later ones the same number each.
fn drawn(args: &Args) -> Vec<Position> {
    let plies: Vec<u32> = by_ply::plies(args.board).collect();
    let early = args.board.cells().saturating_sub(args.most_empty);
    let late = plies.iter().filter(|&&ply| ply >= early).count().max(1);
    let is_standard = args.board == BoardSize::STANDARD;
    let early_each = if is_standard { args.positions.div_ceil(100 * early.max(1) as usize) } else { 0 };
    let each = |ply| if ply < early { early_each } else { args.positions.div_ceil(late) };
    let mut all: Vec<Position> =
        plies.iter().rev().flat_map(|&ply| by_ply::draw(args.board, args.seed, ply, each(ply))).collect();
    // The last are those of the early plies.
    let more = all.len().saturating_sub(args.positions);
    all.drain(..more);
    all
}

/// Scores do not depend on threads.
fn positions(args: &Args) -> Result<()> {
    if args.positions == 0 {
        return Ok(());
    }
    let positions = drawn(args);
    let mut alone = champion(args.board, 1, Split::Abdada)?;
    let mut teams = Vec::new();
    for &threads in &args.threads {
        for &split in Split::ALL {
            teams.push((threads, split, champion(args.board, threads, split)?));
        }
    }
    for (index, position) in positions.iter().enumerate() {
        alone.reset();
        let (score, _) = solved(&mut *alone, position)?;
        // Each position with each number of threads; the split changes from one to the next.
        let turn = index % Split::ALL.len();
        for (threads, split, team) in teams.iter_mut().filter(|(_, split, _)| *split == Split::ALL[turn]) {
            // Every other table is warm.
            if index % 2 == 0 {
                team.reset();
            }
            let (found, _) = solved(&mut **team, position)?;
            let name = split.value();
            ensure!(found == score, "{position}: {found} by {threads} threads ({name}), {score} by one");
        }
    }
    let threads: Vec<String> = args.threads.iter().map(u32::to_string).collect();
    println!("{} positions of {}: the same score by 1, {} threads", positions.len(), args.board, threads.join(", "));
    Ok(())
}

/// One hard position, again and again: the first of its set.
fn runs(args: &Args) -> Result<()> {
    let [set, _] = args.sets()?;
    let item = set.items.first().context("a set has positions")?;
    let mut team = champion(args.board, 2, Split::Abdada)?;
    let mut nodes = Vec::new();
    for _ in 0..args.runs {
        team.reset();
        let (score, took) = solved(&mut *team, &item.position)?;
        ensure!(score == item.score, "{}: {score}, not {}", item.position, item.score);
        nodes.push(took);
    }
    nodes.sort_unstable();
    let (Some(least), Some(most)) = (nodes.first(), nodes.last()) else { return Ok(()) };
    let moves = print_moves(&item.position);
    println!("{moves} {} times: the score is always {}; {least} to {most} nodes", nodes.len(), item.score);
    Ok(())
}

/// Searches that are stopped by nodes, by time or by a flag at some moment; the next one on the same table must be right.
fn stops(args: &Args) -> Result<()> {
    let [hard, medium] = args.sets()?;
    let mut draw = Draw::new(args.seed, "stops");
    let mut teams = [
        champion(args.board, 2, Split::Abdada)?,
        champion(args.board, 3, Split::Brothers)?,
        champion(args.board, 4, Split::Abdada)?,
        champion(args.board, 3, Split::Lazy)?,
    ];
    let mut counts = [0; 3];
    let begun = Instant::now();
    for index in 0..args.stops {
        let team = &mut *teams[index % 4];
        let position = &hard.items[draw.below(hard.items.len())].position;
        let (way, flag) = (draw.below(3), AtomicBool::new(false));
        let nodes = 1 + draw.below(200_000) as u64;
        let after = Duration::from_micros(draw.below(15_000) as u64);
        let limits = match way {
            0 => Limits { nodes: Some(nodes), ..Limits::default() },
            1 => Limits { time: Some(after), ..Limits::default() },
            _ => Limits { interrupt: Some(&flag), ..Limits::default() },
        };
        let stopped = thread::scope(|scope| {
            if way == 2 {
                scope.spawn(|| {
                    thread::sleep(after);
                    flag.store(true, Ordering::Relaxed);
                });
            }
            team.solve(position, Goal::Strong, &limits)
        });
        match stopped {
            Err(Stopped::Nodes(_) | Stopped::Time(_) | Stopped::Interrupted(_)) => counts[way] += 1,
            // It was done before.
            Ok(_) => {}
            Err(other) => return Err(other.into()),
        }
        let item = &medium.items[draw.below(medium.items.len())];
        let (score, _) = solved(team, &item.position)?;
        ensure!(score == item.score, "after a stop: {}: {score}, not {}", item.position, item.score);
        if index % 64 == 63 {
            team.reset();
        }
    }
    if args.stops == 0 {
        return Ok(());
    }
    let [nodes, time, flag] = counts;
    println!(
        "{} searches, {nodes} stopped by nodes, {time} by time, {flag} by a flag: the next search is always right ({:.0} s)",
        args.stops,
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}
