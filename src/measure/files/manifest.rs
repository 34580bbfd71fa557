//! The manifest of samples, and that of instruction counts: the experiment, the binary, the machine and its condition.

use crate::clock::Calibration;
use crate::engines::record::EngineRecord;
use crate::files::machine::{Machine, MachineState};
use crate::files::sample::{READS_OLDER, SCHEMA_VERSION};
use crate::files::{atomic, build_info};
use crate::plan::experiment::Experiment;
use crate::plan::schedule::BatchLength;
use crate::plan::shard::Shard;
use crate::sets::test_set::{TestSet, shown_path};
use crate::signature::{SHORT, positions, signature};
use crate::text::{now, pluralize, read_text, sha256};
use anyhow::{Context, Result, bail};
use c4lab_solver::search::spec::real_vectors;
use c4lab_solver::search::{Options, registry};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::Path;
use std::slice;
use std::time::SystemTime;

pub const FILE: &str = "manifest.json";

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Manifest {
    pub schema_version: u32,
    /// The experiment as it was measured, command line included.
    pub experiment: Experiment,
    pub experiment_sha256: String,
    /// The experiments that the folder was measured by before it grew, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<EarlierExperiment>,
    pub test_sets: Vec<SetRecord>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<EngineRecord>,
    /// The dynamic variants, whose times are compared only with each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub run_time: Vec<String>,
    pub binary: Binary,
    /// Digests of further links of the binary, with its functions in other orders, that measured processes of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    pub machine: Machine,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged: Option<Merged>,
    /// The number of cells of the experiment, or of the shard; `None` if several experiments were merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<usize>,
    pub runs: Vec<ProcessRecord>,
}

/// An experiment that a folder was measured by before passes, processes or positions were added.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct EarlierExperiment {
    pub experiment: Experiment,
    pub experiment_sha256: String,
    /// The last process that measured this experiment; `None` if none began.
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

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Binary {
    pub sha256: String,
    pub version: String,
    pub git_rev: Option<String>,
    pub dirty: Option<bool>,
    pub rustc: String,
    pub flags: String,
    pub target: String,
    pub target_features: String,
    pub simd: Vec<String>,
}

/// Reads the manifest of `folder`, whose version must be `known`; `None` if there is none.
pub fn read_versioned<T: DeserializeOwned>(folder: &Path, known: u32) -> Result<Option<T>> {
    let path = folder.join(FILE);
    if !path.exists() {
        return Ok(None);
    }
    if !path.is_file() {
        bail!("{}: not a file", path.display());
    }
    let place = || path.display().to_string();
    let text = read_text(&path)?;
    let value: serde_json::Value = serde_json::from_str(&text).with_context(place)?;
    let schema_version = value["schema_version"].as_u64().with_context(|| format!("{}: no schema_version", place()))?;
    let known = u64::from(known);
    if schema_version != known {
        let older = format!(", and c4lab at revision {READS_OLDER} the older ones");
        let older = if schema_version < known { older } else { String::new() };
        bail!("{}: schema version {schema_version}; this c4lab reads only {known}{older}", place());
    }
    Ok(Some(serde_json::from_str(&text).with_context(place)?))
}

pub fn write_manifest(folder: &Path, manifest: &impl Serialize) -> Result<()> {
    atomic::write_json(&folder.join(FILE), manifest)
}

