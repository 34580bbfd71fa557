//! `c4lab measure`: runs an experiment, checks every score, and prints a summary.

use anyhow::{Context, Result, bail};
use c4lab_cli::engines::EngineArgs;
use c4lab_cli::output::{self, Format};
use c4lab_cli::solver::ignored_size;
use c4lab_cli::{Exit, Interrupt, RunArgs, Usage, complain};
use c4lab_measure::engines::table::EngineClock;
use c4lab_measure::files::atomic;
use c4lab_measure::files::manifest::{FILE as MANIFEST, Manifest, command_line};
use c4lab_measure::files::sample;
use c4lab_measure::files::sample::{Rows, Sample, read_samples};
use c4lab_measure::plan::Plan;
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::plan::shard::Shard;
use c4lab_measure::run::counting;
use c4lab_measure::run::estimate::{Estimate, estimates};
use c4lab_measure::run::measure::{Outcome, PlanPart, Progress, measure};
use c4lab_measure::sets::draw::Draw;
use c4lab_measure::text::{harmless, pluralize};
use c4lab_report::reading;
use c4lab_report::results::Results;
use c4lab_report::table::units::{grouped, time};
use c4lab_report::table::{Cell, Column, Subject, Table};
use c4lab_report::tables::summary::{csv, summarise};
use c4lab_report::tables::{self, Choice, runs};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::Goal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The least time between two changes of the text beside the progress bar.
const CHANGED_EVERY: Duration = Duration::from_millis(250);

/// Run an experiment: measure the missing cells, check every score, print a summary
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab measure                                    the experiment `quick`, about a minute
  c4lab measure ladder --out runs/ladder           an embedded experiment; run it again to resume
  c4lab measure my.toml                            an experiment of your own (docs/FORMAT.md)
  c4lab measure --variants pons-11,pons-12 --test-sets middle-medium --limit 100 --repetitions 3
  c4lab measure --variants 'champion,champion[order=centre,root=step]' --test-sets middle-medium
  c4lab measure --variants champion --test-sets middle-easy --engine mine='./my-solver'
  c4lab measure ladder --out runs/ladder --repetitions 5      adds passes; --limit adds positions, --processes processes
  c4lab measure ladder --processes 5               five fresh processes: intervals cover them too
  c4lab measure ladder --shard 3/8 --out runs/3    an eighth of the positions, for one of eight machines (`c4lab merge`)

