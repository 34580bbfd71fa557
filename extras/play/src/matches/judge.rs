//! Judge: a player's moves in positions whose scores are known. It says which moves keep the value of the game, which are the
//! fastest, and where the first mistakes are.

use crate::matches::game::{Unfinished, value};
use crate::matches::player::{Player, Refusal};
use anyhow::{Result, bail};

use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{Appended, Row};
use c4lab_measure::sets::test_set::{Item, TestSet, print_moves};
use c4lab_solver::game::Position;
use c4lab_solver::game::score::Score;
use c4lab_solver::search::{Goal, Limits, Solve};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Instant;

/// The name of the file.
pub const FILE: &str = "judged.csv";

/// The version of its columns.
pub const SCHEMA_VERSION: u32 = 1;

/// A move that was judged, one line of `judged.csv`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "docs/FORMAT.md describes the columns")]
pub struct JudgedRow {
    pub schema_version: u32,
    pub player: String,
    pub set: String,
    pub set_sha256: String,
    pub position_id: usize,
    pub moves: String,
    pub ply: u32,
    pub score: i32,
    pub column: Option<u32>,
    pub status: String,
    pub reason: Option<String>,
    pub matters: bool,
    pub keeps: bool,
    pub fastest: bool,
    pub ns: u64,
    pub limit_ns: Option<u64>,
    pub limit_nodes: Option<u64>,
    pub goal: Goal,
    pub seed: u64,
    pub git_rev: Option<String>,
}

impl Row for JudgedRow {
    const FILE: &'static str = FILE;
    const WHAT: &'static str = "judged moves";
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
    const DOING: &'static str = "judging";
}

/// What a move is worth beside the best one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MoveVerdict {
    /// It keeps the win or the draw; where the game is lost, every move does.
    keeps: bool,
    /// It has the score of the best move: no win is sooner, no loss later.
    fastest: bool,
}

/// What is judged, and by whom.
pub struct Trial<'a> {
    /// The player's name.
    pub name: &'a str,
    /// The positions.
    pub set: &'a TestSet,
    /// The most positions with as many stones.
    pub per_ply: usize,
    /// What the player is asked for.
    pub goal: Goal,
    /// The seed of players that draw lots.
    pub seed: u64,
    /// The limits of a move.
    pub limits: Limits<'a>,
}

/// Asks for the moves that a folder lacks, and gives back all rows in the order of the set, and whether none is missing. `each` is
/// told how many are done, of how many.
///
/// # Errors
/// The folder holds something else, or cannot be written.
pub fn judge(
    trial: &Trial<'_>,
    folder: &Path,
    player: &mut dyn Player,
    referee: &mut dyn Solve,
    mut each: impl FnMut(usize, usize),
) -> Result<(Vec<JudgedRow>, bool)> {
    let items = chosen(trial);
    let (mut file, mut rows) = Appended::<JudgedRow>::open(folder)?;
    for (index, row) in rows.iter().enumerate() {
        let own = (trial.name, trial.set.sha256.as_str(), time(trial), trial.limits.nodes);
        let is_own = (row.player.as_str(), row.set_sha256.as_str(), row.limit_ns, row.limit_nodes) == own;
        if !is_own || (row.goal, row.seed) != (trial.goal, trial.seed) {
            let place = folder.join(FILE);
            bail!(
                "{}, line {}: another player, set, goal, seed or limit; choose another --out",
                place.display(),
                index + 2
            );
        }
    }
    for (done, item) in items.iter().enumerate() {
        each(done, items.len());
        if rows.iter().any(|row| row.position_id == item.line) {
            continue;
        }
        let Ok(row) = judge_one(trial, item, player, referee) else { return Ok((rows, false)) };
        file.add(&row)?;
        rows.push(row);
    }
    rows.retain(|row| items.iter().any(|item| item.line == row.position_id));
    rows.sort_by_key(|row| row.position_id);
    Ok((rows, true))
}

fn time(trial: &Trial<'_>) -> Option<u64> {
    trial.limits.time.map(|time| time.as_nanos() as u64)
}

/// The first positions of every number of stones.
fn chosen<'a>(trial: &Trial<'a>) -> Vec<&'a Item> {
    let mut counts = std::collections::HashMap::new();
    let is_chosen = |item: &&Item| {
        let count: &mut usize = counts.entry(item.position.ply()).or_default();
        *count += 1;
        *count <= trial.per_ply
    };
    trial.set.items.iter().filter(is_chosen).collect()
}

