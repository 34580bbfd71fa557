//! Samples: rows are written and read back, and every table takes whatever they say.

use super::complaint::{self, FILE};
use super::rows::Form;
use c4lab_measure::files::folder::Rows;
use c4lab_measure::files::manifest::Naming;
use c4lab_measure::files::sample::{COLUMNS, Sample};
use c4lab_measure::files::whole_lines::line;
use c4lab_measure::run::ledger::Ledger;
use c4lab_report::results::Results;
use c4lab_report::risk;
use c4lab_report::tables::list::{Choice, NAMES, sheets};
use std::io::Cursor;
use std::path::Path;

/// Rows that all tables are made of; more say nothing new, and take long.
const FEW: usize = 12;

/// Reads bytes as `samples.csv`.
pub fn check(bytes: &[u8]) {
    let rows = match read(bytes) {
        Ok(rows) => rows,
        Err(message) => {
            complaint::check(&message, bytes);
            return;
        }
    };
    Form { columns: &COLUMNS, line: |row: &Sample| line(row).ok(), read }.check(&rows);
    Ledger::of(&rows);
    if let Ok(results) = Results::of(rows.into_iter().take(FEW).map(Ok), &Naming::default()) {
        risk::warnings(&results);
        for name in NAMES {
            sheets(&results, 1, &[], name, &Choice::default());
        }
    }
}

fn read(bytes: &[u8]) -> Result<Vec<Sample>, String> {
    let rows = Rows::read(Path::new(FILE), Cursor::new(bytes.to_vec())).and_then(Iterator::collect);
    rows.map_err(|error| format!("{error:#}"))
}
