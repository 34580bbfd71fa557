//! Moments, as rows and manifests have them: UTC, RFC 3339.

use std::time::SystemTime;

pub fn now() -> String {
    moment(SystemTime::now())
}

pub fn moment(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}
