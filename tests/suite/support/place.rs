//! Where a test measures.

use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder for one test, and the path of a run in it.
pub(crate) fn place() -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("run");
    (place, out)
}

pub(crate) fn shown(path: &Path) -> &str {
    path.to_str().unwrap()
}
