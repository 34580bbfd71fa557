//! `c4lab match`: games between players, each with each. Each opening is played twice, with sides changed. A row is added
//! after each game, so that a stopped match can be resumed. A player without a legal move loses the game.

use crate::players::{ChosenMove, Player, PlayerArgs, Refusal, TrialArgs, limit_ns};
use anyhow::{Context, Result, anyhow, bail};
use c4lab_cli::drawing::{board, for_stdout};
use c4lab_cli::output;
use c4lab_cli::{Exit, Interrupt, Usage, complain};
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{self, Row as _, RowWriter};
use c4lab_measure::sets::by_ply;
use c4lab_measure::sets::draw::Draw;
use c4lab_measure::sets::test_set::print_moves;
use c4lab_measure::text::{now, pluralize};
use c4lab_report::extras::RowKind;
use c4lab_report::stats::{mean_interval, wilson};
use c4lab_report::table::units::time;
use c4lab_report::table::{Cell, Column, Subject, Table};
use c4lab_solver::game::notation::{column_named, name_of_column};
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Solve, Stopped};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, IsTerminal, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
A player is a variant (`c4lab list variants`), a program of --engine, a Python file with generate_move(board, player, saved_state) (at most \
1 MB, and 1s a move unless --move-time says otherwise), `negamax:6` (six plies, then a guess by open lines), `random` (any move), \
`random-best` (any of the best moves), or `random:3:NAME` (three random moves, then those of NAME). A program reads a line with the moves \
and answers with the moves and its column; --answer says what else it may answer. More than two players play each with each, and have \
Elo numbers. \
The board of generate_move is an array of NumPy (rows of lists without NumPy), the top row first: 0 for an empty square, else the number \
of its player, 1 or 2. It returns a column from 0, or a column and the next saved_state, which is None at first. \
Each opening is played twice, with sides changed. A player \
that plays no move in time, or one that cannot be played, or that ends, loses the game, and the row says why. A variant that reaches \
a limit plays the move nearest to the centre that does not lose at once: a guess, which is counted.

Examples:
  c4lab match champion random --games 20
  c4lab match champion bot-final --games 100 --openings random:4 --move-time 1s
  c4lab match champion mine --engine mine='./player' --move-time 1s --referee
  c4lab match champion pons-08 --node-limit 100000 --openings random:8
  c4lab match bot.py negamax:4 random champion --games 10 --article-points
  c4lab match --replay runs/match-... --game 3

Games go to DIR/games.csv one by one; the same command resumes a stopped match.
Exit status: 0 all played, 1 failure, 2 usage, 4 a player never played a move, 5 interrupted.";

/// Play games between players, each opening from either side
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The players: two or more
    #[arg(value_name = "PLAYER", required_unless_present = "replay")]
    names: Vec<String>,
    /// Show a game of a match that was played, move by move
    #[arg(long, value_name = "DIR", conflicts_with = "names")]
    replay: Option<PathBuf>,
    /// The game to show
    #[arg(long, value_name = "N", default_value_t = 0, requires = "replay")]
    game: usize,
    /// The points of the article on a bot: 5 for a win, and in a draw 1 for the first with the longest chain
    #[arg(long)]
    article_points: bool,
    /// Number of games of each two players; an even one, so that every opening is played from both sides
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// The openings: random:N is N moves of random play
    #[arg(long, value_name = "random:N", default_value = "random:4", value_parser = opening_plies)]
    openings: u32,
    /// Let the champion count the moves that give away a win or a draw
    #[arg(long)]
    referee: bool,
    #[command(flatten)]
    trial: TrialArgs,
}

fn opening_plies(text: &str) -> Result<u32, String> {
    let plies = text.strip_prefix("random:").and_then(|plies| plies.parse().ok());
    plies.ok_or_else(|| "write random:N, for example random:4".to_string())
}

