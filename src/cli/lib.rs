//! Shared parts of all commands: exit statuses, output, interrupts, values, and the options for solvers and engines.
//!
//! Data goes to stdout, messages to stderr as `c4lab: message`. A command returns its [`Exit`]. It writes to a locked
//! stdout and returns the errors of these writes, so that a closed pipe ends it quietly.

pub mod command;
pub mod drawing;
pub mod engines;
pub mod interrupt;
pub mod output;
pub mod solver;
pub mod values;

use c4lab_measure::run::tally::Tally;
use c4lab_measure::signature::Mismatch;
use c4lab_solver::search::Stopped;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

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
        match (tally.is_clean(), tally.failed) {
            (false, _) => Exit::Wrong,
            (true, 0) => Exit::Success,
            (true, _) => Exit::Failure,
        }
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

/// `runs/quick-2026-11-20T12-00-00`: a new folder for a run without `--out`.
pub fn dated(name: &str) -> PathBuf {
    let now = c4lab_measure::text::now().replace(':', "-");
    PathBuf::from("runs").join(format!("{name}-{}", now.trim_end_matches('Z')))
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
pub fn finish(result: anyhow::Result<Exit>) -> ExitCode {
    // The last bytes of the buffer may fail too, for example on a full disk.
    let result = result.and_then(|exit| Ok(io::stdout().flush().map(|()| exit)?));
    ExitCode::from(match result {
        Ok(exit) => exit.status(),
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

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        let csv = cause.downcast_ref::<csv::Error>().and_then(|error| match error.kind() {
            csv::ErrorKind::Io(error) => Some(error.kind()),
            _ => None,
        });
        io.or(csv) == Some(io::ErrorKind::BrokenPipe)
    })
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
    fn worse_endings_are_greater() {
        assert!([Exit::Success, Exit::Incomplete, Exit::Regression, Exit::Failure, Exit::Wrong].is_sorted());
    }

    #[test]
    fn closed_pipes_are_told_from_full_disks() {
        let error = |kind| anyhow::Error::from(io::Error::from(kind)).context("writing");
        assert!(is_broken_pipe(&error(io::ErrorKind::BrokenPipe)));
        assert!(!is_broken_pipe(&error(io::ErrorKind::StorageFull)));
        assert!(is_broken_pipe(&csv::Error::from(io::Error::from(io::ErrorKind::BrokenPipe)).into()));
    }
}
