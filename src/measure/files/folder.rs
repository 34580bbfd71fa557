//! The folder of a run: `samples.csv` and the files beside it, flushed row by row, so that a run can be stopped at any
//! moment and resumed.

use crate::files::rows::{self, Row, RowReader, RowWriter};
use crate::files::sample::{FILE, PositionRow, ProcessRow, Sample, SampleRow, Sides, VariantRow};
use anyhow::{Context, Result, anyhow};
use std::io::Read;
use std::path::{Path, PathBuf};

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
