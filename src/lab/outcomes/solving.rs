//! Solving: the tasks of a plan that a folder lacks, one after another.

use crate::lab::clock::{Clock, SystemClock};
use crate::lab::files::appended::Appended;
use crate::lab::files::build_info::git_rev;
use crate::lab::files::machine::Machine;
use crate::lab::outcomes::outcome::BoardOutcome;
use crate::lab::outcomes::outcome_row::{OutcomeRow, SCHEMA_VERSION};
use crate::lab::outcomes::plan::BoardTask;
use crate::lab::run::kept::KeptSearch;
use anyhow::{Context, Result};
use c4lab_solver::game::Position;
use c4lab_solver::search::{Limits, Options, Stopped};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What a row says of a board that was solved.
pub const SOLVED: &str = "ok";

/// What a row says of a board that reached its limit.
pub const LIMITED: &str = "limit";

/// Who is told about a search that is saved.
pub trait Listener {
    /// A row is there.
    fn row(&mut self, row: &OutcomeRow);
    /// Something about a saved search, in words.
    fn saved(&mut self, message: String);
}

/// Solves the tasks that a folder lacks, and gives back the rows of all that are done, in the order of the tasks, and whether none is
/// missing. A task that reached a limit is asked again with a longer one. A search is saved in the folder every so often and when it stops, and goes on from there.
///
/// # Errors
/// The folder holds something else or cannot be written, or a solver cannot be built.
pub fn solve(
    tasks: &[BoardTask],
    folder: &Path,
    (every, interrupt): (Duration, &AtomicBool),
    listener: &mut dyn Listener,
) -> Result<(Vec<OutcomeRow>, bool)> {
    let (mut file, mut rows) = Appended::<OutcomeRow>::open(folder)?;
    let machine = Machine::read();
    let mut done = Vec::new();
    for task in tasks {
        if let Some(row) = rows.iter().rfind(|row| is_answered(row, task)) {
            done.push(row.clone());
            continue;
        }
        let saved = saved_file(folder, task);
        let row = solve_one(task, (&saved, every), interrupt, (&machine, &mut *listener));
        let Some(row) = row.with_context(|| task.board.to_string())? else {
            return Ok((done, false));
        };
        file.add(&row)?;
        if row.status == SOLVED {
            let _ = std::fs::remove_file(&saved);
        }
        listener.row(&row);
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

/// Where the search of a task is saved.
fn saved_file(folder: &Path, task: &BoardTask) -> PathBuf {
    let variant: String =
        task.variant.text().chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    folder.join(format!("{}-{}-{variant}.saved", task.board, task.goal.name()))
}

/// Solves the empty board, or goes on with it; `None` if it was interrupted. Nodes and times are those of all processes.
fn solve_one(
    task: &BoardTask,
    (saved, every): (&Path, Duration),
    interrupt: &AtomicBool,
    (machine, listener): (&Machine, &mut dyn Listener),
) -> Result<Option<OutcomeRow>> {
    let options = Options { tt_bytes: task.tt_bytes, board: task.board };
    let mut solver = task.variant.build(&options)?;
    let position = Position::start_on(task.board);
    let asked = (&position, task.goal);
    // A search whose table cannot be saved is solved in one go.
    let mut kept = KeptSearch::begin(solver.saved_bytes().map(|_| saved.to_path_buf()), every, &*solver)?;
    if saved.exists() {
        let resumed = kept.resume(saved, &mut *solver, asked);
        let resumed = resumed.with_context(|| format!("{} can be removed to begin anew", saved.display()))?;
        listener.saved(format!("{}: goes on after {} nodes", saved.display(), resumed.progress.nodes));
    }
    let before = kept.before().clone();
    let time = task.time.map(|time| time.saturating_sub(Duration::from_nanos(before.wall_ns)));
    let limits = Limits { time, interrupt: Some(interrupt), ..Limits::default() };
    let mut clock = SystemClock::default();
    let (begun, cpu) = (Instant::now(), clock.cpu());
    let mut tell = |failed: Option<anyhow::Error>| {
        if let Some(error) = failed {
            listener.saved(format!("warning: {error:#}"));
        }
    };
    let answer = kept.solve(&mut *solver, asked, &limits, &mut tell);
    let wall = begun.elapsed() + Duration::from_nanos(before.wall_ns);
    let cpu = clock.cpu().zip(cpu).map(|(end, start)| end - start);
    let cpu = cpu.and_then(|cpu| Some(cpu + if before.nodes == 0 { 0 } else { before.cpu_ns? }));
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
        nodes: before.nodes + nodes,
        wall_ns: wall.as_nanos() as u64,
        cpu_ns: cpu,
        limit_ns: task.time.map(|time| time.as_nanos() as u64),
        machine: machine.id.clone(),
        cpu: machine.cpu.clone(),
        git_rev: git_rev(),
    }))
}
