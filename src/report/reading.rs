//! Reading: a folder of samples, read in one pass, with its manifest and its warnings.

use crate::entry;
use crate::results::{Results, Series};
use anyhow::{Context, Result, bail};
use c4lab_measure::engines::table::EngineClock;
use c4lab_measure::files::manifest::Manifest;
use c4lab_measure::files::node_row::UnreadSpec;
use c4lab_measure::files::rows;
use c4lab_measure::files::sample::Rows;
use c4lab_measure::plan::experiment::Experiment;
use c4lab_measure::run::counting;
use c4lab_measure::run::tally::Tally;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct Reading {
    pub folder: PathBuf,
    pub file: PathBuf,
    pub results: Results,
    pub tally: Tally,
    pub manifest: Manifest,
}

impl Reading {
    /// Reads a folder that `measure` wrote, or a record.
    pub fn open(folder: &Path) -> Result<Self> {
        Self::open_by(folder, None)
    }

    /// Uses `clock` for every engine instead of the recorded one. Rows hold the times of both clocks.
    pub fn open_by(folder: &Path, clock: Option<EngineClock>) -> Result<Self> {
        let place = folder.display();
        let rows = Rows::open(folder)?;
        let file = rows.file().to_path_buf();
        let manifest = Manifest::read(folder)?.with_context(|| format!("{place}: no manifest.json"))?;
        if clock.is_some() && manifest.engines.is_empty() {
            bail!("{place}: no engine was measured, so there is no clock to choose");
        }
        let mut tally = Tally::default();
        let most = |of: fn(&Experiment) -> u64| manifest.experiments().iter().map(of).max().unwrap_or_default();
        let (repetitions, processes) = (most(|it| it.repetitions), most(|it| it.processes));
        let watched = rows.map(|row| {
            let mut row = row?;
            let (repetition, process) = (u64::from(row.repetition), u64::from(row.process));
            if repetition >= repetitions || process > processes {
                let (set, line, variant) = (&row.set, row.position_id, &row.variant);
                bail!(
                    "{set}, line {line}, {variant}: the experiment has no repetition {repetition} of process {process}"
                );
            }
            tally.enter(&row);
            row.binary_sha256 = manifest.build_of(row.binary_sha256);
            if let Some(clock) = clock.filter(|_| manifest.engines.iter().any(|engine| engine.name == row.variant)) {
                row.clock = clock;
            }
            Ok(row)
        });
        let mut results = Results::of(watched, &manifest.experiment.order()).with_context(|| place.to_string())?;
        if results.rows == 0 {
            bail!("{place}: no rows yet");
        }
        let known = |binary: &str| manifest.binaries().iter().any(|known| known.sha256 == binary);
        if let Some(other) = results.binaries.iter().find(|binary| !known(binary)) {
            let (other, ours) = (short(other), short(&manifest.binary.sha256));
            bail!("{place}: rows of the build {other} among those of {ours}: times of two builds cannot be compared");
        }
        results.hold_against(&manifest);
        results.counts = rows::read_any(folder)?;
        results.anatomy = counting::read_anatomy(folder)?;
        Ok(Reading { folder: folder.to_path_buf(), file, results, tally, manifest })
    }

    pub fn warnings(&self) -> Vec<String> {
        self.warnings_of(&self.file)
    }

    /// The warnings, which name `file` as the file of the rows.
    pub fn warnings_of(&self, file: &Path) -> Vec<String> {
        let mut warnings = self.manifest.warnings();
        warnings.extend(self.results.incomplete.clone());
        warnings.extend(risks(&self.results));
        let silent = self.results.series().filter(|column| {
            !column.clock.is_ours() && column.cells.iter().flatten().all(|cell| cell.own_times.is_empty())
        });
        let silent: BTreeSet<&str> = silent.map(|column| column.variant.as_str()).collect();
        warnings.extend(silent.iter().map(|name| format!("{name} states no time, so it has none in the tables")));
        warnings.extend(unread(&self.results, &self.engines()).iter().map(|unread| unread.warning(file)));
        warnings
    }

    pub fn engines(&self) -> Vec<&str> {
        self.manifest.engines.iter().map(|engine| engine.name.as_str()).collect()
    }
}