pub fn run(args: &Args) -> Result<Exit> {
    if let Some(folder) = &args.replay {
        return replay(&rows::read(folder)?, args.game);
    }
    if args.names.len() < 2 {
        return Err(Usage("one player: a match needs two or more".to_string()).into());
    }
    if args.games == 0 || !args.games.is_multiple_of(2) {
        return Err(Usage(format!(
            "--games {}: an even number, so that every opening is played from both sides",
            args.games
        ))
        .into());
    }
    let trial = &args.trial;
    if args.openings >= trial.players.board.cells() {
        let (plies, board) = (args.openings, trial.players.board);
        return Err(Usage(format!("--openings random:{plies}: {board} has {} squares", board.cells())).into());
    }
    let interrupt = Interrupt::listen()?;
    let folder = trial.run.folder("match")?;
    let players = args.names.iter().map(|name| trial.players.player(name, &folder)).collect::<Result<Vec<_>>>()?;
    let (mut names, mut players): (Vec<String>, Vec<_>) = players.into_iter().unzip();
    let copies = names.clone();
    for (index, name) in names.iter_mut().enumerate() {
        if copies.iter().filter(|copy| *copy == name).count() > 1 {
            let before = copies[..index].iter().filter(|copy| *copy == name).count();
            let sign =
                (b'A'..=b'Z').nth(before).map_or_else(|| before.to_string(), |letter| char::from(letter).to_string());
            *name = format!("{name} ({sign})");
        }
    }
    let board = trial.players.board;
    let plan = Plan {
        pairs: (0..names.len()).flat_map(|one| (one + 1..names.len()).map(move |other| [one, other])).collect(),
        names,
        // Different openings up to mirror. There may be fewer than the games need.
        openings: by_ply::draw(board, trial.seed, args.openings, args.games.div_ceil(2)),
        games: args.games,
        goal: trial.players.goal,
        seed: trial.seed,
        limits: trial.players.limits(interrupt.flag()),
    };
    if plan.openings.is_empty() {
        bail!("no game of {board} goes on after {} random moves", args.openings);
    }
    let referee = args.referee.then(|| trial.players.referee()).transpose()?;
    let bar = trial.run.bar(plan.all_games() as u64, "games");
    let played = plan.play_missing(&folder, &mut players, referee, &bar);
    bar.finish_and_clear();
    let (rows, is_whole) = played?;
    let openings = plan.openings.len();
    if openings < args.games / 2 {
        complain(format_args!(
            "there are only {} of {} random moves: they are repeated",
            pluralize(openings, "opening"),
            args.openings
        ));
    }
    let table = match &plan.names[..] {
        [one, other] if !args.article_points => sheet(&[one.clone(), other.clone()], &rows),
        names => standings(names, &rows, args.article_points),
    };
    output::show(&trial.format.of(&[table])?)?;
    PlayerArgs::print_reasons("game", rows.iter().filter_map(lost_by), &folder);
    let mut exit = trial.run.end(&pluralize(rows.len(), "game"), &folder.join(Row::FILE), is_whole);
    for name in &plan.names {
        let mut own = rows.iter().filter_map(|row| Some(row.moves_of(row.seat(name)?))).peekable();
        if own.peek().is_some() && own.all(|moves| moves == 0) {
            complain(format_args!("{name} never played a move"));
            exit = Exit::Wrong;
        }
    }
    Ok(exit)
}

fn lost_by(row: &Row) -> Option<String> {
    let loser = if row.result == "1-0" { &row.second } else { &row.first };
    Some(format!("lost by {loser}: {}: {}", row.end, row.reason.as_ref()?))
}

/// The weak score of `position`: 1 if the mover wins, 0 for a draw, -1 if it loses.
pub fn value(referee: &mut dyn Solve, position: &Position, limits: &Limits<'_>) -> Result<Score, Stopped> {
    if position.is_over() {
        return Ok(if position.is_won() { -1 } else { 0 });
    }
    // The limits hold for players only.
    let limits = Limits { interrupt: limits.interrupt, ..Limits::default() };
    Ok(referee.solve(position, Goal::Weak, &limits)?.score)
}

/// The end of a drawn game.
const FULL: &str = "full";

const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    schema_version: u32,
    game: usize,
    opening: String,
    first: String,
    second: String,
    goal: Goal,
    moves: String,
    result: String,
    /// `full`: a draw. `four`: the player of the last move won. Otherwise the player to move lost: `illegal`, `late`,
    /// `crashed`, `memory`, `garbled`.
    end: String,
    reason: Option<String>,
    /// The board, unless it is the standard one.
    #[serde(default)]
    board: Option<String>,
    /// Moves that were guesses because a limit stopped the search.
    guesses_first: u32,
    guesses_second: u32,
    /// Moves that gave away a win or a draw, if there is a referee.
    slips_first: Option<u32>,
    slips_second: Option<u32>,
    worst_ns_first: u64,
    worst_ns_second: u64,
    seed: u64,
    limit_ns: Option<u64>,
    limit_nodes: Option<u64>,
    git_rev: Option<String>,
    ended_at: String,
}

c4lab_measure::row!(Row, "games.csv", SCHEMA_VERSION);

