//! Checks that no compiler makes: docs/ADDING.md shows its patches as they are (`.ci/adding` applies them, builds and
//! measures with them), and tests run with overflow checks.

use crate::support::read;
use std::collections::BTreeSet;
use std::fs;
use std::hint::black_box;

const PATCHES: &str = "docs/adding";

/// Every patch, its name and its text, in the order in which they are applied.
fn patches() -> Vec<(String, String)> {
    let mut names: Vec<String> =
        fs::read_dir(PATCHES).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), read(&format!("{PATCHES}/{name}")))).collect()
}

fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("## ")?.split(['[', ']', '(', ')', '/', ' ']).find(|word| word.ends_with(".patch"))
}

/// The guide has a heading for every patch and names no other patch. Each line that it shows of a patch is in the
/// patch.
#[test]
fn the_guide_shows_its_patches() {
    let (guide, patches) = (read("docs/ADDING.md"), patches());
    let names: Vec<&str> = patches.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(guide.lines().filter_map(heading).collect::<Vec<_>>(), names);
    let words = guide.split(|c: char| !c.is_alphanumeric() && !"-.".contains(c));
    let named: BTreeSet<&str> = words.filter(|word| word.ends_with(".patch")).collect();
    assert_eq!(named, names.into_iter().collect());
    let (mut patch, mut block, mut shown) = (None, "", BTreeSet::new());
    for line in guide.lines() {
        if line.starts_with("## ") {
            patch = patches.iter().find(|(name, _)| Some(name.as_str()) == heading(line));
        } else if let Some(opened) = line.strip_prefix("```") {
            block = if block.is_empty() { opened } else { "" };
        } else if block == "diff" {
            let (name, text) = patch.unwrap_or_else(|| panic!("{line}: under no patch"));
            assert!(text.lines().any(|other| other == line), "{name} has no line {line:?}");
            shown.insert(name);
        }
    }
    assert_eq!(shown.len(), patches.len(), "of every patch something is shown: {shown:?}");
}

/// Without overflow checks, a test would not see a wrong score that comes from an overflow.
#[test]
#[should_panic(expected = "attempt to add with overflow")]
fn tests_run_with_overflow_checks() {
    black_box(black_box(i32::MAX) + black_box(1));
}

#[test]
fn no_package_is_tested_without_its_checks() {
    let manifest: toml::Table = read("Cargo.toml").parse().unwrap();
    let test = manifest["profile"]["test"].as_table().unwrap();
    let packages = test["package"].as_table().unwrap().values().map(|package| package.as_table().unwrap());
    for table in packages.chain([test]) {
        for check in ["overflow-checks", "debug-assertions"] {
            assert!(table.get(check).is_none_or(|check| check.as_bool() == Some(true)), "{table}: {check}");
        }
    }
}
