//! What a score alone does not say: the score of every move, and a line of best play.

use crate::game::Position;
use crate::game::score::Score;
use crate::search::limits::{Limits, Stopped};
use crate::search::solver::{Goal, Solver};

/// The score of every column from the mover's side, under the goal; `None` where nothing can be played.
///
/// The limits are those of each search.
///
/// ```
/// use c4lab_solver::game::Position;
/// use c4lab_solver::search::{Goal, Limits, Options, analysis, registry};
/// let mut solver = registry::find("pons-12").unwrap().build(&Options::default()).unwrap();
/// let position = Position::parse("111566655246531642367221572524").unwrap();
/// let scores = analysis::columns(&mut *solver, &position, Goal::Weak, &Limits::default()).unwrap();
/// assert_eq!(scores[1], None); // column 2 is full
/// assert_eq!(scores.into_iter().flatten().max(), Some(1));
/// ```
pub fn columns(
    solver: &mut dyn Solver,
    position: &Position,
    goal: Goal,
    limits: &Limits<'_>,
) -> Result<Vec<Option<Score>>, Stopped> {
    let score = |column| {
        let mut child = position.clone();
        let played = child.play(column);
        played.ok().map(|()| solver.solve(&child, goal, limits).map(|solved| -solved.score)).transpose()
    };
    (0..position.size().width()).map(score).collect()
}

/// A line of best play to the end of the game, given the position's score under the goal.
///
/// If several moves keep the score, the one nearest to the centre is played. Under the weak goal a move is best if it
/// keeps the result, however long the game takes. A side that has lost plays any move.
pub fn best_line(
    solver: &mut dyn Solver,
    position: &Position,
    goal: Goal,
    score: Score,
    limits: &Limits<'_>,
) -> Result<Vec<u8>, Stopped> {
    let (mut position, mut score) = (position.clone(), score);
    let known = position.columns().len();
    while !position.is_over() {
        position = best_child(solver, &position, goal, score, limits)?;
        score = -score;
    }
    Ok(position.columns()[known..].to_vec())
}

fn best_child(
    solver: &mut dyn Solver,
    position: &Position,
    goal: Goal,
    score: Score,
    limits: &Limits<'_>,
) -> Result<Position, Stopped> {
    // What the opponent must not exceed after a move that keeps the score: anything, where it is the worst that the goal tells.
    let limit = position.size().limit();
    let most = if score == goal.window(limit).0 { limit } else { -score };
    for column in position.size().centre_first() {
        let mut child = position.clone();
        if child.play(column).is_ok() && !solver.exceeds(&child, most, limits)? {
            return Ok(child);
        }
    }
    unreachable!("{position}: some move has the score {score}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::oracle::Oracle;
    use crate::search::{Options, registry};

    const LATE: [&str; 3] =
        ["24655214173274156744623427266133", "111566655246531642367221572524", "4323654732313364622722765766457"];

    fn positions() -> Vec<Position> {
        LATE.iter().map(|moves| Position::parse(moves).unwrap()).collect()
    }

    #[test]
    fn columns_agree_with_the_oracle() {
        for position in positions() {
            let mut solver = registry::find("pons-12").unwrap().build(&Options::default()).unwrap();
            let mut oracle = Oracle::<7, 6>::default();
            let scores = columns(&mut *solver, &position, Goal::Strong, &Limits::default()).unwrap();
            let expected = (0..7).map(|column| {
                let mut child = position.clone();
                child.play(column).ok().map(|()| -oracle.score(child.columns()))
            });
            assert_eq!(scores, expected.collect::<Vec<_>>(), "{position}");
        }
    }

    #[test]
    fn a_line_of_best_play_ends_as_the_score_says() {
        for entry in registry::ALL.iter().filter(|entry| entry.name >= "pons-06" && entry.spec.runs().is_ok()) {
            for (position, goal) in positions().iter().flat_map(|p| Goal::ALL.map(|goal| (p, goal))) {
                let mut solver = entry.build(&Options::default()).unwrap();
                let score = solver.solve(position, goal, &Limits::default()).unwrap().score;
                let line = best_line(&mut *solver, position, goal, score, &Limits::default()).unwrap();
                let mut end = position.clone();
                line.iter().for_each(|&column| end.play(u32::from(column)).unwrap());
                assert!(end.is_over());
                let last = Oracle::<7, 6>::default().score(end.columns());
                let last = if line.len().is_multiple_of(2) { last } else { -last };
                assert_eq!(goal.of(last), score, "{}: {position} {goal:?}", entry.name);
            }
        }
    }
}
