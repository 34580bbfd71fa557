//! `c4lab store`: finds the moves of a player in the opening, writes them as a store, measures its bytes, and verifies
//! it.

use crate::form::{Store, StoreForm};
use crate::sizes;
use crate::strategy::{self, Seat, Strategy, Task, build};
use crate::verify::{self, Verification, Worker};
use anyhow::{Context, Result, bail};
use c4lab_cli::output::{self, Format, progress_bar};
use c4lab_cli::values::{one_thread, threads};
use c4lab_cli::{Exit, Interrupt, complain};
use c4lab_measure::files::atomic;
use c4lab_measure::files::rows::{self, Row as _, RowWriter};
use c4lab_measure::text::pluralize;
use c4lab_play::book::{BookSolver, check_size};
use c4lab_play::players::{Player, Refusal};
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::registry::DEFAULT;
use c4lab_solver::search::{Name, Options, Solve, size};
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};

/// Find a move for every position that a player can meet, write the moves in few bytes, and verify them
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Build(BuildArgs),
    Pack(PackArgs),
    Sizes(SizesArgs),
    Verify(VerifyArgs),
}

/// The options for solvers.
#[derive(Debug, clap::Args)]
pub struct SolverArgs {
    /// The variant that solves the positions
    #[arg(long, value_name = "NAME", default_value = DEFAULT, value_parser = one_thread(), hide_possible_values = true)]
    pub variant: Name,
    /// Size of the table of each thread, which is never cleared
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = size::parse)]
    tt: u64,
    /// Number of threads, each with a solver [default: as many as CPUs]
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// No progress, no messages; errors only
    #[arg(long, short)]
    quiet: bool,
}

impl SolverArgs {
    /// A solver for each thread.
    pub fn solvers(&self, board: BoardSize) -> Result<Vec<Box<dyn Solve>>> {
        let options = Options { tt_bytes: self.tt, board };
        (0..threads(self.threads)).map(|_| Ok(self.variant.build(&options)?)).collect()
    }

    /// Solvers that look up positions in the shipped book, for boards that a store can have.
    pub fn solvers_with_book(&self, board: BoardSize) -> Result<Vec<Box<dyn Solve>>> {
        check_size("stores", board)?;
        Ok(self.solvers(board)?.into_iter().map(BookSolver::shipped).collect())
    }

    pub fn bar(&self, label: &str) -> ProgressBar {
        if self.quiet { ProgressBar::hidden() } else { progress_bar(0, label) }
    }
}

const BUILD_EXAMPLES: &str = "\
The player makes the moves of the store, its opponent any moves. In every such position with fewer than N stones, the first \
move that keeps the value of the game is found, in the order of a cheap rule. The shipped book answers the positions that it holds. \
Rows go to DIR/store.csv one by one.

Examples:
  c4lab store build --for first --plies 8 --out runs/store
  c4lab store build --for both --plies 16 --out runs/store              run it again to resume, or with more plies

Exit status: 0 all solved, 1 failure, 2 usage, 5 interrupted.";

/// Find a move for every position that a player can meet with fewer than N stones on the board
#[derive(Debug, clap::Args)]
#[command(after_help = BUILD_EXAMPLES)]
pub struct BuildArgs {
    /// The player: the first, the second, or both
    #[arg(long = "for", value_name = "PLAYER", value_parser = ["first", "second", "both"])]
    player: String,
    /// Find moves on boards with fewer stones than this
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    plies: u32,
    /// Columns and rows of the board: at least 4x4, WIDTH * (HEIGHT + 1) at most 64
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = BoardSize::STANDARD)]
    board: BoardSize,
    /// The folder of the rows; one that was begun is resumed
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    solver: SolverArgs,
}

/// Write the rows of a folder as a store
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab store pack runs/store --plies 12 --out first.store
  c4lab store pack runs/store --plies 16 --max-bytes 1MB --out first.store

