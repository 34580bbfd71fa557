//! Plan: which empty boards are solved, and with what.
//!
//! ```toml
//! name = "boards"
//! about = "Who wins on each of them."
//!
//! [[runs]]
//! boards = ["4x4", "5x4"]
//! goals = ["weak", "strong"]
//! tt = "1GiB"
//! time-limit = "10m"            # of a board; none where it is not told
//! ```

use crate::nearest::{explain, unknown};
use crate::plan::toml_error::{self, Keys};
use anyhow::{Context, Result, anyhow, bail};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::registry::DEFAULT;
use c4lab_solver::search::{Goal, Name, size};
use serde::Deserialize;
use std::path::Path;
use std::time::Duration;

/// The plans that the binary carries.
pub static EMBEDDED: [(&str, &str); 2] = [
    ("boards", include_str!("../../../experiments/boards.toml")),
    ("large-boards", include_str!("../../../experiments/large-boards.toml")),
];

const KEYS: Keys<'_> = Keys {
    whole: &["name", "about", "runs"],
    below: &[("[[runs]]", &["boards", "goals", "variant", "tt", "time-limit"])],
};

/// One board under one goal.
#[derive(Clone, Debug)]
pub struct BoardTask {
    /// The board.
    pub board: BoardSize,
    /// What is asked.
    pub goal: Goal,
    /// Who is asked.
    pub variant: Name,
    /// The size of its table.
    pub tt_bytes: u64,
    /// The longest that it may take.
    pub time: Option<Duration>,
}

/// A plan as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPlan {
    #[allow(dead_code, reason = "for whoever reads the file")]
    name: String,
    #[allow(dead_code, reason = "for whoever reads the file")]
    #[serde(default)]
    about: String,
    runs: Vec<WrittenRun>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct WrittenRun {
    boards: Vec<String>,
    goals: Vec<Goal>,
    variant: Option<String>,
    tt: Option<String>,
    time_limit: Option<String>,
}

/// The tasks of an embedded plan by name, or of a file by path.
///
/// # Errors
/// There is none, or something in it is wrong: file, line and reason.
pub fn open(name: &str) -> Result<Vec<BoardTask>> {
    if let Some((_, text)) = EMBEDDED.iter().find(|(embedded, _)| *embedded == name) {
        return parse(name, text);
    }
    if !Path::new(name).exists() {
        bail!(unknown("plan or file", name, EMBEDDED.iter().map(|(embedded, _)| *embedded)));
    }
    let text = std::fs::read(name).with_context(|| name.to_string())?;
    parse(name, &String::from_utf8(text).map_err(|_| anyhow!("{name}: not text"))?)
}

/// The tasks of a plan, in its order.
fn parse(file: &str, text: &str) -> Result<Vec<BoardTask>> {
    let plan: WrittenPlan = toml::from_str(text).map_err(|error| toml_error::explain(file, text, &error, KEYS))?;
    let mut tasks: Vec<BoardTask> = Vec::new();
    for (index, run) in plan.runs.iter().enumerate() {
        let of_run = run.tasks().with_context(|| format!("{file}, run {}", index + 1))?;
        for task in of_run {
            if tasks.iter().any(|other| (other.board, other.goal) == (task.board, task.goal)) {
                bail!("{file}, run {}: {} stands twice with the goal {}", index + 1, task.board, task.goal.name());
            }
            tasks.push(task);
        }
    }
    if tasks.is_empty() {
        bail!("{file}: no board in it");
    }
    Ok(tasks)
}

impl WrittenRun {
    fn tasks(&self) -> Result<Vec<BoardTask>> {
        let variant =
            Name::parse(self.variant.as_deref().unwrap_or(DEFAULT)).map_err(|error| anyhow!(explain(error)))?;
        let tt = self.tt.as_deref().unwrap_or("64MiB");
        let tt_bytes = size::parse(tt).map_err(|reason| anyhow!("tt {tt:?}: {reason}"))?;
        let duration = |text: &String| humantime::parse_duration(text).with_context(|| format!("time-limit {text:?}"));
        let time = self.time_limit.as_ref().map(duration).transpose()?;
        let mut tasks = Vec::new();
        for text in &self.boards {
            let board = text.parse().map_err(|error| anyhow!("{error}"))?;
            let task = |&goal: &Goal| BoardTask { board, goal, variant: variant.clone(), tt_bytes, time };
            tasks.extend(self.goals.iter().map(task));
        }
        Ok(tasks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_plans_are_valid() {
        for (name, text) in EMBEDDED {
            assert!(!parse(name, text).unwrap().is_empty(), "{name}");
        }
    }

    #[test]
    fn what_is_no_plan_says_why() {
        let error = |text: &str| format!("{:#}", parse("plan.toml", text).unwrap_err());
        let run = "name = \"x\"\n[[runs]]\nboards = [\"4x4\"]\ngoals = [\"weak\"]\n";
        assert_eq!(parse("plan.toml", run).unwrap().len(), 1);
        assert!(error(&run.replace("4x4", "4y4")).contains("run 1: \"4y4\" is no size of a board"));
        assert!(error(&run.replace("\"4x4\"", "\"4x4\", \"4x4\"")).contains("4x4 stands twice"));
        assert!(error(&format!("{run}tt = \"many\"\n")).contains("tt \"many\""));
        assert!(error(&format!("{run}time-limit = \"soon\"\n")).contains("time-limit \"soon\""));
        assert!(error(&format!("{run}variant = \"champignon\"\n")).contains("champion"));
        assert!(error(&format!("{run}board = \"4x4\"\n")).contains("plan.toml, line 5"));
        assert!(error("name = \"x\"\nruns = []\n").contains("no board"));
    }
}