Rows go to DIR/samples.csv as they are measured, the machine to DIR/manifest.json, the printed table to DIR/summary.csv.
Exit status: 0 all right, 1 cells of a foreign program failed, 4 a wrong score or differing node counts,
5 interrupted.")]
pub struct Args {
    /// An embedded experiment (`c4lab list experiments`) or a TOML file [default: quick, or the options alone if both
    /// --variants and --test-sets are given]
    experiment: Option<OsString>,
    /// Only these of the experiment's variants; with --test-sets any variants, of which the first is the base;
    /// NAME[AXIS=VALUE,...] changes one
    #[arg(long, value_name = "A,B,...", value_parser = c4lab_cli::values::names)]
    variants: Option<std::vec::Vec<String>>,
    /// Only these of the experiment's test sets; with --variants too, any test sets or files
    #[arg(long, value_delimiter = ',', value_name = "X,Y,...", value_parser = c4lab_cli::values::set())]
    test_sets: Option<Vec<String>>,
    /// Links of one build of c4lab (benches/links); each process runs another, and intervals cover them
    #[arg(long, value_delimiter = ',', value_name = "A,B,...")]
    binaries: Option<Vec<PathBuf>>,
    /// Goals, instead of those of the experiment's runs
    #[arg(long, value_delimiter = ',', value_name = "GOALS", value_parser = c4lab_cli::values::goal())]
    goal: Option<Vec<Goal>>,
    /// The most positions of each set, from its first line; a run keeps a smaller limit of its own
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Positions of each set, drawn at random by the seed, each number of stones with its share; as --limit for runs
    #[arg(long, value_name = "N", conflicts_with = "limit")]
    sample: Option<usize>,
    /// Passes over the sets [default: the experiment's; 3 with --variants and --test-sets alone]
    #[arg(long, value_name = "R")]
    repetitions: Option<u64>,
    /// Fresh processes, each of which makes all passes; a headline record has five or more
    #[arg(long, value_name = "P")]
    processes: Option<u64>,
    /// The number of this process, from 1
    #[arg(long, value_name = "K", hide = true)]
    process: Option<u32>,
    /// Size of the tables of variants that fix none, for example 64MiB; VARIANT@SIZE sets it for one variant
    #[arg(long, value_name = "SIZE")]
    tt: Option<String>,
    /// Columns and rows of the board of the test sets, for example 8x6: at least 4x4, WIDTH * (HEIGHT + 1) at most 128
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    board: Option<BoardSize>,
    /// The longest a cell may take, for example 10s
    #[arg(long, value_name = "TIME")]
    time_limit: Option<String>,
    /// The most nodes of a cell
    #[arg(long, value_name = "N")]
    node_limit: Option<u64>,
    /// The seed of samples and of the order within blocks
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Also count table events and ends of nodes, in a second pass that is not timed (counters.csv, anatomy.csv)
    #[arg(long)]
    counters: bool,
    #[command(flatten)]
    engines: EngineArgs,
    /// The time of engines in the tables: ours (by c4lab's clock) or own (as the engine states it); rows hold both
    /// [default: the experiment's choice for each engine, else ours]
    #[arg(long, value_name = "CLOCK", value_parser = c4lab_cli::values::engine_clock())]
    engine_clock: Option<EngineClock>,
    /// Only part K of N of the positions; all variants of a position stay together
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Measure nothing: show cells and minutes, by the rows that are there or a few searches
    #[arg(long)]
    plan: bool,
    /// How to print the summary
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &Args) -> Result<Exit> {
    let plan = Plan::of(args.experiment()?)?;
    let shard = args.shard;
    if args.plan {
        return show_plan(&plan, shard, args.run.out.as_deref(), args.format);
    }
    if let Some(binaries) = &args.binaries {
        let (count, processes) = (binaries.len(), plan.experiment.processes);
        if (count as u64) > processes {
            bail!(Usage(format!("--binaries: {count} programs for {}", pluralize(processes as usize, "process"))));
        }
        if let Some(missing) = binaries.iter().find(|path| !path.is_file()) {
            bail!(Usage(format!("--binaries: {}: no such file", missing.display())));
        }
    }
    let folder = args.run.folder(&of_shard(&plan.experiment.name, shard))?;
    let interrupt = Interrupt::listen()?;
    let mut screen = Screen::new(args.run.quiet, &folder);
    if let Some(process) = args.process {
        end_with_parent();
        screen.process = Some((process, plan.experiment.processes));
        let part = PlanPart { shard, process, may_be_link: args.binaries.is_some() };
        let exit = in_this_process(&plan, part, &interrupt, &mut screen);
        // An error becomes the exit status of usage, so that the parent starts no further process: each would fail too.
        return exit.map_err(|error| Usage::of(error).into());
    }
    screen.fixed_tables(&plan);
    plan.remarks().iter().for_each(|remark| screen.say(&format!("c4lab: {remark}")));
    let mut exit = if plan.experiment.processes == 1 {
        in_this_process(&plan, PlanPart { shard, ..PlanPart::FIRST }, &interrupt, &mut screen)?
    } else {
        let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
        if args.run.out.is_none() {
            arguments.extend(["--out".into(), folder.as_os_str().into()]);
        }
        let binaries = args.binaries.as_deref().unwrap_or_default();
        match in_fresh_processes(&plan.experiment, &arguments, binaries, &folder, &interrupt)? {
            Some(exit) if folder.join(MANIFEST).exists() => exit,
            other => return Ok(other.unwrap_or(Exit::Failure)),
        }
    };
    let results = results(&plan, &folder)?;
    if let Some(reason) = results.incomplete.as_ref().filter(|_| exit == Exit::Success) {
        complain(format_args!("{reason} Another program changed the rows. The same command measures these cells"));
        exit = Exit::Incomplete;
    }
    let seed = plan.experiment.seed;
    atomic::write(&folder.join("summary.csv"), &csv(&summarise(&results, seed))?)?;
    if plan.experiment.counters
        && exit == Exit::Success
        && !counting::count(&plan, &folder, &read_samples(&folder)?, interrupt.flag())?
    {
        exit = incomplete(&folder);
    }
    let (rows, place) = (pluralize(results.rows, "row"), folder.display());
    screen.say(&format!(
        "{rows} in {place}\nNext: c4lab rank {place}, or a page: c4lab report {place} --html report.html"
    ));
    let choice = Choice::default();
    output::print(&args.format.compared(&tables::tables(&results, seed, "summary", &choice))?, exit)
}

