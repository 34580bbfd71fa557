//! Attributions: techniques that are switched on and off in all combinations, described in TOML:
//!
//! ```toml
//! name = "example"
//! about = "What the attribution answers."
//! base = "pons-08"                      # a variant, and changes to it
//! changes = "table-size=chosen"
//! test-sets = ["middle-medium"]
//! limit = 100                           # positions of each set, from its first line
//!
//! [[techniques]]
//! name = "mirror"
//! changes = "key=mirror"                # the changes that switch it on
//!
//! [[techniques]]
//! name = "colorless"
//! changes = "key=colorless"
//!
//! [[together]]                          # the changes of both, if they change one axis
//! techniques = ["mirror", "colorless"]
//! changes = "key=colorless-mirror"
//! ```
//!
//! A combination is a number whose bit `i` is set if technique `i` is on. It is written with one digit for each
//! technique, the first technique first: `011`.

pub mod ablation_path;
pub mod run;

use crate::sets::test_set::{TestSet, shown_path};
use crate::text::{embedded, explain, is_plain, open_text, toml_error, unknown};
use anyhow::{Context, Result, bail, ensure};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{Goal, Name, Options, Spec, size};
use serde::{Deserialize, Serialize};
use std::ffi::OsStr;

pub const MOST_TECHNIQUES: usize = 8;

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Attribution {
    pub name: String,
    #[serde(default)]
    pub about: String,
    pub base: String,
    #[serde(default)]
    pub changes: String,
    pub test_sets: Vec<String>,
    #[serde(default)]
    pub goal: Goal,
    pub limit: Option<usize>,
    pub tt: Option<String>,
    /// Node limit of a search. A position that reaches it is left out of the attribution.
    pub node_limit: Option<u64>,
    #[serde(default = "one")]
    pub seed: u64,
    pub techniques: Vec<Technique>,
    /// Changes for techniques that are on together, if their own changes conflict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<JointChanges>,
}

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Technique {
    pub name: String,
    /// The changes that switch the technique on, `key=value,...`; empty if it works only together with another.
    #[serde(default)]
    pub changes: String,
}

#[derive(Clone, Debug, Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct JointChanges {
    pub techniques: Vec<String>,
    pub changes: String,
}

fn one() -> u64 {
    1
}

pub static EMBEDDED: &[(&str, &str)] = embedded!["attribution", "attribution-small",];

impl Attribution {
    pub fn open(name: impl AsRef<OsStr>) -> Result<Self> {
        let name = name.as_ref();
        Self::parse(&name.to_string_lossy(), &open_text("attribution or file", name, EMBEDDED)?)
    }

    pub fn parse(file: &str, text: &str) -> Result<Self> {
        let attribution: Self = toml::from_str(text).map_err(|error| toml_error(file, text, &error))?;
        attribution.validate().with_context(|| file.to_string())?;
        Ok(attribution)
    }

    pub fn validate(&self) -> Result<()> {
        let names = self.techniques.iter().map(|technique| &technique.name);
        for name in names.clone().chain([&self.name]) {
            ensure!(is_plain(name), "the name {name:?} is not made of letters, digits, '-', '_' and '.'");
        }
        for (index, name) in names.enumerate() {
            if self.techniques[..index].iter().any(|other| other.name == *name) {
                bail!("the technique {name:?} is named twice");
            }
        }
        match self.techniques.len() {
            0 => bail!("no [[techniques]]"),
            1..=MOST_TECHNIQUES => {}
            many => bail!("{many} techniques: at most {MOST_TECHNIQUES}, which make 256 combinations"),
        }
        if self.test_sets.is_empty() || self.limit == Some(0) {
            bail!("nothing to count: {}", if self.test_sets.is_empty() { "no test set" } else { "limit = 0" });
        }
        self.options()?;
        let specs = self.combinations()?;
        if let Some(on) = (0..specs.len()).find(|&on| !specs[on].goals().contains(&self.goal)) {
            bail!("{} says only who wins: goal = \"weak\"", self.shown(on));
        }
        match (0..self.techniques.len()).find(|&index| (0..specs.len()).all(|on| specs[on] == specs[on | 1 << index])) {
            Some(index) => bail!("the technique {:?} changes nothing in any combination", self.techniques[index].name),
            None => Ok(()),
        }
    }

