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
    /// Nodes of a window after which it is begun again with the table. On wide boards some windows are that long.
    pub const MOST_NODES: u64 = 500;

    /// True if a search of a board with `ply` stones begins without a table. With 14 empty squares that gains nothing.
    pub fn is_bare<G: Geometry>(self, g: G, ply: u32) -> bool {
        self == Late::Bare && g.cells() - ply <= 13
    }
}
