//! Layout: how many bits lie between two columns of a board in its word.
//!
//! ```text
//! tight   c c c c c c .          the column's squares and one sentinel bit: stride 7 on six rows
//! spaced  c c c c c c . . .      three sentinel bits: stride 9 on six rows
//! ```
//!
//! One sentinel bit is enough for every shift of this project. More of them make keys wider: 61 bits instead of 49 on
//! 7x6, too many for a slot of eight bytes that also holds a bound.

use crate::game::{BoardSize, Geometry};

axis! {
    /// How a board lies in its word.
    pub enum Layout = "layout" {
        /// one sentinel bit above each column: stride 7 on 7x6 (Pons, part 6; Herzberg)
        Tight = "tight",
        /// three sentinel bits: stride 9 on 7x6 (Connect Four Bit Boards)
        Spaced = "spaced",
    }
}

impl Layout {
    pub fn of<G: Geometry>(g: G) -> Option<Self> {
        match g.stride() - g.height() {
            1 => Some(Layout::Tight),
            3 => Some(Layout::Spaced),
            _ => None,
        }
    }

    /// The geometry of a board in this layout, as [`Geometry::name`] says it.
    pub fn geometry(self, board: BoardSize) -> String {
        let sentinels = match self {
            Layout::Tight => 1,
            Layout::Spaced => 3,
        };
        format!("{board}/{}", board.height() + sentinels)
    }
}