pub static ROWS: RowKind = RowKind {
    name: "games",
    file: Row::FILE,
    tables: |folder| {
        let rows: Vec<Row> = rows::read(folder)?;
        let names = names(&rows);
        Ok(match &names[..] {
            [] => Vec::new(),
            [one, other] => vec![sheet(&[one.clone(), other.clone()], &rows)],
            names => vec![standings(names, &rows, false)],
        })
    },
};

/// The results of a game that the first player wins, and of one that the second player wins.
const WON: [&str; 2] = ["1-0", "0-1"];
const DRAWN: &str = "1/2";

struct Plan<'a> {
    names: Vec<String>,
    /// Each two players, by index. The first of them begins the games with even numbers.
    pairs: Vec<[usize; 2]>,
    /// Each is for two games of each two players.
    openings: Vec<Position>,
    games: usize,
    goal: Goal,
    seed: u64,
    limits: Limits<'a>,
}

impl Plan<'_> {
    fn all_games(&self) -> usize {
        self.games * self.pairs.len()
    }

    fn opening(&self, game: usize) -> &Position {
        &self.openings[game / 2 / self.pairs.len() % self.openings.len()]
    }

    /// Who begins game number `game`, and who comes second. Each opening goes round all pairs of players.
    fn seats(&self, game: usize) -> [usize; 2] {
        let [one, other] = self.pairs[game / 2 % self.pairs.len()];
        if game.is_multiple_of(2) { [one, other] } else { [other, one] }
    }

    fn planned(&self, game: usize) -> Row {
        let [first, second] = self.seats(game).map(|seat| &self.names[seat]);
        Row {
            schema_version: SCHEMA_VERSION,
            game,
            opening: print_moves(self.opening(game)),
            first: first.clone(),
            second: second.clone(),
            goal: self.goal,
            board: Some(self.opening(game).size())
                .filter(|&size| size != BoardSize::STANDARD)
                .map(|size| size.to_string()),
            seed: self.seed,
            limit_ns: limit_ns(&self.limits),
            limit_nodes: self.limits.nodes,
            git_rev: git_rev(),
            ..Row::default()
        }
    }

    /// Plays a game. `referee` counts the moves that give away a win or a draw.
    fn play(
        &self,
        game: usize,
        players: [&mut dyn Player; 2],
        mut referee: Option<&mut dyn Solve>,
    ) -> Result<Row, Stopped> {
        let mut position = self.opening(game).clone();
        let mut value_before = match &mut referee {
            Some(referee) => Some(value(&mut **referee, &position, &self.limits)?),
            None => None,
        };
        let (mut guesses, mut slips, mut worst) = ([0; 2], [0; 2], [Duration::ZERO; 2]);
        let (end, reason) = loop {
            let mover = position.ply() as usize % 2;
            let begun = Instant::now();
            let chosen = players[mover].choose(&position, &self.limits);
            worst[mover] = worst[mover].max(begun.elapsed());
            let ChosenMove { column, is_guess } = match chosen {
                Ok(chosen) => chosen,
                Err(Refusal::Interrupted) => return Err(Stopped::Interrupted(0)),
                Err(Refusal::Late) => {
                    let time = self.limits.time.map_or_else(String::new, |time| format!(" within {time:?}"));
                    break ("late", Some(format!("no move{time}")));
                }
                Err(Refusal::Failed(kind, reason)) => break (kind, Some(reason)),
            };
            guesses[mover] += u32::from(is_guess);
            if let Err(reason) = position.play(column) {
                break ("illegal", Some(reason.to_string()));
            }
            if let (Some(before), Some(referee)) = (value_before, &mut referee) {
                let after = value(&mut **referee, &position, &self.limits)?;
                slips[mover] += u32::from(-after < before);
                value_before = Some(after);
            }
            if position.is_over() {
                break (if position.is_won() { "four" } else { FULL }, None);
            }
        };
        let to_move = position.ply() as usize % 2;
        let [slips_first, slips_second] = slips.map(|slips| referee.is_some().then_some(slips));
        let [worst_ns_first, worst_ns_second] = worst.map(|worst| worst.as_nanos() as u64);
        Ok(Row {
            moves: print_moves(&position),
            result: if end == FULL { DRAWN } else { WON[1 - to_move] }.to_string(),
            end: end.to_string(),
            reason: reason.map(|reason| reason.replace(['\n', '\r'], " ")),
            guesses_first: guesses[0],
            guesses_second: guesses[1],
            slips_first,
            slips_second,
            worst_ns_first,
            worst_ns_second,
            ended_at: now(),
            ..self.planned(game)
        })
    }

    /// Plays the games that `folder` lacks. Returns all rows in the order of games, and true if none is missing.
    fn play_missing(
        &self,
        folder: &Path,
        players: &mut [Box<dyn Player>],
        mut referee: Option<Box<dyn Solve>>,
        bar: &ProgressBar,
    ) -> Result<(Vec<Row>, bool)> {
        let (mut file, mut rows) = RowWriter::<Row>::open(folder)?;
        for (index, row) in rows.iter().enumerate() {
            let at = Row::place(folder, index);
            if !is_same(row, &self.planned(row.game)) {
                bail!("{at}: a game of another match; choose another --out");
            }
            if row.slips_first.is_some() != referee.is_some() {
                let with = if referee.is_some() { "without" } else { "with" };
                bail!("{at}: a game {with} a referee; choose another --out");
            }
        }
        for game in 0..self.all_games() {
            if rows.iter().any(|row| row.game == game) {
                continue;
            }
            // A player that does not search asks for no signal.
            if self.limits.interrupt.is_some_and(|interrupt| interrupt.load(Ordering::Relaxed)) {
                return Ok((rows, false));
            }
            bar.set_position(rows.len() as u64);
            let sides = players.get_disjoint_mut(self.seats(game)).expect("two players");
            let sides: [&mut dyn Player; 2] = sides.map(|player| &mut **player as _);
            // The first of two players has the even seeds, whoever begins.
            for (side, seat) in [(game % 2, 0), (1 - game % 2, 1)] {
                sides[side].begin(self.seed, 2 * game + seat);
            }
            let referee = referee.as_mut().map(|referee| {
                referee.reset();
                &mut **referee as &mut dyn Solve
            });
            let Ok(row) = self.play(game, sides, referee) else { return Ok((rows, false)) };
            file.add(&row).context("a game")?;
            rows.push(row);
        }
        rows.sort_by_key(|row| row.game);
        rows.truncate(self.all_games());
        Ok((rows, true))
    }
}

