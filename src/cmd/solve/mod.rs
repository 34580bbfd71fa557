//! `c4lab solve`: scores of positions, one a line, or as pictures for people.

mod keeping;
mod picture;
mod printer;

use crate::cmd::book;
use crate::cmd::interrupt::Interrupt;
use crate::cmd::solver::SolverArgs;
use crate::cmd::values::{duration, goal, threads};
use crate::cmd::{Exit, Usage, complain};
use anyhow::Result;
use c4lab::lab::sets::test_set::{parse_moves_on, print_moves, score_of};
use c4lab::report::explanation::{Explanation, explained};
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::book::WithBook;
use c4lab_solver::search::team::MOST_THREADS;
use c4lab_solver::search::{Goal, Limits, Solved, Solver, Stopped, Threads, analysis};
use keeping::KeepArgs;
use picture::Extra;
use printer::Printer;
use serde::Serialize;
use std::ffi::OsString;
use std::io::{self, BufRead, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
A line of output: moves score nodes microseconds, then with --analyze the score of every column (. where \
nothing can be played), then with --pv the line of best play (- where the game is over). The score is from the \
side to move: 0 is a draw, above 0 a win, below 0 a loss. An earlier win is higher (on 7x6 a win is 22 minus the number of \
the winner's stones). Limits hold for each search; --analyze and --pv make several searches.

A line of input: moves, - for the empty board. Blank lines are passed over. A second word is a score, as in a test set \
or in this command's own output: it is compared with the answer. Further words are not read. A line without an answer \
becomes a line `moves ? reason`. In CSV and JSON the reason stands under `error`. So no line of the output is missing.

On a terminal the board is drawn, with the score in words, the best column, and the scores of all columns where they are \
asked for or take few nodes; --pv adds the line of best play and its end. In a pipe, and for a file of positions, each \
position is a line. --format chooses.

A search of more than about a second takes all cores. Scores do not depend on threads; nodes do, and from one run to the next. --threads 1 keeps it on one core: the same nodes each time.

A search that takes hours can be saved: every ten minutes, and when it is stopped. A process that is killed loses what it did since. The file holds the table; it is read again by a search of the same board and variant, whose table may be larger.

Examples:
  c4lab solve 44 --format board
  c4lab solve 44455554221 --analyze --pv
  c4lab solve 4444443265 --explain                 what the search did, of any variant
  c4lab solve - --goal weak --time-limit 10s
  c4lab solve --format csv < test-sets/end-easy.txt > scores.csv
  c4lab solve 4444 --tt 1GiB
  c4lab solve - --threads 1                        on one core
  c4lab solve - --board 6x5
  c4lab solve - --book --analyze                   the scores of all first moves at once
  c4lab solve - --board 8x7 --tt 2GiB --save 8x7.saved     then, with --resume 8x7.saved too, on from there
  c4lab solve 4444 --variant pons-12 --spec order=centre

Exit status: 0 all answered, 1 a bad line, 2 usage, 4 a score of the input is not the answer, 5 a limit was reached or the search interrupted.";

/// Solve positions given as moves, or one a line on stdin
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Moves of a position, one digit a ply: 44455554221
    #[arg(value_name = "MOVES")]
    moves: Vec<OsString>,
    #[command(flatten)]
    solver: SolverArgs,
    /// The exact score (strong), or who wins: 1, 0, -1 (weak)
    #[arg(long, default_value = "strong", value_parser = goal())]
    goal: Goal,
    /// Add the score of every column
    #[arg(long)]
    analyze: bool,
    /// Add a line of best play
    #[arg(long)]
    pv: bool,
    /// Tell what the search did: what its root asked, what ended it, what became of its nodes, why there were none, what it sees
    #[arg(long, conflicts_with = "book")]
    explain: bool,
    /// Look positions with few stones up: in the book that ships with c4lab, or in a file of `c4lab book build`
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    book: Option<Option<PathBuf>>,
    /// Stop a search after this time: 10s, 500ms
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    time_limit: Option<Duration>,
    /// Stop a search after this number of nodes
    #[arg(long, value_name = "NODES")]
    node_limit: Option<u64>,
    /// Threads that search a position together, after some milliseconds of one [default: all cores, after about a second of one]
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
    #[command(flatten)]
    keep: KeepArgs,
    /// How to print: json is one object a line [default: board for positions that are given or typed on a terminal, else text]
    #[arg(long, value_enum)]
    format: Option<SolveFormat>,
}

/// How answers are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SolveFormat {
    /// A line each
    Text,
    /// Comma-separated values with a header line
    Csv,
    /// JSON
    Json,
    /// A drawing each, for people: the board, the score in words, the best column
    Board,
}

/// An answer: a line of output.
#[derive(Debug, Serialize)]
struct Solution {
    moves: String,
    score: Score,
    nodes: u64,
    microseconds: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    columns: Option<Vec<Option<Score>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pv: Option<String>,
}

