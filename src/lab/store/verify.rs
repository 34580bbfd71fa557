//! Verifying a store: every reply of the opponent, and whether each move keeps the value of the game.
//!
//! What a solver proves of one layer holds for the next: a position that was won, and whose move keeps the win, is won after every reply.

use crate::lab::store::build::{keeps, value};
use crate::lab::store::file::OpenStore;
use crate::lab::store::strategy::{Layer, Seat, first_layer, next_layer};
use anyhow::Result;
use c4lab_solver::game::Position;
use c4lab_solver::search::{Limits, Solver, Stopped};
use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What was found of the positions of a player with as many stones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Whose positions.
    pub seat: Seat,
    /// Stones.
    pub ply: u32,
    /// Positions that are won, drawn and lost for this player.
    pub outcomes: [usize; 3],
    /// Those whose move gives the value away, or that have no move.
    pub failures: Vec<Position>,
}

/// Walks over every reply, and tells `done` of each layer. Positions after a failure are left out. Each solver is a thread.
///
/// # Errors
/// A search was interrupted.
pub fn verify(
    store: &OpenStore,
    solvers: &mut [Box<dyn Solver>],
    limits: &Limits<'_>,
    mut done: impl FnMut(Verified),
) -> Result<(), Stopped> {
    for seat in store.seats() {
        let (mut layer, mut won) = (first_layer(store.size(), seat), HashSet::new());
        for ply in (seat.first_ply()..store.plies()).step_by(2) {
            let judged = judge(store, &layer, &won, solvers, limits)?;
            let mut outcomes = [0; 3];
            for (value, _) in judged.values() {
                outcomes[(1 - value) as usize] += 1;
            }
            let failed = |key: &u64| !judged[key].1;
            let failures = layer.iter().filter(|(key, _)| failed(key)).map(|(_, position)| position.clone()).collect();
            done(Verified { seat, ply, outcomes, failures });
            layer.retain(|(key, _)| !failed(key));
            let column = |position: &Position| store.column(position).expect("it did not fail");
            let (wins, rest): (Layer, Layer) = layer.into_iter().partition(|(key, _)| judged[key].0 == 1);
            let after_wins = next_layer(&wins, column);
            won = after_wins.iter().map(|(key, _)| *key).collect();
            layer = next_layer(&rest, column);
            layer.extend(after_wins);
            layer.sort_unstable_by_key(|(key, _)| *key);
            layer.dedup_by_key(|(key, _)| *key);
        }
    }
    Ok(())
}

/// The value of each position of a layer, and whether the store keeps it.
fn judge(
    store: &OpenStore,
    layer: &Layer,
    won: &HashSet<u64>,
    solvers: &mut [Box<dyn Solver>],
    limits: &Limits<'_>,
) -> Result<HashMap<u64, (i8, bool)>, Stopped> {
    const BLOCK: usize = 64;
    let (next, judged) = (AtomicUsize::new(0), Mutex::new(HashMap::with_capacity(layer.len())));
    let work = |solver: &mut dyn Solver| -> Result<(), Stopped> {
        loop {
            let begin = next.fetch_add(BLOCK, Ordering::Relaxed);
            if begin >= layer.len() {
                return Ok(());
            }
            for (key, position) in &layer[begin..(begin + BLOCK).min(layer.len())] {
                let least = if won.contains(key) { 1 } else { -1 };
                let value = value(solver, position, least, limits)?;
                let kept = match store.column(position) {
                    Some(column) => keeps(solver, position, column, value, limits)?,
                    None => false,
                };
                judged.lock().expect("no thread panics").insert(*key, (value, kept));
            }
        }
    };
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = solvers.iter_mut().map(|solver| scope.spawn(move || work(&mut **solver))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    Ok(judged.into_inner().expect("no thread panics"))
}
