//! The splice `claims` of a Markdown file: rows of a folder's `claims.csv`.

use crate::report::claims::claim::Kind;
use crate::report::claims::table::{markdown, read};
use crate::report::claims::verdict::Verdict;
use c4lab_solver::search::Goal;
use std::path::Path;

/// What stands in the splice, given the words that choose: `claims= kinds= goal= verdicts=`. Or why it says nothing.
pub fn splice(folder: &Path, words: &[&str]) -> Result<String, String> {
    let mut rows = read(folder).map_err(|error| format!("{error:#}"))?;
    for word in words {
        let (key, names) = word.split_once('=').unwrap_or((word, ""));
        let names: Vec<&str> = names.split(',').collect();
        let known: Vec<&str> = match key {
            "claims" => names.iter().copied().filter(|name| rows.iter().any(|row| row.is_meant_by(name))).collect(),
            "kinds" => Kind::ALL.map(Kind::name).to_vec(),
            "goal" => Goal::NAMES.to_vec(),
            "verdicts" => Verdict::ALL.map(word_of).to_vec(),
            _ => return Err(format!("{word:?} is none of claims=, kinds=, goal=, verdicts=")),
        };
        if let Some(name) = names.iter().find(|name| !known.contains(name)) {
            return Err(format!("{key}= does not know {name:?}"));
        }
        rows.retain(|row| match key {
            "claims" => names.iter().any(|name| row.is_meant_by(name)),
            "kinds" => names.contains(&row.kind.name()),
            "goal" => row.goal.is_none_or(|goal| names.contains(&goal.name())),
            _ => names.contains(&word_of(row.verdict)),
        });
    }
    if rows.is_empty() {
        Err("the folder has no claim that the marker asks for".to_string())
    } else {
        Ok(markdown(&rows))
    }
}

/// A verdict in one word, as in `claims.csv`.
fn word_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::SameDirection => "same-direction",
        Verdict::NotReproduced => "not-reproduced",
        Verdict::Undecided => "undecided",
        Verdict::NotTested => "not-tested",
        Verdict::Waiting => "waiting",
    }
}
