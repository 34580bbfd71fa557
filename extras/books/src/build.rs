//! Builds a store: finds the positions that its moves lead to, layer by layer, and in each the first move, in the order
//! of the rule, that keeps the value.
//!
//! After a winning move and any reply the player still wins, so the value of the next position needs no search. Most of
//! the work is then one null window for each move.

use crate::strategy::{Layer, Row, SCHEMA_VERSION, StoredMove, Strategy, by_rule, first_layer, next_layer};
use anyhow::Result;
use c4lab_cli::output;
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::RowWriter;
use c4lab_measure::in_order::in_order;
use c4lab_measure::plan::shard::Shard;
use c4lab_measure::sets::test_set::print_moves;
use c4lab_measure::text::pluralize;
use c4lab_play::players::after;
use c4lab_solver::game::Position;
use c4lab_solver::search::{Goal, Limits, Solve, Stopped};
use indicatif::ProgressBar;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// The number of neighbouring positions that one thread solves one after another, without clearing its table.
const BLOCK: usize = 64;

/// The index, from 0, of the layer whose positions are divided among shards. It has dozens to hundreds of positions.
/// The positions after them stay in their shard. A position that two shards reach is solved by both.
const DIVIDED: usize = 2;

pub struct Task<'a> {
    pub plies: u32,
    pub shard: Shard,
    pub variant: &'a str,
    pub interrupt: &'a AtomicBool,
    pub bar: &'a ProgressBar,
}

/// Finds the moves that `strategy` lacks, and adds each as a row to `file`. True if no move is missing at the end. Each
/// of `solvers` works on a thread of its own.
pub fn build(
    strategy: &mut Strategy,
    task: &Task<'_>,
    solvers: &mut [Box<dyn Solve>],
    file: &mut RowWriter<Row>,
) -> Result<bool> {
    let seat = strategy.seat();
    let (mut layer, mut least) = (first_layer(strategy.size(), seat), HashMap::new());
    let plies = (seat.first_ply()..task.plies).step_by(2);
    for (index, ply) in plies.enumerate() {
        if index == DIVIDED {
            let mut place = 0..;
            layer.retain(|_| task.shard.takes("store", place.next().unwrap_or_default()));
        }
        let missing: Vec<&(u64, Position)> = layer.iter().filter(|(key, _)| strategy.known(*key).is_none()).collect();
        if !task.bar.is_hidden() {
            let text =
                format!("{seat} player, {}: {}", pluralize(ply as usize, "stone"), pluralize(layer.len(), "position"));
            task.bar.suspend(|| output::say(text));
        }
        task.bar.reset();
        task.bar.set_length(missing.len() as u64);
        let mut found = Vec::with_capacity(missing.len());
        let solve = |solver: &mut Box<dyn Solve>, (key, position): &&(u64, Position), limits: &Limits<'_>| {
            best(&mut **solver, position, least.get(key).copied().unwrap_or(-1), limits)
        };
        solve_blocks(solvers, missing.chunks(BLOCK), task.interrupt, solve, |(key, position), known| {
            file.add(&Row {
                schema_version: SCHEMA_VERSION,
                board: position.size().to_string(),
                seat,
                ply,
                moves: print_moves(position),
                value: known.value,
                rank: known.rank,
                column: by_rule(position)[usize::from(known.rank)] + 1,
                variant: task.variant.to_string(),
                git_rev: git_rev(),
            })?;
            found.push((*key, known));
            task.bar.inc(1);
            Ok(())
        })?;
        let is_whole = found.len() == missing.len();
        for (key, known) in found {
            strategy.insert(key, known)?;
        }
        if !is_whole {
            return Ok(false);
        }
        least = least_after(&layer, strategy);
        layer = next_layer(&layer, |position| strategy.column(position).expect("a layer that is solved"));
    }
    Ok(true)
}

/// Lower bounds, by key, for the values of positions after `layer`: 1 after a position that is won, else none.
fn least_after(layer: &Layer, strategy: &Strategy) -> HashMap<u64, i8> {
    let mut least = HashMap::new();
    let known = layer.iter().filter_map(|entry| Some((entry, strategy.known(entry.0)?)));
    for ((_, position), known) in known.filter(|(_, known)| known.value == 1) {
        let layer_of_one = vec![(0, position.clone())];
        for (key, _) in next_layer(&layer_of_one, |position| strategy.column(position).expect("a known position")) {
            least.insert(key, known.value);
        }
    }
    least
}

/// Solves `blocks` of tasks on threads, one for each worker, and calls `found` with each result at once. A worker takes
/// the tasks of a block one after another, without clearing its table. After an interrupt, results are missing.
pub fn solve_blocks<'a, W: Send, T: Sync + 'a, R>(
    workers: &mut [W],
    blocks: impl Iterator<Item = &'a [T]> + Send,
    interrupt: &AtomicBool,
    solve: impl Fn(&mut W, &T, &Limits<'_>) -> Result<R, Stopped> + Sync,
    found: impl FnMut(&T, R) -> Result<()> + Send,
) -> Result<()> {
    let limits = Limits { interrupt: Some(interrupt), ..Limits::default() };
    let found = Mutex::new(found);
    let work = |worker: &mut W, block: &[T]| -> Result<()> {
        for task in block {
            match solve(worker, task, &limits) {
                Ok(result) => found.lock().expect("no thread panics")(task, result)?,
                Err(Stopped::Interrupted(_)) => break,
                Err(stopped) => return Err(stopped.into()),
            }
        }
        Ok(())
    };
    in_order(workers, blocks, interrupt, work, |ended| ended.map(ControlFlow::Continue))
}

/// The value of `position`, which is at least `least`, and the first move, in the order of the rule, that keeps it.
fn best(solver: &mut dyn Solve, position: &Position, least: i8, limits: &Limits<'_>) -> Result<StoredMove, Stopped> {
    let value = value(solver, position, least, limits)?;
    for (rank, column) in (0..).zip(by_rule(position)) {
        if keeps(solver, position, column, value, limits)? {
            return Ok(StoredMove { value, rank });
        }
    }
    unreachable!("{position}: some move keeps the value {value}")
}

/// The weak score of `position` (1, 0 or -1), which is at least `least`.
pub fn value(solver: &mut dyn Solve, position: &Position, least: i8, limits: &Limits<'_>) -> Result<i8, Stopped> {
    if least == 1 {
        return Ok(least);
    }
    Ok(solver.solve(position, Goal::Weak, limits)?.score as i8)
}

pub fn keeps(
    solver: &mut dyn Solve,
    position: &Position,
    column: u32,
    value: i8,
    limits: &Limits<'_>,
) -> Result<bool, Stopped> {
    let child = after(position, column);
    if value == -1 || child.is_won() {
        return Ok(true);
    }
    if child.is_over() {
        return Ok(value == 0);
    }
    Ok(!solver.exceeds(&child, -i32::from(value), limits)?)
}
