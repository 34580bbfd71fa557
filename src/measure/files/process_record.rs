//! The record of a process: one start of the program that added rows to a folder, and the condition it ran in.

use crate::clock::Calibration;
use crate::digest::sha256;
use crate::files::machine::{Condition, Machine};
use crate::moment::now;
use crate::plan::schedule::BatchLength;
use crate::signature::{SHORT, positions, signature};
use anyhow::{Context, Result};
use c4lab_solver::search::{Options, registry};
use serde::{Deserialize, Serialize};
use std::time::SystemTime;

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct ProcessRecord {
    pub id: String,
    /// Its number among the processes of the experiment, from 1.
    pub process: u32,
    /// The command line, paths without the machine's folders.
    pub command: Vec<String>,
    pub started_at: String,
    pub ended_at: Option<String>,
    pub machine_id: String,
    /// The processor that the measuring thread was pinned to.
    pub pinned_to: Option<u64>,
    /// The processors that the other threads of a search were pinned to, where a variant has any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub helpers_pinned_to: Vec<u64>,
    pub clock: Calibration,
    /// How many positions of each set are a batch: found by the pilot of the first process of a folder, and taken over by the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub batches: Vec<BatchLength>,
    pub before: Condition,
    pub after: Option<Condition>,
    /// The reference variant on a fixed small set, before the first row.
    pub signature_before: SignatureRecord,
    pub signature_after: Option<SignatureRecord>,
}

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct SignatureRecord {
    pub variant: String,
    /// The total of its nodes: the same on every machine.
    pub nodes: u64,
    pub nodes_per_s: u64,
}

/// The speed of the reference variant may change by this much during a process before a report warns.
pub const DRIFT: f64 = 0.10;

impl ProcessRecord {
    pub fn begin(
        process: u32,
        command: Vec<String>,
        pinned_to: Option<u64>,
        calibrate: impl FnOnce() -> Calibration,
        machine: &Machine,
    ) -> Result<Self> {
        // The reference variant runs first: then the processor is as fast as it will be.
        let signature_before = SignatureRecord::measure()?;
        let started_at = now();
        // Nodes of a cluster may be alike, begin at the same second, and count their processes alike.
        let moment = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_nanos();
        let id = sha256(format!("{moment}|{}|{}", machine.id, std::process::id()).as_bytes())[..12].to_string();
        Ok(ProcessRecord {
            id,
            process,
            command,
            started_at,
            ended_at: None,
            machine_id: machine.id.clone(),
            pinned_to,
            helpers_pinned_to: Vec::new(),
            clock: calibrate(),
            batches: Vec::new(),
            before: Condition::read(),
            after: None,
            signature_before,
            signature_after: None,
        })
    }

    /// It ends now. After a whole experiment the reference variant runs again. Says whether its nodes are the same
    /// as before.
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

impl ProcessRecord {
    /// Adds what makes the times of this process doubtful: a machine that changed its speed, or that others used too.
    pub(crate) fn warn(&self, warnings: &mut Vec<String>) {
        let mut warn = |what: String| warnings.push(format!("process {}: {what}", self.id));
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
    }
}

impl SignatureRecord {
    /// Runs the reference variant on the short list, up to twenty times and until four runs in a row were not faster by a
    /// hundredth. The fastest run counts.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_changes_its_speed_is_a_warning() {
        let signature = |nodes_per_s| SignatureRecord { variant: "v".to_string(), nodes: 1, nodes_per_s };
        let condition =
            Condition { load: None, steal: Some(5), throttled: None, frequency_khz: None, peak_memory_bytes: None };
        let run = |after| ProcessRecord {
            id: "r".to_string(),
            process: 1,
            command: Vec::new(),
            started_at: now(),
            ended_at: Some(now()),
            machine_id: "m".to_string(),
            pinned_to: Some(0),
            helpers_pinned_to: Vec::new(),
            clock: Calibration::default(),
            batches: Vec::new(),
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
        for expected in ["5.00 s of processor time", "throttled", "not pinned"] {
            assert!(warnings(1000).contains(expected), "{expected}");
        }
    }
}
