//! What several tests run the program and draw their positions with.

pub(crate) mod browser;
pub(crate) mod late;
pub(crate) mod output;
pub(crate) mod place;
pub(crate) mod process;
pub(crate) mod random;
pub(crate) mod sample;
pub(crate) mod server;
#[cfg(unix)]
pub(crate) mod terminal;
