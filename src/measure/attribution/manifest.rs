//! The manifest of an attribution: what was counted, by which binary, in which runs.
//!
//! Nodes depend neither on the machine nor on the moment. Unlike times, they may be counted on several machines.

use crate::attribution::Attribution;
use crate::digest::sha256;
use crate::files::atomic;
use crate::files::machine::Condition;
use crate::files::manifest::{Binary, SetRecord};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The name of the file beside the rows.
/// The version of these fields.
pub const SCHEMA_VERSION: u32 = 1;

/// `manifest.json` of an attribution.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct AttributionManifest {
    /// The version of these fields.
    pub schema_version: u32,
    /// The attribution as it was counted, command line included.
    pub attribution: Attribution,
    /// SHA-256 of it.
    pub attribution_sha256: String,
    /// The test sets as they were.
    pub test_sets: Vec<SetRecord>,
    /// The binary.
    pub binary: Binary,
    /// The ablation paths that were asked for: specs of both ends.
    #[serde(default)]
    pub paths: Vec<(String, String)>,
    /// The processes that added rows, in order.
    pub runs: Vec<NodeRun>,
}

/// A process that counted nodes.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct NodeRun {
    /// The command line, paths without the machine's folders.
    pub command: Vec<String>,
    /// When it began, UTC.
    pub started_at: String,
    /// When it ended; none for one that was killed.
    pub ended_at: Option<String>,
    /// The machine's id.
    pub machine_id: String,
    /// Threads that counted.
    pub threads: usize,
    /// Before the first row.
    pub before: Condition,
    /// After the last row.
    pub after: Option<Condition>,
}

impl AttributionManifest {
    /// The name of its file.
    pub const FILE: &'static str = "manifest.json";

    /// Reads the manifest of a folder, if there is one.
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(Self::FILE);
        if !path.exists() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let manifest: Self = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        if manifest.schema_version > SCHEMA_VERSION {
            let version = manifest.schema_version;
            bail!("{}: schema version {version}; this c4lab reads up to {SCHEMA_VERSION}", path.display());
        }
        Ok(Some(manifest))
    }

    /// Writes it, whole or not at all.
    pub fn write(&self, folder: &Path) -> Result<()> {
        atomic::write_json(&folder.join(Self::FILE), self)
    }

    /// What makes the counts doubtful.
    pub fn warnings(&self) -> Vec<String> {
        self.binary.doubt().into_iter().collect()
    }
}

/// SHA-256 of an attribution.
pub fn digest(attribution: &Attribution) -> Result<String> {
    Ok(sha256(toml::to_string(attribution)?.as_bytes()))
}
