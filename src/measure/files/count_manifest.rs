//! The manifest of instruction counts: by which binary they were counted, by which tools, on which machine.

use crate::files::atomic;
use crate::files::machine::Machine;
use crate::files::manifest::Binary;
use crate::moment::now;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::path::Path;

const FILE: &str = "manifest.json";
const SCHEMA_VERSION: u32 = 1;

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct CountManifest {
    pub schema_version: u32,
    pub binary: Binary,
    /// The machine. Counts depend on the binary; the machine is named because libraries choose code for it.
    pub machine: Machine,
    /// What counted, as it names itself: `valgrind-3.19.0`.
    pub valgrind: String,
    pub runner: String,
    pub counted_at: String,
}

impl CountManifest {
    /// What this process counts with the tools of these names.
    pub fn current(valgrind: &str, runner: &str) -> Result<Self> {
        Ok(CountManifest {
            schema_version: SCHEMA_VERSION,
            binary: Binary::current()?,
            machine: Machine::read(),
            valgrind: valgrind.to_string(),
            runner: runner.to_string(),
            counted_at: now(),
        })
    }

    /// Reads the manifest of a folder of counts. An error names file and reason.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let manifest: Self = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
        if manifest.schema_version > SCHEMA_VERSION {
            let version = manifest.schema_version;
            bail!("{}: schema version {version}; this c4lab reads up to {SCHEMA_VERSION}", path.display());
        }
        Ok(manifest)
    }

    pub fn write(&self, folder: &Path) -> Result<()> {
        atomic::write_json(&folder.join(FILE), self)
    }

    pub fn warnings(&self) -> Vec<String> {
        self.binary.doubt().into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let place = tempfile::tempdir().unwrap();
        let manifest = CountManifest::current("valgrind-3.19.0", "gungraun-runner 0.20.0").unwrap();
        manifest.write(place.path()).unwrap();
        assert_eq!(CountManifest::read(place.path()).unwrap(), manifest);
        let newer = CountManifest { schema_version: SCHEMA_VERSION + 1, ..manifest };
        newer.write(place.path()).unwrap();
        let error = CountManifest::read(place.path()).unwrap_err().to_string();
        assert!(error.contains("manifest.json: schema version 2"), "{error}");
    }
}
