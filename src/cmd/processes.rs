//! Fresh processes: an experiment of several is run by children of this process, one after another. Each has an address
//! layout of its own, and an environment of another size: both decide where code and tables meet in caches.

use crate::cmd::measure::incomplete;
use anyhow::{Context, Result};
use c4lab_cli::Exit;
use c4lab_cli::interrupt::Interrupt;
use c4lab_measure::sets::draw::Draw;
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The most bytes that are added to an environment: a page.
const MOST_PADDING: usize = 4096;
/// How often it is looked whether a child has ended, or is to end: seldom, for somebody measures meanwhile.
const LOOKED_EVERY: Duration = Duration::from_millis(200);
/// The exit status of a child that measured nothing, since it was refused.
const REFUSED: i32 = 2;

/// Runs a command line of `measure` once in each of so many processes, as `--process K`. An interrupt ends the one that
/// runs, and none is begun after it. Gives the worst ending; `None` where one was refused, which it has said.
pub fn run(
    processes: u32,
    seed: u64,
    arguments: &[OsString],
    folder: &Path,
    interrupt: &Interrupt,
) -> Result<Option<Exit>> {
    let program = std::env::current_exe().context("which program this is")?;
    let mut worst = Exit::Success;
    for process in 1..=processes {
        if interrupt.is_set() {
            return Ok(Some(cut_off(worst, incomplete(folder))));
        }
        let padding = "-".repeat(Draw::new(seed, &format!("environment {process}")).below(MOST_PADDING));
        let mut command = Command::new(&program);
        command.args(arguments).arg("--process").arg(process.to_string());
        // In a group of its own it gets a signal of the terminal once, from here.
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

/// How a run ends that was interrupted. What is missing counts for more than what failed, since who began it goes on; a
/// wrong answer counts for more.
fn cut_off(worst: Exit, interrupted: Exit) -> Exit {
    if worst == Exit::Wrong { worst } else { interrupted }
}

/// Ends this process when the one that started it ends, where the system can see to it.
pub fn end_with_parent() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::TERM));
}

/// Waits for a child, and passes an interrupt on to it.
fn wait(mut child: Child, interrupt: &Interrupt) -> Result<ExitStatus> {
    let mut told = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if interrupt.is_set() && !told {
            told = true;
            let _ = kill_process(Pid::from_child(&child), Signal::INT);
        }
        sleep(LOOKED_EVERY);
    }
}

fn exit_of(status: ExitStatus, interrupt: &Interrupt) -> Exit {
    if status.code().is_none() && interrupt.is_set() {
        // It was ended before it listened.
        return Exit::Incomplete;
    }
    let same = |exit: &Exit| status.code() == Some(i32::from(exit.status()));
    [Exit::Success, Exit::Incomplete, Exit::Wrong].into_iter().find(same).unwrap_or(Exit::Failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_counts_for_more_than_what_failed_and_less_than_what_is_wrong() {
        for (worst, expected) in
            [(Exit::Success, Exit::Incomplete), (Exit::Failure, Exit::Incomplete), (Exit::Wrong, Exit::Wrong)]
        {
            assert_eq!(cut_off(worst, Exit::Incomplete), expected, "{worst:?}");
        }
    }
}
