//! Merging: the rows and manifests of several folders become one folder.
//!
//! The rows are a union of sets, in an order that depends only on the rows. The manifest is made in the same way. So
//! merging is idempotent, commutative and associative, to the byte. An observation is a cell in a run. Two copies of a
//! row are one observation; a cell of two runs is two.

use crate::engines::record::EngineRecord;
use crate::files::atomic;
use crate::files::machine::Machine;
use crate::files::manifest::{Manifest, Merged, ProcessRecord, SetRecord, digest};
use crate::files::sample::{self, CellKey, Folder, Rows, SCHEMA_VERSION, Sample, files_of};
use crate::plan::experiment::Experiment;
use crate::plan::shard::Shard;
use crate::run::tally;
use crate::sets::test_set::shown_path;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Found {
    pub sample: Sample,
    file: usize,
    line: u64,
    set: usize,
}

#[derive(Debug, Default)]
pub struct FolderUnion {
    files: Vec<PathBuf>,
    rows: Vec<Found>,
    manifests: Vec<(PathBuf, Manifest)>,
    /// Value by kind and name, and the first folder that has it.
    named: BTreeMap<(&'static str, String), (String, PathBuf)>,
    torn: Vec<String>,
}

impl FolderUnion {
    /// Reads folders that `measure` or `merge` wrote, or records.
    pub fn read(folders: &[PathBuf]) -> Result<Self> {
        let mut gathered = FolderUnion::default();
        folders.iter().try_for_each(|folder| gathered.add(folder))?;
        gathered.unite()?;
        Ok(gathered)
    }

    fn add(&mut self, folder: &Path) -> Result<()> {
        let place = folder.display();
        // The manifest is read after the rows, because a process is in the manifest before it adds a row.
        let mut rows = Rows::open(folder)?;
        let file = self.files.len();
        self.files.push(rows.file().to_path_buf());
        let old = self.rows.len();
        loop {
            let line = rows.line();
            let Some(sample) = rows.next() else { break };
            self.rows.push(Found { sample: sample?, file, line, set: usize::MAX });
        }
        let manifest = Manifest::read(folder)?.with_context(|| format!("{place}: no manifest.json"))?;
        let sets: BTreeSet<(&str, &str)> =
            manifest.test_sets.iter().map(|set| (set.name.as_str(), set.sha256.as_str())).collect();
        let binaries: BTreeSet<&str> = manifest.binaries().iter().map(|binary| binary.sha256.as_str()).collect();
        for Found { sample, line, .. } in &self.rows[old..] {
            let at = || format!("{}, line {line}", self.files[file].display());
            if !binaries.contains(&*sample.binary_sha256) && !manifest.links.contains(&sample.binary_sha256) {
                bail!("{}: the build of this row is not in the manifest", at());
            }
            if !sets.contains(&(sample.set.as_str(), sample.set_sha256.as_str())) {
                bail!("{}: the test set {} differs from that of the manifest", at(), sample.set);
            }
        }
        self.check_names(folder, &manifest)?;
        self.manifests.push((folder.to_path_buf(), manifest));
        Ok(())
    }

    /// Fails if one name means two test sets, two engines, or a compiled and a dynamic variant.
    fn check_names(&mut self, folder: &Path, manifest: &Manifest) -> Result<()> {
        let sets = manifest.test_sets.iter().map(|set| ("test set", &set.name, set.sha256.clone()));
        let engines = manifest.engines.iter().map(|engine| ("engine", &engine.name, engine.spec()));
        // Checked before the specs of engines: a clock is easier to read than a digest.
        let clock = |engine: &EngineRecord| engine.clock.name().to_string();
        let clocks = manifest.engines.iter().map(|engine| ("clock of the engine", &engine.name, clock(engine)));
        let order: Vec<String> = manifest.experiments().iter().flat_map(Experiment::order).collect();
        let kind = |name: &String| format!("at run time: {}", manifest.run_time.contains(name));
        let variants = order.iter().map(|name| ("variant", name, kind(name)));
        for (what, name, value) in sets.chain(clocks).chain(engines).chain(variants) {
            let first = || (value.clone(), folder.to_path_buf());
            let (known, other) = self.named.entry((what, name.clone())).or_insert_with(first);
            if *known != value {
                let (place, other) = (folder.display(), other.display());
                bail!("{place}: the {what} {name} differs from that of {other}: these folders cannot be merged");
            }
        }
        Ok(())
    }

