//! `c4lab match`: games between two players. Each opening is played twice, with sides changed. A row is added after
//! each game, so that a stopped match can be resumed. A player without a legal move loses the game.

use crate::players::{ChosenMove, Player, PlayerArgs, Refusal, RowArgs};
use anyhow::{Context, Result, bail};
use c4lab_cli::interrupt::Interrupt;
use c4lab_cli::output::FormatArg;
use c4lab_cli::{Exit, Usage, complain};
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{self, RowWriter};
use c4lab_measure::sets::by_ply;
use c4lab_measure::sets::test_set::print_moves;
use c4lab_measure::text::{now, pluralize};
use c4lab_report::extras::RowKind;
use c4lab_report::stats::formulas::wilson;
use c4lab_report::stats::mean_interval;
use c4lab_report::table::units::time;
use c4lab_report::table::{Cell, Column, Subject, Table};
use c4lab_solver::game::score::Score;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Solve, Stopped};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
A player is a variant (`c4lab list variants`), a program of --engine, `random` (any move), `random-best` (any of the best moves), or \
`random:3:NAME` (three random moves, then those of NAME). A program reads a line with the moves and answers \
with the moves and its column; --answer says what else it may answer. Each opening is played twice, with sides changed. A player \
that plays no move in time, or one that cannot be played, or that ends, loses the game, and the row says why. A variant that reaches \
a limit plays the move nearest to the centre that does not lose at once: a guess, which is counted.

Examples:
  c4lab match champion random --games 20
  c4lab match champion bot-final --games 100 --openings random:4 --move-time 1s
  c4lab match champion mine --engine mine='./player' --move-time 1s --referee
  c4lab match champion pons-08 --node-limit 100000 --openings random:8

Games go to DIR/games.csv one by one; the same command resumes a stopped match.
Exit status: 0 all played, 1 failure, 2 usage, 5 interrupted.";

/// Play games between two players, each opening from either side
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A player
    #[arg(value_name = "A")]
    one: String,
    /// The other player
    #[arg(value_name = "B")]
    other: String,
    /// Number of games; an even one, so that every opening is played from both sides
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: usize,
    /// The openings: random:N is N moves of random play
    #[arg(long, value_name = "random:N", default_value = "random:4", value_parser = opening_plies)]
    openings: u32,
    /// Let the champion count the moves that give away a win or a draw
    #[arg(long)]
    referee: bool,
    #[command(flatten)]
    players: PlayerArgs,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    format: FormatArg,
}

fn opening_plies(text: &str) -> Result<u32, String> {
    let plies = text.strip_prefix("random:").and_then(|plies| plies.parse().ok());
    plies.ok_or_else(|| "write random:N, for example random:4".to_string())
}

pub fn run(args: &Args) -> Result<Exit> {
    if args.games == 0 || !args.games.is_multiple_of(2) {
        return Err(Usage(format!(
            "--games {}: an even number, so that every opening is played from both sides",
            args.games
        ))
        .into());
    }
    if args.openings >= args.players.board.cells() {
        let (plies, board) = (args.openings, args.players.board);
        return Err(Usage(format!("--openings random:{plies}: {board} has {} squares", board.cells())).into());
    }
    let interrupt = Interrupt::listen()?;
    let folder = args.rows.folder("match");
    let (one, first) = args.players.player(&args.one, &folder)?;
    let (other, second) = args.players.player(&args.other, &folder)?;
    let names = if one == other { [format!("{one} (A)"), format!("{other} (B)")] } else { [one, other] };
    let terms = Terms {
        board: args.players.board,
        names,
        goal: args.players.goal,
        games: args.games,
        opening_plies: args.openings,
        seed: args.rows.seed,
        limits: args.players.limits(interrupt.flag()),
    };
    let referee = args.referee.then(|| args.players.referee()).transpose()?;
    let bar = args.rows.bar(args.games as u64, "games");
    let played = play_missing(&terms, &folder, &mut [first, second], referee, |done| bar.set_position(done as u64));
    bar.finish_and_clear();
    let (rows, is_whole) = played?;
    let openings = terms.openings().len();
    if openings < args.games / 2 {
        complain(format_args!(
            "there are only {} of {} random moves: they are repeated",
            pluralize(openings, "opening"),
            args.openings
        ));
    }
    args.format.sheets(&[sheet(&terms.names, &rows)])?;
    args.players.tell_reasons("game", rows.iter().filter_map(lost_by), &folder);
    Ok(args.rows.end(&pluralize(rows.len(), "game"), &folder.join(FILE), is_whole))
}

