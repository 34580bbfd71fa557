//! Solving: the tasks of a plan that a folder lacks, one after another; each board at once, or split into positions.

use crate::lab::clock::{Clock, SystemClock};
use crate::lab::files::appended::Appended;
use crate::lab::files::build_info::git_rev;
use crate::lab::files::machine::Machine;
use crate::lab::outcomes::outcome::BoardOutcome;
use crate::lab::outcomes::outcome_row::{OutcomeRow, SCHEMA_VERSION};
use crate::lab::outcomes::plan::BoardTask;
use crate::lab::outcomes::split::{self, KnownScores, Split, SplitArgs, SplitStatus};
use crate::lab::run::kept::KeptSearch;
use crate::lab::sets::test_set::print_moves;
use anyhow::{Context, Result};
use c4lab_solver::game::Position;
use c4lab_solver::search::{Limits, Options, Solver, Stopped};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What a row says of a board that was solved.
pub const SOLVED: &str = "ok";

/// What a row says of a board that reached its limit.
pub const LIMITED: &str = "limit";

/// How the name of a saved search ends.
const SAVED: &str = ".saved";

/// Who is told about a search that is saved.
pub trait Listener {
    /// A row is there.
    fn row(&mut self, row: &OutcomeRow);
    /// Something about a saved search, in words.
    fn saved(&mut self, message: String);
}

/// What a run gives back.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// The rows of all boards that are done, in the order of the tasks.
    pub rows: Vec<OutcomeRow>,
    /// How many of these others have solved: they stand in their folders alone.
    pub of_others: usize,
    /// How far each board is that was split.
    pub splits: Vec<SplitStatus>,
    /// Whether something that was to be solved here is missing.
    pub is_missing: bool,
}

/// Solves the tasks that a folder lacks. A task that reached a limit is asked again with a longer one. A search is saved in the folder every
/// so often and when it stops, and goes on from there. A board that is split is solved position by position.
///
/// # Errors
/// The folder holds something else or cannot be written, a solver cannot be built, or rows contradict each other
/// ([`split::Contradiction`]).
pub fn solve(
    tasks: &[BoardTask],
    folder: &Path,
    split: Option<&SplitArgs>,
    (every, interrupt): (Duration, &AtomicBool),
    listener: &mut dyn Listener,
) -> Result<Done> {
    let (file, rows) = Appended::<OutcomeRow>::open(folder)?;
    let machine = Machine::read();
    let mut run = BoardsRun { file, rows, folder, every, interrupt, machine: &machine, listener };
    let mut done = Done::default();
    for task in tasks {
        let is_it = |row: &&OutcomeRow| {
            // A limit of the board is none of its positions.
            row.is_whole_board() && is_answered(row, task) && (split.is_none() || row.status == SOLVED)
        };
        if let Some(row) = run.rows.iter().rfind(is_it) {
            done.rows.push(row.clone());
            continue;
        }
        let went_on = match split {
            None => run.whole(task, &mut done),
            Some(split) => run.split(task, split, &mut done),
        };
        if !went_on.with_context(|| task.board.to_string())? {
            done.is_missing = true;
            break;
        }
    }
    Ok(done)
}

/// How far the tasks are that were split, by the rows of the folders; nothing is solved.
///
/// # Errors
/// A folder cannot be read, or rows contradict each other.
pub fn status(tasks: &[BoardTask], folder: &Path, args: &SplitArgs) -> Result<Vec<SplitStatus>> {
    let mut others = split::folders(&args.with, folder)?;
    others.push(folder.to_path_buf());
    let of = |task: &BoardTask| {
        let tree = Split::of(task.board, args.plies, task.goal);
        Ok(SplitStatus::of(task, args.plies, &tree, &split::gather(&tree, task, &[], &others)?))
    };
    tasks.iter().map(of).collect()
}

/// A process that solves tasks into a folder.
struct BoardsRun<'a> {
    file: Appended<OutcomeRow>,
    rows: Vec<OutcomeRow>,
    folder: &'a Path,
    every: Duration,
    interrupt: &'a AtomicBool,
    machine: &'a Machine,
    listener: &'a mut dyn Listener,
}

