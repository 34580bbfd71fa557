//! Rules of the house that no compiler looks at, and that tests run with their checks on.
//!
//! What breaks a rule today stands on a list at the top of the rule's file, with its reason. A list may only get shorter: a line that
//! nothing needs any more fails as well.

mod adding;
mod boards;
mod checks;
mod dependencies;
mod names;
mod records;
mod rooms;
mod sizes;
mod systems;
mod toolchain;
mod unsafe_code;

use std::fs;
use std::path::{Path, PathBuf};

/// The packages: name, sources, rooms from the bottom to the top.
const PACKAGES: [(&str, &str, &[&str]); 3] = [
    ("c4lab-solver", "solver/src", &["game", "axes", "search"]),
    ("c4lab", "src", &["lab", "report", "serve", "cmd"]),
    ("c4lab-python", "python/src", &[]),
];

/// A Rust file and what is in it.
struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The code before its tests, comments left out, by line.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        // Within a macro such a line is indented, and code follows.
        let lines = self.text.lines().take_while(|line| *line != "#[cfg(test)]");
        let lines = lines.take(if self.path.ends_with("/tests.rs") { 0 } else { usize::MAX });
        lines.enumerate().map(|(index, line)| (index + 1, code(line)))
    }
}

/// A line without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

/// Every Rust file in some folders and below.
fn sources(folders: &[&str]) -> Vec<Source> {
    let mut folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                sources.push(Source { path: path.display().to_string(), text });
            }
        }
    }
    sources.sort_by(|one, other| one.path.cmp(&other.path));
    sources
}

/// Every Rust file of the project.
fn all() -> Vec<Source> {
    sources(&["src", "solver", "python", "tests", "benches", "examples", "fuzz"])
}

fn table(path: impl AsRef<Path>) -> toml::Table {
    fs::read_to_string(path).unwrap().parse().unwrap()
}

/// Holds what was found against a list of what may be: nothing else, and nothing that is no more.
fn hold_to(allowed: &[&str], found: &[String], rule: &str) {
    let more: Vec<_> = found.iter().filter(|one| !allowed.contains(&one.as_str())).collect();
    assert!(more.is_empty(), "{rule}: {more:#?}");
    let gone: Vec<_> = allowed.iter().filter(|one| !found.iter().any(|found| found == *one)).collect();
    assert!(gone.is_empty(), "take off the list, they keep the rule now ({rule}): {gone:?}");
}
