//! Is every score of a variant right, on random positions of all plies?
//!
//! ```text
//! cargo run --release --example random-positions -- --seed 2026 0-8=25 9-13=300 14-40=3640
//! ```
//!
//! `14-40=3640`: so many positions for each of these numbers of stones, from random play, no two of them alike up to mirror. All that
//! there are, where they are fewer. Two variants solve each for both goals, with an empty table. A position on which they differ is
//! printed, and is the exit status. The sum of the nodes does not depend on the machine.

use anyhow::{Context, Result, bail};
use c4lab_measure::sets::by_ply;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Options, Solver, registry, size};
use clap::Parser;

/// Is every score of a variant right, on random positions of all plies?
#[derive(Debug, Parser)]
struct Args {
    /// Numbers of stones, and how many positions of each: `23=100` or `14-40=3640`
    #[arg(required = true, value_parser = parse)]
    plies: Vec<Plies>,
    /// The variant that is checked
    #[arg(long, default_value = "champion")]
    variant: String,
    /// What it is held against
    #[arg(long, default_value = "champion-2026-11")]
    reference: String,
    /// The seed that positions are drawn from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The size of both tables
    #[arg(long, value_parser = size::parse, default_value = "64MiB")]
    tt: u64,
}

/// From the first number of stones to the last, and how many positions of each.
#[derive(Clone, Copy, Debug)]
struct Plies {
    first: u32,
    last: u32,
    count: usize,
}

fn parse(text: &str) -> Result<Plies> {
    let (range, count) = text.split_once('=').context("write 23=100 or 14-40=3640")?;
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let plies = Plies { first: first.parse()?, last: last.parse()?, count: count.parse()? };
    if plies.first > plies.last || !by_ply::plies(BoardSize::STANDARD).contains(&plies.last) {
        bail!("numbers of stones go up, and are 40 at most");
    }
    Ok(plies)
}

/// What one variant found.
struct Solved {
    engine: Box<dyn Solver>,
    nodes: u64,
}

impl Solved {
    fn of(variant: &str, tt: u64) -> Result<Self> {
        Ok(Solved { engine: registry::find(variant)?.build(&Options::with_tt(tt))?, nodes: 0 })
    }

    fn score(&mut self, position: &Position, goal: Goal) -> Result<i32> {
        self.engine.reset();
        let Ok(solved) = self.engine.solve(position, goal, &Limits::default()) else {
            bail!("stopped without a limit")
        };
        self.nodes += solved.nodes;
        Ok(solved.score)
    }
}

fn main() -> Result<()> {
    let args = Args::parse();
    let (mut checked, mut reference) = (Solved::of(&args.variant, args.tt)?, Solved::of(&args.reference, args.tt)?);
    let (mut positions, mut wrong) = (0, 0);
    println!("{} beside {}, seed {}", args.variant, args.reference, args.seed);
    println!("{:>6} {:>9} {:>14} {:>14}", "stones", "positions", "nodes", "reference");
    for Plies { first, last, count } in args.plies {
        for ply in first..=last {
            let drawn = by_ply::draw(BoardSize::STANDARD, args.seed, ply, count);
            (checked.nodes, reference.nodes) = (0, 0);
            for position in &drawn {
                for goal in [Goal::Strong, Goal::Weak] {
                    let (score, right) = (checked.score(position, goal)?, reference.score(position, goal)?);
                    if score != right {
                        println!("{position} {goal:?}: {score}, and {right} by the reference");
                        wrong += 1;
                    }
                }
            }
            println!("{ply:>6} {:>9} {:>14} {:>14}", drawn.len(), checked.nodes, reference.nodes);
            positions += drawn.len();
        }
    }
    println!("{positions} positions, {wrong} answers differ");
    if wrong > 0 {
        bail!("{wrong} answers differ");
    }
    Ok(())
}