/// An answer with what belongs to it.
struct Answered {
    position: Position,
    solution: Solution,
    /// Only where a picture is drawn.
    extra: Option<Extra>,
    /// What the search did, if that was asked for.
    explanation: Option<Explanation>,
    /// Why something that was asked for is left empty.
    stopped: Option<Stopped>,
}

/// A line that has no answer.
#[derive(Debug, Serialize)]
struct Unanswered<'a> {
    moves: &'a str,
    error: &'a str,
}

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
struct Asked {
    position: Position,
    /// The score that the line says it has.
    score: Option<Score>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<Exit> {
    let interrupt = Interrupt::listen()?;
    let format = args.format();
    if args.explain && format == SolveFormat::Csv {
        return Err(Usage(
            "--explain fits no row of CSV: choose --format json, or count into files with c4lab measure --counters"
                .to_string(),
        )
        .into());
    }
    let mut solver = args.with_book(args.with_threads(args.solver.build(args.goal)?)?)?;
    let mut printer = Printer::new(args, format)?;
    let saved = args.keep.moves(args.moves.len())?.map(OsString::from);
    let mut input = args.moves.iter().chain(&saved).map(|moves| Ok(moves.as_encoded_bytes().to_vec()));
    let mut stdin = std::iter::from_fn(|| interrupt.idle(|| read_line(&mut io::stdin().lock())).transpose());
    let from_stdin = args.moves.is_empty() && saved.is_none();
    if from_stdin && io::stdin().is_terminal() {
        complain(
            "type a position, one a line, for example 4455; - is the empty board, Ctrl-D ends. To play: c4lab play",
        );
    }
    let lines: &mut dyn Iterator<Item = io::Result<Vec<u8>>> = if from_stdin { &mut stdin } else { &mut input };
    let what = if from_stdin { "line" } else { "argument" };
    let limits = Limits { nodes: args.node_limit, time: args.time_limit, interrupt: Some(interrupt.flag()) };
    let mut exit = Exit::Success;
    for (index, line) in lines.enumerate() {
        let (number, line) = (index + 1, line?);
        if from_stdin && line.trim_ascii().is_empty() {
            continue;
        }
        let asked = match parse(args.solver.board, &line) {
            Ok(asked) => asked,
            Err(reason) => {
                complain(format_args!("{what} {number}: {reason}"));
                printer.print_unanswered(&first_word(&line), &reason)?;
                exit = exit.max(Exit::Failure);
                continue;
            }
        };
        let (position, expected) = (print_moves(&asked.position), asked.score);
        match answer(&mut *solver, asked.position, (args, format), &limits)? {
            Ok(answered) => {
                printer.print(&answered)?;
                let found = answered.solution.score;
                if let Some(score) = expected.filter(|score| args.goal.of(*score) != found) {
                    complain(format_args!("{what} {number}: the score is {found}, not {score}"));
                    exit = exit.max(Exit::Wrong);
                }
                if let Some(stopped) = answered.stopped {
                    complain(format_args!("{what} {number}: the score is there, not all of the rest: {stopped}"));
                    exit = exit.max(Exit::Incomplete);
                }
            }
            Err(stopped) => {
                complain(format_args!("{what} {number}: {stopped}"));
                if !matches!(stopped, Stopped::Interrupted(_)) {
                    printer.print_unanswered(&position, &stopped.to_string())?;
                }
                exit = exit.max(Exit::Incomplete);
            }
        }
        if interrupt.is_set() {
            exit = exit.max(Exit::Incomplete);
            break;
        }
    }
    Ok(exit)
}

impl Args {
    /// How answers are printed. A file of positions gets lines: it may be long.
    fn format(&self) -> SolveFormat {
        let is_for_people = || io::stdout().is_terminal() && (!self.moves.is_empty() || io::stdin().is_terminal());
        self.format.unwrap_or_else(|| if is_for_people() { SolveFormat::Board } else { SolveFormat::Text })
    }

    /// A solver with the threads that are asked for. Where nobody asks, a solver that has one thread keeps it.
    fn with_threads(&self, mut solver: Box<dyn Solver>) -> Result<Box<dyn Solver>> {
        if let Some(count) = self.threads {
            let refused = |error| Usage(format!("--threads {count}: {error}"));
            solver.use_threads(Threads::of(count)).map_err(refused)?;
        } else {
            let cores = u32::try_from(threads(None)).map_or(MOST_THREADS, |cores| cores.min(MOST_THREADS));
            let _ = solver.use_threads(Threads::of(cores).for_long_searches());
        }
        Ok(solver)
    }

