//! A file that rows are added to: locked while somebody does, flushed row by row, read again when the work goes on.

use crate::files::rows::{Row, RowsOf};
use crate::files::whole_lines::{self, WholeLines};
use crate::files::{atomic, manifest};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufReader, Read, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// A kind of row that is added one by one.
pub trait Added: Row + Serialize {
    /// The name of the file in its folder.
    const FILE: &'static str;
    /// The header.
    const COLUMNS: &'static [&'static str];
    /// What a process does that adds such rows, in messages: `measuring`.
    const DOING: &'static str;
}

/// How often a locked file is tried again, a hundredth of a second later.
const PATIENCE: u32 = 20;

/// The file of a folder that rows are added to.
#[derive(Debug)]
pub struct Appended<T> {
    path: PathBuf,
    file: File,
    kind: PhantomData<T>,
}

impl<T: Added> Appended<T> {
    /// Opens or makes the file, and the folder, and gives back the rows that are there. A torn last line is dropped.
    ///
    /// # Errors
    /// It cannot be written, somebody else adds rows to it, or it holds something else.
    pub fn open(folder: &Path) -> Result<(Self, Vec<T>)> {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let path = folder.join(T::FILE);
        if path.exists() && !path.is_file() {
            bail!("{}: not a file", path.display());
        }
        let cannot = || format!("cannot write {}", path.display());
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path).with_context(cannot)?;
        // A file system without locks is trusted.
        let is_locked = || matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        let mut patience = PATIENCE;
        while is_locked() {
            // A program that this process starts has the lock too, until it has become itself.
            if patience == 0 {
                bail!("{}: another c4lab is {} into this folder", folder.display(), T::DOING);
            }
            sleep(Duration::from_millis(10));
            patience -= 1;
        }
        // Written by nobody but the holder of this lock.
        atomic::sweep(&folder.join(manifest::FILE));
        let (length, mut whole) = (file.metadata().with_context(cannot)?.len(), Vec::new());
        let read = WholeLines::new(BufReader::new(&file)).read_to_end(&mut whole);
        read.with_context(|| format!("cannot read {}", path.display()))?;
        if (whole.len() as u64) < length {
            file.set_len(whole.len() as u64).with_context(cannot)?;
        }
        let rows = if whole.is_empty() {
            Vec::new()
        } else {
            RowsOf::of(&path, Box::new(whole.as_slice()))?.collect::<Result<_>>()?
        };
        // Rows with other columns below that header could not be read again.
        let header = whole.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let header = header.strip_suffix(b"\r").unwrap_or(header);
        if !whole.is_empty() && header != T::COLUMNS.join(",").as_bytes() {
            bail!(
                "{}, line 1: other columns than this version of c4lab writes; take another folder, or go on with the version that began it",
                path.display()
            );
        }
        let mut appended = Appended { path, file, kind: PhantomData };
        if whole.is_empty() {
            appended.write(format!("{}\n", T::COLUMNS.join(",")).as_bytes())?;
        }
        Ok((appended, rows))
    }

    /// Adds one row, in one write.
    ///
    /// # Errors
    /// It cannot be written, or a field holds a line end.
    pub fn add(&mut self, row: &T) -> Result<()> {
        self.write(&whole_lines::line(row)?)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let write = self.file.write_all(bytes).and_then(|()| self.file.flush());
        write.with_context(|| format!("cannot write {}", self.path.display()))
    }
}
