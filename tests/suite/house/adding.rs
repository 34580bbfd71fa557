//! The guide to additions, docs/ADDING.md: its patches apply, and it shows what they hold. `.ci/adding` builds and measures with them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const GUIDE: &str = "docs/ADDING.md";
const PATCHES: &str = "docs/adding";

struct Patch {
    name: String,
    text: String,
}

impl Patch {
    /// The files behind a mark: `--- a/` for those that it changes, `+++ b/` for those that there are then.
    fn files(&self, mark: &str) -> Vec<&str> {
        self.text.lines().filter_map(|line| line.strip_prefix(mark)).collect()
    }
}

/// Every patch, in the order in which they are applied.
fn patches() -> Vec<Patch> {
    let mut paths: Vec<_> = fs::read_dir(PATCHES).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let patch = |path: &Path| Patch {
        name: path.file_name().unwrap().to_string_lossy().into_owned(),
        text: fs::read_to_string(path).unwrap(),
    };
    paths.iter().map(|path| patch(path)).collect()
}

fn heading(line: &str) -> Option<&str> {
    line.strip_prefix("## ")?.split(['[', ']', '(', ')', '/', ' ']).find(|word| word.ends_with(".patch"))
}

#[test]
fn the_guide_has_a_heading_for_every_patch_and_names_no_other() {
    let guide = fs::read_to_string(GUIDE).unwrap();
    let names: Vec<String> = patches().into_iter().map(|patch| patch.name).collect();
    assert_eq!(guide.lines().filter_map(heading).collect::<Vec<_>>(), names);
    let words = guide.split(|c: char| !c.is_alphanumeric() && !"-.".contains(c));
    let named: BTreeSet<&str> = words.filter(|word| word.ends_with(".patch")).collect();
    assert_eq!(named, names.iter().map(String::as_str).collect());
}

/// A line that the guide shows as a part of a patch stands in it.
#[test]
fn what_the_guide_shows_is_in_its_patch() {
    let (guide, patches) = (fs::read_to_string(GUIDE).unwrap(), patches());
    let (mut patch, mut block, mut shown) = (None, "", BTreeSet::new());
    for line in guide.lines() {
        if line.starts_with("## ") {
            patch = patches.iter().find(|patch| Some(patch.name.as_str()) == heading(line));
        } else if let Some(opened) = line.strip_prefix("```") {
            block = if block.is_empty() { opened } else { "" };
        } else if block == "diff" {
            let patch = patch.unwrap_or_else(|| panic!("{line}: under no patch"));
            assert!(patch.text.lines().any(|other| other == line), "{} has no line {line:?}", patch.name);
            shown.insert(&patch.name);
        }
    }
    assert_eq!(shown.len(), patches.len(), "of every patch something is shown: {shown:?}");
}

/// They are applied to copies of the files that they name, in a folder that is in no repository.
#[test]
fn patches_apply_one_after_another() {
    if Command::new("git").arg("--version").output().is_err() {
        println!("skipped: no git here");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    for patch in patches() {
        for file in patch.files("--- a/") {
            let copy = place.path().join(file);
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            if !copy.exists() {
                fs::copy(file, copy).unwrap_or_else(|error| panic!("{}: {file}: {error}", patch.name));
            }
        }
        let path = fs::canonicalize(Path::new(PATCHES).join(&patch.name)).unwrap();
        let mut git = Command::new("git");
        git.args(["apply", "--whitespace=error"]).arg(path).current_dir(place.path());
        // Git would look for a repository around the folder, and in what a hook tells it.
        git.env("GIT_CEILING_DIRECTORIES", place.path().parent().unwrap());
        let output = git.env_remove("GIT_DIR").env_remove("GIT_WORK_TREE").output().unwrap();
        assert!(output.status.success(), "{}: {}", patch.name, String::from_utf8_lossy(&output.stderr));
        for file in patch.files("+++ b/") {
            let after = fs::read_to_string(place.path().join(file)).unwrap();
            let added =
                patch.text.lines().filter_map(|line| line.strip_prefix('+')).filter(|line| !line.starts_with("++"));
            assert!(added.filter(|line| after.contains(line)).count() > 0, "{}: {file} is as it was", patch.name);
        }
    }
}
