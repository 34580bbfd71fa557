//! Search: whether a node examines its moves one by one or all together.
//!
//! The recursions are in `search/moves.rs`, `search/children.rs` and `search/fhourstones.rs`.

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