impl BoardsRun<'_> {
    /// Adds a row, and tells of it.
    fn add(&mut self, row: OutcomeRow) -> Result<()> {
        self.file.add(&row)?;
        self.listener.row(&row);
        self.rows.push(row);
        Ok(())
    }

    /// Solves a board at once. Whether it came to an end.
    fn whole(&mut self, task: &BoardTask, done: &mut Done) -> Result<bool> {
        let mut solver = solver_of(task)?;
        let Some(row) = self.position(task, &Position::start_on(task.board), &mut *solver)? else { return Ok(false) };
        done.rows.push(row.clone());
        self.add(row)?;
        Ok(true)
    }

    /// Solves the positions of a board that are needed, or the part of them that is asked for. Whether it came to an end.
    fn split(&mut self, task: &BoardTask, args: &SplitArgs, done: &mut Done) -> Result<bool> {
        let tree = Split::of(task.board, args.plies, task.goal);
        let mut solver: Option<Box<dyn Solver>> = None;
        let known = loop {
            // Others solve at the same time: what they know may make a position needless.
            let known = split::gather(&tree, task, &self.rows, &split::folders(&args.with, self.folder)?)?;
            let needed = tree.needed(&known);
            let Some(leaf) = self.next(task, args, &tree, &needed)? else { break known };
            if solver.is_none() {
                solver = Some(solver_of(task)?);
            }
            let solver = solver.as_mut().expect("it was just built");
            let Some(row) = self.position(task, tree.position(leaf), &mut **solver)? else {
                done.splits.push(SplitStatus::of(task, args.plies, &tree, &known));
                return Ok(false);
            };
            self.add(row)?;
        };
        let status = SplitStatus::of(task, args.plies, &tree, &known);
        if args.shard.is_none() && status.bounds.0 == status.bounds.1 {
            if let Some(row) = &known.whole {
                done.rows.push(row.clone());
                done.of_others += 1;
            } else {
                let row = self.put_together(task, args.plies, status.bounds.0, &known);
                done.rows.push(row.clone());
                self.add(row)?;
            }
            // Searches of positions that were not needed in the end.
            for (_, saved) in saved_leaves(self.folder, task, &tree)? {
                let _ = std::fs::remove_file(saved);
            }
        }
        // A part is whole where none of its own positions is missing.
        let is_own = |leaf: &usize| takes(args, *leaf);
        done.is_missing |= tree.needed(&known).iter().any(is_own);
        done.splits.push(status);
        Ok(true)
    }

    /// The leaf to solve next: the one whose search was saved, or the first that is needed, of those that are solved here.
    fn next(&mut self, task: &BoardTask, args: &SplitArgs, tree: &Split, needed: &[usize]) -> Result<Option<usize>> {
        let is_open = |leaf: &usize| {
            let moves = split::moves_of(tree, *leaf);
            takes(args, *leaf) && !self.rows.iter().any(|row| row.moves == moves && is_answered(row, task))
        };
        let open: Vec<usize> = needed.iter().copied().filter(is_open).collect();
        let begun = saved_leaves(self.folder, task, tree)?;
        let goes_on = begun.iter().map(|(leaf, _)| *leaf).find(|leaf| open.contains(leaf));
        Ok(goes_on.or(open.first().copied()))
    }

    /// The row of a board whose score follows from those of its positions.
    fn put_together(&self, task: &BoardTask, plies: u32, score: i32, known: &KnownScores) -> OutcomeRow {
        let took = &known.took;
        OutcomeRow {
            plies,
            tt_bytes: took.tt_bytes,
            nodes: took.nodes,
            wall_ns: took.wall_ns,
            cpu_ns: took.cpu_ns,
            limit_ns: None,
            resumed: took.resumed,
            ..self.row(task, &Position::start_on(task.board), Some(score))
        }
    }

    /// A row that says nothing yet of what it took.
    fn row(&self, task: &BoardTask, position: &Position, score: Option<i32>) -> OutcomeRow {
        OutcomeRow {
            schema_version: SCHEMA_VERSION,
            board: task.board.to_string(),
            moves: print_moves(position),
            plies: 0,
            goal: task.goal,
            variant: task.variant.text().to_string(),
            compiled: !task.variant.is_run_time_on(task.board),
            tt_bytes: task.tt_bytes,
            status: if score.is_some() { SOLVED } else { LIMITED }.to_string(),
            score,
            outcome: score.map(|score| BoardOutcome::of(position, task.goal, score).to_string()),
            nodes: 0,
            wall_ns: 0,
            cpu_ns: None,
            limit_ns: task.time.map(|time| time.as_nanos() as u64),
            resumed: false,
            machine: self.machine.id.clone(),
            cpu: self.machine.cpu.clone(),
            git_rev: git_rev(),
        }
    }

    /// Solves a position, or goes on with it; `None` if it was interrupted. Nodes and times are those of all processes.
    fn position(
        &mut self,
        task: &BoardTask,
        position: &Position,
        solver: &mut dyn Solver,
    ) -> Result<Option<OutcomeRow>> {
        let (asked, saved) = ((position, task.goal), saved_file(self.folder, task, position));
        // A search whose table cannot be saved is solved in one go.
        let mut kept = KeptSearch::begin(solver.saved_bytes().map(|_| saved.clone()), self.every, &*solver)?;
        if saved.exists() {
            let resumed = kept.resume(&saved, &mut *solver, asked);
            let resumed = resumed.with_context(|| format!("{} can be removed to begin anew", saved.display()))?;
            self.listener.saved(format!("{}: goes on after {} nodes", saved.display(), resumed.progress.nodes));
        }
        let before = kept.before().clone();
        let time = task.time.map(|time| time.saturating_sub(Duration::from_nanos(before.wall_ns)));
        let limits = Limits { time, interrupt: Some(self.interrupt), ..Limits::default() };
        let mut clock = SystemClock::default();
        let threads = solver.threads();
        let (begun, cpu) = (Instant::now(), clock.cpu_of(threads));
        let mut tell = |failed: Option<anyhow::Error>| {
            if let Some(error) = failed {
                self.listener.saved(format!("warning: {error:#}"));
            }
        };
        let answer = kept.solve(&mut *solver, asked, &limits, &mut tell);
        let wall = begun.elapsed() + Duration::from_nanos(before.wall_ns);
        let cpu = clock.cpu_of(threads).zip(cpu).map(|(end, start)| end - start);
        let cpu = cpu.and_then(|cpu| Some(cpu + if before.nodes == 0 { 0 } else { before.cpu_ns? }));
        let (score, nodes) = match answer {
            Ok(solved) => (Some(solved.score), solved.nodes),
            Err(Stopped::Time(nodes)) => (None, nodes),
            Err(Stopped::Interrupted(_)) => return Ok(None),
            Err(other) => return Err(other.into()),
        };
        if score.is_some() {
            let _ = std::fs::remove_file(&saved);
        }
        Ok(Some(OutcomeRow {
            tt_bytes: solver.table_bytes(),
            nodes: before.nodes + nodes,
            wall_ns: wall.as_nanos() as u64,
            cpu_ns: cpu,
            resumed: before.nodes > 0,
            ..self.row(task, position, score)
        }))
    }
}

