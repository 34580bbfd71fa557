//! Search: whether a node examines its moves one by one or all together.
//!
//! **Moves**: a node examines its board, then plays its moves one after the other. The child examines its own board.
//! **Children**: a node examines the boards after all its moves before it searches any. A move that wins within three
//! plies ends the node. If the opponent has only one reply that does not lose at once, that reply is played without a
//! search, until a side has a choice again. The boards on the way are no nodes.
//!
//! **Fhourstones**: the search of that benchmark, node by node. It finds only the winner, so it serves only the weak
//! goal.
//!
//! The code is in `search/moves.rs`, `search/children.rs` and `search/fhourstones.rs`.

axis! {
    /// How a node goes through its moves.
    pub enum Search = "search" {
        /// one move at a time: what it leads to is seen in the child
        Moves = "moves",
        /// what all moves lead to is seen before any is searched, and forced moves are played out without a node
        Children = "children",
        /// one move at a time, who wins and nothing more: five values, forced moves without a look at the table (Tromp's Fhourstones)
        Fhourstones = "fhourstones",
    }
}
