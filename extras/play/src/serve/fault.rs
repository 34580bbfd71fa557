//! Why a request gets no answer.

use std::fmt;

/// A status, and the reason in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpFault {
    /// The status of HTTP.
    pub status: u16,
    /// What is wrong, for whoever asked.
    pub reason: String,
}

impl HttpFault {
    /// A fault.
    pub fn new(status: u16, reason: impl Into<String>) -> Self {
        HttpFault { status, reason: reason.into() }
    }

    /// A request that makes no sense.
    pub fn bad(reason: impl Into<String>) -> Self {
        HttpFault::new(400, reason)
    }
}

impl fmt::Display for HttpFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status, self.reason)
    }
}

/// The words that go with a status.
pub fn words(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Internal Server Error",
    }
}
