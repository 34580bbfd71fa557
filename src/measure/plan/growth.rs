//! Growth: the additions to an experiment whose folder holds rows already. Passes, processes and positions of its test
//! sets can be added, because the cells that have rows do not change.
//!
//! A measured position keeps its variants. An added variant would not run in the blocks of the others, and its times
//! could not be compared with theirs.

use crate::plan::Plan;
use crate::plan::experiment::Experiment;
use c4lab_solver::search::Goal;
use std::collections::BTreeSet;

/// The additions of `plan` to the experiment `there` of a folder; empty if the two are equal. The error is a refusal.
pub fn growth(there: &Experiment, plan: &Plan) -> Result<Vec<String>, String> {
    let here = plan.experiment.shown();
    if here == *there {
        return Ok(Vec::new());
    }
    let differ = differences(&here, there).join("; ");
    // Rows of other limits cannot be compared, and added variants would not run in the same blocks.
    if bare(there) != bare(&here) {
        return Err(format!(
            "holds another experiment or other settings of this one ({differ}); passes, processes and positions \
             are added to a folder, but no variants, sets, goals or limits: choose another --out, and measure all of it there"
        ));
    }
    let earlier = Plan::with_sets(there.clone(), plan.sets.clone()).map_err(|error| format!("{error:#}"))?;
    let less = here.repetitions < there.repetitions
        || here.processes < there.processes
        || variants_of(&earlier, plan).any(|(before, after)| !before.is_subset(after));
    if less {
        return Err(format!(
            "holds more than this ({differ}); rows are never removed: measure at least as much as the folder holds, or choose another \
             --out"
        ));
    }
    if variants_of(&earlier, plan).any(|(before, after)| before != after) {
        return Err(format!(
            "holds positions that other variants would join ({differ}); these would not run in the same blocks; choose another \
             --out"
        ));
    }
    Ok(added(there, &here))
}

/// The experiment without its passes, processes and positions.
fn bare(experiment: &Experiment) -> Experiment {
    let mut bare = Experiment { repetitions: 1, processes: 1, limit: None, about: String::new(), ..experiment.clone() };
    bare.runs.iter_mut().for_each(|run| run.limit = None);
    bare
}

/// For every position that was measured, the variants that ran there, and those that would run now.
fn variants_of<'p>(
    earlier: &'p Plan,
    plan: &'p Plan,
) -> impl Iterator<Item = (&'p BTreeSet<usize>, &'p BTreeSet<usize>)> {
    let of_set = move |set: usize| {
        let items = move |goal| (0..plan.sets[set].items.len()).map(move |item| (set, goal, item));
        Goal::ALL.into_iter().flat_map(items)
    };
    let positions = (0..plan.sets.len()).flat_map(of_set);
    let both = move |(set, goal, item)| (earlier.taking_part(set, goal, item), plan.taking_part(set, goal, item));
    positions.map(both).filter(|(before, _)| !before.is_empty())
}

fn added(there: &Experiment, here: &Experiment) -> Vec<String> {
    let limit = |limit: Option<usize>| limit.map_or("all".to_string(), |limit| limit.to_string());
    let whole = (there.limit, here.limit);
    let mut more = vec![
        ("repetitions".to_string(), there.repetitions.to_string(), here.repetitions.to_string()),
        ("processes".to_string(), there.processes.to_string(), here.processes.to_string()),
        ("limit".to_string(), limit(whole.0), limit(whole.1)),
    ];
    // A run whose limit is that of the experiment has no line of its own.
    let runs = there.runs.iter().zip(&here.runs).map(|(there, here)| (there.limit, here.limit)).enumerate();
    let runs = runs.filter(|(_, limits)| *limits != whole);
    more.extend(runs.map(|(index, (there, here))| (format!("limit of run {}", index + 1), limit(there), limit(here))));
    more.retain(|(_, there, here)| there != here);
    more.into_iter().map(|(what, there, here)| format!("{what} from {there} to {here}")).collect()
}

const SHOWN: usize = 60;

/// The settings in which two experiments differ, with their values in TOML: `limit: 3 there, 5 here`.
fn differences(here: &Experiment, there: &Experiment) -> Vec<String> {
    let table = |experiment| toml::Table::try_from(experiment).unwrap_or_default();
    let (here, there) = (table(here), table(there));
    let keys: BTreeSet<&String> = here.keys().chain(there.keys()).collect();
    let differing = keys.into_iter().filter(|key| here.get(*key) != there.get(*key));
    let line = |key: &String| format!("{key}: {} there, {} here", shown(there.get(key)), shown(here.get(key)));
    differing.map(line).collect()
}

