//! Sizes: the bytes of a store in every form, by stones, and what each form saves.

use crate::store::form::StoreForm;
use crate::store::size_row::SizeRow;
use c4lab_report::table::units::{grouped, times};
use c4lab_report::table::{Cell, Column, Subject, Table};

/// The bytes of a form to so many stones, as it is written, and packed.
pub fn of(rows: &[SizeRow], form: StoreForm, stones: u32) -> Option<(u64, u64)> {
    let row = rows.iter().find(|row| row.form == form.name() && row.stones == stones)?;
    Some((row.bytes, row.packed))
}

/// The most stones that two forms were both written for.
pub fn common(rows: &[SizeRow], one: StoreForm, other: StoreForm) -> Option<u32> {
    let most = |form: StoreForm| rows.iter().filter(|row| row.form == form.name()).map(|row| row.stones).max();
    Some(most(one)?.min(most(other)?))
}

/// The stones to which a form reaches in so many bytes; and whether more were tried, which take more.
pub fn reach(rows: &[SizeRow], form: StoreForm, bytes: u64) -> Option<(u32, bool)> {
    let mut sizes: Vec<(u32, u64)> =
        rows.iter().filter(|row| row.form == form.name()).map(|row| (row.stones, row.bytes)).collect();
    sizes.sort_unstable();
    let fits = sizes.iter().take_while(|(_, size)| *size <= bytes).count();
    let (last, _) = sizes.get(fits.checked_sub(1)?)?;
    Some((*last, fits < sizes.len()))
}

fn number(value: u64) -> Cell {
    Cell::number(Some(value as f64), |value| grouped(&format!("{value:.0}")))
}

/// What the bytes are of.
fn title(rows: &[SizeRow]) -> String {
    let players = rows.first().map_or(String::new(), |row| row.seats.replace(' ', " and "));
    format!("Bytes of a store for {players}")
}

/// A row for every number of stones, a column for each form.
pub fn sheet(rows: &[SizeRow]) -> Table {
    let mut stones: Vec<u32> = rows.iter().map(|row| row.stones).collect();
    stones.sort_unstable();
    stones.dedup();
    let cell = |stones: u32, form| of(rows, form, stones).map_or(Cell::Empty, |(bytes, _)| number(bytes));
    let row = |&stones: &u32| {
        let of_forms = StoreForm::ALL.into_iter().map(|form| cell(stones, form));
        [Cell::count(stones as usize)].into_iter().chain(of_forms).collect()
    };
    let forms = StoreForm::ALL.into_iter().map(|form| Column::number(form.name(), form.name()));
    Table {
        name: "sizes",
        subject: Subject::default(),
        title: format!("{}, on boards with fewer stones than the first column says", title(rows)),
        note: "As it is written, not packed.".to_string(),
        conclusion: String::new(),
        columns: [Column::number("stones", "stones")].into_iter().chain(forms).collect(),
        rows: stones.iter().map(row).collect(),
    }
}

/// A row for each form beside the one before it: how many times fewer bytes it takes, where both were written.
pub fn steps(rows: &[SizeRow]) -> Table {
    let step = |pair: &[StoreForm]| {
        let stones = common(rows, pair[0], pair[1])?;
        let (before, after) = (of(rows, pair[0], stones)?, of(rows, pair[1], stones)?);
        let ratio = |before: u64, after: u64| Cell::number(Some(before as f64 / after as f64), times);
        Some(vec![
            Cell::text(pair[1].name()),
            Cell::text(pair[1].about()),
            Cell::count(stones as usize),
            number(before.0),
            number(after.0),
            ratio(before.0, after.0),
            ratio(before.1, after.1),
        ])
    };
    Table {
        name: "size-steps",
        subject: Subject::default(),
        title: "What each form saves beside the one before it".to_string(),
        note: "At the most stones that both were written for. Packed: both with gzip.".to_string(),
        conclusion: String::new(),
        columns: vec![
            Column::text("form", "form"),
            Column::text("what it is", "about"),
            Column::number("stones", "stones"),
            Column::number("bytes before", "bytes_before"),
            Column::number("bytes", "bytes"),
            Column::number("times fewer", "ratio"),
            Column::number("packed", "packed_ratio"),
        ],
        rows: StoreForm::ALL.windows(2).filter_map(step).collect(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::store::size_row::SCHEMA_VERSION;

    pub(crate) fn row(form: StoreForm, stones: u32, bytes: u64) -> SizeRow {
        SizeRow {
            schema_version: SCHEMA_VERSION,
            board: "7x6".to_string(),
            seats: "first second".to_string(),
            stones,
            form: form.name().to_string(),
            bytes,
            packed: bytes / 2,
            git_rev: None,
        }
    }

    #[test]
    fn forms_are_held_against_the_one_before_where_both_are() {
        let rows = [
            row(StoreForm::Dictionary, 2, 100),
            row(StoreForm::Dictionary, 3, 400),
            row(StoreForm::SevenSets, 2, 50),
            row(StoreForm::SevenSets, 3, 100),
            row(StoreForm::SevenSets, 4, 1000),
        ];
        let shown = |sheet: &Table| -> Vec<Vec<String>> {
            sheet.rows.iter().map(|row| row.iter().map(Cell::shown).collect()).collect()
        };
        let steps = steps(&rows);
        assert_eq!(steps.rows.len(), 1, "nothing is there of the other forms");
        assert_eq!(shown(&steps)[0][2..6], ["3", "400", "100", "4.00x"]);
        let sizes = shown(&sheet(&rows));
        assert_eq!((sizes.len(), &sizes[2][..3]), (3, &["4".to_string(), "-".to_string(), "1,000".to_string()][..]));
        assert_eq!(reach(&rows, StoreForm::SevenSets, 100), Some((3, true)));
        assert_eq!(reach(&rows, StoreForm::SevenSets, 9999), Some((4, false)), "nobody tried more");
        assert_eq!(reach(&rows, StoreForm::SevenSets, 9), None);
        assert_eq!(reach(&rows, StoreForm::Tree, 100), None);
    }
}
