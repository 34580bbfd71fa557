//! The rules of Connect Four: geometry, board, moves, notation and scores. Nothing here depends on a search.
//!
//! Start with [`geometry`]: it draws the bits.

pub mod any_board;
pub mod board;
pub mod geometry;
pub mod grid;
pub mod notation;
pub mod perft;
pub mod reading;
pub mod room;
pub mod score;
pub mod size;
pub mod word;

pub use any_board::AnyBoard;
pub use board::Board;
pub use geometry::{Geometry, Grid, MOST_COLUMNS, Spaced, Standard};
pub use notation::{NotationError, Position};
pub use size::{BoardSize, SizeError};
pub use word::Word;
