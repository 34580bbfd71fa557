//! The plan: an experiment whose names are resolved to variants, engines and test sets. Strings are parsed here, once.
//! Measuring, counting and the search for missing cells all use the plan.

pub mod experiment;
pub mod growth;
pub mod schedule;
pub mod shard;

use crate::engines::table::EngineTable;
use crate::plan::experiment::{Experiment, Run};
use crate::plan::shard::Shard;
use crate::sets::test_set::{TestSet, shown_path};
use crate::text::explain;
use anyhow::{Result, anyhow};
use c4lab_solver::axes::Threats;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::registry::{Entry, WITH_ABLATIONS};
use c4lab_solver::search::searcher::dispatched;
use c4lab_solver::search::{Goal, Name, Options, Spec};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Plan {
    /// The experiment with its dynamic counterparts, as it is measured and as manifests keep it.
    pub experiment: Experiment,
    pub sets: Vec<TestSet>,
    /// The variants and engines in order of first mention, which is the order of tables.
    pub entrants: Vec<Entrant>,
    /// The indices of the entrants of every measured position, by set, goal and position.
    taking_part: HashMap<(usize, Goal, usize), BTreeSet<usize>>,
    pub options: Options,
    pub time: Option<Duration>,
}

#[derive(Clone, Debug)]
pub enum Entrant {
    Variant(Name),
    Engine(String, Box<EngineTable>),
}

/// The SIMD level of the machine code of a variant's evaluators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Code {
    Scalar,
    Avx2,
    Avx512,
    Emulated,
}

impl Code {
    /// The code of `spec` in this build; for `threats=dispatched`, also on this processor.
    pub fn of(spec: Spec, is_compiled: bool) -> Self {
        if spec.threats == Threats::Dispatched {
            return match dispatched(is_compiled).name() {
                "avx512" => Code::Avx512,
                "avx2" => Code::Avx2,
                _ => Code::Scalar,
            };
        }
        match (spec.is_vector(), spec.available()) {
            (false, _) => Code::Scalar,
            (true, Err(_)) => Code::Emulated,
            (true, Ok(())) if cfg!(target_feature = "avx512f") => Code::Avx512,
            (true, Ok(())) => Code::Avx2,
        }
    }
}

impl Entrant {
    pub fn name(&self) -> &str {
        match self {
            Entrant::Variant(name) => name.text(),
            Entrant::Engine(name, _) => name,
        }
    }

    pub fn variant(&self) -> Option<&Name> {
        match self {
            Entrant::Variant(name) => Some(name),
            Entrant::Engine(..) => None,
        }
    }
}

impl Plan {
    pub fn of(experiment: Experiment) -> Result<Self> {
        let sets = experiment.test_sets()?;
        Self::with_sets(experiment, sets)
    }

    /// The plan of `experiment`, whose test sets are `sets`, in order of first mention.
    pub fn with_sets(mut experiment: Experiment, sets: Vec<TestSet>) -> Result<Self> {
        experiment.validate()?;
        // A manifest names the board, even if only the names of the test sets gave it.
        let board = experiment.board_size()?;
        experiment.board = experiment.board.or((board != BoardSize::STANDARD).then(|| board.to_string()));
        add_dynamic(&mut experiment)?;
        let entrants =
            experiment.names().into_iter().map(|name| entrant(&experiment, name)).collect::<Result<Vec<_>>>()?;
        let taking_part = taking_part(&experiment, &sets, &entrants);
        let (options, time) = (experiment.options()?, experiment.time()?);
        Ok(Plan { experiment, sets, entrants, taking_part, options, time })
    }

    /// The indices of the positions of `set` that a run measures for `goal` and that `shard` takes.
    pub fn measured(&self, shard: Shard, set: usize, goal: Goal) -> Vec<usize> {
        let TestSet { sha256, items, .. } = &self.sets[set];
        let is_measured =
            |&item: &usize| shard.takes(sha256, items[item].line) && !self.taking_part(set, goal, item).is_empty();
        (0..items.len()).filter(is_measured).collect()
    }