    fn unite(&mut self) -> Result<()> {
        let sets = test_sets(&self.manifests)?;
        for found in &mut self.rows {
            let is_its = |set: &SetRecord| (&set.name, &set.sha256) == (&found.sample.set, &found.sample.set_sha256);
            found.set = sets.iter().position(is_its).unwrap_or(usize::MAX);
        }
        self.rows.sort_by(|one, other| order(one).cmp(&order(other)));
        // A record may lack moves and expected score, which another folder has.
        let mut known: HashMap<(usize, u64), (Option<String>, Option<i32>)> = HashMap::new();
        for Found { sample, set, .. } in &self.rows {
            let (moves, expected) = known.entry((*set, sample.position_id)).or_default();
            *moves = moves.take().or_else(|| sample.moves.clone());
            *expected = expected.or(sample.expected_score);
        }
        for Found { sample, set, .. } in &mut self.rows {
            let (moves, expected) = &known[&(*set, sample.position_id)];
            sample.moves = sample.moves.take().or_else(|| moves.clone());
            sample.expected_score = sample.expected_score.or(*expected);
        }
        let (files, torn) = (&self.files, &mut self.torn);
        self.rows.dedup_by(|later, first| {
            let same = observation(&first.sample) == observation(&later.sample);
            if same && first.sample != later.sample {
                torn.push(format!("{} and {}: two copies of a row differ", at(files, first), at(files, later)));
            }
            same
        });
        Ok(())
    }

    pub fn rows(&self) -> impl ExactSizeIterator<Item = &Sample> {
        self.rows.iter().map(|found| &found.sample)
    }

    pub fn manifest(&self) -> Result<Manifest> {
        merged(&self.manifests)
    }

    /// Differences between folders that are merged only on request.
    pub fn differences(&self) -> Result<Vec<String>> {
        let superseded = superseded(&self.manifests);
        let (mut experiments, mut binaries) = (BTreeMap::new(), BTreeMap::new());
        for (folder, manifest) in &self.manifests {
            for experiment in manifest.experiments() {
                let digest = digest(experiment)?;
                if !superseded.contains(digest.as_str()) {
                    experiments.entry(digest).or_insert(folder);
                }
            }
            for binary in manifest.binaries() {
                binaries.entry(binary.sha256.clone()).or_insert(folder);
            }
        }
        let mut differences = Vec::new();
        for (what, values) in [("experiment", experiments), ("binary", binaries)] {
            if values.len() > 1 {
                let shown = |(value, folder): (&String, &&PathBuf)| {
                    format!("{} in {}", value.get(..12).unwrap_or(value), folder.display())
                };
                let values: Vec<String> = values.iter().map(shown).collect();
                differences.push(format!("more than one {what}: {}", values.join(", ")));
            }
        }
        Ok(differences)
    }

    /// Contradictions between rows, by file and line: scores of one position, nodes of one search.
    pub fn conflicts(&self) -> Vec<String> {
        let contradictions = tally::contradictions(self.rows().enumerate());
        let say = |(one, other, what): (usize, usize, String)| {
            format!("{} and {}: {what}", at(&self.files, &self.rows[one]), at(&self.files, &self.rows[other]))
        };
        self.torn.iter().cloned().chain(contradictions.into_iter().map(say)).collect()
    }

