//! Solved: the share of positions that a variant solves within its limits, by stones on the board.

use crate::results::{Ground, Outcome, Series};
use crate::stats::formulas::wilson;
use crate::table::{Cell, Column, Subject, Table};

/// A variant over so many stones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved {
    /// The fewest stones.
    pub stones: u32,
    /// Positions that were measured.
    pub asked: usize,
    /// Those of them that were answered.
    pub answered: usize,
}

impl Solved {
    /// The share.
    pub fn share(&self) -> f64 {
        self.answered as f64 / self.asked as f64
    }

    /// Its 95 % interval, by Wilson.
    pub fn interval(&self) -> (f64, f64) {
        wilson(self.answered, self.asked)
    }
}

/// What a variant solved, by every `band` stones; only where it was measured.
pub fn solved(ground: &Ground, column: &Series, band: u32) -> Vec<Solved> {
    let mut found: Vec<Solved> = Vec::new();
    let mut cells: Vec<(u32, bool)> = (column.cells.iter().zip(&ground.places))
        .filter_map(|(cell, place)| Some((place.ply / band * band, cell.as_ref()?.outcome == Outcome::Answered)))
        .collect();
    cells.sort_unstable();
    for (stones, answered) in cells {
        match found.last_mut().filter(|last| last.stones == stones) {
            Some(last) => (last.asked, last.answered) = (last.asked + 1, last.answered + usize::from(answered)),
            None => found.push(Solved { stones, asked: 1, answered: usize::from(answered) }),
        }
    }
    found
}

/// Whether some variant reached a limit.
pub fn has_limits(ground: &Ground) -> bool {
    let mut cells = ground.columns.iter().flat_map(|column| &column.cells).flatten();
    cells.any(|cell| cell.outcome == Outcome::Limited)
}

/// From how many stones on all positions were solved; `None` where those with most stones were not.
pub fn all_from(solved: &[Solved]) -> Option<u32> {
    let last = solved.iter().rev().take_while(|part| part.answered == part.asked).last();
    last.map(|part| part.stones)
}

/// A row for each variant and every `band` stones; `None` where no variant reached a limit.
pub fn sheet(ground: &Ground, band: u32) -> Option<Table> {
    if !has_limits(ground) {
        return None;
    }
    let parts: Vec<(&Series, Vec<Solved>)> =
        ground.columns.iter().map(|column| (column, solved(ground, column, band))).collect();
    let percent = |share: f64| Cell::number(Some(share), |share| format!("{:.1} %", 100.0 * share));
    let row = |column: &Series, part: &Solved| {
        let (low, high) = part.interval();
        vec![
            Cell::text(&column.variant),
            Cell::count(part.stones as usize),
            Cell::count((part.stones + band - 1) as usize),
            Cell::count(part.asked),
            Cell::count(part.answered),
            percent(part.share()),
            percent(low),
            percent(high),
        ]
    };
    let rows = parts.iter().flat_map(|(column, solved)| solved.iter().map(|part| row(column, part))).collect();
    Some(Table {
        name: "budget-by-ply",
        subject: Subject::of(ground),
        title: format!("{}: share solved within the limits, by stones on the board", ground.title()),
        note: "The interval is Wilson's, at 95 %.".to_string() + &ground.said_of_limits(),
        conclusion: conclusion(&parts),
        columns: vec![
            Column::text("variant", "variant"),
            Column::number("stones from", "ply_from"),
            Column::number("to", "ply_to"),
            Column::number("n", "positions"),
            Column::number("solved", "ok"),
            Column::number("share", "share"),
            Column::number("at least", "share_low"),
            Column::number("at most", "share_high"),
        ],
        rows,
    })
}

/// The same with a row for every `band` stones and a column for each variant, and intervals in brackets.
pub fn matrix(ground: &Ground, band: u32) -> Option<Table> {
    let sheet = sheet(ground, band)?;
    let parts: Vec<Vec<Solved>> = ground.columns.iter().map(|column| solved(ground, column, band)).collect();
    let mut stones: Vec<u32> = parts.iter().flatten().map(|part| part.stones).collect();
    stones.sort_unstable();
    stones.dedup();
    let cell = |part: &Solved| {
        let [share, low, high] = [part.share(), part.interval().0, part.interval().1].map(|share| 100.0 * share);
        Cell::text(format!("{share:.0} % ({low:.0} to {high:.0})"))
    };
    let row = |&first: &u32| {
        let last = first + band - 1;
        let shown = if band == 1 { first.to_string() } else { format!("{first} to {last}") };
        let of = |parts: &Vec<Solved>| parts.iter().find(|part| part.stones == first).map_or(Cell::text(""), cell);
        [Cell::text(shown)].into_iter().chain(parts.iter().map(of)).collect()
    };
    let variants = ground.columns.iter().map(|column| Column::number(&column.variant, &column.variant));
    Some(Table {
        columns: [Column::text("stones", "stones")].into_iter().chain(variants).collect(),
        rows: stones.iter().map(row).collect(),
        ..sheet
    })
}

/// From how many stones on each variant solves all.
fn conclusion(parts: &[(&Series, Vec<Solved>)]) -> String {
    let said = parts.iter().map(|(column, solved)| match all_from(solved) {
        Some(stones) => format!("{} from {stones}", column.variant),
        None => format!("{} nowhere", column.variant),
    });
    format!("All positions are solved, by stones on the board: {}.", said.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::{Sample, Status};
    use c4lab_measure::fixtures::sample;

    fn at(ply: u32, sample: Sample) -> Sample {
        Sample { ply, ..sample }
    }

    fn limited(sample: Sample) -> Sample {
        Sample { status: Status::Timeout, limit_ns: Some(500), ..sample }
    }

    #[test]
    fn shares_by_stones_and_where_all_are_solved() {
        let rows = [
            at(8, limited(sample("a", 1, 500, 1))),
            at(8, sample("a", 2, 100, 1)),
            at(10, sample("a", 3, 100, 1)),
            at(11, sample("a", 4, 100, 1)),
            at(8, sample("b", 1, 100, 1)),
            at(11, limited(sample("b", 4, 500, 1))),
        ];
        let results = results(&rows, &["a", "b"]);
        let ground = &results.grounds[0];
        let sheet = sheet(ground, 2).expect("limits were reached");
        let shown: Vec<String> =
            sheet.rows.iter().map(|row| row.iter().map(Cell::shown).collect::<Vec<_>>().join("|")).collect();
        assert_eq!(
            shown,
            [
                "a|8|9|2|1|50.0 %|9.5 %|90.5 %",
                "a|10|11|2|2|100.0 %|34.2 %|100.0 %",
                "b|8|9|1|1|100.0 %|20.7 %|100.0 %",
                "b|10|11|1|0|0.0 %|0.0 %|79.3 %"
            ]
        );
        let matrix = matrix(ground, 2).expect("limits were reached");
        let shown: Vec<String> =
            matrix.rows.iter().map(|row| row.iter().map(Cell::shown).collect::<Vec<_>>().join("|")).collect();
        assert_eq!(shown, ["8 to 9|50 % (9 to 91)|100 % (21 to 100)", "10 to 11|100 % (34 to 100)|0 % (0 to 79)"]);
        assert_eq!(sheet.conclusion, "All positions are solved, by stones on the board: a from 10, b nowhere.");
    }

    #[test]
    fn without_a_limit_there_is_nothing_to_say() {
        let results = results(&[at(8, sample("a", 1, 100, 1))], &["a"]);
        assert_eq!(sheet(&results.grounds[0], 1).map(|sheet| sheet.rows.len()), None);
    }
}
