//! Commands of the packages beside the laboratory.

mod books;
#[cfg(unix)]
mod play;
mod serve;
