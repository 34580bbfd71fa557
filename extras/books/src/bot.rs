//! `c4lab bot`: a bot for tournaments that run Python. It is one file, with a store of the opening and a search
//! (G. Vandewiele, "Creating the (nearly) perfect connect-four bot with limited move time and file size").
//!
//! The program is `bot.py`. An export replaces its first constants: the board, the time of a move, and the store.

use crate::form::{Store, StoreForm};
use crate::store::{SolverArgs, fitting, found, seats};
use crate::strategy::{Seat, Strategy};
use crate::verify::{Verification, open_new};
use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use c4lab_cli::output::{self, Format};
use c4lab_cli::values::duration;
use c4lab_cli::{Exit, Interrupt, Usage};
use c4lab_measure::engines::foreign::process;
use c4lab_measure::engines::foreign::{Foreign, Program};
use c4lab_measure::engines::table::EngineTable;
use c4lab_measure::files::atomic;
use c4lab_play::players::{Player, ProgramPlayer};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{Goal, size};
use flate2::Crc;
use std::path::PathBuf;
use std::time::Duration;

/// Write a bot for tournaments that run Python: one file that never gives the value of the game away
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Export(ExportArgs),
    Verify(VerifyArgs),
}

/// Write the bot, with proven moves of the opening, and a search for the rest
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The file needs Python 3.10 or later and its standard library. It has generate_move(board, player, saved_state), as G. Vandewiele's \
article describes it; `python3 bot.py` reads lines of moves and prints a move for each.
The moves of the opening are found first, for both players, in some minutes. Their rows go to a folder, so that the same command resumes.

Examples:
  c4lab bot export --out bot.py
  c4lab bot export --out bot.py --plies 20 --max-bytes 200kB --move-time 500ms
  c4lab bot export --out bot.py --store both.store                         with a store of `c4lab store pack`

Exit status: 0 written, 1 failure, or the bytes do not suffice, 2 usage, 5 interrupted.")]
pub struct ExportArgs {
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The most bytes of the file
    #[arg(long, value_name = "BYTES", default_value = "1000000", value_parser = size::parse)]
    max_bytes: u64,
    /// The longest time of a move
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    move_time: Duration,
    /// The file has the moves on boards with fewer stones than this
    #[arg(long, value_name = "N", default_value_t = 26, value_parser = clap::value_parser!(u32).range(1..=64))]
    plies: u32,
    /// Columns and rows of the board: at least 4x4, WIDTH * (HEIGHT + 1) at most 64
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = BoardSize::STANDARD)]
    board: BoardSize,
    /// The folder of the rows of `c4lab store build` [default: the name of the file, ending in .rows]
    #[arg(long, value_name = "DIR")]
    rows: Option<PathBuf>,
    /// A store with the moves, so that none are found
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plies", "board", "rows"])]
    store: Option<PathBuf>,
    #[command(flatten)]
    solver: SolverArgs,
}

/// Prove that a program never gives the value of the game away, after every reply of the opponent
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The program moves for one player, and the opponent tries every reply. So the program gets every position with fewer than N stones that \
its moves lead to, by the protocol of `c4lab match`. The champion checks that each move keeps the value of the game. Each thread \
starts a program.

Examples:
  c4lab bot verify 'python3 bot.py' --plies 12 --out runs/proof
  c4lab bot verify 'python3 bot.py' --plies 42 --sample 1000 --out runs/sample    a thousand positions of each number of stones

Rows go to DIR/verified.csv, one for each player and number of stones.
Exit status: 0 every move keeps the value, 1 failure, 2 usage, 4 a move gives it away or is missing, 5 interrupted.")]
pub struct VerifyArgs {
    /// The command that starts the program
    #[arg(value_name = "COMMAND")]
    command: String,
    /// Verify moves on boards with fewer stones than this
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    plies: u32,
    /// The most positions for each player and number of stones, drawn at random if there are more
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// The seed of the sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The player: the first, the second, or both
    #[arg(long = "for", value_name = "PLAYER", default_value = "both", value_parser = ["first", "second", "both"])]
    player: String,
    /// The longest time of a move
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    move_time: Duration,
    /// The pattern of an answer (docs/FORMAT.md, \"Engines\")
    #[arg(long, value_name = "PATTERN", default_value = "{move}")]
    answer: String,
    /// Columns and rows of the board: at least 4x4, WIDTH * (HEIGHT + 1) at most 64
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = BoardSize::STANDARD)]
    board: BoardSize,
    /// The folder of the rows
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    solver: SolverArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub fn run(command: &Command) -> Result<Exit> {
    match command {
        Command::Export(args) => export(args),
        Command::Verify(args) => verify_bot(args),
    }
}

