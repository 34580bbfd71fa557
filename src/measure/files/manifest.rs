//! The manifest: what was measured, by which binary, on which machine, in which condition.

use crate::counted::counted;
use crate::digest::sha256;
use crate::engines::record::EngineRecord;
use crate::files::atomic;
use crate::files::build_info;
use crate::files::machine::Machine;
use crate::files::process_record::ProcessRecord;
use crate::files::sample::{READS_OLDER, SCHEMA_VERSION};
use crate::plan::experiment::Experiment;
use crate::plan::shard::Shard;
use crate::sets::test_set::{TestSet, shown_path};
use anyhow::{Context, Result, bail};
use c4lab_solver::search::spec::real_vectors;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::slice;

pub const FILE: &str = "manifest.json";

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Manifest {
    pub schema_version: u32,
    /// The experiment as it was measured, command line included.
    pub experiment: Experiment,
    pub experiment_sha256: String,
    /// What it was before the folder grew, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<EarlierExperiment>,
    pub test_sets: Vec<SetRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<EngineRecord>,
    /// The variants that ran at run time: their times are compared only with each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub run_time: Vec<String>,
    pub binary: Binary,
    pub machine: Machine,
    /// The shard of the experiment, where it was not the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<Merged>,
    pub runs: Vec<ProcessRecord>,
}

#[derive(Deserialize)]
struct Version {
    schema_version: u32,
}

/// An experiment that a folder was measured by before passes, processes or positions were added.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct EarlierExperiment {
    pub experiment: Experiment,
    pub experiment_sha256: String,
    /// The last process that measured by it; none where none began.
    pub last_run: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct SetRecord {
    pub name: String,
    pub sha256: String,
    pub positions: usize,
    pub shipped: bool,
}

impl SetRecord {
    pub fn of(set: &TestSet) -> Self {
        SetRecord {
            name: set.name.clone(),
            sha256: set.sha256.clone(),
            positions: set.items.len(),
            shipped: set.shipped,
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Binary {
    pub sha256: String,
    pub version: String,
    pub git_rev: Option<String>,
    /// Whether the tree had changes that were not committed.
    pub dirty: Option<bool>,
    pub rustc: String,
    pub flags: String,
    pub target: String,
    /// The target's features that the code was compiled for.
    pub target_features: String,
    /// Evaluators that use vector instructions on this build.
    pub simd: Vec<String>,
}

impl Manifest {
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for (index, run) in self.runs.iter().enumerate() {
            run.warn(&mut warnings);
            // One that was cut off and went on in a later process is as good as whole.
            let ended = |other: &ProcessRecord| other.process == run.process && other.signature_after.is_some();
            if run.signature_after.is_none() && (self.merged.is_some() || !self.runs[index..].iter().any(ended)) {
                warnings.push(format!("process {}: it was ended before it had measured everything", run.id));
            }
        }
        let processes = self.experiment.processes;
        let ended = (1..=processes as u32).filter(|&process| self.has_ended(process)).count() as u64;
        if ended < processes && processes > 1 && self.merged.is_none() {
            warnings.push(format!("{ended} of {processes} processes measured everything"));
        }
        warnings.extend(self.binaries().iter().filter_map(Binary::doubt));
        warnings.extend(self.merged.as_ref().and_then(Merged::warning));
        if self.experiment.repetitions > 1 {
            let keeps = self.engines.iter().filter(|engine| engine.reset == "none");
            warnings.extend(keeps.map(|engine| {
                format!("{}: not reset between positions, its later passes may be answered from memory", engine.name)
            }));
        }
        warnings
    }
}

impl Binary {
    /// Why it is not known what it was built from; `None` where it is known.
    pub fn doubt(&self) -> Option<String> {
        (self.dirty == Some(true)).then(|| "built from a tree with changes that were not committed".to_string())
    }

    pub fn current() -> Result<Self> {
        let path = std::env::current_exe().context("the path of this program")?;
        let bytes = std::fs::read(&path).context("this program's own file")?;
        Ok(Binary {
            sha256: sha256(&bytes),
            version: env!("CARGO_PKG_VERSION").to_string(),
            git_rev: build_info::git_rev(),
            dirty: build_info::GIT_DIRTY,
            rustc: build_info::RUSTC.to_string(),
            flags: format!("-C opt-level={} {}", build_info::OPT_LEVEL, build_info::RUSTFLAGS),
            target: build_info::TARGET.to_string(),
            target_features: build_info::TARGET_FEATURES.to_string(),
            simd: real_vectors(),
        })
    }
}

impl Manifest {
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let place = || path.display().to_string();
        let text = std::fs::read_to_string(&path).with_context(place)?;
        let version: Version = serde_json::from_str(&text).with_context(place)?;
        match version.schema_version {
            SCHEMA_VERSION => Ok(Some(serde_json::from_str(&text).with_context(place)?)),
            other => bail!(
                "{}: schema version {other}; this c4lab reads {SCHEMA_VERSION} alone, and c4lab at revision {READS_OLDER} the older ones",
                path.display()
            ),
        }
    }

    /// Whether a process of the experiment has come to its end, the last time that it was begun.
    pub fn has_ended(&self, process: u32) -> bool {
        self.runs.iter().rfind(|run| run.process == process).is_some_and(|run| run.signature_after.is_some())
    }

    /// The folder is measured by a larger experiment from now on; the one before is kept.
    pub(crate) fn grow(&mut self, experiment: Experiment, experiment_sha256: String) {
        self.history.push(EarlierExperiment {
            experiment: std::mem::replace(&mut self.experiment, experiment),
            experiment_sha256: std::mem::replace(&mut self.experiment_sha256, experiment_sha256),
            last_run: self.runs.last().map(|run| run.id.clone()),
        });
    }

    pub fn write(&self, folder: &Path) -> Result<()> {
        atomic::write_json(&folder.join(FILE), self)
    }
}

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
    pub(crate) fn warning(&self) -> Option<String> {
        (!self.mixed.is_empty()).then(|| format!("mixed on request: {}", self.mixed.join(", ")))
    }
}

