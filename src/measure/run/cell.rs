//! Measures one cell: a single search, timed once. A cell is not repeated in place: further passes and processes
//! average the noise out. Untimed warm-up searches come before a batch.

use crate::clock::{Calibration, Clock};
use crate::engines::{Contestant, EngineFigures};
use crate::sets::draw::Draw;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Solved, Stopped};
use std::iter;
use std::time::SystemTime;

/// Least wall time, in nanoseconds, for which the CPU time is recorded. Below it, the CPU time is too coarse.
const CPU_TELLS_NS: u64 = 20_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    pub started_at: SystemTime,
    pub outcome: Result<Solved, Stopped>,
    pub wall_ns: u64,
    /// CPU nanoseconds of all threads of the search; `None` for a search shorter than `CPU_TELLS_NS`.
    pub cpu_ns: Option<u64>,
    /// The figures of an engine; `None` for a variant.
    pub figures: Option<EngineFigures>,
}

/// A tick of the system's clock, in nanoseconds: a shorter pause is none.
const TICK_NS: u64 = 1_000_000;

impl Measured {
    /// True if the processor did something else during a search of one thread: its wall time is above its processor
    /// time by more than a tenth and a tick.
    pub fn is_paused(&self) -> bool {
        self.cpu_ns.is_some_and(|cpu_ns| self.wall_ns > cpu_ns + cpu_ns / 10 + TICK_NS)
    }
}

pub struct Cell<'a> {
    pub solver: &'a mut dyn Contestant,
    pub position: &'a Position,
    pub goal: Goal,
    pub limits: Limits<'a>,
    pub cold: bool,
    /// True if CPU time is read too. It takes a system call before and after the search, which would disturb the next
    /// short search of a batch.
    pub asks_cpu: bool,
}

impl Cell<'_> {
    /// Times one search by two readings of `clock`, less `calibration.cost_ns`. The result is at least 1 ns.
    #[inline(never)]
    pub fn measure(&mut self, clock: &mut dyn Clock, calibration: Calibration) -> Measured {
        let started_at = SystemTime::now();
        self.ready();
        let threads = self.solver.threads();
        let cpu_before = if self.asks_cpu { clock.cpu_of(threads) } else { None };
        let start = clock.ticks();
        let outcome = self.solver.solve(self.position, self.goal, &self.limits);
        let end = clock.ticks();
        let cpu_after = if self.asks_cpu { clock.cpu_of(threads) } else { None };
        let wall_ns = clock.between(start, end).saturating_sub(calibration.cost_ns).max(1);
        let cpu_ns = cpu_before.zip(cpu_after).map(|(before, after)| after - before);
        let cpu_ns = cpu_ns.filter(|_| wall_ns >= CPU_TELLS_NS);
        Measured { started_at, outcome, wall_ns, cpu_ns, figures: self.solver.figures().cloned() }
    }

    /// Searches untimed, so that code and branch predictors are warm. The score is not checked: a solver that is wrong
    /// here is wrong in a sample too, where scores are checked.
    pub fn warm_up(&mut self) -> Result<Solved, Stopped> {
        self.ready();
        self.solver.solve(self.position, self.goal, &self.limits)
    }

    fn ready(&mut self) {
        if self.cold {
            self.solver.reset();
        }
        self.solver.prepare(&self.limits);
    }
}

const POSITIONS: u64 = 320;
const NODES: u64 = 20_000;
/// Node limit of one warm-up search. A table with so few stores is cleared slot by slot, which spares the CPU caches.
const NODES_OF_ONE: u64 = 400;
/// Empty squares of a warm-up position; half of the squares on a board of fewer than `2 * EMPTY` squares.
const EMPTY: u32 = 18;
/// Late positions, which come last, and their empty squares: a variant may have other code for them (`late=bare`).
const LATE_POSITIONS: u64 = 32;
const EMPTY_OF_LATE: u32 = 10;
/// Empty squares of the warm-up position of engines. They are fewer, because no node limit stops an engine.
const EMPTY_OF_FOREIGN: u32 = 14;

#[derive(Clone, Debug)]
pub struct WarmUp {
    positions: Vec<Position>,
    late: Vec<Position>,
    pub foreign: Position,
}