/// The loser of a game that did not end on the board, and the reason.
fn lost_by(row: &Row) -> Option<String> {
    let loser = if row.result == "1-0" { &row.second } else { &row.first };
    Some(format!("lost by {loser}: {}: {}", row.end, row.reason.as_ref()?))
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Game {
    position: Position,
    /// `full`: a draw. `four`: the player of the last move won. Otherwise the player to move lost: `illegal`, `late`,
    /// `crashed`, `memory`, `garbled`.
    end: &'static str,
    /// Why a player lost without a four on the board.
    reason: Option<String>,
    /// The records of the first and the second player.
    sides: [SideRecord; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SideRecord {
    moves: u32,
    /// Moves that were guesses because a limit stopped the search.
    guesses: u32,
    /// Moves that gave away a win or a draw, if there is a referee.
    slips: u32,
    worst: Duration,
}

impl Game {
    /// The winner: 0 is the first player, 1 the second; `None` after a draw.
    fn winner(&self) -> Option<usize> {
        (self.end != FULL).then(|| 1 - self.position.ply() as usize % 2)
    }

    fn forfeit(mut self, kind: &'static str, reason: String) -> Self {
        (self.end, self.reason) = (kind, Some(reason.replace(['\n', '\r'], " ")));
        self
    }
}

const FULL: &str = "full";

/// Plays a game from `opening`, which is not over. `referee` counts the moves that give away a win or a draw.
fn play(
    opening: &Position,
    players: [&mut dyn Player; 2],
    limits: &Limits<'_>,
    mut referee: Option<&mut dyn Solve>,
) -> Result<Game, Stopped> {
    let mut game = Game { position: opening.clone(), end: FULL, reason: None, sides: [SideRecord::default(); 2] };
    let mut value = referee.as_deref_mut().map(|referee| value(referee, opening, limits)).transpose()?;
    loop {
        let to_move = game.position.ply() as usize % 2;
        let begun = Instant::now();
        let chosen = players[to_move].choose(&game.position, limits);
        let side = &mut game.sides[to_move];
        side.worst = side.worst.max(begun.elapsed());
        side.moves += 1;
        let ChosenMove { column, is_guess } = match chosen {
            Ok(choice) => choice,
            Err(Refusal::Interrupted) => return Err(Stopped::Interrupted(0)),
            Err(Refusal::Late) => {
                let time = limits.time.map_or_else(String::new, |time| format!(" within {time:?}"));
                return Ok(game.forfeit("late", format!("no move{time}")));
            }
            Err(Refusal::Failed(kind, reason)) => return Ok(game.forfeit(kind, reason)),
        };
        side.guesses += u32::from(is_guess);
        if let Err(reason) = game.position.play(column) {
            return Ok(game.forfeit("illegal", reason.to_string()));
        }
        if let (Some(before), Some(referee)) = (value, referee.as_deref_mut()) {
            let now = self::value(referee, &game.position, limits)?;
            game.sides[to_move].slips += u32::from(-now < before);
            value = Some(now);
        }
        if game.position.is_over() {
            game.end = if game.position.is_won() { "four" } else { FULL };
            return Ok(game);
        }
    }
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

const FILE: &str = "games.csv";

const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    schema_version: u32,
    game: usize,
    opening: String,
    first: String,
    second: String,
    goal: Goal,
    moves: String,
    result: String,
    end: String,
    reason: Option<String>,
    guesses_first: u32,
    guesses_second: u32,
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

impl rows::Row for Row {
    const FILE: &'static str = FILE;
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
}

pub static ROWS: RowKind = RowKind {
    name: "games",
    file: FILE,
    tables: |folder| {
        let rows: Vec<Row> = rows::read(folder)?;
        Ok(names(&rows).iter().map(|names| sheet(names, &rows)).collect())
    },
};

const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2"];

struct Terms<'a> {
    board: BoardSize,
    names: [String; 2],
    goal: Goal,
    games: usize,
    opening_plies: u32,
    seed: u64,
    limits: Limits<'a>,
}

impl Terms<'_> {
    /// Different openings up to mirror, each for two games. There may be fewer than the games need.
    fn openings(&self) -> Vec<Position> {
        by_ply::draw(self.board, self.seed, self.opening_plies, self.games.div_ceil(2))
    }

    fn planned(&self, game: usize, opening: &Position) -> Row {
        let [one, other] = &self.names;
        let (first, second) = if game.is_multiple_of(2) { (one, other) } else { (other, one) };
        Row {
            schema_version: SCHEMA_VERSION,
            game,
            opening: print_moves(opening),
            first: first.clone(),
            second: second.clone(),
            goal: self.goal,
            moves: String::new(),
            result: String::new(),
            end: String::new(),
            reason: None,
            guesses_first: 0,
            guesses_second: 0,
            slips_first: None,
            slips_second: None,
            worst_ns_first: 0,
            worst_ns_second: 0,
            seed: self.seed,
            limit_ns: self.limits.time.map(|time| time.as_nanos() as u64),
            limit_nodes: self.limits.nodes,
            git_rev: git_rev(),
            ended_at: String::new(),
        }
    }
}

/// True if `row` is of the same match and opening as `planned`.
fn is_same(row: &Row, planned: &Row) -> bool {
    let key = |row: &Row| {
        let names = (row.first.clone(), row.second.clone());
        (row.opening.clone(), names, row.goal, row.seed, row.limit_ns, row.limit_nodes)
    };
    key(row) == key(planned)
}

/// Plays the games that `folder` lacks. Returns all rows in the order of games, and true if none is missing. Calls
/// `each` with the number of rows before each game and at the end.
fn play_missing(
    terms: &Terms<'_>,
    folder: &Path,
    players: &mut [Box<dyn Player>; 2],
    mut referee: Option<Box<dyn Solve>>,
    mut each: impl FnMut(usize),
) -> Result<(Vec<Row>, bool)> {
    let openings = terms.openings();
    if openings.is_empty() {
        bail!("no game of {} goes on after {} random moves", terms.board, terms.opening_plies);
    }
    let (mut file, mut rows) = RowWriter::<Row>::open(folder)?;
    let has_referee = referee.is_some();
    let planned = |game: usize| terms.planned(game, &openings[game / 2 % openings.len()]);
    for (index, row) in rows.iter().enumerate() {
        let at = format!("{}, line {}", folder.join(FILE).display(), index + 2);
        if !is_same(row, &planned(row.game)) {
            bail!("{at}: a game of another match; choose another --out");
        }
        if row.slips_first.is_some() != has_referee {
            let what = if has_referee { "without" } else { "with" };
            bail!("{at}: a game {what} a referee; choose another --out");
        }
    }
    for game in 0..terms.games {
        if rows.iter().any(|row| row.game == game) {
            continue;
        }
        each(rows.len());
        let opening = &openings[game / 2 % openings.len()];
        let [one, other] = &mut *players;
        one.begin(terms.seed, 2 * game);
        other.begin(terms.seed, 2 * game + 1);
        let sides: [&mut dyn Player; 2] =
            if game.is_multiple_of(2) { [one.as_mut(), other.as_mut()] } else { [other.as_mut(), one.as_mut()] };
        let referee = referee.as_mut().map(|referee| {
            referee.reset();
            &mut **referee as &mut dyn Solve
        });
        let Ok(played) = play(opening, sides, &terms.limits, referee) else { return Ok((rows, false)) };
        let row = row(planned(game), played, has_referee);
        file.add(&row).context("a game")?;
        rows.push(row);
    }
    each(rows.len());
    rows.sort_by_key(|row| row.game);
    rows.truncate(terms.games);
    Ok((rows, true))
}

fn row(planned: Row, game: Game, has_referee: bool) -> Row {
    let [first, second] = game.sides;
    let slips = |slips| has_referee.then_some(slips);
    Row {
        moves: print_moves(&game.position),
        result: RESULTS[game.winner().unwrap_or(2)].to_string(),
        end: game.end.to_string(),
        reason: game.reason,
        guesses_first: first.guesses,
        guesses_second: second.guesses,
        slips_first: slips(first.slips),
        slips_second: slips(second.slips),
        worst_ns_first: first.worst.as_nanos() as u64,
        worst_ns_second: second.worst.as_nanos() as u64,
        ended_at: now(),
        ..planned
    }
}

#[derive(Default)]
struct Tally {
    won: usize,
    drawn: usize,
    lost: usize,
    /// Lost games without a four, because there was no move, or none that can be played.
    forfeited: usize,
    guesses: u32,
    slips: Option<u32>,
    worst_ns: u64,
}

impl Tally {
    /// The tally of the player who begins the games with even numbers if `is_one`, else of the other player. `began`
    /// selects the games that the player began (`Some(true)`) or did not begin (`Some(false)`).
    fn of(rows: &[Row], is_one: bool, began: Option<bool>) -> Self {
        let mut score = Tally::default();
        for row in rows {
            let is_first = row.game.is_multiple_of(2) == is_one;
            if began.is_some_and(|began| began != is_first) {
                continue;
            }
            let own = usize::from(!is_first);
            let is_won = row.result == RESULTS[own];
            let is_lost = row.result == RESULTS[1 - own];
            score.won += usize::from(is_won);
            score.lost += usize::from(is_lost);
            score.drawn += usize::from(!is_won && !is_lost);
            score.forfeited += usize::from(is_lost && row.reason.is_some());
            let (guesses, slips, worst) = match is_first {
                true => (row.guesses_first, row.slips_first, row.worst_ns_first),
                false => (row.guesses_second, row.slips_second, row.worst_ns_second),
            };
            score.guesses += guesses;
            score.slips = slips.map(|slips| score.slips.unwrap_or(0) + slips).or(score.slips);
            score.worst_ns = score.worst_ns.max(worst);
        }
        score
    }
}

/// The points of one player in each pair of games with the same opening, from 0 (both lost) to 1 (both won). `is_one`
/// as in [`Tally::of`].
fn points_of_pairs(rows: &[Row], is_one: bool) -> Vec<f64> {
    let mut pairs: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for row in rows {
        let own = usize::from(row.game.is_multiple_of(2) != is_one);
        let points = match () {
            () if row.result == RESULTS[own] => 1.0,
            () if row.result == RESULTS[1 - own] => 0.0,
            () => 0.5,
        };
        pairs.entry(row.game / 2).or_default().push(points);
    }
    pairs.into_values().filter(|points| points.len() == 2).map(|points| (points[0] + points[1]) / 2.0).collect()
}

fn percent(share: f64, (low, high): (f64, f64)) -> String {
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
    let mut lines = Vec::new();
    for (name, is_one) in names.iter().zip([true, false]) {
        for (games, began) in [("all", None), ("begins", Some(true)), ("second", Some(false))] {
            let score = Tally::of(rows, is_one, began);
            let of = score.won + score.drawn + score.lost;
            let share = |count: usize| {
                let (low, high) = wilson(count, of);
                Cell::text(format!("{count} ({:.0} to {:.0} %)", 100.0 * low, 100.0 * high))
            };
            let slips = score.slips.map_or(Cell::Empty, |slips| Cell::count(slips as usize));
            let points = if began.is_none() { Cell::text(points(rows, is_one)) } else { Cell::Empty };
            lines.push(vec![
                Cell::text(name),
                Cell::text(games),
                share(score.won),
                share(score.drawn),
                share(score.lost),
                points,
                Cell::count(score.forfeited),
                Cell::count(score.guesses as usize),
                slips,
                Cell::number(Some(score.worst_ns as f64), time),
            ]);
        }
    }
    let mut columns = vec![Column::text("player", "player"), Column::text("games", "games")];
    columns.extend(["won", "drawn", "lost", "points", "forfeits", "guesses", "slips"].map(|it| Column::number(it, it)));
    columns.push(Column::number("longest move", "worst_ns"));
    Table {
        name: "games",
        subject: Subject::default(),
        title: format!("{} against {}, {} games", names[0], names[1], rows.len()),
        note: "Intervals of 95 %: of counts by Wilson, of points over pairs of games with one opening. A draw is half a point."
            .to_string(),
        conclusion: String::new(),
        columns,
        rows: lines,
    }
}

/// The names of both players of a match. The first of them begins the first game.
fn names(rows: &[Row]) -> Option<[String; 2]> {
    let row = rows.first()?;
    Some(if row.game.is_multiple_of(2) {
        [row.first.clone(), row.second.clone()]
    } else {
        [row.second.clone(), row.first.clone()]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::SolverPlayer;
    use c4lab_measure::sets::test_set::TestSet;
    use c4lab_solver::search::{Options, registry};

    /// Plays the given columns, from 1, and then gives the refusal.
    struct Told(Vec<u32>, Refusal);

    impl Player for Told {
        fn begin(&mut self, _: u64, _: usize) {}

        fn choose(&mut self, _: &Position, _: &Limits<'_>) -> Result<ChosenMove, Refusal> {
            if self.0.is_empty() {
                return Err(self.1.clone());
            }
            Ok(ChosenMove { column: self.0.remove(0) - 1, is_guess: false })
        }
    }

    fn told(columns: &[u32]) -> Told {
        Told(columns.to_vec(), Refusal::Late)
    }

    fn played(opening: &str, first: &mut Told, second: &mut Told) -> Result<Game, Stopped> {
        let mut referee = registry::find("champion").unwrap().build(&Options::default()).unwrap();
        play(&Position::parse(opening).unwrap(), [first, second], &Limits::default(), Some(&mut *referee))
    }

    #[test]
    fn four_in_a_row_ends_it_and_gifts_are_counted() {
        let game = played("121212", &mut told(&[1]), &mut told(&[])).unwrap();
        assert_eq!((game.winner(), game.end, game.position.to_string()), (Some(0), "four", "1212121".to_string()));
        assert_eq!((game.sides[0].slips, game.sides[1].moves), (0, 0));
        // A win that is not taken, and a win that is taken.
        let game = played("121212", &mut told(&[7]), &mut told(&[2])).unwrap();
        assert_eq!((game.winner(), game.sides[0].slips, game.sides[1].slips), (Some(1), 1, 0));
    }

    #[test]
    fn whoever_plays_no_move_loses() {
        let crash = Refusal::Failed("crashed", "ended by signal 9".to_string());
        for (mut first, winner, end, reason) in [
            (told(&[4]), 1, "illegal", "column 4 is full"),
            (told(&[1]), 0, "late", "no move"),
            (Told(Vec::new(), crash), 1, "crashed", "ended by signal 9"),
        ] {
            let game = played("444444", &mut first, &mut told(&[])).unwrap();
            assert_eq!((game.winner(), game.end, game.reason.as_deref()), (Some(winner), end, Some(reason)));
        }
        let mut stopped = Told(Vec::new(), Refusal::Interrupted);
        assert!(matches!(played("444444", &mut stopped, &mut told(&[])), Err(Stopped::Interrupted(_))));
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let set = TestSet::open("by-ply/40").unwrap();
        let item = set.items.iter().find(|item| item.score == 0).expect("a drawn position");
        let solver = || registry::find("champion").unwrap().build(&Options::default()).unwrap();
        let [mut one, mut other] = [(); 2].map(|()| SolverPlayer { solver: solver(), goal: Goal::Strong });
        let game = play(&item.position, [&mut one, &mut other], &Limits::default(), Some(&mut *solver())).unwrap();
        assert_eq!((game.winner(), game.end, game.position.ply()), (None, FULL, 42));
        assert!(game.sides.iter().all(|side| (side.moves, side.guesses, side.slips) == (1, 0, 0)));
    }

    #[test]
    fn points_are_of_pairs_of_games() {
        let terms = Terms {
            board: BoardSize::STANDARD,
            names: ["a", "b"].map(str::to_string),
            goal: Goal::Weak,
            games: 6,
            opening_plies: 0,
            seed: 1,
            limits: Limits::default(),
        };
        let row = |(game, result): (usize, &str)| Row {
            result: result.to_string(),
            slips_first: Some(0),
            slips_second: Some(1),
            ..terms.planned(game, &Position::start())
        };
        // a: two wins; a win and a draw; a loss and a win.
        let results = ["1-0", "0-1", "1-0", "1/2", "0-1", "0-1"];
        let rows: Vec<Row> = results.into_iter().enumerate().map(row).collect();
        assert_eq!(points_of_pairs(&rows, true), [1.0, 0.75, 0.5]);
        assert_eq!(points_of_pairs(&rows[1..], false), [0.25, 0.5], "a game without its pair is none");
        let names = names(&rows[1..]).unwrap();
        assert_eq!(names, ["a".to_string(), "b".to_string()]);
        let text = sheet(&names, &rows).markdown();
        assert!(text.contains("a against b, 6 games") && text.contains("| 75 % (13 to 100) |"), "{text}");
        let alike = sheet(&names, &rows[..2]).markdown();
        assert!(alike.contains(" 100 % |") && alike.contains(" 0 % |"), "{alike}");
    }
}