fn shown(value: Option<&toml::Value>) -> String {
    let text = value.map_or("none".to_string(), toml::Value::to_string);
    if text.chars().count() <= SHOWN { text } else { format!("{}...", text.chars().take(SHOWN).collect::<String>()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::schedule::{BatchLength, schedule};
    use crate::plan::shard::Shard;
    use crate::plan::tests::plan;
    use crate::sets::test_set::TestSet;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn example(size: (u64, u64, usize, usize)) -> Plan {
        let (repetitions, processes, limit, fewer) = size;
        let text = format!(
            "name = \"e\"\nrepetitions = {repetitions}\nprocesses = {processes}\nlimit = {limit}\n\
             [[runs]]\nvariants = [\"pons-10\", \"pons-11\", \"pons-12\"]\ntest-sets = [\"a\"]\n\
             [[runs]]\nvariants = [\"pons-03\"]\ntest-sets = [\"a\"]\ngoals = [\"strong\", \"weak\"]\nlimit = {fewer}\n"
        );
        let set: String = (0..12).map(|_| "44 1\n").collect();
        let set = TestSet::parse("a", set.as_bytes(), false).unwrap();
        Plan::with_sets(plan(&text).experiment, vec![set]).unwrap()
    }

    /// The cells of a plan: the key of each, its batch and its turn.
    fn cells(plan: &Plan, length: usize, shard: Shard) -> BTreeMap<String, (u32, u32)> {
        let lengths = Goal::ALL.map(|goal| BatchLength { set: "a".to_string(), goal, positions: length });
        let mut cells = BTreeMap::new();
        for process in 1..=plan.experiment.processes as u32 {
            for block in &schedule(plan, shard, process, &lengths) {
                for place in block.turns(plan).flatten() {
                    let id = format!("{:?}", place.key(plan, process));
                    assert_eq!(cells.insert(id, (block.batch, place.turn)), None);
                }
            }
        }
        cells
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

        /// Growth in steps measures the cells of the final plan, each once, in the batches and turns of that plan.
        #[test]
        fn growing_in_steps_is_measuring_at_once(
            steps in prop::collection::vec((0u64..2, 0u64..2, 0usize..5), 1..5),
            length in 1usize..5,
            half in any::<bool>(),
        ) {
            let shard = if half { Shard::new(1, 2).unwrap() } else { Shard::WHOLE };
            let mut size = (1, 1, 2, 1);
            let mut before = example(size);
            let mut measured = cells(&before, length, shard);
            for (repetitions, processes, limit) in steps {
                size = (size.0 + repetitions, size.1 + processes, size.2 + limit, size.3);
                let plan = example(size);
                prop_assert!(growth(&before.experiment, &plan).is_ok());
                for (id, place) in cells(&plan, length, shard) {
                    let known = *measured.entry(id).or_insert(place);
                    prop_assert_eq!(known, place);
                }
                before = plan;
            }
            prop_assert_eq!(measured, cells(&example(size), length, shard));
        }
    }

    #[test]
    fn what_cannot_be_added_is_refused_with_the_reason() {
        let there = example((2, 2, 3, 2)).experiment;
        let refused = |plan: &Plan| growth(&there, plan).unwrap_err();
        for less in [(1, 2, 3, 2), (2, 1, 3, 2), (2, 2, 2, 2), (2, 2, 3, 1)] {
            assert!(refused(&example(less)).contains("holds more than this"), "{less:?}");
        }
        let joined = refused(&example((2, 2, 3, 3)));
        assert!(joined.contains("positions that other variants would join (runs: "), "{joined}");
        let changed = |change: fn(&mut Experiment)| {
            let mut experiment = there.clone();
            change(&mut experiment);
            refused(&Plan::with_sets(experiment, example((2, 2, 3, 2)).sets).unwrap())
        };
        let seed = changed(|experiment| experiment.seed = 2);
        assert!(seed.contains("other settings of this one (seed: 1 there, 2 here); passes"), "{seed}");
        let limit = changed(|experiment| experiment.node_limit = Some(5));
        assert!(limit.contains("(node-limit: none there, 5 here)"), "{limit}");
        let variants = changed(|experiment| experiment.runs[0].variants.push("pons-09".to_string()));
        assert!(variants.contains("(runs: [{ ") && variants.contains("... here)"), "{variants}");
    }
}
