//! The clock: monotonic nanoseconds, what reading it costs, and how fine it is.

use rustix::time::{ClockId, clock_gettime};
use std::time::Instant;

/// A clock of nanoseconds. Tests set their own.
pub trait Clock {
    /// Nanoseconds since some moment, never less than before.
    fn wall(&mut self) -> u64;
    /// Nanoseconds that this thread has spent on a processor, where the system says so.
    fn cpu(&mut self) -> Option<u64>;
}

/// The clocks of the system.
#[derive(Debug)]
pub struct SystemClock {
    start: Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        SystemClock { start: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn wall(&mut self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }

    fn cpu(&mut self) -> Option<u64> {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Some(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
    }
}

/// What is known of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Calibration {
    /// Nanoseconds that one reading takes: the median over many.
    pub cost_ns: u64,
    /// The least step that was seen between two different readings, in nanoseconds.
    pub resolution_ns: u64,
}

impl Calibration {
    /// Reads the clock 2,001 times in a row.
    pub fn of(clock: &mut dyn Clock) -> Self {
        let readings: Vec<u64> = (0..2001).map(|_| clock.wall()).collect();
        let mut steps: Vec<u64> = readings.windows(2).map(|pair| pair[1] - pair[0]).collect();
        steps.sort_unstable();
        let resolution_ns = steps.iter().copied().find(|&step| step > 0).unwrap_or(1);
        Calibration { cost_ns: steps[steps.len() / 2], resolution_ns }
    }
}
