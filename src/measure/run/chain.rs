//! A chain: a search of known length, which tests the clock of the samples.
//!
//! A chain is a number of steps, each of which needs the result of the step before. So a processor can neither skip a
//! step nor run two at once. The system's monotonic clock gives the expected length. It is read around every chain of
//! at least 200 us. The chains below 50 us are one batch, which begins with a warm-up chain as every batch does. A
//! longer chain is a batch of one. Before and after a batch below 200 us, a chain of 200 us gives the time of a step at
//! that moment, because the processor's speed changes.
//!
//! ```text
//! system's clock          |-------|                     |-------| |------------------ 10 ms ---| |-- 500 us --| ...
//! clock of the samples              |-| |---| || |----|            |------------------ 10 ms --|  |-- 500 us -|
//! ```
//!
//! A round has every length once, in random order. Chains also precede the empty samples that calibrate a clock.

use crate::clock::{Calibration, Clock};
use crate::engines::Contestant;
use crate::run::cell::Cell;
use crate::sets::draw::Draw;
use anyhow::{Result, bail};
use c4lab_solver::game::Position;
use c4lab_solver::search::{Goal, Limits, Solve, Solved, Stopped};
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::iter;
use std::time::Instant;

pub const FILE: &str = "chain.csv";
pub const SCHEMA_VERSION: u32 = 1;
/// Intended lengths of the chains in nanoseconds, ascending.
pub const LENGTHS_NS: [u64; 17] = [
    50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000,
    5_000_000, 10_000_000,
];
/// Nanoseconds of a chain that measures the time of a step. The system's clock is read around chains of at least this
/// length, of which two readings are a thousandth.
const PACED_BY_NS: u64 = 200_000;
/// Nanoseconds from which a chain is a batch of its own.
const ALONE_FROM_NS: u64 = 50_000;
const WARM_UP_NS: u64 = 1_000;
const GUESSED_BY: u64 = 1 << 20;
/// Number of empty samples of a calibration.
const CALIBRATED_BY: usize = 2001;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChainRow {
    pub schema_version: u32,
    pub round: u32,
    pub length_ns: u64,
    pub steps: u64,
    /// Nanoseconds by the system's clock, read around a long chain; `steps` times the time of a step for a short one.
    pub expected_ns: f64,
    pub wall_ns: u64,
    /// Nanoseconds of an empty sample, which are subtracted from `wall_ns`.
    pub cost_ns: u64,
    pub resolution_ns: u64,
    /// Frequency of the processor's counter in kHz; `None` for the system's clock.
    pub counter_khz: Option<u64>,
}

impl ChainRow {
    pub fn clock(&self) -> Calibration {
        Calibration { cost_ns: self.cost_ns, resolution_ns: self.resolution_ns, counter_khz: self.counter_khz }
    }
}

crate::row!(ChainRow, FILE, SCHEMA_VERSION);

/// A chain of as many steps as a search may have nodes.
#[derive(Clone, Copy, Debug)]
pub struct Multiplications {
    /// Result of the last search, from which the next one goes on, so that the compiler cannot drop a search.
    number: u64,
}

impl Default for Multiplications {
    fn default() -> Self {
        Multiplications { number: 0x9e37_79b9_7f4a_7c15 }
    }
}

impl Solve for Multiplications {
    fn reset(&mut self) {}

    fn solve(&mut self, _: &Position, _: Goal, limits: &Limits<'_>) -> Result<Solved, Stopped> {
        let steps = limits.nodes.unwrap_or_default();
        let (mut number, mut left) = (self.number, steps);
        // Not a `for` over a range: in an unoptimised dependency, its `next` may be a call.
        while left > 0 {
            number = (number ^ number >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            left -= 1;
        }
        self.number = number;
        Ok(Solved { score: 0, nodes: steps })
    }
}

impl Contestant for Multiplications {}

/// The system's monotonic clock.
impl Clock for Instant {
    fn ticks(&mut self) -> u64 {
        self.elapsed().as_nanos() as u64
    }

    fn between(&self, start: u64, end: u64) -> u64 {
        end - start
    }

    fn counter_khz(&self) -> Option<u64> {
        None
    }

    fn cpu_of(&mut self, _: u32) -> Option<u64> {
        None
    }
}

/// A search that returns at once.
struct EmptySearch;

impl Solve for EmptySearch {
    fn reset(&mut self) {}

