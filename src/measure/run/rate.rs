//! Rates: how many win checks a second, over boards that searches met.
//!
//! A board is the stones of the player who moved last: a check looks for a four of that player. A repetition goes over
//! all boards until a fixed time has passed. The next check starts as soon as the one before has left the loop. So this
//! is the throughput of checks, not the time of one alone.

use crate::clock::{Clock, SystemClock};
use crate::files::machine::pin;
use crate::files::rows::Row;
use crate::sets::test_set::TestSet;
use anyhow::{Result, bail};
use c4lab_solver::axes::lines::wins::boards_with_four;
use c4lab_solver::axes::{Axis, Wins};
use c4lab_solver::game::Position;
use c4lab_solver::search::registry::{self, PONS_06};
use c4lab_solver::search::{Limits, Spec};
use serde::{Deserialize, Serialize};
use std::hint::black_box;

pub const FILE: &str = "rates.csv";
pub const SCHEMA_VERSION: u32 = 1;
const BOARDS: usize = 4096;
const EVERY: u64 = 13;
const FROM_ONE: u64 = 64;
const REPETITION_NS: u64 = 50_000_000;
const REPETITIONS: u32 = 10;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    pub schema_version: u32,
    /// The form of the check, a value of the axis `wins`.
    pub wins: String,
    pub repetition: u32,
    pub checks: u64,
    pub wall_ns: u64,
    pub found: u64,
}

impl Rate {
    pub fn per_second(&self) -> f64 {
        self.checks as f64 / self.wall_ns.max(1) as f64 * 1e9
    }
}

impl Row for Rate {
    const FILE: &'static str = FILE;
    const WHAT: &'static str = "rates";
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
}

pub fn measure(wins: Wins) -> Result<Vec<Rate>> {
    if let Err(reason) = (Spec { wins, ..PONS_06 }).available() {
        bail!("{}: {reason}", wins.value());
    }
    pin();
    let (boards, mut clock) = (boards()?, SystemClock::default());
    let mut rates = Vec::new();
    for repetition in 0..=REPETITIONS {
        let (passes, wall_ns, found) = repeat(wins, &boards, &mut clock);
        let checks = passes * boards.len() as u64;
        let wins = wins.value().to_string();
        rates.push(Rate { schema_version: SCHEMA_VERSION, wins, repetition, checks, wall_ns, found: found / passes });
    }
    // The first finds the boards out of the cache.
    rates.remove(0);
    rates.iter_mut().for_each(|rate| rate.repetition -= 1);
    Ok(rates)
}

/// Passes made, nanoseconds, and fours found, until the time of a repetition has passed.
fn repeat(wins: Wins, boards: &[u64], clock: &mut dyn Clock) -> (u64, u64, u64) {
    let (mut passes, mut found, start) = (0, 0, clock.ticks());
    loop {
        found += boards_with_four(wins, black_box(boards));
        passes += 1;
        let now = clock.ticks();
        let wall_ns = clock.between(start, now);
        if wall_ns >= REPETITION_NS {
            return (passes, wall_ns, found);
        }
    }
}

/// The stones of whoever moved last, on boards that `pons-06` meets on two shipped sets. As in any search that looks for wins
/// before it recurses, they hold no four: every check looks in all directions.
fn boards() -> Result<Vec<u64>> {
    let limits = Limits { nodes: Some(EVERY * FROM_ONE), ..Limits::default() };
    let mut boards = Vec::new();
    for set in ["middle-medium", "begin-easy"] {
        let set = TestSet::open(set)?;
        let positions: Vec<Position> = set.items.into_iter().map(|item| item.position).collect();
        let sampled = registry::sample(PONS_06, EVERY, &positions, &limits)?;
        boards.extend(sampled.iter().map(|board| board.opponent()));
    }
    boards.truncate(BOARDS);
    Ok(boards)
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::game::{Standard, board};

    #[test]
    fn all_forms_find_the_same_fours() {
        let boards = boards().unwrap();
        assert_eq!(boards.len(), BOARDS);
        // Searches meet no four; three boards laid over each other hold many.
        let dense: Vec<u64> = boards.windows(3).map(|three| three.iter().fold(0, |set, board| set | board)).collect();
        for boards in [&boards, &dense] {
            let fours = boards.iter().filter(|&&stones| board::has_four(Standard::NEW, stones)).count() as u64;
            for wins in Wins::ALL.iter().copied().filter(|&wins| (Spec { wins, ..PONS_06 }).runs().is_ok()) {
                assert_eq!(boards_with_four(wins, boards), fours, "{wins:?}");
            }
        }
        assert!(dense.iter().any(|&stones| board::has_four(Standard::NEW, stones)));
    }

    #[test]
    fn a_repetition_takes_its_time_and_counts_its_checks() {
        let rates = measure(Wins::TwoShifts).unwrap();
        assert_eq!(rates.len(), REPETITIONS as usize);
        for (index, rate) in rates.iter().enumerate() {
            assert_eq!((rate.repetition as usize, rate.checks % BOARDS as u64), (index, 0));
            assert!(rate.wall_ns >= REPETITION_NS && rate.per_second() > 0.0);
        }
    }
}
