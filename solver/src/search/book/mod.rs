//! Book: the exact scores of all positions with few stones.
//!
//! ```text
//! ply          0   1   2   3 ...                 all boards up to mirror on which the game goes on
//! key          k   k k k k  k k k k k ...        in the order of their keys: not in the file
//! score        s   s s s s  s s s s s ...        one byte each
//! ```
//!
//! The boards of a ply follow from the rules, so a file holds none of them: a number is found by its place
//! (`plies.rs`). The boards of a ply are listed when a position with so many stones is asked for: eight plies take
//! some hundredths of a second, the first plies nothing.
//!
//! Only the last ply is searched. The others follow by minimax ([`Book::of`]), and a reader checks that they do.

mod file;
pub(in crate::search) mod plies;
mod with_book;

pub use file::BookError;
pub use with_book::WithBook;

use crate::game::score::Score;
use crate::game::{BoardSize, Position};
use crate::search::registry;
use plies::Plies;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The scores of all positions of a board with so many stones or fewer.
pub struct Book {
    size: BoardSize,
    /// The score of every board of a ply, in the order of their keys.
    scores: Vec<Vec<i8>>,
    /// The keys of a ply, listed when they are needed.
    keys: Vec<OnceLock<Vec<u64>>>,
    plies: &'static dyn Plies,
}

/// The book that is part of this crate, packed.
const SHIPPED: &[u8] = include_bytes!("../../../books/7x6.book.gz");

impl Book {
    /// The book of a board, given the score of every board of its last ply, in the order of [`positions`].
    ///
    /// # Errors
    /// Another number of scores, one that such a board cannot have, or a board that no search was built for.
    pub fn of(size: BoardSize, last: u32, scores: Vec<i8>) -> Result<Self, BookError> {
        let mut book = Book::with(size, vec![Vec::new(); last as usize + 1])?;
        book.scores[last as usize] = scores;
        book.check_numbers(last)?;
        for ply in (0..last as usize).rev() {
            book.scores[ply] = book.follows(ply);
        }
        Ok(book)
    }

    /// The book that ships with this crate, if there is one for the board: 7x6, to eight plies.
    pub fn shipped(size: BoardSize) -> Option<Arc<Self>> {
        static BOOK: OnceLock<Arc<Book>> = OnceLock::new();
        let book = BOOK.get_or_init(|| Arc::new(Book::trusted(SHIPPED).expect("the shipped book is whole")));
        (book.size == size).then(|| Arc::clone(book))
    }

    fn with(size: BoardSize, scores: Vec<Vec<i8>>) -> Result<Self, BookError> {
        let plies = plies_of(size)?;
        let keys = scores.iter().map(|_| OnceLock::new()).collect();
        Ok(Book { size, scores, keys, plies })
    }

    /// The same without the plies after one that it holds.
    ///
    /// # Errors
    /// It holds no such ply.
    pub fn up_to(&self, ply: u32) -> Result<Self, BookError> {
        if ply > self.last_ply() {
            return Err(BookError::Short { asked: ply, last: self.last_ply() });
        }
        Book::with(self.size, self.scores[..=ply as usize].to_vec())
    }

    /// Columns and rows of its board.
    pub fn size(&self) -> BoardSize {
        self.size
    }

    /// The most stones of a position that it knows.
    pub fn last_ply(&self) -> u32 {
        self.scores.len() as u32 - 1
    }

    /// The score of a position from the mover's side; `None` where it has too many stones, is over, or is of another board.
    ///
    /// ```
    /// use c4lab_solver::game::{BoardSize, Position};
    /// use c4lab_solver::search::Book;
    /// let book = Book::shipped(BoardSize::STANDARD).unwrap();
    /// assert_eq!(book.score(&Position::start()), Some(1)); // the first player wins with the last stone
    /// assert_eq!(book.score(&Position::parse("1").unwrap()), Some(2));
    /// ```
    pub fn score(&self, position: &Position) -> Option<Score> {
        if position.size() != self.size {
            return None;
        }
        let ply = position.ply() as usize;
        let scores = self.scores.get(ply)?;
        let index = self.keys(ply).binary_search(&self.plies.key(position)).ok()?;
        Some(scores[index].into())
    }

    /// The scores of a ply that it holds, in the order of [`positions`].
    pub fn scores(&self, ply: u32) -> &[i8] {
        &self.scores[ply as usize]
    }

    /// Lists the boards of all plies now, and not when a position is asked for.
    pub fn list(&self) {
        self.keys(self.scores.len() - 1);
    }

    /// The keys of a ply.
    fn keys(&self, ply: usize) -> &[u64] {
        self.keys[ply].get_or_init(|| match ply.checked_sub(1) {
            None => self.plies.first(),
            Some(before) => self.plies.next(self.keys(before)),
        })
    }

    /// The scores of a ply, as they follow from the next one.
    fn follows(&self, ply: usize) -> Vec<i8> {
        self.plies.scores(self.keys(ply), self.keys(ply + 1), &self.scores[ply + 1])
    }

    /// An error where a ply has another number of scores than there are boards, or a score that no such board has.
    fn check_numbers(&self, ply: u32) -> Result<(), BookError> {
        let (expected, found) = (self.keys(ply as usize).len(), self.scores(ply).len());
        if expected != found {
            return Err(BookError::Count { ply, expected, found });
        }
        let possible = self.size.least(ply)..=self.size.win_at(ply);
        match self.scores(ply).iter().find(|&&score| !possible.contains(&score.into())) {
            Some(&score) => Err(BookError::Score { ply, score: score.into() }),
            None => Ok(()),
        }
    }

    /// Checks that it has one score for every board, and that the scores of each ply follow from those of the next one.
    ///
    /// # Errors
    /// It does not.
    pub fn check(&self) -> Result<(), BookError> {
        // The first plies first: boards of a ply are listed only where the file has as many scores of the one before.
        (0..=self.last_ply()).try_for_each(|ply| self.check_numbers(ply))?;
        let contradiction = (0..self.last_ply()).find(|&ply| self.follows(ply as usize) != self.scores(ply));
        contradiction.map_or(Ok(()), |ply| Err(BookError::Contradiction { ply }))
    }
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book of {} to ply {}", self.size, self.last_ply())
    }
}

/// The boards of every ply of a board, whose keys fit a word of 64 bits.
fn plies_of(size: BoardSize) -> Result<&'static dyn Plies, BookError> {
    if size.bits() > u64::BITS {
        return Err(BookError::Long(size));
    }
    registry::plies(size).ok_or(BookError::Board(size))
}

/// One position for each board of a ply, up to mirror, on which the game goes on, in the order of books.
///
/// # Errors
/// No search was built for the board, or it has more than 64 bits.
pub fn positions(size: BoardSize, ply: u32) -> Result<Vec<Position>, BookError> {
    let plies = plies_of(size)?;
    let mut positions = vec![(plies.key(&Position::start_on(size)), Position::start_on(size))];
    for _ in 0..ply {
        let children = positions.iter().flat_map(|(_, parent)| {
            (0..size.width()).filter_map(move |column| {
                let mut child = parent.clone();
                child.play(column).ok()?;
                (!child.is_over()).then(|| (plies.key(&child), child))
            })
        });
        let mut next: Vec<(u64, Position)> = children.collect();
        // The first of equals stays: the order of columns decides how a board is written, on every machine.
        next.sort_by_key(|(key, _)| *key);
        next.dedup_by_key(|(key, _)| *key);
        positions = next;
    }
    Ok(positions.into_iter().map(|(_, position)| position).collect())
}

#[cfg(test)]
mod tests;
