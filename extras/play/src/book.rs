//! Book of the opening: the exact scores of all positions with few stones.
//!
//! ```text
//! ply          0   1   2   3 ...                 all boards up to mirror on which the game goes on
//! key          k   k k k k  k k k k k ...        in the order of their keys: not in the file
//! score        s   s s s s  s s s s s ...        one byte each
//! ```
//!
//! A file holds no boards, because they follow from the rules: the index of a board among those of its ply is the index
//! of its score. The boards of a ply are listed at the first request for this ply. Only the scores of the last ply are
//! searched. The others follow by minimax ([`Book::of`]), and a reader checks them.
//!
//! A file ([`pack_file`]) has one byte for each score:
//!
//! ```text
//! c4lab-book 1 7x6 1,4,25,121,...      version of the file, board, boards of each ply from 0
//! 01 fe ff 00 01 fe ...                scores, ply after ply, as signed bytes
//! ```

use crate::players::children;
use anyhow::{Context, Result, anyhow, bail, ensure};
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Solve, Solved, Stopped};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::{Arc, OnceLock};

/// The book that is part of the program, packed.
const SHIPPED: &[u8] = include_bytes!("../books/7x6.book.gz");
const KIND: &str = "book";
const KINDS: &str = "books";

/// A number that only this board and its mirror image have, among boards of this size. The order of keys is the order
/// of scores in a file.
fn key(position: &Position) -> u64 {
    let (mover, stones) = position.up_to_mirror();
    let (sum, stride) = ((mover + stones) as u64, position.size().stride());
    let columns = (0..position.size().width()).map(|column| sum >> (column * stride) & ((1 << stride) - 1));
    sum.min(columns.fold(0, |mirrored, column| mirrored << stride | column))
}

/// The scores of all positions of a board with at most [`Book::last_ply`] stones.
pub struct Book {
    size: BoardSize,
    /// The score of every board of a ply, in the order of their keys.
    scores: Vec<Vec<i8>>,
    /// The keys of the boards of a ply in rising order, listed when they are needed.
    keys: Vec<OnceLock<Vec<u64>>>,
}

impl Book {
    /// The book of boards of `size`. `scores` has the score of every board of the ply `last`, in the order of
    /// [`positions`].
    pub fn of(size: BoardSize, last: u32, scores: Vec<i8>) -> Result<Self> {
        let mut book = Book::of_scores(size, vec![Vec::new(); last as usize + 1])?;
        book.scores[last as usize] = scores;
        book.check_numbers(last)?;
        for ply in (0..last as usize).rev() {
            book.scores[ply] = book.minimax(ply)?;
        }
        Ok(book)
    }

    /// The book that ships with the program, if it is for boards of `size`. It holds 7x6 to eight plies.
    pub fn shipped(size: BoardSize) -> Option<Arc<Self>> {
        static BOOK: OnceLock<Arc<Book>> = OnceLock::new();
        let book = BOOK.get_or_init(|| Arc::new(Book::read_unchecked(SHIPPED).expect("the shipped book is whole")));
        (book.size == size).then(|| Arc::clone(book))
    }

    fn of_scores(size: BoardSize, scores: Vec<Vec<i8>>) -> Result<Self> {
        check_size(KINDS, size)?;
        let keys = scores.iter().map(|_| OnceLock::new()).collect();
        Ok(Book { size, scores, keys })
    }

    pub fn size(&self) -> BoardSize {
        self.size
    }

    pub fn last_ply(&self) -> u32 {
        self.scores.len() as u32 - 1
    }

    /// The score of `position` from the mover's side; `None` if it has too many stones, is over, or has another size.
    pub fn score(&self, position: &Position) -> Option<Score> {
        if position.size() != self.size {
            return None;
        }
        let ply = position.ply() as usize;
        let scores = self.scores.get(ply)?;
        let index = self.keys(ply).binary_search(&key(position)).ok()?;
        Some(scores[index].into())
    }

    /// The scores of a ply of the book, in the order of [`positions`].
    pub fn scores(&self, ply: u32) -> &[i8] {
        &self.scores[ply as usize]
    }

    fn keys(&self, ply: usize) -> &[u64] {
        self.keys[ply].get_or_init(|| boards(self.size, ply).into_iter().map(|(key, _)| key).collect())
    }

    /// The scores of `ply`, by minimax from those of the next ply.
    fn minimax(&self, ply: usize) -> Result<Vec<i8>> {
        let (next, scores) = (self.keys(ply + 1), &self.scores[ply + 1]);
        let worth = |child: Position| {
            if child.is_won() {
                return self.size.win_at(ply as u32);
            }
            next.binary_search(&key(&child)).map_or(0, |index| -Score::from(scores[index]))
        };
        let best = |board: &Position| children(board).map(worth).max().unwrap_or(0);
        boards(self.size, ply).iter().map(|(_, board)| Ok(i8::try_from(best(board))?)).collect()
    }

