//! Late: searches that begin with few empty squares.
//!
//! Such a search has few nodes, and seldom meets a board twice. At every node the table costs keys, fetches,
//! comparisons and a write.

use crate::game::Geometry;

axis! {
    /// Whether a late search, of a position with at most 13 empty squares, uses the table.
    pub enum Late = "late" {
        /// as every search
        Table = "table",
        /// not, unless it takes long: more nodes, each cheaper
        Bare = "bare",
    }
}

impl Late {
    /// Nodes of a window after which a search begins it again, and goes on with the table. On boards of many columns
    /// some windows are that long.
    pub const MOST_NODES: u64 = 500;
    const MOST_EMPTY: u32 = 13;

    /// True if a search of a board with `ply` stones is to begin without a table. On original middle-easy, more nodes
    /// and cheaper nodes are in balance at 14 empty squares.
    pub fn is_bare<G: Geometry>(self, g: G, ply: u32) -> bool {
        self == Late::Bare && g.cells() - ply <= Self::MOST_EMPTY
    }
}
