//! Commands of the packages in extras/.

mod books;
#[cfg(unix)]
mod play;
mod serve;
