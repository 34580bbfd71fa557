//! Players, and the options that name them. A variant plays the best move of its search, an engine the move that it
//! answers, a Python file that of its `generate_move`, `negamax:4` one that looks good four plies ahead, `random` any
//! move, and `random-best` any of the best moves.

use crate::book::BookSolver;
use anyhow::{Context, Result, ensure};
use c4lab_cli::engines::{EngineArgs, table_of};
use c4lab_cli::output::Format;
use c4lab_cli::values::duration;
use c4lab_cli::{RunArgs, Usage, complain};
use c4lab_measure::engines::Contestant;
use c4lab_measure::engines::foreign::form::Answer;
use c4lab_measure::engines::foreign::process;
use c4lab_measure::engines::foreign::{Foreign, Program};
use c4lab_measure::files::sample::Status;
use c4lab_measure::sets::draw::Draw;
use c4lab_measure::text::{explain, pluralize};
use c4lab_solver::axes::lines::line::fours;
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::registry::DEFAULT;
use c4lab_solver::search::{Goal, Limits, Name, Options, Solve, Stopped, analysis};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChosenMove {
    /// The column, from 0, which may be one that cannot be played.
    pub column: u32,
    /// True if a limit ended the search, so that the move is a guess.
    pub is_guess: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    Late,
    /// The engine failed: `crashed`, `memory` or `garbled`, and the reason.
    Failed(&'static str, String),
    Interrupted,
}

pub trait Player: Send {
    /// Begins game number `game`: clears what the player remembers, and seeds its random moves by `seed` and `game`.
    fn begin(&mut self, _seed: u64, _game: usize) {}

    /// The move in a position that is not over. `limits.nodes` holds for each search, `limits.time` for the whole move.
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Result<ChosenMove, Refusal>;
}

/// A function that gives the column of a move is a player without memory.
impl<F: FnMut(&Position) -> Result<u32, Refusal> + Send> Player for F {
    fn choose(&mut self, position: &Position, _: &Limits<'_>) -> Result<ChosenMove, Refusal> {
        Ok(ChosenMove { column: self(position)?, is_guess: false })
    }
}

/// Plays the best move that is nearest to the centre, or, with `draw`, any of the best moves with the same chance.
pub struct SolverPlayer {
    pub solver: Box<dyn Solve>,
    pub goal: Goal,
    pub draw: Option<Draw>,
}

pub struct ProgramPlayer {
    pub program: Foreign,
    pub goal: Goal,
    /// The longest time of a move, unless the match has one.
    pub time: Option<Duration>,
}

/// Negamax with alpha-beta to a depth, then a heuristic value: the lines of four that are open for a side, less those
/// that are open for the other. No board is solved, so it is a player and no variant. A search
/// to the end of the game needs no such value.
struct NegamaxPlayer {
    depth: u32,
}

const LOST: i32 = -10_000;

/// The value of `position` for the side to move; `None` if `is_stopped` says so, which is asked at each node.
fn negamax(
    position: &Position,
    depth: u32,
    [mut alpha, beta]: [i32; 2],
    is_stopped: &mut dyn FnMut() -> bool,
) -> Option<i32> {
    if position.is_won() {
        return Some(LOST + position.ply() as i32);
    }
    if position.is_over() || depth == 0 {
        return Some(if position.is_over() { 0 } else { open_lines(position) });
    }
    if is_stopped() {
        return None;
    }
    for column in playable(position) {
        let value = negamax(&after(position, column), depth - 1, [-beta, -alpha], is_stopped)?;
        alpha = alpha.max(-value);
        if alpha >= beta {
            break;
        }
    }
    Some(alpha)
}

impl Player for NegamaxPlayer {
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Result<ChosenMove, Refusal> {
        let (begun, mut nodes) = (Instant::now(), 0);
        let is_interrupted = || limits.interrupt.is_some_and(|interrupt| interrupt.load(Ordering::Relaxed));
        let mut is_stopped = || {
            nodes += 1;
            let is_late = limits.time.is_some_and(|time| nodes % 256 == 0 && begun.elapsed() > time);
            is_late || limits.nodes.is_some_and(|most| nodes > most) || is_interrupted()
        };
        let mut best = (2 * LOST, 0);
        for column in playable(position) {
            let child = after(position, column);
            let Some(value) = negamax(&child, self.depth - 1, [2 * LOST, -best.0], &mut is_stopped) else {
                if is_interrupted() {
                    return Err(Refusal::Interrupted);
                }
                return Ok(ChosenMove { column: guess(position), is_guess: true });
            };
            if -value > best.0 {
                best = (-value, column);
            }
        }
        Ok(ChosenMove { column: best.1, is_guess: false })
    }
}

/// The lines of four without a stone of the opponent, less those without a stone of the mover.
fn open_lines(position: &Position) -> i32 {
    let (size, stride) = (position.size(), position.size().stride());
    let (mover, stones) = position.words(stride);
    let board = (0..size.width()).fold(0, |board, column| board | ((1_u128 << size.height()) - 1) << (column * stride));
    let open = |opponent: u128| {
        let lines = [1, stride, stride - 1, stride + 1].map(|step| fours(board & !opponent, step).count_ones() as i32);
        lines.iter().sum::<i32>()
    };
    open(stones ^ mover) - open(mover)
}

/// Plays any move, each with the same chance. After its first moves, if a number of them is given, another player plays.
struct RandomPlayer {
    draw: Draw,
    then: Option<(u32, Box<dyn Player>)>,
}

/// The random numbers of a player until [`Player::begin`] seeds others.
pub fn unseeded_draw() -> Draw {
    Draw::new(0, "no game")
}

pub fn limit_ns(limits: &Limits<'_>) -> Option<u64> {
    limits.time.map(|time| time.as_nanos() as u64)
}

/// `limits` with the time that is left of a move that began at `begun`; `None` if no time is left.
fn time_left<'a>(limits: &Limits<'a>, begun: Instant) -> Option<Limits<'a>> {
    let Some(time) = limits.time else { return Some(*limits) };
    let left = time.checked_sub(begun.elapsed()).filter(|left| *left > Duration::ZERO);
    left.map(|left| Limits { time: Some(left), ..*limits })
}

