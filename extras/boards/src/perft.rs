//! `c4lab perft`: the number of distinct positions by ply, and their sum, beside the published numbers.

use anyhow::{Result, bail};
use c4lab_cli::output::{self, Format, Records};
use c4lab_cli::{Exit, Usage, complain};
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{self, Row as _, RowWriter};
use c4lab_measure::text::{distinct, pluralize};
use c4lab_report::extras::RowKind;
use c4lab_report::table::units::whole;
use c4lab_report::table::{Subject, Table};
use c4lab_solver::axes::table::slots::available_memory;
use c4lab_solver::game::BoardSize;
use c4lab_solver::game::perft::{A212693, bytes_needed, bytes_of};
use c4lab_solver::search::{BuildError, registry};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Won positions are counted, but not continued. The published numbers by ply are those of OEIS A212693. \
Memory: about 60 MB for ply 10, 1.2 GB for ply 13.

Examples:
  c4lab perft 10
  c4lab perft 12 --board 6x5
  c4lab perft --check --board 5x5                          all plies, with their sum beside the published number
  c4lab perft --check --board 5x5 --out runs/positions     also keeps the numbers by ply in positions.csv

Exit status: 0 all numbers equal, 1 not enough memory, 2 usage, 4 a number or the sum differs.";

/// Count the distinct positions of every ply up to N, or of all plies
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The last ply
    #[arg(value_name = "N", required_unless_present = "check", value_parser = clap::value_parser!(u32).range(0..=64))]
    ply: Option<u32>,
    /// Count all plies, and compare their sum with the published number of positions
    #[arg(long, conflicts_with = "ply")]
    check: bool,
    /// Add the numbers to DIR/positions.csv; a board with all plies in this file is not counted again
    #[arg(long, value_name = "DIR", conflicts_with = "ply")]
    out: Option<PathBuf>,
    /// Columns and rows of the board: at least 4x4, WIDTH * (HEIGHT + 1) at most 128
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = BoardSize::STANDARD)]
    board: BoardSize,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(args: &Args) -> Result<Exit> {
    let counts = registry::perft(args.board).ok_or(BuildError::Board(args.board))?;
    let exit = match args.ply {
        None => check(args, counts)?,
        Some(last) if last > args.board.cells() => {
            let reason = format!("perft {last}: {} has {} squares", args.board, args.board.cells());
            return Err(Usage(reason).into());
        }
        Some(last) => by_ply(args.board, counts.take(last as usize + 1).enumerate(), last, args.format)?,
    };
    if exit == Exit::Wrong {
        complain("not the published number of positions");
    }
    Ok(exit)
}

/// Counts all plies, unless the folder of `--out` has them, and prints their sum beside the published one.
fn check(args: &Args, counts: impl Iterator<Item = u64>) -> Result<Exit> {
    let board = args.board;
    let Some(published) = published_total(board) else {
        return Err(Usage(format!("--check: no number of positions of {board} was published")).into());
    };
    // The widest ply has at least the average number of positions.
    enough_memory(board.cells(), bytes_of(board, 0, published / u64::from(board.cells() + 1)))?;
    let (mut file, kept) = args.out.as_deref().map(RowWriter::<Row>::open).transpose()?.unzip();
    let mut rows: Vec<Row> = kept.into_iter().flatten().filter(|row| row.size() == Some(board)).collect();
    if plies(&rows, board).is_none() {
        rows = counts.enumerate().map(|(ply, count)| Row::new(board, ply as u32, count)).collect();
        rows.iter().try_for_each(|row| file.as_mut().map_or(Ok(()), |file| file.add(row)))?;
    }
    output::show(&args.format.of(&[sheet(&rows)])?)?;
    Ok(verdict(total(&plies(&rows, board).unwrap_or_default()), published).1)
}

/// Prints the number of positions of each ply; on the standard board beside the published one. On other boards, memory
/// for the next ply is estimated: it has at most the same growth as the last ply.
fn by_ply(board: BoardSize, counts: impl Iterator<Item = (usize, u64)>, last: u32, format: Format) -> Result<Exit> {
    let is_published = board == BoardSize::STANDARD;
    if is_published {
        enough_memory(last, bytes_needed(last))?;
    }
    format.line(if is_published { "ply       positions         A212693" } else { "ply       positions" })?;
    let (mut exit, mut before, mut rows) = (Exit::Success, None, Vec::new());
    for (ply, count) in counts {
        let (mut line, mut row) = (format!("{ply:3} {count:15}"), vec![json!(ply), json!(count)]);
        if is_published {
            let published = A212693[ply];
            let (word, verdict) = verdict(count, published);
            line += &format!(" {published:15} {word}");
            row.push(json!(published));
            exit = exit.max(verdict);
        }
        format.line(&line)?;
        rows.push(row);
        if let Some(before) = before.filter(|_| !is_published && (ply as u32) < last) {
            let next = (u128::from(count) * u128::from(count) / u128::from(u64::max(before, 1))) as u64;
            enough_memory(ply as u32 + 1, bytes_of(board, count, next))?;
        }
        before = Some(count);
    }
    let mut fields = vec!["ply", "positions", "published"];
    fields.truncate(if is_published { 3 } else { 2 });
    format.records(&Records { fields, rows })?;
    Ok(exit)
}

