//! Forced moves: what they lead to has the score of the board that they began at.

use super::*;
use crate::axes::Anticipation;
use crate::game::Grid;
use crate::search::oracle::Oracle;

/// A small board with both kinds of ends: full columns and wins.
type Small = Grid<5, 4, 5>;

/// A seeded stream of numbers (the multiplier is Knuth's).
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A random board of `ply` stones that nobody has won; `None` where the game ends on the way.
fn random(draw: &mut Draw, ply: u32) -> Option<Board<Small>> {
    let mut board = Board::<Small>::EMPTY;
    for _ in 0..ply {
        let columns: Vec<u32> = (0..5).filter(|&column| board.can_play(column)).collect();
        board = board.play(columns[draw.below(columns.len())]);
        if board.is_won() {
            return None;
        }
    }
    Some(board)
}

/// The score by the oracle, of stones given by sets.
fn score(oracle: &mut Oracle<5, 4>, mover: u64, opponent: u64) -> Score {
    let first = if (mover | opponent).count_ones().is_multiple_of(2) { mover } else { opponent };
    let square = |column: usize, row: usize| {
        let bit = 1u64 << (column * 5 + row);
        if (mover | opponent) & bit == 0 {
            0
        } else if first & bit != 0 {
            1
        } else {
            2
        }
    };
    oracle.score_of(std::array::from_fn(|column| std::array::from_fn(|row| square(column, row))))
}

#[test]
fn forced_moves_keep_the_score() {
    let (mut draw, mut oracle) = (Draw(1), Oracle::<5, 4>::default());
    // Ended at once, after forced moves; left a choice at once, to whoever moves after one, after two or more.
    let mut seen = [0; 5];
    for ply in (4..=20).cycle().take(20_000) {
        let Some(board) = random(&mut draw, ply).filter(|board| !(0..5).any(|c| board.can_play(c) && board.wins_by(c)))
        else {
            continue;
        };
        let wins = threats::winning_squares(Small::NEW, Threats::Pairs, board.opponent(), board.empty());
        let expected = score(&mut oracle, board.mover(), board.opponent());
        match play_out::<_, ()>(Small::NEW, Threats::Halves, board.mover(), board.opponent(), wins) {
            Played::Score(found) => {
                assert_eq!(found, expected, "\n{board}");
                let moves = threats::non_losing(board.playable(), wins);
                seen[usize::from(moves != 0)] += 1;
            }
            Played::Choice(node, wins, again) => {
                let sign = if again { 1 } else { -1 };
                assert_eq!(sign * score(&mut oracle, node.mover, node.opponent), expected, "\n{board}");
                let child = Board::of_sides(Small::NEW, node.mover, node.opponent);
                let threats = threats::winning_squares(Small::NEW, Threats::Pairs, node.opponent, child.empty());
                assert_eq!((wins, node.moves), (threats, threats::non_losing(child.playable(), threats)), "\n{board}");
                assert!(node.moves.count_ones() > 1 && again == (child.ply() - ply).is_multiple_of(2), "\n{board}");
                let Known { least, most } =
                    bounds::of(Small::NEW, StaticBounds::Both, Anticipation::Losses, child.ply());
                assert!((least..=most).contains(&(sign * expected)), "{least}..={most}\n{board}");
                seen[2 + (child.ply() - ply).min(2) as usize] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}
