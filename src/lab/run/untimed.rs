//! The position that every variant searches without a clock before its batch: late, so that the slowest variant is soon
//! done, and not decided at once.

use crate::lab::sets::draw::Draw;
use c4lab_solver::game::{BoardSize, Position};

/// Empty squares of the position, where the board has as many and as many stones.
const EMPTY: u32 = 14;

/// The position of a board. The same for ever: it is drawn from a seed of its own.
pub fn position(board: BoardSize) -> Position {
    let mut draw = Draw::new(0, "untimed");
    let stones = board.cells() - EMPTY.min(board.cells() / 2);
    loop {
        let mut position = Position::start_on(board);
        for _ in 0..stones {
            let quiet = |&column: &u32| position.can_play(column) && !position.wins_by(column);
            let columns: Vec<u32> = (0..board.width()).filter(quiet).collect();
            let Some(column) = columns.get(draw.below(columns.len().max(1))) else { break };
            if position.play(*column).is_err() {
                break;
            }
        }
        let decided = (0..board.width()).any(|column| position.wins_by(column));
        if position.ply() == stones && !decided {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::search::registry::BOARDS;

    #[test]
    fn every_board_has_one_and_it_stays() {
        for &board in BOARDS {
            let one = position(board);
            assert_eq!((one.ply(), one.size()), (board.cells() - EMPTY, board));
            assert!(!one.is_over());
        }
        assert_eq!(position(BoardSize::STANDARD).to_string(), PINNED);
    }

    const PINNED: &str = "7262642676742772375621516555";
}
