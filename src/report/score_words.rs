//! Scores in words: the winner, its last stone, and the plies until then.

use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::Goal;

/// The sides in words, with their signs in drawings. The first player comes first.
const SIDES: [&str; 2] = ["the first player (X)", "the second player (O)"];

fn mover(position: &Position) -> usize {
    position.ply() as usize % 2
}

pub fn mover_name(position: &Position) -> &'static str {
    SIDES[mover(position)]
}

pub fn opponent_name(position: &Position) -> &'static str {
    SIDES[1 - mover(position)]
}

pub fn turn(position: &Position) -> String {
    match position {
        _ if position.is_won() => format!("{} has four in a row", SIDES[1 - mover(position)]),
        _ if position.is_over() => "the board is full: a draw".to_string(),
        _ => format!("{} is to move", SIDES[mover(position)]),
    }
}

/// A score of `position`, from the mover's side, in words. Under the goal `weak` the time of a win is unknown.
pub fn in_words(position: &Position, score: Score, goal: Goal) -> String {
    let mover = mover(position);
    let winner = match score {
        0 => return "nobody wins: a draw".to_string(),
        1.. => SIDES[mover],
        _ => SIDES[1 - mover],
    };
    if position.is_over() {
        return turn(position);
    }
    if goal == Goal::Weak {
        return format!("{winner} wins");
    }
    let plies = position.size().distance(score, position.ply());
    // The last of all stones is the winner's.
    let stone = (position.ply() + plies).div_ceil(2);
    let unit = if plies == 1 { "ply" } else { "plies" };
    format!("{winner} wins with its {} stone, in {plies} {unit}", ordinal(stone))
}

/// The result of a move for its player: `wins in 3 plies`, `draws`, `loses in 14 plies`.
pub fn of_move(board: BoardSize, ply: u32, score: Score, goal: Goal) -> String {
    let what = match score {
        0 => return "draws".to_string(),
        1.. => "wins",
        _ => "loses",
    };
    if goal == Goal::Weak {
        return what.to_string();
    }
    let plies = board.distance(score, ply);
    format!("{what} in {plies} {}", if plies == 1 { "ply" } else { "plies" })
}

fn ordinal(number: u32) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map_or(String::new(), |first| first.to_uppercase().to_string());
    format!("{first}{}.", letters.as_str())
}

/// Columns as a person names them: `4`, `3 and 5`, `1, 2 and 7`.
pub fn columns(columns: &[u32]) -> String {
    let shown: Vec<String> = columns.iter().map(|&column| name_of_column(column).to_string()).collect();
    match shown.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => shown.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(moves: &str, score: Score) -> String {
        in_words(&Position::parse(moves).unwrap(), score, Goal::Strong)
    }

    #[test]
    fn the_winner_and_its_stone_are_named() {
        assert_eq!(said("44", 1), "the first player (X) wins with its 21st stone, in 39 plies");
        assert_eq!(said("121212", 18), "the first player (X) wins with its 4th stone, in 1 ply");
        assert_eq!(said("12121", -18), "the first player (X) wins with its 4th stone, in 2 plies");
        assert_eq!(said("4", 0), "nobody wins: a draw");
        assert_eq!(said("1212121", -18), "the first player (X) has four in a row");
        assert_eq!(in_words(&Position::start(), 1, Goal::Weak), "the first player (X) wins");
    }

    #[test]
    fn moves_are_worth_something_to_their_player() {
        let of = |score, ply| of_move(BoardSize::STANDARD, ply, score, Goal::Strong);
        assert_eq!([of(18, 6), of(-18, 6), of(0, 6)], ["wins in 1 ply", "loses in 2 plies", "draws"]);
    }

    #[test]
    fn numbers_have_their_endings() {
        let endings = [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 111, 101].map(ordinal);
        assert_eq!(
            endings,
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "111th", "101st"]
        );
        assert_eq!([&[3][..], &[2, 4], &[0, 1, 6]].map(columns), ["4", "3 and 5", "1, 2 and 7"]);
    }
}