/// One line for each variant whose table hashes its keys: an upper bound of the chance that the table gave some search
/// the entry of another position. Checked scores are right all the same. [`unread`] has unreadable specs.
pub fn risks(results: &Results) -> Vec<String> {
    let mut nodes: BTreeMap<(&str, &str), (&Series, u64)> = BTreeMap::new();
    for column in results.series() {
        let (_, all) = nodes.entry((&column.variant, &column.spec)).or_insert((column, 0));
        *all = all.saturating_add(column.all_nodes);
    }
    let line = |(Series { variant, read, .. }, nodes): (&Series, u64)| {
        let risk = read.as_ref().ok()?.risk(nodes);
        let text = format!(
            "{variant} hashes its keys: the chance that one of its {nodes} nodes was wrong is at most {risk:.1e}"
        );
        (risk > 0.0).then_some(text)
    };
    nodes.into_values().filter_map(line).collect()
}

/// The unreadable specs of one file, each once, by their first lines. `engines` are left out: they have no spec.
pub fn unread(results: &Results, engines: &[&str]) -> Vec<UnreadSpec> {
    let mut found: Vec<UnreadSpec> = Vec::new();
    for Series { name, spec, read, line, rows, .. } in results.series() {
        let Some(reason) = read.as_ref().err().filter(|_| !engines.contains(&name.as_str())) else { continue };
        let new = || UnreadSpec { spec: spec.clone(), reason: reason.clone(), line: *line, rows: 0 };
        let unread = entry(&mut found, |known| known.spec == *spec, new);
        unread.rows += rows;
        unread.line = unread.line.min(*line);
    }
    found.sort_by_key(|unread| unread.line);
    found
}

fn short(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::results::tests::{Sample, sample};
    use c4lab_measure::files::machine::Machine;
    use c4lab_measure::files::manifest::{Binary, digest};
    use c4lab_measure::files::sample::SCHEMA_VERSION;
    use c4lab_solver::search::Spec;
    use c4lab_solver::search::registry::PONS_12;

    pub(crate) fn reading(rows: &[Sample]) -> Reading {
        let experiment = Experiment::blank("test");
        let manifest = Manifest {
            schema_version: SCHEMA_VERSION,
            experiment_sha256: digest(&experiment).unwrap(),
            experiment,
            binary: Binary::current().unwrap(),
            machine: Machine::read(),
            ..Manifest::default()
        };
        let results = Results::of(rows.iter().cloned().map(Ok), &[]).unwrap();
        Reading {
            folder: "runs/test".into(),
            file: "runs/test/samples.csv".into(),
            results,
            tally: Tally::of(rows),
            manifest,
        }
    }

    #[test]
    fn hashed_keys_are_a_risk_and_specs_that_are_not_read_are_listed() {
        let of = |variant: &str, id: u64, spec: &str| Sample {
            variant: variant.to_string(),
            spec: spec.to_string(),
            ..sample("a", id, 100, 1 << 30)
        };
        let good = PONS_12.to_string();
        let hashed = Spec::parse("table=hashed,table-size=chosen", PONS_12).unwrap().to_string();
        assert!(risks(&reading(&[of("p", 1, &good)]).results).is_empty());
        let found = risks(&reading(&[of("a", 1, &hashed)]).results);
        assert!(found[0].contains("1073741824 nodes") && found[0].ends_with("at most 1.5e-8"), "{found:?}");
        let rows = [
            ("p", 1, &*good),
            ("b", 1, "walls=4"),
            ("a", 1, "order=sideways"),
            ("b", 2, "walls=4"),
            ("e", 1, "version=1"),
        ]
        .map(|(variant, id, spec)| of(variant, id, spec));
        let results = reading(&rows).results;
        let found = unread(&results, &["e"]);
        let shown: Vec<(&str, usize, usize)> = found.iter().map(|it| (it.spec.as_str(), it.line, it.rows)).collect();
        assert_eq!(shown, [("walls=4", 3, 2), ("order=sideways", 4, 1)]);
        assert!(found[0].reason.starts_with("no axis \"walls\"") && found[1].reason.starts_with("no value of order"));
        assert_eq!((unread(&results, &[]).len(), risks(&results).len()), (3, 0));
    }
}
