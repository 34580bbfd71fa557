//! The pilot: finds the number of positions of a batch before anything is measured.
//!
//! A batch of the fastest variant should take about a millisecond. This is long enough for the switch of variants to be
//! negligible, and short enough for the machine's speed to be constant over a block. A pass still has many blocks: the
//! order of variants in a block is random, and few draws would not balance it.

use crate::clock::{Calibration, Clock};
use crate::engines::Contestant;
use crate::plan::Plan;
use crate::plan::schedule::BatchLength;
use crate::plan::shard::Shard;
use crate::run::cell::Cell;
use c4lab_solver::game::Position;
use c4lab_solver::search::{Goal, Limits, Stopped};
use std::collections::HashMap;
use std::time::Duration;

const BATCH_NS: u64 = 1_000_000;
/// Least number of blocks of a pass, if the set has as many positions.
const BLOCKS: usize = 30;
const TRIED: usize = 8;
/// The longest time for one participant on one set.
const MOST: Duration = Duration::from_nanos(TRIED as u64 * BATCH_NS);
/// Time limit of a pilot's search. A variant that needs longer could have batches of one position only.
const LONGEST: Duration = Duration::from_millis(10);

/// The mean nanoseconds of a search, by participant, set and goal.
pub type Costs = HashMap<(usize, usize, Goal), u64>;

/// The batch lengths of `plan`, measured with its variants; a set that only engines run has batches of one. And the mean
/// times of these searches. Scores are not checked here: every cell is measured and checked later.
pub fn pilot(
    plan: &Plan,
    shard: Shard,
    solvers: &mut [&mut dyn Contestant],
    limits: &Limits<'_>,
    clock: &mut dyn Clock,
) -> (Vec<BatchLength>, Costs) {
    let limits = Limits { time: Some(limits.time.map_or(LONGEST, |time| time.min(LONGEST))), ..*limits };
    let (mut lengths, mut costs) = (Vec::new(), Costs::new());
    for (index, set) in plan.sets.iter().enumerate() {
        for goal in Goal::ALL {
            let items = plan.measured(shard, index, goal);
            if items.is_empty() {
                continue;
            }
            let tried = spread(&items);
            let mut means = Vec::new();
            for (variant, solver) in solvers.iter_mut().enumerate() {
                let takes = |item: &&usize| plan.takes_part(variant, index, goal, **item);
                let positions = tried.iter().filter(takes).map(|&item| &set.items[item].position);
                if plan.entrants[variant].variant().is_some()
                    && let Some((cost, _)) = mean(*solver, positions, goal, &limits, clock, MOST)
                {
                    means.push(cost);
                    costs.insert((variant, index, goal), cost);
                }
            }
            let positions = batch(means.into_iter().min(), items.len());
            lengths.push(BatchLength { set: set.name.clone(), goal, positions });
        }
    }
    (lengths, costs)
}

/// The positions of a batch, of a set of `items` positions whose searches take `fastest` nanoseconds and more.
pub(super) fn batch(fastest: Option<u64>, items: usize) -> usize {
    let most = (items / BLOCKS).max(1) as u64;
    fastest.map_or(1, |fastest| (BATCH_NS / fastest.max(1)).clamp(1, most)) as usize
}

/// Up to [`TRIED`] of `items`, from the first to the last.
pub(super) fn spread(items: &[usize]) -> Vec<usize> {
    let count = TRIED.min(items.len());
    (0..count).map(|at| items[at * items.len() / count]).collect()
}

/// The mean nanoseconds of a search of `solver` on `positions`, and true if a search was cut off by its time; `None` if
/// there are no positions. After `most` no further one is searched.
pub(super) fn mean<'p>(
    solver: &mut dyn Contestant,
    positions: impl Iterator<Item = &'p Position>,
    goal: Goal,
    limits: &Limits<'_>,
    clock: &mut dyn Clock,
    most: Duration,
) -> Option<(u64, bool)> {
    let (mut total, mut count, mut is_cut) = (0, 0, false);
    for position in positions {
        let mut cell = Cell { solver, position, goal, limits: *limits, cold: true, asks_cpu: false };
        if count == 0 {
            let _ = cell.warm_up();
        }
        let measured = cell.measure(clock, Calibration::default());
        is_cut |= matches!(measured.outcome, Err(Stopped::Time(_)));
        total += measured.wall_ns;
        count += 1;
        if total > most.as_nanos() as u64 {
            break;
        }
    }
    (count > 0).then(|| (total / count, is_cut))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::plan;
    use crate::run::cell::tests::{FakeSolver, SharedClock};
    use std::sync::Arc;
    use std::sync::atomic::AtomicU64;

    /// The batch lengths for two variants that take `takes` ns a search, and the number of searches.
    fn lengths(takes: [u64; 2]) -> (Vec<(Goal, usize)>, u64) {
        let set: String = (0..3000).map(|_| "44 1\n").collect();
        let set = crate::sets::test_set::TestSet::parse("a", set.as_bytes(), false).unwrap();
        let text = "name = \"e\"\n[[runs]]\nvariants = [\"pons-11\", \"pons-12\"]\ntest-sets = [\"a\"]\n";
        let plan = Plan::with_sets(plan(text).experiment, vec![set]).unwrap();
        let now = Arc::<AtomicU64>::default();
        let solver = |takes| FakeSolver { now: now.clone(), takes, threads: 1, ..FakeSolver::default() };
        let [mut one, mut other] = takes.map(solver);
        let mut solvers: [&mut dyn Contestant; 2] = [&mut one, &mut other];
        let mut clock = SharedClock(now.clone(), 0);
        let (lengths, _) = pilot(&plan, Shard::WHOLE, &mut solvers, &Limits::default(), &mut clock);
        assert!(lengths.iter().all(|length| length.set == "a"));
        (lengths.iter().map(|length| (length.goal, length.positions)).collect(), one.searches + other.searches)
    }

    #[test]
    fn a_batch_of_the_fastest_takes_a_millisecond() {
        assert_eq!(lengths([50_000, 10_000]).0, [(Goal::Strong, 100)]);
        assert_eq!(lengths([50_000, 40_000]).0, [(Goal::Strong, 25)]);
        assert_eq!(lengths([2_000_000, 40_000]).0, [(Goal::Strong, 25)]);
        assert_eq!(lengths([7_000_000, 3_000_000]).0, [(Goal::Strong, 1)]);
        assert_eq!(lengths([7, 7]).0, [(Goal::Strong, 100)], "a pass has thirty blocks");
        assert_eq!(lengths([100, 100]).1, 2 * (TRIED as u64 + 1), "and one warm-up search each");
        assert_eq!(lengths([9_000_000, 9_000_000]).1, 2 * 2, "a slow variant searches one position after its warm-up");
    }
}
