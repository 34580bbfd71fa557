//! Merging: folders in, one folder with its summary out. [`c4lab_measure::campaign::merge`] puts rows and manifests together.

use crate::results::Results;
use crate::tables::summary::{csv, summarise};
use anyhow::{Result, bail};
use c4lab_measure::campaign::merge::Gathered;
use std::path::{Path, PathBuf};

/// Folders that were read, and what speaks against putting them together.
pub struct Merging {
    gathered: Gathered,
    pub differences: Vec<String>,
    /// Scores or node counts in which two rows do not agree. If there are any, nothing can be written.
    pub conflicts: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    pub rows: usize,
    pub machines: usize,
    pub runs: usize,
}

impl Merging {
    /// Reads the folders. `mixed` allows several experiments or builds.
    pub fn read(folders: &[PathBuf], mixed: bool) -> Result<Self> {
        let gathered = Gathered::read(folders)?;
        let differences = gathered.differences()?;
        if let Some(difference) = differences.first().filter(|_| !mixed) {
            bail!("{difference}; --mixed merges them all the same");
        }
        let conflicts = gathered.conflicts();
        Ok(Merging { gathered, differences, conflicts })
    }

    /// Writes the merged folder, unless two rows contradict each other.
    pub fn write(&self, out: &Path) -> Result<Written> {
        if let Some(conflict) = self.conflicts.first() {
            bail!("{conflict}");
        }
        if self.gathered.rows().len() == 0 {
            bail!("no row is there yet");
        }
        let manifest = self.gathered.manifest()?;
        // Rows that no report could read are found out before anything is written.
        let results = Results::of(self.gathered.rows().cloned().map(Ok), &manifest.experiment.order())?;
        self.gathered.write(out, &manifest, &csv(&summarise(&results, manifest.experiment.seed))?)?;
        Ok(Written { rows: results.rows, machines: results.machines.len(), runs: manifest.runs.len() })
    }
}
