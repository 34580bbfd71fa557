//! `c4lab perft`: the number of distinct positions by ply, beside the published terms.

use crate::cmd::Exit;
use anyhow::{Result, bail};
use c4lab_solver::axes::table::memory::available_memory;
use c4lab_solver::game::Standard;
use c4lab_solver::game::perft::{A212693, Perft, bytes_needed};
use std::io::{self, Write};

const EXAMPLES: &str = "\
Positions after a win are counted and played no further. The published terms are those of OEIS A212693. \
Memory: about 60 MB for ply 10, 1.2 GB for ply 13.

Examples:
  c4lab perft 10

Exit status: 0 all terms equal, 1 not enough memory, 4 a term differs.";

/// Count the distinct positions of every ply up to N
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The last ply
    #[arg(value_name = "N", value_parser = clap::value_parser!(u32).range(0..=42))]
    ply: u32,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let needed = bytes_needed(args.ply);
    if let Some(available) = available_memory().filter(|&available| needed > available) {
        let gigabytes = |bytes: u64| bytes as f64 / 1e9;
        let (needed, available) = (gigabytes(needed), gigabytes(available));
        bail!("perft {} needs about {needed:.1} GB of memory; {available:.1} GB are available", args.ply);
    }
    let mut out = io::stdout().lock();
    let mut exit = Exit::Success;
    writeln!(out, "ply       positions         A212693")?;
    for (ply, count) in Perft::<Standard>::new().take(args.ply as usize + 1).enumerate() {
        let published = A212693[ply];
        let verdict = verdict(count, published);
        writeln!(out, "{ply:3} {count:15} {published:15} {}", verdict.0)?;
        out.flush()?;
        exit = exit.max(verdict.1);
    }
    Ok(exit)
}

fn verdict(count: u64, published: u64) -> (&'static str, Exit) {
    if count == published { ("equal", Exit::Success) } else { ("DIFFERS", Exit::Wrong) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_that_differs_is_a_wrong_answer() {
        assert_eq!(verdict(49, 49), ("equal", Exit::Success));
        assert_eq!(verdict(48, 49), ("DIFFERS", Exit::Wrong));
    }
}
