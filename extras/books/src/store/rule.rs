//! The rule: an order of the moves of a position that is cheap to find. Where its first move is right, nothing needs to
//! be stored.
//!
//! A move that wins comes alone. Of the others, those that do not lose at once come first; of these, the ones with the most
//! [threats](Position::threats); of these, the one nearest to the centre, the left one first.

use c4lab_solver::game::Position;
use std::cmp::Reverse;

/// The columns, from 0, that can be played, in the order of the rule. The position is not over.
pub fn ranked(position: &Position) -> Vec<u32> {
    let playable = position.size().centre_first().filter(|&column| position.can_play(column));
    let mut moves: Vec<u32> = playable.collect();
    if let Some(&win) = moves.iter().find(|&&column| position.wins_by(column)) {
        return vec![win];
    }
    moves.sort_by_cached_key(|&column| {
        let child = after(position, column);
        (loses(&child), Reverse(child.threats()))
    });
    moves
}

/// The position after a move that can be played.
pub fn after(position: &Position, column: u32) -> Position {
    let mut child = position.clone();
    child.play(column).expect("a move");
    child
}

/// Whether the opponent of a move wins with the next stone.
fn loses(child: &Position) -> bool {
    (0..child.size().width()).any(|column| child.wins_by(column))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked_of(moves: &str) -> Vec<u32> {
        ranked(&Position::parse(moves).unwrap()).into_iter().map(|column| column + 1).collect()
    }

    #[test]
    fn a_win_comes_alone_a_block_first_and_the_centre_before_the_sides() {
        assert_eq!(ranked_of("121212"), [1]);
        // The opponent has three on top of each other in the second column.
        assert_eq!(ranked_of("1232526")[0], 2);
        assert_eq!(ranked_of(""), [4, 3, 5, 2, 6, 1, 7]);
        // Two beside each other at the bottom: a third makes a threat on either side.
        assert_eq!(ranked_of("4151")[0], 3);
    }

    #[test]
    fn mirror_images_have_mirrored_threats() {
        let position = Position::parse("4151").unwrap();
        assert_eq!(after(&position, 2).threats(), after(&position.mirror(), 4).threats());
    }
}
