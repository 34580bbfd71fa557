//! Building a book: every position of its last ply is solved, in blocks of neighbours.
//!
//! Neighbours in the order of the book differ in few columns. So a thread solves them one after another, and never
//! clears its table: much of what the next one needs is in it. A score does not depend on that.

use crate::book::row::{self, BookFile, BookRow, SCHEMA_VERSION};
use anyhow::{Context, Result, bail};
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::plan::shard::Shard;
use c4lab_measure::sets::test_set::print_moves;
use c4lab_play::book::{self, Book};
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Name, Options, Solve};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// Neighbours that one thread solves one after another, and that one shard takes together.
const BLOCK: usize = 128;

/// The most stones of a position in a book: every ply more has some three times the positions, all of which are listed.
pub const MOST_PLIES: u32 = 12;

/// What is told of a build while it goes on.
pub trait Builder {
    /// So many positions are to be solved here, and so many rows were there.
    fn start(&mut self, missing: usize, there: usize);
    /// A row was added.
    fn row(&mut self);
}

/// The last ply of a book, and the scores that are known.
pub struct LastPly {
    size: BoardSize,
    ply: u32,
    /// Its positions, in the order of the book.
    positions: Vec<Position>,
    scores: Vec<Option<Score>>,
}

/// How positions are solved.
#[derive(Clone, Debug)]
pub struct Means<'a> {
    /// What solves them.
    pub name: &'a Name,
    /// What solvers are built with.
    pub options: Options,
    /// Threads, each with a solver of its own.
    pub threads: usize,
    /// A flag that stops the build.
    pub interrupt: &'a AtomicBool,
}

impl LastPly {
    /// All positions of a ply, none of them solved.
    ///
    /// # Errors
    /// No search was built for the board, or the board has fewer squares.
    pub fn of(size: BoardSize, ply: u32) -> Result<Self> {
        if ply >= size.cells() || ply > MOST_PLIES {
            bail!("a book to ply {ply}: {size} has {} squares, and books end at ply {MOST_PLIES}", size.cells());
        }
        let positions = book::positions(size, ply)?;
        let scores = vec![None; positions.len()];
        Ok(LastPly { size, ply, positions, scores })
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Positions that are not solved.
    pub fn missing(&self) -> usize {
        self.scores.iter().filter(|score| score.is_none()).count()
    }

    /// Takes rows of a folder over.
    ///
    /// # Errors
    /// A row is of another book, or two rows contradict each other: the file, the line and the reason.
    pub fn take(&mut self, folder: &Path, rows: &[BookRow]) -> Result<()> {
        for (index, row) in rows.iter().enumerate() {
            let at = || format!("{}, line {}", folder.join(row::FILE).display(), index + 2);
            self.enter(row).with_context(at)?;
        }
        Ok(())
    }

    fn enter(&mut self, row: &BookRow) -> Result<()> {
        if (row.board.as_str(), row.ply) != (&*self.size.to_string(), self.ply) {
            bail!("a row of {} to ply {}, not of {} to ply {}", row.board, row.ply, self.size, self.ply);
        }
        match self.positions.get(row.place) {
            Some(position) if print_moves(position) == row.moves => {}
            _ => bail!("{} is not the position in place {}", row.moves, row.place),
        }
        match self.scores[row.place].replace(row.score) {
            Some(other) if other != row.score => bail!("{} has the scores {other} and {}", row.moves, row.score),
            _ => Ok(()),
        }
    }

    /// Solves what a shard lacks, adds every row to the folder, and says whether it came to the end.
    ///
    /// # Errors
    /// The solver cannot be built, the folder holds another book, or it cannot be written.
    pub fn solve(&mut self, means: &Means<'_>, shard: Shard, folder: &Path, builder: &mut dyn Builder) -> Result<bool> {
        let solvers =
            (0..means.threads.max(1)).map(|_| means.name.build(&means.options)).collect::<Result<Vec<_>, _>>()?;
        let (mut file, rows) = BookFile::open(folder)?;
        self.take(folder, &rows)?;
        let blocks = self.blocks(shard);
        let missing = blocks.iter().map(Vec::len).sum();
        builder.start(missing, self.positions() - self.missing());
        let next = AtomicUsize::new(0);
        let (sender, solved) = channel();
        let (positions, size, ply) = (&self.positions, self.size, self.ply);
        let mut rows = Vec::with_capacity(missing);
        thread::scope(|scope| {
            for solver in solvers {
                let (sender, next, blocks) = (sender.clone(), &next, &blocks);
                scope.spawn(move || work(positions, blocks, next, solver, means.interrupt, &sender));
            }
            drop(sender);
            // After an error nobody receives any more, and every thread ends with its next row.
            for (place, score, nodes) in solved {
                let row = BookRow {
                    schema_version: SCHEMA_VERSION,
                    board: size.to_string(),
                    ply,
                    place,
                    moves: print_moves(&positions[place]),
                    score,
                    nodes,
                    variant: means.name.text().to_string(),
                    git_rev: git_rev(),
                };
                file.add(&row)?;
                rows.push((place, score));
                builder.row();
            }
            Ok::<(), anyhow::Error>(())
        })?;
        let came = rows.len();
        for (place, score) in rows {
            self.scores[place] = Some(score);
        }
        Ok(came == missing)
    }

    /// The blocks of a shard, each the places that have no score.
    fn blocks(&self, shard: Shard) -> Vec<Vec<usize>> {
        let places: Vec<usize> = (0..self.positions()).collect();
        let of_shard = places.chunks(BLOCK).enumerate().filter(|(block, _)| shard.takes("book", *block));
        let missing = of_shard.map(|(_, block)| block.iter().copied().filter(|&place| self.scores[place].is_none()));
        missing.map(Iterator::collect).filter(|block: &Vec<usize>| !block.is_empty()).collect()
    }

    /// The book, where every position is solved.
    ///
    /// # Errors
    /// Positions are missing: how many.
    pub fn book(&self) -> Result<Book> {
        if self.missing() > 0 {
            bail!("{} of {} positions of ply {} are not solved", self.missing(), self.positions(), self.ply);
        }
        let scores = self.scores.iter().flatten().map(|&score| i8::try_from(score));
        Book::of(self.size, self.ply, scores.collect::<Result<_, _>>().context("a score")?)
    }

    /// The name of its file.
    pub fn file(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{}-{}.book.gz", self.size, self.ply))
    }
}

/// One thread: takes blocks until there are none.
fn work(
    positions: &[Position],
    blocks: &[Vec<usize>],
    next: &AtomicUsize,
    mut solver: Box<dyn Solve>,
    interrupt: &AtomicBool,
    rows: &Sender<(usize, Score, u64)>,
) {
    let limits = Limits { interrupt: Some(interrupt), ..Limits::default() };
    while let Some(block) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
        for &place in block {
            let Ok(solved) = solver.solve(&positions[place], Goal::Strong, &limits) else { return };
            if rows.send((place, solved.score, solved.nodes)).is_err() {
                return;
            }
        }
    }
}
