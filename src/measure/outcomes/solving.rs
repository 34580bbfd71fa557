//! Solving: the tasks of a plan that a folder lacks, one after another.

use crate::clock::{Clock, SystemClock};
use crate::files::appended::Appended;
use crate::files::build_info::git_rev;
use crate::files::machine::Machine;
use crate::outcomes::outcome::BoardOutcome;
use crate::outcomes::outcome_row::{NO_MOVES, OutcomeRow, SCHEMA_VERSION};
use crate::outcomes::plan::BoardTask;
use anyhow::{Context, Result};
use c4lab_solver::game::Position;
use c4lab_solver::search::{Limits, Options, Stopped};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The status of the row of a board that was solved.
pub const SOLVED: &str = "ok";

/// The status of the row of a board that reached its limit.
pub const LIMITED: &str = "limit";

/// What a run gives back.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// The rows of all boards that are done, in the order of the tasks.
    pub rows: Vec<OutcomeRow>,
    /// Whether a task is missing: it was interrupted.
    pub is_missing: bool,
}

/// Solves the tasks that a folder lacks, and tells of each new row. A task that reached a limit is asked again with a longer one.
///
/// # Errors
/// The folder holds something else or cannot be written, or a solver cannot be built.
pub fn solve(
    tasks: &[BoardTask],
    folder: &Path,
    interrupt: &AtomicBool,
    tell: &mut dyn FnMut(&OutcomeRow),
) -> Result<Done> {
    let (mut file, known) = Appended::<OutcomeRow>::open(folder)?;
    let machine = Machine::read();
    let mut done = Done::default();
    for task in tasks {
        if let Some(row) = known.iter().rfind(|row| row.is_whole_board() && is_answered(row, task)) {
            done.rows.push(row.clone());
            continue;
        }
        let Some(row) = solve_board(task, interrupt, &machine).with_context(|| task.board.to_string())? else {
            done.is_missing = true;
            break;
        };
        file.add(&row)?;
        tell(&row);
        done.rows.push(row);
    }
    Ok(done)
}

/// Solves a board; `None` if it was interrupted.
fn solve_board(task: &BoardTask, interrupt: &AtomicBool, machine: &Machine) -> Result<Option<OutcomeRow>> {
    let mut solver = task.variant.build(&Options { tt_bytes: task.tt_bytes, board: task.board })?;
    let position = Position::start_on(task.board);
    let limits = Limits { time: task.time, interrupt: Some(interrupt), ..Limits::default() };
    let mut clock = SystemClock::default();
    let threads = solver.threads();
    let (begun, cpu) = (Instant::now(), clock.cpu_of(threads));
    let answer = solver.solve(&position, task.goal, &limits);
    let wall = begun.elapsed();
    let cpu_ns = clock.cpu_of(threads).zip(cpu).map(|(end, start)| end - start);
    let (score, nodes) = match answer {
        Ok(solved) => (Some(solved.score), solved.nodes),
        Err(Stopped::Time(nodes)) => (None, nodes),
        Err(Stopped::Interrupted(_)) => return Ok(None),
        Err(other) => return Err(other.into()),
    };
    Ok(Some(OutcomeRow {
        schema_version: SCHEMA_VERSION,
        board: task.board.to_string(),
        moves: NO_MOVES.to_string(),
        plies: 0,
        goal: task.goal,
        variant: task.variant.text().to_string(),
        compiled: !task.variant.is_run_time_on(task.board),
        tt_bytes: solver.table_bytes(),
        status: if score.is_some() { SOLVED } else { LIMITED }.to_string(),
        score,
        outcome: score.map(|score| BoardOutcome::of(&position, task.goal, score).to_string()),
        nodes,
        wall_ns: wall.as_nanos() as u64,
        cpu_ns,
        limit_ns: task.time.map(|time| time.as_nanos() as u64),
        resumed: false,
        machine: machine.id.clone(),
        cpu: machine.cpu.clone(),
        git_rev: git_rev(),
    }))
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
