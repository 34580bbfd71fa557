//! Solvers: every registered variant, points of the option space, limits, the champion.

mod champion;
mod limits;
mod oracle;
mod shared;
mod variants;