    /// A solver with the book that is asked for.
    fn with_book(&self, solver: Box<dyn Solver>) -> Result<Box<dyn Solver>> {
        let Some(file) = &self.book else { return Ok(solver) };
        let (book, board) = (book::open(file.as_deref(), self.solver.board)?, self.solver.board);
        if book.size() != board {
            let file = file.as_deref().unwrap_or(Path::new("the book"));
            return Err(
                Usage(format!("--book: {} is a book of {}, not of {board}", file.display(), book.size())).into()
            );
        }
        Ok(Box::new(WithBook::new(solver, book)))
    }
}

/// An answer, or why there is no score.
fn answer(
    solver: &mut dyn Solver,
    position: Position,
    (args, format): (&Args, SolveFormat),
    limits: &Limits<'_>,
) -> Result<Result<Answered, Stopped>> {
    solver.reset();
    let start = Instant::now();
    let Solved { score, nodes } = match keeping::solve(solver, &position, args, limits)? {
        Ok(solved) => solved,
        Err(stopped) => return Ok(Err(stopped)),
    };
    let microseconds = start.elapsed().as_micros();
    let columns = args.analyze.then(|| analysis::columns(solver, &position, args.goal, limits));
    let line = args.pv.then(|| analysis::best_line(solver, &position, args.goal, score, limits));
    let stopped = columns
        .as_ref()
        .and_then(|columns| columns.as_ref().err())
        .or(line.as_ref().and_then(|line| line.as_ref().err()));
    let mut stopped = stopped.copied();
    let extra = (format == SolveFormat::Board).then(|| {
        let known = columns.as_ref().and_then(|columns| columns.as_ref().ok());
        Extra::of(solver, (&position, args.goal, score), known, limits)
    });
    let columns = columns.map(|columns| columns.unwrap_or(vec![None; position.size().width() as usize]));
    let pv =
        line.map(|line| line.unwrap_or_default().iter().map(|&column| name_of_column(u32::from(column))).collect());
    let solution = Solution { moves: print_moves(&position), score, nodes, microseconds, columns, pv };
    let mut explanation = None;
    if args.explain {
        match explained((&args.solver.name()?, &args.solver.options()), (&position, args.goal), limits)? {
            Ok(told) => explanation = Some(told),
            Err(reason) => stopped = stopped.or(Some(reason)),
        }
    }
    Ok(Ok(Answered { position, solution, extra, explanation, stopped }))
}

/// Bytes of a line that are looked at: no position is longer, whatever blanks surround it.
const MOST: usize = 4096;

/// The next line without its end, `None` when there is no more. What is beyond [`MOST`] bytes is left out.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if input.by_ref().take(MOST as u64).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() == MOST {
        input.skip_until(b'\n')?;
    }
    Ok(Some(line))
}

/// Moves, and the score behind them, if there is one.
fn parse(board: BoardSize, line: &[u8]) -> Result<Asked, String> {
    let text = std::str::from_utf8(line).map_err(|_| "not text".to_string())?;
    let mut words = text.split_ascii_whitespace();
    let position = parse_moves_on(board, words.next().unwrap_or_default()).map_err(|error| error.to_string())?;
    let score = words.next().map(|word| score_of(board, word)).transpose()?;
    if line.len() >= MOST {
        return Err(format!("{MOST} bytes or more"));
    }
    Ok(Asked { position, score })
}

/// The first word of a line, as far as it is text, and no more of it than a message needs.
fn first_word(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.split_ascii_whitespace().next().unwrap_or_default().chars().take(100).collect()
}

impl Solution {
    /// The fields as text, with what stands for a column that cannot be played and for a line without moves.
    fn fields(&self, no_move: &str, no_line: &str) -> Vec<String> {
        let Solution { moves, score, nodes, microseconds, columns, pv } = self;
        let mut fields = vec![moves.clone(), score.to_string(), nodes.to_string(), microseconds.to_string()];
        let columns = columns.iter().flatten();
        fields.extend(columns.map(|score| score.map_or(no_move.to_string(), |score| score.to_string())));
        fields.extend(pv.iter().map(|line| if line.is_empty() { no_line.to_string() } else { line.clone() }));
        fields
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8]) -> Vec<Vec<u8>> {
        let mut input = text;
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn the_empty_board_is_printed_as_it_may_be_read() {
        for (text, shown) in [(&b""[..], "-"), (b"-", "-"), (b" \r", "-"), (b"44\r", "44")] {
            let asked = parse(BoardSize::STANDARD, text).unwrap();
            assert_eq!((print_moves(&asked.position).as_str(), asked.score), (shown, None));
            assert_eq!(parse(BoardSize::STANDARD, shown.as_bytes()), Ok(asked));
        }
    }

    #[test]
    fn lines_are_bytes_of_any_length() {
        assert_eq!(lines(b"44\r\n\n5"), [&b"44\r"[..], b"", b"5"]);
        assert_eq!(lines(b""), [b""; 0]);
        for length in [MOST - 1, MOST, MOST + 1, 1_000_000] {
            let text = [vec![b'1'; length], b"\n44\n".to_vec()].concat();
            let lines = lines(&text);
            assert_eq!((lines.len(), &lines[1][..]), (2, &b"44"[..]), "{length}");
            assert_eq!(parse(BoardSize::STANDARD, &lines[0]).unwrap_err(), "ply 7: column 1 is full");
        }
        assert_eq!(parse(BoardSize::STANDARD, &lines(&[b' '; 5000])[0]).unwrap_err(), "4096 bytes or more");
        assert_eq!(parse(BoardSize::STANDARD, b"44\xff").unwrap_err(), "not text");
    }
}
