//! `c4lab book`: the exact scores of all positions with few stones, built, put together and checked.

use crate::book::build::{Builder, LastPly, MOST_PLIES, Means};
use crate::book::check::{self, PUBLISHED};
use crate::book::row;
use anyhow::{Context, Result, bail};
use c4lab_cli::command::Wrap;
use c4lab_cli::interrupt::Interrupt;
use c4lab_cli::output::{self, FormatArg, Records, progress_bar};
use c4lab_cli::values::{one_thread, threads, variant};
use c4lab_cli::{Exit, Usage, complain};
use c4lab_measure::counted::counted;
use c4lab_measure::files::atomic::{self, PendingFile};
use c4lab_measure::plan::shard::Shard;
use c4lab_measure::sets::by_ply;
use c4lab_measure::sets::pick::Pick;
use c4lab_measure::sets::test_set::print_moves;
use c4lab_play::book::{Book, WithBook};
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::registry::DEFAULT;
use c4lab_solver::search::{Goal, Limits, Name, Options, Solve, Stopped, analysis, size};
use clap::{Arg, ArgMatches};
use indicatif::ProgressBar;
use serde_json::json;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Build a book of all positions with few stones, put it together, check it, or time it
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, clap::Subcommand)]
enum BookCommand {
    Build(BuildArgs),
    Pack(PackArgs),
    Check(CheckArgs),
    Time(TimeArgs),
}

const BUILD_EXAMPLES: &str = "\
Only the positions of the last ply are solved, one of each pair of mirror images; the others follow by minimax. Rows go to \
DIR/book.csv as they are found. When none is missing, the book is written to DIR as WIDTHxHEIGHT-N.book.gz.

Examples:
  c4lab book build --plies 4 --out runs/book-4
  c4lab book build --plies 8 --tt 1GiB --out runs/book-8        hours; run it again to go on
  c4lab book build --plies 8 --shard 3/8 --out runs/part-3      for one of eight machines (`c4lab book pack`)
  c4lab book build --plies 6 --board 6x5 --out runs/small

Exit status: 0 all solved, 1 failure, 2 usage, 5 interrupted.";

/// Solve every position of a ply, and write the book when none is missing
#[derive(Debug, clap::Args)]
#[command(after_help = BUILD_EXAMPLES)]
struct BuildArgs {
    /// The most stones of a position in the book
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_PLIES)))]
    plies: u32,
    /// What solves the positions
    #[arg(long, value_name = "NAME", default_value = DEFAULT, value_parser = one_thread(), hide_possible_values = true)]
    variant: Name,
    /// Size of the table of each thread, which is never cleared
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = size::parse)]
    tt: u64,
    /// Number of threads, each with a solver [default: as many as CPUs]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Columns and rows of the board: 4x4 to what 128 bits hold
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = BoardSize::STANDARD)]
    board: BoardSize,
    /// Only part K of N of the positions
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// The folder of the rows and the book; one that was begun is resumed
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// No progress, no messages; errors only
    #[arg(long, short)]
    quiet: bool,
}

/// Put the rows of several folders together to one book
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab book pack runs/part-* --out 7x6-8.book.gz

Exit status: 0 written, 1 positions are missing, or rows contradict each other.")]
struct PackArgs {
    /// Folders of `c4lab book build`
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

const CHECK_EXAMPLES: &str = "\
Reading a book checks that it is whole, that it has one score for every board, and that the scores of each ply follow from those \
of the next. For 7x6 the numbers of won, drawn and lost positions are compared with those that are published (M. Boeck, 2025). \
With --sample another variant is asked for scores of the last ply.

Examples:
  c4lab book check                                  the book that ships with c4lab
  c4lab book check runs/book-8/7x6-8.book.gz --sample 2000
  c4lab book check --sample 20 --variant pons-12

Exit status: 0 all agree, 1 no such book, 4 a number or a score differs, 5 interrupted.";

/// Check a book against published numbers, and a sample of it against another variant
#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_EXAMPLES)]
struct CheckArgs {
    /// The file [default: the book that ships with c4lab]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Ask another variant for the scores of so many positions of the last ply
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// The variant that is asked
    #[arg(long, value_name = "NAME", default_value = "champion-search-moves", value_parser = one_thread(), hide_possible_values = true, requires = "sample")]
    variant: Name,
    /// The seed of the sample
    #[arg(long, requires = "sample", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    format: FormatArg,
}

/// Time the empty board's seven scores, and positions with a few stones more than the book knows
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab book time                       the book that ships with c4lab, 2,000 positions beyond it
  c4lab book time my.book.gz --positions 100 --beyond 2")]
struct TimeArgs {
    /// The file [default: the book that ships with c4lab]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Positions of random play beyond the book, as many of each number of stones
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,
    /// Most stones beyond the book
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=20))]
    beyond: u32,
    /// The seed of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What solves them
    #[arg(long, value_name = "NAME", default_value = DEFAULT, value_parser = variant(), hide_possible_values = true)]
    variant: Name,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    match &args.command {
        BookCommand::Build(args) => build(args),
        BookCommand::Pack(args) => pack(args),
        BookCommand::Check(args) => check(args),
        BookCommand::Time(args) => time(args),
    }
}

