//! What a manifest says of a merged folder, and how manifests are put together.
//!
//! [`Facts`] is a union of sets, each in an order of its own. So the manifest that is made of it depends neither on the
//! order of the folders, nor on how often or in which steps they were merged.

use crate::counted::counted;
use crate::engines::record::EngineRecord;
use crate::files::machine::Machine;
use crate::files::manifest::{Binary, EarlierExperiment, Manifest, SetRecord, digest};
use crate::files::process_record::ProcessRecord;
use crate::plan::experiment::Experiment;
use crate::plan::shard::Shard;
use crate::sets::test_set::shown_path;
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::slice;

/// What was put together in a merged folder.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Merged {
    /// The machines that measured. Machines that are alike have one id.
    pub machines: Vec<Machine>,
    /// The shards that were begun; `1/1` is the whole experiment.
    pub shards: Vec<Shard>,
    /// The binaries that measured: one, unless builds were mixed.
    pub binaries: Vec<Binary>,
    /// The experiments that were measured: one, unless experiments were mixed.
    pub experiments: Vec<Experiment>,
    /// What differs between the folders, and was mixed because it was asked for.
    pub mixed: Vec<String>,
}

impl Merged {
    /// What makes the times doubtful.
    pub(crate) fn warning(&self) -> Option<String> {
        (!self.mixed.is_empty()).then(|| format!("mixed on request: {}", self.mixed.join(", ")))
    }
}

impl Manifest {
    /// The machines that measured.
    pub fn machines(&self) -> &[Machine] {
        self.merged.as_ref().map_or(slice::from_ref(&self.machine), |merged| &merged.machines)
    }

    /// The binaries that measured.
    pub fn binaries(&self) -> &[Binary] {
        self.merged.as_ref().map_or(slice::from_ref(&self.binary), |merged| &merged.binaries)
    }

    /// The shards that were begun.
    pub fn shards(&self) -> Vec<Shard> {
        let one = || vec![self.shard.unwrap_or(Shard::WHOLE)];
        self.merged.as_ref().map_or_else(one, |merged| merged.shards.clone())
    }

    /// Who measured what, in a line for each machine and one for the shards.
    pub fn told(&self) -> Vec<String> {
        let line = |machine: &Machine| {
            let cpu = machine.cpu.as_deref().unwrap_or("an unnamed processor");
            let runs = self.runs.iter().filter(|run| run.machine_id == machine.id).count();
            format!(
                "machine {}: {cpu}, {}, {}",
                machine.id,
                counted(machine.cores as usize, "core"),
                counted(runs, "run")
            )
        };
        let shards: Vec<String> = self.shards().iter().map(Shard::to_string).collect();
        let mut lines: Vec<String> = self.machines().iter().map(line).collect();
        lines.push(format!("shards: {}", shards.join(", ")));
        lines
    }

    /// The experiments that were measured.
    pub fn experiments(&self) -> &[Experiment] {
        self.merged.as_ref().map_or(slice::from_ref(&self.experiment), |merged| &merged.experiments)
    }
}

/// What manifests say, put together. Values are kept by their JSON, or by what identifies them.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    schema_version: u32,
    experiments: BTreeMap<String, Experiment>,
    history: BTreeMap<String, EarlierExperiment>,
    sets: BTreeMap<(String, String), SetRecord>,
    engines: BTreeMap<String, EngineRecord>,
    run_time: BTreeSet<String>,
    binaries: BTreeMap<String, Binary>,
    machines: BTreeMap<String, Machine>,
    shards: BTreeSet<Shard>,
    runs: BTreeMap<(String, String), ProcessRecord>,
}

