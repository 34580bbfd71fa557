//! Verifying moves: every reply of the opponent, and whether each move of a player keeps the value of the game.
//!
//! What a solver proves of one layer holds for the next: a position that was won, and whose move keeps the win, is won after every reply.

use crate::build::{keeps, value};
use crate::form::OpenStore;
use crate::strategy::{Layer, Seat, first_layer, key, next_layer};
use anyhow::Result;
use c4lab_measure::sets::draw::Draw;
use c4lab_measure::sets::test_set::print_moves;
use c4lab_play::players::{ChosenMove, Player, Refusal, Unfinished};
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Limits, Solve};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// What is walked over.
#[derive(Clone, Debug)]
pub struct Walk<'a> {
    pub size: BoardSize,
    pub seats: Vec<Seat>,
    pub plies: u32,
    /// The most positions that are asked about of a layer, drawn by lot where it has more; and the seed.
    pub sample: Option<(usize, u64)>,
    pub limits: Limits<'a>,
}

/// A player, and who says what its moves are worth: the work of one thread.
pub struct Judged<'a> {
    pub player: Box<dyn Player + 'a>,
    pub solver: Box<dyn Solve>,
}

/// A move that gives the value away, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    pub position: Position,
    /// `given away`, `illegal`, `late`, or what a program did.
    pub reason: String,
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", print_moves(&self.position), self.reason)
    }
}

/// What was found of the positions of a player with as many stones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    pub seat: Seat,
    pub ply: u32,
    /// Positions, one of each pair of mirror images: all, or those that follow from a sample.
    pub positions: usize,
    /// Positions asked about that are won, drawn and lost for this player.
    pub outcomes: [usize; 3],
    /// Moves that fail, the first ones of the layer first.
    pub failures: Vec<Given>,
    pub total: Duration,
    /// The longest that a move took, and the position.
    pub worst: Option<(Duration, Position)>,
}

impl Verified {
    pub fn asked(&self) -> usize {
        self.outcomes.iter().sum()
    }
}

/// Walks over every reply, and tells `done` of each layer. Positions after a failure are left out. Gives back whether it came to the
/// end: an interrupt stops it.
pub fn verify(
    walk: &Walk<'_>,
    threads: &mut [Judged<'_>],
    mut done: impl FnMut(Verified) -> Result<()>,
) -> Result<bool> {
    for &seat in &walk.seats {
        let (mut layer, mut won) = (first_layer(walk.size, seat), HashSet::new());
        for ply in (seat.first_ply()..walk.plies).step_by(2) {
            let positions = layer.len();
            if let Some((most, seed)) = walk.sample.filter(|&(most, _)| most < positions) {
                Draw::new(seed, &format!("positions of {seat} with {ply} stones")).shuffle(&mut layer);
                layer.truncate(most);
                layer.sort_unstable_by_key(|(key, _)| *key);
            }
            let Ok(judged) = judge(walk, &layer, &won, threads) else { return Ok(false) };
            let (mut outcomes, mut total, mut worst) = ([0; 3], Duration::ZERO, None::<(Duration, Position)>);
            let mut failures = Vec::new();
            for (key, position) in &layer {
                let verdict = &judged[key];
                outcomes[(1 - verdict.value) as usize] += 1;
                total += verdict.took;
                if worst.as_ref().is_none_or(|(most, _)| verdict.took > *most) {
                    worst = Some((verdict.took, position.clone()));
                }
                if let Err(reason) = &verdict.column {
                    failures.push(Given { position: position.clone(), reason: reason.clone() });
                }
            }
            done(Verified { seat, ply, positions, outcomes, failures, total, worst })?;
            if ply + 2 >= walk.plies {
                break;
            }
            layer.retain(|(key, _)| judged[key].column.is_ok());
            let column = |position: &Position| *judged[&key(position)].column.as_ref().expect("it did not fail");
            let (wins, rest): (Layer, Layer) = layer.into_iter().partition(|(key, _)| judged[key].value == 1);
            let after_wins = next_layer(&wins, column);
            won = after_wins.iter().map(|(key, _)| *key).collect();
            layer = next_layer(&rest, column);
            layer.extend(after_wins);
            layer.sort_unstable_by_key(|(key, _)| *key);
            layer.dedup_by_key(|(key, _)| *key);
        }
    }
    Ok(true)
}

/// What a move is worth.
struct MoveWorth {
    /// Of the position: 1, 0 or -1, from the mover's side.
    value: i8,
    /// The column of a move that keeps it, or what is wrong.
    column: Result<u32, String>,
    took: Duration,
}

/// What each move of a layer is worth.
fn judge(
    walk: &Walk<'_>,
    layer: &Layer,
    won: &HashSet<u64>,
    threads: &mut [Judged<'_>],
) -> Result<HashMap<u64, MoveWorth>, Unfinished> {
    const BLOCK: usize = 64;
    let (next, judged) = (AtomicUsize::new(0), Mutex::new(HashMap::with_capacity(layer.len())));
    let work = |thread: &mut Judged<'_>| -> std::result::Result<(), Unfinished> {
        loop {
            let begin = next.fetch_add(BLOCK, Ordering::Relaxed);
            if begin >= layer.len() {
                return Ok(());
            }
            let block = &layer[begin..(begin + BLOCK).min(layer.len())];
            let worths: Vec<(u64, MoveWorth)> = block
                .iter()
                .map(|(key, position)| {
                    let least = if won.contains(key) { 1 } else { -1 };
                    Ok((*key, worth(walk, position, least, thread)?))
                })
                .collect::<Result<_, Unfinished>>()?;
            judged.lock().expect("no thread panics").extend(worths);
        }
    };
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = threads.iter_mut().map(|thread| scope.spawn(move || work(thread))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    Ok(judged.into_inner().expect("no thread panics"))
}

/// Asks for a move in a position whose value is `least` or more.
fn worth(walk: &Walk<'_>, position: &Position, least: i8, thread: &mut Judged<'_>) -> Result<MoveWorth, Unfinished> {
    let begun = Instant::now();
    let choice = thread.player.choose(position, &walk.limits);
    let took = begun.elapsed();
    // Nothing but an interrupt ends the search of who knows.
    let limits = Limits { interrupt: walk.limits.interrupt, ..Limits::default() };
    let value = value(&mut *thread.solver, position, least, &limits).map_err(|_| Unfinished)?;
    let column = match choice {
        Ok(ChosenMove { column, .. }) if column >= walk.size.width() || !position.can_play(column) => {
            Err(format!("illegal: column {}", name_of_column(column)))
        }
        Ok(ChosenMove { column, .. }) => {
            let kept = keeps(&mut *thread.solver, position, column, value, &limits).map_err(|_| Unfinished)?;
            if kept { Ok(column) } else { Err(format!("column {} gives the value away", name_of_column(column))) }
        }
        Err(Refusal::Late) => Err("late".to_string()),
        Err(Refusal::Failed(kind, reason)) => Err(format!("{kind}: {reason}")),
        Err(Refusal::Interrupted) => return Err(Unfinished),
    };
    Ok(MoveWorth { value, column, took })
}

/// A store as a player.
pub struct StorePlayer<'a>(pub &'a OpenStore);

impl Player for StorePlayer<'_> {
    fn begin(&mut self, _: u64, _: usize) {}

    fn choose(&mut self, position: &Position, _: &Limits<'_>) -> Result<ChosenMove, Refusal> {
        let column = self.0.column(position).ok_or_else(|| Refusal::Failed("missing", "no move".to_string()))?;
        Ok(ChosenMove { column, is_guess: false })
    }
}