fn is_same(row: &Row, planned: &Row) -> bool {
    fn key(row: &Row) -> ([&str; 4], Goal, u64, Option<u64>, Option<u64>) {
        let board = row.board.as_deref().unwrap_or_default();
        ([&row.opening, &row.first, &row.second, board], row.goal, row.seed, row.limit_ns, row.limit_nodes)
    }
    key(row) == key(planned)
}

impl Row {
    /// The argument of [`Row::is_begun`] for a player; `None` if the game is not its own.
    fn seat(&self, name: &str) -> Option<bool> {
        [true, false].into_iter().find(|&is_one| name == if self.is_begun(is_one) { &self.first } else { &self.second })
    }

    /// True if the player began the game: the one who begins the games with even numbers if `is_one`, or the other one.
    fn is_begun(&self, is_one: bool) -> bool {
        self.game.is_multiple_of(2) == is_one
    }

    /// The number of moves of the player after the opening.
    fn moves_of(&self, is_one: bool) -> usize {
        let stones = |moves: &str| moves.trim_start_matches('-').len();
        let (opening, all) = (stones(&self.opening), stones(&self.moves));
        let is_next = self.is_begun(is_one) == opening.is_multiple_of(2);
        (all.saturating_sub(opening) + usize::from(is_next)) / 2
    }

    /// The points of the player: 1 for a win, half a point for a draw.
    fn points(&self, is_one: bool) -> f64 {
        match WON.iter().position(|won| *won == self.result) {
            None => 0.5,
            Some(winner) => f64::from(u8::from((winner == 0) == self.is_begun(is_one))),
        }
    }
}

/// Some games of a player, in a row of the table.
#[derive(Default)]
struct Tally<'a> {
    name: &'a str,
    games: &'static str,
    won: usize,
    drawn: usize,
    lost: usize,
    points: Option<String>,
    /// Lost games without a four, because there was no move, or none that can be played.
    forfeited: usize,
    guesses: u32,
    slips: Option<u32>,
    worst_ns: u64,
}

