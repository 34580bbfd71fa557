//! Writing a file. A regular file is replaced at once: readers see either the whole new file or the old one. Links are
//! followed, and devices, pipes and the process's own output are written through.

use anyhow::{Context, Result};
use rustix::fs::{Access, access, fchown};
use rustix::process::{Gid, Uid};
use serde::Serialize;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Number of random characters in the name of a temporary file.
const LETTERS: usize = 12;

pub fn make_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))
}

/// Where the bytes of a file go.
enum Target {
    /// A regular file, at the end of all links, and its metadata if it exists.
    Regular(PathBuf, Option<Metadata>),
    /// Stdout or stderr of this process.
    Own(File),
    /// A device or a pipe.
    Special,
}

impl Target {
    fn of(path: &Path) -> io::Result<Self> {
        let found = match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Target::Regular(linked(path), None)),
            found => found?,
        };
        if found.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        access(path, Access::WRITE_OK)?;
        for own in [io::stdout().as_fd(), io::stderr().as_fd()] {
            let own = File::from(own.try_clone_to_owned()?);
            let other = own.metadata()?;
            if (other.dev(), other.ino()) == (found.dev(), found.ino()) {
                return Ok(Target::Own(own));
            }
        }
        Ok(if found.is_file() { Target::Regular(path.canonicalize()?, Some(found)) } else { Target::Special })
    }
}

/// The end of a chain of links, which need not exist.
fn linked(path: &Path) -> PathBuf {
    const MOST: usize = 40;
    let mut end = path.to_path_buf();
    for _ in 0..MOST {
        let Ok(next) = fs::read_link(&end) else { break };
        end.pop();
        end.push(next);
    }
    end
}

/// A temporary file beside `path`. Creates the folder if it is missing.
fn temporary(path: &Path) -> Result<NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new(""));
    make_folder(folder)?;
    let name = path.file_name().with_context(|| format!("{} is not a file name", path.display()))?;
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let prefix = format!(".{}.", name.to_string_lossy());
    // The permissions of an ordinary new file; by default only the owner can read a temporary file.
    let permissions = fs::Permissions::from_mode(0o666);
    let mut builder = Builder::new();
    builder.prefix(&prefix).suffix(".tmp").rand_bytes(LETTERS).permissions(permissions);
    Ok(builder.tempfile_in(here)?)
}

/// Fails if `path` cannot be written. Long work asks this before it begins.
pub fn check(path: &Path) -> Result<()> {
    let target = Target::of(path).map_err(anyhow::Error::from);
    let checked = target.and_then(|target| match target {
        Target::Regular(path, _) => temporary(&path).map(drop),
        _ => Ok(()),
    });
    checked.with_context(|| format!("cannot write {}", path.display()))
}

pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let written = match Target::of(path) {
        Ok(Target::Regular(path, old)) => replace(&path, old, bytes),
        Ok(Target::Own(mut output)) => output.write_all(bytes).map_err(Into::into),
        Ok(Target::Special) => {
            OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(bytes)).map_err(Into::into)
        }
        Err(error) => Err(error.into()),
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Replaces a regular file. The new one has the permissions of the `old` one, and its owner if the system permits that.
fn replace(path: &Path, old: Option<Metadata>, bytes: &[u8]) -> Result<()> {
    let mut file = temporary(path)?;
    if let Some(old) = old {
        let _ = fchown(&file, Some(Uid::from_raw(old.uid())), Some(Gid::from_raw(old.gid())));
        file.as_file().set_permissions(old.permissions())?;
    }
    // The bytes are on the disk before the file replaces a good one.
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
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

pub fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    write(path, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/set.txt");
        write(&path, b"good").unwrap();
        check(&path).unwrap();
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
    fn a_link_is_followed_and_permissions_stay() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link, dangling, new] = ["file", "link", "dangling", "new"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("file", &link).unwrap();
        symlink("new", &dangling).unwrap();
        write(&link, b"new").unwrap();
        write(&dangling, b"new").unwrap();
        assert_eq!((fs::read(&file).unwrap(), fs::read(&new).unwrap()), (b"new".to_vec(), b"new".to_vec()));
        assert!(link.is_symlink() && dangling.is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
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
        fs::create_dir(folder.path().join("taken")).unwrap();
        assert!(write(&folder.path().join("taken"), b"").is_err());
        assert_eq!(names(folder.path()).len(), 2);
    }
}
