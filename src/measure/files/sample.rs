//! The sample, one measured cell, and the folder of samples. docs/FORMAT.md describes every column.
//!
//! On disk it is a row of `samples.csv`, of some 100 bytes. Values that many rows share are kept once, in three files
//! beside it that are joined by name:
//!
//! ```text
//! samples.csv     process  set  position_id  variant  goal  repetition ...  status  score  nodes  wall_ns ...
//!                    |       \      /           |
//! processes.csv   process     |   |             |            machine, binary, seed, limits, clock's resolution
//! variants.csv    process ----|---|---------- variant        spec, geometry, table, threads, code, clock
//! positions.csv              set position_id                 digest of the set, moves, expected score
//! ```
//!
//! In memory a [`Sample`] is joined already. A [`Folder`] adds rows one by one and flushes each, so that a run can be
//! stopped at any moment and resumed.

use crate::engines::table::EngineClock;
use crate::files::rows::{self, Row, RowReader, RowWriter};
use crate::plan::Code;
use crate::plan::experiment::TableState;
use anyhow::{Context, Result, anyhow, bail, ensure};
use c4lab_solver::search::Goal;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The version of the columns below, and the only version that is read.
pub const SCHEMA_VERSION: u32 = 3;

pub const READS_OLDER: &str = "cf8c828";

pub const FILE: &str = "samples.csv";

/// The mark of a row whose search was paused: its wall time is far above its processor time, or it took more than
/// `MOST_PAUSE` times the usual time of the variant's searches of as many nodes.
pub const PAUSED: &str = "paused";
/// The marks of rows that were measured again, since a search of their block was paused. They fill no cell.
pub const VOID: [&str; 2] = ["paused, measured again", "beside a pause, measured again"];
pub const MOST_PAUSE: f64 = 20.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    #[default]
    Ok,
    Wrong,
    Timeout,
    NodeLimit,
    Oom,
    Signal,
    Error,
    Skipped,
}

impl Status {
    pub fn is_limited(self) -> bool {
        matches!(self, Status::Timeout | Status::NodeLimit)
    }

    /// An error if the row of a right answer has another score than the one of `goal` that is expected.
    pub fn check(self, goal: Goal, score: Option<i32>, expected: Option<i32>) -> Result<()> {
        let Some(expected) = expected.map(|expected| goal.of(expected)) else { return Ok(()) };
        ensure!(
            self != Status::Ok || score == Some(expected),
            "status ok, but the score is not the expected {expected}"
        );
        Ok(())
    }
}

