//! The manifest: what was measured, by which binary, on which machine, in which condition.

use super::atomic;
use super::build_info;
use super::clock::{Calibration, Clock};
use super::experiment::Experiment;
use super::machine::{Condition, Machine};
use super::signature::{SHORT, positions, signature};
use super::test_set::{TestSet, sha256, shown_path};
use crate::solve::{Options, registry};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::SystemTime;

/// The name of the file in the folder of a run.
const FILE: &str = "manifest.json";

/// `manifest.json`.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Manifest {
    /// The version of these fields.
    pub schema_version: u32,
    /// The experiment as it was measured, command line included.
    pub experiment: Experiment,
    /// SHA-256 of the experiment.
    pub experiment_sha256: String,
    /// The test sets as they were.
    #[serde(default)]
    pub test_sets: Vec<SetRecord>,
    /// The binary.
    pub binary: Binary,
    /// The machine of the first run.
    pub machine: Machine,
    /// The process runs that added rows, in order.
    pub runs: Vec<RunRecord>,
}

/// A test set as it was.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct SetRecord {
    /// Its name, or the path of its file.
    pub name: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// Its number of positions.
    pub positions: usize,
    /// Whether it is one of the project's own.
    pub shipped: bool,
}

impl SetRecord {
    /// The record of a set.
    pub fn of(set: &TestSet) -> Self {
        SetRecord {
            name: set.name.clone(),
            sha256: set.sha256.clone(),
            positions: set.items.len(),
            shipped: set.shipped,
        }
    }
}

/// The binary that measured.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct Binary {
    /// SHA-256 of the file.
    pub sha256: String,
    /// Version of the crate.
    pub version: String,
    /// Revision it was built from.
    pub git_rev: Option<String>,
    /// Whether the tree had changes that were not committed.
    pub dirty: Option<bool>,
    /// The compiler.
    pub rustc: String,
    /// What it was told.
    pub flags: String,
    /// The target.
    pub target: String,
    /// The target's features that the code was compiled for.
    pub target_features: String,
    /// Evaluators that use vector instructions on this build.
    pub simd: Vec<String>,
}

/// One process.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct RunRecord {
    /// Its id, as in the rows.
    pub id: String,
    /// The command line, paths without the machine's folders.
    pub command: Vec<String>,
    /// When it began, UTC.
    pub started_at: String,
    /// When it ended; none for one that was killed.
    pub ended_at: Option<String>,
    /// The machine's id.
    pub machine_id: String,
    /// The processor that the measuring thread was pinned to.
    pub pinned_to: Option<u64>,
    /// The clock.
    pub clock: Calibration,
    /// Before the first row.
    pub before: Condition,
    /// After the last row.
    pub after: Option<Condition>,
    /// The reference variant on a fixed small set, before.
    pub signature_before: SignatureRecord,
    /// And after.
    pub signature_after: Option<SignatureRecord>,
}

/// The reference variant on a fixed small set.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct SignatureRecord {
    /// The variant.
    pub variant: String,
    /// The total of its nodes: the same on every machine.
    pub nodes: u64,
    /// Its speed.
    pub nodes_per_s: u64,
}

/// The speed of the reference variant may change by this much during a run before a report warns.
pub const DRIFT: f64 = 0.10;

impl RunRecord {
    /// A run that begins now.
    pub fn begin(
        command: Vec<String>,
        pinned_to: Option<u64>,
        clock: &mut dyn Clock,
        machine: &Machine,
    ) -> Result<Self> {
        let started_at = now();
        let id = sha256(format!("{started_at}|{}|{}", machine.id, std::process::id()).as_bytes())[..12].to_string();
        Ok(RunRecord {
            id,
            command,
            started_at,
            ended_at: None,
            machine_id: machine.id.clone(),
            pinned_to,
            clock: Calibration::of(clock),
            before: Condition::read(),
            after: None,
            signature_before: SignatureRecord::measure()?,
            signature_after: None,
        })
    }

    /// The run ends now. After the whole of an experiment the reference variant runs again: whether its nodes are
    /// what they were.
    pub fn end(&mut self, whole: bool) -> Result<bool> {
        if whole {
            self.signature_after = Some(SignatureRecord::measure()?);
        }
        self.after = Some(Condition::read());
        self.ended_at = Some(now());
        Ok(self.signature_after.as_ref().is_none_or(|after| after.nodes == self.signature_before.nodes))
    }

    /// By how much the speed of the reference variant changed: 0.1 is a tenth.
    pub fn drift(&self) -> Option<f64> {
        let after = self.signature_after.as_ref()?;
        Some((after.nodes_per_s as f64 / self.signature_before.nodes_per_s.max(1) as f64 - 1.0).abs())
    }
}

impl Manifest {
    /// What makes the times doubtful.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        self.runs.iter().for_each(|run| run.warn(&mut warnings));
        if self.binary.dirty == Some(true) {
            warnings.push("built from a tree with changes that were not committed".to_string());
        }
        warnings
    }
}

