//! The folder of a run: `samples.csv`, flushed row by row, so that a run can be stopped at any moment and resumed.

use crate::lab::files::appended::{Added, Appended};
use crate::lab::files::rows::{self, Row, RowsOf};
use crate::lab::files::sample::{COLUMNS, FILE, SCHEMA_VERSION, Sample};
use crate::lab::files::whole_lines::WholeLines;
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
pub(crate) mod tests {
    use super::*;
    use crate::lab::files::sample::Status;
    use crate::lab::plan::table_state::TableState;
    use c4lab_solver::search::Goal;

    /// A row of variant `variant` on position `position_id`.
    pub(crate) fn sample(variant: &str, position_id: u64, wall_ns: u64, nodes: u64) -> Sample {
        Sample {
            schema_version: SCHEMA_VERSION,
            cell_id: format!("{variant}-{position_id}"),
            run_id: "r".to_string(),
            process: 1,
            machine_id: "m".to_string(),
            binary_sha256: "b".to_string(),
            git_rev: None,
            dirty: None,
            set: "s".to_string(),
            set_sha256: "d".to_string(),
            position_id,
            moves: Some("44".to_string()),
            ply: 2,
            geometry: "7x6/7".to_string(),
            variant: variant.to_string(),
            spec: "a=b,c=d".to_string(),
            goal: Goal::Strong,
            tt_bytes: 0,
            tt_state: TableState::Cold,
            threads: 1,
            repetition: 0,
            book: None,
            code: None,
            batch: Some(position_id as u32),
            block_order: 0,
            seed: 1,
            limit_ns: None,
            limit_nodes: None,
            status: Status::Ok,
            expected_score: Some(1),
            score: Some(1),
            nodes: Some(nodes),
            wall_ns: Some(wall_ns),
            cpu_ns: None,
            engine_nodes: None,
            engine_ns: None,
            started_at: "2026-11-20T00:00:00Z".to_string(),
            warnings: None,
        }
    }

    #[test]
    fn a_status_is_called_as_rows_have_it() {
        use Status::{Error, NodeLimit, Ok, Oom, Signal, Skipped, Timeout, Wrong};
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
