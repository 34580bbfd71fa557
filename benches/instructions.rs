//! Instruction counts under Valgrind, which do not depend on other programs: the functions of all lists over the stream
//! of boards.
//!
//! `cargo bench --bench instructions` counts all functions, or those that match a pattern behind `--` (`'*::wins::*'`).
//! It writes summaries and a manifest to `target/gungraun`, for `c4lab report target/gungraun`. It needs `valgrind` and
//! `gungraun-runner` of the library's version, and skips without them. Every function is checked as it is counted; with
//! `-- --test`, and without Valgrind, the one that `speed` does not check.
//!
//! Each count includes the loop and the checksum of the results, which `overhead/stream_alone` counts alone.

mod boards;
mod counts;
mod lists;

use lists::{lines, nodes};

use anyhow::{Context, Result};
use c4lab_measure::files::manifest::CountManifest;
use c4lab_report::tables::instructions::summaries;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The version of gungraun in `Cargo.toml`, which the runner must have, too.
const RUNNER: &str = "0.20.0";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let has = |name: &str| arguments.iter().any(|argument| argument.starts_with(name));
    if has("--gungraun-run") || has("--save-summary") {
        // Called by the runner, or by the call below.
        counts::run();
        return ExitCode::SUCCESS;
    }
    if has("--test") || !has("--bench") {
        counts::check();
        return ExitCode::SUCCESS;
    }
    let valgrind = match tools() {
        Ok(valgrind) => valgrind,
        Err(missing) => {
            eprintln!("instructions: skipped: {missing}");
            return ExitCode::SUCCESS;
        }
    };
    match count(&arguments, &valgrind) {
        Ok(status) => status,
        Err(error) => {
            eprintln!("instructions: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The version of Valgrind, or a message that names a missing program and how to install it.
fn tools() -> Result<String, String> {
    let valgrind = first_line("valgrind").ok_or("no valgrind here; install it from the system's packages")?;
    let install = format!("`cargo install --locked gungraun-runner --version {RUNNER}`");
    let runner = option_env!("GUNGRAUN_RUNNER").unwrap_or("gungraun-runner");
    match first_line(runner) {
        Some(line) if line.ends_with(RUNNER) => Ok(valgrind),
        Some(line) => Err(format!("{line} is here, but {RUNNER} is needed: {install}")),
        None => Err(format!("no gungraun-runner here: {install}")),
    }
}

fn first_line(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().map(|line| line.trim().to_string()).filter(|line| !line.is_empty())
}

/// Counts in a child process with the arguments for summaries, and writes the manifest.
fn count(arguments: &[String], valgrind: &str) -> Result<ExitCode> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("gungraun");
    // The folder is to hold only the summaries of this run.
    for old in summaries(&folder.join(env!("CARGO_PKG_NAME"))).unwrap_or_default() {
        std::fs::remove_file(&old).with_context(|| old.display().to_string())?;
    }
    let runner = format!("gungraun-runner {RUNNER}");
    CountManifest::current(valgrind, &runner)?.write(&folder)?;
    let status = Command::new(std::env::current_exe().context("the path of this program")?)
        .args(arguments)
        .args(["--save-summary=json".to_string(), format!("--home={}", folder.display())])
        .status()
        .context("this program")?;
    if status.success() {
        eprintln!("instructions: `c4lab report {}` prints the table", folder.display());
    }
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
