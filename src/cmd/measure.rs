//! `c4lab measure`: runs an experiment, checks every score, and sums it up.

use super::interrupt::Interrupt;
use super::{Exit, complain};
use crate::lab::atomic;
use crate::lab::counting;
use crate::lab::experiment::{Experiment, Run};
use crate::lab::folder::read_samples;
use crate::lab::manifest::command_line;
use crate::lab::measure::{Observer, Outcome, measure};
use crate::lab::sample::Sample;
use crate::report::markdown::terminal;
use crate::report::summary::{Line, csv, summarise};
use crate::solve::Goal;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// Run an experiment: measure what is missing, check every score, sum it up
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab measure                                    the experiment `quick`, about a minute
  c4lab measure ladder --out runs/ladder           an embedded experiment; run it again to resume
  c4lab measure my.toml                            an experiment of your own (docs/FORMAT.md)
  c4lab measure --variants pons-11,pons-12 --test-sets middle-medium --limit 100 --repetitions 3

Rows go to DIR/samples.csv as they are measured, the machine to DIR/manifest.json, the table below to DIR/summary.csv.
Exit status: 0 all right, 4 a wrong score or differing node counts, 5 interrupted.")]
pub struct Args {
    /// An embedded experiment (`c4lab list experiments`) or a TOML file [default: quick, or nothing but what the
    /// options say where both --variants and --test-sets are given]
    experiment: Option<String>,
    /// Variants instead of the experiment's, the first being what the others are compared with
    #[arg(long, value_delimiter = ',', value_name = "A,B,...")]
    variants: Option<Vec<String>>,
    /// Test sets or files instead of the experiment's
    #[arg(long, value_delimiter = ',', value_name = "X,Y,...")]
    test_sets: Option<Vec<String>>,
    /// Goals instead of the experiment's
    #[arg(long, value_delimiter = ',', value_name = "GOALS", value_parser = super::values::goal())]
    goal: Option<Vec<Goal>>,
    /// The most positions of each set, from its first line
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Passes over the sets
    #[arg(long, value_name = "R")]
    repetitions: Option<u64>,
    /// Size of tables that the variant does not fix, for example 64MiB
    #[arg(long, value_name = "SIZE")]
    tt: Option<String>,
    /// The longest a cell may take, for example 10s
    #[arg(long, value_name = "TIME")]
    time_limit: Option<String>,
    /// The most nodes of a cell
    #[arg(long, value_name = "N")]
    node_limit: Option<u64>,
    /// The seed of the order within blocks
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Also count what the tables do, in a second pass that is not timed (counters.csv)
    #[arg(long)]
    counters: bool,
    /// The folder to measure into; one that was begun is resumed [default: runs/NAME-DATE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// No progress, no messages; errors only
    #[arg(long, short)]
    quiet: bool,
}

/// Runs it.
pub fn run(arguments: &Args) -> Result<Exit> {
    let experiment = arguments.experiment()?;
    let folder = arguments.out.clone().unwrap_or_else(|| dated(&experiment.name));
    let interrupt = Interrupt::listen()?;
    let mut screen = Screen::new(arguments.quiet, &folder);
    screen.fixed_tables(&experiment)?;
    let command = command_line(std::env::args());
    let outcome = measure(&experiment, &folder, command, interrupt.flag(), &mut screen);
    screen.bar.finish_and_clear();
    let outcome = outcome.inspect_err(|_| {
        if folder.join("samples.csv").exists() {
            complain(format_args!("the rows in {} are kept", folder.display()));
        }
    })?;
    let samples = read_samples(&folder)?;
    let counted = count(&experiment, &folder, &samples, interrupt.flag(), outcome)?;
    let lines = summarise(&samples, &names(&experiment)?, experiment.seed);
    atomic::write(&folder.join("summary.csv"), &csv(&lines)?)?;
    print(&lines)?;
    screen.say(&format!("{} rows in {}", samples.len(), folder.display()));
    Ok(verdict(outcome, counted, &folder))
}

fn verdict(outcome: Outcome, counted: bool, folder: &std::path::Path) -> Exit {
    if outcome.wrong > 0 || outcome.mismatches > 0 {
        complain(format_args!("{} wrong scores, {} differing node counts", outcome.wrong, outcome.mismatches));
        return Exit::Wrong;
    }
    if outcome.interrupted || !counted {
        let place = folder.display();
        complain(format_args!("interrupted; nothing is lost. To go on: the same command with --out {place}"));
        return Exit::Incomplete;
    }
    Exit::Success
}

