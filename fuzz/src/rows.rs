//! Rows of a CSV file: written and read back they are the same, and torn anywhere the file is a beginning of itself.

use std::fmt::Debug;

/// What a file of such rows is written and read by.
pub(super) struct Form<T> {
    /// The header.
    pub(super) columns: &'static [&'static str],
    /// A row as a line; nothing for one that is refused.
    pub(super) line: fn(&T) -> Option<Vec<u8>>,
    /// The rows of bytes, or a message.
    pub(super) read: fn(&[u8]) -> Result<Vec<T>, String>,
}

impl<T: Debug + PartialEq> Form<T> {
    /// Writes rows as far as they are written at all, and reads them again.
    pub(super) fn check(&self, rows: &[T]) {
        let mut written = format!("{}\n", self.columns.join(",")).into_bytes();
        let header = written.len();
        for row in rows {
            match (self.line)(row) {
                Some(line) => written.extend(line),
                // Half of a row of two lines could be taken for torn: it is never written.
                None => return assert!(format!("{row:?}").contains("\\n"), "{row:?}"),
            }
        }
        assert_eq!((self.read)(&written).as_deref(), Ok(rows));
        // Cut behind the header, at a place that the bytes choose.
        let sum: usize = written.iter().map(|&byte| usize::from(byte)).sum();
        let kept = &written[..header + sum % (written.len() - header + 1)];
        let whole = kept.iter().filter(|&&byte| byte == b'\n').count() - 1;
        assert_eq!((self.read)(kept).as_deref(), Ok(&rows[..whole]));
    }
}
