//! stub
pub const GIT_REV: Option<&str> = None;
pub const GIT_DIRTY: Option<bool> = None;
pub const RUSTC: &str = "";
pub const FLAGS: &str = "";
pub const TARGET: &str = "";
pub const TARGET_FEATURES: &str = "";
