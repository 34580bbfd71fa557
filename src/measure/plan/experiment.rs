//! Experiments: the variants, test sets and settings of a measurement, in TOML:
//!
//! ```toml
//! name = "example"
//! about = "What the experiment answers."
//! seed = 1
//! repetitions = 3        # passes over the sets
//! processes = 5          # fresh processes, each of which makes these passes
//! limit = 100            # positions of each set, from its first line
//! sampled = true         # no: drawn at random from the set
//! time-limit = "10s"     # of a cell
//!
//! [[runs]]
//! variants = ["pons-11", "pons-12"]
//! test-sets = ["middle-medium"]
//! goals = ["strong", "weak"]
//! ```

use crate::engines::table::EngineTable;
use crate::sets::test_set::{TestSet, shown_path};
use crate::text::{distinct, embedded, explain, is_plain, open_text, toml_error, unknown};
use anyhow::{Context, Result, bail, ensure};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{BuildError, Goal, Name, Options, registry, size};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::time::Duration;

pub static EMBEDDED: &[(&str, &str)] = embedded![
    "quick",
    "ladder",
    "ladder-original",
    "exact-original",
    "around",
    "keys",
    "layout",
    "simd",
    "wins",
    "champion",
    "champion-original",
    "champion-ablation",
    "progress",
    "progress-original",
    "tables",
    "threads",
    "empty-board",
    "fhourstones",
    "budget",
    "budget-cpython",
    "budget-cpython-ladder",
    "engines",
    "exact-champion",
    "proof-same",
    "proof-pair",
    "proof-block",
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableState {
    #[default]
    Cold,
    Warm,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Experiment {
    /// The name of the experiment, and of the folder of its results.
    pub name: String,
    #[serde(default)]
    pub about: String,
    #[serde(default = "one")]
    pub seed: u64,
    #[serde(default = "one")]
    pub repetitions: u64,
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub processes: u64,
    pub limit: Option<usize>,
    /// True if limited positions are drawn from the set by the seed ([`TestSet::drawn`]). A larger draw has those of a
    /// smaller one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sampled: bool,
    /// Size of the transposition tables whose size the variant does not fix: `64MiB`.
    pub tt: Option<String>,
    /// Columns and rows of the board. Default: the board of the test sets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    #[serde(default)]
    pub tt_state: TableState,
    pub time_limit: Option<String>,
    pub node_limit: Option<u64>,
    /// True if an untimed counting pass follows the measurement.
    #[serde(default)]
    pub counters: bool,
    pub runs: Vec<Run>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub engines: BTreeMap<String, EngineTable>,
}

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Run {
    /// Names of variants, of which the first is the base. A name may have changes and a table size:
    /// `champion[order=centre]@1GiB`.
    pub variants: Vec<String>,
    pub test_sets: Vec<String>,
    #[serde(default = "strong")]
    pub goals: Vec<Goal>,
    /// Positions of each set, instead of the experiment's limit.
    pub limit: Option<usize>,
}

fn one() -> u64 {
    1
}

fn is_one(number: &u64) -> bool {
    *number == 1
}

fn strong() -> Vec<Goal> {
    vec![Goal::Strong]
}

/// Default time limit of a cell if there are engines. Without a limit, a program that hangs would never end.
const ENGINE_LIMIT: Duration = Duration::from_secs(60);

const MOST_REPETITIONS: u64 = 10_000;
const MOST_PROCESSES: u64 = 1000;

impl Experiment {
    /// One strong pass without limits, with one run that is still empty.
    pub fn blank(name: &str) -> Self {
        let text = format!("name = {}\nruns = [{{ variants = [], test-sets = [] }}]", toml::Value::from(name));
        toml::from_str(&text).expect("every other key has a default")
    }

    pub fn open(name: impl AsRef<OsStr>) -> Result<Self> {
        let name = name.as_ref();
        Self::parse(&name.to_string_lossy(), &open_text("experiment or file", name, EMBEDDED)?)
    }

    /// Reads an experiment; an error names the file, the line and the reason.
    pub fn parse(file: &str, text: &str) -> Result<Self> {
        let experiment: Self = toml::from_str(text).map_err(|error| toml_error(file, text, &error))?;
        experiment.validate().with_context(|| file.to_string())?;
        Ok(experiment)
    }

    pub fn validate(&self) -> Result<()> {
        if !is_plain(&self.name) {
            bail!("the name {:?} is not made of letters, digits, '-', '_' and '.'", self.name);
        }
        let nothing = [
            (self.runs.is_empty(), "no [[runs]]"),
            (self.repetitions == 0, "repetitions = 0"),
            (self.processes == 0, "processes = 0"),
            (self.limit == Some(0), "limit = 0"),
        ];
        if let Some((_, reason)) = nothing.iter().find(|(nothing, _)| *nothing) {
            bail!("nothing to measure: {reason}");
        }
        let (repetitions, processes) = (self.repetitions, self.processes);
        ensure!(repetitions <= MOST_REPETITIONS, "repetitions = {repetitions}: at most {MOST_REPETITIONS}");
        ensure!(processes <= MOST_PROCESSES, "processes = {processes}: at most {MOST_PROCESSES}");
        self.options()?;
        self.time()?;
        for (name, engine) in &self.engines {
            if !is_plain(name) || Name::parse(name).is_ok() {
                let reason = "an engine's name is made of letters, digits, '-', '_' and '.', and is no variant's";
                bail!("engine {name:?}: {reason}");
            }
            engine.validate().with_context(|| format!("engine {name:?}"))?;
        }
        for run in &self.runs {
            run.validate(&self.engines)?;
        }
        Ok(())
    }

    /// Narrows every run to `variants`, `test_sets` and `goals`. If both variants and test sets are given, they become
    /// one run, and need not be in the experiment. Otherwise the experiment must have all of the given names.
    pub fn choose(
        &mut self,
        variants: Option<&[String]>,
        test_sets: Option<&[String]>,
        goals: Option<&[Goal]>,
    ) -> Result<()> {
        variants.into_iter().flatten().try_for_each(|name| known(name, &self.engines))?;
        named_once("variant", variants.unwrap_or_default())?;
        named_once("test set", test_sets.unwrap_or_default())?;
        if let (Some(variants), Some(test_sets)) = (variants, test_sets) {
            let mut named: Vec<Goal> = self.runs.iter().flat_map(|run| run.goals.clone()).collect();
            named.dedup();
            let goals = Goal::ALL.into_iter().filter(|goal| named.contains(goal)).collect();
            self.runs = vec![Run { variants: variants.to_vec(), test_sets: test_sets.to_vec(), goals, limit: None }];
        }
        for run in &mut self.runs {
            variants.iter().for_each(|names| run.variants.retain(|name| names.contains(name)));
            test_sets.iter().for_each(|names| run.test_sets.retain(|name| names.contains(name)));
            goals.iter().for_each(|goals| run.goals = goals.to_vec());
        }
        self.runs.retain(|run| !run.variants.is_empty() && !run.test_sets.is_empty());
        let named = |of: fn(&Run) -> &Vec<String>, name: &String| self.runs.iter().any(|run| of(run).contains(name));
        let strangers = variants.into_iter().flatten().filter(|name| !named(|run| &run.variants, name));
        let more = test_sets.into_iter().flatten().filter(|name| !named(|run| &run.test_sets, name));
        let strangers = strangers.map(|name| ("variant", "name test sets too, to measure it on them", name));
        match strangers.chain(more.map(|name| ("test set", "name variants too, to measure them on it", name))).next() {
            Some((what, advice, name)) => bail!("the experiment {} has no {what} {name:?}; {advice}", self.name),
            None => Ok(()),
        }
    }

    /// The names in all runs, in the order of tables; a name may occur twice.
    pub fn order(&self) -> Vec<String> {
        self.runs.iter().flat_map(|run| run.variants.clone()).collect()
    }

    pub fn options(&self) -> Result<Options> {
        let table = |text: &String| size::parse(text).map_err(|reason| anyhow::anyhow!("tt {text:?}: {reason}"));
        let board = self.board_size()?;
        let options = self.tt.as_ref().map(table).transpose()?.map_or(Options::on(board), Options::with_tt);
        Ok(Options { board, ..options })
    }

    /// The board of the experiment, or else the board in the names of its test sets.
    pub fn board_size(&self) -> Result<BoardSize> {
        let named = self.runs.iter().flat_map(|run| &run.test_sets).find_map(|name| TestSet::named_board(name));
        let named = named.unwrap_or(BoardSize::STANDARD);
        let board = self.board.as_ref().map_or(Ok(named), |text| text.parse());
        let board = board.map_err(|error| anyhow::anyhow!("board {error}"))?;
        ensure!(registry::is_searched(board), "board \"{board}\": {}", BuildError::Board(board));
        Ok(board)
    }

    /// The time limit of a cell. Default: `ENGINE_LIMIT` if there are engines, else none.
    pub fn time(&self) -> Result<Option<Duration>> {
        let parse = |text: &String| humantime::parse_duration(text).with_context(|| format!("time limit {text:?}"));
        let limit = self.time_limit.as_ref().map(parse).transpose()?;
        Ok(limit.or((!self.engines.is_empty()).then_some(ENGINE_LIMIT)))
    }

    /// The names of all variants and engines, in order of first mention.
    pub fn names(&self) -> Vec<&str> {
        distinct(self.runs.iter().flat_map(|run| &run.variants).map(String::as_str))
    }

    /// All variants, without the engines, in order of first mention.
    pub fn variants(&self) -> Result<Vec<Name>> {
        let names = self.names().into_iter().filter(|name| !self.engines.contains_key(*name));
        names.map(|name| Name::parse(name).map_err(|error| anyhow::anyhow!(explain(error)))).collect()
    }

    pub fn join(&mut self, name: &str) {
        for run in self.runs.iter_mut().filter(|run| run.variants.iter().all(|other| other != name)) {
            run.variants.push(name.to_string());
        }
    }

    pub fn test_sets(&self) -> Result<Vec<TestSet>> {
        TestSet::open_all(self.board_size()?, self.runs.iter().flat_map(|run| &run.test_sets))
    }

    /// The experiment as manifests show it, with the files of test sets without the machine's folders.
    pub fn shown(&self) -> Self {
        let mut shown = self.clone();
        shown.runs.iter_mut().flat_map(|run| &mut run.test_sets).for_each(|name| *name = shown_path(name));
        shown.engines.values_mut().for_each(|engine| *engine = engine.shown());
        shown
    }
}

impl Run {
    fn validate(&self, engines: &BTreeMap<String, EngineTable>) -> Result<()> {
        for (what, names) in [("variant", &self.variants), ("test set", &self.test_sets)] {
            if names.is_empty() {
                bail!("a run without a {what}");
            }
            named_once(what, names)?;
        }
        if self.goals.is_empty() || self.limit == Some(0) {
            bail!("a run with {}", if self.goals.is_empty() { "no goal" } else { "limit = 0" });
        }
        for name in &self.variants {
            known(name, engines)?;
            let is_weak = match engines.get(name) {
                Some(engine) => engine.is_weak(),
                None => Name::parse(name).is_ok_and(|name| name.spec().goals() == [Goal::Weak]),
            };
            if engines.get(name).is_some_and(|engine| !engine.tells_score()) {
                bail!("{name} answers without a {{score}}: it can play (c4lab match), but cannot be measured");
            }
            if self.goals != [Goal::Weak] && is_weak {
                bail!("{name} says only who wins: a run with it has goals = [\"weak\"]");
            }
        }
        Ok(())
    }
}

fn known(name: &str, engines: &BTreeMap<String, EngineTable>) -> Result<()> {
    let Err(reason) = Name::parse(name) else { return Ok(()) };
    if engines.contains_key(name) {
        return Ok(());
    }
    if engines.is_empty() || name.contains(['@', '[']) {
        bail!(explain(reason));
    }
    let variants = registry::ALL.iter().map(|entry| entry.name);
    bail!(unknown("variant or engine", name, engines.keys().map(String::as_str).chain(variants)))
}

fn named_once(what: &str, names: &[String]) -> Result<()> {
    match names.iter().enumerate().find(|(index, name)| names[..*index].contains(name)) {
        Some((_, name)) => bail!("the {what} {name:?} is named twice in one run"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        format!("{:#}", Experiment::parse("e.toml", text).expect_err(text))
    }

    const RUN: &str = "[[runs]]\nvariants = [\"pons-12\"]\ntest-sets = [\"end-easy\"]\n";

    #[test]
    fn embedded_experiments_are_valid() {
        for &(name, text) in EMBEDDED {
            assert_eq!(Experiment::parse(name, text).unwrap().name, name);
        }
    }

    #[test]
    fn defaults_are_one_pass_over_whole_sets_strong() {
        let experiment = Experiment::parse("e.toml", &format!("name = \"e\"\n{RUN}")).unwrap();
        assert_eq!((experiment.seed, experiment.repetitions, experiment.limit), (1, 1, None));
        assert_eq!(experiment.runs[0].goals, [Goal::Strong]);
        assert_eq!(experiment.options().unwrap(), Options::default());
    }

    #[test]
    fn an_experiment_is_narrowed_run_by_run() {
        let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        let ladder = || Experiment::open("ladder").unwrap();
        let mut weak = ladder();
        weak.choose(None, None, Some(&[Goal::Weak])).unwrap();
        assert_eq!(weak.runs.len(), ladder().runs.len());
        assert!(weak.runs.iter().zip(&ladder().runs).all(|(ours, theirs)| {
            ours.goals == [Goal::Weak] && (&ours.variants, ours.limit) == (&theirs.variants, theirs.limit)
        }));
        let mut one = ladder();
        one.choose(Some(&names(&["pons-05"])), None, None).unwrap();
        assert!(one.runs.iter().all(|run| run.variants == ["pons-05"]));
        assert!(one.runs.iter().all(|run| run.test_sets.iter().all(|set| set == "end-easy" || set == "middle-easy")));
        let mut none = ladder();
        none.choose(Some(&names(&["pons-03"])), None, None).unwrap();
        let error = none.choose(None, Some(&names(&["begin-hard"])), None).unwrap_err().to_string();
        assert!(error.starts_with("the experiment ladder has no test set \"begin-hard\""), "{error}");
        let mut strange = ladder();
        assert!(strange.choose(Some(&names(&["pons-13"])), None, None).is_err());
        assert!(strange.choose(Some(&names(&["pons-12", "pons-12"])), None, None).is_err());
        let mut cross = ladder();
        cross.choose(Some(&names(&["pons-03"])), Some(&names(&["begin-hard"])), None).unwrap();
        assert_eq!((cross.runs.len(), cross.runs[0].goals.len(), cross.runs[0].limit), (1, 2, None));
    }

    #[test]
    fn errors_name_file_line_and_reason() {
        assert_eq!(error("name = \"e\"\nsed = 1\n"), "e.toml, line 2: no key \"sed\"; nearest: \"seed\"");
        assert_eq!(
            error(&format!("name = \"e\"\n{RUN}variant = 1")),
            "e.toml, line 5: no key \"variant\"; nearest: \"variants\""
        );
        assert!(error("name = \"e\"\nvariants = [\"champion\"]\n").starts_with("e.toml, line 2: no key \"variants\""));
        assert!(error(&format!("name = \"e\"\n{RUN}seed = 1")).starts_with("e.toml, line 5: no key \"seed\""));
        assert!(error("name = \"e\"\nname = \"f\"").starts_with("e.toml, line 2: duplicate key"));
        assert!(error("name = ").starts_with("e.toml, line 1: "));
        assert_eq!(
            error(&format!("name = \"e\"\n{}", RUN.replace("pons-12", "pons-21"))),
            "e.toml: no variant \"pons-21\"; nearest: \"pons-12\""
        );
        assert_eq!(
            error(&format!("name = \"e\"\n{}", RUN.replace("\"pons-12\"", "\"pons-12\", \"pons-12\""))),
            "e.toml: the variant \"pons-12\" is named twice in one run"
        );
        assert!(error(&format!("name = \"../e\"\n{RUN}")).contains("is not made of"));
        assert!(error(&format!("name = \"e\"\nrepetitions = 0\n{RUN}")).contains("repetitions = 0"));
        assert!(error(&format!("name = \"e\"\nlimit = 0\n{RUN}")).contains("limit = 0"));
        assert!(error(&format!("name = \"e\"\nrepetitions = 4294967296\n{RUN}")).contains("at most"));
        assert!(error(&format!("name = \"e\"\ntt = \"1XB\"\n{RUN}")).contains("not a size"));
        assert!(error(&format!("name = \"e\"\ntime-limit = \"soon\"\n{RUN}")).contains("soon"));
        assert!(error("name = \"e\"\nruns = []").contains("no [[runs]]"));
    }
}