/// The book in a file, or the one that ships with c4lab.
pub fn open(file: Option<&Path>, board: BoardSize) -> Result<Arc<Book>> {
    let Some(file) = file else {
        let none = || format!("no book of {board} ships with c4lab; c4lab book build makes one");
        return Book::shipped(board).with_context(none);
    };
    let bytes = File::open(file).with_context(|| format!("cannot open {}", file.display()))?;
    Book::read(bytes).map(Arc::new).with_context(|| file.display().to_string())
}

/// The option `solve --book`.
pub fn arg() -> Arg {
    Arg::new("book")
        .long("book")
        .value_name("FILE")
        .num_args(0..=1)
        .require_equals(true)
        .value_parser(clap::value_parser!(PathBuf))
        .conflicts_with("explain")
        .help(
            "Look positions with few stones up: in the book that ships with c4lab, or in a file of `c4lab book build`",
        )
}

/// Looks positions up in the book that the option names before it asks the solver.
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
    Ok(Some(Box::new(move |solver| Box::new(WithBook::new(solver, Arc::clone(&book))))))
}

struct Built(ProgressBar);

impl Builder for Built {
    fn start(&mut self, missing: usize, there: usize) {
        if there > 0 && !self.0.is_hidden() {
            self.0.suspend(|| output::say(format_args!("{} are there", counted(there, "position"))));
        }
        self.0.reset();
        self.0.set_length(missing as u64);
    }

    fn row(&mut self) {
        self.0.inc(1);
    }
}

fn build(args: &BuildArgs) -> Result<Exit> {
    if !args.variant.spec().goals().contains(&Goal::Strong) {
        return Err(Usage(format!("{} says only who wins: a book holds scores", args.variant.text())).into());
    }
    let interrupt = Interrupt::listen()?;
    let mut last = LastPly::of(args.board, args.plies)?;
    let file = last.file(&args.out);
    let mut bar = Built(if args.quiet { ProgressBar::hidden() } else { progress_bar(0, "book") });
    let options = Options { tt_bytes: args.tt, board: args.board };
    let means = Means { name: &args.variant, options, threads: threads(args.threads), interrupt: interrupt.flag() };
    let is_whole = last.solve(&means, args.shard, &args.out, &mut bar)?;
    bar.0.finish_and_clear();
    if !is_whole {
        complain(format_args!("not finished: the same command goes on in {}", args.out.display()));
        return Ok(Exit::Incomplete);
    }
    if last.missing() > 0 {
        let (missing, all) = (last.missing(), last.positions());
        let text = format!("part {} is solved; {missing} of {all} positions are those of other parts", args.shard);
        return output::print(&text, Exit::Success);
    }
    write(&last.book()?, &file)
}

/// Writes a book whole, or not at all.
fn write(book: &Book, file: &Path) -> Result<Exit> {
    let mut bytes = Vec::new();
    book.write(&mut bytes)?;
    atomic::write(file, &bytes)?;
    let positions: usize = (0..=book.last_ply()).map(|ply| book.scores(ply).len()).sum();
    let text = format!("{}: {book:?}, {}, {} bytes", file.display(), counted(positions, "position"), bytes.len());
    output::print(&text, Exit::Success)
}

fn pack(args: &PackArgs) -> Result<Exit> {
    // Better found out now than after a long read; nothing is left behind.
    PendingFile::create(&args.out).map(drop)?;
    let mut last: Option<LastPly> = None;
    for folder in &args.folders {
        let rows = row::read(folder)?;
        let Some(first) = rows.first() else { continue };
        let last = match &mut last {
            Some(last) => last,
            None => last.insert(LastPly::of(first.board.parse()?, first.ply)?),
        };
        last.take(folder, &rows)?;
    }
    let Some(last) = last else { bail!("no book rows in these folders") };
    write(&last.book()?, &args.out)
}

