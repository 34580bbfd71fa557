//! `c4lab solve`: scores of positions, one a line, or as pictures for people.

mod answers;
mod input;
mod printer;

use answers::Terms;
use anyhow::{Context, Result, bail};
use c4lab_cli::solver::{NotationArgs, SolverArgs, no_threads};
use c4lab_cli::values::{duration, goal, threads};
use c4lab_cli::{Exit, Interrupt, Usage, Wrap, complain, output};
use c4lab_solver::axes::table::slots::available_memory;
use c4lab_solver::game::reading::Reader;
use c4lab_solver::search::threads::{MOST_THREADS, ThreadsError};
use c4lab_solver::search::{Goal, Limits, Solve, Threads, size};
use input::{Line, Lines};
use printer::Printer;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::time::Duration;

const EXAMPLES: &str = "\
A line of output: moves score nodes microseconds, then with --analyze the score of every column (. where \
nothing can be played), then with --pv the line of best play (- where the game is over). The score is from the \
side to move: 0 is a draw, above 0 a win, below 0 a loss. An earlier win is higher (on 7x6 a win is 22 minus the number of \
the winner's stones). Limits hold for each search; --analyze and --pv make several searches.

A line of input: moves, - for the empty board. Blank lines and those that begin with # are passed over. A second word is a score, as in a test set: \
it is compared with the answer. Moves may also be letters (dde), or have commas or blanks between them (4,4,5; but 4 5 is a move and a score). A position may also be \
a drawing, its rows on as many lines or joined by / (X is the first player, O the second, * a stone of either, . is empty), or the numbers MOVER:MASK. A line without an answer \
becomes a line `moves ? reason`. In CSV and JSON the reason stands under `error`. So no line of the output is missing.

On a terminal the board is drawn, with the score in words, the best column, and the scores of all columns where they are \
asked for or take few nodes; --pv adds the line of best play and its end. In a pipe, and for a file of positions, each \
position is a line. --format chooses.

A search of more than about a second takes all cores. Scores do not depend on threads. Nodes of a search with several threads differ from run to run. --threads 1 keeps a search on one core, with the same nodes each time.

With --threads N and several positions, or lines from a file or a pipe, N positions are searched at a time. One thread searches each, with a table of its own (--tt is the size of each), so nodes are the same each time. Answers keep the order of the lines. \
Every variant can search several lines at a time; several threads for one position need a variant with threads (the champion, or a dynamic variant).

Examples:
  c4lab solve 44 --format board
  c4lab solve 3330 --first-column 0
  c4lab solve 832700416:35230302208
  c4lab solve --format csv < drawings.txt
  c4lab solve 44455554221 --analyze --pv
  c4lab solve 4444443265 --explain                 what the search did, of any variant
  c4lab solve - --goal weak --time-limit 10s
  c4lab solve --format csv < test-sets/end-easy.txt > scores.csv
  c4lab solve --threads 8 < my-positions.txt       eight positions at a time, answers in the order of the lines
  c4lab solve 4444 --tt 1GiB
  c4lab solve - --threads 1                        on one core
  c4lab solve - --board 6x5
  c4lab solve 4444 --variant pons-12 --spec order=centre

Exit status: 0 all answered, 1 a bad line, 2 usage, 4 a score of the input is not the answer, 5 a limit was reached or the search interrupted.";

/// Solve positions given as moves, or one a line on stdin
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Moves of a position, one digit a ply: 44455554221; or MOVER:MASK, or a drawing
    #[arg(value_name = "MOVES")]
    moves: Vec<OsString>,
    #[command(flatten)]
    notation: NotationArgs,
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
    /// Explain the search: the questions of its root, what ended its nodes, and the bounds seen before it
    #[arg(long)]
    explain: bool,
    /// Stop a search after this time: 10s, 500ms
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    time_limit: Option<Duration>,
    /// Stop a search after this number of nodes
    #[arg(long, value_name = "NODES")]
    node_limit: Option<u64>,
    /// Threads. Each searches one of several positions, with a table of its own. One that is given or typed is searched by all, after
    /// one thread alone has taken about a millisecond [default: by all cores, after about a second]
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
    /// How to print: json is one object a line [default: board for positions that are given or typed on a terminal, else text]
    #[arg(long, value_enum)]
    format: Option<Format>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A line each
    Text,
    /// Comma-separated values with a header line
    Csv,
    /// JSON
    Json,
    /// A drawing each, for people: the board, the score in words, the best column
    Board,
    /// The rows of a board each, below its line as a remark: `solve` reads them back
    Drawing,
    /// A line each, the position in numbers: MOVER:MASK, in the layout of --layout
    Words,
}

