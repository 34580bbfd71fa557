//! The original test sets of P. Pons, "Solving Connect Four". They are not part of this project: the user adds them.

use crate::files::atomic;
use crate::sets::protocol::{Protocol, SETS};
use crate::text::{read_file, sha256};
use anyhow::{Context, Result, anyhow, bail};
use std::env;
use std::path::{Path, PathBuf};

/// The environment variable that names their folder in place of the user's data folder.
pub const FOLDER: &str = "C4LAB_TEST_SETS";

/// The folder of the original files: `$C4LAB_TEST_SETS`, or `c4lab/test-sets` in the user's data folder.
pub fn folder() -> Result<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = || set("XDG_DATA_HOME").filter(|path| path.is_absolute());
    let own = || Some(data().or_else(|| Some(set("HOME")?.join(".local/share")))?.join("c4lab/test-sets"));
    set(FOLDER).or_else(own).with_context(|| format!("no HOME, and no {FOLDER}: no folder for test sets"))
}

pub(crate) fn read(set: &Protocol) -> Result<Vec<u8>> {
    let path = folder()?.join(set.original);
    if !path.is_file() {
        bail!("it is not added yet: c4lab test-sets add FOLDER, with {} in it (test-sets/README.md)", set.original);
    }
    read_file(&path).map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// Copies the original files that `from` holds. None is written if the digest of one is wrong.
pub fn add(from: &Path) -> Result<Vec<&'static Protocol>> {
    let mut found = Vec::new();
    for set in SETS.iter().filter(|set| from.join(set.original).exists()) {
        let path = from.join(set.original);
        let bytes = read_file(&path).with_context(|| path.display().to_string())?;
        let digest = sha256(&bytes);
        if digest != set.original_sha256 {
            bail!("{}: not the published file: its SHA-256 is {digest}, not {}", path.display(), set.original_sha256);
        }
        found.push((set, bytes));
    }
    if found.is_empty() {
        let names: Vec<&str> = SETS.iter().map(|set| set.original).collect();
        bail!("{}: none of the files {}", from.display(), names.join(", "));
    }
    let folder = folder()?;
    found.iter().try_for_each(|(set, bytes)| atomic::write(&folder.join(set.original), bytes))?;
    Ok(found.into_iter().map(|(set, _)| set).collect())
}
