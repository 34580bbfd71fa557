//! Verified: what was found of all positions of a player, by stones (`verified.csv`), and what follows for those that were not asked about.

use crate::strategy::Seat;
use crate::verify::{Judged, Verified, Walk, verify};
use anyhow::{Result, bail};
use c4lab_cli::output::FormatArg;
use c4lab_cli::{Exit, complain};
use c4lab_measure::files::build_info::git_rev;
use c4lab_measure::files::rows::{self, Appended, Row};
use c4lab_measure::sets::test_set::print_moves;
use c4lab_measure::text::pluralize;
use c4lab_report::extras::RowKind;
use c4lab_report::table::units::{grouped, time};
use c4lab_report::table::{Cell, Column, Subject, Table};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::path::Path;

pub const FILE: &str = "verified.csv";

pub const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifiedRow {
    pub schema_version: u32,
    pub command: String,
    pub board: String,
    pub seat: Seat,
    pub ply: u32,
    pub positions: usize,
    pub asked: usize,
    pub won: usize,
    pub drawn: usize,
    pub lost: usize,
    pub failed: usize,
    pub reason: Option<String>,
    pub mean_ns: u64,
    pub worst_ns: u64,
    pub worst: String,
    pub limit_ns: Option<u64>,
    pub seed: u64,
    pub git_rev: Option<String>,
}

impl Row for VerifiedRow {
    const FILE: &'static str = FILE;
    const WHAT: &'static str = "verified layers";
    const VERSION: Option<u32> = Some(SCHEMA_VERSION);
    const DOING: &'static str = "verifying";
}

/// The file of a folder for a new walk.
pub fn open_new(folder: &Path) -> Result<Appended<VerifiedRow>> {
    let (file, rows) = Appended::<VerifiedRow>::open(folder)?;
    if !rows.is_empty() {
        bail!("{}: a walk begins anew, and there are rows; choose another --out", folder.join(FILE).display());
    }
    Ok(file)
}

impl VerifiedRow {
    /// The row of a layer of a walk.
    pub fn new(command: &str, walk: &Walk<'_>, verified: &Verified) -> Self {
        let [won, drawn, lost] = verified.outcomes;
        let (worst_ns, worst) = verified
            .worst
            .as_ref()
            .map_or((0, String::new()), |(time, position)| (time.as_nanos() as u64, print_moves(position)));
        let reason = verified.failures.first().map(|given| given.to_string().replace(['\n', '\r'], " "));
        VerifiedRow {
            schema_version: SCHEMA_VERSION,
            command: command.to_string(),
            board: walk.size.to_string(),
            seat: verified.seat,
            ply: verified.ply,
            positions: verified.positions,
            asked: verified.asked(),
            won,
            drawn,
            lost,
            failed: verified.failures.len(),
            reason,
            mean_ns: (verified.total.as_nanos() / (verified.asked().max(1) as u128)) as u64,
            worst_ns,
            worst,
            limit_ns: walk.limits.time.map(|time| time.as_nanos() as u64),
            seed: walk.sample.map_or(0, |(_, seed)| seed),
            git_rev: git_rev(),
        }
    }
}

/// A row for every number of stones of a player. Times are those of a program; a store takes none worth telling.
pub fn sheet(rows: &[VerifiedRow], is_timed: bool) -> Table {
    let count = |count: usize| Cell::number(Some(count as f64), |count| grouped(&format!("{count:.0}")));
    let line = |row: &VerifiedRow| {
        let counts = [row.positions, row.asked, row.won, row.drawn, row.lost, row.failed].map(count);
        let times = [row.mean_ns, row.worst_ns].map(|ns| Cell::number(Some(ns as f64), time));
        let who = [Cell::text(row.seat.name()), Cell::count(row.ply as usize)];
        who.into_iter().chain(counts).chain(times.into_iter().filter(|_| is_timed)).collect()
    };
    let mut columns = vec![Column::text("player", "player"), Column::number("stones", "stones")];
    columns.extend(["positions", "asked", "won", "drawn", "lost", "failed"].map(|name| Column::number(name, name)));
    if is_timed {
        columns.extend([Column::number("mean", "mean_ns"), Column::number("longest", "worst_ns")]);
    }
    Table {
        name: "verified",
        subject: Subject::default(),
        title: format!("Moves of {}", rows.first().map_or("nobody", |row| &row.command)),
        note: "Positions: one of each pair of mirror images, after every reply of the opponent to the moves before."
            .to_string(),
        conclusion: conclusion(rows, is_timed),
        columns,
        rows: rows.iter().map(line).collect(),
    }
}

