//! Split: how threads divide one search among themselves. It is no part of a [`Spec`](crate::search::Spec): with one thread there is
//! nothing to divide, and a search of several asks the same questions as a search of one.
//!
//! All threads share one table. What each of them does near the root differs:
//!
//! ```text
//! lazy      all search the same node, with the moves in another order; they meet in the table
//! abdada    all search the same node; who comes later leaves out moves that others are at, until nothing else is left
//! brothers  one searches the node; when its first move is done, the others are offered to whoever is idle
//! ```
//!
//! Sources: *abdada*: J.-C. Weill, "The ABDADA distributed minimax search algorithm"; *brothers*: R. Feldmann and others, "Distributed
//! game-tree search" (young brothers wait); *lazy*: the way of most chess programs, and of the Connect Four solvers that have threads.

axis! {
    /// How threads divide one search.
    pub enum Split = "split" {
        /// all search the same node, and leave out moves that others are at until nothing else is left; a search whose answer is known ends
        Abdada = "abdada",
        /// the first move of a node is searched by one thread, then all others by whoever is idle (young brothers wait)
        Brothers = "brothers",
        /// all search the same node in other orders of moves, and meet in the table
        Lazy = "lazy",
    }
}