fn count(
    experiment: &Experiment,
    folder: &std::path::Path,
    samples: &[Sample],
    interrupt: &AtomicBool,
    outcome: Outcome,
) -> Result<bool> {
    if !experiment.counters || outcome.interrupted {
        return Ok(true);
    }
    counting::count(experiment, folder, samples, interrupt)
}

fn names(experiment: &Experiment) -> Result<Vec<String>> {
    Ok(experiment.variants()?.iter().map(|entry| entry.name.to_string()).collect())
}

fn print(lines: &[Line]) -> Result<()> {
    Ok(writeln!(std::io::stdout().lock(), "{}", terminal(lines).trim_end())?)
}

/// `runs/quick-2026-11-20T12-00-00`: a folder of its own for every run that is given none.
fn dated(name: &str) -> PathBuf {
    let now = crate::lab::manifest::now().replace(':', "-");
    PathBuf::from("runs").join(format!("{name}-{}", now.trim_end_matches('Z')))
}

impl Args {
    /// The experiment with the command line's changes.
    fn experiment(&self) -> Result<Experiment> {
        let mut experiment = match (&self.experiment, &self.variants, &self.test_sets) {
            (Some(name), ..) => Experiment::open(name)?,
            (None, Some(_), Some(_)) => Experiment::blank("custom"),
            (None, ..) => Experiment::open("quick")?,
        };
        if self.variants.is_some() || self.test_sets.is_some() || self.goal.is_some() {
            experiment.runs = vec![self.one_run(&experiment)];
        }
        for run in &mut experiment.runs {
            run.limit = self.limit.or(run.limit);
        }
        experiment.limit = self.limit.or(experiment.limit);
        experiment.repetitions = self.repetitions.unwrap_or(experiment.repetitions);
        experiment.tt = self.tt.clone().or(experiment.tt);
        experiment.time_limit = self.time_limit.clone().or(experiment.time_limit);
        experiment.node_limit = self.node_limit.or(experiment.node_limit);
        experiment.seed = self.seed.unwrap_or(experiment.seed);
        experiment.counters |= self.counters;
        experiment.validate()?;
        Ok(experiment)
    }

    /// One run with what the command line names, and what all the experiment's runs name besides.
    fn one_run(&self, experiment: &Experiment) -> Run {
        let gather = |of: fn(&Run) -> &Vec<String>| {
            let mut names: Vec<String> = Vec::new();
            for name in experiment.runs.iter().flat_map(of) {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            names
        };
        let goals = Goal::ALL.into_iter().filter(|goal| experiment.runs.iter().any(|run| run.goals.contains(goal)));
        Run {
            variants: self.variants.clone().unwrap_or_else(|| gather(|run| &run.variants)),
            test_sets: self.test_sets.clone().unwrap_or_else(|| gather(|run| &run.test_sets)),
            goals: self.goal.clone().unwrap_or_else(|| goals.collect()),
            limit: experiment.runs.iter().filter_map(|run| run.limit).max(),
        }
    }
}

/// What a person sees while it goes on.
struct Screen {
    bar: ProgressBar,
    quiet: bool,
    folder: String,
}

impl Screen {
    fn new(quiet: bool, folder: &std::path::Path) -> Self {
        let bar = ProgressBar::new(0);
        // Draws nothing where stderr is no terminal; redraws only when a row is added: nothing of ours runs beside it.
        bar.set_draw_target(if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(4) });
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} cells, {eta} left  {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Screen { bar, quiet, folder: folder.display().to_string() }
    }

    fn say(&self, message: &str) {
        if !self.quiet {
            self.bar.suspend(|| eprintln!("{message}"));
        }
    }

    /// A table size was asked for, but some variants have sizes of their own.
    fn fixed_tables(&self, experiment: &Experiment) -> Result<()> {
        if experiment.tt.is_some() {
            for entry in experiment.variants()? {
                if let Some(reason) = entry.ignores_table_size() {
                    self.say(&format!("c4lab: --tt does not apply to {}: {reason}", entry.name));
                }
            }
        }
        Ok(())
    }
}

impl Observer for Screen {
    fn start(&mut self, missing: usize, there: usize) {
        self.bar.set_length(missing as u64);
        let resumed = if there > 0 { format!(", {there} are there") } else { String::new() };
        self.say(&format!("measuring {missing} cells{resumed}; rows go to {}", self.folder));
    }

    fn row(&mut self, sample: &Sample) {
        self.bar.set_message(format!("{} {}", sample.set, sample.goal.name()));
        self.bar.inc(1);
    }

    fn warn(&mut self, message: &str) {
        self.bar.suspend(|| complain(message));
    }
}