    /// The indices of the entrants that a run measures on position `item` of `set` for `goal`.
    pub fn taking_part(&self, set: usize, goal: Goal, item: usize) -> &BTreeSet<usize> {
        static NOBODY: BTreeSet<usize> = BTreeSet::new();
        self.taking_part.get(&(set, goal, item)).unwrap_or(&NOBODY)
    }

    pub fn takes_part(&self, entrant: usize, set: usize, goal: Goal, item: usize) -> bool {
        self.taking_part(set, goal, item).contains(&entrant)
    }

    pub fn variants(&self) -> impl Iterator<Item = &Name> {
        self.entrants.iter().filter_map(Entrant::variant)
    }

    /// The names of the dynamic variants, whose times are compared only with each other.
    pub fn run_time(&self) -> Vec<String> {
        self.variants()
            .filter(|name| name.is_run_time_on(self.options.board))
            .map(|name| name.text().to_string())
            .collect()
    }

    /// The variants without a counting pass, which needs a dynamic variant: this build has none for their board layout.
    pub fn uncounted(&self) -> Vec<&str> {
        let board = self.options.board;
        let is_without =
            |name: &&Name| name.at_run_time().available_on(board).is_err() && name.available_on(board).is_ok();
        self.variants().filter(is_without).map(Name::text).collect()
    }

    /// A hint for the remark on dynamic variants: the feature that would compile named variants among them.
    fn how_to_compile(&self) -> String {
        let is_left_out = |name: &Name| name.named().is_some_and(|entry| !entry.is_compiled(BoardSize::STANDARD));
        if self.variants().any(is_left_out) { format!(" (to compile them: {WITH_ABLATIONS})") } else { String::new() }
    }

    /// Remarks on names: changes that make a named variant, variants without a counting pass, and dynamic variants.
    pub fn remarks(&self) -> Vec<String> {
        let named = |name: &Name| {
            let is_compiled = |_: &&Entry| !name.is_run_time_on(self.options.board);
            let entry = name.named().filter(|_| name.text().contains('[')).filter(is_compiled)?;
            Some(format!("{} runs as the compiled variant {}", name.text(), entry.name))
        };
        let mut remarks: Vec<String> = self.variants().filter_map(named).collect();
        let uncounted = self.uncounted();
        if self.experiment.counters && !uncounted.is_empty() {
            remarks.push(format!("not counted by this build: {} (needs {WITH_ABLATIONS})", uncounted.join(", ")));
        }
        let run_time = self.run_time();
        if !run_time.is_empty() {
            let names = run_time.join(", ");
            remarks.push(format!(
                "dynamic variants, whose times are compared only with each other: {names}{}",
                self.how_to_compile()
            ));
        }
        remarks
    }
}

fn entrant(experiment: &Experiment, name: &str) -> Result<Entrant> {
    match experiment.engines.get(name) {
        Some(table) => Ok(Entrant::Engine(name.to_string(), Box::new(table.clone()))),
        None => Ok(Entrant::Variant(Name::parse(name).map_err(|error| anyhow!(explain(error)))?)),
    }
}

fn taking_part(
    experiment: &Experiment,
    sets: &[TestSet],
    entrants: &[Entrant],
) -> HashMap<(usize, Goal, usize), BTreeSet<usize>> {
    let mut taking_part: HashMap<_, BTreeSet<usize>> = HashMap::new();
    for run in &experiment.runs {
        let names: Vec<String> = run.test_sets.iter().map(|name| shown_path(name)).collect();
        let is_named = |entrant: &usize| run.variants.iter().any(|name| name == entrants[*entrant].name());
        let named: Vec<usize> = (0..entrants.len()).filter(is_named).collect();
        for (index, set) in sets.iter().enumerate().filter(|(_, set)| names.contains(&set.name)) {
            let all = 0..set.items.len();
            let items = if experiment.sampled { set.drawn(experiment.seed) } else { all.collect() };
            let count = run.limit.or(experiment.limit).unwrap_or(usize::MAX).min(items.len());
            for (&goal, &item) in run.goals.iter().flat_map(|goal| items[..count].iter().map(move |item| (goal, item)))
            {
                taking_part.entry((index, goal, item)).or_default().extend(&named);
            }
        }
    }
    taking_part
}

