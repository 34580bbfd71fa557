//! Fresh processes: an experiment with several processes is measured by children of this process, one after another.
//! Each child has another address layout and an environment of another size. Both decide where code and tables collide
//! in caches.

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

/// The most bytes that are added to the environment of a child: a page.
const MOST_PADDING: usize = 4096;
/// The time between two looks at a child. It is long, because a look would disturb the measurement.
const LOOKED_EVERY: Duration = Duration::from_millis(200);
/// The exit status of a child that refused its command line and measured nothing.
const REFUSED: i32 = 2;

/// Starts `processes` children one after another. Child K runs `measure` with `arguments` and `--process K`. An
/// interrupt ends the running child, and no other is started. Gives the worst exit; `None` if a child refused its
/// command line. The child has printed the reason.
pub fn run(
    processes: u32,
    seed: u64,
    arguments: &[OsString],
    folder: &Path,
    interrupt: &Interrupt,
) -> Result<Option<Exit>> {
    let program = std::env::current_exe().context("cannot find the path of this program")?;
    let mut worst = Exit::Success;
    for process in 1..=processes {
        if interrupt.is_set() {
            return Ok(Some(cut_off(worst, incomplete(folder))));
        }
        let padding = "-".repeat(Draw::new(seed, &format!("environment {process}")).below(MOST_PADDING));
        let mut command = Command::new(&program);
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
pub fn end_with_parent() {
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
        sleep(LOOKED_EVERY);
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