    /// An error if `ply` has another number of scores than of boards, or a score that no board of this ply can have.
    fn check_numbers(&self, ply: u32) -> Result<()> {
        let (expected, found) = (self.keys(ply as usize).len(), self.scores(ply).len());
        if expected != found {
            bail!("ply {ply} has {found} scores for {expected} boards");
        }
        let possible = self.size.least(ply)..=self.size.win_at(ply);
        match self.scores(ply).iter().find(|&&score| !possible.contains(&score.into())) {
            Some(score) => bail!("no board of ply {ply} has the score {score}"),
            None => Ok(()),
        }
    }

    /// Checks that there is one score for every board, and that the scores of each ply follow from those of the next.
    pub fn check(&self) -> Result<()> {
        // The boards of a ply are listed only if the ply before has the right number of scores.
        (0..=self.last_ply()).try_for_each(|ply| self.check_numbers(ply))?;
        for ply in 0..self.last_ply() {
            if self.minimax(ply as usize)? != self.scores(ply) {
                bail!("the scores of ply {ply} do not follow from those of ply {}", ply + 1);
            }
        }
        Ok(())
    }

    pub fn read(bytes: impl Read) -> Result<Self> {
        let book = Self::read_unchecked(bytes)?;
        book.check().map(|()| book)
    }

    /// Reads a book without [`Book::check`]: the shipped book was checked when it was made.
    fn read_unchecked(bytes: impl Read) -> Result<Self> {
        let (words, bytes) = unpack_file(KIND, bytes)?;
        let (size, counts) = words.split_once(' ').context("not a book: its header has no numbers of boards")?;
        let size: BoardSize = size.parse()?;
        let counts = counts.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>();
        let counts = counts.context("not a book: a number of boards is not a number")?;
        if counts.len() > size.cells() as usize {
            bail!("not a book: too many plies");
        }
        let (mut scores, mut rest) = (Vec::new(), &bytes[..]);
        for (ply, &count) in counts.iter().enumerate() {
            let missing = || format!("ply {ply} has {} scores for {count} boards", rest.len());
            let (of_ply, others) = rest.split_at_checked(count).with_context(missing)?;
            scores.push(of_ply.iter().map(|&byte| byte as i8).collect());
            rest = others;
        }
        if !rest.is_empty() {
            bail!("not a book: bytes behind the last score");
        }
        Book::of_scores(size, scores)
    }

    pub fn pack(&self) -> io::Result<Vec<u8>> {
        let counts: Vec<String> = self.scores.iter().map(|scores| scores.len().to_string()).collect();
        let bytes: Vec<u8> = self.scores.iter().flatten().map(|&score| score as u8).collect();
        pack_file(KIND, &format!("{} {}", self.size, counts.join(",")), &bytes)
    }
}

/// An error if the keys of boards of `size` have more bits than those of books and stores, which `noun` names.
pub fn check_size(noun: &str, size: BoardSize) -> Result<()> {
    ensure!(size.bits() <= u64::BITS, "{noun} are for boards of up to 64 bits; {size} has {}", size.bits());
    Ok(())
}

/// One position for each unfinished board of a ply, up to mirror, in the order of books.
pub fn positions(size: BoardSize, ply: u32) -> Result<Vec<Position>> {
    check_size(KINDS, size)?;
    Ok(boards(size, ply as usize).into_iter().map(|(_, position)| position).collect())
}

/// The positions of [`positions`] with their keys. `size` must pass [`check_size`].
fn boards(size: BoardSize, ply: usize) -> Vec<(u64, Position)> {
    let mut boards = vec![(0, Position::start_on(size))];
    for _ in 0..ply {
        let children = boards.iter().flat_map(|(_, parent)| children(parent)).filter(|child| !child.is_over());
        boards = children.map(|child| (key(&child), child)).collect();
        // A stable sort keeps the first of equal boards, so that every machine writes the same moves for a board.
        boards.sort_by_key(|(key, _)| *key);
        boards.dedup_by_key(|(key, _)| *key);
    }
    boards
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book of {} to ply {}", self.size, self.last_ply())
    }
}

/// A solver with a book. A position in the book takes no node.
pub struct BookSolver {
    solver: Box<dyn Solve>,
    book: Arc<Book>,
}

