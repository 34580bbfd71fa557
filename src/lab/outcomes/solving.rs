//! Solving: the tasks of a plan that a folder lacks, one after another.

use crate::lab::clock::{Clock, SystemClock};
use crate::lab::files::appended::Appended;
use crate::lab::files::build_info::git_rev;
use crate::lab::files::machine::Machine;
use crate::lab::outcomes::outcome::BoardOutcome;
use crate::lab::outcomes::outcome_row::{OutcomeRow, SCHEMA_VERSION};
use crate::lab::outcomes::plan::BoardTask;
use anyhow::{Context, Result};
use c4lab_solver::game::Position;
use c4lab_solver::search::{Limits, Options, Stopped};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// What a row says of a board that was solved.
pub const SOLVED: &str = "ok";

/// What a row says of a board that reached its limit.
pub const LIMITED: &str = "limit";

/// Solves the tasks that a folder lacks, and gives back the rows of all that are done, in the order of the tasks, and whether none is
/// missing. A task that reached a limit is asked again with a longer one. `each` is told a row as soon as it is there.
///
/// # Errors
/// The folder holds something else or cannot be written, or a solver cannot be built.
pub fn solve(
    tasks: &[BoardTask],
    folder: &Path,
    interrupt: &AtomicBool,
    mut each: impl FnMut(&OutcomeRow),
) -> Result<(Vec<OutcomeRow>, bool)> {
    let (mut file, mut rows) = Appended::<OutcomeRow>::open(folder)?;
    let machine = Machine::read();
    let mut done = Vec::new();
    for task in tasks {
        if let Some(row) = rows.iter().rfind(|row| is_answered(row, task)) {
            done.push(row.clone());
            continue;
        }
        let Some(row) = solve_one(task, interrupt, &machine).with_context(|| task.board.to_string())? else {
            return Ok((done, false));
        };
        file.add(&row)?;
        each(&row);
        rows.push(row.clone());
        done.push(row);
    }
    Ok((done, true))
}

/// Whether a row is what a task asks for: solved by that variant, or stopped by a limit that was no shorter.
fn is_answered(row: &OutcomeRow, task: &BoardTask) -> bool {
    let is_long_enough = match (row.limit_ns, task.time) {
        _ if row.status == SOLVED => true,
        (Some(limit), Some(time)) => u128::from(limit) >= time.as_nanos(),
        _ => false,
    };
    (row.board.as_str(), row.goal, row.variant.as_str())
        == (task.board.to_string().as_str(), task.goal, task.variant.text())
        && is_long_enough
}

/// Solves the empty board; `None` if it was interrupted.
fn solve_one(task: &BoardTask, interrupt: &AtomicBool, machine: &Machine) -> Result<Option<OutcomeRow>> {
    let options = Options { tt_bytes: task.tt_bytes, board: task.board };
    let mut solver = task.variant.build(&options)?;
    let limits = Limits { time: task.time, interrupt: Some(interrupt), ..Limits::default() };
    let mut clock = SystemClock::default();
    let (begun, cpu) = (Instant::now(), clock.cpu());
    let answer = solver.solve(&Position::start_on(task.board), task.goal, &limits);
    let (wall, cpu) = (begun.elapsed(), clock.cpu().zip(cpu).map(|(end, start)| end - start));
    let (score, nodes) = match answer {
        Ok(solved) => (Some(solved.score), solved.nodes),
        Err(Stopped::Time(nodes)) => (None, nodes),
        Err(Stopped::Interrupted(_)) => return Ok(None),
        Err(other) => return Err(other.into()),
    };
    Ok(Some(OutcomeRow {
        schema_version: SCHEMA_VERSION,
        board: task.board.to_string(),
        goal: task.goal,
        variant: task.variant.text().to_string(),
        compiled: !task.variant.is_run_time_on(task.board),
        tt_bytes: solver.table_bytes(),
        status: if score.is_some() { SOLVED } else { LIMITED }.to_string(),
        score,
        outcome: score.map(|score| BoardOutcome::of(task.board, task.goal, score).to_string()),
        nodes,
        wall_ns: wall.as_nanos() as u64,
        cpu_ns: cpu,
        limit_ns: task.time.map(|time| time.as_nanos() as u64),
        machine: machine.id.clone(),
        cpu: machine.cpu.clone(),
        git_rev: git_rev(),
    }))
}
