//! A soak of `measure`: it is killed at random moments, its disk fills up, and it goes on, until nothing is missing.
//!
//! ```text
//! cargo run --release --example soak -- --out runs/soak --cells 100000 --kills 50 --fills 5
//! cargo run --release --example soak -- --out SMALL/soak --disk          # SMALL is a small file system, which is filled up
//! ```
//!
//! `course.rs` says what is looked at after every stop. The first thing that does not hold ends the soak with an error; the
//! folder is left as it is. A seed draws the same moments again, as far as a machine lets moments be the same.

mod course;
mod full;
mod watch;

use anyhow::Result;
use clap::Parser;
use course::Course;
use full::Fill;
use std::path::PathBuf;

/// Kills, fills and resumes a measurement until it is whole
#[derive(Debug, Parser)]
struct Args {
    /// The folder to measure into; it must not be there yet
    #[arg(long)]
    out: PathBuf,
    /// The program
    #[arg(long, default_value = "target/release/c4lab")]
    binary: PathBuf,
    /// Cells, at least
    #[arg(long, default_value_t = 100_000)]
    cells: usize,
    /// Times that it is killed
    #[arg(long, default_value_t = 50)]
    kills: usize,
    /// Times that its disk fills up
    #[arg(long, default_value_t = 5)]
    fills: usize,
    /// Fill the file system of --out for real; without, a limit on the size of files plays it
    #[arg(long)]
    disk: bool,
    /// Two variants
    #[arg(long, value_delimiter = ',', default_value = "pons-12,champion")]
    variants: Vec<String>,
    /// The seed of the moments
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let course = Course {
        binary: args.binary,
        out: args.out,
        variants: args.variants,
        cells: args.cells,
        kills: args.kills,
        fills: args.fills,
        fill: if args.disk { Fill::Disk } else { Fill::Limit },
        seed: args.seed,
    };
    let tally = course.run(|message| eprintln!("soak: {message}"))?;
    println!("{tally}");
    Ok(())
}