fn check(args: &CheckArgs) -> Result<Exit> {
    let interrupt = Interrupt::listen()?;
    let book = open(args.file.as_deref(), BoardSize::STANDARD)?;
    if args.file.is_none() {
        // What is read from a file was checked then.
        book.check()?;
    }
    let mut exit = Exit::Success;
    if book.size() == BoardSize::STANDARD {
        exit = exit.max(beside_published(&book, args.format)?);
    }
    let Some(count) = args.sample else { return Ok(exit) };
    let bar = progress_bar(u64::from(count), "sample");
    let options = Options::on(book.size());
    let solvers = (0..threads(None)).map(|_| args.variant.build(&options)).collect::<Result<Vec<_>, _>>()?;
    let pick = Pick { count: count as usize, seed: args.seed, from: 1 };
    let limits = Limits { interrupt: Some(interrupt.flag()), ..Limits::default() };
    let sampled = check::sample(&book, pick, solvers, &limits, |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    let (disputed, asked) = match sampled {
        Err(error) if matches!(error.downcast_ref(), Some(Stopped::Interrupted(_))) => return Ok(Exit::Incomplete),
        other => other?,
    };
    for disputed in &disputed {
        let moves = print_moves(&disputed.position);
        complain(format_args!("{moves}: {} does not find the score {}", args.variant.text(), disputed.score));
        exit = Exit::Wrong;
    }
    let confirmed = asked - disputed.len();
    // None in n: at most 3 / n (95 %).
    let most = if disputed.is_empty() {
        format!("; at most {:.2} % of all are wrong (95 %)", 300.0 / asked as f64)
    } else {
        String::new()
    };
    output::print(
        &format!("{} confirms {confirmed} of {asked} scores of ply {}{most}", args.variant.text(), book.last_ply()),
        exit,
    )
}

/// Prints how many positions of each ply are won, drawn and lost, beside the published numbers.
fn beside_published(book: &Book, format: FormatArg) -> Result<Exit> {
    let mut exit = Exit::Success;
    let (mut rows, mut records) = (Vec::new(), Vec::new());
    for ply in 0..=book.last_ply() {
        let found = check::outcomes(book, ply)?;
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
    format.table(&["ply", "first wins", "draw", "second wins", "published"], rows, &records)?;
    Ok(exit)
}

fn time(args: &TimeArgs) -> Result<Exit> {
    let interrupt = Interrupt::listen()?;
    let begun = Instant::now();
    let book = open(args.file.as_deref(), BoardSize::STANDARD)?;
    let start = Position::start_on(book.size());
    let options = Options::on(book.size());
    let mut solver = WithBook::new(args.variant.build(&options)?, Arc::clone(&book));
    let limits = Limits { interrupt: Some(interrupt.flag()), ..Limits::default() };
    let scores = analysis::columns(&mut solver, &start, Goal::Strong, &limits)?;
    let to_all = begun.elapsed();
    let shown: Vec<String> = scores.iter().flatten().map(ToString::to_string).collect();
    output::print(&format!("empty board: {} in {}", shown.join(" "), milliseconds(to_all)), Exit::Success)?;
    let positions = beyond(&book, args);
    let bar = progress_bar(positions.len() as u64, "beyond the book");
    let mut times = Vec::new();
    for position in &positions {
        solver.reset();
        let begun = Instant::now();
        if solver.solve(position, Goal::Strong, &limits).is_err() {
            break;
        }
        times.push((begun.elapsed(), print_moves(position)));
        bar.inc(1);
    }
    bar.finish_and_clear();
    times.sort();
    let (Some(middle), Some(worst)) = (times.get(times.len() / 2), times.last()) else { return Ok(Exit::Incomplete) };
    let last = book.last_ply();
    let text = format!(
        "{} with {} to {} stones: median {}, worst {} ({})",
        counted(times.len(), "position"),
        last + 1,
        last + args.beyond,
        milliseconds(middle.0),
        milliseconds(worst.0),
        worst.1
    );
    output::print(&text, if times.len() < positions.len() { Exit::Incomplete } else { Exit::Success })
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// Positions of random play with a few stones more than the book knows, as many of each number.
fn beyond(book: &Book, args: &TimeArgs) -> Vec<Position> {
    let count = args.positions.div_ceil(args.beyond) as usize;
    let plies = book.last_ply() + 1..=book.last_ply() + args.beyond;
    let drawn = plies.flat_map(|ply| by_ply::draw(book.size(), args.seed, ply, count));
    drawn.take(args.positions as usize).collect()
}
