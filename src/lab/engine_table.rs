//! Engines: foreign programs that an experiment names, as TOML has them. One line is enough, and everything can be told:
//!
//! ```toml
//! [engines]
//! mine = "./solver --quiet"                # `./solver --version` says its version
//!
//! [engines.theirs]
//! command = "./c4solver"
//! directory = "../theirs"
//! version = "git rev-parse HEAD"
//! answer = "{moves} {score} {nodes} {microseconds}"
//! reset = "restart"
//! ```
//!
//! docs/FORMAT.md describes every key.

use super::bytes;
use super::test_set::{sha256, shown_path};
use crate::solve::foreign::form::{Form, ScoreForm};
use crate::solve::foreign::process::{Command, Ending, Process};
use crate::solve::foreign::{Program, Reset};
use anyhow::{Context, Result, anyhow, bail};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(10);
/// What stands for this program in a command.
const OURSELVES: &str = "{c4lab}";

/// Keys of an engine, to suggest the nearest.
pub const KEYS: [&str; 13] = [
    "command",
    "version",
    "build",
    "directory",
    "environment",
    "memory",
    "greeting",
    "request",
    "answer",
    "first-column",
    "no-moves",
    "score",
    "reset",
];

/// A foreign program as it is written; in place of the table, its command alone will do.
#[derive(Clone, Debug, Serialize, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub struct EngineTable {
    /// The program and its arguments, with quotes as a shell has them.
    pub command: String,
    /// The command whose first line is its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The command that builds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// Where all commands run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The most memory that it may map: `1GiB`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    /// Whether it prints a line when it is ready.
    pub greeting: bool,
    /// A request.
    pub request: String,
    /// The pattern of an answer.
    pub answer: String,
    /// The digit of the left column.
    pub first_column: u8,
    /// What stands for the moves of the empty board.
    pub no_moves: String,
    /// What a score means.
    pub score: ScoreForm,
    /// What is done between positions.
    pub reset: ResetTable,
    /// What is added to its environment.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
}

/// What is done between positions, as it is written.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(untagged, expecting = "reset is \"none\", \"restart\" or { line = \"...\", answer = \"...\" }")]
pub enum ResetTable {
    /// `"none"` or `"restart"`.
    Named(NamedReset),
    /// A line is sent, and answered or not.
    Line(ResetLine),
}

/// A reset by name.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum NamedReset {
    /// It remembers what it likes.
    None,
    /// A new process for every position.
    Restart,
}

/// A reset by a line.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct ResetLine {
    /// What is sent.
    pub line: String,
    /// What is answered to it, if anything is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// The keys of a table, of which only the command must be there.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Keys {
    command: String,
    version: Option<String>,
    build: Option<String>,
    directory: Option<String>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    memory: Option<String>,
    #[serde(default)]
    greeting: bool,
    request: Option<String>,
    answer: Option<String>,
    first_column: Option<u8>,
    no_moves: Option<String>,
    #[serde(default)]
    score: ScoreForm,
    reset: Option<ResetTable>,
}

impl From<Keys> for EngineTable {
    fn from(keys: Keys) -> Self {
        EngineTable {
            command: keys.command,
            version: keys.version,
            build: keys.build,
            directory: keys.directory,
            memory: keys.memory,
            greeting: keys.greeting,
            request: keys.request.unwrap_or_else(|| Form::REQUEST.to_string()),
            answer: keys.answer.unwrap_or_else(|| Form::ANSWER.to_string()),
            first_column: keys.first_column.unwrap_or(1),
            no_moves: keys.no_moves.unwrap_or_else(|| "-".to_string()),
            score: keys.score,
            reset: keys.reset.unwrap_or(ResetTable::Named(NamedReset::None)),
            environment: keys.environment,
        }
    }
}