impl Manifest {
    pub fn machines(&self) -> &[Machine] {
        self.merged.as_ref().map_or(slice::from_ref(&self.machine), |merged| &merged.machines)
    }

    pub fn binaries(&self) -> &[Binary] {
        self.merged.as_ref().map_or(slice::from_ref(&self.binary), |merged| &merged.binaries)
    }

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

    pub fn experiments(&self) -> &[Experiment] {
        self.merged.as_ref().map_or(slice::from_ref(&self.experiment), |merged| &merged.experiments)
    }
}

pub fn digest(experiment: &Experiment) -> Result<String> {
    Ok(sha256(toml::to_string(experiment)?.as_bytes()))
}

/// The command line without the machine's folders. The program keeps its name. Absolute paths keep what [`shown_path`]
/// leaves of them, also behind `=`, between commas, and in the commands of engines.
pub fn command_line(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let shorten = |argument: String| {
        let (option, value) =
            argument.split_once('=').map_or(("", argument.as_str()), |(option, value)| (option, value));
        let words = |part: &str| part.split(' ').map(shown_path).collect::<Vec<_>>().join(" ");
        let value = value.split(',').map(words).collect::<Vec<_>>().join(",");
        if option.is_empty() { value } else { format!("{option}={value}") }
    };
    let mut line: Vec<String> = arguments.map(shorten).collect();
    if let Some(program) = line.first_mut() {
        *program = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_keeps_no_folder_of_the_machine() {
        let here = std::env::current_dir().unwrap();
        let (below, sets) = (here.join("x/y.toml"), format!("end-easy,{}", here.join("s.txt").display()));
        let line = [
            "target/release/c4lab",
            "measure",
            below.to_str().unwrap(),
            "--out=/tmp/a/b",
            "--test-sets",
            &sets,
            "e=/x/run /y/z",
        ];
        let shown = command_line(line.map(str::to_string).into_iter());
        assert_eq!(shown, ["c4lab", "measure", "x/y.toml", "--out=b", "--test-sets", "end-easy,s.txt", "e=run z"]);
    }
}
