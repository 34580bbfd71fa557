//! Build information: constants that `build.rs` puts into the binary, for `--version` and the manifest.

/// The output of `--version`: crate version, git revision, and a mark if the sources were changed.
pub const VERSION: &str = env!("C4LAB_VERSION");

pub const GIT_REV: &str = env!("C4LAB_GIT_REV");

pub fn git_rev() -> Option<String> {
    (!GIT_REV.is_empty()).then(|| GIT_REV.to_string())
}

/// True if the sources of the binary differ from [`GIT_REV`]; `None` if this is unknown.
pub const GIT_DIRTY: Option<bool> = match env!("C4LAB_GIT_DIRTY").as_bytes() {
    b"true" => Some(true),
    b"false" => Some(false),
    _ => None,
};

pub const RUSTC: &str = env!("C4LAB_RUSTC");

pub const TARGET: &str = env!("C4LAB_TARGET");

/// The target features that the whole binary was compiled with, separated by commas.
pub const TARGET_FEATURES: &str = env!("C4LAB_TARGET_FEATURES");

/// The flags that cargo gave the compiler, from the environment or `.cargo/config.toml`, separated by blanks.
pub const RUSTFLAGS: &str = env!("C4LAB_RUSTFLAGS");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_and_revision_agree() {
        assert!(VERSION.starts_with(env!("CARGO_PKG_VERSION")));
        assert_eq!(VERSION.contains("not built in git"), GIT_REV.is_empty());
        assert_eq!(VERSION.contains("dirty"), GIT_DIRTY == Some(true));
        assert!(RUSTC.starts_with("rustc "), "{RUSTC}");
        assert!(!TARGET.is_empty());
    }
}
