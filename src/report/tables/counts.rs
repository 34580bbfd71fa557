//! Counts: how many legal positions boards have, beside what was published.

use crate::table::units::grouped;
use crate::table::{Cell, Column, Subject, Table};
use c4lab_measure::counted::counted;
use c4lab_measure::counts::ply_count::PlyCount;
use c4lab_measure::counts::published_counts;
use c4lab_solver::game::BoardSize;

/// A board whose every ply was counted.
struct CountedBoard {
    board: BoardSize,
    /// By ply, from the empty board on.
    plies: Vec<u64>,
}

impl CountedBoard {
    /// The boards of rows, in the order of first mention. A board that lacks a ply is left out.
    fn all(rows: &[PlyCount]) -> Vec<Self> {
        let mut boards: Vec<BoardSize> = Vec::new();
        for board in rows.iter().filter_map(PlyCount::size) {
            if !boards.contains(&board) {
                boards.push(board);
            }
        }
        let of = |board: BoardSize| {
            let of_board = || rows.iter().filter(move |row| row.size() == Some(board));
            let ply = |ply| of_board().find(|row| row.ply == ply).map(|row| row.positions);
            Some(CountedBoard { board, plies: (0..=board.cells()).map(ply).collect::<Option<_>>()? })
        };
        boards.into_iter().filter_map(of).collect()
    }

    fn total(&self) -> u64 {
        self.plies.iter().sum()
    }

    /// The number of stones with the most positions, and how many these are.
    fn widest(&self) -> (usize, u64) {
        let plies = self.plies.iter().copied().enumerate();
        plies.max_by_key(|&(_, positions)| positions).unwrap_or_default()
    }

    /// What was published, and whether it is the same.
    fn published(&self) -> Option<(u64, bool)> {
        published_counts::total(self.board).map(|published| (published, published == self.total()))
    }
}

/// A row for every board that was counted whole.
pub fn sheet(rows: &[PlyCount]) -> Table {
    let number = |value: Option<u64>| Cell::number(value.map(|value| value as f64), |it| grouped(&format!("{it:.0}")));
    let boards = CountedBoard::all(rows);
    let line = |counted: &CountedBoard| {
        let (published, (stones, most)) = (counted.published(), counted.widest());
        let verdict = published.map_or("", |(_, is_equal)| if is_equal { "equal" } else { "DIFFERS" });
        vec![
            Cell::text(counted.board.to_string()),
            Cell::count(counted.board.cells() as usize),
            number(Some(counted.total())),
            number(published.map(|(published, _)| published)),
            Cell::text(verdict),
            Cell::count(stones),
            number(Some(most)),
        ]
    };
    let with = |is_equal| boards.iter().filter(|it| it.published().is_some_and(|it| it.1 == is_equal)).count();
    let conclusion = match (with(true), with(false)) {
        (equal, 0) => format!("{} of {} have the published number.", equal, counted(boards.len(), "board")),
        (equal, other) => format!("{equal} boards have the published number, {other} another."),
    };
    Table {
        name: "positions",
        subject: Subject::default(),
        title: "How many legal positions boards have".to_string(),
        note: "Positions after a win are counted, and played no further. Behind it: the number of stones with the most positions, and how many \
               these are."
            .to_string(),
        conclusion,
        columns: vec![
            Column::text("board", "board"),
            Column::number("squares", "squares"),
            Column::number("positions", "positions"),
            Column::number("published", "published"),
            Column::text("verdict", "verdict"),
            Column::number("stones", "widest_ply"),
            Column::number("with so many", "widest_positions"),
        ],
        rows: boards.iter().map(line).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_that_were_counted_whole_stand_beside_what_was_published() {
        let board: BoardSize = "4x4".parse().unwrap();
        let row = |ply, positions| PlyCount::new(board, ply, positions);
        let mut rows: Vec<PlyCount> = (0..16).map(|ply| row(ply, 10_000)).collect();
        assert!(sheet(&rows).rows.is_empty(), "the last ply is missing");
        rows.push(row(16, 1_029));
        let whole = sheet(&rows).markdown();
        assert!(whole.contains("161,029 |   161,029 | equal"), "{whole}");
        assert!(whole.contains("1 of 1 board have the published number."), "{whole}");
        rows[0].positions = 10_001;
        assert!(sheet(&rows).markdown().contains("DIFFERS"));
    }
}
