//! `c4lab rank`: all variants of a folder, from the fastest to the slowest.

use anyhow::Result;
use c4lab_cli::output::{self, Format};
use c4lab_cli::values::{goal, names};
use c4lab_cli::{Exit, complain};
use c4lab_report::ranking::{Choice, Ranking};
use c4lab_report::reading::Reading;
use c4lab_solver::search::Goal;
use std::path::PathBuf;

/// Rank all variants of a folder, from the fastest to the slowest, pooled over test sets
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab rank runs/x                                     all variants beside the first one
  c4lab rank runs/x --base pons-12 --test-sets middle-medium,begin-easy
  c4lab rank runs/x --variants champion,pons-12,mine    only these, which may have more positions in common

Variants that cannot be told apart share a rank. A variant with a wrong or failed answer has no rank.")]
pub struct Args {
    /// A folder that `measure` or `merge` wrote, or a record
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The variant that all others are compared with [default: the first one without a wrong or failed answer]
    #[arg(long, value_name = "VARIANT")]
    base: Option<String>,
    /// Only these variants, and the base
    #[arg(long, value_name = "A,B,...", value_parser = names)]
    variants: Option<std::vec::Vec<String>>,
    /// Only these test sets
    #[arg(long, value_delimiter = ',', value_name = "X,Y,...")]
    test_sets: Vec<String>,
    /// Only this goal
    #[arg(long, value_parser = goal())]
    goal: Option<Goal>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(args: &Args) -> Result<Exit> {
    let reading = Reading::open(&args.folder)?;
    reading.warnings().iter().for_each(complain);
    let exit = Exit::of_reading(&reading);
    let choice = Choice {
        base: args.base.clone(),
        variants: args.variants.clone().unwrap_or_default(),
        test_sets: args.test_sets.clone(),
        goal: args.goal,
    };
    let (rankings, remark) = (Ranking::of(&reading, &choice)?, reading.results.remark(true));
    let tables: Vec<_> = rankings.iter().map(|ranking| ranking.table().remarking(&remark)).collect();
    output::print(&args.format.compared(&tables)?, exit)
}
