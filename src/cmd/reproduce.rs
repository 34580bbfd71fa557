//! `c4lab reproduce`: compares published claims with measurements of this machine, or of a record.

use crate::cmd::measure::{measured, show_plan};
use anyhow::{Context, Result, bail};
use c4lab_cli::output::{self, Format};
use c4lab_cli::{Exit, RunArgs, Usage, complain, values};
use c4lab_measure::files::atomic;
use c4lab_measure::files::manifest::command_line;
use c4lab_measure::files::rows;
use c4lab_measure::files::sample::Rows;
use c4lab_measure::plan::Plan;
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::plan::shard::Shard;
use c4lab_report::claims::claim::{self, Claim, ClaimPlan};
use c4lab_report::claims::finding::{self, Finding};
use c4lab_report::claims::judge::{Evidence, judge};
use c4lab_report::claims::verdict::Verdict;
use c4lab_report::extras;
use c4lab_report::reading::Reading;
use c4lab_report::record;
use c4lab_report::table::json;
use c4lab_report::tables::instructions;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Compare published claims with measurements of this machine
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab reproduce                              all claims, on samples of the test sets; some ten minutes
  c4lab reproduce blog herzberg                the claims whose names begin with a word (`c4lab list claims`)
  c4lab reproduce pons-12-middle-easy --verbose
  c4lab reproduce --full --out runs/full       whole sets, for claims that take two hours at most; run it again to resume
  c4lab reproduce --full --at-most 10m pons-12 only claims whose own run is predicted to end within ten minutes
  c4lab reproduce --from results/DATE-X        measures nothing: verdicts from a record, or another folder of samples
  c4lab reproduce bot --from results/A --from results/B --record results/DATE-X     the verdicts of several records
  c4lab reproduce --claims my.toml             claims of your own (docs/FORMAT.md)

Verdicts: agrees; disagrees, and how (either exactly, without error); cannot tell, and why. The tolerance is on the effect:
log(measured) / log(published) from 0.8 to 1.25 (docs/METHODOLOGY.md).
Rows go to DIR/samples.csv as they are measured, verdicts to DIR/claims.csv.
Exit status: 0 whatever the verdicts, 4 a wrong score or differing node counts, 5 interrupted.")]
pub struct Args {
    /// Names of claims, or beginnings of names [default: all claims]
    #[arg(value_name = "CLAIM")]
    claims: Vec<String>,
    /// A file of claims, instead of the embedded claims
    #[arg(long = "claims", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Whole sets, for claims whose own run is predicted to end within --at-most; the others are listed
    #[arg(long)]
    full: bool,
    /// With --full: the longest predicted time of a claim's own run
    #[arg(long, value_name = "TIME", default_value = "2h", value_parser = values::duration, requires = "full")]
    at_most: Duration,
    /// Measure nothing; take the samples of this folder or record (again for more: the most decisive finding counts)
    #[arg(long, value_name = "DIR", conflicts_with_all = ["full", "out", "repetitions", "limit", "time_limit", "seed"])]
    from: Vec<PathBuf>,
    /// Keep the samples and the verdicts as a record in a new folder; with several --from, or one that has no samples, the verdicts alone
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Passes over the sets
    #[arg(long, value_name = "R", default_value_t = 3)]
    repetitions: u64,
    /// Fresh processes, each of which makes all passes; a headline record has five or more
    #[arg(long, value_name = "P", default_value_t = 1, conflicts_with = "from")]
    processes: u64,
    /// The most positions of a set
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// The longest a cell may take, for example 60s [default: 60s, none with --full]
    #[arg(long, value_name = "TIME")]
    time_limit: Option<String>,
    /// Measure nothing: show cells and minutes
    #[arg(long, conflicts_with = "from")]
    plan: bool,
    /// The seed of the order within blocks, and of intervals
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Also print the statement of each claim, its source, and the conditions that differ
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &Args) -> Result<Exit> {
    let claims = args.file.as_deref().map_or_else(claim::embedded, claim::open)?;
    let claims = claim::choose(claims, &args.claims)
        .map_err(|reason| Usage(format!("{reason}. A part of a name finds others: c4lab list claims middle-easy")))?;
    let plan = ClaimPlan::of(&claims, args.full.then_some(args.at_most), args.settings());
    args.record.as_deref().map_or(Ok(()), record::refuse_existing)?;
    if !args.run.quiet {
        tell_left_out(&plan, args.at_most);
    }
    if args.plan && plan.experiment.runs.is_empty() {
        let said = "0 cells to measure: records, counts or sets that are not here judge these claims";
        return output::print(said, Exit::Success);
    }
    if args.plan {
        return show_plan(&Plan::of(plan.experiment)?, Shard::WHOLE, args.run.out.as_deref(), args.format);
    }
    if args.from.len() > 1 || args.from.iter().any(|folder| !has_samples(folder)) {
        return args.judge_records(&claims);
    }
    let (folder, exit) = match args.from.first() {
        Some(folder) => (folder.clone(), Exit::Success),
        None => args.measure(&plan)?,
    };
    let (evidence, reading) = args.evidence(&folder)?;
    let exit = reading.as_ref().map_or(exit, |reading| exit.max(Exit::of_reading(reading)));
    let is_measured = args.from.is_empty();
    let excuse = |claim: &Claim| plan.excuses.get(&claim.id).filter(|_| is_measured);
    let rows: Vec<Finding> = claims.iter().map(|claim| judge(claim, &evidence, excuse(claim))).collect();
    if is_measured {
        rows::write(&folder, &rows)?;
    }
    if let Some(place) = &args.record {
        let Some(reading) = reading.filter(|_| exit == Exit::Success) else {
            let why = "scores are wrong, cells are missing, or there are no samples";
            bail!("{}: no record is made: {why}", folder.display());
        };
        record::write(place, &reading)?;
        rows::write(place, &rows)?;
    }
    let exit = output::print(&args.shown(&rows)?, exit)?;
    if is_measured && !args.run.quiet && exit == Exit::Success {
        output::say(args.next(&rows, &folder));
    }
    Ok(exit)
}