/// The results in `folder`. Messages on stderr name what limits their use.
fn results(plan: &Plan, folder: &Path) -> Result<Results> {
    let manifest = Manifest::read(folder)?.with_context(|| format!("{}: no manifest.json", folder.display()))?;
    let of_build = |row: Sample| Sample { binary_sha256: manifest.build_of(row.binary_sha256), ..row };
    let mut results = Results::of(Rows::open(folder)?.map(|row| row.map(of_build)), &manifest.experiment.order())?;
    results.hold_against(&manifest);
    if plan.experiment.processes > 1 {
        manifest.warnings().iter().for_each(complain);
    }
    reading::risks(&results).iter().for_each(complain);
    let engines: Vec<&str> = manifest.engines.iter().map(|engine| engine.name.as_str()).collect();
    runs::stderr(&results, folder, &engines).iter().for_each(complain);
    Ok(results)
}

/// The sizes of an experiment that another command makes.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
pub struct Sizes {
    /// Test sets, by name or file [default: short shipped sets]
    #[arg(long, value_delimiter = ',', value_name = "X,Y,...", value_parser = c4lab_cli::values::set())]
    pub test_sets: Option<Vec<String>>,
    /// The most positions of each set, from its first line [default: 100]
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Passes over the sets [default: 3]
    #[arg(long, value_name = "R")]
    repetitions: Option<u64>,
    /// Fresh processes, each of which makes all passes; a headline record has five or more [default: 1]
    #[arg(long, value_name = "P")]
    processes: Option<u64>,
    /// Size of the tables of variants that fix none, for example 64MiB
    #[arg(long, value_name = "SIZE")]
    tt: Option<String>,
    /// Measure nothing: show cells and minutes
    #[arg(long)]
    pub plan: bool,
}

/// Prints the cells of `plan` and the time that those take that `out` has no rows of.
pub(super) fn show_plan(plan: &Plan, shard: Shard, out: Option<&Path>, format: Format) -> Result<Exit> {
    let interrupt = Interrupt::listen()?;
    let estimates = estimates(plan, shard, out.unwrap_or(Path::new("")), interrupt.flag())?;
    let at_least = |is_least: bool| if is_least { "at least " } else { "" };
    let ns = |it: &Estimate| (it.ns + it.warm_up_ns) * it.missing as f64;
    let total = Duration::from_nanos(estimates.iter().map(ns).sum::<f64>() as u64);
    let cells: usize = estimates.iter().map(|it| it.cells).sum();
    let missing: usize = estimates.iter().map(|it| it.missing).sum();
    let is_least = estimates.iter().any(|it| it.is_least && it.missing > 0);
    let title = format!(
        "{} of {} to measure: {}{}",
        pluralize(missing, "cell"),
        grouped(&cells.to_string()),
        at_least(is_least),
        about(total)
    );
    let note = "A cell takes as long as the rows that are there, or else as a few searches, which are cut off at 1 s.\n\
                The time includes warm-ups, but no pilot and no pass of --counters.";
    let table = Table::new("plan", Subject::default(), title, note)
        .over(&estimates)
        .text("set", "test set", |it| &it.set)
        .text("goal", "goal", |it| it.goal.name())
        .text("variant", "variant", |it| &it.participant)
        .count("positions", "positions", |it| it.positions)
        .count("cells", "cells", |it| it.cells)
        .count("missing", "missing", |it| it.missing)
        .column(Column::number("a cell", "cell"), |it| Cell::text(format!("{}{}", at_least(it.is_least), time(it.ns))))
        .column(Column::number("time", "time"), |it| Cell::text(about(Duration::from_nanos(ns(it) as u64))))
        .table;
    output::print(&format.of(&[table])?, Exit::Success)
}

