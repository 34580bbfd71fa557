//! The laboratory: an experiment in, checked samples out.

pub mod atomic;
pub mod build_info;
pub mod draw;
pub mod generate;
pub mod protocol;
pub mod signature;
pub mod test_set;
pub mod verify;