impl Facts {
    /// Adds what a manifest says.
    pub fn add(&mut self, manifest: &Manifest) -> Result<()> {
        self.schema_version = self.schema_version.max(manifest.schema_version);
        for experiment in manifest.experiments() {
            self.experiments.insert(digest(experiment)?, experiment.clone());
        }
        for earlier in &manifest.history {
            self.history.insert(serde_json::to_string(earlier)?, earlier.clone());
        }
        for set in &manifest.test_sets {
            self.sets.insert((set.name.clone(), set.sha256.clone()), set.clone());
        }
        for engine in &manifest.engines {
            self.engines.insert(serde_json::to_string(engine)?, engine.clone());
        }
        for binary in manifest.binaries() {
            self.binaries.insert(serde_json::to_string(binary)?, binary.clone());
        }
        for machine in manifest.machines() {
            self.machines.insert(serde_json::to_string(machine)?, machine.clone());
        }
        self.run_time.extend(manifest.run_time.iter().cloned());
        self.shards.extend(manifest.shards());
        manifest.runs.iter().try_for_each(|run| self.add_run(run))
    }

    /// Adds a run. Of two states of one run the later stays: a folder may have been copied while it was measured into.
    fn add_run(&mut self, run: &ProcessRecord) -> Result<()> {
        let begun = ProcessRecord { ended_at: None, after: None, signature_after: None, ..run.clone() };
        let key = (run.started_at.clone(), serde_json::to_string(&begun)?);
        let rank = |run: &ProcessRecord| Ok::<_, anyhow::Error>((run.ended_at.is_some(), serde_json::to_string(run)?));
        let known = self.runs.get(&key).map(rank).transpose()?;
        if known.is_none_or(|known| known < rank(run).unwrap_or_default()) {
            self.runs.insert(key, run.clone());
        }
        Ok(())
    }

    /// Digests of experiments to which some folder added more.
    pub(crate) fn superseded(&self) -> BTreeSet<&str> {
        self.history.values().map(|earlier| earlier.experiment_sha256.as_str()).collect()
    }

    /// Digests of the binaries.
    pub fn binaries(&self) -> BTreeSet<&str> {
        self.binaries.values().map(|binary| binary.sha256.as_str()).collect()
    }

    /// The manifest of everything. `schemas` are the versions that rows have.
    pub fn manifest(&self, schemas: &BTreeSet<u32>) -> Result<Manifest> {
        // A folder that grew holds all that it was measured by before.
        let superseded = self.superseded();
        let experiments: BTreeMap<&String, &Experiment> =
            self.experiments.iter().filter(|(digest, _)| !superseded.contains(digest.as_str())).collect();
        let (Some((&experiment_sha256, &experiment)), Some(binary)) =
            (experiments.first_key_value(), self.binaries.values().next())
        else {
            bail!("nothing to merge");
        };
        let runs: Vec<ProcessRecord> = self.runs.values().cloned().collect();
        let first = |machine: &&Machine| runs.first().is_some_and(|run| run.machine_id == machine.id);
        let Some(machine) = self.machines.values().find(first).or_else(|| self.machines.values().next()) else {
            bail!("nothing to merge");
        };
        let differing = [
            (experiments.len(), "experiments"),
            (self.binaries().len(), "binaries"),
            (schemas.len(), "schema versions"),
        ];
        let mixed = differing.iter().filter(|(count, _)| *count > 1).map(|(_, what)| what.to_string()).collect();
        Ok(Manifest {
            schema_version: self.schema_version,
            experiment: experiment.clone(),
            experiment_sha256: experiment_sha256.clone(),
            history: self.history.values().cloned().collect(),
            test_sets: self.test_sets(),
            engines: self.engines.values().cloned().collect(),
            run_time: self.run_time.iter().cloned().collect(),
            binary: binary.clone(),
            machine: machine.clone(),
            shard: None,
            merged: Some(Merged {
                machines: self.machines.values().cloned().collect(),
                shards: self.shards.iter().copied().collect(),
                binaries: self.binaries.values().cloned().collect(),
                experiments: experiments.into_values().cloned().collect(),
                mixed,
            }),
            runs,
        })
    }

    /// The test sets in the order in which the experiments mention them.
    pub(crate) fn test_sets(&self) -> Vec<SetRecord> {
        let runs = self.experiments.values().flat_map(|experiment| &experiment.runs);
        let named: Vec<String> = runs.flat_map(|run| &run.test_sets).map(|name| shown_path(name)).collect();
        let mut sets: Vec<SetRecord> = self.sets.values().cloned().collect();
        sets.sort_by_key(|set| named.iter().position(|name| *name == set.name).unwrap_or(usize::MAX));
        sets
    }
}
