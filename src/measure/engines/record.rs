//! Engine record: the name, version, files and settings of the program that was measured.

use crate::engines::foreign::process::{Ending, plain};
use crate::engines::table::{EngineClock, EngineTable, OURSELVES, words};
use crate::text::{sha256, sha256_of};
use anyhow::{Context, Result, anyhow, bail};
use c4lab_solver::search::Stopped;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(10);

/// An engine whose version is known, as rows and the manifest show it.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct EngineRecord {
    pub name: String,
    pub version: String,
    /// SHA-256 of the file in the command. If the command has several, SHA-256 of their digests, one a line.
    pub sha256: Option<String>,
    pub table_sha256: String,
    pub reset: String,
    #[serde(default, skip_serializing_if = "EngineClock::is_ours")]
    pub clock: EngineClock,
}

/// The beginning of the version of an engine that prints none: the digest of its files follows.
const DIGEST: &str = "sha256 ";

impl EngineRecord {
    /// True if the engine prints no version.
    pub fn is_unversioned(&self) -> bool {
        self.version.starts_with(DIGEST)
    }

    pub fn spec(&self) -> String {
        let program = self.sha256.as_deref().map_or(String::new(), |digest| format!(",program={}", &digest[..12]));
        let version = self.version.replace(',', ";");
        let clock = if self.clock.is_ours() { "" } else { ",clock=own" };
        format!("version={version},reset={},table={}{program}{clock}", self.reset, &self.table_sha256[..12])
    }
}

impl EngineTable {
    pub fn build(&self, interrupt: &AtomicBool) -> Result<()> {
        let Some(build) = &self.build else { return Ok(()) };
        let output = ran(self.command_of(build)?.run(None, interrupt)).context("build")?;
        if !output.status.success() {
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8_lossy(&printed);
            let lines: Vec<&str> = printed.lines().collect();
            let last = lines[lines.len().saturating_sub(10)..].join("\n");
            bail!("build: {build:?} failed ({}): {last}", output.status);
        }
        Ok(())
    }

    pub fn record(&self, name: &str, interrupt: &AtomicBool) -> Result<EngineRecord> {
        let own = words(&self.command)?;
        let files = self.files(&own);
        if let Some(directory) = self.directory.as_ref().filter(|directory| !Path::new(directory).is_dir()) {
            bail!("no folder {directory}");
        }
        if own[0].contains('/') && !files.contains_key(&0) {
            bail!("cannot find the program {}", own[0]);
        }
        let digests =
            files.values().map(|file| sha256_of(file).with_context(|| format!("cannot read {}", file.display())));
        let mut digests: Vec<String> = digests.collect::<Result<_>>()?;
        let several = |digests: &[String]| sha256(digests.join("\n").as_bytes());
        let digest = if digests.len() > 1 { Some(several(&digests)) } else { digests.pop() };
        let digest = digest.filter(|_| !self.command.starts_with(OURSELVES));
        // `python3 solver.py --fast` has the version command `python3 solver.py --version`.
        let script = files.keys().next().copied().unwrap_or_default();
        let command = self
            .version
            .clone()
            .unwrap_or_else(|| shell_words::join(own[..=script].iter().map(String::as_str).chain(["--version"])));
        let version = match (self.first_line(&command, interrupt), &digest) {
            (Err(error), _) if error.is::<Stopped>() => return Err(error),
            (Err(_), Some(digest)) if self.version.is_none() => format!("{DIGEST}{}", &digest[..12]),
            (version, _) => version.with_context(|| {
                let hint = "set version = \"COMMAND\"";
                format!("its version cannot be read, so it is not measured ({hint}): {command:?}")
            })?,
        };
        let mut shown = self.clone();
        shown.build = None;
        Ok(EngineRecord {
            name: name.to_string(),
            version,
            sha256: digest,
            table_sha256: sha256(toml::to_string(&shown.shown())?.as_bytes()),
            reset: self.reset.name().to_string(),
            clock: self.clock,
        })
    }

    fn first_line(&self, text: &str, interrupt: &AtomicBool) -> Result<String> {
        let output = ran(self.command_of(text)?.run(Some(PATIENCE), interrupt))?;
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        let status = output.status.code().map_or("a signal".to_string(), |code| format!("status {code}"));
        let ending = stderr.lines().last().map_or(status.clone(), |line| format!("{status}: {line}"));
        let line = plain(stdout.lines().next().unwrap_or_default());
        match (output.status.success(), line.is_empty()) {
            (true, false) => Ok(line),
            (true, true) => bail!("no line (exited with {ending})"),
            (false, _) => bail!("exited with {ending}"),
        }
    }

    /// The files among the words `own` of a command, by index: the program, if it is given by a path, and its
    /// arguments. A program that is found in `PATH` counts only if there is no other file.
    fn files(&self, own: &[String]) -> BTreeMap<usize, PathBuf> {
        let directory = self.directory.as_ref().map_or_else(PathBuf::new, PathBuf::from);
        let named = own.iter().enumerate().filter(|(index, word)| *index > 0 || word.contains('/'));
        let files = named.map(|(index, word)| (index, directory.join(word))).filter(|(_, file)| file.is_file());
        let mut files: BTreeMap<usize, PathBuf> = files.collect();
        if files.is_empty() {
            let folders = std::env::var_os("PATH").unwrap_or_default();
            let program =
                std::env::split_paths(&folders).map(|folder| folder.join(&own[0])).find(|file| file.is_file());
            files.extend(program.map(|file| (0, file)));
        }
        files
    }
}

fn ran(outcome: Result<Output, Ending>) -> Result<Output> {
    outcome.map_err(|ending| match ending {
        Ending::Interrupted => Stopped::Interrupted(0).into(),
        Ending::Late => anyhow!("the program does not end within {} s", PATIENCE.as_secs()),
        Ending::Failed(failure) => anyhow!(failure.reason),
    })
}
