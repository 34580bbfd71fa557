//! Whole lines: a reader that ends where the last whole line ends. What a crash tore is never seen.

use std::io::{self, BufRead, Read};

/// Hands on the lines of `inner`, each only when its end has been read.
pub(super) struct WholeLines<R> {
    inner: R,
    line: Vec<u8>,
    /// How much of the line was handed on.
    given: usize,
}

impl<R: BufRead> WholeLines<R> {
    /// The whole lines of `inner`.
    pub(super) fn new(inner: R) -> Self {
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
