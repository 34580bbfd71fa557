//! A disk that fills up: for real, or played by a limit on the size of files.

use anyhow::{Context, Result, ensure};
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Bytes of ballast after which a file system is not small.
const MOST_BALLAST: u64 = 1 << 30;

/// How a disk fills up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    /// No file may grow beyond a size.
    Limit,
    /// The file system is filled, but for some bytes.
    Disk,
}

impl Fill {
    /// Runs a command while the file that it adds to, of so many `bytes`, has `room` for about so many more.
    pub(crate) fn run(self, command: &Command, folder: &Path, bytes: u64, room: u64) -> Result<Output> {
        match self {
            Fill::Limit => {
                // In units of 1024 bytes.
                let limit = (bytes + room).div_ceil(1024);
                let mut limited = Command::new("bash");
                limited.args(["-c", &format!("ulimit -f {limit}; exec \"$0\" \"$@\"")]);
                limited.arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
                limited.output().context("bash")
            }
            Fill::Disk => {
                let _ballast = Ballast::fill(&folder.with_extension("ballast"), room)?;
                let mut command = copy(command);
                command.output().context("the program")
            }
        }
    }
}

/// The same command once more.
pub(crate) fn copy(command: &Command) -> Command {
    let mut copy = Command::new(command.get_program());
    copy.args(command.get_args()).stdin(Stdio::null());
    copy
}

/// A file that leaves little room beside it; dropped, the room is there again.
struct Ballast(PathBuf);

impl Ballast {
    fn fill(path: &Path, room: u64) -> Result<Self> {
        let mut file = File::create(path).with_context(|| path.display().to_string())?;
        let ballast = Ballast(path.to_path_buf());
        let (block, mut written) = (vec![0x5a; 64 << 10], 0u64);
        loop {
            match file.write(&block) {
                Ok(count) => written += count as u64,
                Err(error) if error.kind() == ErrorKind::StorageFull => break,
                Err(error) => return Err(error).with_context(|| path.display().to_string()),
            }
            ensure!(written < MOST_BALLAST, "{}: not on a small file system", path.display());
        }
        file.set_len(written.saturating_sub(room))?;
        Ok(ballast)
    }
}

impl Drop for Ballast {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
