//! Functions that say whether stones hold four in a row. All have the same checksum.

use crate::boards::Node;

/// The mover's stones, with one in every column where there is a move: some hold four, some do not.
#[inline(always)]
pub(crate) fn stones(node: Node) -> u64 {
    node.board.mover() | node.moves
}

/// Hands the list to a macro: name, checksum over the stream, function of a node.
macro_rules! wins {
    ($each:ident) => {
        $each! {
            wins:
            has_four = 0x5dee_df00_770c_16d5, |node| {
                u64::from(c4lab::game::board::has_four::<c4lab::game::Standard>(crate::wins_list::stones(node)))
            };
        }
    };
}
pub(crate) use wins;