fn judge_one(
    trial: &Trial<'_>,
    item: &Item,
    player: &mut dyn Player,
    referee: &mut dyn Solve,
) -> Result<JudgedRow, Unfinished> {
    let position = &item.position;
    player.begin(trial.seed, item.line);
    let begun = Instant::now();
    let choice = player.choose(position, &trial.limits);
    let ns = begun.elapsed().as_nanos() as u64;
    let (column, mut status, mut reason) = match choice {
        Ok(choice) => (Some(choice.column), if choice.is_guess { "guess" } else { "ok" }, None),
        Err(Refusal::Interrupted) => return Err(Unfinished),
        Err(Refusal::Late) => (None, "late", None),
        Err(Refusal::Failed(kind, reason)) => (None, kind, Some(reason.replace(['\n', '\r'], " "))),
    };
    let mut child = position.clone();
    let mut verdict = MoveVerdict { keeps: false, fastest: false };
    if let Some(column) = column {
        match child.play(column) {
            Ok(()) => verdict = verdict_of(item.score, &child, referee, &trial.limits)?,
            Err(why) => (status, reason) = ("illegal", Some(why.to_string())),
        }
    }
    Ok(JudgedRow {
        schema_version: SCHEMA_VERSION,
        player: trial.name.to_string(),
        set: trial.set.name.clone(),
        set_sha256: trial.set.sha256.clone(),
        position_id: item.line,
        moves: print_moves(position),
        ply: position.ply(),
        score: item.score,
        column: column.map(|column| column + 1),
        status: status.to_string(),
        reason,
        matters: matters(position, item.score.signum(), referee, &trial.limits)?,
        keeps: verdict.keeps,
        fastest: verdict.fastest,
        ns,
        limit_ns: time(trial),
        limit_nodes: trial.limits.nodes,
        goal: trial.goal,
        seed: trial.seed,
        git_rev: git_rev(),
    })
}

/// What a move is worth, given the score before it and the position after it.
fn verdict_of(
    best: Score,
    child: &Position,
    referee: &mut dyn Solve,
    limits: &Limits<'_>,
) -> Result<MoveVerdict, Unfinished> {
    referee.reset();
    let score = if child.is_over() {
        if child.is_won() { child.size().win_at(child.ply() - 1) } else { 0 }
    } else {
        let limits = Limits { interrupt: limits.interrupt, ..Limits::default() };
        -referee.solve(child, Goal::Strong, &limits).map_err(|_| Unfinished)?.score
    };
    Ok(MoveVerdict { keeps: score.signum() >= best.signum(), fastest: score == best })
}

/// Whether some move gives the value away: only there a move can be a mistake.
fn matters(position: &Position, best: Score, referee: &mut dyn Solve, limits: &Limits<'_>) -> Result<bool, Unfinished> {
    for column in 0..position.size().width() {
        let mut child = position.clone();
        if child.play(column).is_ok() && -value(referee, &child, limits)? < best {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::search::{Options, registry};

    #[test]
    fn moves_are_kept_fast_or_mistakes() {
        let mut champion = registry::find("champion").unwrap().build(&Options::default()).unwrap();
        let mut of = |moves: &str| {
            let (before, _) = moves.split_at(moves.len() - 1);
            let position = |moves: &str| Position::parse(moves).unwrap();
            let best = champion.solve(&position(before), Goal::Strong, &Limits::default()).unwrap().score;
            let verdict = verdict_of(best, &position(moves), &mut *champion, &Limits::default()).unwrap();
            let matters = matters(&position(before), best.signum(), &mut *champion, &Limits::default()).unwrap();
            (verdict.keeps, verdict.fastest, matters)
        };
        // X wins with column 1; with 3 it wins later, if at all; with 7 it lets O win with column 2.
        assert_eq!(of("1212121"), (true, true, true));
        assert_eq!(of("1212127"), (false, false, true));
        // X has three in a row, open at both ends: whatever it plays wins, and only two moves at once.
        assert_eq!([of("4455336"), of("4455337")], [(true, true, false), (true, false, false)]);
        // Now O has lost.
        assert_eq!(of("44553371"), (true, true, false));
    }
}
