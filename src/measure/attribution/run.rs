//! Counts an attribution: the searches that its folder misses are counted, checked, and added row by row.

use crate::attribution::{Attribution, ablation_path};
use crate::files::machine::{Condition, Machine};
use crate::files::manifest::{self, Binary, SetRecord, read_versioned};
use crate::files::node_row::{NodeRow, NodeTable};
use crate::files::rows::Appended;
use crate::files::{atomic, sample};
use crate::run::measure::Observer;
use crate::run::node_run::{Task, Terms, count};
use crate::sets::test_set::TestSet;
use crate::text::{now, sha256};
use anyhow::{Result, bail};
use c4lab_solver::search::Spec;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

const SCHEMA_VERSION: u32 = 1;

/// `manifest.json` of an attribution: its settings, binary and runs. The runs may be on several machines, because node
/// counts, unlike times, do not depend on the machine.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct AttributionManifest {
    pub schema_version: u32,
    pub attribution: Attribution,
    pub attribution_sha256: String,
    pub test_sets: Vec<SetRecord>,
    pub binary: Binary,
    /// The requested ablation paths: the specs of both ends.
    #[serde(default)]
    pub paths: Vec<(String, String)>,
    pub runs: Vec<NodeRun>,
}

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct NodeRun {
    pub command: Vec<String>,
    pub started_at: String,
    pub ended_at: Option<String>,
    pub machine_id: String,
    pub threads: usize,
    pub before: Condition,
    pub after: Option<Condition>,
}

impl AttributionManifest {
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        read_versioned(folder, SCHEMA_VERSION)
    }

    pub fn write(&self, folder: &Path) -> Result<()> {
        atomic::write_json(&folder.join(manifest::FILE), self)
    }

    pub fn warnings(&self) -> Vec<String> {
        self.binary.doubt().into_iter().collect()
    }
}

fn manifest_of(
    attribution: &Attribution,
    sets: &[TestSet],
    folder: &Path,
    is_new: bool,
) -> Result<AttributionManifest> {
    let (place, attribution, binary) = (folder.display(), attribution.without_folders(), Binary::current()?);
    let attribution_sha256 = sha256(toml::to_string(&attribution)?.as_bytes());
    let test_sets: Vec<SetRecord> = sets.iter().map(SetRecord::of).collect();
    let Some(manifest) = AttributionManifest::read(folder)? else {
        if !is_new {
            bail!("{place}: rows without a manifest; choose another --out");
        }
        return Ok(AttributionManifest {
            schema_version: SCHEMA_VERSION,
            attribution,
            attribution_sha256,
            test_sets,
            binary,
            paths: Vec::new(),
            runs: Vec::new(),
        });
    };
    let refused = [
        (manifest.attribution_sha256 != attribution_sha256, "holds another attribution or other settings of this one"),
        (manifest.test_sets != test_sets, "a test set has changed since"),
        (manifest.binary.sha256 != binary.sha256, "counted by another build of c4lab"),
    ];
    match refused.iter().find(|(differs, _)| *differs) {
        Some((_, reason)) => bail!("{place}: {reason}; choose another --out"),
        None => Ok(manifest),
    }
}

pub struct AttributionRun<'a> {
    attribution: &'a Attribution,
    combinations: Vec<Spec>,
    sets: Vec<TestSet>,
    folder: PathBuf,
    file: Appended<NodeRow>,
    table: NodeTable,
    manifest: AttributionManifest,
    threads: usize,
    interrupt: &'a AtomicBool,
}