pub fn playable(position: &Position) -> impl Iterator<Item = u32> {
    position.size().centre_first().filter(|&column| position.can_play(column))
}

pub fn after(position: &Position, column: u32) -> Position {
    let mut child = position.clone();
    child.play(column).expect("a column with room, and a game that goes on");
    child
}

/// The positions after each move in `position`; none if it is over.
pub fn children(position: &Position) -> impl Iterator<Item = Position> {
    let columns = if position.is_over() { 0..0 } else { 0..position.size().width() };
    columns.filter(|&column| position.can_play(column)).map(|column| after(position, column))
}

pub fn wins_at_once(position: &Position) -> bool {
    (0..position.size().width()).any(|column| position.wins_by(column))
}

/// The moves that win at once or else those that do not let the opponent win at once, from the centre out.
pub fn safe_moves(position: &Position) -> Vec<u32> {
    let wins: Vec<u32> = playable(position).filter(|&column| position.wins_by(column)).collect();
    if !wins.is_empty() {
        return wins;
    }
    playable(position).filter(|&column| !wins_at_once(&after(position, column))).collect()
}

/// The move if a search was stopped: the one of [`safe_moves`] nearest to the centre, or else any move.
fn guess(position: &Position) -> u32 {
    safe_moves(position).first().copied().or_else(|| playable(position).next()).expect("a game that goes on")
}

impl SolverPlayer {
    fn best(&mut self, position: &Position, limits: &Limits<'_>) -> Result<u32, Stopped> {
        let begun = Instant::now();
        if let Some(draw) = &mut self.draw {
            let scores = analysis::columns(&mut *self.solver, position, self.goal, limits)?;
            let most = scores.iter().copied().flatten().max();
            let best: Vec<u32> = playable(position).filter(|&column| scores[column as usize] == most).collect();
            return Ok(best[draw.below(best.len())]);
        }
        if let Some(column) = playable(position).find(|&column| position.wins_by(column)) {
            return Ok(column);
        }
        let score = self.solver.solve(position, self.goal, limits)?.score;
        let limits = time_left(limits, begun).ok_or(Stopped::Time(0))?;
        analysis::best_move(&mut *self.solver, position, self.goal, score, &limits)
    }
}

