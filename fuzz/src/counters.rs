//! Counts of tables: read, or an error with its line; the table by plies takes whatever they say.

use super::complaint::{self, FILE};
use c4lab_measure::files::rows;
use c4lab_measure::files::sample::SCHEMA_VERSION;
use c4lab_measure::run::anatomy;
use c4lab_measure::run::counting::Counts;
use std::path::Path;

/// Reads bytes as `counters.csv` and as `anatomy.csv`.
pub fn check(bytes: &[u8]) {
    if let Err(error) = anatomy::parse(Path::new(FILE), bytes) {
        complaint::check(&format!("{error:#}"), bytes);
    }
    match rows::parse::<Counts>(Path::new(FILE), bytes) {
        Ok(counts) => {
            assert!(counts.iter().all(|row| row.schema_version <= SCHEMA_VERSION));
        }
        Err(error) => {
            complaint::check(&format!("{error:#}"), bytes);
        }
    }
}
