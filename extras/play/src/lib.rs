//! A page to explore positions, for the browser of this machine.

pub mod serve;
