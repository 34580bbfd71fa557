//! The file of a book: a header of one line, then one byte a score, packed as gzip, whose checksum and length every
//! reader checks.
//!
//! ```text
//! c4lab-book 1 7x6 1,4,25,121,...      version, board, boards of each ply from 0
//! 01 fe ff 00 01 fe ...                scores, ply after ply, as signed bytes
//! ```

use super::Book;
use crate::game::score::Score;
use crate::game::{BoardSize, SizeError};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};

/// The first word of every book.
const MARK: &str = "c4lab-book";
/// The version of the format.
const VERSION: u32 = 1;
/// No header is longer.
const MOST_HEADER: u64 = 1024;

/// Why there is no book.
#[derive(Debug)]
pub enum BookError {
    /// It cannot be read, or it is cut off or damaged: gzip says which.
    Read(io::Error),
    /// The file is no book.
    Form(String),
    /// A book of another version.
    Version(u32),
    /// The size of its board is none.
    Size(SizeError),
    /// No search was built for its board.
    Board(BoardSize),
    /// Its board has longer keys than books have.
    Long(BoardSize),
    /// A ply has another number of scores than there are boards.
    #[allow(missing_docs, reason = "the line above says it")]
    Count { ply: u32, expected: usize, found: usize },
    /// A score that no board of that ply has.
    #[allow(missing_docs, reason = "the line above says it")]
    Score { ply: u32, score: Score },
    /// The scores of a ply do not follow from those of the next one.
    #[allow(missing_docs, reason = "the line above says it")]
    Contradiction { ply: u32 },
    /// It ends before the ply that is asked for.
    #[allow(missing_docs, reason = "the line above says it")]
    Short { asked: u32, last: u32 },
    /// There is no book of that board.
    None(BoardSize),
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) if error.kind() == io::ErrorKind::UnexpectedEof => write!(f, "the book is cut off"),
            Self::Read(error) => write!(f, "the book cannot be read: {error}"),
            Self::Form(reason) => write!(f, "not a book: {reason}"),
            Self::Version(version) => write!(f, "a book of version {version}; this c4lab reads version {VERSION}"),
            Self::Size(error) => error.fmt(f),
            Self::Board(size) => write!(f, "a book of {size}: no search was built for that board"),
            Self::Long(size) => write!(f, "books are for boards of up to 64 bits; {size} has {}", size.bits()),
            Self::Count { ply, expected, found } => {
                write!(f, "ply {ply} has {found} scores, and there are {expected} boards")
            }
            Self::Score { ply, score } => write!(f, "no board of ply {ply} has the score {score}"),
            Self::Contradiction { ply } => {
                write!(f, "the scores of ply {ply} do not follow from those of ply {}", ply + 1)
            }
            Self::Short { asked, last } => write!(f, "the book ends with ply {last}, not {asked}"),
            Self::None(size) => write!(f, "no book of {size} ships with c4lab; c4lab book build makes one"),
        }
    }
}

impl std::error::Error for BookError {}

impl Book {
    /// Reads a book, and checks that it is whole and that the scores of every ply follow from those of the next.
    ///
    /// # Errors
    /// The bytes are no book, are cut off, or contradict themselves.
    pub fn read(bytes: impl Read) -> Result<Self, BookError> {
        let book = Self::trusted(bytes)?;
        book.check().map(|()| book)
    }

    /// Reads a book that was checked when it was made.
    pub(super) fn trusted(bytes: impl Read) -> Result<Self, BookError> {
        let mut bytes = BufReader::new(GzDecoder::new(bytes));
        let mut header = String::new();
        let read = bytes.by_ref().take(MOST_HEADER).read_line(&mut header);
        read.map_err(|error| match error.kind() {
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                BookError::Form("not packed as gzip".to_string())
            }
            _ => BookError::Read(error),
        })?;
        let (size, counts) = parse(header.trim_end())?;
        let mut scores = Vec::new();
        for (ply, &count) in counts.iter().enumerate() {
            let mut of_ply = Vec::new();
            bytes.by_ref().take(count as u64).read_to_end(&mut of_ply).map_err(BookError::Read)?;
            if of_ply.len() != count {
                return Err(BookError::Count { ply: ply as u32, expected: count, found: of_ply.len() });
            }
            scores.push(of_ply.into_iter().map(|byte| byte as i8).collect());
        }
        // The end of the file has the checksum of all that came before.
        if bytes.read(&mut [0]).map_err(BookError::Read)? != 0 {
            return Err(BookError::Form("bytes behind the last score".to_string()));
        }
        Book::with(size, scores)
    }

    /// Writes it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut out = GzEncoder::new(out, Compression::best());
        let counts: Vec<String> = self.scores.iter().map(|scores| scores.len().to_string()).collect();
        writeln!(out, "{MARK} {VERSION} {} {}", self.size, counts.join(","))?;
        for scores in &self.scores {
            let bytes: Vec<u8> = scores.iter().map(|&score| score as u8).collect();
            out.write_all(&bytes)?;
        }
        out.finish().map(drop)
    }
}

/// The board, and how many boards each ply has.
fn parse(header: &str) -> Result<(BoardSize, Vec<usize>), BookError> {
    let form = |reason: &str| BookError::Form(format!("{reason}, line 1"));
    let mut words = header.split(' ');
    if words.next() != Some(MARK) {
        return Err(form(&format!("no {MARK:?} at its begin")));
    }
    let mut word = |what: &str| words.next().ok_or_else(|| form(&format!("no {what}")));
    let version: u32 = word("version")?.parse().map_err(|_| form("the version is not a number"))?;
    if version != VERSION {
        return Err(BookError::Version(version));
    }
    let size: BoardSize = word("board")?.parse().map_err(BookError::Size)?;
    let counts = word("number of boards")?.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>();
    let counts = counts.map_err(|_| form("a number of boards is not a number"))?;
    if counts.len() > size.cells() as usize || words.next().is_some() {
        return Err(form("more than it should have"));
    }
    Ok((size, counts))
}