impl<'de> Deserialize<'de> for EngineTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = EngineTable;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a command, or a table with one")
            }

            fn visit_str<E: Error>(self, command: &str) -> Result<EngineTable, E> {
                Ok(EngineTable::of(command))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<EngineTable, A::Error> {
                Keys::deserialize(MapAccessDeserializer::new(map)).map(EngineTable::from)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// An engine whose version is known: what rows and the manifest say of it.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
pub struct EngineRecord {
    /// Its name.
    pub name: String,
    /// What it says of its version.
    pub version: String,
    /// SHA-256 of the program's file, where the command names one.
    pub sha256: Option<String>,
    /// SHA-256 of how it is run and asked.
    pub table_sha256: String,
    /// What is done between positions: `none`, `restart`, `line`.
    pub reset: String,
}

impl EngineRecord {
    /// What stands in the column of specs.
    pub fn spec(&self) -> String {
        let program = self.sha256.as_deref().map_or(String::new(), |digest| format!(",program={}", &digest[..12]));
        let version = self.version.replace(',', ";");
        format!("version={version},reset={},table={}{program}", self.reset, &self.table_sha256[..12])
    }
}

impl EngineTable {
    /// The engine of a command, all else as it is unless told.
    pub fn of(command: &str) -> Self {
        Keys { command: command.to_string(), ..Keys::default() }.into()
    }

    /// Whether it can answer only who wins.
    pub fn is_weak(&self) -> bool {
        self.score == ScoreForm::Sign
    }

    /// Whether everything that is told makes sense.
    pub fn validate(&self) -> Result<()> {
        self.form()?;
        self.memory()?;
        for (key, command) in
            [("command", Some(&self.command)), ("version", self.version.as_ref()), ("build", self.build.as_ref())]
        {
            command.map(|command| words(command)).transpose().with_context(|| key.to_string())?;
        }
        if let ResetTable::Line(ResetLine { line, .. }) = &self.reset
            && (line.is_empty() || line.contains('\n'))
        {
            bail!("reset: {line:?} is not one line");
        }
        Ok(())
    }

    /// How it is run and asked; its stderr goes to `log`.
    pub fn program(&self, log: &Path) -> Result<Program> {
        let reset = match &self.reset {
            ResetTable::Named(NamedReset::None) => Reset::None,
            ResetTable::Named(NamedReset::Restart) => Reset::Restart,
            ResetTable::Line(ResetLine { line, answer }) => Reset::Line(line.clone(), answer.clone()),
        };
        let command = self.command_of(&self.command, Some(std::path::absolute(log)?))?;
        Ok(Program { command, greets: self.greeting, form: self.form()?, reset })
    }

    /// Builds it, if it says how.
    pub fn build(&self) -> Result<()> {
        let Some(build) = &self.build else { return Ok(()) };
        let mut command = self.command_of(build, None)?.prepare();
        let output = command.stdin(Stdio::null()).output().with_context(|| format!("build: cannot start {build:?}"))?;
        if !output.status.success() {
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8_lossy(&said);
            let lines: Vec<&str> = said.lines().collect();
            let last = lines[lines.len().saturating_sub(10)..].join("\n");
            bail!("build: {build:?} failed ({}): {last}", output.status);
        }
        Ok(())
    }

    /// Asks for its version.
    pub fn record(&self, name: &str) -> Result<EngineRecord> {
        let own = words(&self.command)?;
        let asked = self.version.clone().unwrap_or_else(|| shell_words::join([own[0].as_str(), "--version"]));
        let version = self.first_line(&asked).map_err(|reason| {
            anyhow!("its version cannot be read, so it is not measured: {asked:?}: {reason} (version = \"COMMAND\" says how it is read)")
        })?;
        let mut shown = self.clone();
        shown.build = None;
        let reset = match &self.reset {
            ResetTable::Named(NamedReset::None) => "none",
            ResetTable::Named(NamedReset::Restart) => "restart",
            ResetTable::Line(_) => "line",
        };
        Ok(EngineRecord {
            name: name.to_string(),
            version,
            sha256: self.file(&own[0]).and_then(|file| std::fs::read(file).ok()).map(|bytes| sha256(&bytes)),
            table_sha256: sha256(toml::to_string(&shown.shown())?.as_bytes()),
            reset: reset.to_string(),
        })
    }

    /// The table without the machine's folders.
    pub fn shown(&self) -> Self {
        let command = |text: &String| {
            // A command that names this program names no folder.
            let words = shell_words::split(text).unwrap_or_default();
            let shown: Vec<String> = words.iter().map(|word| shown_path(word)).collect();
            if shown == words { text.clone() } else { shell_words::join(shown) }
        };
        EngineTable {
            command: command(&self.command),
            version: self.version.as_ref().map(command),
            build: self.build.as_ref().map(command),
            directory: self.directory.as_ref().map(|directory| shown_path(directory)),
            ..self.clone()
        }
    }

    fn form(&self) -> Result<Form> {
        if self.first_column > 1 {
            bail!("first-column = {}: 0 or 1", self.first_column);
        }
        let mut form = Form::new(&self.request, &self.answer).map_err(anyhow::Error::msg)?;
        (form.first_column, form.no_moves, form.score) = (self.first_column, self.no_moves.clone(), self.score);
        Ok(form)
    }

    fn memory(&self) -> Result<Option<u64>> {
        let parse = |text: &String| bytes::parse(text).map_err(|reason| anyhow!("memory {text:?}: {reason}"));
        self.memory.as_ref().map(parse).transpose()
    }

    fn command_of(&self, text: &str, log: Option<PathBuf>) -> Result<Command> {
        let environment = self.environment.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let directory = self.directory.as_ref().map(PathBuf::from);
        Ok(Command { words: words(text)?, directory, environment, memory: self.memory()?, log })
    }

    /// The first line that a command prints.
    fn first_line(&self, text: &str) -> Result<String, String> {
        let command = self.command_of(text, None).map_err(|error| format!("{error:#}"))?;
        let mut process = Process::start(&command).map_err(|failure| failure.reason)?;
        let line = match (process.read_line(Some(Instant::now() + PATIENCE), None), process.rest()) {
            (Ok(line), _) => line,
            // `printf`, or a file without a last line end.
            (Err(Ending::Failed(_)), Some(rest)) => rest.to_string(),
            (Err(Ending::Failed(failure)), None) => return Err(format!("no line ({})", failure.reason)),
            (Err(Ending::Late | Ending::Interrupted), _) => {
                return Err(format!("no line within {} s", PATIENCE.as_secs()));
            }
        };
        let line = line.trim().to_string();
        if line.is_empty() { Err("an empty line".to_string()) } else { Ok(line) }
    }

    /// The file of a program that is named by its path.
    fn file(&self, program: &str) -> Option<PathBuf> {
        let directory = self.directory.as_ref().map_or_else(PathBuf::new, PathBuf::from);
        program.contains('/').then(|| directory.join(program))
    }
}

/// The words of a command, quotes as in a shell; at least one.
fn words(command: &str) -> Result<Vec<String>> {
    let mut words = shell_words::split(command).map_err(|error| anyhow!("{command:?}: {error}"))?;
    if words.is_empty() {
        bail!("{command:?}: no program");
    }
    if words[0] == OURSELVES {
        let path = std::env::current_exe().context("the path of this program")?;
        words[0] = path.to_str().context("the path of this program is not text")?.to_string();
    }
    Ok(words)
}
