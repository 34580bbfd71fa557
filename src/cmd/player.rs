//! The players that a command line asks for: variants, foreign programs, chance.

use crate::cmd::measure::dated;
use crate::cmd::output::{self, progress_bar};
use crate::cmd::values::duration;
use crate::cmd::{Exit, Usage, complain};
use anyhow::{Context, Result};
use c4lab::lab::engines::foreign::{Foreign, Program};
use c4lab::lab::engines::program_log;
use c4lab::lab::engines::table::EngineTable;
use c4lab::lab::matches::player::{Player, ProgramPlayer, RandomPlayer, SolverPlayer};
use c4lab::lab::nearest::explain;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{Book, Goal, Limits, Name, Options, Solver, book::WithBook, registry::DEFAULT};
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The name of the player that draws lots.
pub const RANDOM: &str = "random";

/// The programs that may play, and the limits of a move.
#[derive(Debug, clap::Args)]
pub struct PlayerArgs {
    /// A foreign program: its name among the players, and the command that starts it (again for more)
    #[arg(long = "engine", value_name = "NAME=COMMAND", value_parser = engine)]
    engines: Vec<(String, EngineTable)>,
    /// What programs answer: {move} is a column, {scores} the scores of all columns, {score} the score of a position
    /// (docs/FORMAT.md, "Engines")
    #[arg(long, value_name = "PATTERN", default_value = "{moves} {move}", requires = "engines")]
    answer: String,
    /// What programs read: {moves}, {diagram}, {squares}, {goal}
    #[arg(long, value_name = "PATTERN", default_value = "{moves}", requires = "engines")]
    request: String,
    /// What players are asked for: the fastest win (strong), or any win (weak)
    #[arg(long, default_value = "strong", value_parser = crate::cmd::values::goal())]
    pub goal: Goal,
    /// The longest that a move may take: 1s. A program that is late loses; a variant plays a guess
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    move_time: Option<Duration>,
    /// The most nodes of each search of a variant; what it plays then is a guess
    #[arg(long, value_name = "NODES")]
    node_limit: Option<u64>,
    /// The seed of openings, and of a player that draws lots
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Columns and rows of the board (`c4lab list boards`)
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = BoardSize::STANDARD)]
    pub board: BoardSize,
    /// The folder of the rows; one that was begun is resumed [default: runs/NAME-DATE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// No progress, no messages; errors only
    #[arg(long, short)]
    quiet: bool,
}

/// Reads `NAME=COMMAND`.
fn engine(text: &str) -> Result<(String, EngineTable), String> {
    let (name, command) = text.split_once('=').ok_or("write NAME=COMMAND, for example mine='./player --quiet'")?;
    Ok((name.to_string(), EngineTable::of(command)))
}

impl PlayerArgs {
    /// The folder of the rows.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| dated(name))
    }

    /// A progress bar, unless nothing is to be said.
    pub fn bar(&self, count: u64, what: &str) -> ProgressBar {
        if self.quiet { ProgressBar::hidden() } else { progress_bar(count, what) }
    }

    /// Says where the rows are, and how it ended.
    pub fn end(&self, rows: &str, file: &Path, is_whole: bool) -> Exit {
        if !self.quiet {
            output::say(format_args!("{rows} in {}", file.display()));
        }
        if is_whole {
            return Exit::Success;
        }
        complain(format_args!("not finished: the same command goes on with {}", file.display()));
        Exit::Incomplete
    }

    /// The limits of a move.
    pub fn limits<'a>(&self, interrupt: &'a AtomicBool) -> Limits<'a> {
        Limits { nodes: self.node_limit, time: self.move_time, interrupt: Some(interrupt) }
    }

    /// The player of a name. Programs write their stderr to a log in the folder. Gives back also what it is called in rows.
    pub fn player(&self, name: &str, folder: &Path) -> Result<(String, Box<dyn Player>)> {
        if name == RANDOM {
            return Ok((name.to_string(), Box::new(RandomPlayer::default())));
        }
        if let Some((_, table)) = self.engines.iter().find(|(own, _)| own == name) {
            let table = EngineTable { answer: self.answer.clone(), request: self.request.clone(), ..table.clone() };
            table.validate().map_err(|error| Usage(format!("engine {name}: {error:#}")))?;
            let log = folder.join(program_log::place(name));
            let program = Program { board: self.board, ..table.program(&log).with_context(|| name.to_string())? };
            return Ok((name.to_string(), Box::new(ProgramPlayer::new(Foreign::new(program), self.goal))));
        }
        let variant = Name::parse(name).map_err(|error| {
            let known = self.engines.iter().map(|(name, _)| format!(", {name}")).collect::<String>();
            Usage(format!("{}; players are variants, {RANDOM}{known}", explain(error)))
        })?;
        variant.spec().available().map_err(|reason| Usage(format!("{name} does not run here: {reason}")))?;
        let goal = if variant.spec().goals().contains(&self.goal) { self.goal } else { Goal::Weak };
        let solver = variant.build(&Options { board: self.board, ..Options::default() })?;
        Ok((variant.text().to_string(), Box::new(SolverPlayer::new(solver, goal))))
    }

    /// Who knows what every move is worth: the champion, with the book that ships with it.
    pub fn referee(&self) -> Result<Box<dyn Solver>> {
        let champion = Name::parse(DEFAULT).map_err(explain).map_err(anyhow::Error::msg)?;
        let solver = champion.build(&Options { board: self.board, ..Options::default() })?;
        Ok(match Book::shipped(self.board) {
            Some(book) => Box::new(WithBook::new(solver, book)),
            None => solver,
        })
    }
}
