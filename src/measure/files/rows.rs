//! Rows of CSV files. They are read one by one, and added one by one, each flushed.
//!
//! A row is one line. A reader stops after the last complete line, so that a line torn by a killed process is not read.

use crate::files::{atomic, manifest};
use anyhow::{Context, Result, anyhow, bail};
use csv::{StringRecord, StringRecordsIntoIter};
use flate2::bufread::MultiGzDecoder;
use serde::de::value::Error as Refused;
use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use serde::{Serialize, forward_to_deserialize_any};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Cursor, Read, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

/// A kind of row. Its columns are the fields of its struct.
pub trait Row: DeserializeOwned {
    const FILE: &'static str;
    /// The version in the first column; older versions are read too. `None` if another file of the folder has the
    /// version: then the header must be exactly these columns.
    const VERSION: Option<u32> = None;
    /// The place of row number `index`, from 0, for a message.
    fn place(folder: &Path, index: usize) -> String {
        format!("{}, line {}", folder.join(Self::FILE).display(), index + 2)
    }

    /// The message about a known header of another version.
    fn other(_: &StringRecord) -> Option<String> {
        None
    }
}

/// `row!(Name, file)`, or `row!(Name, file, version)`: the struct `Name` is the [`Row`] of that file.
#[macro_export]
macro_rules! row {
    ($name:ty, $file:expr $(, $version:expr)?) => {
        impl $crate::files::rows::Row for $name {
            const FILE: &'static str = $file;
            $(const VERSION: Option<u32> = Some($version);)?
        }
    };
}

const FIRST: &str = "schema_version";

/// The columns of a kind of row, as serde reads the fields of its struct.
pub fn columns<T: DeserializeOwned>() -> &'static [&'static str] {
    struct FieldNames<'a>(&'a mut &'static [&'static str]);

    impl<'de> Deserializer<'de> for FieldNames<'_> {
        type Error = Refused;

        fn deserialize_struct<V: Visitor<'de>>(
            self,
            _: &'static str,
            fields: &'static [&'static str],
            _: V,
        ) -> Result<V::Value, Refused> {
            *self.0 = fields;
            Err(Refused::custom("only the fields are needed"))
        }

        fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Refused> {
            Err(Refused::custom("not a struct"))
        }

        forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
            newtype_struct seq tuple tuple_struct map enum identifier ignored_any
        }
    }

    let mut fields: &'static [&'static str] = &[];
    let _ = T::deserialize(FieldNames(&mut fields));
    fields
}

pub struct RowReader<T> {
    file: PathBuf,
    header: StringRecord,
    start: u64,
    records: StringRecordsIntoIter<Cursor<Vec<u8>>>,
    kind: PhantomData<T>,
}

impl<T: Row> RowReader<T> {
    /// The rows in the `bytes` of `file`, which need not be on disk. A torn last line is dropped.
    pub fn of(file: &Path, bytes: impl Read) -> Result<Self> {
        let lines = whole_lines(bytes).with_context(|| format!("cannot read {}", file.display()))?;
        let mut reader = csv::Reader::from_reader(Cursor::new(lines));
        let header = reader.headers().with_context(|| file.display().to_string())?.clone();
        let fits = match T::VERSION {
            Some(_) => header.get(0) == Some(FIRST),
            None => header.iter().eq(columns::<T>().iter().copied()),
        };
        if !header.is_empty() && !fits {
            let reason = T::other(&header).unwrap_or_else(|| format!("not a header of {}", T::FILE));
            bail!("{}, line 1: {reason}", file.display());
        }
        let start = reader.position().line();
        Ok(RowReader { file: file.to_path_buf(), header, start, records: reader.into_records(), kind: PhantomData })
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The line, from 1, of the next row. A reader stops inside a line end of two characters; `start` corrects for it.
    pub fn line(&self) -> u64 {
        self.records.reader().position().line() + 2 - self.start
    }

    fn row(&self, record: &StringRecord) -> Result<T> {
        if let Some(known) = T::VERSION {
            let version = record.get(0).unwrap_or_default().parse();
            let version: u32 = version.context("the schema version is not a number")?;
            if version > known {
                bail!("schema version {version}; this c4lab reads up to {known}");
            }
        }
        // A row is one line.
        if record.iter().any(|field| field.contains('\n')) {
            bail!("a quotation mark without its partner");
        }
        Ok(record.deserialize(Some(&self.header))?)
    }
}

impl<T: Row> Iterator for RowReader<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        let line = self.line();
        let record = self.records.next()?;
        let row = record.map_err(anyhow::Error::from).and_then(|record| self.row(&record));
        let at = format!("{}, line {line}", self.file.display());
        Some(row.map_err(|reason| anyhow!("{at}: {reason:#}")))
    }
}

/// The file `name` of `folder`, or else `name.gz`.
pub fn file_of(folder: &Path, name: &str) -> PathBuf {
    let plain = folder.join(name);
    if plain.is_file() { plain } else { folder.join(format!("{name}.gz")) }
}

/// The bytes of `file`, decompressed if its name ends in `.gz`.
pub fn open(file: &Path) -> io::Result<Box<dyn Read>> {
    let bytes = BufReader::new(File::open(file)?);
    let is_packed = file.extension().is_some_and(|extension| extension == "gz");
    Ok(if is_packed { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) })
}

pub fn header<T: Row>() -> Vec<u8> {
    format!("{}\n", columns::<T>().join(",")).into_bytes()
}

/// Reads all rows of `folder`, from the plain or the compressed file; a torn last line is dropped.
pub fn read<T: Row>(folder: &Path) -> Result<Vec<T>> {
    let file = file_of(folder, T::FILE);
    parse(&file, open(&file).with_context(|| format!("no {} in {}", T::FILE, folder.display()))?)
}