    /// Writes the folder `out`. A new folder appears complete, by one rename. An existing folder stays valid at every
    /// moment, and loses no row.
    pub fn write(&self, out: &Path, manifest: &Manifest, summary: &[u8]) -> Result<()> {
        let place = out.display();
        // Side files first, because the rows refer to them.
        let mut files = files_of(self.rows().cloned().map(Ok))?.to_vec();
        files.push(("summary.csv", summary.to_vec()));
        if !out.join(sample::FILE).is_file() {
            let is_empty = !out.exists() || out.read_dir().is_ok_and(|mut entries| entries.next().is_none());
            if !is_empty {
                bail!("{place}: holds other files, or a record, which is never edited; choose another folder");
            }
            return stage(out, &files, manifest);
        }
        // The lock on the folder keeps other processes from adding rows.
        let (_folder, rows) = Folder::open(out)?;
        let ours: HashSet<_> = self.rows().map(observation).collect();
        let lost = rows.iter().filter(|row| !ours.contains(&observation(row))).count();
        if lost > 0 {
            bail!("{place}: holds {lost} rows that no other folder has; merge this folder too");
        }
        // The new manifest describes the old rows too, so that an interruption after this write leaves a valid folder.
        manifest.write(out)?;
        files.iter().try_for_each(|(file, bytes)| atomic::write(&out.join(file), bytes))
    }
}

fn at(files: &[PathBuf], found: &Found) -> String {
    format!("{}, line {}", files[found.file].display(), found.line)
}

/// A cell has one row that fills it, and perhaps others whose searches were made again.
fn observation(row: &Sample) -> (&str, CellKey<'_>, Option<(&str, Option<u64>)>) {
    (&row.run_id, row.cell(), row.is_void().then_some((&*row.started_at, row.wall_ns)))
}

/// The sort key of a row: the order of the schedule, as far as the columns of the row give it.
fn order(found: &Found) -> impl Ord + '_ {
    let row = &found.sample;
    let place = (found.set, &row.set, &row.set_sha256, row.goal.name(), row.repetition, row.position_id);
    (place, &row.run_id, &row.variant, row.process, observation(row).2)
}

/// Writes a new folder under a temporary name beside `out`, and renames it when it is complete.
fn stage(out: &Path, files: &[(&str, Vec<u8>)], manifest: &Manifest) -> Result<()> {
    let name = out.file_name().with_context(|| format!("{} is not the name of a folder", out.display()))?;
    let beside = out.with_file_name(format!(".{}.{}.tmp", name.to_string_lossy(), std::process::id()));
    let filled = files
        .iter()
        .try_for_each(|(file, bytes)| atomic::write(&beside.join(file), bytes))
        .and_then(|()| manifest.write(&beside));
    let moved = filled
        .and_then(|()| fs::rename(&beside, out).with_context(|| format!("cannot write the folder {}", out.display())));
    if moved.is_err() {
        let _ = fs::remove_dir_all(&beside);
    }
    moved
}

type Manifests = [(PathBuf, Manifest)];

/// `values` without repetition, sorted by their JSON, so that their order does not depend on the order of folders.
fn distinct<'a, T: Serialize + Clone + 'a>(values: impl Iterator<Item = &'a T>) -> Result<Vec<T>> {
    let keyed = values.map(|value| Ok((serde_json::to_string(value)?, value.clone())));
    Ok(keyed.collect::<Result<BTreeMap<String, T>>>()?.into_values().collect())
}

/// Digests of experiments that a folder has extended since.
fn superseded(manifests: &Manifests) -> BTreeSet<&str> {
    let history = manifests.iter().flat_map(|(_, manifest)| &manifest.history);
    history.map(|earlier| earlier.experiment_sha256.as_str()).collect()
}

fn experiments(manifests: &Manifests) -> Result<BTreeMap<String, &Experiment>> {
    let all = manifests.iter().flat_map(|(_, manifest)| manifest.experiments());
    all.map(|experiment| Ok((digest(experiment)?, experiment))).collect()
}

