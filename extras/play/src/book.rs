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
//! A file is a header of one line, then one byte for each score, packed as gzip. Readers check its checksum and length:
//!
//! ```text
//! c4lab-book 1 7x6 1,4,25,121,...      version, board, boards of each ply from 0
//! 01 fe ff 00 01 fe ...                scores, ply after ply, as signed bytes
//! ```

use anyhow::{Context, Result, anyhow, bail};
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Solve, Solved, Stopped};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::{Arc, OnceLock};

/// The book that is part of the program, packed.
const SHIPPED: &[u8] = include_bytes!("../books/7x6.book.gz");
/// The first word of every file, and the version of the format.
const MARK: &str = "c4lab-book";
const VERSION: u32 = 1;
const MOST_HEADER: u64 = 1024;

/// The stones of the mover and all stones, a column in HEIGHT + 1 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stones {
    mover: u64,
    all: u64,
}

impl Stones {
    const NONE: Stones = Stones { mover: 0, all: 0 };

    fn of(position: &Position) -> Self {
        let columns = position.columns().iter();
        columns.fold(Stones::NONE, |stones, &column| stones.play(position.size(), column.into()))
    }

    fn play(self, size: BoardSize, column: u32) -> Self {
        let bottom = 1 << (column * (size.height() + 1));
        Stones { mover: self.mover ^ self.all, all: self.all | (self.all + bottom) }
    }

    fn can_play(self, size: BoardSize, column: u32) -> bool {
        self.all >> (column * (size.height() + 1) + size.height() - 1) & 1 == 0
    }

