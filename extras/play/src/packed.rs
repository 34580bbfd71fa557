//! Files of books and stores: a header of one line, and bytes behind it. Both are packed with gzip, whose checksum
//! finds damage.
//!
//! ```text
//! c4lab-book 1 7x6 1,4,25,121,...      the kind of the file, its version, and words about the bytes
//! ```

use anyhow::{Context, Result, anyhow, bail};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, ErrorKind, Read, Write};

const VERSION: u32 = 1;

const MOST_BYTES: u64 = 1 << 32;

/// A file of `kind` with `words` in its header.
pub fn pack(kind: &str, words: &str, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    writeln!(packed, "c4lab-{kind} {VERSION} {words}")?;
    packed.write_all(bytes)?;
    packed.finish()
}

/// The words of the header, and the bytes behind it.
pub fn unpack(kind: &str, file: impl Read) -> Result<(String, Vec<u8>)> {
    let mut header = Vec::new();
    let read = GzDecoder::new(file).take(MOST_BYTES).read_to_end(&mut header);
    read.map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => anyhow!("the {kind} is cut off"),
        ErrorKind::InvalidInput | ErrorKind::InvalidData => anyhow!("not a {kind}: not packed as gzip"),
        _ => anyhow!("the {kind} cannot be read: {error}"),
    })?;
    let end = header.iter().position(|&byte| byte == b'\n').with_context(|| format!("not a {kind}: no header"))?;
    let bytes = header.split_off(end + 1);
    let header = std::str::from_utf8(&header[..end]).with_context(|| format!("not a {kind}: its header is no text"))?;
    let rest = header.strip_prefix(&format!("c4lab-{kind} ")).and_then(|rest| rest.split_once(' '));
    let (version, words) = rest.with_context(|| format!("not a {kind}: no \"c4lab-{kind}\" at its begin"))?;
    if version != VERSION.to_string() {
        bail!("a {kind} of version {version}; this c4lab reads version {VERSION}");
    }
    Ok((words.to_string(), bytes))
}