/// A duration in whole seconds, minutes or hours.
fn about(duration: Duration) -> String {
    match duration.as_secs_f64() {
        0.0 => "nothing".to_string(),
        seconds if seconds < 1.0 => "under 1 s".to_string(),
        seconds if seconds < 100.0 => format!("{seconds:.0} s"),
        seconds if seconds < 6000.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{:.1} h", seconds / 3600.0),
    }
}

impl Sizes {
    /// An experiment without variants and sets.
    pub fn experiment(&self, name: &str) -> Experiment {
        Experiment {
            repetitions: self.repetitions.unwrap_or(3),
            processes: self.processes.unwrap_or(1),
            limit: Some(self.limit.unwrap_or(100)),
            tt: self.tt.clone(),
            time_limit: Some("10s".to_string()),
            ..Experiment::blank(name)
        }
    }
}

/// Measures an experiment that another command makes, into `folder`, in as many processes as it says.
pub(super) fn measured(experiment: Experiment, folder: &Path, quiet: bool) -> Result<Exit> {
    experiment.validate().map_err(Usage::of)?;
    let interrupt = Interrupt::listen()?;
    if experiment.processes == 1 {
        return in_this_process(&Plan::of(experiment)?, PlanPart::FIRST, &interrupt, &mut Screen::new(quiet, folder));
    }
    // The processes read the experiment from the folder.
    let file = folder.join("experiment.toml");
    atomic::write(&file, toml::to_string(&experiment)?.as_bytes())?;
    let mut arguments: Vec<OsString> = vec!["measure".into(), file.into(), "--out".into(), folder.into()];
    arguments.extend(quiet.then(|| "--quiet".into()));
    Ok(in_fresh_processes(&experiment, &arguments, &[], folder, &interrupt)?.unwrap_or(Exit::Failure))
}

/// Measures a part of a plan in this process, into the folder of the screen.
pub(super) fn in_this_process(plan: &Plan, part: PlanPart, interrupt: &Interrupt, screen: &mut Screen) -> Result<Exit> {
    let folder = screen.folder.clone();
    let outcome = measure(plan, part, &folder, command_line(std::env::args_os()), interrupt.flag(), screen);
    screen.bar.finish_and_clear();
    let outcome = outcome.inspect_err(|_| {
        if folder.join(sample::FILE).exists() {
            complain(format_args!("the rows in {} are kept", folder.display()));
        }
    })?;
    Ok(verdict(&outcome, &folder))
}

/// The most bytes that are added to the environment of a child: a page.
const MOST_PADDING: usize = 4096;
/// How often the parent looks whether a child has ended. Seldom, because a look disturbs the measurement.
const POLL_EVERY: Duration = Duration::from_millis(200);
/// The exit status of a child that refused its command line and measured nothing.
const REFUSED: i32 = 2;

/// Measures the processes of `experiment`, each in a child of this process, one after another. Each child has another
/// address layout and an environment of another size. Both decide where code and tables collide in caches.
///
/// Child K runs `measure` with `arguments` and `--process K`: this program, or each of `binaries` in turn. An interrupt ends the running child, and no other is
/// started. Gives the worst exit; `None` if a child refused its command line. The child has printed the reason.
pub(super) fn in_fresh_processes(
    experiment: &Experiment,
    arguments: &[OsString],
    binaries: &[PathBuf],
    folder: &Path,
    interrupt: &Interrupt,
) -> Result<Option<Exit>> {
    let this = [std::env::current_exe().context("cannot find the path of this program")?];
    let binaries = if binaries.is_empty() { &this } else { binaries };
    let mut worst = Exit::Success;
    for process in 1..=experiment.processes {
        if interrupt.is_set() {
            return Ok(Some(cut_off(worst, incomplete(folder))));
        }
        let padding = "-".repeat(Draw::new(experiment.seed, &format!("environment {process}")).below(MOST_PADDING));
        let mut command = Command::new(&binaries[(process - 1) as usize % binaries.len()]);
        command.args(arguments).arg("--process").arg(process.to_string());
        // A child in its own process group does not get the signals of the terminal, only those that `wait` sends.
        command.env("C4LAB_PADDING", padding).stdin(Stdio::null()).process_group(0);
        let child = command.spawn().with_context(|| format!("cannot start process {process}"))?;
        let status = wait(child, interrupt)?;
        if status.code() == Some(REFUSED) {
            return Ok(None);
        }
        let exit = exit_of(status, interrupt);
        if exit == Exit::Incomplete {
            return Ok(Some(cut_off(worst, exit)));
        }
        worst = worst.max(exit);
    }
    Ok(Some(worst))
}

