//! The tests of the laboratory, in one program. `support` has their shared functions.
//!
//! A test that takes long, or needs a tool that may be missing, is ignored with the reason. `cargo test --test suite --
//! --ignored --skip by_hand` runs these tests.

mod cmd;
#[cfg(feature = "extras")]
mod extras;
mod fuzzing;
mod house;
mod lab;
mod support;
