//! Merging: the rows and manifests of several folders become one folder.
//!
//! The rows are a union of sets, in an order that depends on the rows alone. The manifest
//! ([`crate::files::merged`]) is made in the same way. So merging is idempotent, commutative and associative,
//! to the byte. An observation is a cell in a run: the same row twice is one observation, a cell of two runs is two.

use crate::campaign::merged_counters::{self, Counters};
use crate::engines::record::EngineRecord;
use crate::files::atomic;
use crate::files::folder::{Folder, Rows};
use crate::files::manifest::{Manifest, SetRecord, digest};
use crate::files::merged::Facts;
use crate::files::sample::{self, SCHEMA_VERSION, Sample};
use crate::plan::experiment::Experiment;
use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A row, and where it stood.
#[derive(Clone, Debug)]
pub struct Found {
    /// The row.
    pub sample: Sample,
    /// Index of its file.
    file: usize,
    /// Its line.
    line: u64,
    /// The place of its set among the test sets of the experiments.
    set: usize,
}

/// The rows and manifests of some folders, put together.
#[derive(Debug, Default)]
pub struct Gathered {
    /// The files that were read, as messages name them.
    files: Vec<PathBuf>,
    /// The rows in their order, each observation once.
    rows: Vec<Found>,
    facts: Facts,
    counters: Counters,
    /// What the manifests and rows say (what, its value), and the first folder that says it.
    said: BTreeMap<(&'static str, String), PathBuf>,
    /// What stands under a name (what, its name), and the first folder that says so.
    named: BTreeMap<(&'static str, String), (String, PathBuf)>,
    /// Versions of the rows' columns.
    schemas: BTreeSet<u32>,
    /// Observations with two contents.
    torn: Vec<String>,
}

impl Gathered {
    /// Reads folders that `measure` or `merge` wrote, or records.
    ///
    /// # Errors
    /// A folder that cannot be read; rows of a binary or a set that its manifest does not have; two sets or engines under one name.
    pub fn read(folders: &[PathBuf]) -> Result<Self> {
        let mut gathered = Gathered::default();
        folders.iter().try_for_each(|folder| gathered.add(folder))?;
        gathered.unite();
        Ok(gathered)
    }

    fn add(&mut self, folder: &Path) -> Result<()> {
        let place = folder.display();
        // Rows before the manifest: a run is in the manifest before it adds a row.
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
            if !binaries.contains(sample.binary_sha256.as_str()) {
                bail!("{}: a row of a build that the manifest does not have", at());
            }
            // Old manifests name no sets.
            if !sets.is_empty() && !sets.contains(&(sample.set.as_str(), sample.set_sha256.as_str())) {
                bail!("{}: the test set {} is not the one of the manifest", at(), sample.set);
            }
        }
        let schemas: BTreeSet<u32> = self.rows[old..].iter().map(|found| found.sample.schema_version).collect();
        self.remember(folder, &manifest, &schemas)?;
        self.schemas.extend(schemas);
        self.counters.add(folder)?;
        self.facts.add(&manifest)
    }

    /// Remembers who says what; refused where two test sets or two engines have one name.
    fn remember(&mut self, folder: &Path, manifest: &Manifest, schemas: &BTreeSet<u32>) -> Result<()> {
        let sets = manifest.test_sets.iter().map(|set| ("test set", &set.name, set.sha256.clone()));
        let engines = manifest.engines.iter().map(|engine| ("engine", &engine.name, engine.spec()));
        // Before what a digest says: the clock is what people can see.
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
                bail!("{place}: the {what} {name} is not the one of {other}: they are never merged");
            }
        }
        let mut say = |what: &'static str, value: String| {
            self.said.entry((what, value)).or_insert_with(|| folder.to_path_buf());
        };
        for experiment in manifest.experiments() {
            say("experiment", digest(experiment)?);
        }
        manifest.binaries().iter().for_each(|binary| say("binary", binary.sha256.clone()));
        schemas.iter().for_each(|version| say("schema version", version.to_string()));
        Ok(())
    }

    /// Puts the rows into their order and leaves each observation once.
    fn unite(&mut self) {
        let sets = self.facts.test_sets();
        for found in &mut self.rows {
            let is_its = |set: &SetRecord| (&set.name, &set.sha256) == (&found.sample.set, &found.sample.set_sha256);
            found.set = sets.iter().position(is_its).unwrap_or(usize::MAX);
        }
        self.rows.sort_by(|one, other| order(one).cmp(&order(other)));
        let (files, torn) = (&self.files, &mut self.torn);
        self.rows.dedup_by(|later, first| {
            let same = observation(&first.sample) == observation(&later.sample);
            if same && !join(&mut first.sample, &mut later.sample) {
                torn.push(format!("{} and {}: one row with two contents", at(files, first), at(files, later)));
            }
            same
        });
    }

    /// The rows in their order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &Sample> {
        self.rows.iter().map(|found| &found.sample)
    }

    /// The manifest of everything.
    pub fn manifest(&self) -> Result<Manifest> {
        self.facts.manifest(&self.schemas)
    }

    /// What must be the same in all folders and is not, in words: merged only on request.
    pub fn differences(&self) -> Vec<String> {
        let superseded = self.facts.superseded();
        let of = |what: &'static str| {
            let values: Vec<String> = self
                .said
                .iter()
                .filter(|((other, value), _)| *other == what && !superseded.contains(value.as_str()))
                .map(|((_, value), folder)| format!("{} in {}", value.get(..12).unwrap_or(value), folder.display()))
                .collect();
            (values.len() > 1).then(|| format!("more than one {what}: {}", values.join(", ")))
        };
        let older = self.schemas.iter().find(|&&version| version < SCHEMA_VERSION);
        let lost = older.map(|version| {
            format!(
                "rows of schema {version} would be written with the columns of schema {SCHEMA_VERSION}, and lose those that it lacks"
            )
        });
        ["experiment", "binary", "schema version"].into_iter().filter_map(of).chain(lost).collect()
    }

    /// Rows that contradict each other, by folder and line: scores of one position, nodes of one search.
    pub fn conflicts(&self) -> Vec<String> {
        let contradictions = crate::files::contradiction::find(self.rows().enumerate());
        let say = |(one, other, what): (usize, usize, String)| {
            format!("{} and {}: {what}", at(&self.files, &self.rows[one]), at(&self.files, &self.rows[other]))
        };
        let torn = self.torn.iter().chain(&self.counters.conflicts).cloned();
        torn.chain(contradictions.into_iter().map(say)).collect()
    }

    /// Writes the folder. A new one appears at one stroke. One that is there stays whole at every moment, and loses no
    /// row.
    ///
    /// # Errors
    /// `out` holds something else, or rows that no folder has; another process measures into it; it cannot be written.
    pub fn write(&self, out: &Path, manifest: &Manifest, summary: &[u8]) -> Result<()> {
        let place = out.display();
        let (samples, counters) = (self.csv()?, self.counters.csv()?);
        let counters = counters.as_deref().map(|counters| (merged_counters::FILE, counters));
        let files: Vec<(&str, &[u8])> = [(sample::FILE, samples.as_slice())]
            .into_iter()
            .chain(counters)
            .chain([("summary.csv", summary)])
            .collect();
        if !out.join(sample::FILE).is_file() {
            let is_empty = !out.exists() || out.read_dir().is_ok_and(|mut entries| entries.next().is_none());
            if !is_empty {
                bail!("{place}: holds something else, or a record, which is never edited; choose another folder");
            }
            return stage(out, &files, manifest);
        }
        // Nobody adds rows to it from here on.
        let (_folder, rows) = Folder::open(out)?;
        let ours: HashSet<_> = self.rows().map(observation).collect();
        let lost = rows.iter().filter(|row| !ours.contains(&observation(row))).count();
        if lost > 0 {
            bail!("{place}: holds {lost} rows that no other folder has; name it among the folders too");
        }
        let mut counted = Counters::default();
        counted.add(out)?;
        if !self.counters.hold(&counted) {
            bail!("{place}: holds counters that no other folder has; name it among the folders too");
        }
        // The new manifest tells of the old rows too: whatever comes between, rows and manifest belong together.
        manifest.write(out)?;
        files.iter().try_for_each(|(file, bytes)| atomic::write(&out.join(file), bytes))
    }

    fn csv(&self) -> Result<Vec<u8>> {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        writer.write_record(crate::files::sample::COLUMNS)?;
        self.rows().try_for_each(|row| writer.serialize(row))?;
        Ok(writer.into_inner().map_err(|error| error.into_error())?)
    }
}

/// File and line of a row.
fn at(files: &[PathBuf], found: &Found) -> String {
    format!("{}, line {}", files[found.file].display(), found.line)
}

/// What makes a row the same row: its run and its cell.
fn observation(row: &Sample) -> (&str, &str) {
    (&row.run_id, &row.cell_id)
}

/// The order of rows: the schedule's, as far as rows tell it.
fn order(found: &Found) -> impl Ord + '_ {
    let row = &found.sample;
    let place = (found.set, &row.set, &row.set_sha256, row.goal.name(), row.repetition, row.position_id);
    (place, &row.run_id, &row.variant, &row.cell_id)
}

/// Joins two readings of one observation, since a record may lack moves and expected score. Says whether they agree.
fn join(first: &mut Sample, later: &mut Sample) -> bool {
    first.moves = first.moves.take().or_else(|| later.moves.clone());
    first.expected_score = first.expected_score.or(later.expected_score);
    later.moves = later.moves.take().or_else(|| first.moves.clone());
    later.expected_score = later.expected_score.or(first.expected_score);
    first == later
}

/// Writes a new folder beside its place, and moves it there when it is whole.
fn stage(out: &Path, files: &[(&str, &[u8])], manifest: &Manifest) -> Result<()> {
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
