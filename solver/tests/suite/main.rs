//! The suite of the solver: one program, a folder a room, and what they share in `support`.

mod axes;
mod search;
mod support;
