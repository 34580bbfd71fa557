//! The players that a command line asks for: variants, foreign programs, chance.

use crate::book::{Book, WithBook};
use crate::matches::player::{Player, ProgramPlayer, RandomBestPlayer, RandomPlayer, SolverPlayer};
use crate::matches::stray::{self, StrayPlayer};
use anyhow::{Context, Result};
use c4lab_cli::engines::EngineArgs;
use c4lab_cli::output::{self, progress_bar};
use c4lab_cli::values::duration;
use c4lab_cli::{Exit, Usage, complain, dated};
use c4lab_measure::counted::counted;
use c4lab_measure::engines::foreign::{Foreign, Program};
use c4lab_measure::engines::program_log;
use c4lab_measure::nearest::explain;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{Goal, Limits, Name, Options, Solve, registry::DEFAULT};
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The name of the player that draws lots.
pub const RANDOM: &str = "random";

/// The name of the player that draws lots among the best moves.
pub const RANDOM_BEST: &str = "random-best";

/// The programs that may play, and the limits of a move.
#[derive(Debug, clap::Args)]
pub struct PlayerArgs {
    #[command(flatten)]
    engines: EngineArgs,
    /// What programs answer: {move} is a column, {scores} the scores of all columns, {score} the score of a position
    /// (docs/FORMAT.md, "Engines") [default: {moves} {move}]
    #[arg(long, value_name = "PATTERN", requires = "engines")]
    answer: Option<String>,
    /// What programs read: {moves}, {diagram}, {squares}, {goal} [default: {moves}]
    #[arg(long, value_name = "PATTERN", requires = "engines")]
    request: Option<String>,
    /// What players are asked for: the fastest win (strong), or any win (weak)
    #[arg(long, default_value = "strong", value_parser = c4lab_cli::values::goal())]
    pub goal: Goal,
    /// The longest that a move may take: 1s. A program that is late loses; a variant plays a guess
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    move_time: Option<Duration>,
    /// The most nodes of each search of a variant; what it plays then is a guess
    #[arg(long, value_name = "NODES")]
    node_limit: Option<u64>,
    /// Columns and rows of the board: 4x4 to what 128 bits hold
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = BoardSize::STANDARD)]
    pub board: BoardSize,
}

/// Where rows of games and moves go, and how their lots are drawn.
#[derive(Debug, clap::Args)]
pub struct RowArgs {
    /// The seed of openings, and of a player that draws lots
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The folder of the rows; one that was begun is resumed [default: runs/NAME-DATE]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// No progress, no messages; errors only
    #[arg(long, short)]
    quiet: bool,
}

impl RowArgs {
    /// The folder of the rows.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| dated(name))
    }

    /// A progress bar, unless nothing is to be said.
    pub fn bar(&self, count: u64, what: &str) -> ProgressBar {
        if self.quiet { ProgressBar::hidden() } else { progress_bar(count, what) }
    }

    /// Says where the rows are, how it ended, and what may be done next.
    pub fn end(&self, rows: &str, file: &Path, next: &str, is_whole: bool) -> Exit {
        if !self.quiet {
            output::say(format_args!("{rows} in {}", file.display()));
            if is_whole {
                output::say(format_args!("Next: {next}"));
            }
        }
        if is_whole {
            return Exit::Success;
        }
        complain(format_args!("not finished: the same command goes on with {}", file.display()));
        Exit::Incomplete
    }
}

impl PlayerArgs {
    /// A player as another command takes it, with what it was told of programs, limits, goal and board.
    pub fn again(&self, name: &str) -> String {
        let engine = self.engines.again(name);
        let of_program = |text: &Option<String>| text.clone().filter(|_| !engine.is_empty());
        let goal = (self.goal != Goal::Strong).then(|| self.goal.name().to_string());
        let board = (self.board != BoardSize::STANDARD).then(|| self.board.to_string());
        let keys = [
            ("--answer", of_program(&self.answer)),
            ("--request", of_program(&self.request)),
            ("--move-time", self.move_time.map(|time| humantime::format_duration(time).to_string().replace(' ', ""))),
            ("--node-limit", self.node_limit.map(|nodes| nodes.to_string())),
            ("--goal", goal),
            ("--board", board),
        ];
        let words: Vec<String> =
            keys.into_iter().filter_map(|(key, value)| Some([key.to_string(), value?])).flatten().collect();
        let more = if words.is_empty() { String::new() } else { format!(" {}", shell_words::join(words)) };
        format!("{name}{engine}{more}")
    }

