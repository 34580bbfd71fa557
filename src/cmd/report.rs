//! `c4lab report`: makes tables, pages, pictures and records of a folder of results.

use crate::cmd::attribute;
use anyhow::{Context, Result, bail, ensure};
use c4lab_cli::output::{self, Format, say};
use c4lab_cli::{Exit, Usage, complain};
use c4lab_measure::engines::table::EngineClock;
use c4lab_measure::files::atomic;
use c4lab_measure::files::manifest::CountManifest;
use c4lab_measure::files::node_row;
use c4lab_measure::text::pluralize;
use c4lab_report::attribution::AttributionReading;
use c4lab_report::attribution::output::{Part, write_record};
use c4lab_report::blocks::{self, Contents};
use c4lab_report::plot::pictures;
use c4lab_report::reading::Reading;
use c4lab_report::table::json;
use c4lab_report::tables::instructions;
use c4lab_report::tables::runs::without_alone;
use c4lab_report::tables::summary::summarise;
use c4lab_report::tables::{Choice, NAMES};
use c4lab_report::{page, record};
use std::path::{Path, PathBuf};

/// Show the results of a folder: tables, a page, pictures, a record, generated blocks of Markdown files
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab report runs/quick-2026-11-20T12-00-00      the tables on the terminal
  c4lab report DIR --tables ablation --base pons-12
  c4lab report DIR --format markdown               every table
  c4lab report DIR --format json                   every table, for programs (docs/FORMAT.md)
  c4lab report DIR --record results/2026-11-20-x   keeps the run as a dated record
  c4lab report results/2026-11-20-x --splice README.md
                                                   updates the blocks of that record, between their markers
  c4lab report --splice README.md                  updates all blocks
  c4lab report DIR --html report.html              a page with tables and pictures, for any browser
  c4lab report target/gungraun                     the instruction counts of `cargo bench --bench instructions`")]
pub struct Args {
    /// A folder that `measure`, `attribute` or the benchmark `instructions` wrote, or a record
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The tables: matrix, summary, nodes, speed-ups, steps, ablation, by-ply, anatomy, anatomy-by-ply, threads, budgets, budget-by-ply,
    /// profiles, engines, processes, failures
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = c4lab_cli::values::one_of(&NAMES, |name| name))]
    tables: Option<Vec<&'static str>>,
    /// How to print; without --tables, Markdown and JSON have every table
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The base of the tables speed-ups and ablation [default: the first variant of each set]
    #[arg(long, value_name = "VARIANT")]
    base: Option<String>,
    /// The time of engines in the tables: ours (by c4lab's clock) or own (as the engine states it) [default: that of the
    /// folder]
    #[arg(long, value_name = "CLOCK", value_parser = c4lab_cli::values::engine_clock(), requires = "folder",
        conflicts_with_all = ["record", "splice"])]
    engine_clock: Option<EngineClock>,
    /// Plies in a row of the tables by-ply, anatomy-by-ply and budget-by-ply
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    band: u32,
    /// Update the generated blocks of this folder in a Markdown file; without a folder, all blocks
    #[arg(long, value_name = "FILE")]
    splice: Option<PathBuf>,
    /// With --splice: write nothing, fail when a block is out of date
    #[arg(long, requires = "splice", conflicts_with_all = ["tables", "format", "base", "html", "plots"])]
    check: bool,
    /// Keep the run as a record in a new folder
    #[arg(long, value_name = "DIR", requires = "folder")]
    record: Option<PathBuf>,
    /// Write the page: one file with every table and picture, for any browser, without network
    #[arg(long, value_name = "FILE", requires = "folder")]
    html: Option<PathBuf>,
    /// Write the pictures as SVG files
    #[arg(long, value_name = "FOLDER", requires = "folder")]
    plots: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<Exit> {
    let Some(folder) = &args.folder else {
        let none = || Usage("a folder, or --splice FILE for all blocks of a file".to_string());
        return renew(args.splice.as_ref().ok_or_else(none)?, None, args.check);
    };
    let (is_counts, is_attribution) = (instructions::is_in(folder), node_row::is_in(folder));
    if is_counts && (args.html.is_some() || args.plots.is_some() || args.splice.is_some()) {
        bail!("{}: instruction counts have no page, no plots and no blocks", folder.display());
    }
    if is_attribution && args.plots.is_some() {
        bail!(
            "{}: the pictures of an attribution lie in its folder already: choose --html for a page",
            folder.display()
        );
    }
    if is_counts {
        return run_counts(args, folder);
    }
    if is_attribution {
        return run_attribution(args, folder);
    }
    if blocks::has_kept_rows(folder) {
        return run_kept(args, folder);
    }
    let reading = Reading::open_by(folder, args.engine_clock)?;
    let Reading { results, manifest, .. } = &reading;
    reading.warnings().iter().for_each(complain);
    let exit = Exit::of_reading(&reading);
    if manifest.merged.is_some() {
        manifest.description().iter().for_each(say);
    }
    if let Some(place) = &args.record {
        record::write(place, &reading)?;
        say(format_args!("{} kept in {}", pluralize(results.rows, "row"), place.display()));
    }
    let is_shown = show(args, &reading)?;
    match &args.splice {
        Some(file) => Ok(exit.max(renew(file, Some(folder), args.check)?)),
        None if is_shown => Ok(exit),
        None => tables(args, &reading, exit),
    }
}