    pub fn combinations(&self) -> Result<Vec<Spec>> {
        let members = self.together.iter().map(|together| self.members(together)).collect::<Result<Vec<_>>>()?;
        let base = Name::parse(&self.base).map_err(|error| anyhow::anyhow!(explain(error)))?;
        if base.tt_bytes().is_some() {
            bail!("base {:?}: set the size of the transposition table by the key tt", self.base);
        }
        if base.threads().count > 1 {
            bail!(
                "base {:?}: use one thread; the node count of several threads differs from search to search",
                self.base
            );
        }
        let base = base.spec();
        let combination = |on: usize| {
            let spec = self.changes_of(on, &members).and_then(|changes| Spec::parse(&changes, base).map_err(explain));
            spec.map_err(|reason| anyhow::anyhow!("{}: {reason}", self.shown(on)))
        };
        (0..1 << self.techniques.len()).map(combination).collect()
    }

    /// The techniques of `together`, as a combination.
    fn members(&self, together: &JointChanges) -> Result<usize> {
        let mut members = 0;
        for name in &together.techniques {
            let names = || self.techniques.iter().map(|technique| technique.name.as_str());
            let index = names().position(|known| known == name);
            members |= 1 << index.with_context(|| format!("[[together]]: {}", unknown("technique", name, names())))?;
        }
        if members == 0 {
            bail!("[[together]] without techniques");
        }
        Ok(members)
    }

    /// All changes of combination `on` to the base, in order; an error if two techniques change one axis in two ways.
    fn changes_of(&self, on: usize, members: &[usize]) -> Result<String, String> {
        let together = self.together.iter().zip(members);
        let together: Vec<&str> =
            together.filter(|(_, all)| on & *all == **all).map(|(both, _)| both.changes.as_str()).collect();
        let mut set_by: Vec<(&str, &str, &Technique)> = Vec::new();
        for technique in self.on(on) {
            for (key, value) in assignments(&technique.changes) {
                let rival = set_by.iter().find(|(other, set, _)| *other == key && *set != value);
                let is_settled = together.iter().any(|changes| assignments(changes).any(|(set, _)| set == key));
                if let Some((_, _, rival)) = rival.filter(|_| !is_settled) {
                    let (one, other) = (&rival.name, &technique.name);
                    return Err(format!("{one} and {other} both set {key}; add a [[together]] for them"));
                }
                set_by.push((key, value, technique));
            }
        }
        let techniques = self.on(on).map(|technique| technique.changes.as_str());
        Ok([self.changes.as_str()].into_iter().chain(techniques).chain(together).collect::<Vec<_>>().join(","))
    }

    pub fn on(&self, on: usize) -> impl Iterator<Item = &Technique> {
        self.techniques.iter().enumerate().filter(move |(index, _)| on >> index & 1 == 1).map(|(_, it)| it)
    }

    pub fn digits(&self, on: usize) -> String {
        (0..self.techniques.len()).map(|index| if on >> index & 1 == 1 { '1' } else { '0' }).collect()
    }

    fn shown(&self, on: usize) -> String {
        let names: Vec<&str> = self.on(on).map(|technique| technique.name.as_str()).collect();
        if names.is_empty() { "the base".to_string() } else { format!("the base with {}", names.join(", ")) }
    }

    pub fn options(&self) -> Result<Options> {
        let parse = |text: &String| size::parse(text).map_err(|reason| anyhow::anyhow!("tt {text:?}: {reason}"));
        let bytes = self.tt.as_ref().map(parse).transpose()?;
        Ok(bytes.map_or(Options::default(), Options::with_tt))
    }

    pub fn positions(&self, all: usize) -> usize {
        all.min(self.limit.unwrap_or(usize::MAX))
    }

    pub fn open_sets(&self) -> Result<Vec<TestSet>> {
        TestSet::open_all(BoardSize::STANDARD, self.test_sets.iter())
    }

    /// The attribution as manifests show it, with the files of test sets without the machine's folders.
    pub fn without_folders(&self) -> Self {
        let mut shown = self.clone();
        shown.test_sets.iter_mut().for_each(|name| *name = shown_path(name));
        shown
    }
}

/// The `key=value` pairs of `changes`. [`Spec::parse`] rejects other parts.
fn assignments(changes: &str) -> impl Iterator<Item = (&str, &str)> {
    changes.split(',').filter_map(|part| part.trim().split_once('='))
}