pub fn read_any<T: Row>(folder: &Path) -> Result<Vec<T>> {
    if file_of(folder, T::FILE).is_file() { read(folder) } else { Ok(Vec::new()) }
}

pub fn write<T: Row + Serialize>(folder: &Path, rows: &[T]) -> Result<()> {
    atomic::write(&folder.join(T::FILE), &bytes(rows)?)
}

pub fn bytes<T: Row + Serialize>(rows: &[T]) -> Result<Vec<u8>> {
    let mut bytes = header::<T>();
    rows.iter().try_for_each(|row| line(row).map(|line| bytes.extend(line)))?;
    Ok(bytes)
}

/// The rows in the `bytes` of `file`, which need not be on disk. A torn last line is dropped.
pub fn parse<T: Row>(file: &Path, bytes: impl Read) -> Result<Vec<T>> {
    RowReader::of(file, bytes)?.collect()
}

pub fn line(row: &impl Serialize) -> Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.serialize(row)?;
    let line = writer.into_inner().map_err(|error| error.into_error())?;
    if line.iter().filter(|&&byte| byte == b'\n').count() != 1 {
        bail!("a field of this row holds a line end: {:?}", String::from_utf8_lossy(&line));
    }
    Ok(line)
}

/// The complete lines of `bytes`, without a last line that has no end.
fn whole_lines(mut bytes: impl Read) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    bytes.read_to_end(&mut lines)?;
    lines.truncate(lines.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1));
    Ok(lines)
}

/// Number of attempts to lock a file, 10 ms apart.
const PATIENCE: u32 = 20;

#[derive(Debug)]
pub struct RowWriter<T> {
    path: PathBuf,
    file: File,
    kind: PhantomData<T>,
}

impl<T: Row + Serialize> RowWriter<T> {
    /// Opens or creates the file and its folder, and returns the file's rows. A torn last line is dropped.
    pub fn open(folder: &Path) -> Result<(Self, Vec<T>)> {
        atomic::make_folder(folder)?;
        let path = folder.join(T::FILE);
        if path.exists() && !path.is_file() {
            bail!("{}: not a file", path.display());
        }
        let cannot = || format!("cannot write {}", path.display());
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path).with_context(cannot)?;
        // On a file system without locks, the file counts as not locked.
        let is_locked = || matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        let mut patience = PATIENCE;
        while is_locked() {
            // A child process also holds the lock between `fork` and `exec`, so a lock may be short.
            if patience == 0 {
                bail!("{}: another c4lab is writing into this folder", folder.display());
            }
            sleep(Duration::from_millis(10));
            patience -= 1;
        }
        // Only the holder of this lock writes the manifest.
        atomic::sweep(&folder.join(manifest::FILE));
        let length = file.metadata().with_context(cannot)?.len();
        let whole = whole_lines(&file).with_context(|| format!("cannot read {}", path.display()))?;
        if (whole.len() as u64) < length {
            file.set_len(whole.len() as u64).with_context(cannot)?;
        }
        let rows = parse(&path, whole.as_slice())?;
        // Rows that do not match the header could not be read again.
        let first = whole.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default();
        if !whole.is_empty() && first.trim_ascii_end() != header::<T>().trim_ascii_end() {
            bail!(
                "{}, line 1: other columns than this version of c4lab writes; choose another folder, or go on with the version that created this one",
                path.display()
            );
        }
        let mut writer = RowWriter { path, file, kind: PhantomData };
        if whole.is_empty() {
            writer.write(&header::<T>())?;
        }
        Ok((writer, rows))
    }

    pub fn add(&mut self, row: &T) -> Result<()> {
        self.write(&line(row)?)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let write = self.file.write_all(bytes).and_then(|()| self.file.flush());
        write.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Numbered {
        schema_version: u32,
        number: u64,
    }

    crate::row!(Numbered, "f.csv", 2);

    fn read(text: &str) -> Result<Vec<u64>, String> {
        let rows = RowReader::<Numbered>::of(Path::new("f.csv"), text.as_bytes());
        let rows = rows.and_then(|rows| rows.map(|row| Ok(row?.number)).collect::<Result<Vec<u64>>>());
        rows.map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn rows_of_this_version_and_of_older_ones_are_read() {
        assert_eq!(columns::<Numbered>(), ["schema_version", "number"]);
        assert_eq!(read("schema_version,number\n1,5\n2,6\n"), Ok(vec![5, 6]));
        assert_eq!(read("schema_version,more,number\n1,x,5\n"), Ok(vec![5]), "columns go by their names");
        assert_eq!((read("schema_version,number\n"), read("")), (Ok(vec![]), Ok(vec![])));
    }

    #[test]
    fn what_is_no_row_is_an_error_with_its_line() {
        let error = |text| read(text).unwrap_err();
        assert_eq!(error("hello\n1\n"), "f.csv, line 1: not a header of f.csv");
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
        assert!(error("schema_version,number\n1,\"5\n2,6\n").starts_with("f.csv, line 2: a quotation mark"));
    }

    #[test]
    fn a_row_of_two_lines_is_refused() {
        assert_eq!(line(&("a", 1, "b,c")).unwrap(), b"a,1,\"b,c\"\n");
        let error = line(&("a\nb", 1)).unwrap_err().to_string();
        assert!(error.contains("holds a line end") && error.contains("a\\nb"), "{error}");
    }

    #[test]
    fn a_torn_last_line_is_not_read() {
        for (text, whole) in [("", ""), ("a", ""), ("a\n", "a\n"), ("ab\n\nc\nd", "ab\n\nc\n")] {
            assert_eq!(whole_lines(text.as_bytes()).unwrap(), whole.as_bytes(), "{text:?}");
        }
    }
}