/// The solver of a task.
fn solver_of(task: &BoardTask) -> Result<Box<dyn Solver>> {
    Ok(task.variant.build(&Options { tt_bytes: task.tt_bytes, board: task.board })?)
}

/// Whether a leaf is solved here.
fn takes(args: &SplitArgs, leaf: usize) -> bool {
    args.shard.is_none_or(|shard| leaf as u32 % shard.count() == shard.index() - 1)
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

/// How the names of the saved searches of a task begin.
fn saved_name(task: &BoardTask) -> String {
    let variant: String =
        task.variant.text().chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    format!("{}-{}-{variant}", task.board, task.goal.name())
}

/// Where the search of a position of a task is saved.
fn saved_file(folder: &Path, task: &BoardTask, position: &Position) -> PathBuf {
    let moves = if position.ply() == 0 { String::new() } else { format!("-after-{position}") };
    folder.join(format!("{}{moves}{SAVED}", saved_name(task)))
}

/// The leaves of a board whose searches are saved in a folder, with the files.
fn saved_leaves(folder: &Path, task: &BoardTask, tree: &Split) -> Result<Vec<(usize, PathBuf)>> {
    let (begin, entries) = (format!("{}-after-", saved_name(task)), std::fs::read_dir(folder)?);
    let leaf_of = |path: PathBuf| {
        let moves = path.file_name()?.to_str()?.strip_prefix(&begin)?.strip_suffix(SAVED)?.to_string();
        Some((tree.leaf(&moves)?, path))
    };
    let mut leaves: Vec<_> = entries.filter_map(|entry| leaf_of(entry.ok()?.path())).collect();
    leaves.sort();
    Ok(leaves)
}