/// Writes the page of `--html` and the pictures of `--plots`. True if there was one of these options.
fn show(args: &Args, reading: &Reading) -> Result<bool> {
    let lines = || summarise(&reading.results, reading.manifest.experiment.seed);
    if let Some(file) = &args.html {
        keep(file, &page::of_samples(reading, &lines(), &args.choice(reading)?)?)?;
    }
    if let Some(place) = &args.plots {
        let count = pictures::write(place, &reading.results.groups, &lines())?;
        say(format_args!("{}: {}", place.display(), pluralize(count, "picture")));
    }
    Ok(args.html.is_some() || args.plots.is_some())
}

impl Args {
    fn choice(&self, reading: &Reading) -> Result<Choice> {
        let choice = Choice { base: self.base.clone(), band: self.band };
        choice.validate(reading).map_err(Usage)?;
        Ok(choice)
    }
}

fn keep(file: &Path, page: &str) -> Result<()> {
    atomic::write(file, page.as_bytes())?;
    say(format_args!("{}: {:.1} MB", file.display(), page.len() as f64 / 1e6));
    Ok(())
}

/// Prints the tables of `--tables`, or else those that `--format` has by default.
fn tables(args: &Args, reading: &Reading, exit: Exit) -> Result<Exit> {
    let choice = args.choice(reading)?;
    let asked: Vec<&str> = match (&args.tables, args.format) {
        (Some(names), _) => names.clone(),
        (None, Format::Text) => vec!["summary", "nodes", "threads", "engines", "processes", "failures"],
        (None, Format::Csv) => vec!["summary"],
        (None, Format::Markdown | Format::Json) => NAMES.to_vec(),
    };
    if args.format == Format::Csv && asked.len() > 1 {
        return Err(Usage("--format csv holds one table: name it with --tables".to_string()).into());
    }
    let sheets: Vec<_> = asked.into_iter().flat_map(|name| reading.tables(name, &choice)).collect();
    if args.tables.as_ref().is_some_and(|names| names.contains(&"threads")) {
        for group in &reading.results.groups {
            for (name, alone) in without_alone(group) {
                complain(format_args!(
                    "{}: {name} is not in threads: {alone} was not measured beside it",
                    group.title()
                ));
            }
        }
    }
    if sheets.is_empty() {
        complain("the folder has no row for any of these tables");
    }
    output::print(&args.format.compared(&sheets)?, exit)
}

fn run_counts(args: &Args, folder: &Path) -> Result<Exit> {
    let (rows, manifest) = (instructions::read(folder)?, CountManifest::read(folder)?);
    manifest.warnings().iter().for_each(complain);
    if let Some(place) = &args.record {
        record::write_counts(place, &rows, &manifest)?;
        say(format_args!("{} kept in {}", pluralize(rows.len(), "row"), place.display()));
    }
    let text = match args.format {
        Format::Json => json::rows("instructions", &rows)?,
        _ => Format::Text.of(&instructions::tables(&rows))?,
    };
    output::print(&text, Exit::Success)
}

fn run_attribution(args: &Args, folder: &Path) -> Result<Exit> {
    let reading = AttributionReading::open(folder)?;
    reading.warnings().iter().for_each(complain);
    if !reading.table.is_clean() {
        return Ok(attribute::wrong(&reading.table));
    }
    if let Some(place) = &args.record {
        write_record(place, &reading)?;
        say(format_args!("{} kept in {}", pluralize(reading.table.rows, "row"), place.display()));
    }
    if let Some(file) = &args.html {
        keep(file, &page::of_attribution(&reading)?)?;
    }
    let exit = if reading.is_incomplete() { Exit::Incomplete } else { Exit::Success };
    match &args.splice {
        Some(file) => Ok(renew(file, Some(folder), args.check)?.max(exit)),
        None if args.html.is_some() => Ok(exit),
        None => attribute::print(&reading, &Part::SHOWN, args.format, exit),
    }
}

/// Reports a folder of kept rows, which is a record already.
fn run_kept(args: &Args, folder: &Path) -> Result<Exit> {
    if args.record.is_some() || args.html.is_some() || args.plots.is_some() || args.tables.is_some() {
        bail!("{}: no record, page, picture or --tables, because the folder has no samples", folder.display());
    }
    if let Some(file) = &args.splice {
        return renew(file, Some(folder), args.check);
    }
    let sheets = blocks::kept_tables(folder)?;
    if args.format == Format::Csv {
        return Err(Usage("--format csv: the rows lie in the folder as CSV already".to_string()).into());
    }
    output::print(&args.format.of(&sheets)?, Exit::Success)
}

/// Updates the blocks of `folder` in `file`; all blocks if there is no folder.
fn renew(file: &Path, folder: Option<&Path>, check: bool) -> Result<Exit> {
    let old = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let (new, count) = blocks::update(&file.display().to_string(), &old, folder, &mut Contents::open)?;
    if let Some(folder) = folder.filter(|_| count == 0) {
        let kind = match folder {
            folder if node_row::is_in(folder) => "attribution",
            _ => "summary",
        };
        let (file, folder) = (file.display(), folder.display().to_string());
        ensure!(!folder.contains(char::is_whitespace), "{folder}: a block cannot name a folder with blanks; rename it");
        bail!("{file}: no block of {folder} (<!-- c4lab:begin {kind} {folder} -->)");
    }
    if check && new != old {
        let differs = new.lines().zip(old.lines()).take_while(|(new, old)| new == old).count();
        complain(format_args!("{}, line {}: a block differs from its folder", file.display(), differs + 1));
        return Ok(Exit::Failure);
    }
    if new != old {
        atomic::write(file, new.as_bytes())?;
    }
    say(format_args!("{}: {} up to date", file.display(), pluralize(count, "block")));
    Ok(Exit::Success)
}
