//! A strategy: the moves of one player, and the positions that they lead to after every reply of the opponent.
//!
//! Mirror images are one position: a strategy holds the image that [`is_canonical`](Position::is_canonical). A move is
//! stored as its rank in the order of a cheap rule ([`by_rule`]). Most ranks are 0: its first move is usually right.

use anyhow::{Context, Result, bail};
use c4lab_cli::output;
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{Row as _, RowWriter};
use c4lab_measure::in_order::in_order;
use c4lab_measure::sets::test_set::print_moves;
use c4lab_measure::text::pluralize;
use c4lab_play::players::{after, children, playable, wins_at_once};
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Solve, Stopped};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    #[default]
    First,
    Second,
}

impl Seat {
    pub const ALL: [Seat; 2] = [Seat::First, Seat::Second];

    pub const fn name(self) -> &'static str {
        match self {
            Seat::First => "first",
            Seat::Second => "second",
        }
    }

    /// The number of stones on the board at the player's first move.
    pub const fn first_ply(self) -> u32 {
        self as u32
    }

    pub fn to_move(position: &Position) -> Self {
        if position.ply().is_multiple_of(2) { Seat::First } else { Seat::Second }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredMove {
    /// The weak score from the mover's side: 1, 0 or -1.
    pub value: i8,
    /// The rank, from 0, of the first move that keeps this value, in the order of the rule.
    pub rank: u8,
}

/// The key of a position and its mirror image. Its board must have at most 64 bits.
pub fn key(position: &Position) -> u64 {
    debug_assert!(position.size().bits() <= u64::BITS);
    let (mover, stones) = position.up_to_mirror();
    (mover as u64).wrapping_add(stones as u64)
}

/// The canonical one of `position` and its mirror image.
pub fn canonical(position: Position) -> Position {
    if position.is_canonical() { position } else { position.mirror() }
}

/// The column, from 0, of the move with this `rank` in the order of the rule; `None` if the position has fewer moves.
pub fn column_of(position: &Position, rank: u8) -> Option<u32> {
    let in_image = |image: &Position| by_rule(image).get(usize::from(rank)).copied();
    if position.is_canonical() {
        return in_image(position);
    }
    in_image(&position.mirror()).map(|column| position.size().width() - 1 - column)
}

/// Positions with equal numbers of stones, in the order of their keys. Of a pair of mirror images it has the one that is
/// met, or the canonical one if both are.
pub type Layer = Vec<(u64, Position)>;

fn layer(positions: impl Iterator<Item = Position>) -> Layer {
    let mut layer: Layer = positions.map(|position| (key(&position), position)).collect();
    layer.sort_unstable_by_key(|(key, position)| (*key, !position.is_canonical()));
    layer.dedup_by_key(|(key, _)| *key);
    layer
}

/// The positions after each move in `position`, except those where the game is over.
pub fn replies(position: &Position) -> impl Iterator<Item = Position> {
    children(position).filter(|child| !child.is_over())
}

/// The positions in which the player in `seat` makes its first move.
pub fn first_layer(size: BoardSize, seat: Seat) -> Layer {
    let start = Position::start_on(size);
    match seat {
        Seat::First => layer([start].into_iter()),
        Seat::Second => layer(replies(&start)),
    }
}

/// The positions of the player's next move: `column` is its move in each position of `before`, and the opponent makes
/// every reply.
pub fn next_layer<'a>(before: &'a Layer, column: impl Fn(&Position) -> u32 + 'a) -> Layer {
    layer(before.iter().flat_map(move |(_, position)| {
        let child = after(position, column(position));
        replies(&child).collect::<Vec<_>>()
    }))
}

/// The moves of one player, by the keys of the positions that these moves lead to.
#[derive(Clone, Debug)]
pub struct Strategy {
    size: BoardSize,
    seat: Seat,
    moves: HashMap<u64, StoredMove>,
}

impl Strategy {
    pub fn new(size: BoardSize, seat: Seat) -> Self {
        Strategy { size, seat, moves: HashMap::new() }
    }

    pub fn size(&self) -> BoardSize {
        self.size
    }

