//! `c4lab book`: finds the exact scores of all positions of one ply, writes them as a book, and checks a book against
//! published numbers.
//!
//! Neighbours in the order of the book differ in few columns. So one thread solves them one after another and never
//! clears its table, which holds many positions of the next search. The scores do not depend on that. Rows of
//! `book.csv` are flushed one by one, so that a build can be stopped at any moment and resumed.

use crate::store::SolverArgs;
use crate::strategy::solve_blocks;
use anyhow::{Context, Result, bail};
use c4lab_cli::Wrap;
use c4lab_cli::output::{self, Format, Records};
use c4lab_cli::{Exit, Interrupt, Usage, complain};
use c4lab_measure::files::atomic;
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{Row as _, RowWriter};
use c4lab_measure::sets::test_set::print_moves;
use c4lab_measure::text::pluralize;
use c4lab_play::book::{Book, BookSolver, positions};
use c4lab_solver::game::perft::A212693;
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Solve, Solved};
use clap::{Arg, ArgMatches};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Build a book of all positions with few stones, or check it
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Build(BuildArgs),
    Check(CheckArgs),
}

const BUILD_EXAMPLES: &str = "\
Only the positions of the last ply are solved, one of each pair of mirror images; the others follow by minimax. Rows go to \
DIR/book.csv one by one. When no row is missing, the book is written to DIR as WIDTHxHEIGHT-N.book.gz.

Examples:
  c4lab book build --plies 4 --out runs/book-4
  c4lab book build --plies 8 --tt 1GiB --out runs/book-8        hours; run it again to resume
  c4lab book build --plies 6 --board 6x5 --out runs/small

Exit status: 0 all solved, 1 failure, 2 usage, 5 interrupted.";

/// Solve every position of a ply, and write the book when no row is missing
#[derive(Debug, clap::Args)]
#[command(after_help = BUILD_EXAMPLES)]
pub struct BuildArgs {
    /// The most stones of a position in the book
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_PLIES)))]
    plies: u32,
    /// Columns and rows of the board: at least 4x4, WIDTH * (HEIGHT + 1) at most 64
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = BoardSize::STANDARD)]
    board: BoardSize,
    /// The folder of the rows and the book; one that was begun is resumed
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    solver: SolverArgs,
}

const CHECK_EXAMPLES: &str = "\
Checks that the file is complete, that it has one score for every board, and that the scores of each ply follow from those \
of the next. For 7x6 the numbers of won, drawn and lost positions are compared with published ones (M. Boeck, 2025).

Examples:
  c4lab book check                                  the book that ships with c4lab
  c4lab book check runs/book-8/7x6-8.book.gz

Exit status: 0 all agree, 1 no such book, 4 a number differs.";

/// Check a book against published numbers
#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// The file [default: the book that ships with c4lab]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(command: &Command) -> Result<Exit> {
    match command {
        Command::Build(args) => build(args),
        Command::Check(args) => check(args),
    }
}

fn open(file: Option<&Path>, board: BoardSize) -> Result<Arc<Book>> {
    let Some(file) = file else {
        let none = || format!("no book of {board} ships with c4lab; c4lab book build makes one");
        return Book::shipped(board).with_context(none);
    };
    let bytes = File::open(file).with_context(|| format!("cannot open {}", file.display()))?;
    Book::read(bytes).map(Arc::new).with_context(|| file.display().to_string())
}

pub fn arg() -> Arg {
    Arg::new("book")
        .long("book")
        .value_name("FILE")
        .num_args(0..=1)
        .require_equals(true)
        .value_parser(clap::value_parser!(PathBuf))
        .conflicts_with("explain")
        .help("Look up positions with few stones in the book that ships with c4lab, or in a file of `c4lab book build`")
}

/// The wrapper of `--book`: it looks up a position in the book before a search.
pub fn wrap(matches: &ArgMatches) -> Result<Option<Wrap>> {
    if !matches.contains_id("book") {
        return Ok(None);
    }
    let file = matches.get_one::<PathBuf>("book").map(PathBuf::as_path);
    let board = matches.get_one("board").copied().unwrap_or(BoardSize::STANDARD);
    let book = open(file, board)?;
    if book.size() != board {
        let file = file.unwrap_or(Path::new("the book"));
        return Err(Usage(format!("--book: {} is a book of {}, not of {board}", file.display(), book.size())).into());
    }
    Ok(Some(Box::new(move |solver| Box::new(BookSolver::new(solver, Arc::clone(&book))))))
}

