//! Analysis beyond a score: the score of every move, and a line of best play.

use crate::game::Position;
use crate::game::score::Score;
use crate::search::limits::{Limits, Stopped};
use crate::search::solver::{Goal, Solve};

/// The score of every column from the mover's side; `None` for a full column. `limits` apply to each search.
pub fn columns(
    solver: &mut dyn Solve,
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

/// A line of best play to the end of the game. `score` is the score of `position` under `goal`.
///
/// If several moves keep the score, the one nearest to the centre is played. Under the weak goal a move is best if it
/// keeps the result, however long the game takes. A side that has lost plays any move.
pub fn best_line(
    solver: &mut dyn Solve,
    position: &Position,
    goal: Goal,
    score: Score,
    limits: &Limits<'_>,
) -> Result<Vec<u8>, Stopped> {
    let (mut position, mut score) = (position.clone(), score);
    let known = position.columns().len();
    while !position.is_over() {
        let column = best_move(solver, &position, goal, score, limits)?;
        position.play(column).expect("a move");
        score = -score;
    }
    Ok(position.columns()[known..].to_vec())
}

/// The column, from 0, of the best move that is nearest to the centre. `score` is the score of `position` under `goal`.
/// The position is not over.
pub fn best_move(
    solver: &mut dyn Solve,
    position: &Position,
    goal: Goal,
    score: Score,
    limits: &Limits<'_>,
) -> Result<u32, Stopped> {
    // The most for the opponent after a move that keeps the score: any score, if `score` is the worst of the goal.
    let limit = position.size().limit();
    let most = if score == goal.window(limit).0 { limit } else { -score };
    for column in position.size().centre_first() {
        let mut child = position.clone();
        if child.play(column).is_ok() && !solver.exceeds(&child, most, limits)? {
            return Ok(column);
        }
    }
    unreachable!("{position}: some move has the score {score}")
}
