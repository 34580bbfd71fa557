//! What is wrong with a name: of a variant, an axis, a value.

use std::fmt;

/// An unknown name. The code that shows it may look for the nearest known one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// What it should be the name of: `variant`, `axis`, `value of order`.
    pub what: String,
    pub name: String,
    pub known: Vec<&'static str>,
}

/// Names that a message shows.
const SHOWN: usize = 3;
/// Characters of a name that a message shows.
const LONGEST: usize = 60;

impl Unknown {
    /// `name` should be the name of a `what`; the names that there are: `known`.
    pub fn new(what: &str, name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        Unknown { what: what.to_string(), name: name.chars().take(LONGEST).collect(), known: known.collect() }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no {} {:?}", self.what, self.name)?;
        let (shown, rest) = self.known.split_at(self.known.len().min(SHOWN));
        for (index, name) in shown.iter().enumerate() {
            write!(f, "{}{name:?}", if index == 0 { "; known: " } else { ", " })?;
        }
        if rest.is_empty() { Ok(()) } else { write!(f, " and {} more", rest.len()) }
    }
}

impl std::error::Error for Unknown {}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameError {
    Unknown(Unknown),
    Refused(String),
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NameError::Unknown(unknown) => unknown.fmt(f),
            NameError::Refused(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for NameError {}

impl From<Unknown> for NameError {
    fn from(unknown: Unknown) -> Self {
        NameError::Unknown(unknown)
    }
}

impl From<String> for NameError {
    fn from(reason: String) -> Self {
        NameError::Refused(reason)
    }
}