fn build(args: &BuildArgs) -> Result<Exit> {
    let variant = &args.solver.variant;
    if !variant.spec().goals().contains(&Goal::Strong) {
        return Err(Usage(format!("{} says only who wins: a book holds scores", variant.text())).into());
    }
    let interrupt = Interrupt::listen()?;
    let mut last = ScoredPly::of(args.board, args.plies)?;
    let bar = args.solver.bar("book");
    let is_whole = last.solve(args, interrupt.flag(), &bar)?;
    bar.finish_and_clear();
    if !is_whole {
        complain(format_args!("not finished: the same command resumes in {}", args.out.display()));
        return Ok(Exit::Incomplete);
    }
    let (book, file) = (last.book()?, args.out.join(format!("{}-{}.book.gz", args.board, args.plies)));
    let bytes = book.pack()?;
    atomic::write(&file, &bytes)?;
    let positions: usize = (0..=book.last_ply()).map(|ply| book.scores(ply).len()).sum();
    let text = format!("{}: {book:?}, {}, {} bytes", file.display(), pluralize(positions, "position"), bytes.len());
    output::print(&text, Exit::Success)
}

fn check(args: &CheckArgs) -> Result<Exit> {
    let book = open(args.file.as_deref(), BoardSize::STANDARD)?;
    if args.file.is_none() {
        // A book that is read from a file is checked by `open`.
        book.check()?;
    }
    if book.size() == BoardSize::STANDARD { beside_published(&book, args.format) } else { Ok(Exit::Success) }
}

fn beside_published(book: &Book, format: Format) -> Result<Exit> {
    let mut exit = Exit::Success;
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for ply in 0..=book.last_ply() {
        let found = outcomes(book, ply)?;
        let published = PUBLISHED.get(ply as usize);
        let verdict = match published {
            Some(published) if *published == found => "equal",
            Some(_) => "DIFFERS",
            None => "not published here",
        };
        if verdict == "DIFFERS" {
            exit = Exit::Wrong;
        }
        let values = found.iter().chain(published.into_iter().flatten()).map(|number| json!(number));
        let is_equal = published.map(|published| *published == found);
        let mut record: Vec<_> = [json!(ply)].into_iter().chain(values).collect();
        record.resize(7, json!(null));
        record.push(json!(is_equal));
        records.push(record);
        let numbers = found.iter().map(u64::to_string);
        rows.push([ply.to_string()].into_iter().chain(numbers).chain([verdict.to_string()]).collect());
    }
    let fields = ["ply", "first_wins", "draw", "second_wins"];
    let published = ["published_first_wins", "published_draw", "published_second_wins", "equal"];
    let records = Records { fields: [fields, published].concat(), rows: records };
    format.list(&["ply", "first wins", "draw", "second wins", "published"], rows, &records)?;
    Ok(exit)
}

/// The number of neighbouring positions that one thread solves one after another.
const BLOCK: usize = 128;

/// The most stones of a position in a book. Each further ply has about three times the positions, all listed in memory.
const MOST_PLIES: u32 = 12;

struct ScoredPly {
    size: BoardSize,
    ply: u32,
    positions: Vec<Position>,
    scores: Vec<Option<Score>>,
}

impl ScoredPly {
    fn of(size: BoardSize, ply: u32) -> Result<Self> {
        if ply >= size.cells() || ply > MOST_PLIES {
            bail!("a book to ply {ply}: {size} has {} squares, and books end at ply {MOST_PLIES}", size.cells());
        }
        let positions = positions(size, ply)?;
        let scores = vec![None; positions.len()];
        Ok(ScoredPly { size, ply, positions, scores })
    }

