//! Watching `samples.csv` from outside: what was written whole stays as it is, and nothing else is taken for a row.

use anyhow::{Context, Result, ensure};
use c4lab_measure::files::folder::read_samples;
use c4lab_measure::files::sample::Status;
use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

/// The rows of a folder, as they were when it was looked at last.
#[derive(Debug)]
pub(crate) struct Watch {
    folder: PathBuf,
    /// The whole lines of the file.
    lines: Vec<u8>,
    /// What stood behind them, torn.
    rest: Vec<u8>,
    /// Rows among them.
    pub(crate) rows: usize,
    /// Lines that were found torn, each counted once.
    pub(crate) torn: usize,
}

impl Watch {
    /// Watches a folder in which nothing is yet.
    pub(crate) fn new(folder: &Path) -> Self {
        Watch { folder: folder.to_path_buf(), lines: Vec::new(), rest: Vec::new(), rows: 0, torn: 0 }
    }

    fn file(&self) -> PathBuf {
        self.folder.join("samples.csv")
    }

    /// Bytes of the file.
    pub(crate) fn bytes(&self) -> u64 {
        fs::metadata(self.file()).map_or(0, |file| file.len())
    }

    /// Looks at the file after a stop.
    ///
    /// # Errors
    /// A line that was whole at the last look is gone or differs; a row stands twice; the program's own reader sees other rows than
    /// the whole lines, or one that is not the right answer.
    pub(crate) fn look(&mut self) -> Result<()> {
        let bytes = fs::read(self.file()).unwrap_or_default();
        let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let (lines, rest) = bytes.split_at(end);
        self.torn += usize::from(!rest.is_empty() && rest != self.rest);
        ensure!(lines.starts_with(&self.lines), "of {} rows some are gone, or not as they were", self.rows);
        let whole = lines.iter().filter(|&&byte| byte == b'\n').count().saturating_sub(1);
        // Without a header there is nothing to read yet.
        let rows =
            if end == 0 { Vec::new() } else { read_samples(&self.folder).context("a folder that was stopped")? };
        ensure!(rows.len() == whole, "{} rows are read, {whole} were written whole", rows.len());
        let ids: HashSet<&str> = rows.iter().map(|row| row.cell_id.as_str()).collect();
        ensure!(ids.len() == whole, "of {whole} rows {} stand twice", whole - ids.len());
        let odd = rows.iter().position(|row| row.status != Status::Ok || row.wall_ns.is_none());
        ensure!(odd.is_none(), "row {odd:?} is no answer");
        (self.lines, self.rest, self.rows) = (lines.to_vec(), rest.to_vec(), whole);
        Ok(())
    }

    /// Tears the last row, as a power cut may: `lost` of its bytes go. It is to be measured again.
    pub(crate) fn tear(&mut self, lost: impl FnOnce(usize) -> usize) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let end = self.lines.len() - 1;
        let start = self.lines[..end].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let lost = 1 + lost(end - start);
        OpenOptions::new().write(true).open(self.file())?.set_len((self.lines.len() - lost) as u64)?;
        self.lines.truncate(start);
        self.rows -= 1;
        self.look()
    }
}