/// Makes [`Sample`] of all columns, and for each file a row of its columns. The columns in parentheses are those of other
/// files, by which a row refers to them. A column is named like its field, or as its literal says.
macro_rules! sample_columns {
    ($( $file:ident: $row:ident $(($( $key:ident: $key_type:ty $(= $key_name:literal)? ),+))? {
        $( $(#[$about:meta])* $column:ident: $type:ty $(= $name:literal)?, )+
    } )+) => {
        /// One measured cell. Integers are in base units; `None` is an empty field: not available.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Sample {
            $( $( $(#[$about])* pub $column: $type, )+ )+
        }

        impl Sample {
            fn joined($( $file: &$row ),+) -> Self {
                Sample { $( $( $column: $file.$column.clone(), )+ )+ }
            }
        }

        $(
            #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
            pub struct $row {
                $($( $(#[serde(rename = $key_name)])? $key: $key_type, )+)?
                $( $(#[serde(rename = $name)])? $column: $type, )+
            }

            impl From<&Sample> for $row {
                fn from(sample: &Sample) -> Self {
                    $row { $($( $key: sample.$key.clone(), )+)? $( $column: sample.$column.clone(), )+ }
                }
            }
        )+
    };
}

sample_columns! {
    process: ProcessRow {
        schema_version: u32,
        /// Identifier of the process, unique over all machines.
        run_id: String = "process",
        process: u32 = "number",
        machine_id: String,
        binary_sha256: String,
        git_rev: Option<String>,
        dirty: Option<bool>,
        seed: u64,
        limit_ns: Option<u64>,
        limit_nodes: Option<u64>,
        /// Resolution of the clock in nanoseconds.
        resolution_ns: u64,
    }

    variant: VariantRow(run_id: String = "process") {
        variant: String,
        spec: String,
        geometry: String,
        tt_bytes: u64,
        tt_state: TableState,
        threads: u32,
        book: Option<u32>,
        code: Option<Code>,
        clock: EngineClock,
        /// True for a dynamic variant, whose times are compared only with those of other dynamic variants.
        dynamic: bool,
    }

    position: PositionRow {
        set: String,
        position_id: u64,
        set_sha256: String,
        ply: u32,
        moves: Option<String>,
        expected_score: Option<i32>,
    }

    cell: SampleRow(run_id: String = "process", set: String, position_id: u64, variant: String) {
        goal: Goal,
        repetition: u32,
        batch: u32,
        block_order: u32,
        status: Status,
        score: Option<i32>,
        nodes: Option<u64>,
        wall_ns: Option<u64>,
        cpu_ns: Option<u64>,
        engine_nodes: Option<u64>,
        engine_ns: Option<u64>,
        started_at: String,
        /// The reason of a failure, or a remark: on a pause, or that the search was not pinned.
        marks: Option<String>,
    }
}

/// Identifies a cell: set, line, variant, goal, number of the process, repetition.
pub type CellKey<'a> = (&'a str, u64, &'a str, Goal, u32, u32);

impl Sample {
    /// The pass over the set: its process, from 1, and its repetition, from 0.
    pub fn pass(&self) -> (u32, u32) {
        (self.process, self.repetition)
    }

    /// True if the cell was measured again, and this row fills none.
    pub fn is_void(&self) -> bool {
        self.marks.as_deref().is_some_and(|marks| VOID.contains(&marks))
    }

    /// The search of a row, without process and repetition. Rows of equal subject must have equal nodes.
    pub fn subject(&self) -> (&str, u64, &str, Goal, u64) {
        (&self.set_sha256, self.position_id, &self.variant, self.goal, self.tt_bytes)
    }

    pub fn cell(&self) -> CellKey<'_> {
        (&self.set_sha256, self.position_id, &self.variant, self.goal, self.process, self.repetition)
    }
}

impl Row for SampleRow {
    const FILE: &'static str = FILE;

    fn other(header: &csv::StringRecord) -> Option<String> {
        // Schema 1 repeated short searches in place.
        let is_older = header.get(0) == Some("schema_version") && header.get(1) == Some("cell_id");
        let version = if header.iter().any(|column| column == "inner_repetitions") { 1 } else { 2 };
        is_older.then(|| {
            format!(
                "rows of schema {version}; this c4lab reads only schema {SCHEMA_VERSION}; c4lab at revision {READS_OLDER} reads them"
            )
        })
    }
}

crate::row!(ProcessRow, "processes.csv", SCHEMA_VERSION);

crate::row!(VariantRow, "variants.csv");

crate::row!(PositionRow, "positions.csv");

/// The rows of the side files, by the names that samples refer to.
#[derive(Clone, Debug, Default)]
pub struct Sides {
    processes: HashMap<String, ProcessRow>,
    variants: HashMap<String, HashMap<String, VariantRow>>,
    positions: HashMap<String, HashMap<u64, PositionRow>>,
}

impl Sides {
    pub fn of(processes: Vec<ProcessRow>, variants: Vec<VariantRow>, positions: Vec<PositionRow>) -> Result<Self> {
        let mut sides = Sides::default();
        processes.iter().try_for_each(|row| sides.add_process(row).map(drop))?;
        variants.iter().try_for_each(|row| sides.add_variant(row).map(drop))?;
        positions.iter().try_for_each(|row| sides.add_position(row).map(drop))?;
        Ok(sides)
    }

    /// Adds the rows to which `sample` refers, and returns those that are new.
    pub(super) fn add(
        &mut self,
        sample: &Sample,
    ) -> Result<(Option<ProcessRow>, Option<VariantRow>, Option<PositionRow>)> {
        let (process, variant, position) = (sample.into(), sample.into(), sample.into());
        let is_new = (self.add_process(&process)?, self.add_variant(&variant)?, self.add_position(&position)?);
        Ok((is_new.0.then_some(process), is_new.1.then_some(variant), is_new.2.then_some(position)))
    }

    fn add_process(&mut self, row: &ProcessRow) -> Result<bool> {
        let name = || format!("process {}", row.run_id);
        is_new(self.processes.entry(row.run_id.clone()), row).with_context(name)
    }

    fn add_variant(&mut self, row: &VariantRow) -> Result<bool> {
        let name = || format!("{} of process {}", row.variant, row.run_id);
        let variants = self.variants.entry(row.run_id.clone()).or_default();
        is_new(variants.entry(row.variant.clone()), row).with_context(name)
    }

    fn add_position(&mut self, row: &PositionRow) -> Result<bool> {
        let name = || format!("position {} of {}", row.position_id, row.set);
        let positions = self.positions.entry(row.set.clone()).or_default();
        is_new(positions.entry(row.position_id), row).with_context(name)
    }

    pub fn join(&self, cell: &SampleRow) -> Result<Sample> {
        let SampleRow { run_id, variant, set, position_id, .. } = cell;
        let process = self.processes.get(run_id);
        let process = process.with_context(|| format!("process {run_id} is not in {}", ProcessRow::FILE))?;
        let variant_row = self.variants.get(run_id).and_then(|variants| variants.get(variant));
        let variant_row =
            variant_row.with_context(|| format!("{variant} of process {run_id} is not in {}", VariantRow::FILE))?;
        let position = self.positions.get(set).and_then(|positions| positions.get(position_id));
        let position =
            position.with_context(|| format!("position {position_id} of {set} is not in {}", PositionRow::FILE))?;
        cell.status.check(cell.goal, cell.score, position.expected_score)?;
        Ok(Sample::joined(process, variant_row, position, cell))
    }
}

/// Adds `row` to a vacant `entry`. True if it was vacant.
fn is_new<K, V: Clone + PartialEq>(entry: Entry<'_, K, V>, row: &V) -> Result<bool> {
    match entry {
        Entry::Occupied(known) if known.get() != row => bail!("two lines about it differ"),
        Entry::Occupied(_) => Ok(false),
        Entry::Vacant(free) => {
            free.insert(row.clone());
            Ok(true)
        }
    }
}

/// A folder that is open for new rows. Its lock keeps other processes from adding rows.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    samples: RowWriter<SampleRow>,
    processes: RowWriter<ProcessRow>,
    variants: RowWriter<VariantRow>,
    positions: RowWriter<PositionRow>,
    sides: Sides,
}

impl Folder {
    /// Opens or creates the folder, and returns its rows. A torn last line is dropped.
    pub fn open(path: &Path) -> Result<(Self, Vec<Sample>)> {
        let (samples, rows) = RowWriter::open(path)?;
        let (processes, known_processes) = RowWriter::open(path)?;
        let (variants, known_variants) = RowWriter::open(path)?;
        let (positions, known_positions) = RowWriter::open(path)?;
        let place = || path.display().to_string();
        let sides = Sides::of(known_processes, known_variants, known_positions).with_context(place)?;
        let rows = rows.iter().map(|row| sides.join(row)).collect::<Result<_>>().with_context(place)?;
        Ok((Folder { path: path.to_path_buf(), samples, processes, variants, positions, sides }, rows))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds one row, in one write, after the lines of the side files to which it refers.
    pub fn add(&mut self, sample: &Sample) -> Result<()> {
        let (process, variant, position) = self.sides.add(sample)?;
        process.map(|row| self.processes.add(&row)).transpose()?;
        variant.map(|row| self.variants.add(&row)).transpose()?;
        position.map(|row| self.positions.add(&row)).transpose()?;
        self.samples.add(&sample.into())
    }
}

pub struct Rows {
    rows: RowReader<SampleRow>,
    sides: Sides,
}

impl Rows {
    /// Opens the files of `folder`, compressed or not; a torn last line is dropped.
    pub fn open(folder: &Path) -> Result<Self> {
        let file = rows::file_of(folder, FILE);
        let bytes = rows::open(&file).with_context(|| format!("no samples in {}", folder.display()))?;
        // Before the side files, because another process may add lines: those of a sample come before the sample.
        let rows = RowReader::of(&file, bytes)?;
        let sides = Sides::of(rows::read(folder)?, rows::read(folder)?, rows::read(folder)?)?;
        Ok(Rows { rows, sides })
    }

    /// The rows in the bytes of `file`, which need not be on disk. A torn last line is dropped.
    pub fn read(file: &Path, bytes: impl Read, sides: Sides) -> Result<Self> {
        Ok(Rows { rows: RowReader::of(file, bytes)?, sides })
    }

    pub fn file(&self) -> &Path {
        self.rows.file()
    }

    pub fn line(&self) -> u64 {
        self.rows.line()
    }
}

impl Iterator for Rows {
    type Item = Result<Sample>;

    fn next(&mut self) -> Option<Result<Sample>> {
        let line = self.line();
        let joined = self.rows.next()?.and_then(|row| {
            let joined = self.sides.join(&row);
            joined.map_err(|reason| anyhow!("{}, line {line}: {reason:#}", self.file().display()))
        });
        Some(joined)
    }
}

pub fn read_samples(folder: &Path) -> Result<Vec<Sample>> {
    Rows::open(folder)?.collect()
}

/// The names and contents of the files of a folder that holds `samples`, in the order of writing: side files first.
pub fn files_of(samples: impl Iterator<Item = Result<Sample>>) -> Result<[(&'static str, Vec<u8>); 4]> {
    let mut sides = Sides::default();
    let (mut processes, mut variants, mut positions, mut rows) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for sample in samples {
        let sample = sample?;
        let (process, variant, position) = sides.add(&sample)?;
        processes.extend(process);
        variants.extend(variant);
        positions.extend(position);
        rows.push(SampleRow::from(&sample));
    }
    Ok([
        (ProcessRow::FILE, rows::bytes(&processes)?),
        (VariantRow::FILE, rows::bytes(&variants)?),
        (PositionRow::FILE, rows::bytes(&positions)?),
        (SampleRow::FILE, rows::bytes(&rows)?),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::sample;

    #[test]
    fn rows_are_read_back_and_a_torn_line_is_dropped() {
        let place = tempfile::tempdir().unwrap();
        let rows = [sample("a", 1, 10, 5), sample("b", 1, 20, 6)];
        {
            let (mut folder, old) = Folder::open(place.path()).unwrap();
            assert!(old.is_empty());
            assert!(
                Folder::open(place.path()).unwrap_err().to_string().contains("another c4lab"),
                "one process writes"
            );
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
        // A file with a torn header counts as new.
        std::fs::write(&file, &whole[..header / 2]).unwrap();
        assert!(Folder::open(place.path()).unwrap().1.is_empty());
        assert!(read_samples(place.path()).unwrap().is_empty());
    }

    #[test]
    fn what_is_no_row_is_an_error_with_its_line() {
        let place = tempfile::tempdir().unwrap();
        let (mut folder, _) = Folder::open(place.path()).unwrap();
        (1..=2).for_each(|id| folder.add(&sample("a", id, 10, 5)).unwrap());
        drop(folder);
        let error = || format!("{:#}", read_samples(place.path()).unwrap_err());
        let [samples, processes, variants] =
            [FILE, ProcessRow::FILE, VariantRow::FILE].map(|file| place.path().join(file));
        let good = std::fs::read_to_string(&samples).unwrap();
        std::fs::write(&samples, good.replacen(",2,a,", ",two,a,", 1)).unwrap();
        assert!(error().contains("samples.csv, line 3: "), "{}", error());
        // Other line ends, as from an editor, do not change the line numbers.
        std::fs::write(&samples, good.replacen(",2,a,", ",two,a,", 1).replace('\n', "\r\n")).unwrap();
        assert!(error().contains("samples.csv, line 3: "), "{}", error());
        std::fs::write(&samples, &good).unwrap();
        let known = std::fs::read_to_string(&variants).unwrap();
        std::fs::write(&variants, known.replacen(",a,", ",b,", 1)).unwrap();
        assert!(error().contains("samples.csv, line 2: a of process r is not in variants.csv"), "{}", error());
        let known = std::fs::read_to_string(&processes).unwrap();
        std::fs::write(&processes, known.replacen("\n3,", "\n4,", 1)).unwrap();
        assert!(error().contains("processes.csv, line 2: schema version 4; this c4lab reads up to 3"), "{}", error());
        std::fs::write(&samples, "hello\nworld\n").unwrap();
        assert!(error().contains("line 1: not a header of samples"), "{}", error());
    }

    #[test]
    fn older_rows_are_refused_with_the_revision_that_reads_them() {
        let place = tempfile::tempdir().unwrap();
        for (columns, version) in [("machine_id,inner_repetitions", 1), ("process,batch", 2)] {
            let text = format!("schema_version,cell_id,{columns}\n{version},1,2,3\n");
            std::fs::write(place.path().join(FILE), text).unwrap();
            for error in [read_samples(place.path()).unwrap_err(), Folder::open(place.path()).unwrap_err()] {
                let error = format!("{error:#}");
                assert!(error.contains(&format!("rows of schema {version};")) && error.contains("cf8c828"), "{error}");
            }
        }
    }

    #[test]
    fn what_is_the_same_for_many_rows_stands_once() {
        let place = tempfile::tempdir().unwrap();
        let (mut folder, _) = Folder::open(place.path()).unwrap();
        let rows: Vec<Sample> = (1..=3).flat_map(|id| ["a", "b"].map(|name| sample(name, id, 10, 5))).collect();
        rows.iter().for_each(|row| folder.add(row).unwrap());
        let other = Sample { spec: "other".to_string(), ..sample("a", 4, 10, 5) };
        assert!(format!("{:#}", folder.add(&other).unwrap_err()).contains("a of process r: two lines about it differ"));
        let lines = |file: &str| std::fs::read_to_string(place.path().join(file)).unwrap().lines().count() - 1;
        assert_eq!([ProcessRow::FILE, VariantRow::FILE, PositionRow::FILE, FILE].map(lines), [1, 2, 3, 6]);
        let files = files_of(rows.into_iter().map(Ok)).unwrap();
        assert!(files.iter().all(|(file, bytes)| std::fs::read(place.path().join(file)).unwrap() == *bytes));
    }
}
