//! By ply: positions of random play, `COUNT` for every number of stones.
//!
//! Each move is drawn uniformly among the legal ones. A game that ends too early is drawn again, and so is a position
//! that was drawn before, up to mirror. The mover can often win at once, as is usual in random play. With very few
//! stones there are fewer than `COUNT` positions; then all are taken.
//!
//! The six sets of the protocol measure the time of a position, and exclude immediate wins. This set measures the share
//! of positions of each ply that a solver solves in time, as G. Vandewiele does in "Creating the (nearly) perfect
//! connect-four bot with limited move time and file size".

use crate::sets::draw::Draw;
use c4lab_solver::game::{BoardSize, Position};
use flate2::read::GzDecoder;
use std::collections::HashSet;
use std::io::Read;
use std::ops::RangeInclusive;

pub const NAME: &str = "by-ply";

static SHIPPED: &[u8] = include_bytes!("../../../test-sets/by-ply.txt.gz");

/// The lines of the set `name`: all (`by-ply`), those with 23 stones (`by-ply/23`), or the first 10 of every number of
/// stones (`by-ply/first-10`). `None` for any other name.
pub(super) fn lines(name: &str) -> Option<String> {
    let rest = name.strip_prefix(NAME)?;
    let (mut stones, mut first) = (None, COUNT);
    if let Some(part) = rest.strip_prefix('/') {
        match part.strip_prefix("first-") {
            Some(number) => first = (1..=COUNT).find(|count| count.to_string() == number)?,
            None => stones = Some(plies(BoardSize::STANDARD).find(|stones| stones.to_string() == part)?),
        }
    } else if !rest.is_empty() {
        return None;
    }
    let mut text = String::new();
    GzDecoder::new(SHIPPED).read_to_string(&mut text).expect("the set was compressed whole");
    let mut taken = vec![0; plies(BoardSize::STANDARD).count()];
    let takes = |line: &&str| {
        let ply = line.split(' ').next().map_or(0, |moves| moves.trim_start_matches('-').len());
        taken[ply] += 1;
        taken[ply] <= first && stones.is_none_or(|stones| stones as usize == ply)
    };
    Some(text.lines().filter(takes).map(|line| format!("{line}\n")).collect())
}

/// Positions of every number of stones, if there are as many.
pub const COUNT: usize = 100;

/// Draws in a row without a new position, after which all positions count as found.
const IN_VAIN: usize = 10_000;

/// The numbers of stones: all but the last two of a game.
pub fn plies(board: BoardSize) -> RangeInclusive<u32> {
    0..=board.cells() - 2
}

pub fn draw(board: BoardSize, seed: u64, ply: u32, count: usize) -> Vec<Position> {
    let mut draw = Draw::new(seed, &format!("{NAME} {ply}"));
    let (mut seen, mut positions, mut in_vain) = (HashSet::new(), Vec::new(), 0);
    while positions.len() < count && in_vain < IN_VAIN {
        in_vain += 1;
        if let Some(position) = play(&mut draw, board, ply)
            && seen.insert(position.up_to_mirror())
        {
            in_vain = 0;
            positions.push(position);
        }
    }
    positions
}

/// The position after a random game of `ply` plies; `None` if the game ended before.
fn play(draw: &mut Draw, board: BoardSize, ply: u32) -> Option<Position> {
    let mut position = Position::start_on(board);
    for _ in 0..ply {
        let columns: Vec<u32> = (0..board.width()).filter(|&column| position.can_play(column)).collect();
        position.play(columns[draw.below(columns.len())]).expect("a column with room");
        if position.is_over() {
            return None;
        }
    }
    Some(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sets::test_set::TestSet;

    #[test]
    fn the_shipped_set_is_the_one_that_is_drawn() {
        let set = TestSet::open(NAME).unwrap();
        assert!(set.shipped && include_str!("../../../test-sets/README.md").contains(&set.sha256), "{}", set.sha256);
        let mut drawn = plies(BoardSize::STANDARD).flat_map(|ply| draw(BoardSize::STANDARD, 1, ply, COUNT));
        assert!(set.items.iter().all(|item| Some(&item.position) == drawn.next().as_ref()) && drawn.next().is_none());
        for (stones, count) in [(0, 1), (1, 4), (2, 25), (3, 100), (23, 100), (40, 100)] {
            let part = TestSet::open(&format!("{NAME}/{stones}")).unwrap();
            assert_eq!(part.items.len(), count);
            assert!(part.items.iter().all(|item| item.position.ply() == stones));
        }
        let few = TestSet::open(&format!("{NAME}/first-10")).unwrap();
        let with = |stones| few.items.iter().filter(|item| item.position.ply() == stones).count();
        assert_eq!(([0, 1, 2, 3, 40].map(with), few.items.len()), ([1, 4, 10, 10, 10], 5 + 39 * 10));
        assert_eq!(
            few.items.last().map(|item| &item.position),
            set.items.get(set.items.len() - 91).map(|item| &item.position)
        );
        for end in ["/first-0", "/first-101", "/first-", "/41", "/03", "/", "/x", "x"] {
            assert!(TestSet::open(&format!("{NAME}{end}")).is_err(), "{end}");
        }
    }

    #[test]
    fn a_draw_is_a_function_of_seed_and_ply_and_no_game_is_over() {
        let positions = draw(BoardSize::STANDARD, 3, 30, 50);
        assert_eq!(positions, draw(BoardSize::STANDARD, 3, 30, 50));
        assert_ne!(positions, draw(BoardSize::STANDARD, 4, 30, 50));
        assert!(positions.iter().all(|position| position.ply() == 30 && !position.is_over()));
        assert_eq!(positions.iter().map(Position::up_to_mirror).collect::<HashSet<_>>().len(), 50);
        let wins = |position: &&Position| (0..7).any(|column| position.wins_by(column));
        assert!(positions.iter().filter(wins).count() > 5, "as in random play");
    }
}
