//! Rules of the house that no compiler looks at: where `unsafe` may stand, that every dependency is accounted for, and that tests run
//! with their checks on.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// The one file that may be unsafe.
const UNSAFE: &str = "src/axes/memory.rs";

/// Every Rust file of the project.
fn sources() -> Vec<PathBuf> {
    let mut sources = vec![PathBuf::from("build.rs")];
    let mut folders: Vec<PathBuf> = ["src", "tests", "benches", "examples", "fuzz"].map(PathBuf::from).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources.push(path);
            }
        }
    }
    sources
}

/// Whether a line of code, not of a comment, holds one of the words that unsafe code needs.
fn is_unsafe(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    // Not spelled out, so that this file has none.
    let words = ["|safe {", "|safe fn", "|safe impl", "|safe trait", "|safe extern", "[|safe(", "(|safe_code"];
    words.iter().any(|word| code.contains(&word.replace('|', "un")))
}

#[test]
fn unsafe_code_stands_in_one_file() {
    let found: BTreeSet<String> = sources()
        .iter()
        .filter(|path| fs::read_to_string(path).unwrap().lines().any(is_unsafe))
        .map(|path| path.display().to_string())
        .collect();
    assert_eq!(found, BTreeSet::from([UNSAFE.to_string()]));
    for line in ["let x = |safe { y };", "#![allow(|safe_code)]", "pub |safe fn f() {}", "#[|safe(no_mangle)]"] {
        assert!(is_unsafe(&line.replace('|', "un")), "{line}");
    }
    assert!(!is_unsafe(&"// an |safe { block }".replace('|', "un")) && !is_unsafe("'unsafe-inline'"));
}

/// The manifests deny it, too: a file that is overlooked above does not compile.
#[test]
fn both_manifests_deny_unsafe_code() {
    for manifest in ["Cargo.toml", "fuzz/Cargo.toml"] {
        assert_eq!(table(manifest)["lints"]["rust"]["unsafe_code"].as_str(), Some("deny"), "{manifest}");
    }
}

fn table(path: impl AsRef<Path>) -> toml::Table {
    fs::read_to_string(path).unwrap().parse().unwrap()
}

/// Names of the dependencies of a manifest, the package itself left out.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let manifest = table(manifest);
    let of = |kind: &str| manifest.get(kind).and_then(|kind| kind.as_table()).cloned().unwrap_or_default();
    let all = ["dependencies", "dev-dependencies", "build-dependencies"].map(of);
    all.iter().flat_map(|kind| kind.keys().cloned()).filter(|name| name != "c4lab").collect()
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
    let all: BTreeSet<String> = dependencies("Cargo.toml").union(&dependencies("fuzz/Cargo.toml")).cloned().collect();
    let accounted = accounted(&fs::read_to_string("docs/ARCHITECTURE.md").unwrap());
    assert_eq!(accounted.keys().cloned().collect::<BTreeSet<_>>(), all);
    assert!(accounted.values().all(|what| what.trim_end_matches(" |").len() > 3), "{accounted:?}");
}

/// Overflow is an error wherever the suite runs: a wrong score that comes of one would not be seen otherwise.
#[test]
#[should_panic(expected = "attempt to add with overflow")]
fn tests_run_with_overflow_checks() {
    black_box(black_box(i32::MAX) + black_box(1));
}

#[test]
#[should_panic(expected = "the checks are on")]
fn tests_run_with_debug_assertions() {
    debug_assert!(black_box(false), "the checks are on");
}