    pub fn seat(&self) -> Seat {
        self.seat
    }

    pub fn len(&self) -> usize {
        self.moves.len()
    }

    pub fn known(&self, key: u64) -> Option<StoredMove> {
        self.moves.get(&key).copied()
    }

    pub fn insert(&mut self, key: u64, found: StoredMove) -> Result<()> {
        match self.moves.insert(key, found) {
            Some(other) if other != found => bail!("two rows have different moves or values"),
            _ => Ok(()),
        }
    }

    /// Adds the moves of the strategy's player in `rows`, which are those of `folder`.
    pub fn add_rows(&mut self, folder: &Path, rows: &[Row]) -> Result<()> {
        let seat = self.seat;
        for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.seat == seat) {
            self.add_row(row).with_context(|| Row::place(folder, index))?;
        }
        Ok(())
    }

    fn add_row(&mut self, row: &Row) -> Result<()> {
        if row.board != self.size.to_string() {
            bail!("a row of the board {}, not of {}", row.board, self.size);
        }
        let moves = row.moves.trim_matches('-');
        let position = Position::parse_on(self.size, moves).with_context(|| format!("moves {}", row.moves))?;
        if position.is_over() || Seat::to_move(&position) != self.seat || position.ply() != row.ply {
            bail!("{} is not a position of the {} player with {} stones", row.moves, self.seat, row.ply);
        }
        if !(-1..=1).contains(&row.value) {
            bail!("{}: the value {} is not -1, 0 or 1", row.moves, row.value);
        }
        if column_of(&position, row.rank) != row.column.checked_sub(1) {
            bail!("{}: the move of rank {} is not in column {}", row.moves, row.rank, row.column);
        }
        self.insert(key(&position), StoredMove { value: row.value, rank: row.rank }).context(row.moves.clone())
    }

    /// The column, from 0, of the move in `position`; `None` if there is none.
    pub fn column(&self, position: &Position) -> Option<u32> {
        column_of(position, self.known(key(position))?.rank)
    }

    /// All positions that the moves lead to with fewer than `plies` stones, in the order of their keys.
    pub fn positions(&self, plies: u32) -> Result<Layer> {
        let (mut positions, mut layer) = (Layer::new(), first_layer(self.size, self.seat));
        for ply in (self.seat.first_ply()..plies).step_by(2) {
            let mut missing = layer.iter().filter(|(key, _)| !self.moves.contains_key(key));
            if let Some((_, position)) = missing.next() {
                let (count, all) = (1 + missing.count(), layer.len());
                bail!(
                    "{count} of {all} positions of the {} player with {ply} stones are not solved: {position}",
                    self.seat
                );
            }
            let next = next_layer(&layer, |position| self.column(position).expect("a known position"));
            positions.extend(layer);
            layer = next;
        }
        positions.sort_unstable_by_key(|(key, _)| *key);
        Ok(positions)
    }
}

/// The columns, from 0, that can be played, in the order of the rule: a win alone, or else moves that stop a win of the
/// opponent first, then those that make most threats, then those near the centre. The position is not over.
pub fn by_rule(position: &Position) -> Vec<u32> {
    let mut moves: Vec<u32> = playable(position).collect();
    if let Some(&win) = moves.iter().find(|&&column| position.wins_by(column)) {
        return vec![win];
    }
    moves.sort_by_cached_key(|&column| {
        let child = after(position, column);
        (wins_at_once(&child), Reverse(child.threats()))
    });
    moves
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    pub schema_version: u32,
    pub board: String,
    pub seat: Seat,
    pub ply: u32,
    pub moves: String,
    pub value: i8,
    pub rank: u8,
    pub column: u32,
    pub variant: String,
    pub git_rev: Option<String>,
}

const SCHEMA_VERSION: u32 = 1;

c4lab_measure::row!(Row, "store.csv", SCHEMA_VERSION);

/// The number of neighbouring positions that one thread solves one after another, without clearing its table.
const BLOCK: usize = 64;

pub struct Task<'a> {
    pub plies: u32,
    pub variant: &'a str,
    pub interrupt: &'a AtomicBool,
    pub bar: &'a ProgressBar,
}

