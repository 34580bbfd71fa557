//! Atomic replacement of a file: readers see either the whole new file or the old one.

use anyhow::{Context, Result};
use serde::Serialize;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Number of random characters in the name of a temporary file.
const LETTERS: usize = 12;

/// A temporary file that [`finish`](Self::finish) moves to its place. Dropped unfinished, it leaves nothing behind.
///
/// It is created before the work that fills it, so that a folder without write access is an early error.
#[derive(Debug)]
pub struct PendingFile {
    path: PathBuf,
    file: NamedTempFile,
}

pub fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))
}

impl PendingFile {
    /// Opens a temporary file beside `path`, and creates the folder if it is missing.
    pub fn create(path: &Path) -> Result<Self> {
        let folder = path.parent().unwrap_or(Path::new(""));
        make_folder(folder)?;
        let name = path.file_name().with_context(|| format!("{} is not a file name", path.display()))?;
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let prefix = format!(".{}.", name.to_string_lossy());
        // The permissions of an ordinary new file; by default only the owner can read a temporary file.
        let permissions = fs::Permissions::from_mode(0o666);
        let mut builder = Builder::new();
        builder.prefix(&prefix).suffix(".tmp").rand_bytes(LETTERS).permissions(permissions);
        let file = builder.tempfile_in(here).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(PendingFile { path: path.to_path_buf(), file })
    }

    pub fn finish(mut self, bytes: &[u8]) -> Result<()> {
        // The bytes are on the disk before the file replaces a good one.
        let written = self.file.write_all(bytes).and_then(|()| self.file.as_file().sync_all());
        let placed = written.and_then(|()| Ok(self.file.persist(&self.path)?));
        placed.map(drop).with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// Removes the temporary files of `path` that killed processes left behind. Only the process that holds the lock on
/// `path` may call this. A file that cannot be removed does no harm.
pub fn sweep(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return };
    let start = format!(".{}.", name.to_string_lossy());
    let unfinished = |entry: &fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let middle = name.strip_prefix(&start).and_then(|rest| rest.strip_suffix(".tmp"));
        middle.is_some_and(|text| text.len() == LETTERS && text.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten().filter(unfinished) {
        let _ = fs::remove_file(entry.path());
    }
}

pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    PendingFile::create(path)?.finish(bytes)
}

pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    write(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/set.txt");
        write(&path, b"good").unwrap();
        drop(PendingFile::create(&path).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"good");
        write(&path, b"better").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"better");
        assert_eq!(names(path.parent().unwrap()), ["set.txt"]);
        // It has the permissions of any other file.
        let other = folder.path().join("other");
        fs::write(&other, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&other));
    }

    #[test]
    fn what_killed_processes_left_is_swept_away_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("set.txt");
        let others = [".set.txt.mine.tmp", ".set.txt.7", ".other.txt.7.tmp", "set.txt"];
        for name in others.iter().chain(&[".set.txt.a1B2c3D4e5F6.tmp"]) {
            fs::write(folder.path().join(name), "half").unwrap();
        }
        sweep(&path);
        sweep(&folder.path().join("nowhere/set.txt"));
        let (mut left, mut expected) = (names(folder.path()), others.map(str::to_string));
        left.sort();
        expected.sort();
        assert_eq!(left, expected);
    }

    #[test]
    fn what_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let blocked = folder.path().join("file");
        write(&blocked, b"").unwrap();
        let error = write(&blocked.join("set.txt"), b"").unwrap_err();
        assert!(error.to_string().contains("file"), "{error}");
        // A folder blocks the final rename.
        fs::create_dir(folder.path().join("taken")).unwrap();
        assert!(write(&folder.path().join("taken"), b"").is_err());
        assert_eq!(names(folder.path()).len(), 2);
    }
}
