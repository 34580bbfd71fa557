//! Node rows: written and read back, and entered into a table whatever they say.

use super::complaint::{self, FILE};
use super::rows::Form;
use c4lab_measure::files::node_row::{NodeRow, NodeTable, parse};
use c4lab_measure::files::rows::{columns, line};
use std::path::Path;

/// Reads bytes as `nodes.csv`.
pub fn check(bytes: &[u8]) {
    let rows = match read(bytes) {
        Ok(rows) => rows,
        Err(message) => {
            complaint::check(&message, bytes);
            return;
        }
    };
    Form { columns: columns::<NodeRow>(), line: |row: &NodeRow| line(row).ok(), read }.check(&rows);
    let table = NodeTable::of(&rows);
    assert!(table.rows == rows.len() && table.risk() >= 0.0);
}

fn read(bytes: &[u8]) -> Result<Vec<NodeRow>, String> {
    parse(Path::new(FILE), bytes).map_err(|error| format!("{error:#}"))
}
