//! Shared parts of all commands: exit statuses, output, interrupts, values, and the options for solvers and engines.
//!
//! Data goes to stdout, messages to stderr as `c4lab: message`. A command returns its [`Exit`]. It writes to a locked
//! stdout and returns the errors of these writes, so that a closed pipe ends it quietly.

pub mod drawing;
pub mod engines;
pub mod output;
pub mod solver;
pub mod values;

use anyhow::{Context, Result};
use c4lab_measure::engines::foreign::group::end_leftovers;
use c4lab_measure::files::atomic::make_folder;
use c4lab_measure::run::tally::Tally;
use c4lab_measure::signature::Mismatch;
use c4lab_report::reading::Reading;
use c4lab_solver::search::{Solve, Stopped};
use clap::{Arg, ArgMatches, Args, Command as Clap, Subcommand};
use indicatif::ProgressBar;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    Success,
    /// Interrupted, or stopped by a limit.
    Incomplete,
    /// A gate of `compare` failed.
    Regression,
    /// Something could not be done.
    Failure,
    /// A wrong answer.
    Wrong,
}

impl Exit {
    /// The exit of rows that are read or measured.
    pub fn of(tally: &Tally) -> Self {
        match (tally.is_clean(), tally.is_whole()) {
            (false, _) => Exit::Wrong,
            (true, true) => Exit::Success,
            (true, false) => Exit::Failure,
        }
    }

    /// The exit of a folder that is read. Messages on stderr say why it is not a success.
    pub fn of_reading(reading: &Reading) -> Self {
        let exit = Exit::of(&reading.tally);
        if exit != Exit::Success {
            complain(format_args!("{}: {}", reading.folder.display(), reading.tally.summary()));
        }
        exit.max(if reading.results.incomplete.is_some() { Exit::Incomplete } else { Exit::Success })
    }

    pub fn status(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::Regression => 3,
            Exit::Wrong => 4,
            Exit::Incomplete => 5,
        }
    }
}

/// The folder that this process has made for its run.
static CLAIMED: OnceLock<PathBuf> = OnceLock::new();

/// Makes a new folder for a run without `--out`: `runs/quick-2026-11-20T12-00-00`, with a number if another run has it.
pub fn dated(name: &str) -> Result<PathBuf> {
    let now = c4lab_measure::text::now().replace(':', "-");
    let first = PathBuf::from("runs").join(format!("{name}-{}", now.trim_end_matches('Z')));
    make_folder(Path::new("runs"))?;
    let mut folder = first.clone();
    for number in 2.. {
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => {
                made.with_context(|| format!("cannot make the folder {}", folder.display()))?;
                break;
            }
        }
        folder = PathBuf::from(format!("{}-{number}", first.display()));
    }
    Ok(CLAIMED.get_or_init(|| folder).clone())
}

/// The folder of a run, and whether it prints messages.
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// The folder to write rows into; one that was begun is resumed [default: runs/NAME-DATE]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// No progress, no messages; errors only
    #[arg(long, short)]
    pub quiet: bool,
}

impl RunArgs {
    pub fn folder(&self, name: &str) -> Result<PathBuf> {
        self.out.clone().map_or_else(|| dated(name), Ok)
    }

    pub fn bar(&self, count: u64, label: &str) -> ProgressBar {
        if self.quiet { ProgressBar::hidden() } else { output::progress_bar(count, label) }
    }

    /// Prints where the rows are, and returns the exit. If rows are missing, a message says how to resume.
    pub fn end(&self, rows: &str, file: &Path, is_whole: bool) -> Exit {
        if !self.quiet {
            output::say(format_args!("{rows} in {}", file.display()));
        }
        if is_whole {
            return Exit::Success;
        }
        complain(format_args!("not finished: the same command resumes {}", file.display()));
        Exit::Incomplete
    }
}

/// The exit status of a command line that does not make sense, as clap has it.
const USAGE: u8 = 2;

/// A command line that does not make sense, found out after it was parsed.
#[derive(Debug)]
pub struct Usage(pub String);

impl Usage {
    pub fn of(error: anyhow::Error) -> Self {
        Usage(format!("{error:#}"))
    }
}

impl Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Writes `c4lab: message` to stderr. An error of the write is ignored.
pub fn complain(message: impl Display) {
    output::say(format_args!("c4lab: {message}"));
}

/// The exit status of a command. Prints its error, unless the error is a closed stdout.
pub fn finish(result: Result<Exit>) -> ExitCode {
    end_leftovers();
    // A run that wrote nothing leaves no empty folder.
    CLAIMED.get().map(fs::remove_dir);
    ExitCode::from(match result {
        // The last bytes of the buffer may fail too, for example on a full disk.
        Ok(exit) => output::exit_after(io::stdout().flush().map_err(Into::into), exit).status(),
        Err(error) if is_broken_pipe(&error) => Exit::Success.status(),
        Err(error) => {
            complain(format_args!("{error:#}"));
            status_of(&error)
        }
    })
}

