//! Fresh processes: an experiment of several is run by children of this process, one after another. Each has an address
//! layout of its own, and an environment of another size: both decide where code and tables meet in caches.

use crate::cmd::Exit;
use crate::cmd::interrupt::Interrupt;
use anyhow::{Context, Result};
use c4lab::lab::files::manifest::Manifest;
use c4lab::lab::sets::draw::Draw;
use rustix::process::{Pid, Signal, kill_process, set_parent_process_death_signal};
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The most bytes that are added to an environment: a page.
const MOST_PADDING: usize = 4096;
/// How often it is looked whether a child has ended, or is to end.
const LOOKED_EVERY: Duration = Duration::from_millis(50);

/// Runs this command line once in each of so many processes, as `--process K`. An interrupt ends the one that runs, and
/// none is begun after it. Gives the worst ending.
pub fn run(processes: u32, seed: u64, out: Option<&Path>, folder: &Path, interrupt: &Interrupt) -> Result<Exit> {
    let program = std::env::current_exe().context("which program this is")?;
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if out.is_none() {
        arguments.extend(["--out".into(), folder.into()]);
    }
    let mut worst = Exit::Success;
    for process in 1..=processes {
        let padding = "-".repeat(Draw::new(seed, &format!("environment {process}")).below(MOST_PADDING));
        let mut command = Command::new(&program);
        command.args(&arguments).arg("--process").arg(process.to_string());
        // In a group of its own it gets a signal of the terminal once, from here.
        command.env("C4LAB_PADDING", padding).stdin(Stdio::null()).process_group(0);
        let child = command.spawn().with_context(|| format!("cannot start process {process}"))?;
        let exit = exit_of(wait(child, interrupt)?);
        worst = worst.max(exit);
        let ended = || Manifest::read(folder).is_ok_and(|manifest| manifest.is_some_and(|it| it.has_ended(process)));
        match exit {
            Exit::Incomplete => break,
            // It may have come to its end and found cells that failed; else the next would fail in the same way.
            Exit::Failure if !ended() => break,
            _ => {}
        }
    }
    Ok(worst)
}

/// Ends this process when the one that started it ends.
pub fn end_with_parent() {
    let _ = set_parent_process_death_signal(Some(Signal::TERM));
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

fn exit_of(status: ExitStatus) -> Exit {
    let same = |exit: &Exit| status.code() == Some(i32::from(exit.status()));
    [Exit::Success, Exit::Incomplete, Exit::Wrong].into_iter().find(same).unwrap_or(Exit::Failure)
}