fn export(args: &ExportArgs) -> Result<Exit> {
    // Fails now, not after the search, if the file cannot be written. The pending file leaves nothing behind.
    atomic::check(&args.out)?;
    let (plies, bytes) = if let Some(file) = &args.store {
        let store = Store::open(file)?;
        let bytes = stored(&store, args).with_context(|| file.display().to_string())?;
        (store.plies, bytes)
    } else {
        let folder = args.rows.clone().unwrap_or_else(|| args.out.with_extension("rows"));
        let found = found(&args.solver, args.board, &Seat::ALL, args.plies, &folder)?;
        let Some(strategies) = found else { return Ok(Exit::Incomplete) };
        let bot_of = |plies| bot_of(&strategies, plies, args.move_time);
        (args.plies, fitting(args.plies, Some(args.max_bytes), "bot", bot_of)?)
    };
    atomic::write(&args.out, &bytes)?;
    let out = args.out.display();
    let text = format!("{out}: moves with fewer than {plies} stones, and a search for the rest, {} bytes", bytes.len());
    output::print(&text, Exit::Success)
}

fn stored(store: &Store, args: &ExportArgs) -> Result<Vec<u8>> {
    // Fails here, not in the bot, if the bytes are no store of this form.
    drop(store.lookup()?);
    let bytes = program(store, args.move_time)?.into_bytes();
    if bytes.len() as u64 > args.max_bytes {
        let (length, most) = (bytes.len(), args.max_bytes);
        bail!("the bot takes {length} bytes, more than {most}: c4lab store pack writes a store with fewer --plies");
    }
    Ok(bytes)
}

fn bot_of(strategies: &[Strategy], plies: u32, move_time: Duration) -> Result<Vec<u8>> {
    Ok(program(&Store::of(strategies, plies, StoreForm::Retrieval)?, move_time)?.into_bytes())
}

fn verify_bot(args: &VerifyArgs) -> Result<Exit> {
    let interrupt = Interrupt::listen()?;
    let table = EngineTable { answer: args.answer.clone(), ..EngineTable::of(&args.command) };
    table.validate().map_err(|error| Usage(format!("{}: {error:#}", args.command)))?;
    let solvers = args.solver.solvers_with_book(args.board)?.into_iter();
    let file = Some(open_new(&args.out)?);
    let log = args.out.join(process::log_path("bot"));
    let mut workers = solvers
        .map(|solver| {
            let program = Program { board: args.board, ..table.program(Some(&log))? };
            let mut player = ProgramPlayer { program: Foreign::new(program), goal: Goal::Weak, time: None };
            player.begin(args.seed, 0);
            Ok((Box::new(player) as Box<dyn Player>, solver))
        })
        .collect::<Result<Vec<_>>>()?;
    let verification = Verification {
        command: &args.command,
        size: args.board,
        seats: seats(&args.player),
        plies: args.plies,
        sample: args.sample.map(|most| (most as usize, args.seed)),
        time: Some(args.move_time),
        interrupt: interrupt.flag(),
        file,
        format: args.format,
    };
    verification.verify(&mut workers, &args.solver.bar("layers"))
}

const PROGRAM: &str = include_str!("bot.py");

pub fn program(store: &Store, move_time: Duration) -> Result<String> {
    if move_time < Duration::from_millis(10) {
        bail!("{move_time:?} is less than Python needs for a move: 10ms at least");
    }
    let text = store.bytes.each_ref().map(|bytes| bytes.as_ref().map_or(String::new(), |bytes| STANDARD.encode(bytes)));
    let sums = store.bytes.each_ref().map(|bytes| bytes.as_ref().map_or(0, |bytes| checksum(bytes)));
    let (width, height, plies, seconds) =
        (store.size.width(), store.size.height(), store.plies, move_time.as_secs_f64());
    let mut program = PROGRAM.to_string();
    for (line, now) in [
        ("WIDTH, HEIGHT = 7, 6\n", format!("WIDTH, HEIGHT = {width}, {height}\n")),
        ("MOVE_SECONDS = 1.0\n", format!("MOVE_SECONDS = {seconds}\n")),
        ("STORE_STONES = 0\n", format!("STORE_STONES = {plies}\n")),
        ("STORE = [\"\", \"\"]\n", format!("STORE = [\n    \"{}\",\n    \"{}\",\n]\n", text[0], text[1])),
        ("STORE_CHECKSUMS = [0, 0]\n", format!("STORE_CHECKSUMS = [{}, {}]\n", sums[0], sums[1])),
    ] {
        let (before, after) = program.split_once(line).with_context(|| format!("the program has no line {line:?}"))?;
        program = [before, &now, after].concat();
    }
    Ok(program)
}

/// CRC-32, as zlib has it.
fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_the_store_and_the_time() {
        let size = "5x4".parse().unwrap();
        let bytes = [Some(b"123456789".to_vec()), None];
        let store = Store { size, plies: 9, form: StoreForm::Retrieval, bytes };
        let text = program(&store, Duration::from_millis(250)).unwrap();
        for line in [
            "WIDTH, HEIGHT = 5, 4\n",
            "MOVE_SECONDS = 0.25\n",
            "STORE_STONES = 9\n",
            "STORE = [\n    \"MTIzNDU2Nzg5\",\n    \"\",\n]\n",
            // The check value of CRC-32.
            "STORE_CHECKSUMS = [3421780262, 0]\n",
        ] {
            assert_eq!(text.matches(line).count(), 1, "{line}");
        }
        assert!(program(&store, Duration::from_millis(9)).is_err());
    }
}
