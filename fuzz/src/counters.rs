//! Counts of tables: read, or an error with its line; the table by plies takes whatever they say.

use super::complaint::{self, FILE};
use c4lab_measure::files::sample::{COLUMNS, SCHEMA_VERSION};
use c4lab_measure::run::{anatomy, counting};
use std::path::Path;

/// Reads bytes as `counters.csv` and as `anatomy.csv`.
pub fn check(bytes: &[u8]) {
    if let Err(error) = anatomy::parse(Path::new(FILE), bytes) {
        complaint::check(&format!("{error:#}"), bytes);
    }
    match counting::parse(Path::new(FILE), bytes) {
        Ok(counts) => {
            assert!(counts.iter().all(|row| row.schema_version <= SCHEMA_VERSION));
            // A file without a header has no rows, and one of other columns none that can be read.
            assert!(counts.is_empty() || bytes.windows(COLUMNS[0].len()).any(|text| text == COLUMNS[0].as_bytes()));
        }
        Err(error) => {
            complaint::check(&format!("{error:#}"), bytes);
        }
    }
}
