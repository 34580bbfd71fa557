//! Board: how a search holds a board, and in which layout.

pub mod array;
pub mod make_undo;
pub mod storage;
pub mod two_players;
