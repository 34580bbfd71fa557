//! The suite of the laboratory: one program, a folder a room, and what they share in `support`.
//!
//! What takes long, or needs what a machine may lack, is ignored with the reason; `cargo test --test suite -- --ignored --skip by_hand` runs it.

mod cmd;
mod fuzzing;
mod house;
mod lab;
mod support;
