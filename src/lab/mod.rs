//! The laboratory: an experiment in, checked samples out.

pub mod draw;
pub mod generate;
pub mod protocol;
pub mod test_set;
pub mod verify;