impl RunRecord {
    /// Adds what makes the times of this run doubtful: a machine that changed its speed, or was not ours alone.
    fn warn(&self, warnings: &mut Vec<String>) {
        let mut warn = |what: String| warnings.push(format!("run {}: {what}", self.id));
        if let Some(drift) = self.drift().filter(|&drift| drift > DRIFT) {
            warn(format!("the machine's speed changed by {:.0} %", 100.0 * drift));
        }
        let stolen = self.after.as_ref().and_then(|after| Some(after.steal?.saturating_sub(self.before.steal?)));
        if let Some(hundredths) = stolen.filter(|&hundredths| hundredths > 100) {
            warn(format!("the hypervisor gave {:.2} s of processor time to others", hundredths as f64 / 100.0));
        }
        if self.after.as_ref().is_some_and(|after| after.throttled > self.before.throttled) {
            warn("the processor was throttled".to_string());
        }
        if self.pinned_to.is_none() {
            warn("the measuring thread was not pinned".to_string());
        }
        if self.signature_after.is_none() {
            warn("it did not come to its end".to_string());
        }
    }
}

impl Binary {
    /// The binary that runs now.
    pub fn current() -> Result<Self> {
        let path = std::env::current_exe().context("the path of this program")?;
        let bytes = std::fs::read(&path).context("this program's own file")?;
        Ok(Binary {
            sha256: sha256(&bytes),
            version: env!("CARGO_PKG_VERSION").to_string(),
            git_rev: Some(build_info::GIT_REV.to_string()).filter(|revision| !revision.is_empty()),
            dirty: build_info::GIT_DIRTY,
            rustc: build_info::RUSTC.to_string(),
            flags: format!("-C opt-level={} {}", build_info::OPT_LEVEL, build_info::RUSTFLAGS),
            target: build_info::TARGET.to_string(),
            target_features: build_info::TARGET_FEATURES.to_string(),
            simd: Vec::new(),
        })
    }
}

impl SignatureRecord {
    /// Runs the reference variant on the short list, twenty times of which the fastest counts.
    pub fn measure() -> Result<Self> {
        let entry = registry::find(registry::DEFAULT).map_err(anyhow::Error::msg)?;
        let mut solver = entry.build(&Options::default())?;
        let mut once = || signature(solver.as_mut(), positions().take(SHORT)).context(entry.name);
        let mut best = once()?;
        for _ in 1..20 {
            let again = once()?;
            best = if again.wall < best.wall { again } else { best };
        }
        Ok(SignatureRecord { variant: entry.name.to_string(), nodes: best.nodes, nodes_per_s: best.speed() as u64 })
    }
}

impl Manifest {
    /// Reads the manifest of a folder, if there is one.
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(FILE);
        if !path.exists() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        Ok(Some(serde_json::from_str(&text).with_context(|| path.display().to_string())?))
    }

    /// Writes it, whole or not at all.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        atomic::write(&folder.join(FILE), text.as_bytes())
    }
}

/// SHA-256 of an experiment.
pub fn digest(experiment: &Experiment) -> Result<String> {
    Ok(sha256(toml::to_string(experiment)?.as_bytes()))
}

/// Now, UTC, to the second.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// The command line without the machine's folders: the program keeps its name, absolute paths what
/// [`shown_path`] leaves of them, also behind `=` and between commas.
pub fn command_line(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let shorten = |argument: String| {
        let (option, value) =
            argument.split_once('=').map_or(("", argument.as_str()), |(option, value)| (option, value));
        let value = value.split(',').map(shown_path).collect::<Vec<_>>().join(",");
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
        let line = ["target/release/c4lab", "measure", below.to_str().unwrap(), "--out=/tmp/a/b", "--test-sets", &sets];
        let shown = command_line(line.map(str::to_string).into_iter());
        assert_eq!(shown, ["c4lab", "measure", "x/y.toml", "--out=b", "--test-sets", "end-easy,s.txt"]);
    }

    #[test]
    fn a_machine_that_changes_its_speed_is_a_warning() {
        let signature = |nodes_per_s| SignatureRecord { variant: "v".to_string(), nodes: 1, nodes_per_s };
        let condition =
            Condition { load: None, steal: Some(5), throttled: None, frequency_khz: None, peak_memory_bytes: None };
        let run = |after| RunRecord {
            id: "r".to_string(),
            command: Vec::new(),
            started_at: now(),
            ended_at: Some(now()),
            machine_id: "m".to_string(),
            pinned_to: Some(0),
            clock: Calibration { cost_ns: 1, resolution_ns: 1 },
            before: condition.clone(),
            after: Some(Condition { steal: Some(505), throttled: Some(1), ..condition.clone() }),
            signature_before: signature(1000),
            signature_after: Some(signature(after)),
        };
        assert_eq!(run(1300).drift().map(|drift| (100.0 * drift).round()), Some(30.0));
        assert_eq!(run(700).drift().map(|drift| (100.0 * drift).round()), Some(30.0));
        let warnings = |after| {
            let (mut warnings, mut run) = (Vec::new(), run(after));
            run.warn(&mut warnings);
            run.signature_after = None;
            run.pinned_to = None;
            run.warn(&mut warnings);
            warnings.join("; ")
        };
        assert!(warnings(1300).contains("speed changed by 30 %"));
        assert!(!warnings(1050).contains("speed changed"));
        for expected in ["5.00 s of processor time", "throttled", "not pinned", "did not come to its end"] {
            assert!(warnings(1000).contains(expected), "{expected}");
        }
    }
}
