//! A sample of a test set, solved within a number of nodes.

use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::search::{Goal, Limits, Solve};

/// How many positions were asked about, and how many answered.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    pub(crate) asked: usize,
    pub(crate) answered: usize,
}

/// The `count` positions with the most stones: the later a position, the fewer nodes it takes.
pub(crate) fn latest(set: &TestSet, count: usize) -> TestSet {
    let mut latest = set.clone();
    latest.items.sort_by_key(|item| std::cmp::Reverse(item.position.ply()));
    latest.items.truncate(count);
    latest
}

/// Solves `count` positions spread evenly over the set, each within `nodes`, and checks every answer's score.
///
/// The table is cleared before the first position only: a score must be right whatever was searched before.
pub(crate) fn check(solver: &mut dyn Solve, name: &str, set: &TestSet, goal: Goal, count: usize, nodes: u64) -> Share {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let step = set.items.len().div_ceil(count);
    let mut share = Share { asked: 0, answered: 0 };
    solver.reset();
    for item in set.items.iter().step_by(step) {
        share.asked += 1;
        if let Ok(solved) = solver.solve(&item.position, goal, &limits) {
            assert_eq!(solved.score, goal.of(item.score), "{name}, {}, {}: {}", goal.name(), set.name, item.position);
            share.answered += 1;
        }
    }
    share
}