impl Tally<'_> {
    fn add(&mut self, row: &Row, is_one: bool) {
        let points = row.points(is_one);
        self.won += usize::from(points == 1.0);
        self.drawn += usize::from(points == 0.5);
        self.lost += usize::from(points == 0.0);
        self.forfeited += usize::from(points == 0.0 && row.reason.is_some());
        let (guesses, slips, worst_ns) = match row.is_begun(is_one) {
            true => (row.guesses_first, row.slips_first, row.worst_ns_first),
            false => (row.guesses_second, row.slips_second, row.worst_ns_second),
        };
        self.guesses += guesses;
        self.slips = slips.map(|slips| self.slips.unwrap_or(0) + slips).or(self.slips);
        self.worst_ns = self.worst_ns.max(worst_ns);
    }

    fn share(&self, count: usize) -> String {
        let (low, high) = wilson(count, self.won + self.drawn + self.lost);
        format!("{count} ({:.0} to {:.0} %)", 100.0 * low, 100.0 * high)
    }
}

/// The points of one player in each pair of games with the same opening, from 0 (both lost) to 1 (both won). `is_one`
/// as in [`Row::is_begun`].
fn points_of_pairs(rows: &[Row], is_one: bool) -> Vec<f64> {
    let mut pairs: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    rows.iter().for_each(|row| pairs.entry(row.game / 2).or_default().push(row.points(is_one)));
    pairs.into_values().filter(|points| points.len() == 2).map(|points| (points[0] + points[1]) / 2.0).collect()
}

pub fn percent(share: f64, (low, high): (f64, f64)) -> String {
    let [share, low, high] = [share, low, high].map(|share| 100.0 * share);
    format!("{share:.0} % ({low:.0} to {high:.0})")
}

/// The mean points of a player over pairs of games with the same opening. A pair is one observation. If all pairs have
/// equal points, there is no interval.
fn points(rows: &[Row], is_one: bool) -> String {
    let pairs = points_of_pairs(rows, is_one);
    let Some(mean) = mean_interval(&pairs) else { return "-".to_string() };
    match mean.interval.filter(|(low, high)| low < high) {
        Some((low, high)) => percent(mean.value, (low.max(0.0), high.min(1.0))),
        None => format!("{:.0} %", 100.0 * mean.value),
    }
}

/// The table of a match. Each player has three rows: all its games, those that it began, those that it did not.
fn sheet(names: &[String; 2], rows: &[Row]) -> Table {
    let mut tallies = Vec::new();
    for (name, is_one) in names.iter().zip([true, false]) {
        for (games, began) in [("all", None), ("begins", Some(true)), ("second", Some(false))] {
            let points = began.is_none().then(|| points(rows, is_one));
            let mut tally = Tally { name, games, points, ..Tally::default() };
            let own = rows.iter().filter(|row| began.is_none_or(|began| began == row.is_begun(is_one)));
            own.for_each(|row| tally.add(row, is_one));
            tallies.push(tally);
        }
    }
    let title = format!("{} against {}, {} games", names[0], names[1], rows.len());
    let note = "Intervals of 95 %: of counts by Wilson, of points over pairs of games with one opening. A draw is half a point.";
    Table::new("games", Subject::default(), title, note)
        .over(&tallies)
        .text("player", "player", |tally| tally.name)
        .text("games", "games", |tally| tally.games)
        .column(Column::number("won", "won"), |tally| Cell::text(tally.share(tally.won)))
        .column(Column::number("drawn", "drawn"), |tally| Cell::text(tally.share(tally.drawn)))
        .column(Column::number("lost", "lost"), |tally| Cell::text(tally.share(tally.lost)))
        .column(Column::number("points", "points"), |tally| tally.points.clone().map_or(Cell::Empty, Cell::Text))
        .count("forfeits", "forfeits", |tally| tally.forfeited)
        .count("guesses", "guesses", |tally| tally.guesses as usize)
        .column(Column::number("slips", "slips"), |tally| {
            tally.slips.map_or(Cell::Empty, |slips| Cell::count(slips as usize))
        })
        .number("longest move", "worst_ns", time, |tally| Some(tally.worst_ns as f64))
        .table
}

