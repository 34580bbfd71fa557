//! The reason for a score that needs no search.

use crate::score_words::{mover_name, opponent_name, turn};
use c4lab_solver::axes::Zugzwang;
use c4lab_solver::game::Position;
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::game::score::Score;
use c4lab_solver::search::{Proven, Spec, registry};

/// The reason in words, and the squares that prove the score, if there are any.
pub(super) fn reason(position: &Position, spec: Spec, score: Score) -> (String, Option<Proven>) {
    if position.is_over() {
        return (turn(position), None);
    }
    let (mut end, mut line) = (position.clone(), Vec::new());
    loop {
        let width = end.size().width();
        if let Some(column) = (0..width).find(|&column| end.wins_by(column)) {
            return (format!("{}column {} wins at once", forced(&line), name_of_column(column)), None);
        }
        let safe: Vec<u32> = (0..width).filter(|&column| is_safe(&end, column)).collect();
        let [column] = safe[..] else {
            if safe.is_empty() {
                return (forced(&line) + "every move lets the other side win at once", None);
            }
            let proven = squares(&end, &line, (position, spec), score);
            let what = match &proven {
                Some(proven) if proven.rule == Zugzwang::DeadLines => {
                    format!("{} can complete no four any more, which leaves one score", mover_name(&end))
                }
                Some(proven) if proven.rule == Zugzwang::Horizon => {
                    format!("a win of {} would come too late, which leaves one score", mover_name(&end))
                }
                Some(proven) if proven.rule == Zugzwang::Rules => {
                    format!("{} has an answer to every possible four, which leaves one score", opponent_name(&end))
                }
                Some(_) => format!("squares that {} is sure to get leave one score", opponent_name(&end)),
                None => format!("the number of stones alone leaves {} one score", mover_name(&end)),
            };
            return (forced(&line) + &what, proven);
        };
        line.push(column + 1);
        if end.play(column).is_err() || end.is_over() {
            return (format!("{}the board is full", forced(&line)), None);
        }
    }
}

/// The squares that leave one score to `end`, the board after the forced moves `line`; `None` if there are none.
fn squares(end: &Position, line: &[u32], (position, spec): (&Position, Spec), score: Score) -> Option<Proven> {
    let is_mover = line.len().is_multiple_of(2);
    // Zugzwang gives only upper bounds of the mover's score, and only bounds of 0 or less.
    let most = if is_mover { score } else { -score };
    let proven = if is_mover {
        registry::proven(spec, position, score, false)
    } else {
        registry::proven(spec, position, score - 1, true)
    };
    proven.filter(|proven| {
        most <= 0 && proven.moves.len() == line.len() && end.ply() == position.ply() + line.len() as u32
    })
}

fn forced(line: &[u32]) -> String {
    if line.is_empty() {
        return String::new();
    }
    let shown: Vec<String> = line.iter().map(|&column| name_of_column(column - 1).to_string()).collect();
    format!(
        "every other move loses at once, so {} {} played; then ",
        shown.join(" "),
        if line.len() == 1 { "is" } else { "are" }
    )
}

/// True if `column` can be played and the opponent cannot win at once after it.
fn is_safe(position: &Position, column: u32) -> bool {
    let mut child = position.clone();
    position.can_play(column)
        && child.play(column).is_ok()
        && !(0..child.size().width()).any(|reply| child.wins_by(reply))
}
