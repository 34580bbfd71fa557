//! The suite of the solver: one program, one folder for each module, and common code in `support`.

mod axes;
mod search;
mod support;