/// Adds the missing dynamic counterparts of compiled variants to every run of `experiment`. A dynamic variant is slower
/// than a compiled one, because its branches remain. So its times are compared only with those of dynamic variants.
/// A second call adds none.
fn add_dynamic(experiment: &mut Experiment) -> Result<()> {
    let board = experiment.board_size()?;
    let Experiment { runs, engines, .. } = experiment;
    for run in runs {
        let is_variant = |name: &&String| !engines.contains_key(*name);
        let parse = |name: &String| Name::parse(name).map_err(|error| anyhow!(explain(error)));
        let names = run.variants.iter().filter(is_variant).map(parse).collect::<Result<Vec<Name>>>()?;
        // A base that is an engine has no counterpart.
        let base = names.first().filter(|base| run.variants.first().is_some_and(|first| first == base.text()));
        let Some(base) = base.filter(|_| names.iter().any(|name| name.is_run_time_on(board))) else { continue };
        if base.is_run_time_on(board) {
            names.iter().for_each(|name| add_counterpart(run, name, &names, board));
        } else {
            add_counterpart(run, base, &names, board);
        }
    }
    Ok(())
}

/// Inserts the dynamic counterpart of `name` after it, unless `run` has it already.
fn add_counterpart(run: &mut Run, name: &Name, names: &[Name], board: BoardSize) {
    let choice = |name: &Name| (name.spec(), name.tt_bytes(), name.threads());
    let is_counterpart = |other: &Name| other.is_run_time_on(board) && choice(other) == choice(name);
    let counterpart = name.at_run_time();
    if names.iter().any(is_counterpart) || run.variants.iter().any(|other| other == counterpart.text()) {
        return;
    }
    let place = run.variants.iter().position(|other| other == name.text()).map_or(run.variants.len(), |at| at + 1);
    run.variants.insert(place, counterpart.text().to_string());
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use c4lab_solver::axes::level::Chosen;
    use c4lab_solver::search::registry::{self, ABLATIONS, PONS_12};

    pub(crate) fn plan(text: &str) -> Plan {
        let set = TestSet::parse("a", b"44 1\n43 1\n42 1\n41 1\n", false).unwrap();
        Plan::with_sets(Experiment::parse("e", text).unwrap(), vec![set]).unwrap()
    }

    #[test]
    fn names_and_limits_of_an_experiment_are_resolved() {
        let text = "name = \"e\"\ntt = \"1MiB\"\ntime-limit = \"2s\"\nlimit = 2\n\
                    [[runs]]\nvariants = [\"pons-12\", \"mine\"]\ntest-sets = [\"a\"]\n\
                    [[runs]]\nvariants = [\"champion@2MiB\"]\ntest-sets = [\"a\"]\ngoals = [\"weak\"]\nlimit = 1\n\
                    [engines]\nmine = \"./mine\"\n";
        let plan = plan(text);
        assert_eq!((plan.options.tt_bytes, plan.time), (1 << 20, Some(Duration::from_secs(2))));
        assert_eq!(plan.entrants.iter().map(Entrant::name).collect::<Vec<_>>(), ["pons-12", "mine", "champion@2MiB"]);
        assert_eq!(plan.variants().map(|name| name.options(&plan.options).tt_bytes).max(), Some(2 << 20));
        assert_eq!(*plan.taking_part(0, Goal::Strong, 1), BTreeSet::from([0, 1]));
        assert_eq!(*plan.taking_part(0, Goal::Weak, 0), BTreeSet::from([2]));
        assert!(plan.taking_part(0, Goal::Strong, 2).is_empty() && plan.taking_part(0, Goal::Weak, 1).is_empty());
    }

    #[test]
    fn samples_have_their_share_of_every_number_of_stones() {
        let line = |item: usize| if item < 30 { "44 1\n" } else { "4 1\n" };
        let text: String = (0..90).map(line).collect();
        let set = TestSet::parse("a", text.as_bytes(), false).unwrap();
        let (one, two) = (set.drawn(1), set.drawn(2));
        assert_ne!(one, two);
        for drawn in [one, two] {
            assert_eq!(drawn.iter().collect::<BTreeSet<_>>().len(), 90, "every position is drawn once");
            for count in [9, 30, 60] {
                let few = drawn[..count].iter().filter(|item| **item < 30).count();
                assert!(few.abs_diff(count / 3) <= 1, "{few} of {count}");
            }
            assert!(!drawn[..30].is_sorted(), "no prefix");
        }
        let text =
            "name = \"e\"\nsampled = true\nlimit = 30\n[[runs]]\nvariants = [\"pons-12\"]\ntest-sets = [\"a\"]\n";
        let plan = Plan::with_sets(Experiment::parse("e", text).unwrap(), vec![set.clone()]).unwrap();
        let expected: BTreeSet<usize> = set.drawn(1)[..30].iter().copied().collect();
        assert_eq!(plan.measured(Shard::WHOLE, 0, Goal::Strong), Vec::from_iter(expected));
    }

    fn with_counterparts(variants: &[&str]) -> Vec<String> {
        let mut experiment = Experiment::blank("e");
        experiment.runs[0].variants = variants.iter().map(|name| name.to_string()).collect();
        experiment.engines.insert("mine".to_string(), crate::engines::table::EngineTable::of("./mine"));
        add_dynamic(&mut experiment).unwrap();
        let once = experiment.clone();
        add_dynamic(&mut experiment).unwrap();
        assert_eq!(experiment, once, "a second call adds none");
        experiment.runs.remove(0).variants
    }

    #[test]
    fn a_base_gets_a_counterpart_where_something_runs_at_run_time() {
        let other = "champion[order=centre,root=step]";
        assert_eq!(with_counterparts(&["champion", "pons-12"]), ["champion", "pons-12"]);
        assert_eq!(
            with_counterparts(&["champion", "champion[threats=halves]"]),
            ["champion", "champion[threats=halves]"]
        );
        let neighbour: &[&str] = if ABLATIONS {
            &["champion", "champion-order-centre"]
        } else {
            &["champion", "champion[]", "champion-order-centre"]
        };
        assert_eq!(with_counterparts(&["champion", "champion-order-centre"]), neighbour);
        assert_eq!(with_counterparts(&["champion", "pons-12", other]), ["champion", "champion[]", "pons-12", other]);
        assert_eq!(with_counterparts(&["champion", other, "champion[]"]), ["champion", other, "champion[]"]);
        assert_eq!(with_counterparts(&["champion@1GiB", other]), ["champion@1GiB", "champion[]@1GiB", other]);
        assert_eq!(
            with_counterparts(&["champion[threats=halves]", other]),
            ["champion[threats=halves]", "champion-threats-halves[]", other]
        );
        // Beside a dynamic base, the others get counterparts.
        let base = other;
        assert_eq!(
            with_counterparts(&[base, "champion", "mine", "pons-12"]),
            [base, "champion", "champion[]", "mine", "pons-12", "pons-12[]"]
        );
        assert_eq!(with_counterparts(&["mine", "champion", base]), ["mine", "champion", base], "for an engine");
    }

    #[test]
    fn scalar_variants_are_scalar_and_others_what_the_build_has() {
        assert_eq!(Code::of(PONS_12, true), Code::Scalar);
        let simd = registry::find("blog-simd").unwrap().spec;
        let real = cfg!(all(feature = "simd", target_feature = "avx2"));
        assert_eq!(real, matches!(Code::of(simd, true), Code::Avx2 | Code::Avx512));
        // `Code` has the names of SIMD levels in rows.
        let dispatched = serde_json::to_value(Code::of(registry::CHAMPION, true)).expect("a word");
        assert_eq!(dispatched, Chosen::best().name());
    }
}
