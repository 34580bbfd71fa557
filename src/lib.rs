//! c4lab: a laboratory for Connect Four solvers.
pub mod axes;
pub mod cmd;
pub mod game;
pub mod lab;
pub mod report;
pub mod solve;
