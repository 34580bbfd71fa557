//! Moments, as rows and manifests have them: UTC, RFC 3339.

use std::time::SystemTime;

/// Now, to the second.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}