/// Runs the command. Each of `wraps`, from the options of extras, is put around each solver.
pub fn run(args: &Args, wraps: &[Wrap]) -> Result<Exit> {
    let interrupt = Interrupt::listen()?;
    args.notation.check(args.solver.board)?;
    let format = args.format();
    if args.explain && format == Format::Csv {
        bail!(Usage(
            "--explain fits no row of CSV: --format json has it; c4lab measure --counters counts to files".into()
        ));
    }
    let given: Vec<Line> = args.moves.iter().enumerate().map(argument).collect();
    let (from_stdin, threads) = (given.is_empty(), args.solver.threads(args.threads)? as usize);
    let is_typed = from_stdin && io::stdin().is_terminal();
    let side_by_side = threads > 1 && (given.len() > 1 || from_stdin && !is_typed);
    let mut solver = args.solver.build(args.goal)?;
    if !side_by_side {
        args.form_team(&mut *solver).map_err(|error| no_threads(&format!("--threads {threads}"), &error))?;
    }
    let wrapped = |solver: Box<dyn Solve>| wraps.iter().fold(solver, |solver, wrap| wrap(solver));
    let table_bytes = solver.table_bytes();
    let workers = |count| {
        // The system gives a table its memory only when it is written: without this check the process might end later.
        let needed = table_bytes.saturating_mul(count as u64);
        if let Some(most) = available_memory().filter(|&most| needed > most) {
            let [each, most] = [table_bytes, most].map(size::show);
            bail!("{count} threads with a table of {each} each, but only {most} of memory");
        }
        let worker = |number| {
            let solver = args.solver.build_again().with_context(|| format!("thread {number} of {count}"))?;
            Ok(wrapped(solver))
        };
        (1..=count).map(worker).collect::<Result<Vec<_>>>()
    };
    let mut solvers = if side_by_side {
        // Frees its table before the workers get theirs.
        drop(solver);
        workers(if from_stdin { threads } else { threads.min(given.len()) })?
    } else {
        vec![wrapped(solver)]
    };
    let mut printer = Printer::open(args, format, from_stdin)?;
    if is_typed {
        complain(
            "type a position, one a line, for example 4455; - is the empty board, Ctrl-D ends. To play: c4lab play",
        );
    }
    let limits = Limits { nodes: args.node_limit, time: args.time_limit, interrupt: Some(interrupt.flag()) };
    let terms = Terms { args, format, interrupt: &interrupt, limits };
    let answered = if side_by_side {
        answers::side_by_side(given, solvers, terms, &mut printer)
    } else if from_stdin {
        let mut stdin = Lines::of(io::stdin().lock(), args.reader());
        let lines = std::iter::from_fn(|| interrupt.idle(|| stdin.next()));
        answers::one_by_one(lines, &mut *solvers[0], terms, &mut printer)
    } else {
        answers::one_by_one(given.into_iter().map(Ok), &mut *solvers[0], terms, &mut printer)
    };
    // A failed write interrupts the other searches, too.
    if answered.is_ok() && interrupt.is_set() {
        printer.ends_with(Exit::Incomplete);
    }
    Ok(output::exit_after(answered, printer.exit))
}

impl Args {
    fn reader(&self) -> Reader {
        self.notation.reader(self.solver.board)
    }

    /// The format of `--format`, or else a drawing for each position that a person gives, and a line for each of a file.
    fn format(&self) -> Format {
        let is_for_people = || io::stdout().is_terminal() && (!self.moves.is_empty() || io::stdin().is_terminal());
        self.format.unwrap_or_else(|| if is_for_people() { Format::Board } else { Format::Text })
    }

    /// Gives a solver the threads of `--threads`, or else all cores for long searches, if the solver can have them.
    fn form_team(&self, solver: &mut dyn Solve) -> Result<(), ThreadsError> {
        if let Some(count) = self.threads {
            return solver.use_threads(Threads::of(count));
        }
        if self.solver.name().is_ok_and(|name| name.says_threads()) {
            // The solver was built with the threads of its name.
            return Ok(());
        }
        let cores = u32::try_from(threads(None)).map_or(MOST_THREADS, |cores| cores.min(MOST_THREADS));
        let _ = solver.use_threads(Threads::of(cores).for_long_searches());
        Ok(())
    }
}

fn argument((index, moves): (usize, &OsString)) -> Line {
    Line { number: index + 1, text: moves.as_encoded_bytes().to_vec() }
}
