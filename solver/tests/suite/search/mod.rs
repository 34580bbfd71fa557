//! Solvers: every registered variant, points of the option space, names, limits, the champion.
//!
//! Tests that solve are here and not in unit tests, which would compile every search again.

mod boards;
mod champion;
mod limits;
mod name;
mod oracle;
mod threads;
mod variants;
