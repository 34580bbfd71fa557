//! The signature of a variant: its node count for a fixed list of positions, every score checked.
//!
//! The number is equal on every machine. A change that should affect only the speed must not change it.

use c4lab_solver::game::Position;
use c4lab_solver::game::score::Score;
use c4lab_solver::search::{Goal, Limits, Solve, Stopped};
use std::fmt;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    pub nodes: u64,
    pub wall: Duration,
}

impl Signature {
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.wall.as_secs_f64().max(1e-9)
    }
}

/// A wrong score or a differing node count.
#[derive(Debug)]
pub struct Mismatch(String);

impl Mismatch {
    pub fn of_score(moves: &str, expected: Score, score: Score) -> Self {
        Mismatch(format!("{moves}: the score is {expected}, the solver finds {score}"))
    }

    pub fn of_nodes(moves: &str, variant: &str, counted: u64, timed: u64) -> Self {
        Mismatch(format!("{moves}, {variant}: {counted} nodes counted, {timed} timed"))
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Mismatch {}

pub fn signature(
    solver: &mut dyn Solve,
    positions: impl Iterator<Item = (&'static str, Score)>,
) -> anyhow::Result<Signature> {
    let mut total = Signature { nodes: 0, wall: Duration::ZERO };
    for (moves, expected) in positions {
        let position = Position::parse(moves)?;
        solver.reset();
        let start = Instant::now();
        let mut solve = |goal| solver.solve(&position, goal, &Limits::default());
        let (solved, expected) = match solve(Goal::Strong) {
            Err(Stopped::OtherGoal) => (solve(Goal::Weak)?, expected.signum()),
            solved => (solved?, expected),
        };
        total.wall += start.elapsed();
        total.nodes += solved.nodes;
        if solved.score != expected {
            return Err(Mismatch::of_score(moves, expected, solved.score).into());
        }
    }
    Ok(total)
}

pub fn positions() -> impl Iterator<Item = (&'static str, Score)> {
    LIST.lines().filter_map(|line| line.split_once(' ')).map(|(moves, score)| (moves, score.parse().expect("a score")))
}

/// Number of positions at the start of the list that take little time. The signatures in a manifest are of these.
pub const SHORT: usize = 26;

/// Drawn by `c4lab test-sets generate --seed 20261120`, with two solvers agreeing on every score, from easy to hard. No
/// position is, up to mirror, in the published or the shipped sets.
const LIST: &str = "\
111566655246531642367221572524 3
14466712177263347631642446711227325553 0
72446766452563616751773437131112234 0
4323654732313364622722765766457 -2
24655214173274156744623427266133 -4
42176122677234277367263641161 -6
443415425272763456267772241751151165 -3
72426677434621751173551 7
43475162244335445671 10
43256775471111331317373654 -4
4712677775246236441145567222 -3
743253217756464617 7
62161721514516172372 7
14161444227435564152 9
42657676156456161 4
57556716367765562 2
144177253742556 0
457154442146235 -4
41532374172474574 4
55117465315625427615 -2
237575345117547735546626 -1
5415272566362 12
716515451376 -12
5156413 -11
47443551674174 12
557125 17
16321324 4
33166462774 -2
6751254123156 2
76224721754714 2
713561262345 -2
1771456527744 2
53761321527 4
5414221 6
652557152224 3
35335262461 4
";

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::game::BoardSize;
    use c4lab_solver::search::{Options, registry};

    #[test]
    fn the_list_is_read_whole() {
        assert_eq!(positions().count(), LIST.lines().count());
        assert!(
            positions()
                .all(|(moves, score)| Position::parse(moves).is_ok() && score.abs() < BoardSize::STANDARD.limit())
        );
    }

    /// Pinned: a change that should affect only the speed must not change them.
    #[test]
    fn signatures_are_pinned() {
        let nodes = ["pons-10", "pons-11", "pons-12", "champion-step-7-children", registry::DEFAULT].map(|name| {
            let mut solver = registry::find(name).unwrap().build(&Options::default()).unwrap();
            signature(&mut *solver, positions()).unwrap().nodes
        });
        assert_eq!(nodes, [11_766_310, 11_814_657, 9_671_863, 1_510_369, 872_751]);
    }

    #[test]
    fn a_wrong_score_is_an_error() {
        let mut solver = registry::find(registry::DEFAULT).unwrap().build(&Options::default()).unwrap();
        let error = signature(&mut *solver, [("16321324", 3)].into_iter()).unwrap_err();
        let wrong = Mismatch::of_score("16321324", 3, 4);
        assert_eq!(error.downcast_ref::<Mismatch>().map(Mismatch::to_string), Some(wrong.to_string()));
    }
}
