//! Every dependency of a manifest has its line in docs/ARCHITECTURE.md.

use super::table;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const MANIFESTS: [&str; 4] = ["Cargo.toml", "solver/Cargo.toml", "python/Cargo.toml", "fuzz/Cargo.toml"];

/// Names of the dependencies of a table of a manifest.
fn of(table: &toml::Table) -> BTreeSet<String> {
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let kinds = kinds.iter().filter_map(|kind| table.get(*kind)?.as_table());
    let mut names: BTreeSet<String> = kinds.flat_map(|kind| kind.keys().cloned()).collect();
    let targets = table.get("target").and_then(|targets| targets.as_table());
    for target in targets.into_iter().flat_map(|targets| targets.values()) {
        names.extend(target.as_table().into_iter().flat_map(of));
    }
    names
}

/// The crates that the table of docs/ARCHITECTURE.md names, each with what it is for.
fn accounted(text: &str) -> BTreeMap<String, String> {
    let section = text.split("\n## Dependencies\n").nth(1).expect("a section of dependencies");
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" | "));
    let rows = rows.filter(|(names, _)| !names.starts_with("crate") && !names.starts_with("---"));
    rows.flat_map(|(names, what)| names.split(", ").map(move |name| (name.to_string(), what.to_string()))).collect()
}

#[test]
fn every_dependency_is_accounted_for() {
    let ours = ["c4lab", "c4lab-solver"];
    let all = MANIFESTS.into_iter().flat_map(|manifest| of(&table(manifest)));
    let all: BTreeSet<String> = all.filter(|name| !ours.contains(&name.as_str())).collect();
    let accounted = accounted(&fs::read_to_string("docs/ARCHITECTURE.md").unwrap());
    assert_eq!(accounted.keys().cloned().collect::<BTreeSet<_>>(), all);
    assert!(accounted.values().all(|what| what.trim_end_matches(" |").len() > 3), "{accounted:?}");
}
