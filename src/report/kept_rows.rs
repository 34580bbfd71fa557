//! Kept rows: what a folder has that is no samples: verdicts on claims (`claims.csv`), and rows of the kinds that
//! [`extras`](crate::extras) adds.

use crate::claims::output;
use crate::extras::{RowKind, row_kinds};
use crate::table::Table;
use anyhow::Result;
use c4lab_measure::files::rows;
use c4lab_measure::files::sample;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptRows {
    folder: PathBuf,
}

fn has(folder: &Path, file: &str) -> bool {
    rows::file_of(folder, file).is_file()
}

impl KeptRows {
    pub fn of(folder: &Path) -> Option<Self> {
        let kept = KeptRows { folder: folder.to_path_buf() };
        let is_kept = kept.kinds().next().is_some() || has(folder, output::FILE);
        (is_kept && !has(folder, sample::FILE)).then_some(kept)
    }

    fn kinds(&self) -> impl Iterator<Item = &'static RowKind> {
        row_kinds().iter().copied().filter(|kind| has(&self.folder, kind.file))
    }

    pub fn all(&self) -> Result<Vec<Table>> {
        let mut sheets = Vec::new();
        for kind in self.kinds() {
            sheets.extend((kind.tables)(&self.folder)?);
        }
        if has(&self.folder, output::FILE) {
            sheets.extend(output::tables(&output::read(&self.folder)?).0);
        }
        Ok(sheets)
    }

    /// What stands in a splice of a kind, or why it says nothing.
    pub fn splice(&self, kind: &str, words: &[&str]) -> Result<String, String> {
        let message = |error: anyhow::Error| format!("{error:#}");
        if kind == "claims" {
            return output::splice_of_rows(output::read(&self.folder).map_err(message)?, words);
        }
        let kind = self.kinds().find(|known| known.name == kind).ok_or("the folder has no such rows")?;
        if !words.is_empty() {
            return Err(format!("no words follow {:?}", kind.name));
        }
        let sheets = (kind.tables)(&self.folder).map_err(message)?;
        Ok(sheets.iter().map(Table::markdown).collect::<Vec<_>>().join("\n"))
    }
}
