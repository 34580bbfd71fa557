//! Running one cell: only the search is timed. A short search is repeated until the clock can tell.

use crate::lab::clock::{Calibration, Clock};
use crate::lab::files::sample::InnerTiming;
use c4lab_solver::game::Position;
use c4lab_solver::search::{Goal, Limits, Solved, Solver, Stopped};

/// A search shorter than this is repeated within its sample.
const SHORT_NS: u64 = 20_000;
/// The most repetitions within a sample.
const MOST: u64 = 10_000;

/// What a cell gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The answer, or why there is none.
    pub outcome: Result<Solved, Stopped>,
    /// Nanoseconds of one repetition.
    pub wall_ns: u64,
    /// Nanoseconds on a processor, for a sample of one repetition that is long enough to tell.
    pub cpu_ns: Option<u64>,
    /// Repetitions within the sample.
    pub inner_repetitions: u64,
    /// How they were timed.
    pub inner_timing: InnerTiming,
    /// Whether all repetitions gave the same answer in the same number of nodes.
    pub steady: bool,
}

/// What is run: a solver on a position.
pub struct Cell<'a> {
    /// The solver.
    pub solver: &'a mut dyn Solver,
    /// The position.
    pub position: &'a Position,
    /// What is asked.
    pub goal: Goal,
    /// When to stop.
    pub limits: Limits<'a>,
    /// Whether the table is cleared before every search.
    pub cold: bool,
}

