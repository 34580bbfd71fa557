//! `c4lab engine serve`: c4lab as an engine. Other programs send positions to its stdin and read scores from its stdout.

use anyhow::Result;
use c4lab_cli::solver::{SolverArgs, no_threads};
use c4lab_cli::{Exit, Interrupt, values};
use c4lab_measure::sets::test_set::print_moves;
use c4lab_solver::game::reading::Reader;
use c4lab_solver::search::{Goal, Limits, Solve, Stopped, Threads};
use std::io::{self, BufRead, Write};
use std::time::Instant;

/// Answer positions as an engine: for other harnesses, and for c4lab itself
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Serve(Args),
}

/// Read requests on stdin, one a line, and answer each with one line
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Requests and answers:
  44455554221              44455554221 -15 12345 678     moves score nodes microseconds
  44455554221 weak         44455554221 -1 1234 67       the goal for this position alone
  -                        the empty board, as is an empty line
  reset                    reset                        everything is forgotten
  quit                     no answer: it ends, as at the end of the input
  anything else            ? REASON

Every position is solved with an empty table, unless --warm is given: then `reset` empties it.

Examples:
  printf '4444\\n' | c4lab engine serve
  c4lab engine serve --threads 2
  c4lab measure --variants champion --test-sets end-easy --engine theirs='c4lab engine serve'

Exit status: 0 when the input ends, 5 when a signal stops a search. A signal between two searches ends it.")]
pub struct Args {
    #[command(flatten)]
    solver: SolverArgs,
    /// The goal of requests that name none
    #[arg(long, default_value = "strong", value_parser = values::goal())]
    goal: Goal,
    /// Keep the table from position to position, until `reset`
    #[arg(long)]
    warm: bool,
    /// Threads that search a position together
    #[arg(long, value_name = "N")]
    threads: Option<u32>,
}

pub fn run(Command::Serve(args): &Command) -> Result<Exit> {
    let interrupt = Interrupt::listen()?;
    let mut solver = args.solver.build(args.goal)?;
    if args.threads.is_some() {
        let count = args.solver.threads(args.threads)?;
        solver.use_threads(Threads::of(count)).map_err(|error| no_threads(&format!("--threads {count}"), &error))?;
    }
    let limits = Limits { interrupt: Some(interrupt.flag()), ..Limits::default() };
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    while !interrupt.is_set() {
        line.clear();
        if interrupt.idle(|| input.read_until(b'\n', &mut line))? == 0 {
            return Ok(Exit::Success);
        }
        let request = String::from_utf8_lossy(&line);
        let answer = match request.trim_ascii() {
            "quit" => return Ok(Exit::Success),
            "reset" => {
                solver.reset();
                "reset".to_string()
            }
            request => match args.answer(&mut *solver, request, &limits) {
                Ok(answer) => answer?,
                Err(reason) => format!("? {reason}"),
            },
        };
        // One write for each line, so that a waiting reader wakes up once.
        let mut out = io::stdout().lock();
        out.write_all(format!("{answer}\n").as_bytes())?;
        out.flush()?;
    }
    Ok(Exit::Incomplete)
}

impl Args {
    fn answer(
        &self,
        solver: &mut dyn Solve,
        request: &str,
        limits: &Limits<'_>,
    ) -> Result<Result<String, Stopped>, String> {
        let mut words = request.split_ascii_whitespace();
        let moves = words.next().unwrap_or("-");
        let goal = match words.next() {
            None => self.goal,
            Some(word) => Goal::ALL
                .into_iter()
                .find(|goal| goal.name() == word)
                .ok_or_else(|| format!("{word:?} is no goal: {}", Goal::NAMES.join(" or ")))?,
        };
        if let Some(more) = words.next() {
            return Err(format!("{more:?} after the goal"));
        }
        let position = Reader::on(self.solver.board).read(moves)?;
        if !self.warm {
            solver.reset();
        }
        let start = Instant::now();
        let solved = solver.solve(&position, goal, limits);
        let microseconds = start.elapsed().as_secs_f64() * 1e6;
        let moves = print_moves(&position);
        Ok(solved.map(|solved| format!("{moves} {} {} {microseconds:.3}", solved.score, solved.nodes)))
    }
}
