//! Search: whether a node meets the moves one by one or all together.
//!
//! **Moves**: a node looks at its board, then plays its moves one after the other; what a move leads to is seen in the
//! child. **Children**: a node looks at the boards that all its moves lead to before it searches any. Moves that win
//! within three plies end it there; where the opponent has one reply that does not lose at once, it is played out on the
//! spot, and so on until somebody has a choice again: such boards are no nodes.
//!
//! The first is `solve/engine.rs`, the second `solve/expand.rs`.

use crate::axes::lines::children::LANES;
use crate::game::Geometry;

axis! {
    /// How a node goes through its moves.
    pub enum Search = "search" {
        /// one move at a time: what it leads to is seen in the child
        Moves = "moves",
        /// what all moves lead to is seen before any is searched, and forced moves are played out without a node
        Children = "children",
    }
}

impl Search {
    /// Whether it can be asked about boards of this geometry: a column in each lane.
    pub fn fits<G: Geometry>(self) -> bool {
        self == Search::Moves || G::WIDTH as usize <= LANES
    }
}