Exit status: 0 written, 1 positions are missing, rows contradict each other, or the bytes do not suffice.")]
pub struct PackArgs {
    /// A folder of `c4lab store build`
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Write moves on boards with fewer stones than this
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    plies: u32,
    /// The most bytes of the file
    #[arg(long, value_name = "BYTES", value_parser = size::parse)]
    max_bytes: Option<u64>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Print the bytes of each form, by the number of stones
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The first table has bytes before they are packed with gzip. The second has the saving of each form beside the one before it.

Examples:
  c4lab store sizes runs/store
  c4lab store sizes runs/store --plies 14 --out runs/sizes             rows, for a record")]
pub struct SizesArgs {
    /// A folder of `c4lab store build`
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The most stones [default: one more than in any row]
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// The most stones for forms of lines, which take gigabytes beyond
    #[arg(long, value_name = "N", default_value_t = 12)]
    lines: u32,
    /// Keep the bytes in DIR/sizes.csv
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Prove that no move of a store gives the value of the game away, after every reply of the opponent
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  c4lab store verify first.store
  c4lab store verify first.store --variant champion-search-moves

Exit status: 0 every move keeps the value, 1 no store, 4 a move gives it away or is missing, 5 interrupted.")]
pub struct VerifyArgs {
    /// The file of the store
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Keep the rows in DIR/verified.csv, one for each player and number of stones
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    solver: SolverArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(command: &Command) -> Result<Exit> {
    match command {
        Command::Build(args) => build_store(args),
        Command::Pack(args) => pack(args),
        Command::Sizes(args) => sizes(args),
        Command::Verify(args) => verify_store(args),
    }
}

fn build_store(args: &BuildArgs) -> Result<Exit> {
    let Some(strategies) = found(&args.solver, args.board, &seats(&args.player), args.plies, &args.out)? else {
        return Ok(Exit::Incomplete);
    };
    let positions = strategies.iter().map(Strategy::len).sum();
    let text = format!("{} in {}", pluralize(positions, "position"), args.out.join(strategy::Row::FILE).display());
    output::print(&text, Exit::Success)
}

/// The players that `name` means: `first`, `second` or `both`.
pub fn seats(name: &str) -> Vec<Seat> {
    Seat::ALL.into_iter().filter(|seat| name == "both" || name == seat.name()).collect()
}

/// The moves of the players `seats`. Missing moves are found, and their rows are added to `folder`. `None` after an
/// interrupt.
pub fn found(
    solver: &SolverArgs,
    board: BoardSize,
    seats: &[Seat],
    plies: u32,
    folder: &Path,
) -> Result<Option<Vec<Strategy>>> {
    let interrupt = Interrupt::listen()?;
    let mut solvers = solver.solvers_with_book(board)?;
    let (mut file, rows) = RowWriter::<strategy::Row>::open(folder)?;
    let bar = solver.bar("positions");
    let task = Task { plies, variant: solver.variant.text(), interrupt: interrupt.flag(), bar: &bar };
    let mut strategies = Vec::new();
    for &seat in seats {
        let mut strategy = Strategy::new(board, seat);
        strategy.add_rows(folder, &rows)?;
        if !build(&mut strategy, &task, &mut solvers, &mut file)? {
            bar.finish_and_clear();
            complain(format_args!("not finished: the same command resumes in {}", folder.display()));
            return Ok(None);
        }
        strategies.push(strategy);
    }
    bar.finish_and_clear();
    Ok(Some(strategies))
}

/// The moves of all rows in `folder`, and one more than the most stones of a row.
fn strategies(folder: &Path) -> Result<(Vec<Strategy>, u32)> {
    let rows = rows::read::<strategy::Row>(folder)?;
    let most = rows.iter().map(|row| row.ply + 1).max().context("no store rows in this folder")?;
    let mut strategies = Vec::new();
    for seat in Seat::ALL {
        let Some(row) = rows.iter().find(|row| row.seat == seat) else { continue };
        let mut strategy = Strategy::new(row.board.parse()?, seat);
        strategy.add_rows(folder, &rows)?;
        strategies.push(strategy);
    }
    Ok((strategies, most))
}

/// The bytes that `written` gives for `plies`. An error if they are more than `most`; it says how many plies fit.
pub fn fitting(plies: u32, most: Option<u64>, noun: &str, written: impl Fn(u32) -> Result<Vec<u8>>) -> Result<Vec<u8>> {
    let bytes = written(plies)?;
    let Some(most) = most.filter(|&most| bytes.len() as u64 > most) else { return Ok(bytes) };
    let fits = |plies: &u32| written(*plies).is_ok_and(|bytes| bytes.len() as u64 <= most);
    let fitting =
        (1..plies).rev().find(fits).map_or("nothing fits".to_string(), |plies| format!("--plies {plies} fits"));
    let stones = pluralize(plies as usize, "stone");
    bail!("a {noun} for fewer than {stones} takes {} bytes, more than {most}; {fitting}", bytes.len())
}

fn pack(args: &PackArgs) -> Result<Exit> {
    // Fails now, not after a long read, if the file cannot be written. The pending file leaves nothing behind.
    atomic::check(&args.out)?;
    let (strategies, _) = strategies(&args.folder)?;
    let written = |plies| Store::of(&strategies, plies, StoreForm::Retrieval)?.pack();
    let bytes = fitting(args.plies, args.max_bytes, "store", written)?;
    atomic::write(&args.out, &bytes)?;
    let (out, stones) = (args.out.display(), pluralize(args.plies as usize, "stone"));
    output::print(&format!("{out}: moves with fewer than {stones}, {} bytes", bytes.len()), Exit::Success)
}

fn sizes(args: &SizesArgs) -> Result<Exit> {
    let (strategies, most) = strategies(&args.folder)?;
    let most = args.plies.unwrap_or(most);
    let mut rows = Vec::new();
    for stones in 2..=most {
        for form in StoreForm::ALL.into_iter().filter(|form| !form.is_of_lines() || stones <= args.lines) {
            rows.push(sizes::Row::of(&strategies, stones, form)?);
        }
    }
    if let Some(out) = &args.out {
        std::fs::create_dir_all(out).with_context(|| format!("cannot make the folder {}", out.display()))?;
        rows::write(out, &rows)?;
    }
    // The two tables have different columns, so CSV has only the first.
    let sheets = [sizes::sheet(&rows), sizes::steps(&rows)];
    output::show(&args.format.of(if args.format == Format::Csv { &sheets[..1] } else { &sheets })?)?;
    Ok(Exit::Success)
}

fn verify_store(args: &VerifyArgs) -> Result<Exit> {
    let interrupt = Interrupt::listen()?;
    let shown = args.file.display().to_string();
    let store = Store::open(&args.file)?;
    let lookup = store.lookup().with_context(|| shown.clone())?;
    let player =
        |position: &Position| lookup(position).ok_or_else(|| Refusal::Failed("missing", "no move".to_string()));
    let solvers = args.solver.solvers_with_book(store.size)?.into_iter();
    let mut workers: Vec<Worker<'_>> = solvers.map(|solver| (Box::new(player) as Box<dyn Player>, solver)).collect();
    let verification = Verification {
        command: &shown,
        size: store.size,
        seats: store.seats().collect(),
        plies: store.plies,
        sample: None,
        time: None,
        interrupt: interrupt.flag(),
        file: args.out.as_deref().map(verify::open_new).transpose()?,
        format: args.format,
    };
    verification.verify(&mut workers, &args.solver.bar("layers"))
}
