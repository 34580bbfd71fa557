//! c4lab: a laboratory for Connect Four solvers.
//!
//! The solvers are a package of their own, [`c4lab_solver`]. [`lab`] measures them and foreign programs against each
//! other, and checks every score. [`report`] says what came of it. The command line stands on top of both and is no
//! part of this library.
//!
//! The rooms import only from those above them, and are best read in this order: `c4lab_solver`'s `game`, `axes`, `search`; then
//! [`lab`], [`report`], and the commands in `src/cmd`.

pub mod lab;
pub mod report;
