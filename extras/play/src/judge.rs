//! `c4lab judge`: a player's moves in positions with known scores. It counts the moves that keep the value of the game
//! and the fastest moves, by number of stones, and shows the first mistake.

use crate::matches::{percent, value};
use crate::players::{Player, PlayerArgs, Refusal, TrialArgs, children, limit_ns};
use anyhow::{Result, bail};
use c4lab_cli::output;
use c4lab_cli::values::set;
use c4lab_cli::{Exit, Interrupt, Usage};
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{self, Row as _, RowWriter};
use c4lab_measure::sets::by_ply;
use c4lab_measure::sets::test_set::{Item, TestSet, print_moves};
use c4lab_measure::text::pluralize;
use c4lab_report::extras::RowKind;
use c4lab_report::stats::wilson;
use c4lab_report::table::units::time;
use c4lab_report::table::{Cell, Column, Subject, Table};
use c4lab_solver::game::Position;
use c4lab_solver::game::score::Score;
use c4lab_solver::search::{Goal, Limits, Solve, Stopped};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::Instant;

const EXAMPLES: &str = "\
The player moves in positions of random play with every number of stones, whose scores are known. A move keeps the value \
if a win stays a win and a draw a draw; it is fastest if no win is sooner and no loss later. Positions where every move keeps the value \
are left out of the share of moves that keep it. Shares have Wilson's 95 % interval.

Examples:
  c4lab judge random
  c4lab judge bot-final --node-limit 182000
  c4lab judge mine --engine mine='./player' --move-time 1s --per-ply 100

Moves go to DIR/judged.csv one by one; the same command resumes a stopped trial.
Exit status: 0 all judged, 1 failure, 2 usage, 4 the player never played a move, 5 interrupted.";

/// Let a player move in positions with every number of stones, and count its right moves
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The player: a variant, an engine of --engine, `random`, or `random-best`
    #[arg(value_name = "PLAYER")]
    player: String,
    /// The positions: a test set, or a file with one
    #[arg(long, value_name = "SET", default_value = by_ply::NAME, value_parser = set())]
    set: String,
    /// The most positions for each number of stones
    #[arg(long, value_name = "N", default_value_t = 20)]
    per_ply: usize,
    /// Numbers of stones in a row of the table
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=64))]
    band: u32,
    #[command(flatten)]
    trial: TrialArgs,
}

pub fn run(args: &Args) -> Result<Exit> {
    if args.per_ply == 0 {
        return Err(Usage("--per-ply 0: at least one".to_string()).into());
    }
    let (trial, interrupt) = (&args.trial, Interrupt::listen()?);
    let folder = trial.run.folder("judge")?;
    let set = TestSet::open_on(trial.players.board, &args.set)?;
    let (name, mut player) = trial.players.player(&args.player, &folder)?;
    let mut referee = trial.players.referee()?;
    let limits = trial.players.limits(interrupt.flag());
    let items = chosen(&set, args.per_ply);
    let bar = trial.run.bar(items.len() as u64, "moves");
    let plan = Plan { name: &name, set: &set, items, goal: trial.players.goal, seed: trial.seed, limits };
    let moves = plan.judge(&folder, &mut *player, &mut *referee, &bar);
    bar.finish_and_clear();
    let (rows, is_whole) = moves?;
    output::show(&trial.format.of(&[sheet(&rows, args.band)])?)?;
    let without = rows
        .iter()
        .filter_map(|row| Some(format!("without a move of {name}: {}: {}", row.status, row.reason.as_ref()?)));
    PlayerArgs::print_reasons("position", without, &folder);
    let exit = trial.run.end(&pluralize(rows.len(), "move"), &folder.join(Row::FILE), is_whole);
    let never_moved = !rows.is_empty() && rows.iter().all(|row| row.column.is_none());
    Ok(if never_moved { Exit::Wrong } else { exit })
}

const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Row {
    schema_version: u32,
    player: String,
    set: String,
    set_sha256: String,
    position_id: usize,
    moves: String,
    ply: u32,
    score: i32,
    column: Option<u32>,
    status: String,
    reason: Option<String>,
    matters: bool,
    keeps: bool,
    fastest: bool,
    ns: u64,
    limit_ns: Option<u64>,
    limit_nodes: Option<u64>,
    goal: Goal,
    seed: u64,
    git_rev: Option<String>,
}

c4lab_measure::row!(Row, "judged.csv", SCHEMA_VERSION);

