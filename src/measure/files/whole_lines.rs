//! Whole lines of CSV: a row is written as one, and a reader stops after the last whole one. A torn line is never seen.

use anyhow::{Result, bail};
use serde::Serialize;
use std::io::{self, BufRead, Read};

/// A row of CSV as one line with its end.
///
/// # Errors
/// A field holds a line end: the row would be two lines, and half of it could be taken for torn.
pub fn line(row: &impl Serialize) -> Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.serialize(row)?;
    let line = writer.into_inner().map_err(|error| error.into_error())?;
    if line.iter().filter(|&&byte| byte == b'\n').count() != 1 {
        bail!("a field of this row holds a line end: {:?}", String::from_utf8_lossy(&line));
    }
    Ok(line)
}

/// The line, from 1, that a reader of CSV comes to next, in a file of one row a line. `header` is the line that the
/// reader gave when it had read the header. At line ends of two characters the reader stops between them, and is one
/// behind.
pub fn next_line<R: Read>(reader: &csv::Reader<R>, header: u64) -> u64 {
    reader.position().line() + 2 - header
}

/// Hands on the lines of `inner`, each only when its end has been read.
pub struct WholeLines<R> {
    inner: R,
    line: Vec<u8>,
    /// How much of the line was handed on.
    given: usize,
}

impl<R: BufRead> WholeLines<R> {
    /// The whole lines of `inner`.
    pub fn new(inner: R) -> Self {
        WholeLines { inner, line: Vec::new(), given: 0 }
    }
}

impl<R: BufRead> Read for WholeLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.line.len() {
            self.line.clear();
            self.given = 0;
            self.inner.read_until(b'\n', &mut self.line)?;
            if self.line.last() != Some(&b'\n') {
                self.line.clear();
            }
        }
        let read = (&self.line[self.given..]).read(buffer)?;
        self.given += read;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_two_lines_is_refused() {
        assert_eq!(line(&("a", 1, "b,c")).unwrap(), b"a,1,\"b,c\"\n");
        let error = line(&("a\nb", 1)).unwrap_err().to_string();
        assert!(error.contains("holds a line end") && error.contains("a\\nb"), "{error}");
    }

    #[test]
    fn lines_are_counted_with_either_end() {
        for ends in ["\n", "\r\n"] {
            let text = ["a,b", "1,2", "\"3\",4", "5,6", ""].join(ends);
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            reader.headers().unwrap();
            let header = reader.position().line();
            let mut records = reader.into_records();
            for line in 2..=4 {
                assert_eq!(next_line(records.reader(), header), line, "{ends:?}");
                records.next().unwrap().unwrap();
            }
            assert!(records.next().is_none());
        }
    }

    #[test]
    fn a_torn_last_line_is_not_read() {
        for (text, whole) in [("", ""), ("a", ""), ("a\n", "a\n"), ("ab\n\nc\nd", "ab\n\nc\n")] {
            for size in [1, 2, 100] {
                let mut reader = WholeLines::new(text.as_bytes());
                let (mut read, mut buffer) = (Vec::new(), vec![0; size]);
                while let Some(count) = Some(reader.read(&mut buffer).unwrap()).filter(|&count| count > 0) {
                    read.extend_from_slice(&buffer[..count]);
                }
                assert_eq!(String::from_utf8(read).unwrap(), whole, "{text:?} by {size}");
            }
        }
    }
}