impl<'a> AttributionRun<'a> {
    pub fn open(
        attribution: &'a Attribution,
        folder: &Path,
        command: Vec<String>,
        threads: usize,
        interrupt: &'a AtomicBool,
        observer: &mut dyn Observer,
    ) -> Result<Self> {
        // The whole request is checked before anything is written.
        let (sets, combinations) = (attribution.open_sets()?, attribution.combinations()?);
        if folder.join(sample::FILE).exists() {
            bail!("{}: holds the samples of `measure`; choose another --out", folder.display());
        }
        let (file, rows) = Appended::<NodeRow>::open(folder)?;
        let mut manifest = manifest_of(attribution, &sets, folder, rows.is_empty())?;
        manifest.runs.push(NodeRun {
            command,
            started_at: now(),
            ended_at: None,
            machine_id: Machine::read().id,
            threads,
            before: Condition::read(),
            after: None,
        });
        manifest.write(folder)?;
        let mut table = NodeTable::default();
        rows.iter().filter_map(|row| table.enter(row)).for_each(|warning| observer.warn(&warning));
        let folder = folder.to_path_buf();
        Ok(AttributionRun { attribution, combinations, sets, folder, file, table, manifest, threads, interrupt })
    }

    /// Counts all combinations. `false` if interrupted.
    pub fn factorial(&mut self, observer: &mut dyn Observer) -> Result<bool> {
        let specs = self.combinations.clone();
        self.need(&specs, observer)
    }

    /// Counts the specs on and beside the ablation path between two specs. `false` if interrupted.
    pub fn path(&mut self, from: Spec, to: Spec, observer: &mut dyn Observer) -> Result<bool> {
        let ends = (from.to_string(), to.to_string());
        if !self.manifest.paths.contains(&ends) {
            self.manifest.paths.push(ends);
            self.manifest.write(&self.folder)?;
        }
        if !self.need(&[from, to], observer)? {
            return Ok(false);
        }
        let path = ablation_path::walk(from, to, |specs| {
            if !self.need(specs, observer)? {
                return Ok(None);
            }
            let sets: Vec<&str> = self.sets.iter().map(|set| set.sha256.as_str()).collect();
            Ok(specs.iter().map(|spec| self.table.mean_log(&sets, *spec)).collect())
        })?;
        Ok(path.is_some())
    }

    /// Counts the missing searches of `specs`. `false` if interrupted.
    fn need(&mut self, specs: &[Spec], observer: &mut dyn Observer) -> Result<bool> {
        let tasks = self.missing(specs);
        if !tasks.is_empty() {
            observer.start(tasks.len(), self.table.rows);
        }
        let terms = Terms {
            sets: &self.sets,
            goal: self.attribution.goal,
            options: self.attribution.options()?,
            node_limit: self.attribution.node_limit,
            interrupt: self.interrupt,
        };
        let (file, table) = (&mut self.file, &mut self.table);
        let counted = count(&tasks, terms, self.threads, |row| {
            file.add(&row)?;
            table.enter(&row).iter().for_each(|warning| observer.warn(warning));
            observer.row(&row.set, row.goal);
            Ok(())
        })?;
        Ok(counted == tasks.len())
    }

    /// The searches of `specs` without a row, those of one spec adjacent.
    fn missing(&self, specs: &[Spec]) -> Vec<Task> {
        let mut tasks = Vec::new();
        let first = |(index, spec): &(usize, &Spec)| !specs[..*index].contains(spec);
        for (_, &spec) in specs.iter().enumerate().filter(first) {
            let techniques = self.combinations.iter().position(|other| *other == spec);
            let techniques = techniques.map(|on| self.attribution.digits(on));
            let text = spec.to_string();
            for (set, opened) in self.sets.iter().enumerate() {
                let there = self.table.cells(&opened.sha256, &text);
                let lines = opened.items.iter().map(|item| item.line as u64);
                let lines = lines.take(self.attribution.positions(opened.items.len())).enumerate();
                let missing = lines.filter(|(_, line)| there.is_none_or(|cells| !cells.contains_key(line)));
                let task = |(item, _)| Task { spec, techniques: techniques.clone(), set, item };
                tasks.extend(missing.map(task));
            }
        }
        tasks
    }

    pub fn table(&self) -> &NodeTable {
        &self.table
    }

    pub fn end(mut self) -> Result<()> {
        if let Some(run) = self.manifest.runs.last_mut() {
            run.after = Some(Condition::read());
            run.ended_at = Some(now());
        }
        self.manifest.write(&self.folder)
    }
}
