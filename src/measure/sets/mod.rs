//! Test sets: positions with their scores, their generation, and their verification.

pub mod by_board;
pub mod by_ply;
pub mod draw;
pub mod generate;
pub mod originals;
pub mod protocol;
pub mod test_set;
pub mod verify;
