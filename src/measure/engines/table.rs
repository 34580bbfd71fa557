//! The table of an engine in the TOML of an experiment. One line is enough, but everything can be set:
//!
//! ```toml
//! [engines]
//! mine = "./solver --quiet"                # `./solver --version` prints its version
//!
//! [engines.theirs]
//! command = "./c4solver"
//! directory = "../theirs"
//! version = "git rev-parse HEAD"
//! answer = "{moves} {score} {nodes} {microseconds}"
//! reset = "restart"
//! clock = "own"
//! ```
//!
//! docs/FORMAT.md describes every key.

use crate::engines::foreign::form::{Form, ScoreForm, ScoreSide};
use crate::engines::foreign::process::ProgramCommand;
use crate::engines::foreign::{EngineProtocol, Program, Reset};
use crate::sets::test_set::shown_path;
use crate::text::{self, sha256};
use anyhow::{Context, Result, anyhow, bail};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::size;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// The prefix of the digest that is shown in place of a secret value.
const HIDDEN: &str = "sha256:";
pub(super) const OURSELVES: &str = "{c4lab}";

/// An engine as an experiment describes it. In TOML, its command alone can replace the table.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(remote = "Self", deny_unknown_fields, rename_all = "kebab-case")]
pub struct EngineTable {
    /// The program and its arguments, quoted as in a shell.
    pub command: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
    #[serde(default)]
    pub greeting: bool,
    /// True if the engine is asked an easy position, untimed, after every start. Default: `!greeting`.
    pub first_question: Option<bool>,
    #[serde(default = "Form::usual_request")]
    pub request: String,
    #[serde(default = "Form::usual_answer")]
    pub answer: String,
    #[serde(default = "first_column")]
    pub first_column: u8,
    #[serde(default = "no_moves")]
    pub no_moves: String,
    #[serde(default)]
    pub score: ScoreForm,
    #[serde(default, skip_serializing_if = "ScoreSide::is_mover")]
    pub side: ScoreSide,
    #[serde(default, skip_serializing_if = "EngineProtocol::is_lines")]
    pub protocol: EngineProtocol,
    #[serde(default, skip_serializing_if = "EngineClock::is_ours")]
    pub clock: EngineClock,
    #[serde(default)]
    pub reset: Reset,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
}

fn first_column() -> u8 {
    1
}

fn no_moves() -> String {
    "-".to_string()
}

/// The clock that gives the times of an engine: c4lab's or the engine's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineClock {
    #[default]
    Ours,
    Own,
}

impl EngineClock {
    pub const ALL: [EngineClock; 2] = [EngineClock::Ours, EngineClock::Own];

    pub fn name(self) -> &'static str {
        match self {
            EngineClock::Ours => "ours",
            EngineClock::Own => "own",
        }
    }

    pub fn is_ours(&self) -> bool {
        *self == EngineClock::Ours
    }
}

impl Serialize for EngineTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for EngineTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CommandOrTable;
        impl<'de> Visitor<'de> for CommandOrTable {
            type Value = EngineTable;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a command, or a table with one")
            }

            fn visit_str<E: Error>(self, command: &str) -> Result<EngineTable, E> {
                Ok(EngineTable::of(command))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<EngineTable, A::Error> {
                EngineTable::deserialize(MapAccessDeserializer::new(map))
            }
        }
        deserializer.deserialize_any(CommandOrTable)
    }
}

impl EngineTable {
    pub fn of(command: &str) -> Self {
        Self::typed(command, &[]).expect("a command is enough")
    }

    /// The engine of `command` with further `keys`. A value is TOML, or a text without quotes.
    pub fn typed(command: &str, keys: &[(String, String)]) -> Result<Self> {
        let mut table = toml::Table::new();
        table.insert("command".to_string(), command.into());
        for (key, value) in keys {
            let read = format!("value = {value}").parse::<toml::Table>().ok().and_then(|mut read| read.remove("value"));
            // A key that wants a text takes digits as a text.
            let is_accepted = |value: &toml::Value| {
                let alone = [("command".to_string(), command.into()), (key.clone(), value.clone())];
                Self::deserialize(toml::Table::from_iter(alone)).is_ok()
            };
            table.insert(key.clone(), read.filter(is_accepted).unwrap_or_else(|| value.as_str().into()));
        }
        Self::deserialize(table).map_err(|error| anyhow!(text::toml_reason(error.message())))
    }