impl BookSolver {
    /// `solver` with `book`, which answers only positions of its own board.
    pub fn new(solver: Box<dyn Solve>, book: Arc<Book>) -> Self {
        // Lists the keys now, so that the first search does not take the time.
        book.keys(book.scores.len() - 1);
        BookSolver { solver, book }
    }

    /// `solver` with the shipped book, if there is one for its board.
    pub fn shipped(solver: Box<dyn Solve>) -> Box<dyn Solve> {
        match Book::shipped(solver.board_size()) {
            Some(book) => Box::new(BookSolver::new(solver, book)),
            None => solver,
        }
    }
}

impl Solve for BookSolver {
    fn board_size(&self) -> BoardSize {
        self.solver.board_size()
    }

    fn reset(&mut self) {
        self.solver.reset();
    }

    fn solve(&mut self, position: &Position, goal: Goal, limits: &Limits<'_>) -> Result<Solved, Stopped> {
        match self.book.score(position) {
            Some(score) => Ok(Solved { score: goal.of(score), nodes: 0 }),
            None => self.solver.solve(position, goal, limits),
        }
    }

    fn exceeds(&mut self, position: &Position, bound: Score, limits: &Limits<'_>) -> Result<bool, Stopped> {
        match self.book.score(position) {
            Some(score) => Ok(score > bound),
            None => self.solver.exceeds(position, bound, limits),
        }
    }
}

const VERSION: u32 = 1;

const MOST_BYTES: u64 = 1 << 32;

/// A file of a book or a store, which is its `kind`: a header of one line with `words` about the bytes, and `bytes`. All is
/// packed with gzip, whose checksum finds damage.
pub fn pack_file(kind: &str, words: &str, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    writeln!(packed, "c4lab-{kind} {VERSION} {words}")?;
    packed.write_all(bytes)?;
    packed.finish()
}

