//! Differences: the settings in which two experiments differ, for people who asked for one and find the other.

use crate::plan::experiment::Experiment;
use std::collections::BTreeSet;

const SHOWN: usize = 60;

/// The settings that differ, as TOML has them: `limit: 3 there, 5 here`.
pub fn differences(here: &Experiment, there: &Experiment) -> Vec<String> {
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

    #[test]
    fn what_differs_is_named_and_nothing_else() {
        let one = Experiment::open("quick").unwrap();
        assert_eq!(differences(&one, &one), Vec::<String>::new());
        let other = Experiment { repetitions: 5, node_limit: Some(9), ..one.clone() };
        assert_eq!(differences(&one, &other), ["node-limit: 9 there, none here", "repetitions: 5 there, 3 here"]);
        let runs = Experiment { runs: Experiment::blank("x").runs, ..one.clone() };
        let said = differences(&one, &runs).remove(0);
        assert!(said.starts_with("runs: [{ ") && said.contains("... here") && said.len() < 200, "{said}");
    }
}
