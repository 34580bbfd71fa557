//! The clock: ticks of a counter, the cost of a sample, and the resolution.
//!
//! The counter is the processor's time-stamp counter if it has a constant rate, else the system's monotonic clock. A
//! processor may read its counter before older instructions are done. So a reading waits before and after the counter
//! is read, and gives the time at which the program reached that point.

use c4lab_solver::axes::processor::wait;
use rustix::time::{ClockId, clock_gettime};

pub trait Clock {
    /// Ticks since a fixed moment; they never decrease.
    fn ticks(&mut self) -> u64;
    fn between(&self, start: u64, end: u64) -> u64;
    /// Frequency of the counter in kHz; `None` for the system's clock.
    fn counter_khz(&self) -> Option<u64>;
    /// CPU time in nanoseconds of the thread, or of the process if `threads` is above 1; `None` if the system has none.
    fn cpu_of(&mut self, threads: u32) -> Option<u64>;
}

/// The processor's counter if it has a constant rate, else the system's monotonic clock.
pub type SystemClock = quanta::Clock;

impl Clock for SystemClock {
    #[inline]
    fn ticks(&mut self) -> u64 {
        wait();
        let ticks = self.raw();
        wait();
        ticks
    }

    fn between(&self, start: u64, end: u64) -> u64 {
        self.delta_as_nanos(start, end)
    }

    fn counter_khz(&self) -> Option<u64> {
        // A tick of the monotonic clock is a nanosecond.
        const TICKS: u64 = 1 << 40;
        let ns = self.between(0, TICKS);
        (ns != TICKS).then(|| (TICKS as f64 / ns as f64 * 1e6).round() as u64)
    }

    fn cpu_of(&mut self, threads: u32) -> Option<u64> {
        let clock = if threads > 1 { ClockId::ProcessCPUTime } else { ClockId::ThreadCPUTime };
        let time = clock_gettime(clock);
        Some(time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Calibration {
    /// Nanoseconds of an empty sample, as the mean of the middle half of many. They are subtracted from every sample.
    pub cost_ns: u64,
    /// Resolution in nanoseconds: the larger of the counter's step and the range of that middle half.
    pub resolution_ns: u64,
    /// Frequency of the processor's counter in kHz; `None` for the system's monotonic clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter_khz: Option<u64>,
}

impl Calibration {
    pub fn of(mut samples: Vec<u64>, clock: &dyn Clock) -> Self {
        samples.sort_unstable();
        let at = |quarters: usize| samples.get(samples.len() * quarters / 4).copied().unwrap_or_default();
        let cost_ns =
            middle(samples.iter().map(|&sample| sample as f64).collect()).map_or(0, |mean| mean.round() as u64);
        let counter_khz = clock.counter_khz();
        Calibration { cost_ns, resolution_ns: step(&samples).max(at(3) - at(1)), counter_khz }
    }
}

/// The mean of the middle half of `values`; `None` if there are none. It is finer than the median if a counter moves in
/// large steps, and as robust against a few outliers.
pub fn middle(mut values: Vec<f64>) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let quarter = values.len() / 4;
    let half = &values[quarter..values.len() - quarter];
    (!half.is_empty()).then(|| half.iter().sum::<f64>() / half.len() as f64)
}

/// The step of a counter in nanoseconds, from sorted empty `samples`, which have few different values. Values that
/// differ by 1 ns are one rounded value. A value of fewer than one sample in a hundred is ignored.
///
/// ```text
/// samples   29 29 30 30 30   40 40   49 50 50   8213       a step of 9 ns
/// ```
fn step(samples: &[u64]) -> u64 {
    let values = samples.chunk_by(|low, high| high - low <= 1).filter(|value| 100 * value.len() >= samples.len());
    let values: Vec<&[u64]> = values.collect();
    values.windows(2).map(|pair| pair[1][0] - pair[0][pair[0].len() - 1]).min().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_half_is_the_cost_and_the_resolution() {
        let clock = SystemClock::default();
        let of = |samples: &[u64]| {
            let Calibration { cost_ns, resolution_ns, .. } = Calibration::of(samples.to_vec(), &clock);
            (cost_ns, resolution_ns)
        };
        assert_eq!(of(&[40; 9]), (40, 1));
        assert_eq!(of(&[9, 30, 20, 25, 5000, 24, 26, 22]), (24, 8), "22 to 30");
        assert_eq!(of(&[20, 40, 20, 20, 20]), (20, 20), "a step of the counter is larger than the middle half");
        assert_eq!(of(&[]), (0, 1));
        let rounded = [[29, 30, 30, 30, 40].repeat(60), vec![50, 51, 55, 8000]].concat();
        assert_eq!(of(&rounded), (30, 10), "29 and 30 are one value; those from 50 on are too few");
        assert_eq!(of(&[28, 29, 30, 31, 31, 32, 33]), (31, 3), "a counter of finer steps than nanoseconds");
    }

    #[test]
    fn the_counter_and_the_system_s_clock_go_at_one_rate() {
        let mut clock = SystemClock::default();
        let (start, system) = (clock.ticks(), std::time::Instant::now());
        while system.elapsed().as_millis() < 50 {}
        let (end, system) = (clock.ticks(), system.elapsed());
        let ratio = clock.between(start, end) as f64 / system.as_nanos() as f64;
        // The system may interrupt this thread between the readings of the two clocks.
        assert!((0.5..2.0).contains(&ratio), "{ratio}");
        assert!(clock.counter_khz().is_none_or(|khz| khz > 1000));
    }
}