impl WarmUp {
    /// The warm-up positions of `board`. They never change, because their seeds are constant.
    pub fn of(board: BoardSize) -> Self {
        let mut draw = Draw::new(0, "untimed searches");
        let positions = iter::repeat_with(|| position(board, EMPTY, &mut draw)).take(POSITIONS as usize).collect();
        let late =
            iter::repeat_with(|| position(board, EMPTY_OF_LATE, &mut draw)).take(LATE_POSITIONS as usize).collect();
        WarmUp { positions, late, foreign: position(board, EMPTY_OF_FOREIGN, &mut Draw::new(0, "untimed")) }
    }

    /// Calls `search` with each position and the limits of its search, until `NODES` nodes are searched or time is up; and
    /// with the late positions.
    pub fn search<'l>(
        &self,
        limits: &Limits<'l>,
        mut search: impl FnMut(&Position, Limits<'l>) -> Result<Solved, Stopped>,
    ) {
        let mut left = NODES;
        for position in &self.positions {
            let nodes = limits.nodes.unwrap_or(u64::MAX).min(NODES_OF_ONE).min(left);
            let searched = search(position, Limits { nodes: Some(nodes), ..*limits });
            left -= left.min(searched.map_or_else(Stopped::nodes, |solved| solved.nodes));
            if matches!(searched, Err(Stopped::Time(_) | Stopped::Interrupted(_))) {
                return;
            }
            if left == 0 {
                break;
            }
        }
        for position in &self.late {
            let nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(NODES_OF_ONE));
            if matches!(search(position, Limits { nodes, ..*limits }), Err(Stopped::Time(_) | Stopped::Interrupted(_)))
            {
                return;
            }
        }
    }
}

