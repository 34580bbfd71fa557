//! Rows: the one reader of files with a header and one row a line. An error names the file, the line and the reason.

use crate::files::whole_lines::next_line;
use anyhow::{Context, Result, anyhow, bail};
use csv::{StringRecord, StringRecordsIntoIter};
use flate2::read::GzDecoder;
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

/// A kind of row. Its first column is the version of its columns.
pub trait Row: DeserializeOwned {
    /// What the rows are, in messages: `samples`.
    const WHAT: &'static str;
    /// The version of the columns; older ones are read too.
    const SCHEMA_VERSION: u32;
    /// Whether a file without a header is one without rows.
    const EMPTY_IS_NONE: bool = true;
}

/// The name of the first column.
const FIRST: &str = "schema_version";

/// The rows of a file, one after another.
pub struct RowsOf<'a, T> {
    file: PathBuf,
    header: StringRecord,
    /// The reader's line behind the header.
    start: u64,
    records: StringRecordsIntoIter<Box<dyn Read + 'a>>,
    kind: PhantomData<T>,
}

impl<'a, T: Row> RowsOf<'a, T> {
    /// The rows in the bytes of `file`, which need not be on disk.
    ///
    /// # Errors
    /// The header is not that of such rows.
    pub fn of(file: &Path, bytes: Box<dyn Read + 'a>) -> Result<Self> {
        let mut reader = csv::Reader::from_reader(bytes);
        let header = reader.headers().with_context(|| file.display().to_string())?.clone();
        let is_none = T::EMPTY_IS_NONE && header.is_empty();
        if !is_none && header.get(0) != Some(FIRST) {
            bail!("{}, line 1: not a header of {}", file.display(), T::WHAT);
        }
        let start = reader.position().line();
        Ok(RowsOf { file: file.to_path_buf(), header, start, records: reader.into_records(), kind: PhantomData })
    }

    /// The file that is read.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The line of the row that comes next, from 1.
    pub fn line(&self) -> u64 {
        next_line(self.records.reader(), self.start)
    }

    /// One row; an error is its reason.
    fn row(&self, record: &StringRecord) -> Result<T> {
        let version: u32 = record.get(0).unwrap_or_default().parse().context("the schema version is not a number")?;
        if version > T::SCHEMA_VERSION {
            bail!("schema version {version}; this c4lab reads up to {}", T::SCHEMA_VERSION);
        }
        Ok(record.deserialize(Some(&self.header))?)
    }
}

impl<T: Row> Iterator for RowsOf<'_, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let line = self.line();
        let record = self.records.next()?;
        let row = record.map_err(anyhow::Error::from).and_then(|record| self.row(&record));
        let at = format!("{}, line {line}", self.file.display());
        Some(row.map_err(|reason| anyhow!("{at}: {reason:#}")))
    }
}

/// The file of a folder that holds rows: `name`, or else `name.gz`.
pub fn file_of(folder: &Path, name: &str) -> PathBuf {
    let plain = folder.join(name);
    if plain.is_file() { plain } else { folder.join(format!("{name}.gz")) }
}

/// Opens a file of rows; what is packed is unpacked.
///
/// # Errors
/// It cannot be opened.
pub fn open(file: &Path) -> std::io::Result<Box<dyn BufRead>> {
    let bytes = BufReader::new(File::open(file)?);
    let is_packed = file.extension().is_some_and(|extension| extension == "gz");
    Ok(if is_packed { Box::new(BufReader::new(GzDecoder::new(bytes))) } else { Box::new(bytes) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Numbered {
        schema_version: u32,
        number: u64,
    }

    impl Row for Numbered {
        const WHAT: &'static str = "pairs";
        const SCHEMA_VERSION: u32 = 2;
    }

    fn read(text: &str) -> Result<Vec<u64>, String> {
        let rows = RowsOf::<Numbered>::of(Path::new("f.csv"), Box::new(text.as_bytes()));
        let rows = rows.and_then(|rows| rows.map(|row| Ok(row?.number)).collect::<Result<Vec<u64>>>());
        rows.map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn rows_of_this_version_and_of_older_ones_are_read() {
        assert_eq!(read("schema_version,number\n1,5\n2,6\n"), Ok(vec![5, 6]));
        assert_eq!(read("schema_version,more,number\n1,x,5\n"), Ok(vec![5]), "columns go by their names");
        assert_eq!((read("schema_version,number\n"), read("")), (Ok(vec![]), Ok(vec![])));
    }

    #[test]
    fn what_is_no_row_is_an_error_with_its_line() {
        let error = |text| read(text).unwrap_err();
        assert_eq!(error("hello\n1\n"), "f.csv, line 1: not a header of pairs");
        assert_eq!(
            error("schema_version,number\n1,5\n3,6\n"),
            "f.csv, line 3: schema version 3; this c4lab reads up to 2"
        );
        assert!(
            error("schema_version,number\r\n1,5\r\nx,6\r\n")
                .starts_with("f.csv, line 3: the schema version is not a number")
        );
        assert!(error("schema_version,number\n1,-5\n").starts_with("f.csv, line 2: CSV deserialize error"));
        assert!(error("schema_version,number\n1\n").starts_with("f.csv, line 2: CSV error"));
    }
}
