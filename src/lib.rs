//! c4lab: a laboratory for Connect Four solvers.
//!
//! The solvers are a package of their own, [`c4lab_solver`]. [`lab`] measures them and foreign programs against each
//! other, and checks every score. [`report`] says what came of it. [`serve`] is a page to explore positions. The command line stands on top of all and is no
//! part of this library.
//!
//! The rooms import only from those above them, and are best read in this order: `c4lab_solver`'s `game`, `axes`, `search`; then
//! [`lab`], [`report`], [`serve`], and the commands in `src/cmd`.

#[cfg(not(unix))]
compile_error!(
    "the laboratory needs a Unix: it waits for foreign programs, ends their groups, and reads the clock of a thread as a Unix does. \
     The solvers need none: `cargo build -p c4lab-solver`, or the Python package (docs/PYTHON.md)"
);

pub mod lab;
pub mod report;
pub mod serve;