impl Player for SolverPlayer {
    fn begin(&mut self, seed: u64, game: usize) {
        self.solver.reset();
        self.draw = self.draw.take().map(|_| Draw::new(seed, &format!("random best player {game}")));
    }

    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Result<ChosenMove, Refusal> {
        match self.best(position, limits) {
            Ok(column) => Ok(ChosenMove { column, is_guess: false }),
            Err(Stopped::Interrupted(_)) => Err(Refusal::Interrupted),
            Err(_) => Ok(ChosenMove { column: guess(position), is_guess: true }),
        }
    }
}

impl ProgramPlayer {
    fn ask(&mut self, position: &Position, limits: &Limits<'_>) -> Result<Answer, Refusal> {
        self.program.ask(position, self.goal, limits).map_err(|stopped| match stopped {
            Stopped::Time(_) => Refusal::Late,
            Stopped::Interrupted(_) => Refusal::Interrupted,
            _ => {
                let failure = self.program.figures().and_then(|figures| figures.failure.clone());
                let (status, reason) =
                    failure.map_or_else(Default::default, |failure| (Some(failure.status), failure.reason));
                match status {
                    Some(Status::Timeout) => Refusal::Late,
                    Some(Status::Signal) => Refusal::Failed("crashed", reason),
                    Some(Status::Oom) => Refusal::Failed("memory", reason),
                    _ => Refusal::Failed("garbled", reason),
                }
            }
        })
    }

    /// The column with the highest score. Of equal columns it is the one nearest to the centre.
    fn best(position: &Position, scores: &[Option<Score>]) -> Result<u32, Refusal> {
        let mut best: Option<(Score, u32)> = None;
        for column in playable(position) {
            let missing = || Refusal::Failed("garbled", format!("no score of column {}", name_of_column(column)));
            let score = scores[column as usize].ok_or_else(missing)?;
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, column));
            }
        }
        Ok(best.expect("a game that goes on").1)
    }
}

impl Player for ProgramPlayer {
    fn begin(&mut self, _: u64, _: usize) {
        self.program.reset();
        // The start or reset of the engine takes no time of the first move.
        self.program.prepare(&Limits::default());
    }

    /// An engine that answers a score gets the position after each move, and the move with the best score is played.
    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Result<ChosenMove, Refusal> {
        let (begun, limits) = (Instant::now(), &Limits { time: limits.time.or(self.time), ..*limits });
        let own_time = self.time.filter(|time| limits.time == Some(*time));
        let late = |refusal| match (refusal, own_time) {
            (Refusal::Late, Some(time)) => Refusal::Failed("late", format!("no move within {time:?}")),
            (refusal, _) => refusal,
        };
        let scores = match self.ask(position, limits).map_err(late)? {
            Answer::Move(column) => return Ok(ChosenMove { column, is_guess: false }),
            Answer::Scores(scores) => scores,
            Answer::Score(_) => {
                let mut scores = vec![None; position.size().width() as usize];
                for column in playable(position) {
                    let child = after(position, column);
                    let limits = time_left(limits, begun).ok_or(Refusal::Late)?;
                    scores[column as usize] = match () {
                        () if child.is_won() => Some(position.size().win_at(position.ply())),
                        () if child.is_over() => Some(0),
                        () => match self.ask(&child, &limits)? {
                            Answer::Score(score) => Some(-score),
                            _ => None,
                        },
                    };
                }
                scores
            }
        };
        Ok(ChosenMove { column: Self::best(position, &scores)?, is_guess: false })
    }
}

/// The number of random moves and the name of the other player in a name: `random:3:champion`.
fn random_first(name: &str) -> Option<(u32, &str)> {
    let (moves, then) = name.strip_prefix("random:")?.split_once(':')?;
    Some((moves.parse().ok()?, then))
}

impl Player for RandomPlayer {
    fn begin(&mut self, seed: u64, game: usize) {
        self.draw = Draw::new(seed, &format!("random player {game}"));
        if let Some((_, then)) = &mut self.then {
            then.begin(seed, game);
        }
    }

    fn choose(&mut self, position: &Position, limits: &Limits<'_>) -> Result<ChosenMove, Refusal> {
        if let Some((_, then)) = self.then.as_mut().filter(|(moves, _)| position.ply() / 2 >= *moves) {
            return then.choose(position, limits);
        }
        let columns: Vec<u32> = playable(position).collect();
        Ok(ChosenMove { column: columns[self.draw.below(columns.len())], is_guess: false })
    }
}