pub static ROWS: RowKind =
    RowKind { name: "judged", file: Row::FILE, tables: |folder| Ok(vec![sheet(&rows::read::<Row>(folder)?, 4)]) };

struct Plan<'a> {
    name: &'a str,
    set: &'a TestSet,
    items: Vec<&'a Item>,
    goal: Goal,
    seed: u64,
    limits: Limits<'a>,
}

/// The items of the set with at most `per_ply` positions for each number of stones.
fn chosen(set: &TestSet, per_ply: usize) -> Vec<&Item> {
    let mut counts = HashMap::new();
    let is_chosen = |item: &&Item| {
        let count: &mut usize = counts.entry(item.position.ply()).or_default();
        *count += 1;
        *count <= per_ply
    };
    set.items.iter().filter(is_chosen).collect()
}

impl Plan<'_> {
    /// Judges the moves that `folder` lacks. Returns all rows in the order of the set, and true if none is missing.
    fn judge(
        &self,
        folder: &Path,
        player: &mut dyn Player,
        referee: &mut dyn Solve,
        bar: &ProgressBar,
    ) -> Result<(Vec<Row>, bool)> {
        let (mut file, mut rows) = RowWriter::<Row>::open(folder)?;
        let own =
            (self.name, self.set.sha256.as_str(), limit_ns(&self.limits), self.limits.nodes, self.goal, self.seed);
        for (index, row) in rows.iter().enumerate() {
            let key = (&*row.player, &*row.set_sha256, row.limit_ns, row.limit_nodes, row.goal, row.seed);
            if key != own {
                let at = Row::place(folder, index);
                bail!("{at}: another player, set, goal, seed or limit; choose another --out");
            }
        }
        for (done, item) in self.items.iter().enumerate() {
            bar.set_position(done as u64);
            if rows.iter().any(|row| row.position_id == item.line) {
                continue;
            }
            let Ok(row) = self.judge_one(item, player, referee) else { return Ok((rows, false)) };
            file.add(&row)?;
            rows.push(row);
        }
        rows.retain(|row| self.items.iter().any(|item| item.line == row.position_id));
        rows.sort_by_key(|row| row.position_id);
        Ok((rows, true))
    }

    fn judge_one(&self, item: &Item, player: &mut dyn Player, referee: &mut dyn Solve) -> Result<Row, Stopped> {
        let position = &item.position;
        player.begin(self.seed, item.line);
        let begun = Instant::now();
        let choice = player.choose(position, &self.limits);
        let ns = begun.elapsed().as_nanos() as u64;
        let (column, mut status, mut reason) = match choice {
            Ok(choice) => (Some(choice.column), if choice.is_guess { "guess" } else { "ok" }, None),
            Err(Refusal::Interrupted) => return Err(Stopped::Interrupted(0)),
            Err(Refusal::Late) => (None, "late", None),
            Err(Refusal::Failed(kind, reason)) => (None, kind, Some(reason.replace(['\n', '\r'], " "))),
        };
        let mut child = position.clone();
        let mut score = None;
        if let Some(column) = column {
            match child.play(column) {
                Ok(()) => score = Some(score_after(&child, referee, &self.limits)?),
                Err(why) => (status, reason) = ("illegal", Some(why.to_string())),
            }
        }
        Ok(Row {
            schema_version: SCHEMA_VERSION,
            player: self.name.to_string(),
            set: self.set.name.clone(),
            set_sha256: self.set.sha256.clone(),
            position_id: item.line,
            moves: print_moves(position),
            ply: position.ply(),
            score: item.score,
            column: column.map(|column| column + 1),
            status: status.to_string(),
            reason,
            matters: matters(position, item.score.signum(), referee, &self.limits)?,
            // In a lost position every move keeps the value.
            keeps: score.is_some_and(|score| score.signum() >= item.score.signum()),
            fastest: score == Some(item.score),
            ns,
            limit_ns: limit_ns(&self.limits),
            limit_nodes: self.limits.nodes,
            goal: self.goal,
            seed: self.seed,
            git_rev: git_rev(),
        })
    }
}

/// The score of the move that led to `child`, from the side of the player of that move.
fn score_after(child: &Position, referee: &mut dyn Solve, limits: &Limits<'_>) -> Result<Score, Stopped> {
    if child.is_over() {
        return Ok(if child.is_won() { child.size().win_at(child.ply() - 1) } else { 0 });
    }
    referee.reset();
    let limits = Limits { interrupt: limits.interrupt, ..Limits::default() };
    Ok(-referee.solve(child, Goal::Strong, &limits)?.score)
}