impl Cell<'_> {
    /// Measures the cell.
    pub fn measure(&mut self, clock: &mut dyn Clock, calibration: Calibration) -> Measured {
        self.reset();
        self.solver.prepare(&self.limits);
        let cpu_before = clock.cpu();
        let (outcome, wall_ns) = self.time(clock, calibration);
        let cpu_after = clock.cpu();
        let cpu_ns = cpu_before.zip(cpu_after).map(|(before, after)| after - before);
        let single = Measured {
            outcome,
            wall_ns,
            cpu_ns: cpu_ns.filter(|_| wall_ns >= SHORT_NS),
            inner_repetitions: 1,
            inner_timing: InnerTiming::Each,
            steady: true,
        };
        if wall_ns >= SHORT_NS || outcome.is_err() || !self.cold || !self.solver.is_repeatable() {
            return single;
        }
        let enough = SHORT_NS.max(100 * calibration.resolution_ns.max(calibration.cost_ns));
        self.repeat(single, enough.div_ceil(wall_ns).min(MOST), clock, calibration)
    }

    fn repeat(&mut self, single: Measured, times: u64, clock: &mut dyn Clock, calibration: Calibration) -> Measured {
        let (mut steady, mut total) = (true, 0);
        let span = self.solver.reset_is_constant();
        let start = clock.wall();
        for _ in 0..times {
            self.reset();
            let outcome = if span {
                self.solver.solve(self.position, self.goal, &self.limits)
            } else {
                self.solver.prepare(&self.limits);
                let (outcome, wall_ns) = self.time(clock, calibration);
                total += wall_ns;
                outcome
            };
            if outcome.is_err() {
                // Stopped from outside, or held up beyond the limit: the cell is what its last search was.
                return Measured { outcome, ..single };
            }
            steady &= outcome == single.outcome;
        }
        if span {
            total = (clock.wall() - start).saturating_sub(calibration.cost_ns);
        }
        let inner_timing = if span { InnerTiming::Span } else { InnerTiming::Each };
        Measured { wall_ns: (total / times).max(1), inner_repetitions: times, inner_timing, steady, ..single }
    }

    fn reset(&mut self) {
        if self.cold {
            self.solver.reset();
        }
    }

    /// One search between two readings of the clock; at least 1 ns.
    fn time(&mut self, clock: &mut dyn Clock, calibration: Calibration) -> (Result<Solved, Stopped>, u64) {
        let start = clock.wall();
        let outcome = self.solver.solve(self.position, self.goal, &self.limits);
        let wall_ns = (clock.wall() - start).saturating_sub(calibration.cost_ns);
        (outcome, wall_ns.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// A solver that takes a set time, by moving the clock, and counts its resets.
    struct FakeSolver {
        now: Arc<AtomicU64>,
        takes: u64,
        resets: u64,
        constant: bool,
        /// The search that is stopped from outside, counted from 1.
        stopped_at: u64,
        searches: u64,
    }

    impl Solver for FakeSolver {
        fn reset(&mut self) {
            self.resets += 1;
        }

        /// Takes long, and is in no sample.
        fn prepare(&mut self, _: &Limits<'_>) {
            self.now.fetch_add(1_000_000, Relaxed);
        }

        fn solve(&mut self, _: &Position, _: Goal, _: &Limits<'_>) -> Result<Solved, Stopped> {
            self.now.fetch_add(self.takes, Relaxed);
            self.searches += 1;
            if self.searches == self.stopped_at {
                return Err(Stopped::Interrupted(0));
            }
            Ok(Solved { score: 1, nodes: self.takes })
        }

        fn reset_is_constant(&self) -> bool {
            self.constant
        }
    }

    /// A clock that moves when it is read, and when the solver works.
    struct SharedClock(Arc<AtomicU64>, u64);

    impl Clock for SharedClock {
        fn wall(&mut self) -> u64 {
            self.0.fetch_add(self.1, Relaxed) + self.1
        }

        fn cpu(&mut self) -> Option<u64> {
            Some(self.0.load(Relaxed))
        }
    }

    fn measure(takes: u64, constant: bool, cold: bool) -> (Measured, u64) {
        measure_stopped(takes, constant, cold, 0)
    }

    fn measure_stopped(takes: u64, constant: bool, cold: bool, stopped_at: u64) -> (Measured, u64) {
        let now = Arc::<AtomicU64>::default();
        let mut clock = SharedClock(now.clone(), 25);
        let calibration = Calibration::of(&mut clock);
        assert_eq!(calibration, Calibration { cost_ns: 25, resolution_ns: 25 });
        let mut solver = FakeSolver { now, takes, resets: 0, constant, stopped_at, searches: 0 };
        let (position, limits) = (Position::start(), Limits::default());
        let mut cell = Cell { solver: &mut solver, position: &position, goal: Goal::Strong, limits, cold };
        let measured = cell.measure(&mut clock, calibration);
        (measured, solver.resets)
    }

    #[test]
    fn a_long_search_is_run_once() {
        let (measured, resets) = measure(50_000, false, true);
        assert_eq!((measured.wall_ns, measured.inner_repetitions, resets), (50_000, 1, 1));
        assert_eq!(measured.cpu_ns, Some(50_050));
    }

    #[test]
    fn a_short_search_is_repeated_each_alone_where_clearing_is_dear() {
        let (measured, resets) = measure(1000, false, true);
        assert_eq!((measured.wall_ns, measured.inner_repetitions), (1000, 20));
        assert_eq!((measured.inner_timing, measured.cpu_ns), (InnerTiming::Each, None));
        assert_eq!(resets, 21);
    }

    #[test]
    fn a_short_search_is_repeated_as_a_span_where_clearing_is_free() {
        let (measured, _) = measure(1000, true, true);
        assert_eq!((measured.wall_ns, measured.inner_repetitions), (1000, 20));
        assert_eq!(measured.inner_timing, InnerTiming::Span);
    }

    #[test]
    fn a_warm_table_is_neither_cleared_nor_searched_twice() {
        let (measured, resets) = measure(1000, false, false);
        assert_eq!((measured.wall_ns, measured.inner_repetitions, resets), (1000, 1, 0));
    }

    #[test]
    fn a_cell_that_is_interrupted_in_a_repetition_is_interrupted() {
        for constant in [true, false] {
            let (measured, _) = measure_stopped(1000, constant, true, 7);
            assert_eq!(measured.outcome, Err(Stopped::Interrupted(0)));
        }
    }

    #[test]
    fn repetitions_are_bounded() {
        assert_eq!(measure(1, true, true).0.inner_repetitions, MOST);
    }
}