impl Manifest {
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        read_versioned(folder, SCHEMA_VERSION)
    }

    /// Replaces the experiment by a larger one, and keeps the old one in `history`.
    pub(crate) fn grow(&mut self, experiment: Experiment, experiment_sha256: String) {
        self.history.push(EarlierExperiment {
            experiment: std::mem::replace(&mut self.experiment, experiment),
            experiment_sha256: std::mem::replace(&mut self.experiment_sha256, experiment_sha256),
            last_run: self.runs.last().map(|run| run.id.clone()),
        });
    }

    pub fn write(&self, folder: &Path) -> Result<()> {
        write_manifest(folder, self)
    }

    pub fn machines(&self) -> &[Machine] {
        self.merged.as_ref().map_or(slice::from_ref(&self.machine), |merged| &merged.machines)
    }

    pub fn binaries(&self) -> &[Binary] {
        self.merged.as_ref().map_or(slice::from_ref(&self.binary), |merged| &merged.binaries)
    }

    /// The digest of the binary of which `binary` is a link, or `binary`.
    pub fn build_of(&self, binary: String) -> String {
        if self.links.contains(&binary) { self.binary.sha256.clone() } else { binary }
    }

    /// ` in 3 links`, or nothing.
    pub fn in_links(&self) -> String {
        if self.links.is_empty() { String::new() } else { format!(" in {} links", self.links.len() + 1) }
    }

    pub fn shards(&self) -> Vec<Shard> {
        let one = || vec![self.shard.unwrap_or(Shard::WHOLE)];
        self.merged.as_ref().map_or_else(one, |merged| merged.shards.clone())
    }

    pub fn description(&self) -> Vec<String> {
        let line = |machine: &Machine| {
            let cpu = machine.cpu.as_deref().unwrap_or("an unnamed processor");
            let runs = self.runs.iter().filter(|run| run.machine_id == machine.id).count();
            format!(
                "machine {}: {cpu}, {}, {}",
                machine.id,
                pluralize(machine.cores as usize, "core"),
                pluralize(runs, "run")
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

    /// The greatest relative change of the machine's speed in a process.
    pub fn drift(&self) -> f64 {
        self.runs.iter().filter_map(ProcessRecord::drift).fold(0.0, f64::max)
    }

    /// The reasons to doubt the times of all processes.
    pub fn doubts(&self) -> Vec<String> {
        let of = |machine: &Machine| doubts(self.runs.iter().filter(|run| run.machine_id == machine.id));
        self.machines().iter().flat_map(of).collect()
    }

    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for (index, run) in self.runs.iter().enumerate() {
            let doubts = doubts(std::iter::once(run));
            warnings.extend(doubts.iter().map(|doubt| format!("process {}: {doubt}", run.id)));
            // No warning about an interrupted process that a later start completed.
            let ended = |other: &ProcessRecord| other.process == run.process && other.signature_after.is_some();
            if run.signature_after.is_none() && (self.merged.is_some() || !self.runs[index..].iter().any(ended)) {
                warnings.push(format!("process {}: it was ended before it had measured everything", run.id));
            }
        }
        let processes = self.experiment.processes;
        let last_start = |process: u32| self.runs.iter().rfind(|run| run.process == process);
        let starts = (1..=processes as u32).filter_map(last_start);
        let ended = starts.filter(|run| run.signature_after.is_some()).count() as u64;
        if ended < processes && processes > 1 && self.merged.is_none() {
            warnings.push(format!("{ended} of {processes} processes measured everything"));
        }
        warnings.extend(self.binaries().iter().filter_map(Binary::doubt));
        let mixed = self.merged.iter().filter(|merged| !merged.mixed.is_empty());
        warnings.extend(mixed.map(|merged| format!("mixed on request: {}", merged.mixed.join(", "))));
        let unversioned = self.engines.iter().filter(|engine| engine.is_unversioned());
        warnings.extend(
            unversioned.map(|engine| format!("{}: it prints no version; the digest of its files is used", engine.name)),
        );
        if self.experiment.repetitions > 1 {
            let keeps = self.engines.iter().filter(|engine| engine.reset == "none");
            warnings.extend(keeps.map(|engine| {
                format!("{}: not reset between positions, later passes may be answered from memory", engine.name)
            }));
        }
        warnings
    }
}

impl Binary {
    /// The reason why the sources of the binary are unknown; `None` if they are known.
    pub fn doubt(&self) -> Option<String> {
        (self.dirty == Some(true)).then(|| "built from a tree with changes that were not committed".to_string())
    }

    /// True if `self` is made as `other` is, from the same revision: all but its digest is equal.
    pub fn is_link_of(&self, other: &Self) -> bool {
        Binary { sha256: other.sha256.clone(), ..self.clone() } == *other
    }

    pub fn current() -> Result<Self> {
        let path = std::env::current_exe().context("the path of this program")?;
        let features = if registry::ABLATIONS { " --features ablations" } else { "" };
        let bytes = std::fs::read(&path).context("this program's own file")?;
        Ok(Binary {
            sha256: sha256(&bytes),
            version: env!("CARGO_PKG_VERSION").to_string(),
            git_rev: build_info::git_rev(),
            dirty: build_info::GIT_DIRTY,
            rustc: build_info::RUSTC.to_string(),
            flags: format!("-C opt-level={}{features} {}", registry::OPT_LEVEL, build_info::RUSTFLAGS),
            target: build_info::TARGET.to_string(),
            target_features: build_info::TARGET_FEATURES.to_string(),
            simd: real_vectors(),
        })
    }
}

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Merged {
    /// The machines that measured. Machines with equal stable fields have one id.
    pub machines: Vec<Machine>,
    pub shards: Vec<Shard>,
    /// The binaries that measured: one, unless builds were mixed.
    pub binaries: Vec<Binary>,
    /// The experiments that were measured: one, unless experiments were mixed.
    pub experiments: Vec<Experiment>,
    /// Differences between the folders that were mixed on request.
    pub mixed: Vec<String>,
}

pub fn digest(experiment: &Experiment) -> Result<String> {
    Ok(sha256(toml::to_string(experiment)?.as_bytes()))
}

/// The command line without the machine's folders. The program keeps its name. [`shown_path`] shortens absolute paths,
/// also after `=`, between commas, and in the commands of engines.
pub fn command_line(arguments: impl Iterator<Item = OsString>) -> Vec<String> {
    let shorten = |argument: String| {
        let (option, value) =
            argument.split_once('=').map_or(("", argument.as_str()), |(option, value)| (option, value));
        let words = |part: &str| part.split(' ').map(shown_path).collect::<Vec<_>>().join(" ");
        let value = value.split(',').map(words).collect::<Vec<_>>().join(",");
        if option.is_empty() { value } else { format!("{option}={value}") }
    };
    let mut line: Vec<String> = arguments.map(|argument| shorten(argument.to_string_lossy().into_owned())).collect();
    if let Some(program) = line.first_mut() {
        *program = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    }
    line
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct ProcessRecord {
    pub id: String,
    pub process: u32,
    pub command: Vec<String>,
    pub started_at: String,
    pub ended_at: Option<String>,
    pub machine_id: String,
    pub pinned_to: Option<u64>,
    /// The processors to which the worker threads of a search were pinned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub helpers_pinned_to: Vec<u64>,
    pub clock: Calibration,
    /// The batch length of each set. The pilot of the folder's first process finds it, and the later processes use it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub batches: Vec<BatchLength>,
    pub before: MachineState,
    pub after: Option<MachineState>,
    /// Nodes and speed of the reference variant on a fixed small set, before the first row.
    pub signature_before: SignatureRecord,
    pub signature_after: Option<SignatureRecord>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct SignatureRecord {
    pub variant: String,
    /// The total of its nodes, which is equal on every machine.
    pub nodes: u64,
    pub nodes_per_s: u64,
}

/// Greatest relative change of the reference variant's speed during a process without a warning.
pub const DRIFT: f64 = 0.10;

impl ProcessRecord {
    pub fn begin(
        process: u32,
        command: Vec<String>,
        pinned_to: Option<u64>,
        calibrate: impl FnOnce() -> Calibration,
        machine: &Machine,
    ) -> Result<Self> {
        // The reference variant runs first, so that the processor reaches its full speed.
        let signature_before = SignatureRecord::measure()?;
        let started_at = now();
        // Machines of a cluster may have one id, start in one second, and have equal process numbers.
        let ns = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
        let id = sha256(format!("{ns}|{}|{}", machine.id, std::process::id()).as_bytes())[..12].to_string();
        Ok(ProcessRecord {
            id,
            process,
            command,
            started_at,
            machine_id: machine.id.clone(),
            pinned_to,
            clock: calibrate(),
            before: MachineState::read(),
            signature_before,
            ..ProcessRecord::default()
        })
    }

    /// Records the end of the process. If `whole`, the reference variant runs again. `false` if its nodes differ from
    /// those at the start.
    pub fn end(&mut self, whole: bool) -> Result<bool> {
        if whole {
            self.signature_after = Some(SignatureRecord::measure()?);
        }
        self.after = Some(MachineState::read());
        self.ended_at = Some(now());
        Ok(self.signature_after.as_ref().is_none_or(|after| after.nodes == self.signature_before.nodes))
    }

    /// The relative change of the reference variant's speed: 0.1 is 10 %.
    pub fn drift(&self) -> Option<f64> {
        let after = self.signature_after.as_ref()?;
        Some((after.nodes_per_s as f64 / self.signature_before.nodes_per_s.max(1) as f64 - 1.0).abs())
    }

    /// The seconds that the process took, at least 1.
    fn seconds(&self) -> Option<f64> {
        let [begun, ended] =
            [&self.started_at, self.ended_at.as_ref()?].map(|text| humantime::parse_rfc3339(text).ok());
        Some(ended?.duration_since(begun?).unwrap_or_default().as_secs_f64().max(1.0))
    }

    /// The processor time that other guests of the machine took, as a share of the time.
    fn stolen(&self) -> Option<f64> {
        let hundredths = self.after.as_ref()?.steal?.saturating_sub(self.before.steal?);
        Some(hundredths as f64 / 100.0 / self.seconds()?)
    }

    /// The processor time that other programs took, as a share of the time.
    fn others(&self) -> Option<f64> {
        Some(self.before.others(self.after.as_ref()?)? as f64 / 100.0 / self.seconds()?)
    }
}

/// The shares of the time from which on processor time of other programs, and of other guests, is told.
const MOST_OTHERS: f64 = 0.25;
const MOST_STOLEN: f64 = 0.01;

/// The reasons to doubt the times of processes: a change of speed, or other users of the machine. Each reason once.
fn doubts<'a>(runs: impl Iterator<Item = &'a ProcessRecord> + Clone) -> Vec<String> {
    let mut doubts = Vec::new();
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let drift = most(&mut runs.clone().filter_map(ProcessRecord::drift));
    if drift > DRIFT {
        doubts.push(format!("the machine's speed changed by {:.0} %", 100.0 * drift));
    }
    let others = most(&mut runs.clone().filter_map(ProcessRecord::others));
    if others > MOST_OTHERS {
        doubts.push(format!("other programs took {others:.1} s of processor time a second"));
    }
    let stolen = most(&mut runs.clone().filter_map(ProcessRecord::stolen));
    if stolen > MOST_STOLEN {
        doubts.push(format!("the hypervisor gave {:.0} % of the processor time to others", 100.0 * stolen));
    }
    if runs.clone().any(|run| run.after.as_ref().is_some_and(|after| after.throttled > run.before.throttled)) {
        doubts.push("the processor was throttled".to_string());
    }
    if runs.clone().any(|run| run.pinned_to.is_none()) {
        doubts.push("the measuring thread was not pinned".to_string());
    }
    doubts
}

impl SignatureRecord {
    /// Runs the reference variant on the short list until four runs in a row are not faster by 1 %, at most twenty
    /// times. The fastest run counts.
    pub fn measure() -> Result<Self> {
        let entry = registry::find(registry::DEFAULT).map_err(anyhow::Error::msg)?;
        let mut solver = entry.build(&Options::default())?;
        let mut once = || signature(solver.as_mut(), positions().take(SHORT)).context(entry.name);
        let (mut best, mut runs, mut in_vain) = (once()?, 1, 0);
        while runs < 20 && in_vain < 4 {
            let again = once()?;
            in_vain = if again.wall < best.wall.mul_f64(0.99) { 0 } else { in_vain + 1 };
            best = if again.wall < best.wall { again } else { best };
            runs += 1;
        }
        Ok(SignatureRecord { variant: entry.name.to_string(), nodes: best.nodes, nodes_per_s: best.speed() as u64 })
    }
}

const COUNTS_VERSION: u32 = 1;

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct CountManifest {
    pub schema_version: u32,
    pub binary: Binary,
    /// The machine, on which counts depend because libraries choose their code by the processor.
    pub machine: Machine,
    /// The name and version of the tool as it prints them: `valgrind-3.19.0`.
    pub valgrind: String,
    pub runner: String,
    pub counted_at: String,
}

impl CountManifest {
    pub fn current(valgrind: &str, runner: &str) -> Result<Self> {
        Ok(CountManifest {
            schema_version: COUNTS_VERSION,
            binary: Binary::current()?,
            machine: Machine::read(),
            valgrind: valgrind.to_string(),
            runner: runner.to_string(),
            counted_at: now(),
        })
    }

    pub fn read(folder: &Path) -> Result<Self> {
        read_versioned(folder, COUNTS_VERSION)?.with_context(|| format!("no {FILE} in {}", folder.display()))
    }

    pub fn write(&self, folder: &Path) -> Result<()> {
        write_manifest(folder, self)
    }

    pub fn warnings(&self) -> Vec<String> {
        self.binary.doubt().into_iter().collect()
    }
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
        let shown = command_line(line.map(OsString::from).into_iter());
        assert_eq!(shown, ["c4lab", "measure", "x/y.toml", "--out=b", "--test-sets", "end-easy,s.txt", "e=run z"]);
    }

    #[test]
    fn a_machine_that_changes_its_speed_is_a_warning() {
        let signature = |nodes_per_s| SignatureRecord { variant: "v".to_string(), nodes: 1, nodes_per_s };
        let condition = MachineState { steal: Some(5), busy: Some(100), own: Some(50), ..MachineState::default() };
        let run = |after| ProcessRecord {
            started_at: now(),
            ended_at: Some(now()),
            pinned_to: Some(0),
            before: condition.clone(),
            after: Some(MachineState {
                steal: Some(505),
                busy: Some(450),
                own: Some(100),
                throttled: Some(1),
                ..condition.clone()
            }),
            signature_before: signature(1000),
            signature_after: Some(signature(after)),
            ..ProcessRecord::default()
        };
        assert_eq!(run(1300).drift().map(|drift| (100.0 * drift).round()), Some(30.0));
        assert_eq!(run(700).drift().map(|drift| (100.0 * drift).round()), Some(30.0));
        let warnings = |after| {
            let unpinned = ProcessRecord { signature_after: None, pinned_to: None, ..run(after) };
            doubts([run(after), unpinned].iter()).join("; ")
        };
        assert!(warnings(1300).contains("speed changed by 30 %"));
        assert!(!warnings(1050).contains("speed changed"));
        for expected in ["gave 500 % of", "throttled", "not pinned", "took 3.0 s of processor time a second"] {
            assert!(warnings(1000).contains(expected), "{expected}");
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let place = tempfile::tempdir().unwrap();
        let manifest = CountManifest::current("valgrind-3.19.0", "gungraun-runner 0.20.0").unwrap();
        manifest.write(place.path()).unwrap();
        assert_eq!(CountManifest::read(place.path()).unwrap(), manifest);
        let newer = CountManifest { schema_version: COUNTS_VERSION + 1, ..manifest };
        newer.write(place.path()).unwrap();
        let error = CountManifest::read(place.path()).unwrap_err().to_string();
        assert!(error.contains("manifest.json: schema version 2"), "{error}");
    }
}
