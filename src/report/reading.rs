//! Reading: a folder of samples, gone through once, with what its manifest says.

use crate::results::Results;
use crate::risk;
use anyhow::{Context, Result, bail};
use c4lab_measure::engines::table::EngineClock;
use c4lab_measure::files::folder::Rows;
use c4lab_measure::files::manifest::Manifest;
use c4lab_measure::files::rows;
use c4lab_measure::run::counting::Counts;
use c4lab_measure::run::counting::{self, AnatomyRow};
use c4lab_measure::run::tally::Tally;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct Reading {
    pub folder: PathBuf,
    pub file: PathBuf,
    pub results: Results,
    pub tally: Tally,
    pub manifest: Manifest,
    pub counts: Vec<Counts>,
    /// What became of their nodes, where that was counted.
    pub anatomy: Vec<AnatomyRow>,
}

impl Reading {
    /// Reads a folder that `measure` wrote, or a record.
    pub fn open(folder: &Path) -> Result<Self> {
        Self::open_by(folder, None)
    }

    /// The same, with this clock for every foreign program instead of that of its record. Rows hold both times.
    pub fn open_by(folder: &Path, clock: Option<EngineClock>) -> Result<Self> {
        let place = folder.display();
        let rows = Rows::open(folder)?;
        let file = rows.file().to_path_buf();
        let manifest = Manifest::read(folder)?.with_context(|| format!("{place}: no manifest.json"))?;
        if clock.is_some() && manifest.engines.is_empty() {
            bail!("{place}: no foreign program was measured, so there is no clock to choose");
        }
        let mut tally = Tally::default();
        let watched = rows.map(|row| {
            let mut row = row?;
            tally.enter(&row);
            if let Some(clock) = clock.filter(|_| manifest.engines.iter().any(|engine| engine.name == row.variant)) {
                row.clock = clock;
            }
            Ok(row)
        });
        let results = Results::of(watched, &manifest.experiment.order()).with_context(|| place.to_string())?;
        if results.rows == 0 {
            bail!("{place}: no row is there yet");
        }
        let known = |binary: &str| manifest.binaries().iter().any(|known| known.sha256 == binary);
        if let Some(other) = results.binaries.iter().find(|binary| !known(binary)) {
            let (other, ours) = (short(other), short(&manifest.binary.sha256));
            bail!("{place}: rows of the build {other} among those of {ours}: times of two builds are not one table");
        }
        let (counts, anatomy) = (rows::read_any(folder)?, counting::read_anatomy(folder)?);
        Ok(Reading { folder: folder.to_path_buf(), file, results, tally, manifest, counts, anatomy })
    }
}

impl Reading {
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.manifest.warnings();
        warnings.extend(risk::warnings(&self.results));
        warnings.extend(silent(&self.results));
        warnings.extend(risk::unread(&self.results, &self.engines()).iter().map(|unread| unread.warning(&self.file)));
        warnings
    }

    pub fn engines(&self) -> Vec<&str> {
        self.manifest.engines.iter().map(|engine| engine.name.as_str()).collect()
    }
}

/// One line for each program that is to be timed by its own clock, and states no time.
fn silent(results: &Results) -> BTreeSet<String> {
    let columns = results.groups.iter().flat_map(|group| &group.columns).filter(|column| !column.clock.is_ours());
    let silent = columns.filter(|column| column.cells.iter().flatten().all(|cell| cell.own_times.is_empty()));
    silent.map(|column| format!("{}: it states no time, so it has none in the tables", column.variant)).collect()
}

fn short(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use c4lab_measure::files::machine::Machine;
    use c4lab_measure::files::manifest::{Binary, digest};
    use c4lab_measure::files::sample::{SCHEMA_VERSION, Sample};
    use c4lab_measure::plan::experiment::Experiment;

    /// A folder with these rows, as if it had been read.
    pub(crate) fn reading(rows: &[Sample]) -> Reading {
        let experiment = Experiment::blank("test");
        let manifest = Manifest {
            schema_version: SCHEMA_VERSION,
            experiment_sha256: digest(&experiment).unwrap(),
            experiment,
            history: Vec::new(),
            test_sets: Vec::new(),
            engines: Vec::new(),
            run_time: Vec::new(),
            binary: Binary::current().unwrap(),
            machine: Machine::read(),
            shard: None,
            merged: None,
            runs: Vec::new(),
        };
        let results = Results::of(rows.iter().cloned().map(Ok), &[]).unwrap();
        let file = "runs/test/samples.csv".into();
        Reading {
            folder: "runs/test".into(),
            file,
            results,
            tally: Tally::of(rows),
            manifest,
            counts: Vec::new(),
            anatomy: Vec::new(),
        }
    }
}