pub fn unpack_file(kind: &str, file: impl Read) -> Result<(String, Vec<u8>)> {
    let mut header = Vec::new();
    let read = MultiGzDecoder::new(file).take(MOST_BYTES).read_to_end(&mut header);
    read.map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => anyhow!("the {kind} is cut off"),
        ErrorKind::InvalidInput | ErrorKind::InvalidData if !header.is_empty() => {
            anyhow!("the {kind} is damaged, or other bytes are behind it")
        }
        ErrorKind::InvalidInput | ErrorKind::InvalidData => anyhow!("not a {kind}: not packed as gzip"),
        _ => anyhow!("the {kind} cannot be read: {error}"),
    })?;
    let end = header.iter().position(|&byte| byte == b'\n').with_context(|| format!("not a {kind}: no header"))?;
    let bytes = header.split_off(end + 1);
    let header = std::str::from_utf8(&header[..end]).with_context(|| format!("not a {kind}: its header is no text"))?;
    let rest = header.strip_prefix(&format!("c4lab-{kind} ")).and_then(|rest| rest.split_once(' '));
    let (version, words) =
        rest.with_context(|| format!("not a {kind}: its header does not begin with \"c4lab-{kind}\""))?;
    if version != VERSION.to_string() {
        bail!("a {kind} of version {version}; this c4lab reads version {VERSION}");
    }
    Ok((words.to_string(), bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::game::perft::A212693;
    use c4lab_solver::search::{Options, registry};

    fn small() -> BoardSize {
        BoardSize::new(6, 5).unwrap()
    }

    /// A book whose last ply has made-up scores, from which all others follow.
    fn made_up(size: BoardSize, last: u32) -> Book {
        let count = positions(size, last).unwrap().len();
        Book::of(size, last, (0..count).map(|place| (place % 7) as i8 - 3).collect()).unwrap()
    }

    fn error(bytes: &[u8]) -> String {
        format!("{:#}", Book::read(bytes).unwrap_err())
    }

    #[test]
    fn every_board_of_a_ply_is_there_once_up_to_mirror() {
        let count = |ply| {
            let positions = positions(BoardSize::STANDARD, ply).unwrap();
            positions.iter().map(|position| if position.is_symmetric() { 1 } else { 2 }).sum::<u64>()
        };
        // With six stones no side has four.
        assert!((0..=6).all(|ply| count(ply) == A212693[ply as usize]));
        assert_eq!(count(7) + 728, A212693[7], "728 positions of ply 7 are won (M. Boeck)");
    }

    #[test]
    fn a_position_is_found_in_its_place_and_so_is_its_mirror_image() {
        let book = made_up(BoardSize::STANDARD, 5);
        for ply in 0..=5 {
            for (position, &score) in positions(BoardSize::STANDARD, ply).unwrap().iter().zip(book.scores(ply)) {
                assert_eq!(book.score(position), Some(score.into()), "{position}");
                assert_eq!(book.score(&position.mirror()), Some(score.into()), "{position}");
            }
        }
        let position = |moves: &str| Position::parse(moves).unwrap();
        assert_eq!(book.score(&position("123456")), None, "a stone too many");
        assert_eq!(book.score(&Position::start_on(small())), None, "another board");
        assert_eq!(made_up(BoardSize::STANDARD, 8).score(&position("1212121")), None, "it is over");
    }

    #[test]
    fn scores_follow_by_minimax() {
        fn minimax(book: &Book, position: &Position) -> Score {
            let children = (0..position.size().width()).filter_map(|column| {
                let mut child = position.clone();
                child.play(column).ok().map(|()| child)
            });
            let worth = |child: Position| match book.score(&child) {
                _ if child.is_won() => child.size().win_at(position.ply()),
                Some(score) if child.ply() == book.last_ply() => -score,
                _ => -minimax(book, &child),
            };
            children.map(worth).max().unwrap()
        }
        let book = made_up(small(), 4);
        for ply in 0..4 {
            for position in positions(small(), ply).unwrap() {
                assert_eq!(book.score(&position), Some(minimax(&book, &position)), "{position}");
            }
        }
    }

    #[test]
    fn a_file_is_read_as_it_was_written_and_one_that_is_damaged_is_refused() {
        for book in [made_up(BoardSize::STANDARD, 0), made_up(BoardSize::STANDARD, 5), made_up(small(), 3)] {
            let read = Book::read(&*book.pack().unwrap()).unwrap();
            assert_eq!((read.size(), &read.scores), (book.size(), &book.scores));
        }
        let bytes = made_up(small(), 3).pack().unwrap();
        for end in 0..bytes.len() {
            assert_eq!(error(&bytes[..end]), "the book is cut off", "{end} of {}", bytes.len());
        }
        // The ten bytes of a gzip header are skipped: they hold the time and the system, not contents.
        for place in 10..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            assert!(Book::read(&*damaged).is_err(), "byte {place} of {}", bytes.len());
        }
    }

    #[test]
    fn what_is_no_book_is_refused() {
        assert_eq!(error(b"hello, this is no book"), "not a book: not packed as gzip");
        // Neither the boards of the 42 plies of `plies` are listed, nor is memory allocated for the scores of `most`.
        let plies = format!("7x6 {}", ["1"; 42].join(","));
        let most = format!("7x6 {}", u64::MAX);
        for (words, scores) in [
            ("7x6 1,x", &b"\x01"[..]),
            ("7x6", b"\x01"),
            ("7x6 1 1", b"\x01"),
            ("0x4 1", b"\x01"),
            ("8x8 1", b"\x01"),
            ("7x6 1", b""),
            ("7x6 1", b"\x01\x01"),
            ("7x6 2", b"\x01\x01"),
            ("7x6 1", b"\x63"),
            ("7x6 1,4", b"\x01\x00\x00\x00\x00"),
            (&plies, &[1; 42]),
            (&most, b"\x01"),
        ] {
            assert!(Book::read(&*pack_file(KIND, words, scores).unwrap()).is_err(), "{words}");
        }
        assert!(Book::read(&*pack_file("store", "7x6 1", b"\x01").unwrap()).is_err());
    }

    /// The empty board has its known score (J. Tromp), so the shipped book is no made-up one.
    #[test]
    fn the_shipped_book_is_whole() {
        let book = Book::shipped(BoardSize::STANDARD).unwrap();
        book.check().unwrap();
        assert_eq!(book.score(&Position::start()), Some(1));
        assert!(Book::shipped(small()).is_none());
    }

    #[test]
    fn a_solver_looks_up_what_the_book_knows_and_searches_the_rest() {
        let solver = || registry::find("pons-12").unwrap().build(&Options::with_tt(1 << 20)).unwrap();
        let book = Arc::new(made_up(BoardSize::STANDARD, 4));
        let mut with_book = BookSolver::new(solver(), Arc::clone(&book));
        let (limits, position) = (Limits::default(), Position::parse("4455").unwrap());
        let known = book.score(&position).unwrap();
        for goal in Goal::ALL {
            let solved = with_book.solve(&position, goal, &limits).unwrap();
            assert_eq!((solved.score, solved.nodes), (goal.of(known), 0));
        }
        assert!(with_book.exceeds(&position, known - 1, &limits).unwrap());
        assert!(!with_book.exceeds(&position, known, &limits).unwrap());
        let late = Position::parse("3642756176227637211322113551637574556").unwrap();
        assert_eq!(with_book.solve(&late, Goal::Strong, &limits), solver().solve(&late, Goal::Strong, &limits));
    }
}
