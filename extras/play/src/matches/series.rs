//! Series: the games of a match. Each opening is played twice, with sides changed. Rows are added game by game, and a match
//! that was stopped goes on where it was.

use crate::matches::game::{Game, GameEnd, play};
use crate::matches::player::Player;
use anyhow::{Context, Result, bail};

use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{Appended, Row};
use c4lab_measure::moment::now;
use c4lab_measure::sets::by_ply;
use c4lab_measure::sets::test_set::print_moves;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Solve};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "games.csv";

/// The version of its columns.
pub const SCHEMA_VERSION: u32 = 1;

/// A game, one line of `games.csv`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/FORMAT.md describes the columns")]
pub struct GameRow {
    pub schema_version: u32,
    pub game: usize,
    pub opening: String,
    pub first: String,
    pub second: String,
    pub goal: Goal,
    pub moves: String,
    pub result: String,
    pub end: String,
    pub reason: Option<String>,
    pub guesses_first: u32,
    pub guesses_second: u32,
    pub slips_first: Option<u32>,
    pub slips_second: Option<u32>,
    pub worst_ns_first: u64,
    pub worst_ns_second: u64,
    pub seed: u64,
    pub limit_ns: Option<u64>,
    pub limit_nodes: Option<u64>,
    pub git_rev: Option<String>,
    pub ended_at: String,
}

impl Row for GameRow {
    const FILE: &'static str = FILE;
    const WHAT: &'static str = "games";
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
    const DOING: &'static str = "playing";
}

/// How a game came out for the first player.
pub const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2"];

/// What a match is made of.
#[derive(Clone, Debug)]
pub struct MatchTerms<'a> {
    /// The board.
    pub board: BoardSize,
    /// The names of both.
    pub names: [String; 2],
    /// What they are asked for.
    pub goal: Goal,
    /// Number of games.
    pub games: usize,
    /// Stones of an opening, which random play puts there.
    pub opening_plies: u32,
    /// The seed of openings and of players that draw lots.
    pub seed: u64,
    /// The limits of a move.
    pub limits: Limits<'a>,
}

impl MatchTerms<'_> {
    /// The openings, each for two games, up to mirror. Where there are fewer, they come again.
    pub fn openings(&self) -> Vec<Position> {
        by_ply::draw(self.board, self.seed, self.opening_plies, self.games.div_ceil(2))
    }

    /// The row of a game, without what came of it.
    fn planned(&self, game: usize, opening: &Position) -> GameRow {
        let [one, other] = &self.names;
        let (first, second) = if game.is_multiple_of(2) { (one, other) } else { (other, one) };
        GameRow {
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

/// Whether two rows are of the same game of the same match.
fn is_same(row: &GameRow, planned: &GameRow) -> bool {
    let key = |row: &GameRow| {
        let names = (row.first.clone(), row.second.clone());
        (row.opening.clone(), names, row.goal, row.seed, row.limit_ns, row.limit_nodes)
    };
    key(row) == key(planned)
}

/// Plays the games that a folder lacks, and gives back all rows in their order, and whether none is missing. `each` is told of
/// every game: how many rows there are.
///
/// # Errors
/// The folder holds another match, or cannot be written.
pub fn play_missing(
    terms: &MatchTerms<'_>,
    folder: &Path,
    players: &mut [Box<dyn Player>; 2],
    mut referee: Option<Box<dyn Solve>>,
    mut each: impl FnMut(usize),
) -> Result<(Vec<GameRow>, bool)> {
    let openings = terms.openings();
    if openings.is_empty() {
        bail!("no game of {} goes on after {} random moves", terms.board, terms.opening_plies);
    }
    let (mut file, mut rows) = Appended::<GameRow>::open(folder)?;
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
        let row = row(planned(game), &played, has_referee);
        file.add(&row).context("a game")?;
        rows.push(row);
    }
    each(rows.len());
    rows.sort_by_key(|row| row.game);
    rows.truncate(terms.games);
    Ok((rows, true))
}

/// The row of a game that was played.
fn row(planned: GameRow, game: &Game, has_referee: bool) -> GameRow {
    let [first, second] = game.sides;
    let (end, reason) = match &game.end {
        GameEnd::Four => ("four", None),
        GameEnd::Full => ("full", None),
        GameEnd::Forfeit(kind, reason) => (*kind, Some(reason.replace(['\n', '\r'], " "))),
    };
    let slips = |slips| has_referee.then_some(slips);
    GameRow {
        moves: print_moves(&game.position),
        result: RESULTS[game.winner().unwrap_or(2)].to_string(),
        end: end.to_string(),
        reason,
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