/// Plays the moves of a Python file with `generate_move(board, player, saved_state)`. Its arguments are that file, and
/// the columns and rows of the board.
const GENERATE_MOVE: &str = include_str!("generate_move.py");
/// The limits of the competition in G. Vandewiele, "Creating the (nearly) perfect connect-four bot with limited move
/// time and file size".
const MOST_BYTES: u64 = 1_000_000;
const MOVE_TIME: Duration = Duration::from_secs(1);

const RANDOM: &str = "random";
const RANDOM_BEST: &str = "random-best";

/// The engines that may play, and the limits of a move.
#[derive(Debug, clap::Args)]
pub struct PlayerArgs {
    #[command(flatten)]
    engines: EngineArgs,
    /// The answers of engines: {move} is a column, {scores} the scores of all columns, {score} the score of a position
    /// (docs/FORMAT.md, "Engines") [default: {moves} {move}]
    #[arg(long, value_name = "PATTERN", requires = "engines")]
    answer: Option<String>,
    /// The requests to engines: {moves}, {diagram}, {squares}, {goal} [default: {moves}]
    #[arg(long, value_name = "PATTERN", requires = "engines")]
    request: Option<String>,
    /// The goal of players: the fastest win (strong), or any win (weak)
    #[arg(long, default_value = "strong", value_parser = c4lab_cli::values::goal())]
    pub goal: Goal,
    /// The longest time of a move: 500ms. An engine that is late loses; a variant plays a guess
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    move_time: Option<Duration>,
    /// The most nodes of each search of a variant, which then plays a guess
    #[arg(long, value_name = "NODES")]
    node_limit: Option<u64>,
    /// Columns and rows of the board: at least 4x4, WIDTH * (HEIGHT + 1) at most 128
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t = BoardSize::STANDARD)]
    pub board: BoardSize,
}

/// The options of a match and of a judgement.
#[derive(Debug, clap::Args)]
pub struct TrialArgs {
    #[command(flatten)]
    pub players: PlayerArgs,
    /// The seed of openings and of random moves
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub run: RunArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

impl PlayerArgs {
    /// Prints each reason why a player did not move, with its count, and the last lines of the stderr of programs.
    pub fn print_reasons(noun: &str, reasons: impl Iterator<Item = String>, folder: &Path) {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        reasons.for_each(|reason| *counts.entry(reason).or_default() += 1);
        for (reason, count) in &counts {
            complain(format_args!("{} {reason}", pluralize(*count, noun)));
        }
        let logs = folder.join(process::log_path("")).parent().and_then(|logs| fs::read_dir(logs).ok());
        for log in logs.into_iter().flatten().flatten().map(|entry| entry.path()).filter(|_| !counts.is_empty()) {
            let name = log.file_stem().unwrap_or_default().to_string_lossy();
            if let Some(last) = process::last_lines(folder, &name).last() {
                complain(format_args!("{name} wrote to stderr, {}: {last}", log.display()));
            }
        }
    }

