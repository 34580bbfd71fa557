//! A drawing: a board with signs on some of its squares, and a legend of the signs.
//!
//! ```text
//!   1   2   3   4   5   6   7
//!   c   .   .   .   c   .   c      c  claimed
//!   .   X   O   .   .   O   .      .  an empty square without a sign
//! ```

use c4lab_solver::game::Position;
use c4lab_solver::game::notation::name_of_column;
use c4lab_solver::search::Place;
use serde::Serialize;
use std::fmt::Write;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drawing {
    pub title: String,
    /// The moves that lead to the board; `-` for none.
    pub moves: String,
    /// The stones, the top row first: a line of `X`, `O` and `.` for each row.
    pub rows: Vec<String>,
    pub marks: Vec<Mark>,
    pub legend: Vec<Meaning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Mark {
    pub column: u32,
    pub row: u32,
    pub sign: char,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Meaning {
    pub sign: String,
    pub means: String,
}

impl Drawing {
    pub(super) fn of(title: String, position: &Position) -> Self {
        Drawing {
            title,
            moves: c4lab_measure::sets::test_set::print_moves(position),
            rows: position.diagram().lines().map(|line| line.split_whitespace().collect()).collect(),
            marks: Vec::new(),
            legend: Vec::new(),
            note: None,
        }
    }

    /// Puts `sign` on `places`, instead of any sign that is there.
    pub(super) fn mark(&mut self, places: &[Place], sign: char, means: impl FnOnce() -> String) {
        if places.is_empty() {
            return;
        }
        places.iter().for_each(|place| self.put(*place, sign));
        self.legend.push(Meaning { sign: sign.to_string(), means: means() });
        let shown: Vec<char> = self.marks.iter().map(|mark| mark.sign).collect();
        self.legend.retain(|meaning| meaning.sign.chars().all(|sign| shown.contains(&sign)));
    }

    pub(super) fn number(&mut self, places: &[Place], means: &str) {
        let signs = ('1'..='9').chain('a'..='z');
        let Some(last) = signs.clone().take(places.len()).last() else { return };
        places.iter().zip(signs).for_each(|(place, sign)| self.put(*place, sign));
        let sign = if last == '1' { "1".to_string() } else { format!("1-{last}") };
        self.legend.push(Meaning { sign, means: means.to_string() });
    }

    fn put(&mut self, place: Place, sign: char) {
        let (column, row) = (place.column + 1, place.row + 1);
        self.marks.retain(|mark| (mark.column, mark.row) != (column, row));
        self.marks.push(Mark { column, row, sign });
    }

    /// The drawing for a terminal: title, board, and a line for each sign.
    pub fn text(&self) -> String {
        let height = self.rows.len();
        let width = self.rows.first().map_or(0, |row| row.len());
        let mut text = format!("{}\n", self.title);
        if !self.marks.is_empty() {
            let heads: String = (0..width as u32).map(|column| format!("{:>3} ", name_of_column(column))).collect();
            let _ = writeln!(text, "{}", heads.trim_end());
            for (line, row) in self.rows.iter().enumerate() {
                let place = |index: usize| (index as u32 + 1, (height - line) as u32);
                let sign = |(index, stone): (usize, char)| {
                    let mark = self.marks.iter().find(|mark| (mark.column, mark.row) == place(index));
                    format!("{:>3} ", mark.map_or(stone, |mark| mark.sign))
                };
                let shown: String = row.chars().enumerate().map(sign).collect();
                let _ = writeln!(text, "{}", shown.trim_end());
            }
        }
        for Meaning { sign, means } in &self.legend {
            let _ = writeln!(text, "  {sign:<3}  {means}");
        }
        self.note.iter().for_each(|note| text += &format!("  {note}\n"));
        text
    }
}

/// The position after the moves `columns`, counted from 0.
pub(super) fn after(position: &Position, columns: &[u32]) -> Position {
    let mut end = position.clone();
    let all = columns.iter().all(|&column| end.play(column).is_ok());
    debug_assert!(all, "moves that a search saw can be played");
    end
}

pub(super) fn line(columns: &[u32]) -> String {
    columns.iter().map(|&column| name_of_column(column)).collect()
}