/// Draws a position with `empty` empty squares (at most half of `board`) in which no move wins at once.
fn position(board: BoardSize, empty: u32, draw: &mut Draw) -> Position {
    let stones = board.cells() - empty.min(board.cells() / 2);
    loop {
        if let Some(position) = draw.quiet_position(board, stones) {
            return position;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::run::chain::calibrate;
    use c4lab_solver::search::{Options, Solve, registry};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    /// A solver that moves the clock `now`: by `takes` ns a search, by `step_ns` for each node of the limit, and by
    /// `prepare_ns` before a search. It counts its resets and searches.
    #[derive(Default)]
    pub(crate) struct FakeSolver {
        pub(crate) now: Arc<AtomicU64>,
        pub(crate) takes: u64,
        pub(crate) step_ns: u64,
        pub(crate) prepare_ns: u64,
        pub(crate) resets: u64,
        pub(crate) searches: u64,
        pub(crate) threads: u32,
    }

    impl Solve for FakeSolver {
        fn threads(&self) -> u32 {
            self.threads
        }

        fn reset(&mut self) {
            self.resets += 1;
        }

        fn solve(&mut self, _: &Position, _: Goal, limits: &Limits<'_>) -> Result<Solved, Stopped> {
            self.now.fetch_add(self.takes + self.step_ns * limits.nodes.unwrap_or_default(), Relaxed);
            self.searches += 1;
            Ok(Solved { score: 1, nodes: self.takes })
        }
    }

    impl Contestant for FakeSolver {
        fn prepare(&mut self, _: &Limits<'_>) {
            self.now.fetch_add(self.prepare_ns, Relaxed);
        }
    }

    /// A clock of four ticks a nanosecond. The fields are the time and the length of a reading, both in nanoseconds.
    pub(crate) struct SharedClock(pub(crate) Arc<AtomicU64>, pub(crate) u64);

    impl Clock for SharedClock {
        fn ticks(&mut self) -> u64 {
            4 * (self.0.fetch_add(self.1, Relaxed) + self.1)
        }

        fn between(&self, start: u64, end: u64) -> u64 {
            (end - start) / 4
        }

        fn counter_khz(&self) -> Option<u64> {
            Some(4_000_000)
        }

        fn cpu_of(&mut self, threads: u32) -> Option<u64> {
            Some(u64::from(threads) * self.0.load(Relaxed))
        }
    }

    fn measure(takes: u64, cold: bool, threads: u32) -> (Measured, u64, u64) {
        let now = Arc::<AtomicU64>::default();
        let mut clock = SharedClock(now.clone(), 25);
        let calibration = calibrate(&mut clock);
        assert_eq!(calibration, Calibration { cost_ns: 25, resolution_ns: 1, counter_khz: Some(4_000_000) });
        let mut solver = FakeSolver { now, takes, prepare_ns: 1_000_000, threads, ..FakeSolver::default() };
        let (position, limits) = (Position::start(), Limits::default());
        let mut cell =
            Cell { solver: &mut solver, position: &position, goal: Goal::Strong, limits, cold, asks_cpu: true };
        assert!(cell.warm_up().is_ok());
        let measured = cell.measure(&mut clock, calibration);
        (measured, solver.resets, solver.searches)
    }

    #[test]
    fn every_search_is_timed_once_however_short() {
        for takes in [0, 1, 50, 1000, 19_999, 20_000, 3_000_000] {
            let (measured, resets, searches) = measure(takes, true, 1);
            assert_eq!((measured.wall_ns, resets, searches), (takes.max(1), 2, 2), "one of each is the warm-up");
            assert_eq!(measured.cpu_ns, (takes >= 20_000).then_some(takes + 50));
        }
        let of = |wall_ns, cpu_ns| Measured { wall_ns, cpu_ns: Some(cpu_ns), ..measure(0, true, 1).0 }.is_paused();
        assert_eq!((of(3_900_000_000, 1_300_000_000), of(1_100_000_000, 1_000_000_000)), (true, false));
        assert_eq!((of(1_900_000, 900_000), of(2_000_001, 900_000)), (false, true), "a tick is no pause");
        assert_eq!(measure(1_000_000, true, 2).0.cpu_ns, Some(2_000_100), "the time of all threads");
        assert_eq!(measure(1000, false, 1).1, 0, "a warm table is not cleared");
    }

    #[test]
    fn every_board_has_its_own_and_they_stay() {
        for board in registry::boards().into_iter().step_by(45) {
            let WarmUp { positions, foreign, .. } = WarmUp::of(board);
            assert_eq!(positions.len() as u64, POSITIONS);
            let of_foreign = board.cells() - EMPTY_OF_FOREIGN.min(board.cells() / 2);
            assert_eq!((foreign.ply(), foreign.size()), (of_foreign, board));
            for position in positions {
                assert!(position.ply() == board.cells() - EMPTY.min(board.cells() / 2) && !position.is_over());
            }
        }
        let pinned = ["7262642676742772375621516555", "317717435332441236521166", "356334741134133744174171"];
        let WarmUp { positions, foreign, .. } = WarmUp::of(BoardSize::STANDARD);
        assert_eq!([foreign.to_string(), positions[0].to_string(), positions[255].to_string()], pinned);
    }

    fn searched(variant: &str, limits: Limits<'_>) -> (u64, u64) {
        let mut solver = registry::find(variant).unwrap().build(&Options::default()).unwrap();
        let (mut searches, mut nodes) = (0, 0);
        WarmUp::of(BoardSize::STANDARD).search(&limits, |position, limits| {
            solver.reset();
            let searched = solver.solve(position, Goal::Strong, &limits);
            let of_one = searched.map_or_else(Stopped::nodes, |solved| solved.nodes);
            assert!(of_one <= NODES_OF_ONE);
            (searches, nodes) = (searches + 1, nodes + of_one);
            searched
        });
        (searches, nodes)
    }

    #[test]
    fn a_strong_variant_searches_as_many_nodes_as_a_weak_one() {
        for (variant, least) in [(registry::DEFAULT, 100), ("pons-04", NODES / NODES_OF_ONE)] {
            let (searches, nodes) = searched(variant, Limits::default());
            let late = NODES..=NODES + LATE_POSITIONS * NODES_OF_ONE;
            assert!(
                (least..POSITIONS + LATE_POSITIONS).contains(&searches) && late.contains(&nodes),
                "{variant}: {searches} {nodes}"
            );
        }
    }

    #[test]
    fn a_narrower_limit_stays_and_an_interruption_ends_it() {
        assert_eq!(searched("pons-04", Limits { nodes: Some(2), ..Limits::default() }).0, POSITIONS + LATE_POSITIONS);
        let over = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        assert_eq!(searched("pons-12", over).0, 1);
    }
}