/// The names of the players of a match, in the order of its games. The first of them begins the first game.
fn names(rows: &[Row]) -> Vec<String> {
    let mut names = Vec::new();
    for row in rows {
        for name in [true, false].map(|is_one| if row.is_begun(is_one) { &row.first } else { &row.second }) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

/// The player, 0 or 1, that was the first with the longest chain of a game.
fn first_with_the_longest_chain(moves: &str) -> usize {
    let (mut stones, mut heights) = (HashMap::new(), HashMap::new());
    let (mut longest, mut owner) = (0, 0);
    for (ply, column) in moves.chars().filter_map(column_named).map(i64::from).enumerate() {
        let row = *heights.entry(column).and_modify(|height| *height += 1).or_insert(0_i64);
        stones.insert((column, row), ply % 2);
        for (x, y) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let run = |way: i64| {
                let is_own = |n: &i64| stones.get(&(column + way * n * x, row + way * n * y)) == Some(&(ply % 2));
                (1..).take_while(is_own).count()
            };
            let chain = 1 + run(1) + run(-1);
            if chain > longest {
                (longest, owner) = (chain, ply % 2);
            }
        }
    }
    owner
}

/// The Elo numbers of players, 0 on average, by the model of R. Bradley and M. Terry. A drawn game is added for each two
/// players that met, so that nobody is infinitely strong. `units` are games that stand together: sides and points.
fn elo(players: usize, units: &[&Vec<([usize; 2], f64)>]) -> Vec<f64> {
    let (mut met, mut won) = (vec![vec![0.0; players]; players], vec![0.0; players]);
    for &([one, other], points) in units.iter().copied().flatten() {
        for (own, theirs, points) in [(one, other, points), (other, one, 1.0 - points)] {
            if met[own][theirs] == 0.0 {
                (met[own][theirs], won[own]) = (1.0, won[own] + 0.5);
            }
            met[own][theirs] += 1.0;
            won[own] += points;
        }
    }
    let mut strength = vec![1.0_f64; players];
    for _ in 0..300 {
        let next = |own: usize| {
            let games: f64 = (0..players).map(|other| met[own][other] / (strength[own] + strength[other])).sum();
            if games == 0.0 { 1.0 } else { won[own] / games }
        };
        let fitted: Vec<f64> = (0..players).map(next).collect();
        let mean = fitted.iter().map(|strength| strength.ln()).sum::<f64>() / players as f64;
        strength = fitted.into_iter().map(|strength| strength / mean.exp()).collect();
    }
    strength.into_iter().map(|strength| 400.0 * strength.log10()).collect()
}

/// The Elo number of each player, and its 95 % interval over openings: 400 bootstrap resamples of the openings, each with
/// the games of all pairs.
fn elo_with_intervals(names: &[String], rows: &[Row]) -> Vec<String> {
    let mut units: BTreeMap<usize, Vec<([usize; 2], f64)>> = BTreeMap::new();
    for row in rows {
        let seat = |is_one| names.iter().position(|name| row.seat(name) == Some(is_one));
        if let (Some(one), Some(other)) = (seat(true), seat(false)) {
            let pairs = names.len() * (names.len() - 1) / 2;
            units.entry(row.game / 2 / pairs).or_default().push(([one, other], row.points(true)));
        }
    }
    let units: Vec<_> = units.values().collect();
    let mut draw = Draw::new(1, "elo");
    let mut resamples: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
    for _ in 0..if units.len() < 2 { 0 } else { 400 } {
        let picked: Vec<_> = units.iter().map(|_| units[draw.below(units.len())]).collect();
        elo(names.len(), &picked).into_iter().zip(&mut resamples).for_each(|(number, all)| all.push(number));
    }
    let shown = |(number, mut all): (f64, Vec<f64>)| {
        all.sort_by(f64::total_cmp);
        match all.len() {
            0 => format!("{number:+.0}"),
            count => format!("{number:+.0} ({:+.0} to {:+.0})", all[count / 40], all[count - 1 - count / 40]),
        }
    };
    elo(names.len(), &units).into_iter().zip(resamples).map(shown).collect()
}

/// The table of a match of any number of players, the best first.
fn standings(names: &[String], rows: &[Row], article_points: bool) -> Table {
    let elo = elo_with_intervals(names, rows);
    let mut players: Vec<(Tally<'_>, f64, String)> = Vec::new();
    for (name, elo) in names.iter().zip(elo) {
        let (mut tally, mut sum) = (Tally { name, games: "all", ..Tally::default() }, 0.0);
        for (row, is_one) in rows.iter().filter_map(|row| Some((row, row.seat(name)?))) {
            tally.add(row, is_one);
            let points = row.points(is_one);
            let owns = || (first_with_the_longest_chain(&row.moves) == 0) == row.is_begun(is_one);
            sum += match points {
                points if !article_points => points,
                0.5 => f64::from(u8::from(owns())),
                points => 5.0 * points,
            };
        }
        players.push((tally, sum, elo));
    }
    players.sort_by(|one, other| other.1.total_cmp(&one.1));
    let note = match article_points {
        false => "A draw is half a point.",
        true => "Five points for a win; in a draw one for the first with the longest chain.",
    };
    let note = format!("{note} Elo: 0 on average, intervals of 95 % over openings.");
    let title = format!("{} players, {} games", names.len(), rows.len());
    Table::new("games", Subject::default(), title, note)
        .over(&players)
        .text("player", "player", |(tally, ..)| tally.name)
        .count("games", "games", |(tally, ..)| tally.won + tally.drawn + tally.lost)
        .count("won", "won", |(tally, ..)| tally.won)
        .count("drawn", "drawn", |(tally, ..)| tally.drawn)
        .count("lost", "lost", |(tally, ..)| tally.lost)
        .number("points", "points", |points| format!("{points}"), |(_, sum, _)| Some(*sum))
        .column(Column::number("Elo", "elo"), |(_, _, elo)| Cell::text(elo))
        .count("forfeits", "forfeits", |(tally, ..)| tally.forfeited)
        .count("guesses", "guesses", |(tally, ..)| tally.guesses as usize)
        .column(Column::number("slips", "slips"), |(tally, ..)| {
            tally.slips.map_or(Cell::Empty, |slips| Cell::count(slips as usize))
        })
        .number("longest move", "worst_ns", time, |(tally, ..)| Some(tally.worst_ns as f64))
        .table
}

/// Shows a game move by move, on a terminal with pauses.
fn replay(rows: &[Row], game: usize) -> Result<Exit> {
    let Some(row) = rows.iter().find(|row| row.game == game) else {
        bail!("no game {game}; the match has {}, from 0", pluralize(rows.len(), "game"));
    };
    let size = row.board.as_deref().map_or(Ok(BoardSize::STANDARD), str::parse)?;
    let mut position = Position::start_on(size);
    let mut shown = format!("{} (X) against {} (O)\n", row.first, row.second);
    for column in row.moves.chars().filter_map(column_named) {
        if io::stdout().is_terminal() {
            thread::sleep(Duration::from_millis(600));
        }
        let is_opening = (position.ply() as usize) < row.opening.trim_start_matches('-').len();
        let mover = if is_opening { "opening" } else { [&*row.first, &*row.second][position.ply() as usize % 2] };
        position.play(column).map_err(|error| anyhow!("game {game}: {error}"))?;
        let said = format!("\n{mover}: {}\n{}", name_of_column(column), board(&position, None));
        io::stdout().write_all(for_stdout(&(mem::take(&mut shown) + &said)).as_bytes())?;
    }
    let why = row.reason.as_ref().map_or_else(|| row.end.clone(), |reason| format!("{}: {reason}", row.end));
    let page = format!("On the page of `c4lab serve`: /?moves={}&board={size}", row.moves);
    output::print(&format!("{shown}\n{} ({why})\n{page}", row.result), Exit::Success)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::SolverPlayer;
    use c4lab_measure::sets::test_set::TestSet;
    use c4lab_solver::search::{Options, registry};
    use std::slice;

    fn plan(openings: &[Position]) -> Plan<'static> {
        Plan {
            names: ["a", "b"].map(str::to_string).to_vec(),
            pairs: vec![[0, 1]],
            openings: openings.to_vec(),
            games: 6,
            goal: Goal::Weak,
            seed: 1,
            limits: Limits::default(),
        }
    }

    /// A player of the given columns, from 1, that then refuses to move.
    fn scripted(columns: &[u32], refusal: Refusal) -> impl Player {
        let mut columns = columns.iter();
        move |_: &Position| columns.next().map(|column| column - 1).ok_or(refusal.clone())
    }

    fn played(opening: &str, mut first: impl Player, second: &[u32]) -> Result<Row, Stopped> {
        let mut referee = registry::find("champion").unwrap().build(&Options::default()).unwrap();
        let players: [&mut dyn Player; 2] = [&mut first, &mut scripted(second, Refusal::Late)];
        plan(&[Position::parse(opening).unwrap()]).play(0, players, Some(&mut *referee))
    }

    #[test]
    fn four_in_a_row_ends_it_and_gifts_are_counted() {
        let game = played("121212", scripted(&[1], Refusal::Late), &[]).unwrap();
        assert_eq!([game.result, game.end, game.moves], ["1-0", "four", "1212121"]);
        assert_eq!(game.slips_first, Some(0));
        // A win that is not taken, and a win that is taken.
        let game = played("121212", scripted(&[7], Refusal::Late), &[2]).unwrap();
        assert_eq!((game.result.as_str(), game.slips_first, game.slips_second), ("0-1", Some(1), Some(0)));
        let stopped = played("121212", scripted(&[], Refusal::Interrupted), &[]);
        assert!(matches!(stopped, Err(Stopped::Interrupted(_))));
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let set = TestSet::open("by-ply/40").unwrap();
        let item = set.items.iter().find(|item| item.score == 0).expect("a drawn position");
        let solver = || registry::find("champion").unwrap().build(&Options::default()).unwrap();
        let [mut one, mut other] = [(); 2].map(|()| SolverPlayer { solver: solver(), goal: Goal::Strong, draw: None });
        let game = plan(slice::from_ref(&item.position)).play(0, [&mut one, &mut other], Some(&mut *solver())).unwrap();
        assert_eq!((game.result.as_str(), game.end.as_str(), game.moves.len()), (DRAWN, FULL, 42));
        assert_eq!([game.guesses_first, game.guesses_second], [0; 2]);
        assert_eq!([game.slips_first, game.slips_second], [Some(0); 2]);
    }

    #[test]
    fn points_are_of_pairs_of_games() {
        let plan = plan(&[Position::start()]);
        let row = |(game, result): (usize, &str)| Row {
            result: result.to_string(),
            slips_first: Some(0),
            slips_second: Some(1),
            ..plan.planned(game)
        };
        // a: two wins; a win and a draw; a loss and a win.
        let results = ["1-0", "0-1", "1-0", "1/2", "0-1", "0-1"];
        let rows: Vec<Row> = results.into_iter().enumerate().map(row).collect();
        assert_eq!(points_of_pairs(&rows, true), [1.0, 0.75, 0.5]);
        assert_eq!(points_of_pairs(&rows[1..], false), [0.25, 0.5], "a game without its pair is none");
        assert_eq!(names(&rows[1..]), ["a", "b"]);
        let names = ["a", "b"].map(str::to_string);
        let text = sheet(&names, &rows).markdown();
        assert!(text.contains("a against b, 6 games") && text.contains("| 75 % (13 to 100) |"), "{text}");
        let alike = sheet(&names, &rows[..2]).markdown();
        assert!(alike.contains(" 100 % |") && alike.contains(" 0 % |"), "{alike}");
    }

    /// Three players, of whom the first wins all and the others draw.
    #[test]
    fn strength_is_a_number_and_its_mean_is_0() {
        let units = [
            vec![([0, 1], 1.0), ([0, 1], 1.0)],
            vec![([0, 2], 1.0), ([0, 2], 1.0)],
            vec![([1, 2], 0.5), ([1, 2], 0.5)],
        ];
        let [first, second, third] = elo(3, &units.iter().collect::<Vec<_>>())[..] else { panic!("three players") };
        assert!((first + second + third).abs() < 1e-6 && (second - third).abs() < 1e-6, "{first} {second} {third}");
        // With a draw added, 5 of 6 points against equal players: a ratio of 5, which is 280 Elo.
        assert!((first - second - 400.0 * 5.0_f64.log10()).abs() < 0.1, "{first} {second}");
    }

    #[test]
    fn the_first_with_the_longest_chain_is_found() {
        for (moves, owner) in [("12", 0), ("1122", 0), ("1464", 1), ("14646", 1), ("1464362", 0)] {
            assert_eq!(first_with_the_longest_chain(moves), owner, "{moves}");
        }
    }

    #[test]
    fn one_opening_gives_no_interval() {
        let plan = Plan {
            names: ["a", "b", "c"].map(str::to_string).to_vec(),
            pairs: vec![[0, 1], [0, 2], [1, 2]],
            ..plan(&[Position::start()])
        };
        let row = |(game, result): (usize, &str)| Row {
            result: result.to_string(),
            moves: "12".to_string(),
            ..plan.planned(game)
        };
        let results = ["1-0", "0-1", "1-0", "0-1", "1/2", "1/2"];
        let rows: Vec<Row> = results.into_iter().enumerate().map(row).collect();
        assert_eq!(names(&rows), plan.names);
        assert!(elo_with_intervals(&plan.names, &rows).iter().all(|shown| !shown.contains(" to ")));
        let text = standings(&plan.names, &rows, true).markdown();
        // The winner of four games; in the draws the first stone is the longest chain.
        assert!(text.contains(" 20 |") && text.contains(" 1 |"), "{text}");
        let more: Vec<Row> = (6..12).map(|game| row((game, results[game - 6]))).collect();
        assert!(elo_with_intervals(&plan.names, &[rows, more].concat()).iter().all(|shown| shown.contains(" to ")));
    }
}