fn status_of(error: &anyhow::Error) -> u8 {
    if error.is::<Usage>() {
        USAGE
    } else if error.is::<Mismatch>() {
        Exit::Wrong.status()
    } else if error.is::<Stopped>() {
        Exit::Incomplete.status()
    } else {
        Exit::Failure.status()
    }
}

/// True if nobody reads the output any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let csv = cause.downcast_ref::<csv::Error>().and_then(|error| match error.kind() {
            csv::ErrorKind::Io(error) => Some(error.kind()),
            _ => None,
        });
        io.or(csv) == Some(io::ErrorKind::BrokenPipe)
    })
}

/// Lets a write beyond the limit on the size of files (`ulimit -f`) fail with an error. Otherwise SIGXFSZ would end the
/// process without a message. Child processes get the signal as usual.
pub fn outlive_file_size_limit() -> io::Result<()> {
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    Ok(())
}

/// Ctrl-C, SIGTERM and SIGHUP: the first stops a running search cleanly, the second ends the process at once.
#[derive(Debug)]
pub struct Interrupt {
    stop: Arc<AtomicBool>,
    idle: Arc<AtomicBool>,
}

impl Interrupt {
    pub fn listen() -> io::Result<Self> {
        let interrupt = Interrupt { stop: Arc::default(), idle: Arc::default() };
        let signals = [SIGINT, SIGTERM, SIGHUP];
        for signal in signals.into_iter().filter(|signal| *signal != SIGHUP || !is_hangup_ignored()) {
            flag::register_conditional_default(signal, Arc::clone(&interrupt.idle))?;
            flag::register_conditional_default(signal, Arc::clone(&interrupt.stop))?;
            flag::register(signal, Arc::clone(&interrupt.stop))?;
        }
        Ok(interrupt)
    }

    /// The flag that a signal sets, for [`Limits`](c4lab_solver::search::Limits).
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    pub fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Runs `wait`, for example for input. A signal meanwhile ends the process at once, because nothing is lost.
    pub fn idle<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.idle.store(true, Ordering::Relaxed);
        if self.is_set() {
            // The signal came after the last search, and before the wait.
            end_leftovers();
            std::process::exit(Exit::Incomplete.status().into());
        }
        let outcome = wait();
        self.idle.store(false, Ordering::Relaxed);
        outcome
    }
}

/// True if the process was started to outlive its terminal (`nohup`). Systems other than Linux do not say so: there the
/// signal keeps its effect.
fn is_hangup_ignored() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    ignored.is_none_or(|set| set & 1 << (SIGHUP - 1) != 0)
}

/// A command that a package of extras/ adds: its declaration for clap, and the function that runs it.
pub struct Command {
    pub clap: Clap,
    pub run: Run,
}

pub type Run = Box<dyn Fn(&ArgMatches) -> Result<Exit>>;

pub fn command<A: Args + 'static>(name: &'static str, run: fn(&A) -> Result<Exit>) -> Command {
    let clap = A::augment_args(Clap::new(name));
    Command { clap, run: Box::new(move |matches| run(&A::from_arg_matches(matches)?)) }
}

/// A command that is divided into commands.
pub fn divided<C: Subcommand + 'static>(name: &'static str, run: fn(&C) -> Result<Exit>) -> Command {
    let clap = C::augment_subcommands(Clap::new(name)).subcommand_required(true).arg_required_else_help(true);
    Command { clap, run: Box::new(move |matches| run(&C::from_arg_matches(matches)?)) }
}

/// Wraps a solver, for example in one that looks into an opening book first.
pub type Wrap = Box<dyn Fn(Box<dyn Solve>) -> Box<dyn Solve>>;

/// An option that a package of extras/ adds to `solve`.
pub struct SolveOption {
    pub arg: fn() -> Arg,
    /// The wrapper for the command line of `solve`; `None` if the option is not given.
    pub wrap: fn(&ArgMatches) -> Result<Option<Wrap>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_their_statuses() {
        assert_eq!(status_of(&Usage("no".to_string()).into()), 2);
        assert_eq!(status_of(&anyhow::anyhow!("no")), 1);
        assert_eq!(status_of(&Stopped::Time(1).into()), 5);
        let wrong = Mismatch::of_score("44", 1, 2);
        assert_eq!(status_of(&anyhow::Error::from(wrong).context("pons-12")), 4);
    }

    #[test]
    fn closed_pipes_are_told_from_full_disks() {
        let error = |kind| anyhow::Error::from(io::Error::from(kind)).context("writing");
        assert!(is_broken_pipe(&error(io::ErrorKind::BrokenPipe)));
        assert!(!is_broken_pipe(&error(io::ErrorKind::StorageFull)));
        assert!(is_broken_pipe(&csv::Error::from(io::Error::from(io::ErrorKind::BrokenPipe)).into()));
    }
}
