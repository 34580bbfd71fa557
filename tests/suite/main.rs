//! The suite of the laboratory: one program, and what its tests share in `support`.
//!
//! What takes long, or needs what a machine may lack, is ignored with the reason; `cargo test --test suite -- --ignored --skip by_hand` runs it.

mod cmd;
#[cfg(feature = "extras")]
mod extras;
mod fuzzing;
mod house;
mod lab;
mod support;
