//! The folder of a run: `samples.csv`, flushed row by row, so that a run can be stopped at any moment and resumed.

use crate::files::appended::{Added, Appended};
use crate::files::rows::{self, Row, RowsOf};
use crate::files::sample::{COLUMNS, FILE, SCHEMA_VERSION, Sample};
use crate::files::whole_lines::WholeLines;
use anyhow::{Context, Result};
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// A folder that rows are added to. No other process adds to it meanwhile.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    samples: Appended<Sample>,
}

impl Folder {
    /// Opens or makes the folder, and gives back the rows that are there. A torn last line is dropped.
    pub fn open(path: &Path) -> Result<(Self, Vec<Sample>)> {
        let (samples, rows) = Appended::open(path)?;
        Ok((Folder { path: path.to_path_buf(), samples }, rows))
    }

    /// Where the folder is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds one row, in one write.
    pub fn add(&mut self, sample: &Sample) -> Result<()> {
        self.samples.add(sample)
    }
}

/// Samples, one after another.
pub type Rows = RowsOf<'static, Sample>;

impl Row for Sample {
    const WHAT: &'static str = "samples";
    const SCHEMA_VERSION: u32 = SCHEMA_VERSION;
    const EMPTY_IS_NONE: bool = false;
}

impl Added for Sample {
    const FILE: &'static str = FILE;
    const COLUMNS: &'static [&'static str] = &COLUMNS;
    const DOING: &'static str = "measuring";
}

impl Rows {
    /// Opens the file of a folder, `samples.csv` or `samples.csv.gz`; a torn last line is dropped.
    pub fn open(folder: &Path) -> Result<Self> {
        let file = rows::file_of(folder, FILE);
        let bytes = rows::open(&file).with_context(|| format!("no samples in {}", folder.display()))?;
        Self::read(&file, bytes)
    }

    /// The rows in the bytes of `file`, which need not be on disk. A torn last line is dropped.
    pub fn read(file: &Path, bytes: impl BufRead + 'static) -> Result<Self> {
        Self::of(file, Box::new(WholeLines::new(bytes)))
    }
}

/// Reads all rows of a folder.
pub fn read_samples(folder: &Path) -> Result<Vec<Sample>> {
    Rows::open(folder)?.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::sample;

    #[test]
    fn a_status_is_called_as_rows_have_it() {
        use crate::files::sample::Status::{Error, NodeLimit, Ok, Oom, Signal, Skipped, Timeout, Wrong};
        for status in [Ok, Wrong, Timeout, NodeLimit, Oom, Signal, Error, Skipped] {
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
    }

    #[test]
    fn rows_are_read_back_and_a_torn_line_is_dropped() {
        let place = tempfile::tempdir().unwrap();
        let rows = [sample("a", 1, 10, 5), sample("b", 1, 20, 6)];
        {
            let (mut folder, old) = Folder::open(place.path()).unwrap();
            assert!(old.is_empty());
            rows.iter().for_each(|row| folder.add(row).unwrap());
        }
        assert_eq!(read_samples(place.path()).unwrap(), rows);
        let file = place.path().join("samples.csv");
        let whole = std::fs::read(&file).unwrap();
        let header = whole.iter().position(|&byte| byte == b'\n').unwrap();
        for cut in header + 1..whole.len() {
            std::fs::write(&file, &whole[..cut]).unwrap();
            let kept = whole[..cut].iter().filter(|&&byte| byte == b'\n').count() - 1;
            assert_eq!(read_samples(place.path()).unwrap().len(), kept);
            let (mut folder, old) = Folder::open(place.path()).unwrap();
            assert_eq!(old, rows[..kept]);
            folder.add(&rows[1]).unwrap();
            drop(folder);
            assert_eq!(read_samples(place.path()).unwrap().len(), kept + 1);
        }
        // A torn header is a new file.
        std::fs::write(&file, &whole[..header / 2]).unwrap();
        assert!(Folder::open(place.path()).unwrap().1.is_empty());
        assert!(read_samples(place.path()).unwrap().is_empty());
    }

    #[test]
    fn the_header_is_the_columns() {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.serialize(sample("a", 1, 1, 1)).unwrap();
        let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        assert_eq!(text.lines().next().unwrap(), COLUMNS.join(","));
    }

    #[test]
    fn what_is_no_row_is_an_error_with_its_line() {
        let place = tempfile::tempdir().unwrap();
        let (mut folder, _) = Folder::open(place.path()).unwrap();
        folder.add(&sample("a", 1, 10, 5)).unwrap();
        folder.add(&Sample { schema_version: SCHEMA_VERSION + 1, ..sample("a", 2, 10, 5) }).unwrap();
        drop(folder);
        let error = format!("{:#}", read_samples(place.path()).unwrap_err());
        assert!(error.contains("samples.csv, line 3: schema version 3"), "{error}");
        // A file that an editor gave other line ends has the same lines.
        let file = place.path().join("samples.csv");
        let text = std::fs::read_to_string(&file).unwrap().replace('\n', "\r\n");
        std::fs::write(&file, text).unwrap();
        let error = format!("{:#}", read_samples(place.path()).unwrap_err());
        assert!(error.contains("samples.csv, line 3: schema version 3"), "{error}");
        std::fs::write(place.path().join("samples.csv"), "hello\nworld\n").unwrap();
        let error = format!("{:#}", read_samples(place.path()).unwrap_err());
        assert!(error.contains("line 1: not a header"), "{error}");
    }

    #[test]
    fn one_process_measures_into_a_folder() {
        let place = tempfile::tempdir().unwrap();
        let first = Folder::open(place.path()).unwrap();
        assert!(Folder::open(place.path()).unwrap_err().to_string().contains("another c4lab"));
        drop(first);
        assert!(Folder::open(place.path()).is_ok());
    }
}