/// The exit of an interrupted run. `Incomplete` hides a failure, because the run can be resumed. It does not hide a
/// wrong answer.
fn cut_off(worst: Exit, interrupted: Exit) -> Exit {
    if worst == Exit::Wrong { worst } else { interrupted }
}

/// Ends this process when its parent ends. Only Linux can do that.
fn end_with_parent() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::TERM));
}

/// Waits for a child, and passes an interrupt on to it.
fn wait(mut child: Child, interrupt: &Interrupt) -> Result<ExitStatus> {
    let mut is_told = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if interrupt.is_set() && !is_told {
            is_told = true;
            let _ = kill_process(Pid::from_child(&child), Signal::INT);
        }
        sleep(POLL_EVERY);
    }
}

fn exit_of(status: ExitStatus, interrupt: &Interrupt) -> Exit {
    if status.code().is_none() && interrupt.is_set() {
        // The signal ended the child before it listened to signals.
        return Exit::Incomplete;
    }
    let same = |exit: &Exit| status.code() == Some(i32::from(exit.status()));
    [Exit::Success, Exit::Incomplete, Exit::Wrong].into_iter().find(same).unwrap_or(Exit::Failure)
}

/// The exit of a measurement. A message on stderr explains one that is not a success.
pub(super) fn verdict(outcome: &Outcome, folder: &Path) -> Exit {
    let Outcome { tally, signature_moved, missing, .. } = outcome;
    if !tally.is_clean() || *signature_moved {
        let moved = if *signature_moved { "; the reference variant's nodes moved during the run" } else { "" };
        complain(format_args!("{}{moved}", tally.summary()));
        return Exit::Wrong;
    }
    if !tally.is_whole() {
        complain(tally.summary());
    }
    if *missing > 0 { incomplete(folder) } else { Exit::of(tally) }
}

/// The exit of an interrupted measurement. A message on stderr says how to resume it.
pub(super) fn incomplete(folder: &Path) -> Exit {
    let place = folder.display();
    complain(format_args!("interrupted; nothing is lost. To go on: the same command with --out {place}"));
    Exit::Incomplete
}

/// `quick-shard-3-of-8`, so that the folder says which part it holds.
fn of_shard(name: &str, shard: Shard) -> String {
    if shard == Shard::WHOLE {
        name.to_string()
    } else {
        format!("{name}-shard-{}-of-{}", shard.index(), shard.count())
    }
}

