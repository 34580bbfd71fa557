//! `c4lab attribute`: how many nodes each technique saves, from the nodes of all combinations; and ablation paths.

use crate::cmd::measure::{Screen, incomplete};
use anyhow::Result;
use c4lab_cli::output::{self, Format};
use c4lab_cli::values::{spec, threads};
use c4lab_cli::{Exit, Interrupt, RunArgs, Usage, complain};
use c4lab_measure::attribution::Attribution;
use c4lab_measure::attribution::run::AttributionRun;
use c4lab_measure::files::manifest::command_line;
use c4lab_measure::files::node_row::NodeTable;
use c4lab_measure::text::{explain, pluralize};
use c4lab_report::attribution::AttributionReading;
use c4lab_report::attribution::output::{Part, tables, write};
use c4lab_report::table::Table;
use c4lab_solver::search::Spec;
use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Find out how many nodes each technique saves: all combinations, Shapley values, ablation paths
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab attribute attribution-small               three techniques on easy positions; it takes a second
  c4lab attribute --out runs/attribution          eight techniques on 200 positions; run it again to resume
  c4lab attribute --path pons-07 pons-12          one change after another, the best first
  c4lab attribute --path champion order=centre,zugzwang=none

Nodes are counted and not timed, so every core takes part. Rows go to DIR/nodes.csv as they are counted. Tables and pictures
go to attribution.csv, interactions.csv, path.csv and attribution.svg. `c4lab report DIR` prints the tables
again; with --html it makes a page.
Exit status: 0 all right, 4 a wrong score or differing node counts, 5 interrupted.")]
pub struct Args {
    /// An embedded attribution (attribution, attribution-small) or a TOML file (docs/FORMAT.md)
    #[arg(default_value = "attribution")]
    attribution: OsString,
    /// The greedy path of single changes from one variant to another, instead of all combinations; TO may be changes to FROM,
    /// key=value,...
    #[arg(long, num_args = 2, value_names = ["FROM", "TO"])]
    path: Option<Vec<String>>,
    /// The most positions of each set, from its first line
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// The most nodes of a search; a position that reaches it is left out of the attribution
    #[arg(long, value_name = "N")]
    node_limit: Option<u64>,
    /// Threads that count [default: every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// How to print: csv is the table of techniques, or of the path
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &Args) -> Result<Exit> {
    let attribution = args.attribution()?;
    args.ends()?;
    let folder = args.run.folder(&attribution.name)?;
    let interrupt = Interrupt::listen()?;
    let exit = args.count(&attribution, &folder, interrupt.flag())?;
    if exit != Exit::Success {
        return Ok(exit);
    }
    let reading = AttributionReading::open(&folder)?;
    reading.warnings().iter().for_each(complain);
    write(&folder, &reading)?;
    let parts: &[Part] = if args.path.is_some() { &[Part::Paths] } else { &[Part::Values, Part::Square] };
    print(&reading, parts, args.format, exit)
}

pub(super) fn print(reading: &AttributionReading, parts: &[Part], format: Format, exit: Exit) -> Result<Exit> {
    let complete = parts.iter().map(|part| tables(reading, *part)).filter(|tables| !tables.is_empty());
    let shown = if format == Format::Csv { 1 } else { parts.len() };
    let tables: Vec<Table> = complete.take(shown).flatten().collect();
    if tables.is_empty() {
        let place = reading.folder.display();
        let why = "rows are missing, or a limit was reached on every position";
        complain(format_args!("{place}: no table yet: {why}"));
        return Ok(exit.max(Exit::Incomplete));
    }
    output::print(&format.of(&tables)?, exit)
}

pub(super) fn wrong(table: &NodeTable) -> Exit {
    let (wrong, moved) = (pluralize(table.wrong, "wrong score"), pluralize(table.mismatches, "differing node count"));
    complain(format_args!("{wrong}, {moved}"));
    Exit::Wrong
}

impl Args {
    fn attribution(&self) -> Result<Attribution> {
        let mut attribution = Attribution::open(&self.attribution)?;
        attribution.limit = attribution.limit.into_iter().chain(self.limit).min();
        attribution.node_limit = self.node_limit.or(attribution.node_limit);
        attribution.validate().map_err(Usage::of)?;
        Ok(attribution)
    }

    fn ends(&self) -> Result<Option<(Spec, Spec)>> {
        let Some([from, to]) = self.path.as_deref() else { return Ok(None) };
        let usage = |reason: String| Usage(format!("--path: {reason}"));
        let start = spec(from).map_err(usage)?;
        let is_changes = to.contains('=') && !to.contains('[');
        let end = if is_changes { Spec::parse_once(to, start).map_err(explain) } else { spec(to) };
        Ok(Some((start, end.map_err(usage)?)))
    }

    fn count(&self, attribution: &Attribution, folder: &Path, interrupt: &AtomicBool) -> Result<Exit> {
        let threads = threads(self.threads.map(u32::from));
        let path = self.ends()?;
        let mut screen = Screen::new(self.run.quiet, folder);
        let command = command_line(std::env::args_os());
        let mut run = AttributionRun::open(attribution, folder, command, threads, interrupt, &mut screen)?;
        let came = match path {
            Some((from, to)) => run.path(from, to, &mut screen),
            None => run.factorial(&mut screen),
        };
        screen.bar.finish_and_clear();
        let is_whole = came.inspect_err(|_| complain(format_args!("the rows in {} are kept", folder.display())))?;
        screen.say(&format!("{} in {}", pluralize(run.table().rows, "row"), folder.display()));
        let exit = match (run.table().is_clean(), is_whole) {
            (false, _) => wrong(run.table()),
            (true, false) => incomplete(folder),
            (true, true) => Exit::Success,
        };
        run.end()?;
        Ok(exit)
    }
}