/// Finds the moves that `strategy` lacks, layer by layer: in each position the first move, in the order of the rule, that
/// keeps the value. Each becomes a row of `file`. True if no move is missing at the end. Each of `solvers` works on a
/// thread of its own.
///
/// After a winning move and any reply the player still wins, so the value of the next position needs no search. Most of
/// the work is then one null window for each move.
pub fn build(
    strategy: &mut Strategy,
    task: &Task<'_>,
    solvers: &mut [Box<dyn Solve>],
    file: &mut RowWriter<Row>,
) -> Result<bool> {
    let seat = strategy.seat();
    let (mut layer, mut least) = (first_layer(strategy.size(), seat), HashMap::new());
    for ply in (seat.first_ply()..task.plies).step_by(2) {
        let missing = layer.iter().filter(|(key, _)| strategy.known(*key).is_none());
        let missing: Vec<_> = missing.map(|(key, position)| (*key, canonical(position.clone()))).collect();
        if !task.bar.is_hidden() {
            let text =
                format!("{seat} player, {}: {}", pluralize(ply as usize, "stone"), pluralize(layer.len(), "position"));
            task.bar.suspend(|| output::say(text));
        }
        task.bar.reset();
        task.bar.set_length(missing.len() as u64);
        let mut found = Vec::with_capacity(missing.len());
        let solve = |solver: &mut Box<dyn Solve>, (key, position): &(u64, Position), limits: &Limits<'_>| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_what_every_reply_leads_to_up_to_mirror() {
        let first = first_layer(BoardSize::STANDARD, Seat::First);
        assert_eq!(first.len(), 1);
        // After the centre, seven replies are four positions.
        let next = next_layer(&first, |_| 3);
        assert_eq!(next.len(), 4);
        assert!(next.iter().all(|(_, position)| position.ply() == 2 && position.is_canonical()));
        assert_eq!(first_layer(BoardSize::STANDARD, Seat::Second).len(), 4);
        // 1-1-2-2-3: any reply outside of the fourth column loses, but the game is not over before the next stone.
        let layer = layer([Position::parse("1122").unwrap()].into_iter());
        assert_eq!(next_layer(&layer, |position| if position.is_canonical() { 2 } else { 4 }).len(), 7);
    }

    #[test]
    fn mirror_images_are_played_in_mirrored_columns() {
        let mut strategy = Strategy::new(BoardSize::STANDARD, Seat::First);
        let position = Position::parse("4151").unwrap();
        strategy.insert(key(&position), StoredMove { value: 1, rank: 0 }).unwrap();
        assert_eq!(strategy.column(&position), Some(2));
        assert_eq!(strategy.column(&position.mirror()), Some(4));
        assert_eq!(strategy.column(&Position::parse("4152").unwrap()), None);
        assert!(strategy.insert(key(&position), StoredMove { value: 1, rank: 1 }).is_err());
    }

    #[test]
    fn positions_that_are_not_known_are_named() {
        let strategy = Strategy::new(BoardSize::STANDARD, Seat::Second);
        let error = strategy.positions(2).unwrap_err().to_string();
        assert!(error.starts_with("4 of 4 positions of the second player with 1 stones are not solved: "), "{error}");
    }

    fn columns(moves: &str) -> Vec<u32> {
        by_rule(&Position::parse(moves).unwrap()).into_iter().map(|column| column + 1).collect()
    }

    #[test]
    fn a_win_comes_alone_a_block_first_and_the_centre_before_the_sides() {
        assert_eq!(columns("121212"), [1]);
        // The opponent has three on top of each other in the second column.
        assert_eq!(columns("1232526")[0], 2);
        assert_eq!(columns(""), [4, 3, 5, 2, 6, 1, 7]);
        // Two beside each other at the bottom: a third makes a threat on either side.
        assert_eq!(columns("4151")[0], 3);
    }

    #[test]
    fn mirror_images_have_mirrored_threats() {
        let position = Position::parse("4151").unwrap();
        assert_eq!(after(&position, 2).threats(), after(&position.mirror(), 4).threats());
    }
}
