//! Positions: late ones, and samples of test sets.

use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::{Goal, Limits, Solve};

/// Positions with few empty squares, which every variant and the oracle solve at once.
pub(crate) const LATE: [&str; 3] =
    ["24655214173274156744623427266133", "111566655246531642367221572524", "4323654732313364622722765766457"];

pub(crate) fn oracle(moves: &str) -> i32 {
    Oracle::<7, 6>::default().score(&moves.bytes().map(|digit| digit - b'1').collect::<Vec<_>>())
}

/// The number of positions that were searched, and of those that were solved.
#[derive(Clone, Copy)]
pub(crate) struct Share {
    pub(crate) asked: usize,
    pub(crate) answered: usize,
}

/// Solves `count` positions spread evenly over the set, each within `nodes`, and checks every answer's score.
///
/// The table is cleared before the first position only, because a score must not depend on earlier searches.
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
