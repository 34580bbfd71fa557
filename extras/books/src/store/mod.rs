//! Store: what a player knows by heart. For every position that it can meet with few stones on the board, a move that
//! keeps the value of the game.
//!
//! ```text
//!            (start)                 a store for the first player, to 4 plies
//!               | 4                  its move
//!      1 2 3 4 5 6 7                 whatever the opponent replies ...
//!      | | | | 3 2 1                 ... mirror images are one position: four positions of 2 stones
//!      4 4 6 4                       a move for each of them
//! ```
//!
//! - [`row`]: one position and its move, one line of `store.csv`.
//! - [`rule`]: the order in which a cheap rule tries the moves. A store is what the rule does not know.
//! - [`strategy`]: the moves of one player, and the positions that they lead to.
//! - [`build`]: finding them, ply by ply, on every core.
//! - [`form`]: ways to write a store down, of the literature and of our own; [`mod@file`] holds one of them.
//! - [`verify`]: every reply of the opponent, to the moves of a store or of a program.

pub mod build;
pub mod file;
pub mod form;
pub mod keys;
pub mod lines;
pub mod retrieval;
pub mod row;
pub mod rule;
pub mod size_row;
pub mod strategy;
pub mod text;
pub mod tree;
pub mod verify;