    fn solve(&mut self, _: &Position, _: Goal, _: &Limits<'_>) -> Result<Solved, Stopped> {
        Ok(Solved { score: 0, nodes: 0 })
    }
}

/// Calibrates `clock` by empty samples. A chain of 10,000 to 40,000 steps runs before each, because a real sample comes
/// after another search.
pub fn calibrate(clock: &mut dyn Clock) -> Calibration {
    // Boxed, as the solvers of an experiment are, so that the calls are dynamic here too.
    let mut chain: Box<dyn Solve> = black_box(Box::new(Multiplications::default()));
    let mut empty: Box<dyn Solve> = black_box(Box::new(EmptySearch));
    let mut draw = Draw::new(0, "calibration");
    let samples = (0..CALIBRATED_BY).map(|_| {
        // Nothing is subtracted from a sample of the calibration; it is at least 1 ns.
        wall(&mut chain, 10_000 + draw.below(30_000) as u64, clock, Calibration::default());
        wall(&mut empty, 0, clock, Calibration::default())
    });
    Calibration::of(samples.collect(), clock)
}

/// Times chains of all lengths by `clock` and by `system`, in `rounds` rounds.
pub fn measure(
    rounds: u32,
    seed: u64,
    chain: &mut dyn Contestant,
    clock: &mut dyn Clock,
    system: &mut dyn Clock,
) -> Result<Vec<ChainRow>> {
    let calibration = calibrate(clock);
    let Calibration { cost_ns, resolution_ns, counter_khz } = calibration;
    let guess = pace(chain, system, GUESSED_BY)?;
    let (paced_by, warm_up) = (steps(PACED_BY_NS, guess), steps(WARM_UP_NS, guess));
    let lengths = LENGTHS_NS.map(|length_ns| (length_ns, steps(length_ns, guess)));
    let mut rows = Vec::new();
    for round in 0..rounds {
        let mut order = lengths;
        Draw::new(seed, &format!("chain {round}")).shuffle(&mut order);
        let row = |(length_ns, steps): (u64, u64), expected_ns, wall_ns| ChainRow {
            schema_version: SCHEMA_VERSION,
            round,
            length_ns,
            steps,
            expected_ns,
            wall_ns,
            cost_ns,
            resolution_ns,
            counter_khz,
        };
        let (short, long): (Vec<_>, Vec<_>) = order.into_iter().partition(|&(length_ns, _)| length_ns < ALONE_FROM_NS);
        for batch in iter::once(short.as_slice()).chain(long.chunks(1)) {
            if batch.iter().any(|&(length_ns, _)| length_ns >= PACED_BY_NS) {
                rows.extend(batch.iter().map(|&length| {
                    let start = system.ticks();
                    let wall_ns = wall(chain, length.1, clock, calibration);
                    let end = system.ticks();
                    row(length, system.between(start, end) as f64, wall_ns)
                }));
                continue;
            }
            let before = pace(chain, system, paced_by)?;
            let _ = with(chain, warm_up, |cell| cell.warm_up());
            let walls: Vec<u64> = batch.iter().map(|&(_, steps)| wall(chain, steps, clock, calibration)).collect();
            // The lower of the two paces, because an interruption lengthens only one of them.
            let pace = before.min(pace(chain, system, paced_by)?);
            let expected = |&(_, steps): &(u64, u64)| steps as f64 * pace;
            rows.extend(batch.iter().zip(walls).map(|(length, wall_ns)| row(*length, expected(length), wall_ns)));
        }
    }
    Ok(rows)
}

fn steps(ns: u64, pace: f64) -> u64 {
    (ns as f64 / pace).round().max(1.0) as u64
}

fn pace(chain: &mut dyn Contestant, system: &mut dyn Clock, steps: u64) -> Result<f64> {
    let start = system.ticks();
    let _ = chain.solve(&Position::start(), Goal::Strong, &Limits { nodes: Some(steps), ..Limits::default() });
    let end = system.ticks();
    match system.between(start, end) {
        0 => bail!("{steps} steps took no time by the system's clock"),
        ns => Ok(ns as f64 / steps as f64),
    }
}

fn wall(chain: &mut dyn Contestant, steps: u64, clock: &mut dyn Clock, calibration: Calibration) -> u64 {
    with(chain, steps, |cell| cell.measure(clock, calibration).wall_ns)
}

fn with<T>(chain: &mut dyn Contestant, steps: u64, run: impl FnOnce(&mut Cell<'_>) -> T) -> T {
    let (position, limits) = (Position::start(), Limits { nodes: Some(steps), ..Limits::default() });
    run(&mut Cell { solver: chain, position: &position, goal: Goal::Strong, limits, cold: true, asks_cpu: false })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::cell::tests::{FakeSolver, SharedClock};
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    /// The rows of a chain that takes `step_ns` a step, and `takes` a search.
    fn rows(step_ns: u64, takes: u64) -> Result<Vec<ChainRow>> {
        let now = Arc::<AtomicU64>::default();
        let mut chain = FakeSolver { now: now.clone(), takes, step_ns, threads: 1, ..FakeSolver::default() };
        // A reading of the clock takes 7 ns, which are to be subtracted.
        let (mut clock, mut system) = (SharedClock(now.clone(), 7), SharedClock(now, 0));
        measure(3, 1, &mut chain, &mut clock, &mut system)
    }

    #[test]
    fn a_true_clock_measures_what_the_system_s_says() {
        let rows = rows(10, 0).unwrap();
        assert_eq!(rows.len(), 3 * LENGTHS_NS.len());
        for row in &rows {
            // Around a long chain the system's clock includes the two readings of `clock`.
            let readings = if row.length_ns < PACED_BY_NS { 0 } else { 14 };
            assert_eq!((row.expected_ns, row.wall_ns), ((row.length_ns + readings) as f64, row.length_ns), "{row:?}");
            assert_eq!((row.steps, row.clock().cost_ns), (row.length_ns / 10, 7));
        }
        let round = |round| rows.iter().filter(move |row| row.round == round).map(|row| row.length_ns);
        assert!(!round(0).eq(round(1)), "the order is drawn");
        let mut lengths: Vec<u64> = round(1).collect();
        lengths.sort_unstable();
        assert_eq!(lengths, LENGTHS_NS);
    }

    #[test]
    fn what_a_search_takes_beside_its_steps_is_seen() {
        for row in rows(10, 3).unwrap() {
            assert_eq!(row.wall_ns, row.length_ns + 3);
            assert!((row.expected_ns / row.length_ns as f64 - 1.0).abs() < 1e-4, "{row:?}");
        }
    }

    #[test]
    fn a_clock_that_stands_still_is_an_error() {
        assert!(rows(0, 0).unwrap_err().to_string().contains("took no time"));
    }

    #[test]
    fn the_real_chain_takes_as_many_steps_as_it_is_told() {
        let (mut clock, mut system) = (Instant::now(), Instant::now());
        let rows = measure(1, 1, &mut Multiplications::default(), &mut clock, &mut system).unwrap();
        assert!(rows.iter().all(|row| row.wall_ns > 0 && row.expected_ns > 0.0));
    }
}
