//! Positions with their scores, from a file of lines `moves score`.

use c4lab_solver::game::Position;

/// 2,000 random positions of 8 to 14 stones, then 18,000 of 15 to 41 (`data/README.md`).
const RANDOM: &str = "tests/data/random-positions.txt";
/// The number of early positions.
const EARLY: usize = 2_000;

/// A position and its exact score.
#[derive(Clone)]
pub(crate) struct Known {
    pub(crate) position: Position,
    pub(crate) score: i32,
}

/// The random positions: early ones, late ones.
pub(crate) fn random_positions() -> [Vec<Known>; 2] {
    let text = std::fs::read_to_string(RANDOM).unwrap_or_else(|error| panic!("{RANDOM}: {error}"));
    let mut early: Vec<Known> = text.lines().map(known).collect();
    let late = early.split_off(EARLY);
    [early, late]
}

fn known(line: &str) -> Known {
    let (moves, score) = line.split_once(' ').expect(line);
    Known { position: Position::parse(moves).expect(line), score: score.parse().expect(line) }
}
