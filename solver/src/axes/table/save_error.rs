//! Why a search cannot be saved, or a saved one not be gone on with.

use std::fmt;
use std::io;

/// Why a search cannot be saved, or a saved one not be gone on with.
#[derive(Debug)]
pub enum SaveError {
    /// Only tables of buckets can be saved.
    Unsupported,
    /// It cannot be read or written.
    Io(io::Error),
    /// It is no saved search.
    Foreign,
    /// It was saved in another version of the layout: its own, and the one that is read here.
    Version(u32, u32),
    /// It ends too soon.
    CutOff,
    /// It is not what was written: its checksum, or a value that cannot be.
    Damaged,
    /// It was saved by another search: what differs, its own, and the one that is to go on.
    Other(&'static str, String, String),
    /// It was saved by a larger table: the bytes that this one needs at least, and what it has.
    TableTooSmall(u64, u64),
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SaveError::Unsupported => f.write_str("only a search with table=buckets can be saved"),
            SaveError::Io(error) => error.fmt(f),
            SaveError::Foreign => f.write_str("not a saved search"),
            SaveError::Version(saved, own) => {
                write!(f, "saved in version {saved} of the layout; this build reads version {own}")
            }
            SaveError::CutOff => f.write_str("cut off: the saved search ends too soon"),
            SaveError::Damaged => f.write_str("damaged: the checksum is not that of what is there"),
            SaveError::Other(what, saved, own) => write!(f, "saved by a search with {what} {saved}, not {own}"),
            SaveError::TableTooSmall(least, own) => {
                write!(f, "saved by a larger table: it takes one of {least} bytes at least, not of {own}")
            }
        }
    }
}

impl std::error::Error for SaveError {}

impl From<io::Error> for SaveError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => SaveError::CutOff,
            _ => SaveError::Io(error),
        }
    }
}