impl Args {
    fn experiment(&self) -> Result<Experiment> {
        let mut experiment = match (&self.experiment, &self.variants, &self.test_sets) {
            (Some(name), ..) => Experiment::open(name)?,
            (None, Some(_), Some(_)) => Experiment { repetitions: 3, ..Experiment::blank("custom") },
            (None, ..) => Experiment::open("quick")?,
        };
        // An engine that --variants names keeps its place in that list. The other engines are added at the end.
        for (name, engine) in self.engines.tables(&[])? {
            if experiment.engines.insert(name.clone(), engine).is_some() {
                return Err(Usage(format!("--engine {name}: there are two engines of this name")).into());
            }
        }
        if self.engine_clock.is_some() && experiment.engines.is_empty() {
            bail!(Usage("--engine-clock: no engine takes part; name one with --engine NAME=COMMAND".into()));
        }
        for engine in experiment.engines.values_mut() {
            engine.clock = self.engine_clock.unwrap_or(engine.clock);
        }
        let variants = self.variants.as_deref();
        experiment.choose(variants, self.test_sets.as_deref(), self.goal.as_deref()).map_err(Usage::of)?;
        self.engines.names().for_each(|name| experiment.join(name));
        let least = |one: Option<usize>, other: Option<usize>| one.into_iter().chain(other).min();
        let limit = self.limit.or(self.sample);
        for run in &mut experiment.runs {
            run.limit = least(limit, run.limit);
        }
        experiment.limit = least(limit, experiment.limit);
        experiment.sampled |= self.sample.is_some();
        experiment.repetitions = self.repetitions.unwrap_or(experiment.repetitions);
        experiment.processes = self.processes.unwrap_or(experiment.processes);
        experiment.tt = self.tt.clone().or(experiment.tt);
        experiment.board = self.board.map(|board| board.to_string()).or(experiment.board);
        experiment.time_limit = self.time_limit.clone().or(experiment.time_limit);
        experiment.node_limit = self.node_limit.or(experiment.node_limit);
        experiment.seed = self.seed.unwrap_or(experiment.seed);
        experiment.counters |= self.counters;
        experiment.validate().map_err(Usage::of)?;
        Ok(experiment)
    }
}

/// The progress bar and the messages of a measurement.
pub(super) struct Screen {
    pub(super) bar: ProgressBar,
    pub(super) folder: PathBuf,
    quiet: bool,
    /// The number of this process, from 1, and the number of processes.
    process: Option<(u32, u64)>,
    /// When the text beside the bar was last changed.
    changed: Option<Instant>,
}

impl Screen {
    pub(super) fn new(quiet: bool, folder: &Path) -> Self {
        let bar = ProgressBar::new(0);
        // Draws nothing if stderr is no terminal. Redraws only when a row is added: no thread runs beside the search.
        bar.set_draw_target(if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(4) });
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} cells, {msg}");
        bar.set_style(style.expect("a valid template"));
        Screen { bar, folder: folder.to_path_buf(), quiet, process: None, changed: None }
    }

    pub(super) fn say(&self, message: &str) {
        if !self.quiet {
            self.bar.suspend(|| output::say(message));
        }
    }

    fn fixed_tables(&self, plan: &Plan) {
        for name in plan.variants().filter(|_| plan.experiment.tt.is_some()) {
            if let Some(reason) = name.ignores_options() {
                self.say(&format!("c4lab: {}", ignored_size(name.text(), reason)));
            }
        }
    }
}

impl Progress for Screen {
    fn start(&mut self, missing: usize, there: usize) {
        self.bar.reset();
        self.bar.set_length(missing as u64);
        let resumed = if there > 0 { format!(", {there} are measured already") } else { String::new() };
        let process = self.process.map_or(String::new(), |(process, of)| format!("process {process} of {of}: "));
        let (cells, place) = (pluralize(missing, "cell"), self.folder.display());
        self.say(&format!("{process}measuring {cells}{resumed}; rows go to {place}"));
    }

    fn grows(&mut self, more: &[String]) {
        self.say(&format!("added to the experiment in {}: {}", self.folder.display(), more.join(", ")));
    }

    fn row(&mut self, set: &str, goal: Goal, left: Option<Duration>) {
        self.bar.inc(1);
        if self.changed.is_none_or(|changed| changed.elapsed() > CHANGED_EVERY) {
            let left = left.map_or_else(String::new, |left| format!("{} left, ", about(left)));
            self.bar.set_message(harmless(&format!("{left}{set} {}", goal.name())));
            self.changed = Some(Instant::now());
        }
    }

    fn warn(&mut self, message: &str) {
        self.bar.suspend(|| complain(message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interruption_hides_a_failure_and_no_wrong_answer() {
        for (worst, expected) in
            [(Exit::Success, Exit::Incomplete), (Exit::Failure, Exit::Incomplete), (Exit::Wrong, Exit::Wrong)]
        {
            assert_eq!(cut_off(worst, Exit::Incomplete), expected, "{worst:?}");
        }
    }
}