/// Whether every position that came up was asked about, so far and in all rows of this player before.
fn is_whole(rows: &[VerifiedRow], row: &VerifiedRow) -> bool {
    let mut before = rows.iter().filter(|other| other.seat == row.seat && other.ply <= row.ply);
    before.all(|row| row.asked == row.positions)
}

/// What the rows say together.
pub fn conclusion(rows: &[VerifiedRow], is_timed: bool) -> String {
    let (whole, lots): (Vec<_>, Vec<_>) = rows.iter().partition(|row| is_whole(rows, row));
    let asked = |rows: &[&VerifiedRow]| rows.iter().map(|row| row.asked).sum::<usize>();
    let failed = |rows: &[&VerifiedRow]| rows.iter().map(|row| row.failed).sum::<usize>();
    let mut said = Vec::new();
    if let Some(last) = whole.iter().map(|row| row.ply).max() {
        let moves = pluralize(asked(&whole), "move");
        said.push(match failed(&whole) {
            0 => format!(
                "To boards with {last} stones every reply was walked: all of {moves} keep the value of the game."
            ),
            failed => format!("To boards with {last} stones, failed moves: {failed} of {moves}."),
        });
    }
    if !lots.is_empty() {
        let (asked, failed) = (asked(&lots), failed(&lots));
        said.push(match failed {
            0 => format!(
                "Of those drawn by lot none of {} fails: of such positions fail at most 3 in {asked}, with 95 % confidence.",
                pluralize(asked, "move")
            ),
            failed => format!("Of those drawn by lot, failed moves: {failed} of {asked}."),
        });
    }
    if let Some(worst) = rows.iter().max_by_key(|row| row.worst_ns).filter(|_| is_timed) {
        said.push(format!("The longest move took {} ({}).", time(worst.worst_ns as f64), worst.worst));
    }
    said.join(" ")
}

pub static ROWS: RowKind = RowKind {
    name: "verified",
    file: FILE,
    tables: |folder| {
        let rows: Vec<VerifiedRow> = rows::read(folder)?;
        let is_timed = rows.iter().any(|row| row.limit_ns.is_some());
        Ok(vec![sheet(&rows, is_timed)])
    },
};

/// How a walk is shown: what moves, where its rows go, and whether its times are worth a column.
pub struct Verification<'a> {
    pub command: &'a str,
    pub file: Option<Appended<VerifiedRow>>,
    pub is_timed: bool,
    pub format: FormatArg,
}

impl Verification<'_> {
    /// Walks, keeps the rows, and prints them and what follows.
    pub fn of(mut self, walk: &Walk<'_>, threads: &mut [Judged<'_>], bar: &ProgressBar) -> Result<Exit> {
        let (mut rows, mut failures) = (Vec::new(), Vec::new());
        let walked = verify(walk, threads, |layer| {
            let row = VerifiedRow::new(self.command, walk, &layer);
            if let Some(file) = &mut self.file {
                file.add(&row)?;
            }
            rows.push(row);
            failures.extend(layer.failures);
            bar.inc(1);
            Ok(())
        });
        bar.finish_and_clear();
        self.format.sheets(&[sheet(&rows, self.is_timed)])?;
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
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn row(ply: u32, positions: usize, asked: usize, failed: usize) -> VerifiedRow {
        VerifiedRow {
            schema_version: SCHEMA_VERSION,
            command: "bot".to_string(),
            board: "7x6".to_string(),
            seat: Seat::First,
            ply,
            positions,
            asked,
            won: asked,
            drawn: 0,
            lost: 0,
            failed,
            reason: None,
            mean_ns: 1000,
            worst_ns: u64::from(ply) * 1_000_000,
            worst: "12".to_string(),
            limit_ns: None,
            seed: 0,
            git_rev: None,
        }
    }

    #[test]
    fn what_was_walked_whole_stands_apart_from_what_was_drawn_by_lot() {
        let rows = [row(0, 1, 1, 0), row(2, 9, 9, 0), row(4, 90, 40, 0), row(6, 60, 60, 0)];
        let said = sheet(&rows, true).conclusion;
        assert_eq!(
            said,
            "To boards with 2 stones every reply was walked: all of 10 moves keep the value of the game. Of those drawn \
             by lot none of 100 moves fails: of such positions fail at most 3 in 100, with 95 % confidence. The longest \
             move took 6.00 ms (12)."
        );
        assert!(!sheet(&rows, false).conclusion.contains("longest"));
        let said = conclusion(&[row(0, 1, 1, 1), row(2, 9, 3, 2)], false);
        assert_eq!(
            said,
            "To boards with 0 stones, failed moves: 1 of 1 move. Of those drawn by lot, failed moves: 2 of 3."
        );
    }
}
