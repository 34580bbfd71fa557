//! Extras: packages that add kinds of rows in folders, and kinds of claims that such rows test. The laboratory names no
//! extra; `main.rs` registers them. A build without an extra lists its claims as untested.

use crate::claims::claim::{Claim, Unit};
use crate::claims::finding::Finding;
use crate::table::Table;
use anyhow::Result;
use c4lab_measure::files::rows;
use std::path::Path;
use std::sync::OnceLock;

/// The reason for a claim whose kind is not in this build.
pub const NEEDS_EXTRAS: &str = "needs extras";

/// A kind of rows. A folder with its file and without samples is shown as its tables.
#[derive(Debug)]
pub struct RowKind {
    pub name: &'static str,
    pub file: &'static str,
    pub tables: fn(&Path) -> Result<Vec<Table>>,
}

#[derive(Debug)]
pub struct ClaimKind {
    pub name: &'static str,
    pub title: &'static str,
    pub unit: Unit,
    /// Formats a number of [`Unit::Extra`].
    pub figure: fn(f64) -> String,
    /// The claims of an entry in a claim file.
    pub claims: fn(Claim) -> Result<Vec<Claim>>,
    /// Judges a claim by the rows in a folder.
    pub judge: fn(&Claim, &Path) -> Finding,
}

#[derive(Default)]
pub struct Extras {
    pub rows: Vec<&'static RowKind>,
    pub claims: Vec<&'static ClaimKind>,
}

static EXTRAS: OnceLock<Extras> = OnceLock::new();

pub fn register(extras: Extras) {
    let _ = EXTRAS.set(extras);
}

pub fn row_kinds() -> &'static [&'static RowKind] {
    EXTRAS.get().map_or(&[], |extras| &extras.rows)
}

pub fn kinds_in(folder: &Path) -> impl Iterator<Item = &'static RowKind> {
    row_kinds().iter().copied().filter(move |kind| rows::file_of(folder, kind.file).is_file())
}

pub fn claim_kinds() -> &'static [&'static ClaimKind] {
    EXTRAS.get().map_or(&[], |extras| &extras.claims)
}

pub fn claim_kind(name: &str) -> Option<&'static ClaimKind> {
    claim_kinds().iter().copied().find(|kind| kind.name == name)
}