#[cfg(test)]
mod tests {
    use super::*;
    use c4lab_solver::axes::Axis;
    use c4lab_solver::search::registry::find;
    use std::collections::HashSet;

    const HEAD: &str = "name = \"a\"\nbase = \"pons-12\"\ntest-sets = [\"end-easy\"]\n";

    fn technique(name: &str, changes: &str) -> String {
        format!("[[techniques]]\nname = \"{name}\"\nchanges = \"{changes}\"\n")
    }

    fn error(text: &str) -> String {
        format!("{:#}", Attribution::parse("a.toml", text).expect_err(text))
    }

    #[test]
    fn embedded_attributions_are_valid() {
        for &(name, text) in EMBEDDED {
            assert_eq!(Attribution::parse(name, text).unwrap().name, name);
        }
        let eight = Attribution::open("attribution").unwrap();
        let specs = eight.combinations().unwrap();
        assert_eq!((eight.techniques.len(), specs.len()), (8, 256));
        assert_eq!(specs.iter().collect::<HashSet<_>>().len(), 192, "as the text of the attribution says");
        assert_eq!(specs[255], find("pons-12-wide-key-colorless-mirror").unwrap().spec, "as the text says");
    }

    #[test]
    fn a_combination_is_the_changes_of_its_techniques() {
        let both = "[[together]]\ntechniques = [\"m\", \"c\"]\nchanges = \"key=colorless-mirror\"\n";
        let wide = "changes = \"table=wide,table-size=chosen\"\n";
        let text = [HEAD, wide, &technique("m", "key=mirror"), &technique("c", "key=colorless"), both].concat();
        let attribution = Attribution::parse("a.toml", &text).unwrap();
        let keys: Vec<_> = attribution.combinations().unwrap().iter().map(|spec| spec.key.value()).collect();
        assert_eq!(keys, ["exact", "mirror", "colorless", "colorless-mirror"]);
        assert_eq!(attribution.digits(2), "01");
        let apart = text.replace(both, "");
        assert_eq!(error(&apart), "a.toml: the base with m, c: m and c both set key; add a [[together]] for them");
    }

    #[test]
    fn errors_name_file_line_and_reason() {
        let one = technique("t", "order=centre");
        assert_eq!(error("name = \"a\"\nbas = 1\n"), "a.toml, line 2: no key \"bas\"; nearest: \"base\"");
        assert_eq!(error(&format!("{HEAD}[[techniques]\n")).split(':').next(), Some("a.toml, line 4"));
        assert_eq!(error(&format!("{HEAD}techniques = []")), "a.toml: no [[techniques]]");
        assert!(error(&HEAD.replace("pons-12", "pons-13")).contains("missing field"));
        let text = [&HEAD.replace("pons-12", "pons-13"), one.as_str()].concat();
        assert_eq!(error(&text), "a.toml: no variant \"pons-13\"; nearest: \"pons-12\"");
        assert_eq!(
            error(&[HEAD, &technique("t", "order=center")].concat()),
            "a.toml: the base with t: no value of order \"center\"; nearest: \"centre\""
        );
        let odd = error(&[HEAD, &one, &technique("none", "table=none")].concat());
        assert!(odd.starts_with("a.toml: the base with none: table-bounds"), "{odd}");
        assert_eq!(
            error(&[HEAD, &one, &technique("idle", "order=threats")].concat()).split(": ").nth(1),
            Some("the base with t, idle")
        );
        assert!(error(&[HEAD, &technique("idle", "order=threats")].concat()).contains("changes nothing"));
        assert!(error(&[HEAD, &one, &one].concat()).contains("\"t\" is named twice"));
        assert!(error(&[HEAD, "limit = 0\n", &one].concat()).contains("limit = 0"));
        let nine: String = (0..9).map(|index| technique(&format!("t{index}"), "")).collect();
        assert!(error(&[HEAD, &nine].concat()).contains("9 techniques: at most 8"));
        let strange = "[[together]]\ntechniques = [\"u\"]\nchanges = \"\"\n";
        assert_eq!(error(&[HEAD, &one, strange].concat()), "a.toml: [[together]]: no technique \"u\"; known: \"t\"");
    }
}
