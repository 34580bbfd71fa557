//! Moments, as rows and manifests have them: UTC, RFC 3339.

use std::time::SystemTime;

/// Now, to the second.
pub fn now() -> String {
    moment(SystemTime::now())
}

/// A moment, to the second.
pub fn moment(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}