    fn add_rows(&mut self, folder: &Path, rows: &[Row]) -> Result<()> {
        for (index, row) in rows.iter().enumerate() {
            self.add_row(row).with_context(|| Row::place(folder, index))?;
        }
        Ok(())
    }

    fn add_row(&mut self, row: &Row) -> Result<()> {
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

    /// Solves the positions without a score, and adds a row for each to the folder. True if none is missing then.
    fn solve(&mut self, args: &BuildArgs, interrupt: &AtomicBool, bar: &ProgressBar) -> Result<bool> {
        let mut solvers = args.solver.solvers(args.board)?;
        let (mut file, rows) = RowWriter::<Row>::open(&args.out)?;
        self.add_rows(&args.out, &rows)?;
        let unsolved: Vec<usize> = (0..self.positions.len()).filter(|&place| self.scores[place].is_none()).collect();
        let (missing, there) = (unsolved.len(), self.positions.len() - unsolved.len());
        if there > 0 && !bar.is_hidden() {
            bar.suspend(|| output::say(format_args!("{} are there", pluralize(there, "position"))));
        }
        bar.set_length(missing as u64);
        let mut found = Vec::with_capacity(missing);
        let solve = |solver: &mut Box<dyn Solve>, &place: &usize, limits: &Limits<'_>| {
            solver.solve(&self.positions[place], Goal::Strong, limits)
        };
        solve_blocks(&mut solvers, unsolved.chunks(BLOCK), interrupt, solve, |&place, Solved { score, nodes }| {
            file.add(&Row {
                schema_version: SCHEMA_VERSION,
                board: self.size.to_string(),
                ply: self.ply,
                place,
                moves: print_moves(&self.positions[place]),
                score,
                nodes,
                variant: args.solver.variant.text().to_string(),
                git_rev: git_rev(),
            })?;
            found.push((place, score));
            bar.inc(1);
            Ok(())
        })?;
        found.iter().for_each(|&(place, score)| self.scores[place] = Some(score));
        Ok(found.len() == missing)
    }

    fn book(&self) -> Result<Book> {
        let scores = self.scores.iter().flatten().map(|&score| i8::try_from(score));
        Book::of(self.size, self.ply, scores.collect::<Result<_, _>>().context("a score")?)
    }
}

/// The published numbers of positions of 7x6 that are won, drawn and lost for the first player, from ply 0. Mirror
/// images and finished games count, too. Source: M. Boeck, arXiv 2507.05267.
const PUBLISHED: [[u64; 3]; 13] = [
    [1, 0, 0],
    [1, 2, 4],
    [27, 12, 10],
    [35, 58, 145],
    [690, 200, 230],
    [1080, 697, 2486],
    [10_889, 1943, 3590],
    [17_507, 5944, 31_408],
    [124_624, 14_676, 44_975],
    [197_749, 42_896, 317_541],
    [1_122_696, 97_532, 442_395],
    [1_734_122, 255_780, 2_578_781],
    [8_191_645, 541_825, 3_502_631],
];

/// The numbers of positions of `ply` on the standard board that are won, drawn and lost for the first player, by
/// `book`. Finished games are won by the player of the last stone. Their number follows from the published number of
/// all positions.
fn outcomes(book: &Book, ply: u32) -> Result<[u64; 3]> {
    let mut outcomes = [0; 3];
    for (position, &score) in positions(book.size(), ply)?.iter().zip(book.scores(ply)) {
        let images = if position.is_symmetric() { 1 } else { 2 };
        let first = if ply.is_multiple_of(2) { Score::from(score) } else { -Score::from(score) };
        outcomes[(1 - first.signum()) as usize] += images;
    }
    let over = A212693[ply as usize] - outcomes.iter().sum::<u64>();
    outcomes[if ply.is_multiple_of(2) { 2 } else { 0 }] += over;
    Ok(outcomes)
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    schema_version: u32,
    board: String,
    ply: u32,
    /// Place in the order of the book, from 0.
    place: usize,
    moves: String,
    score: i32,
    nodes: u64,
    variant: String,
    git_rev: Option<String>,
}

const SCHEMA_VERSION: u32 = 1;

c4lab_measure::row!(Row, "book.csv", SCHEMA_VERSION);
