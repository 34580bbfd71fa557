//! Verifies the moves of a player after every reply of the opponent: each must keep the value of the game. A row of
//! `verified.csv` has the results of all positions of a player with equal numbers of stones.
//!
//! If a move keeps a win, the player still wins after every reply, so the values of these positions need no search.

use crate::strategy::{Layer, Seat, first_layer, keeps, key, next_layer, solve_blocks, value};
use anyhow::{Result, bail};
use c4lab_cli::output::{self, Format};
use c4lab_cli::{Exit, complain};
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{self, Row as _, RowWriter};
use c4lab_measure::sets::draw::Draw;
use c4lab_measure::sets::test_set::print_moves;
use c4lab_measure::text::pluralize;
use c4lab_play::players::{Player, Refusal};
use c4lab_report::extras::RowKind;
use c4lab_report::table::units::{time, whole};
use c4lab_report::table::{Subject, Table};
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Limits, Solve, Stopped};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    schema_version: u32,
    command: String,
    board: String,
    seat: Seat,
    ply: u32,
    positions: usize,
    asked: usize,
    won: usize,
    drawn: usize,
    lost: usize,
    failed: usize,
    reason: Option<String>,
    mean_ns: u64,
    worst_ns: u64,
    worst: String,
    limit_ns: Option<u64>,
    seed: u64,
    git_rev: Option<String>,
}

c4lab_measure::row!(Row, "verified.csv", SCHEMA_VERSION);

pub fn open_new(folder: &Path) -> Result<RowWriter<Row>> {
    let (file, rows) = RowWriter::<Row>::open(folder)?;
    if !rows.is_empty() {
        bail!("{}: there are rows of another verification; choose another --out", folder.join(Row::FILE).display());
    }
    Ok(file)
}

pub static ROWS: RowKind =
    RowKind { name: "verified", file: Row::FILE, tables: |folder| Ok(vec![sheet(&rows::read::<Row>(folder)?)]) };

pub struct Verification<'a> {
    /// The file of the store or the command of the program, for the table.
    pub command: &'a str,
    pub size: BoardSize,
    pub seats: Vec<Seat>,
    pub plies: u32,
    /// The most positions of a layer to verify, and the seed by which they are drawn if the layer has more.
    pub sample: Option<(usize, u64)>,
    pub time: Option<Duration>,
    pub interrupt: &'a AtomicBool,
    pub file: Option<RowWriter<Row>>,
    pub format: Format,
}

/// A player and the solver that judges its moves, for one thread.
pub type Worker<'a> = (Box<dyn Player + 'a>, Box<dyn Solve>);