    /// Tells why a player did not play, how often, and where programs left words about it.
    pub fn tell_reasons(&self, what: &str, reasons: impl Iterator<Item = String>, folder: &Path) {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        reasons.for_each(|reason| *counts.entry(reason).or_default() += 1);
        for (reason, count) in &counts {
            complain(format_args!("{} {reason}", counted(*count, what)));
        }
        for name in self.engines.names().filter(|_| !counts.is_empty()) {
            let log = folder.join(program_log::place(name));
            if log.metadata().is_ok_and(|log| log.len() > 0) {
                complain(format_args!("{name} wrote to stderr: {}", log.display()));
            }
        }
    }

    /// The limits of a move.
    pub fn limits<'a>(&self, interrupt: &'a AtomicBool) -> Limits<'a> {
        Limits { nodes: self.node_limit, time: self.move_time, interrupt: Some(interrupt) }
    }

    /// The keys of a program that plays, where nothing else is said of it.
    fn keys(&self) -> Vec<(String, String)> {
        let answer = Some(self.answer.clone().unwrap_or_else(|| "{moves} {move}".to_string()));
        let keys = [("answer", answer), ("request", self.request.clone())];
        keys.into_iter().filter_map(|(key, value)| Some((key.to_string(), value?))).collect()
    }

    /// The player of a name. Programs write their stderr to a log in the folder. Gives back also what it is called in rows.
    pub fn player(&self, name: &str, folder: &Path) -> Result<(String, Box<dyn Player>)> {
        if name == RANDOM {
            return Ok((name.to_string(), Box::new(RandomPlayer::default())));
        }
        if name == RANDOM_BEST {
            return Ok((name.to_string(), Box::new(RandomBestPlayer::new(self.referee()?, self.goal))));
        }
        if let Some((moves, then)) = stray::parse(name) {
            let (_, then) = self.player(then, folder)?;
            return Ok((name.to_string(), Box::new(StrayPlayer::new(moves, then))));
        }
        let engines = self.engines.tables(&self.keys())?;
        if let Some((_, table)) = engines.iter().find(|(own, _)| own == name) {
            let log = folder.join(program_log::place(name));
            let program = Program { board: self.board, ..table.program(&log).with_context(|| name.to_string())? };
            return Ok((name.to_string(), Box::new(ProgramPlayer::new(Foreign::new(program), self.goal))));
        }
        let variant = Name::parse(name).map_err(|error| {
            let known = self.engines.names().map(|name| format!(", {name}")).collect::<String>();
            Usage(format!("{}; players are variants, {RANDOM}, {RANDOM_BEST}{known}", explain(error)))
        })?;
        variant.available_on(self.board).map_err(|reason| Usage(format!("{name} does not run here: {reason}")))?;
        let goal = if variant.spec().goals().contains(&self.goal) { self.goal } else { Goal::Weak };
        let solver = variant.build(&Options::on(self.board))?;
        Ok((variant.text().to_string(), Box::new(SolverPlayer::new(solver, goal))))
    }

    /// Who knows what every move is worth: the champion, with the book that ships with it.
    pub fn referee(&self) -> Result<Box<dyn Solve>> {
        let champion = Name::parse(DEFAULT).map_err(explain).map_err(anyhow::Error::msg)?;
        let solver = champion.build(&Options::on(self.board))?;
        Ok(match Book::shipped(self.board) {
            Some(book) => Box::new(WithBook::new(solver, book)),
            None => solver,
        })
    }
}
