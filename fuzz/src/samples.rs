//! Samples: rows are written and read back, and every table takes whatever they say.
//!
//! The four files stand one after another, with an empty line between them: samples, processes, variants, positions.

use super::complaint::{self, FILE};
use c4lab_measure::files::folder::{Rows, files_of};
use c4lab_measure::files::rows::parse;
use c4lab_measure::files::sample::{Sample, Sides};
use c4lab_measure::run::ledger::Ledger;
use c4lab_report::results::Results;
use c4lab_report::risk;
use c4lab_report::tables::list::{Choice, NAMES, sheets};
use std::fmt::Display;
use std::io::Cursor;
use std::path::Path;

/// Rows that all tables are made of; more say nothing new, and take long.
const FEW: usize = 12;

/// Reads bytes as the four files.
pub fn check(bytes: &[u8]) {
    let text = bytes.split_inclusive(|&byte| byte == b'\n');
    let mut parts = vec![Vec::new()];
    for line in text {
        match line {
            b"\n" if parts.len() < 4 => parts.push(Vec::new()),
            line => parts.last_mut().expect("one at least").extend(line),
        }
    }
    parts.resize(4, Vec::new());
    let rows = match read(&parts) {
        Ok(rows) => rows,
        Err(message) => {
            complaint::check(&message, bytes);
            return;
        }
    };
    match files_of(rows.iter().cloned().map(Ok)) {
        Ok([(_, processes), (_, variants), (_, positions), (_, samples)]) => {
            assert_eq!(read(&[samples, processes, variants, positions]).as_ref(), Ok(&rows));
        }
        // Half of a row of two lines could be taken for torn: it is never written.
        Err(error) => assert!(format!("{rows:?}").contains("\\n"), "{error:#}"),
    }
    Ledger::of(&rows);
    if let Ok(results) = Results::of(rows.into_iter().take(FEW).map(Ok), &[]) {
        risk::warnings(&results);
        for name in NAMES {
            sheets(&results, 1, &[], name, &Choice::default());
        }
    }
}

fn read(parts: &[Vec<u8>]) -> Result<Vec<Sample>, String> {
    let [samples, processes, variants, positions] = parts else { unreachable!("there are four") };
    let file = Path::new(FILE);
    let processes = parse(file, processes.as_slice()).map_err(told)?;
    let variants = parse(file, variants.as_slice()).map_err(told)?;
    let positions = parse(file, positions.as_slice()).map_err(told)?;
    let sides = Sides::of(processes, variants, positions).map_err(|error| format!("{FILE}: {error:#}"))?;
    Rows::read(file, Cursor::new(samples.clone()), sides).and_then(Iterator::collect).map_err(told)
}

fn told(error: impl Display) -> String {
    format!("{error:#}")
}
