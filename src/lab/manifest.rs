//! The manifest: what was measured, by which binary, on which machine, in which condition.

use super::atomic;
use super::build_info;
use super::clock::Calibration;
use super::experiment::Experiment;
use super::machine::{Condition, Machine};
use super::signature::{SHORT, positions, signature};
use super::test_set::sha256;
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
    /// The binary.
    pub binary: Binary,
    /// The machine of the first run.
    pub machine: Machine,
    /// The process runs that added rows, in order.
    pub runs: Vec<RunRecord>,
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
    /// By how much the speed of the reference variant changed: 0.1 is a tenth.
    pub fn drift(&self) -> Option<f64> {
        let after = self.signature_after.as_ref()?;
        Some((after.nodes_per_s as f64 / self.signature_before.nodes_per_s.max(1) as f64 - 1.0).abs())
    }
}

impl Manifest {
    /// What makes the times doubtful: a machine that changed its speed, or gave processor time to others.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for run in &self.runs {
            let mut warn = |what: String| warnings.push(format!("run {}: {what}", run.id));
            if let Some(drift) = run.drift().filter(|&drift| drift > DRIFT) {
                warn(format!("the machine's speed changed by {:.0} %", 100.0 * drift));
            }
            let stolen = run.after.as_ref().and_then(|after| Some(after.steal?.saturating_sub(run.before.steal?)));
            if let Some(hundredths) = stolen.filter(|&hundredths| hundredths > 100) {
                warn(format!("the hypervisor gave {:.2} s of processor time to others", hundredths as f64 / 100.0));
            }
            let throttled = |condition: &Condition| condition.throttled;
            if run.after.as_ref().is_some_and(|after| throttled(after) > throttled(&run.before)) {
                warn("the processor was throttled".to_string());
            }
            if run.pinned_to.is_none() {
                warn("the measuring thread was not pinned".to_string());
            }
            if run.signature_after.is_none() {
                warn("it did not come to its end".to_string());
            }
        }
        if self.binary.dirty == Some(true) {
            warnings.push("built from a tree with changes that were not committed".to_string());
        }
        warnings
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
    /// Runs the reference variant on the short list, five times of which the fastest counts.
    pub fn measure() -> Result<Self> {
        let entry = registry::find(registry::DEFAULT).map_err(anyhow::Error::msg)?;
        let mut solver = entry.build(&Options::default())?;
        let mut once = || signature(solver.as_mut(), positions().take(SHORT)).context(entry.name);
        let mut best = once()?;
        for _ in 1..5 {
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

/// The command line without the machine's folders: the program keeps its name, absolute paths what lies below the
/// working directory, or their last part.
pub fn command_line(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let here = std::env::current_dir().unwrap_or_default();
    let shorten = |argument: String| {
        let path = Path::new(&argument);
        if !path.is_absolute() {
            return argument;
        }
        let kept = path.strip_prefix(&here).ok().or_else(|| path.file_name().map(Path::new));
        kept.map_or(argument.clone(), |kept| kept.display().to_string())
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
        let here = std::env::current_dir().unwrap().join("x/y.toml").display().to_string();
        let line = ["target/release/c4lab", "measure", &here, "--seed", "1"].map(str::to_string);
        assert_eq!(command_line(line.into_iter()), ["c4lab", "measure", "x/y.toml", "--seed", "1"]);
    }
}