    pub fn limits<'a>(&self, interrupt: &'a AtomicBool) -> Limits<'a> {
        Limits { nodes: self.node_limit, time: self.move_time, interrupt: Some(interrupt) }
    }

    /// The keys of the engines' tables, unless `--engine-key` sets others.
    fn keys(&self) -> Vec<(String, String)> {
        let answer = Some(self.answer.clone().unwrap_or_else(|| "{moves} {move}".to_string()));
        let keys = [("answer", answer), ("request", self.request.clone())];
        keys.into_iter().filter_map(|(key, value)| Some((key.to_string(), value?))).collect()
    }

    /// The name that the player has in rows, and the player. An engine writes its stderr to a log in `folder`.
    pub fn player(&self, name: &str, folder: &Path) -> Result<(String, Box<dyn Player>)> {
        let named = |player: Box<dyn Player>| Ok((name.to_string(), player));
        if name == RANDOM {
            return named(Box::new(RandomPlayer { draw: unseeded_draw(), then: None }));
        }
        if name == RANDOM_BEST {
            let solver = self.referee()?;
            return named(Box::new(SolverPlayer { solver, goal: self.goal, draw: Some(unseeded_draw()) }));
        }
        if let Some((moves, then)) = random_first(name) {
            let (_, then) = self.player(then, folder)?;
            return named(Box::new(RandomPlayer { draw: unseeded_draw(), then: Some((moves, then)) }));
        }
        if let Some(depth) = name.strip_prefix("negamax:") {
            let depth = depth.parse().ok().filter(|depth| (1..=20).contains(depth));
            let depth = depth.ok_or_else(|| Usage(format!("{name}: a depth of 1 to 20, for example negamax:4")))?;
            return named(Box::new(NegamaxPlayer { depth }));
        }
        let engines = self.engines.tables(&self.keys())?;
        if let Some((_, table)) = engines.iter().find(|(own, _)| own == name) {
            let log = folder.join(process::log_path(name));
            let program = Program { board: self.board, ..table.program(Some(&log)).with_context(|| name.to_string())? };
            let program = Foreign::new(program);
            return named(Box::new(ProgramPlayer { program, goal: self.goal, time: None }));
        }
        if name.ends_with(".py") {
            let bytes = fs::metadata(name).with_context(|| name.to_string())?.len();
            ensure!(bytes <= MOST_BYTES, "{name}: {bytes} bytes; a bot has at most {MOST_BYTES}");
            let script = folder.join("generate_move.py");
            fs::create_dir_all(folder)
                .and_then(|()| fs::write(&script, GENERATE_MOVE))
                .with_context(|| script.display().to_string())?;
            let own = Path::new(name).file_name().unwrap_or_default().to_string_lossy().into_owned();
            let size = [self.board.width(), self.board.height()].map(|number| number.to_string());
            let words = ["python3", &script.to_string_lossy(), name, &size[0], &size[1]].map(str::to_string);
            let keys = [("answer", "{moves} {move}"), ("greeting", "true"), ("first-question", "false")];
            let table = table_of(&shell_words::join(words), &keys.map(|(key, value)| (key.into(), value.into())))?;
            let log = folder.join(process::log_path(&own));
            let program = Foreign::new(Program { board: self.board, ..table.program(Some(&log))? });
            return Ok((own, Box::new(ProgramPlayer { program, goal: self.goal, time: Some(MOVE_TIME) })));
        }
        let variant = Name::parse(name).map_err(|error| {
            let known = self.engines.names().map(|name| format!(", {name}")).collect::<String>();
            Usage(format!(
                "{}; players are variants, {RANDOM}, {RANDOM_BEST}, negamax:4, bot.py{known}",
                explain(error)
            ))
        })?;
        variant.available_on(self.board).map_err(|reason| Usage(format!("{name} does not run here: {reason}")))?;
        let goal = if variant.spec().goals().contains(&self.goal) { self.goal } else { Goal::Weak };
        let solver = variant.build(&Options::on(self.board))?;
        Ok((variant.text().to_string(), Box::new(SolverPlayer { solver, goal, draw: None })))
    }

    /// The solver that scores every move: the champion, with its shipped book.
    pub fn referee(&self) -> Result<Box<dyn Solve>> {
        let champion = Name::parse(DEFAULT).map_err(explain).map_err(anyhow::Error::msg)?;
        let solver = champion.build(&Options::on(self.board))?;
        Ok(BookSolver::shipped(solver))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::search::registry;
    use std::collections::BTreeSet;

    fn position(moves: &str) -> Position {
        Position::parse(moves).unwrap()
    }

    fn variant(name: &str, goal: Goal) -> SolverPlayer {
        let solver = registry::find(name).unwrap().build(&Options::with_tt(1 << 20)).unwrap();
        SolverPlayer { solver, goal, draw: None }
    }

    #[test]
    fn a_variant_plays_what_keeps_the_score_and_wins_at_once_where_it_can() {
        let choose = |player: &mut SolverPlayer, moves: &str| player.choose(&position(moves), &Limits::default());
        for (name, goal) in [("champion", Goal::Strong), ("champion", Goal::Weak), ("bot-final", Goal::Weak)] {
            let mut player = variant(name, goal);
            // 4 wins with the last stone; every other move loses.
            let late = "3642756176227637211322113551637574556";
            let scores =
                analysis::columns(&mut *player.solver, &position(late), Goal::Weak, &Limits::default()).unwrap();
            let choice = choose(&mut player, late).unwrap();
            assert_eq!(scores[choice.column as usize], scores.iter().copied().flatten().max(), "{name}");
            assert_eq!(choose(&mut player, "121212").unwrap().column, 0, "{name}");
        }
    }

    #[test]
    fn a_search_that_is_stopped_leaves_a_guess_that_does_not_lose_at_once() {
        let mut player = variant("champion", Goal::Strong);
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        let choice = player.choose(&position("13"), &limits).unwrap();
        assert_eq!(
            (choice, player.choose(&position(""), &limits).unwrap().is_guess),
            (ChosenMove { column: 3, is_guess: true }, true)
        );
        assert_eq!(guess(&position("121212")), 0, "a win");
        assert_eq!(guess(&position("71727")), 6, "the only move that does not lose at once");
    }

    #[test]
    fn chance_is_that_of_the_game() {
        let mut player = RandomPlayer { draw: unseeded_draw(), then: None };
        let mut game = |seed, game| {
            player.begin(seed, game);
            let mut at = position("");
            (0..6).for_each(|_| at.play(player.choose(&at, &Limits::default()).unwrap().column).unwrap());
            at.to_string()
        };
        assert_eq!(game(1, 0), game(1, 0));
        assert!(game(1, 0) != game(1, 1) && game(1, 0) != game(2, 0));
    }

    #[test]
    fn chance_among_the_best_moves_plays_each_of_them_and_no_other() {
        let (at, limits) = (position("4444443333322222"), Limits::default());
        let mut player = SolverPlayer { draw: Some(unseeded_draw()), ..variant("champion", Goal::Strong) };
        let scores = analysis::columns(&mut *player.solver, &at, Goal::Strong, &limits).unwrap();
        let most = scores.iter().copied().flatten().max();
        let best: BTreeSet<u32> = (0..7).filter(|&column| scores[column as usize] == most).collect();
        assert_eq!(best.len(), 3);
        let mut chosen = |game| {
            player.begin(1, game);
            player.choose(&at, &limits).unwrap().column
        };
        assert_eq!((0..60).map(&mut chosen).collect::<BTreeSet<_>>(), best);
        assert_eq!(chosen(7), chosen(7));
    }

    #[test]
    fn scores_of_all_columns_are_a_move() {
        let scores = [Some(-3), None, Some(2), Some(2), Some(0), Some(0), Some(0)];
        let best = |moves: &str| ProgramPlayer::best(&position(moves), &scores);
        assert_eq!(best("222222"), Ok(3), "the nearest to the centre");
        let Err(Refusal::Failed("garbled", reason)) = best("") else { panic!("column 2 can be played") };
        assert_eq!(reason, "no score of column 2");
    }

    #[test]
    fn the_first_moves_are_of_chance_and_the_others_are_not() {
        let leftmost = |position: &Position| Ok((0..7).find(|&column| position.can_play(column)).unwrap());
        let mut player = RandomPlayer { draw: unseeded_draw(), then: Some((2, Box::new(leftmost))) };
        let mut at = |moves: &str, game| {
            player.begin(1, game);
            player.choose(&Position::parse(moves).unwrap(), &Limits::default()).unwrap().column
        };
        let columns: BTreeSet<u32> = (0..40).map(|game| at("44", game)).collect();
        assert!(columns.len() > 4, "{columns:?}");
        assert!((0..40).all(|game| at("4433", game) == 0 && at("44335", game) == 0));
        assert_eq!(random_first("random:3:champion@1MiB"), Some((3, "champion@1MiB")));
        assert_eq!(["random", "random:x:y", "random:3"].map(random_first), [None; 3]);
    }

    #[test]
    fn negamax_wins_blocks_and_guesses_when_time_is_up() {
        assert_eq!(open_lines(&position("")), 0);
        assert!(open_lines(&position("4")) < 0, "the stone in the middle is the opponent's");
        let choose =
            |depth, moves: &str, limits: &Limits<'_>| NegamaxPlayer { depth }.choose(&position(moves), limits).unwrap();
        let unlimited = Limits::default();
        assert_eq!(choose(1, "121212", &unlimited).column, 0, "a win");
        assert_eq!(choose(2, "71727", &unlimited).column, 6, "the win of the opponent");
        assert_eq!(choose(4, "", &unlimited), ChosenMove { column: 3, is_guess: false });
        let limits = Limits { nodes: Some(100), ..unlimited };
        assert!(choose(12, "", &limits).is_guess);
        let (begun, limits) = (Instant::now(), Limits { time: Some(Duration::from_millis(5)), ..unlimited });
        assert!(choose(20, "", &limits).is_guess && begun.elapsed() < Duration::from_secs(30));
    }
}