fn test_sets(manifests: &Manifests) -> Result<Vec<SetRecord>> {
    let experiments = experiments(manifests)?;
    let runs = experiments.values().flat_map(|experiment| &experiment.runs);
    let named: Vec<String> = runs.flat_map(|run| &run.test_sets).map(|name| shown_path(name)).collect();
    let sets = manifests.iter().flat_map(|(_, manifest)| &manifest.test_sets);
    let sets: BTreeMap<_, &SetRecord> = sets.map(|set| ((&set.name, &set.sha256), set)).collect();
    let mut sets: Vec<SetRecord> = sets.into_values().cloned().collect();
    sets.sort_by_key(|set| named.iter().position(|name| *name == set.name).unwrap_or(usize::MAX));
    Ok(sets)
}

/// The processes in order of their start. Of two states of one process the later stays, because a folder may have been
/// copied during a measurement.
fn runs(manifests: &Manifests) -> Result<Vec<ProcessRecord>> {
    let mut runs: BTreeMap<(&str, String), (bool, String, &ProcessRecord)> = BTreeMap::new();
    for run in manifests.iter().flat_map(|(_, manifest)| &manifest.runs) {
        let begun = ProcessRecord { ended_at: None, after: None, signature_after: None, ..run.clone() };
        let key = (run.started_at.as_str(), serde_json::to_string(&begun)?);
        let state = (run.ended_at.is_some(), serde_json::to_string(run)?, run);
        let known = runs.entry(key).or_insert_with(|| state.clone());
        if (known.0, &known.1) < (state.0, &state.1) {
            *known = state;
        }
    }
    Ok(runs.into_values().map(|(_, _, run)| run.clone()).collect())
}

/// The common manifest, without the experiments that a folder has extended since.
fn merged(manifests: &Manifests) -> Result<Manifest> {
    let all = || manifests.iter().map(|(_, manifest)| manifest);
    let superseded = superseded(manifests);
    let mut experiments = experiments(manifests)?;
    experiments.retain(|digest, _| !superseded.contains(digest.as_str()));
    let (binaries, machines) =
        (distinct(all().flat_map(Manifest::binaries))?, distinct(all().flat_map(Manifest::machines))?);
    let runs = runs(manifests)?;
    let first = |machine: &&Machine| runs.first().is_some_and(|run| run.machine_id == machine.id);
    let machine = machines.iter().find(first).or(machines.first());
    let (Some((experiment_sha256, &experiment)), Some(binary), Some(machine)) =
        (experiments.first_key_value(), binaries.first(), machine)
    else {
        bail!("nothing to merge");
    };
    let builds: BTreeSet<&str> = binaries.iter().map(|binary| binary.sha256.as_str()).collect();
    let differing = [(experiments.len(), "experiments"), (builds.len(), "binaries")];
    let mixed = differing.iter().filter(|(count, _)| *count > 1).map(|(_, what)| what.to_string()).collect();
    let links: BTreeSet<&String> = all().flat_map(|manifest| &manifest.links).collect();
    if builds.len() > 1 && !links.is_empty() {
        bail!("links of several builds are not merged");
    }
    let run_time: BTreeSet<&String> = all().flat_map(|manifest| &manifest.run_time).collect();
    let shards: BTreeSet<Shard> = all().flat_map(Manifest::shards).collect();
    Ok(Manifest {
        schema_version: SCHEMA_VERSION,
        experiment: experiment.clone(),
        experiment_sha256: experiment_sha256.clone(),
        history: distinct(all().flat_map(|manifest| &manifest.history))?,
        test_sets: test_sets(manifests)?,
        engines: distinct(all().flat_map(|manifest| &manifest.engines))?,
        run_time: run_time.into_iter().cloned().collect(),
        binary: binary.clone(),
        links: links.into_iter().cloned().collect(),
        machine: machine.clone(),
        merged: Some(Merged {
            shards: shards.into_iter().collect(),
            experiments: experiments.values().map(|&experiment| experiment.clone()).collect(),
            mixed,
            machines: machines.clone(),
            binaries: binaries.clone(),
        }),
        runs,
        ..Manifest::default()
    })
}
