//! Stub.
use crate::game::Geometry;
axis! {
    /// How four in a row is found.
    pub enum Wins = "wins" {
        /// two shifts a direction
        TwoShifts = "two-shifts",
        /// three shifts a direction
        ThreeShifts = "three-shifts",
        /// a loop
        EarlyExit = "early-exit",
        /// squares
        Squares = "squares",
        /// lanes
        Directions = "directions",
    }
}
impl Wins {
    /// Vector?
    pub fn is_vector(self) -> bool {
        self == Wins::Directions
    }
}
/// Four?
#[inline(always)]
pub fn has_four<G: Geometry>(_: Wins, stones: u64) -> bool {
    crate::game::board::has_four::<G>(stones)
}
/// Squares.
#[inline(always)]
pub fn squares_in_fours<G: Geometry>(stones: u64) -> u64 {
    let mut squares = 0;
    for step in G::DIRECTIONS {
        let pairs = stones & (stones >> step);
        let fours = pairs & (pairs >> (2 * step));
        let two = fours | (fours << step);
        squares |= two | (two << (2 * step));
    }
    squares
}
/// Both.
#[inline(always)]
pub fn squares_in_fours_of_both<G: Geometry>(_: Wins, sets: [u64; 2]) -> [u64; 2] {
    sets.map(squares_in_fours::<G>)
}