fn has_samples(folder: &Path) -> bool {
    ["samples.csv", "samples.csv.gz"].iter().any(|file| folder.join(file).is_file())
}

impl Args {
    /// Judges claims by several folders. Its record holds the verdicts alone, because the folders hold the samples.
    fn judge_records(&self, claims: &[Claim]) -> Result<Exit> {
        let mut found: Vec<Vec<Finding>> = vec![Vec::new(); claims.len()];
        for folder in &self.from {
            let (evidence, reading) = self.evidence(folder)?;
            reading.iter().try_for_each(|reading| record::refuse_wrong(reading, "no claim is judged by it"))?;
            for (claim, found) in claims.iter().zip(&mut found) {
                let row = judge(claim, &evidence, None);
                let is_measured = row.measured.is_some();
                found.push(if is_measured { row.noting(&format!("judged by {}", folder.display())) } else { row });
            }
        }
        let rows: Vec<Finding> = found.into_iter().filter_map(finding::best).collect();
        if let Some(place) = &self.record {
            finding::write_record(place, &rows, &command_line(std::env::args_os()).join(" "))?;
        }
        output::print(&self.shown(&rows)?, Exit::Success)
    }

    /// The command to try next: whole sets if a verdict is open, else the tables that the verdicts rest on.
    fn next(&self, rows: &[Finding], folder: &Path) -> String {
        let is_open = |row: &&Finding| matches!(row.verdict, Verdict::Undecided | Verdict::NotTested);
        let (open, names) = (rows.iter().filter(is_open).count(), shell_words::join(&self.claims));
        let place = folder.display();
        if open > 0 && rows.iter().filter(is_open).all(|row| row.why == claim::NEEDS_ORIGINAL) {
            return "Next: c4lab test-sets add FOLDER (test-sets/README.md says how to get the files)".to_string();
        }
        if open > 0 && !self.full && self.file.is_none() {
            let names = if names.is_empty() { names } else { format!("{names} ") };
            return format!("Next: whole sets decide more: c4lab reproduce {names}--full --out {place}-full");
        }
        format!("Next: the tables behind the verdicts: c4lab report {place} (and --verbose here)")
    }

    /// The experiment, without its runs.
    fn settings(&self) -> Experiment {
        let limit = if self.full { None } else { Some("60s".to_string()) };
        Experiment {
            about: "Published claims, as many positions of each set as they need (`c4lab reproduce`).".to_string(),
            seed: self.seed,
            repetitions: self.repetitions,
            processes: self.processes,
            limit: self.limit,
            time_limit: self.time_limit.clone().or(limit),
            ..Experiment::blank("reproduce")
        }
    }

    /// Measures the missing cells. Gives the folder and the exit.
    fn measure(&self, plan: &ClaimPlan) -> Result<(PathBuf, Exit)> {
        let folder = self.run.folder("reproduce")?;
        let has_runs = !plan.experiment.runs.is_empty();
        let exit = if has_runs { measured(plan.experiment.clone(), &folder, self.run.quiet)? } else { Exit::Success };
        atomic::make_folder(&folder)?;
        Ok((folder, exit))
    }

    fn evidence(&self, folder: &Path) -> Result<(Evidence, Option<Reading>)> {
        let counts = Some(folder.to_path_buf()).filter(|folder| instructions::is_in(folder)).or_else(latest_counts);
        // A run that was interrupted before its first row has no samples.
        if !has_samples(folder) || self.from.is_empty() && Rows::open(folder)?.next().is_none() {
            let evidence = Evidence::beside(folder, counts.as_deref())?;
            if !self.from.is_empty() && !instructions::is_in(folder) && extras::kinds_in(folder).next().is_none() {
                bail!("no samples in {}", folder.display());
            }
            return Ok((evidence, None));
        }
        let reading = Reading::open(folder)?;
        if !self.run.quiet {
            reading.warnings().iter().for_each(complain);
        }
        Ok((Evidence::of(&reading, counts.as_deref())?, Some(reading)))
    }

    fn shown(&self, rows: &[Finding]) -> Result<String> {
        let details = if self.verbose { format!("\n{}", finding::paragraphs(rows)) } else { String::new() };
        Ok(match self.format {
            Format::Text => format!("{}{details}", finding::terminal(rows, output::width())),
            Format::Markdown => finding::markdown(rows),
            Format::Csv => String::from_utf8(rows::bytes(rows)?).context("claims.csv")?,
            Format::Json => json::rows("claims", rows)?,
        })
    }
}

fn tell_left_out(plan: &ClaimPlan, at_most: Duration) {
    if plan.too_long.is_empty() {
        return;
    }
    let count = plan.too_long.len();
    let (claims, at_most) = (if count == 1 { "claim" } else { "claims" }, humantime::format_duration(at_most));
    eprintln!("left out: {count} {claims} predicted to take longer than {at_most} (--at-most), with its own time:");
    plan.too_long.iter().for_each(|(claim, predicted)| eprintln!("  {claim}: {}", claim::shown(*predicted)));
}

/// The folder of the last `cargo bench --bench instructions` here, or else the latest record with instruction counts.
fn latest_counts() -> Option<PathBuf> {
    let fresh = PathBuf::from("target/gungraun");
    if instructions::is_in(&fresh) {
        return Some(fresh);
    }
    let records = std::fs::read_dir("results").ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    records.filter(|folder| folder.join(instructions::FILE).is_file()).max()
}
