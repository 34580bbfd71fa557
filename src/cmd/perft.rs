//! `c4lab perft`: the number of distinct positions by ply, beside the published terms; the sum of all plies beside the published one.

use anyhow::{Result, bail};
use c4lab_cli::output::{FormatArg, Records};
use c4lab_cli::{Exit, Usage};
use c4lab_measure::counts::ply_count::PlyCount;
use c4lab_measure::counts::published_counts;
use c4lab_measure::files::appended::Appended;
use c4lab_report::tables::counts;
use c4lab_solver::axes::table::memory::available_memory;
use c4lab_solver::game::BoardSize;
use c4lab_solver::game::perft::{A212693, bytes_needed, bytes_of};
use c4lab_solver::search::{BuildError, registry};
use serde_json::json;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Positions after a win are counted and played no further. The published terms are those of OEIS A212693. \
Memory: about 60 MB for ply 10, 1.2 GB for ply 13.

Examples:
  c4lab perft 10
  c4lab perft 12 --board 6x5
  c4lab perft --check --board 5x5                          all plies: is their sum the published number?
  c4lab perft --check --board 5x5 --out runs/positions     the same, and the terms are kept in positions.csv

Exit status: 0 all terms equal, 1 not enough memory, 2 usage, 4 a term or the sum differs.";

/// Count the distinct positions of every ply up to N, or of all plies
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The last ply
    #[arg(value_name = "N", required_unless_present = "check", value_parser = clap::value_parser!(u32).range(0..=64))]
    ply: Option<u32>,
    /// Count all plies, and hold their sum against the published number of positions
    #[arg(long, conflicts_with = "ply")]
    check: bool,
    /// Add the terms to DIR/positions.csv; a board that is there whole is not counted again
    #[arg(long, value_name = "DIR", conflicts_with = "ply")]
    out: Option<PathBuf>,
    /// Columns and rows of the board (`c4lab list boards`)
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = BoardSize::STANDARD)]
    board: BoardSize,
    #[command(flatten)]
    format: FormatArg,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let counts = registry::perft(args.board).ok_or(BuildError::Board(args.board))?;
    let Some(last) = args.ply else { return check(args, counts) };
    if last > args.board.cells() {
        let reason = format!("perft {last}: {} has {} squares", args.board, args.board.cells());
        return Err(Usage(reason).into());
    }
    let counts = counts.take(last as usize + 1).enumerate();
    if args.board == BoardSize::STANDARD {
        beside_published(last, counts, args.format)
    } else {
        alone(args.board, counts, last, args.format)
    }
}

/// Counts all plies, unless the folder has them, and prints their sum beside the published one.
fn check(args: &Args, counts: impl Iterator<Item = u64>) -> Result<Exit> {
    let (board, plies) = (args.board, args.board.cells() + 1);
    let Some(published) = published_counts::total(board) else {
        return Err(Usage(format!("--check: nobody published how many positions {board} has")).into());
    };
    // Some ply has as many as all have on average, or more.
    enough_memory(board.cells(), bytes_of(board, 0, published / u64::from(plies)))?;
    let (mut file, kept) = args.out.as_deref().map(Appended::<PlyCount>::open).transpose()?.unzip();
    let mut rows: Vec<PlyCount> = kept.into_iter().flatten().filter(|row| row.size() == Some(board)).collect();
    if rows.len() < plies as usize {
        rows = counts.enumerate().map(|(ply, count)| PlyCount::new(board, ply as u32, count)).collect();
        rows.iter().try_for_each(|row| file.as_mut().map_or(Ok(()), |file| file.add(row)))?;
    }
    args.format.sheets(&[counts::sheet(&rows)])?;
    Ok(verdict(rows.iter().map(|row| row.positions).sum(), published).1)
}

/// Prints the terms beside those that are published for the standard board.
fn beside_published(last: u32, counts: impl Iterator<Item = (usize, u64)>, format: FormatArg) -> Result<Exit> {
    enough_memory(last, bytes_needed(last))?;
    let (mut exit, mut rows) = (Exit::Success, Vec::new());
    format.line("ply       positions         A212693")?;
    for (ply, count) in counts {
        let published = A212693[ply];
        let verdict = verdict(count, published);
        format.line(&format!("{ply:3} {count:15} {published:15} {}", verdict.0))?;
        rows.push(vec![json!(ply), json!(count), json!(published)]);
        exit = exit.max(verdict.1);
    }
    format.records(&Records { fields: vec!["ply", "positions", "published"], rows })?;
    Ok(exit)
}

/// Prints the terms of a board that has no published terms. How many the next ply has is not known before: at most as many times more
/// as the last one had.
fn alone(board: BoardSize, counts: impl Iterator<Item = (usize, u64)>, last: u32, format: FormatArg) -> Result<Exit> {
    format.line("ply       positions")?;
    let (mut before, mut rows) = (None, Vec::new());
    for (ply, count) in counts {
        format.line(&format!("{ply:3} {count:15}"))?;
        rows.push(vec![json!(ply), json!(count)]);
        if let Some(before) = before.filter(|_| (ply as u32) < last) {
            let next = (u128::from(count) * u128::from(count) / u128::from(u64::max(before, 1))) as u64;
            enough_memory(ply as u32 + 1, bytes_of(board, count, next))?;
        }
        before = Some(count);
    }
    format.records(&Records { fields: vec!["ply", "positions"], rows })?;
    Ok(Exit::Success)
}

/// An error where so many bytes for a ply are not there.
fn enough_memory(ply: u32, needed: u64) -> Result<()> {
    if let Some(available) = available_memory().filter(|&available| needed > available) {
        let gigabytes = |bytes: u64| bytes as f64 / 1e9;
        let (needed, available) = (gigabytes(needed), gigabytes(available));
        bail!("perft {ply} needs about {needed:.1} GB of memory; {available:.1} GB are available");
    }
    Ok(())
}

fn verdict(count: u64, published: u64) -> (&'static str, Exit) {
    if count == published { ("equal", Exit::Success) } else { ("DIFFERS", Exit::Wrong) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next ply is as many times larger as the last one was: nobody has room for it here.
    #[test]
    fn a_ply_that_memory_does_not_hold_is_not_begun() {
        let counts = |last: u64| [1, 1000, last].into_iter().enumerate();
        if available_memory().is_some() {
            let error = alone(BoardSize::STANDARD, counts(1 << 40), 3, FormatArg::default()).unwrap_err().to_string();
            assert!(error.starts_with("perft 3 needs about ") && error.contains("GB are available"), "{error}");
        }
        assert_eq!(
            alone(BoardSize::STANDARD, counts(1 << 40), 2, FormatArg::default()).unwrap(),
            Exit::Success,
            "the last ply has been counted"
        );
        assert_eq!(alone(BoardSize::STANDARD, counts(2000), 3, FormatArg::default()).unwrap(), Exit::Success);
    }

    #[test]
    fn a_term_that_differs_is_a_wrong_answer() {
        assert_eq!(verdict(49, 49), ("equal", Exit::Success));
        assert_eq!(verdict(48, 49), ("DIFFERS", Exit::Wrong));
    }
}