fn enough_memory(ply: u32, needed: u64) -> Result<()> {
    if let Some(available) = available_memory().filter(|&available| needed > available) {
        let [needed, available] = [needed, available].map(|bytes| bytes as f64 / 1e9);
        bail!("perft {ply} needs about {needed:.1} GB of memory; {available:.1} GB are available");
    }
    Ok(())
}

fn verdict(count: u64, published: u64) -> (&'static str, Exit) {
    if count == published { ("equal", Exit::Success) } else { ("DIFFERS", Exit::Wrong) }
}

/// Published numbers of legal positions, won ones included. A line is a board: width, height, positions. Their source
/// is in `experiments/published/README.md`.
static PUBLISHED: &str = include_str!("../../../experiments/published/position-counts.csv");

fn published_total(board: BoardSize) -> Option<u64> {
    let of_board = format!("{},{},", board.width(), board.height());
    PUBLISHED.lines().find_map(|line| line.strip_prefix(&of_board)?.parse().ok())
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    schema_version: u32,
    board: String,
    ply: u32,
    positions: u64,
    git_rev: Option<String>,
}

c4lab_measure::row!(Row, "positions.csv", 1);

impl Row {
    fn new(board: BoardSize, ply: u32, positions: u64) -> Self {
        let (schema_version, board) = (1, board.to_string());
        Row { schema_version, board, ply, positions, git_rev: git_rev() }
    }

    fn size(&self) -> Option<BoardSize> {
        self.board.parse().ok()
    }
}

pub static ROWS: RowKind =
    RowKind { name: "positions", file: Row::FILE, tables: |folder| Ok(vec![sheet(&rows::read(folder)?)]) };

/// The positions of a board by ply, if every ply was counted.
fn plies(rows: &[Row], board: BoardSize) -> Option<Vec<u64>> {
    let of_ply = |ply| rows.iter().find(|row| row.size() == Some(board) && row.ply == ply).map(|row| row.positions);
    (0..=board.cells()).map(of_ply).collect()
}

/// The sum; a file may hold any numbers.
fn total(plies: &[u64]) -> u64 {
    plies.iter().fold(0, |sum, &positions| sum.saturating_add(positions))
}

fn sheet(rows: &[Row]) -> Table {
    let boards = distinct(rows.iter().filter_map(Row::size));
    let counted: Vec<_> = boards.into_iter().filter_map(|board| Some((board, plies(rows, board)?))).collect();
    let widest =
        |plies: &[u64]| plies.iter().copied().enumerate().max_by_key(|&(_, positions)| positions).unwrap_or_default();
    let word = |board: BoardSize, plies: &[u64]| {
        published_total(board).map_or("", |published| verdict(total(plies), published).0)
    };
    let having = |wanted: &str| counted.iter().filter(|(board, plies)| word(*board, plies) == wanted).count();
    let conclusion = match (having("equal"), having("DIFFERS")) {
        (equal, 0) => format!("{equal} of {} have the published number.", pluralize(counted.len(), "board")),
        (equal, different) => format!("{equal} boards have the published number, {different} another."),
    };
    let note = "Won positions are counted, but not continued. The last columns: the number of stones with the most positions, and \
                the number of these.";
    Table::new("positions", Subject::default(), "Numbers of legal positions", note)
        .concluding(conclusion)
        .over(&counted)
        .text("board", "board", |(board, _)| board.to_string())
        .count("squares", "squares", |(board, _)| board.cells() as usize)
        .number("positions", "positions", whole, |(_, plies)| Some(total(plies) as f64))
        .number("published", "published", whole, |(board, _)| Some(published_total(*board)? as f64))
        .text("verdict", "verdict", |(board, plies)| word(*board, plies))
        .count("stones", "widest_ply", |(_, plies)| widest(plies).0)
        .number("its positions", "widest_positions", whole, |(_, plies)| Some(widest(plies).1 as f64))
        .table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The estimate for the next ply exceeds the memory of any machine.
    #[test]
    fn a_ply_that_memory_does_not_hold_is_not_begun() {
        let counts = |last: u64| [1, 1000, last].into_iter().enumerate();
        let by_ply = |last, plies| by_ply("6x5".parse().unwrap(), counts(last), plies, Format::default());
        if available_memory().is_some() {
            assert!(by_ply(1 << 40, 3).unwrap_err().to_string().starts_with("perft 3 needs about "));
        }
        assert_eq!(by_ply(1 << 40, 2).unwrap(), Exit::Success, "the last ply has been counted");
        assert_eq!(by_ply(2000, 3).unwrap(), Exit::Success);
    }

    #[test]
    fn totals_are_read_and_one_is_the_sum_of_the_published_terms() {
        let of = |board: &str| published_total(board.parse().unwrap());
        assert_eq!(of("7x6"), Some(A212693.iter().sum()));
        assert_eq!((of("4x5"), of("5x4"), of("12x9")), (Some(1_706_255), Some(3_945_711), None));
    }

    #[test]
    fn boards_that_were_counted_whole_stand_beside_what_was_published() {
        let board: BoardSize = "4x4".parse().unwrap();
        let mut rows: Vec<Row> = (0..16).map(|ply| Row::new(board, ply, 10_000)).collect();
        assert!(sheet(&rows).rows.is_empty(), "the last ply is missing");
        rows.push(Row::new(board, 16, 1_029));
        assert!(sheet(&rows).markdown().contains("161,029 |   161,029 | equal"));
        rows[0].positions = 10_001;
        assert!(sheet(&rows).markdown().contains("DIFFERS"));
    }
}
