//! Book: the exact scores of all positions of one ply, found as a campaign, checked, and put together to a file.
//!
//! - [`row`]: one position that was solved, one line of `book.csv`.
//! - [`build`]: what is missing is solved on every core, neighbours one after another on a table that is not cleared.
//! - [`check`]: a finished book against published numbers, and against another solver.

pub mod build;
pub mod check;
pub mod row;