/// True if some move gives the value away, so that a mistake is possible.
fn matters(position: &Position, best: Score, referee: &mut dyn Solve, limits: &Limits<'_>) -> Result<bool, Stopped> {
    for child in children(position) {
        if -value(referee, &child, limits)? < best {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The rows of each band of `band` numbers of stones in rising order, and all rows.
fn bands(rows: &[Row], band: u32) -> Vec<(String, Vec<&Row>)> {
    let mut bands: BTreeMap<u32, Vec<&Row>> = BTreeMap::new();
    rows.iter().for_each(|row| bands.entry(row.ply / band).or_default().push(row));
    let named =
        bands.into_iter().map(|(index, rows)| (format!("{} to {}", index * band, (index + 1) * band - 1), rows));
    named.chain([("all".to_string(), rows.iter().collect())]).collect()
}

fn share<'a>(rows: impl Iterator<Item = &'a Row> + Clone, right: impl Fn(&Row) -> bool) -> Cell {
    let (count, of) = (rows.clone().filter(|row| right(row)).count(), rows.count());
    if of == 0 {
        return Cell::Empty;
    }
    Cell::text(format!("{count} of {of}: {}", percent(count as f64 / of as f64, wilson(count, of))))
}

fn sheet(rows: &[Row], band: u32) -> Table {
    let title = format!("Moves of {}", rows.first().map_or("no player", |row| &row.player));
    let note =
        "The share that keeps the value leaves out positions in which every move does. Intervals of 95 %, by Wilson.";
    let count = |rows: &[&Row], has: fn(&str) -> bool| rows.iter().filter(|row| has(&row.status)).count();
    Table::new("judged", Subject::default(), title, note)
        .concluding(conclusion(rows))
        .over(&bands(rows, band))
        .text("stones", "stones", |(stones, _)| stones)
        .column(Column::number("keeps the value", "keeps"), |(_, rows)| {
            share(rows.iter().copied().filter(|row| row.matters), |row| row.keeps)
        })
        .column(Column::number("fastest", "fastest"), |(_, rows)| share(rows.iter().copied(), |row| row.fastest))
        .count("guesses", "guesses", |(_, rows)| count(rows, |status| status == "guess"))
        .count("no move", "failed", |(_, rows)| count(rows, |status| !["ok", "guess"].contains(&status)))
        .number("longest move", "worst_ns", time, |(_, rows)| {
            Some(rows.iter().map(|row| row.ns).max().unwrap_or_default() as f64)
        })
        .table
}

fn conclusion(rows: &[Row]) -> String {
    let mistakes = rows.iter().filter(|row| row.matters && !row.keeps);
    match mistakes.clone().min_by_key(|row| row.ply) {
        None => "No move gave the value away.".to_string(),
        Some(first) => {
            let last = mistakes.map(|row| row.ply).max().unwrap_or_default();
            let stones = pluralize(first.ply as usize, "stone");
            format!("First mistake with {stones} ({}), none with more than {last}.", first.moves)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::search::{Options, registry};

    #[test]
    fn moves_are_kept_fast_or_mistakes() {
        let mut champion = registry::find("champion").unwrap().build(&Options::default()).unwrap();
        // The score of the last move, the score of the best move, and `true` if a mistake is possible.
        let mut of = |moves: &str| {
            let [before, after] = [&moves[..moves.len() - 1], moves].map(|moves| Position::parse(moves).unwrap());
            let (champion, limits) = (&mut *champion, Limits::default());
            let best = champion.solve(&before, Goal::Strong, &limits).unwrap().score;
            let matters = matters(&before, best.signum(), champion, &limits).unwrap();
            (score_after(&after, champion, &limits).unwrap(), best, matters)
        };
        // X wins with column 1; with 3 it wins later, if at all; with 7 it lets O win with column 2.
        assert_eq!([of("1212121"), of("1212127")], [(18, 18, true), (-18, 18, true)]);
        // X has three in a row, open at both ends: whatever it plays wins, and only two moves at once. Then O has lost.
        assert_eq!([of("4455336"), of("4455337")], [(18, 18, false), (17, 18, false)]);
        assert_eq!(of("44553371"), (-17, -17, false));
    }
}