    pub fn is_weak(&self) -> bool {
        self.score == ScoreForm::Sign
    }

    /// True if the engine answers with scores, as every measured engine must; a player may answer with moves.
    pub fn tells_score(&self) -> bool {
        self.form().is_ok_and(|form| form.tells_score())
    }

    pub fn validate(&self) -> Result<()> {
        let form = self.form()?;
        if form.needs_time && !form.tells_time() {
            bail!(
                "clock = \"own\" needs the program's time in the answer: give {{microseconds}}, or another unit \
                 (answer = {:?})",
                self.answer
            );
        }
        self.memory()?;
        for (key, command) in
            [("command", Some(&self.command)), ("version", self.version.as_ref()), ("build", self.build.as_ref())]
        {
            command.map(|command| words(command)).transpose().with_context(|| key.to_string())?;
        }
        if !self.protocol.is_lines() && (self.greeting || self.reset != Reset::None) {
            let protocol = text::name_of(&self.protocol);
            bail!("protocol = {protocol:?} starts the program for every position: remove greeting and reset");
        }
        if let Reset::Line { line, .. } = &self.reset
            && (line.is_empty() || line.contains('\n'))
        {
            bail!("reset: {line:?} is not one line");
        }
        Ok(())
    }

    /// The program, which writes its stderr to `log`.
    pub fn program(&self, log: Option<&Path>) -> Result<Program> {
        let mut command = self.command_of(&self.command)?;
        (command.memory, command.log) = (self.memory()?, log.map(std::path::absolute).transpose()?);
        Ok(Program {
            board: BoardSize::STANDARD,
            command,
            greets: self.greeting,
            asked_first: self.is_asked_first(),
            form: self.form()?,
            reset: self.reset.clone(),
            protocol: self.protocol,
        })
    }

    fn is_asked_first(&self) -> bool {
        self.first_question.unwrap_or(!self.greeting)
    }

    /// The table as manifests show it: with every value, and without the machine's folders.
    pub fn shown(&self) -> Self {
        let word = |word: &String| match word.split_once('=') {
            Some((option, value)) => format!("{option}={}", shown_path(value)),
            None => shown_path(word),
        };
        let command = |text: &String| {
            // A command without paths stays as it is written, with its quotes.
            let words = shell_words::split(text).unwrap_or_default();
            let shown: Vec<String> = words.iter().map(word).collect();
            if shown == words { text.clone() } else { shell_words::join(shown) }
        };
        // The environment may hold secrets. Digests hide them, and still show a change.
        let hidden = |value: &String| match value.strip_prefix(HIDDEN) {
            Some(digest) if digest.len() == 12 => value.clone(),
            _ => format!("{HIDDEN}{}", &sha256(value.as_bytes())[..12]),
        };
        EngineTable {
            command: command(&self.command),
            version: self.version.as_ref().map(command),
            build: self.build.as_ref().map(command),
            directory: self.directory.as_ref().map(|directory| shown_path(directory)),
            first_question: Some(self.is_asked_first()),
            environment: self.environment.iter().map(|(name, value)| (name.clone(), hidden(value))).collect(),
            ..self.clone()
        }
    }

    pub(crate) fn form(&self) -> Result<Form> {
        if self.first_column > 1 {
            bail!("first-column = {}: 0 or 1", self.first_column);
        }
        let mut form = Form::new(&self.request, &self.answer).map_err(anyhow::Error::msg)?;
        (form.first_column, form.no_moves, form.score) = (self.first_column, self.no_moves.clone(), self.score);
        form.side = self.side;
        form.needs_time = self.clock == EngineClock::Own;
        Ok(form)
    }

    fn memory(&self) -> Result<Option<u64>> {
        let parse = |text: &String| size::parse(text).map_err(|reason| anyhow!("memory {text:?}: {reason}"));
        self.memory.as_ref().map(parse).transpose()
    }

    pub(crate) fn command_of(&self, text: &str) -> Result<ProgramCommand> {
        let environment = self.environment.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        let directory = self.directory.as_ref().map(PathBuf::from);
        Ok(ProgramCommand { words: words(text)?, directory, environment, memory: None, log: None })
    }
}

/// The words of `command`, quoted as in a shell; at least one. `{c4lab}` as the first word is this program.
pub(crate) fn words(command: &str) -> Result<Vec<String>> {
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