    /// True if the side that played last has four in a row.
    fn is_won(self, size: BoardSize) -> bool {
        let (last, stride) = (self.mover ^ self.all, size.height() + 1);
        [1, stride - 1, stride, stride + 1].into_iter().any(|step| {
            let pairs = last & (last >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }

    fn is_over(self, size: BoardSize) -> bool {
        self.all.count_ones() == size.cells() || self.is_won(size)
    }

    /// A number that only this board and its mirror image have, among boards of this size.
    fn key(self, size: BoardSize) -> u64 {
        let stride = size.height() + 1;
        // All stones of a column plus 1 is the bit above them, which gives its height. Below are the mover's stones.
        let columns = (0..size.width()).map(|column| {
            let of_column = |stones: u64| stones >> (column * stride) & ((1 << stride) - 1);
            of_column(self.mover) + of_column(self.all) + 1
        });
        let number = |columns: &mut dyn Iterator<Item = u64>| columns.fold(0, |key, column| key << stride | column);
        number(&mut columns.clone()).min(number(&mut columns.rev()))
    }

    /// The boards after one more stone, won ones included.
    fn children(self, size: BoardSize) -> impl Iterator<Item = Self> {
        (0..size.width()).filter(move |&column| self.can_play(size, column)).map(move |column| self.play(size, column))
    }
}

/// The scores of all positions of a board with at most [`Book::last_ply`] stones.
pub struct Book {
    size: BoardSize,
    /// The score of every board of a ply, in the order of their keys.
    scores: Vec<Vec<i8>>,
    /// The boards of a ply with their keys, listed when they are needed.
    boards: Vec<OnceLock<Vec<(u64, Stones)>>>,
}

impl Book {
    /// The book of boards of `size`. `scores` has the score of every board of the ply `last`, in the order of
    /// [`positions`].
    pub fn of(size: BoardSize, last: u32, scores: Vec<i8>) -> Result<Self> {
        let mut book = Book::with(size, vec![Vec::new(); last as usize + 1])?;
        book.scores[last as usize] = scores;
        book.check_numbers(last)?;
        for ply in (0..last as usize).rev() {
            book.scores[ply] = book.follows(ply)?;
        }
        Ok(book)
    }

    /// The book that ships with the program, if it is for boards of `size`. It holds 7x6 to eight plies.
    pub fn shipped(size: BoardSize) -> Option<Arc<Self>> {
        static BOOK: OnceLock<Arc<Book>> = OnceLock::new();
        let book = BOOK.get_or_init(|| Arc::new(Book::trusted(SHIPPED).expect("the shipped book is whole")));
        (book.size == size).then(|| Arc::clone(book))
    }

    fn with(size: BoardSize, scores: Vec<Vec<i8>>) -> Result<Self> {
        fits(size)?;
        let boards = scores.iter().map(|_| OnceLock::new()).collect();
        Ok(Book { size, scores, boards })
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
        let (scores, key) = (self.scores.get(ply)?, Stones::of(position).key(self.size));
        let index = self.boards(ply).binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(scores[index].into())
    }

    /// The scores of a ply of the book, in the order of [`positions`].
    pub fn scores(&self, ply: u32) -> &[i8] {
        &self.scores[ply as usize]
    }

    fn boards(&self, ply: usize) -> &[(u64, Stones)] {
        self.boards[ply].get_or_init(|| {
            let Some(before) = ply.checked_sub(1) else { return vec![(Stones::NONE.key(self.size), Stones::NONE)] };
            let children = self.boards(before).iter().flat_map(|(_, board)| board.children(self.size));
            let goes_on = children.filter(|child| !child.is_over(self.size));
            let mut boards: Vec<_> = goes_on.map(|child| (child.key(self.size), child)).collect();
            boards.sort_unstable_by_key(|(key, _)| *key);
            boards.dedup_by_key(|(key, _)| *key);
            boards
        })
    }

    /// The scores of `ply`, by minimax from those of the next ply.
    fn follows(&self, ply: usize) -> Result<Vec<i8>> {
        let (next, scores) = (self.boards(ply + 1), &self.scores[ply + 1]);
        let win = self.size.win_at(ply as u32);
        let worth = |child: Stones| {
            if child.is_won(self.size) {
                return win;
            }
            let key = child.key(self.size);
            next.binary_search_by_key(&key, |(key, _)| *key).map_or(0, |index| -Score::from(scores[index]))
        };
        let best = |board: &Stones| board.children(self.size).map(worth).max().unwrap_or(0);
        self.boards(ply).iter().map(|(_, board)| Ok(i8::try_from(best(board))?)).collect()
    }

    /// An error if `ply` has another number of scores than of boards, or a score that no board of this ply can have.
    fn check_numbers(&self, ply: u32) -> Result<()> {
        let (expected, found) = (self.boards(ply as usize).len(), self.scores(ply).len());
        if expected != found {
            bail!("ply {ply} has {found} scores, and there are {expected} boards");
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
            if self.follows(ply as usize)? != self.scores(ply) {
                bail!("the scores of ply {ply} do not follow from those of ply {}", ply + 1);
            }
        }
        Ok(())
    }

    pub fn read(bytes: impl Read) -> Result<Self> {
        let book = Self::trusted(bytes)?;
        book.check().map(|()| book)
    }

    /// Reads a book that was checked when it was made.
    fn trusted(bytes: impl Read) -> Result<Self> {
        let mut bytes = BufReader::new(GzDecoder::new(bytes));
        let mut header = String::new();
        bytes.by_ref().take(MOST_HEADER).read_line(&mut header).map_err(unread)?;
        let (size, counts) = parse(header.trim_end()).context("line 1")?;
        let mut scores = Vec::new();
        for (ply, &count) in counts.iter().enumerate() {
            let mut of_ply = Vec::new();
            bytes.by_ref().take(count as u64).read_to_end(&mut of_ply).map_err(unread)?;
            if of_ply.len() != count {
                bail!("ply {ply} has {} scores, and there are {count} boards", of_ply.len());
            }
            scores.push(of_ply.into_iter().map(|byte| byte as i8).collect());
        }
        // To read the end of the file checks its checksum.
        if bytes.read(&mut [0]).map_err(unread)? != 0 {
            bail!("not a book: bytes behind the last score");
        }
        Book::with(size, scores)
    }

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

fn unread(error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => anyhow!("the book is cut off"),
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => anyhow!("not a book: not packed as gzip"),
        _ => anyhow!("the book cannot be read: {error}"),
    }
}

/// The size of the board and the number of boards of each ply, from the first line of a file.
fn parse(header: &str) -> Result<(BoardSize, Vec<usize>)> {
    let mut words = header.split(' ');
    if words.next() != Some(MARK) {
        bail!("not a book: no {MARK:?} at its begin");
    }
    let mut word = |what: &str| words.next().with_context(|| format!("not a book: no {what}"));
    let version: u32 = word("version")?.parse().context("not a book: the version is not a number")?;
    if version != VERSION {
        bail!("a book of version {version}; this c4lab reads version {VERSION}");
    }
    let size: BoardSize = word("board")?.parse()?;
    let counts = word("number of boards")?.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>();
    let counts = counts.context("not a book: a number of boards is not a number")?;
    if counts.len() > size.cells() as usize || words.next().is_some() {
        bail!("not a book: the first line has too many plies or words");
    }
    Ok((size, counts))
}

fn fits(size: BoardSize) -> Result<()> {
    let bits = size.width() * (size.height() + 1);
    if bits > u64::BITS {
        bail!("books are for boards of up to 64 bits; {size} has {bits}");
    }
    Ok(())
}

/// One position for each unfinished board of a ply, up to mirror, in the order of books.
pub fn positions(size: BoardSize, ply: u32) -> Result<Vec<Position>> {
    fits(size)?;
    let mut positions = vec![(0, Position::start_on(size))];
    for _ in 0..ply {
        let children = positions.iter().flat_map(|(_, parent)| {
            (0..size.width()).filter_map(move |column| {
                let mut child = parent.clone();
                child.play(column).ok()?;
                (!child.is_over()).then(|| (Stones::of(&child).key(size), child))
            })
        });
        let mut next: Vec<(u64, Position)> = children.collect();
        // A stable sort keeps the first of equal boards, so that every machine writes the same moves for a board.
        next.sort_by_key(|(key, _)| *key);
        next.dedup_by_key(|(key, _)| *key);
        positions = next;
    }
    Ok(positions.into_iter().map(|(_, position)| position).collect())
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book of {} to ply {}", self.size, self.last_ply())
    }
}

/// A solver with a book. A position in the book takes no node.
pub struct WithBook {
    solver: Box<dyn Solve>,
    book: Arc<Book>,
}

impl WithBook {
    /// `solver` with `book`, which answers only positions of its own board.
    pub fn new(solver: Box<dyn Solve>, book: Arc<Book>) -> Self {
        // Lists the boards now, so that the first search does not take the time.
        book.boards(book.scores.len() - 1);
        WithBook { solver, book }
    }

    /// `solver` with the shipped book, if there is one for its board.
    pub fn shipped(solver: Box<dyn Solve>) -> Box<dyn Solve> {
        match Book::shipped(solver.board_size()) {
            Some(book) => Box::new(WithBook::new(solver, book)),
            None => solver,
        }
    }
}

impl Solve for WithBook {
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

    fn packed(book: &Book) -> Vec<u8> {
        let mut bytes = Vec::new();
        book.write(&mut bytes).unwrap();
        bytes
    }

    fn error(bytes: &[u8]) -> String {
        format!("{:#}", Book::read(bytes).unwrap_err())
    }

    fn file(header: &str, scores: &[u8]) -> Vec<u8> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(header.as_bytes()).and_then(|()| packer.write_all(scores)).unwrap();
        packer.finish().unwrap()
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
            let read = Book::read(&*packed(&book)).unwrap();
            assert_eq!((read.size(), &read.scores), (book.size(), &book.scores));
        }
        let bytes = packed(&made_up(small(), 3));
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
        let plies = format!("c4lab-book 1 7x6 {}\n", ["1"; 42].join(","));
        let most = format!("c4lab-book 1 7x6 {}\n", u64::MAX);
        for (header, scores) in [
            ("hello\n", &b""[..]),
            ("c4lab-book 2 7x6 1\n", b"\x01"),
            ("c4lab-book x 7x6 1\n", b"\x01"),
            ("c4lab-book 1 7x6 1,x\n", b"\x01"),
            ("c4lab-book 1 7x6\n", b"\x01"),
            ("c4lab-book 1 7x6 1 1\n", b"\x01"),
            ("c4lab-book 1 0x4 1\n", b"\x01"),
            ("c4lab-book 1 8x8 1\n", b"\x01"),
            ("c4lab-book 1 7x6 1\n", b""),
            ("c4lab-book 1 7x6 1\n", b"\x01\x01"),
            ("c4lab-book 1 7x6 2\n", b"\x01\x01"),
            ("c4lab-book 1 7x6 1\n", b"\x63"),
            ("c4lab-book 1 7x6 1,4\n", b"\x01\x00\x00\x00\x00"),
            (&plies, &[1; 42]),
            (&most, b"\x01"),
        ] {
            assert!(Book::read(&*file(header, scores)).is_err(), "{header}");
        }
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
        let mut with_book = WithBook::new(solver(), Arc::clone(&book));
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