impl Verification<'_> {
    pub fn verify(mut self, workers: &mut [Worker<'_>], bar: &ProgressBar) -> Result<Exit> {
        let (mut rows, mut failures) = (Vec::new(), Vec::new());
        let mut file = self.file.take();
        let walked = self.layers(workers, |row, failed| {
            file.as_mut().map_or(Ok(()), |file| file.add(&row))?;
            rows.push(row);
            failures.extend(failed);
            bar.inc(1);
            Ok(())
        });
        bar.finish_and_clear();
        output::show(&self.format.of(&[sheet(&rows)])?)?;
        if !walked? {
            complain("interrupted");
            return Ok(Exit::Incomplete);
        }
        failures.iter().take(10).for_each(complain);
        let asked = pluralize(rows.iter().map(|row| row.asked).sum(), "move");
        let (exit, text) = match failures.len() {
            0 => (Exit::Success, format!("none of {asked} gives the value away")),
            count => (Exit::Wrong, format!("{count} of {asked} give the value away")),
        };
        self.format.said(&text, exit)
    }

    /// Walks over every reply, and calls `done` with the row of each layer and its failed moves. Positions after a
    /// failed move are left out. False if an interrupt stopped the walk.
    fn layers(&self, workers: &mut [Worker<'_>], mut done: impl FnMut(Row, Vec<String>) -> Result<()>) -> Result<bool> {
        for &seat in &self.seats {
            let (mut layer, mut won) = (first_layer(self.size, seat), HashSet::new());
            for ply in (seat.first_ply()..self.plies).step_by(2) {
                let positions = layer.len();
                if let Some((most, seed)) = self.sample.filter(|&(most, _)| most < positions) {
                    Draw::new(seed, &format!("positions of {seat} with {ply} stones")).shuffle(&mut layer);
                    layer.truncate(most);
                    layer.sort_unstable_by_key(|(key, _)| *key);
                }
                let Some(judged) = self.judge(&layer, &won, workers)? else { return Ok(false) };
                let (row, failures) = self.row(seat, ply, &layer, &judged);
                done(Row { positions, ..row }, failures)?;
                if ply + 2 >= self.plies {
                    break;
                }
                layer.retain(|(key, _)| judged[key].column.is_ok());
                let column = |position: &Position| *judged[&key(position)].column.as_ref().expect("it did not fail");
                let (wins, rest): (Layer, Layer) = layer.into_iter().partition(|(key, _)| judged[key].value == 1);
                let after_wins = next_layer(&wins, column);
                won = after_wins.iter().map(|(key, _)| *key).collect();
                layer = next_layer(&rest, column);
                layer.extend(after_wins);
                layer.sort_unstable_by_key(|(key, _)| *key);
                layer.dedup_by_key(|(key, _)| *key);
            }
        }
        Ok(true)
    }

    /// The result of each move of `layer`, by key; `None` after an interrupt. One thread takes neighbouring positions.
    fn judge(
        &self,
        layer: &Layer,
        won: &HashSet<u64>,
        workers: &mut [Worker<'_>],
    ) -> Result<Option<HashMap<u64, JudgedMove>>> {
        let mut judged = HashMap::with_capacity(layer.len());
        let judge = |worker: &mut Worker<'_>, (key, position): &(u64, Position), limits: &Limits<'_>| {
            let least = if won.contains(key) { 1 } else { -1 };
            self.judge_one(position, least, worker, limits)
        };
        solve_blocks(workers, layer.chunks(64), self.interrupt, judge, |(key, _), judgement| {
            judged.insert(*key, judgement);
            Ok(())
        })?;
        Ok((judged.len() == layer.len()).then_some(judged))
    }

    fn row(&self, seat: Seat, ply: u32, layer: &Layer, judged: &HashMap<u64, JudgedMove>) -> (Row, Vec<String>) {
        let count = |value| layer.iter().filter(|(key, _)| judged[key].value == value).count();
        let (mut failures, mut total, mut worst) = (Vec::new(), Duration::ZERO, None);
        for (key, position) in layer {
            let JudgedMove { column, took, .. } = &judged[key];
            total += *took;
            if worst.is_none_or(|(most, _)| took > most) {
                worst = Some((took, position));
            }
            failures.extend(column.as_ref().err().map(|reason| format!("{}: {reason}", print_moves(position))));
        }
        let row = Row {
            schema_version: SCHEMA_VERSION,
            command: self.command.to_string(),
            board: self.size.to_string(),
            seat,
            ply,
            positions: layer.len(),
            asked: layer.len(),
            won: count(1),
            drawn: count(0),
            lost: count(-1),
            failed: failures.len(),
            reason: failures.first().map(|reason| reason.replace(['\n', '\r'], " ")),
            mean_ns: (total.as_nanos() / layer.len().max(1) as u128) as u64,
            worst_ns: worst.map_or(0, |(took, _)| took.as_nanos() as u64),
            worst: worst.map_or_else(String::new, |(_, position)| print_moves(position)),
            limit_ns: self.time.map(|time| time.as_nanos() as u64),
            seed: self.sample.map_or(0, |(_, seed)| seed),
            git_rev: git_rev(),
        };
        (row, failures)
    }

    /// Asks the player for its move in `position`, whose value is at least `least`, and judges the move.
    fn judge_one(
        &self,
        position: &Position,
        least: i8,
        (player, solver): &mut Worker<'_>,
        limits: &Limits<'_>,
    ) -> Result<JudgedMove, Stopped> {
        let begun = Instant::now();
        let choice = player.choose(position, &Limits { time: self.time, ..*limits });
        let took = begun.elapsed();
        let value = value(&mut **solver, position, least, limits)?;
        let column = match choice.map(|choice| choice.column) {
            Ok(column) if column >= self.size.width() || !position.can_play(column) => {
                Err(format!("illegal: column {}", name_of_column(column)))
            }
            Ok(column) if keeps(&mut **solver, position, column, value, limits)? => Ok(column),
            Ok(column) => Err(format!("column {} gives the value away", name_of_column(column))),
            Err(Refusal::Late) => Err("late".to_string()),
            Err(Refusal::Failed(kind, reason)) => Err(format!("{kind}: {reason}")),
            Err(Refusal::Interrupted) => return Err(Stopped::Interrupted(0)),
        };
        Ok(JudgedMove { value, column, took })
    }
}

struct JudgedMove {
    /// The weak score of the position: 1, 0 or -1, from the mover's side.
    value: i8,
    /// The column of the move if it keeps `value`, or else the error.
    column: Result<u32, String>,
    took: Duration,
}

/// True if the rows are those of a program, which has a time limit. The times of a store are negligible.
fn are_timed(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.limit_ns.is_some())
}

fn sheet(rows: &[Row]) -> Table {
    let title = format!("Moves of {}", rows.first().map_or("no player", |row| &row.command));
    let note = "Positions: one of each pair of mirror images, after every reply of the opponent to the moves before.";
    let mut table = Table::new("verified", Subject::default(), title, note)
        .concluding(conclusion(rows))
        .over(rows)
        .text("player", "player", |row| row.seat.name())
        .count("stones", "stones", |row| row.ply as usize);
    let positions: fn(&Row) -> usize = |row| row.positions;
    let counts = [
        ("positions", positions),
        ("asked", |row| row.asked),
        ("won", |row| row.won),
        ("drawn", |row| row.drawn),
        ("lost", |row| row.lost),
        ("failed", |row| row.failed),
    ];
    for (name, count) in counts {
        table = table.number(name, name, whole, |row| Some(count(row) as f64));
    }
    let timed = table.when(are_timed(rows), |table| {
        let mean = table.number("mean", "mean_ns", time, |row| Some(row.mean_ns as f64));
        mean.number("longest", "worst_ns", time, |row| Some(row.worst_ns as f64))
    });
    timed.table
}

/// True if all positions of `row` and of the earlier rows of its player were verified.
fn is_whole(rows: &[Row], row: &Row) -> bool {
    let mut before = rows.iter().filter(|other| other.seat == row.seat && other.ply <= row.ply);
    before.all(|row| row.asked == row.positions)
}

fn conclusion(rows: &[Row]) -> String {
    let (whole, drawn): (Vec<_>, Vec<_>) = rows.iter().partition(|row| is_whole(rows, row));
    let asked = |rows: &[&Row]| rows.iter().map(|row| row.asked).sum::<usize>();
    let failed = |rows: &[&Row]| rows.iter().map(|row| row.failed).sum::<usize>();
    let mut sentences = Vec::new();
    if let Some(last) = whole.iter().map(|row| row.ply).max() {
        let moves = pluralize(asked(&whole), "move");
        sentences.push(match failed(&whole) {
            0 => format!("After every reply, up to {last} stones, all of {moves} keep the value of the game."),
            failed => format!("After every reply, up to {last} stones, {failed} of {moves} failed."),
        });
    }
    if !drawn.is_empty() {
        let (asked, failed) = (asked(&drawn), failed(&drawn));
        sentences.push(match failed {
            0 => format!(
                "Of {} in positions drawn by lot none fails: in all positions at most 3 in {asked} do, with 95 % confidence.",
                pluralize(asked, "move")
            ),
            failed => format!("In positions drawn by lot {failed} of {asked} moves failed."),
        });
    }
    if let Some(worst) = rows.iter().max_by_key(|row| row.worst_ns).filter(|_| are_timed(rows)) {
        sentences.push(format!("The longest move took {} ({}).", time(worst.worst_ns as f64), worst.worst));
    }
    sentences.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ply: u32, positions: usize, asked: usize, failed: usize) -> Row {
        let (worst_ns, worst) = (u64::from(ply) * 1_000_000, "12".to_string());
        Row { ply, positions, asked, failed, worst_ns, worst, limit_ns: Some(1), ..Row::default() }
    }

    #[test]
    fn what_was_walked_whole_stands_apart_from_what_was_drawn_by_lot() {
        let rows = [row(0, 1, 1, 0), row(2, 9, 9, 0), row(4, 90, 40, 0), row(6, 60, 60, 0)];
        let text = conclusion(&rows);
        assert_eq!(
            text,
            "After every reply, up to 2 stones, all of 10 moves keep the value of the game. Of 100 moves in \
             positions drawn by lot none fails: in all positions at most 3 in 100 do, with 95 % confidence. The longest \
             move took 6.00 ms (12)."
        );
        let untimed = |row| Row { limit_ns: None, ..row };
        assert_eq!(
            conclusion(&[row(0, 1, 1, 1), row(2, 9, 3, 2)].map(untimed)),
            "After every reply, up to 0 stones, 1 of 1 move failed. In positions drawn by lot 2 of 3 moves failed."
        );
    }
}
