//! One word, one meaning: no type name stands twice in a package.

use super::{PACKAGES, hold_to, sources};
use std::collections::BTreeMap;

/// Names that still stand twice or more, by package.
const TWICE: [(&str, &[&str]); 3] = [("c4lab-solver", &[]), ("c4lab", &[]), ("c4lab-python", &[])];

/// Each subcommand has its `Args`: so clap calls them, and no file sees those of another.
const EACH_HAS_ITS_OWN: &str = "Args";

/// The type that a line declares, if it declares one; an associated type is none.
fn declared(line: &str) -> Option<&str> {
    let words: Vec<&str> =
        line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
    let inner = line.starts_with(' ');
    let mut words = words.into_iter().skip_while(|word| ["pub", "crate", "super", "in"].contains(word));
    let kind = words.next()?;
    let is_one = ["struct", "enum", "union", "trait"].contains(&kind) || kind == "type" && !inner;
    words.next().filter(|name| is_one && name.starts_with(char::is_uppercase))
}

#[test]
fn no_type_name_stands_twice_in_a_package() {
    for ((package, folder, _), (listed, twice)) in PACKAGES.into_iter().zip(TWICE) {
        assert_eq!(package, listed);
        let mut files: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for source in sources(&[folder]) {
            for name in source.code().filter_map(|(_, line)| declared(line)).filter(|name| *name != EACH_HAS_ITS_OWN) {
                files.entry(name.to_string()).or_default().push(source.path.clone());
            }
        }
        files.retain(|_, files| files.len() > 1);
        let unlisted: Vec<_> = files.iter().filter(|(name, _)| !twice.contains(&name.as_str())).collect();
        assert!(unlisted.is_empty(), "{package}: {unlisted:#?}");
        hold_to(twice, &files.into_keys().collect::<Vec<_>>(), "no type name stands twice in a package");
    }
}

#[test]
fn declarations_are_found() {
    assert_eq!(declared("pub(crate) struct Cell<'a> {"), Some("Cell"));
    assert_eq!(declared("    enum Inner {"), Some("Inner"));
    assert_eq!(declared("pub type Score = i32;"), Some("Score"));
    assert_eq!((declared("    type Item = u32;"), declared("let kind = struct_of(Cell);")), (None, None));
}
