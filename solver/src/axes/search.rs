//! Search: whether a node meets the moves one by one or all together.
//!
//! **Moves**: a node looks at its board, then plays its moves one after the other. What a move leads to is seen in the
//! child. **Children**: a node looks at the boards that all its moves lead to, before it searches any. Moves that win
//! within three plies end it there. Where the opponent has only one reply that does not lose at once, that reply is
//! played without a search. This goes on until somebody has a choice again. The boards on the way are no nodes.
//!
//! **Fhourstones**: the search of that benchmark, node by node. It knows who wins, and not when: it answers the weak goal
//! alone.
//!
//! The first is `search/moves.rs`, the second `search/children.rs`, the third `search/fhourstones.rs`.

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
