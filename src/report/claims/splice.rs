//! The splice `claims` of a Markdown file: claims that a folder was held against.
//!
//! The rows of its `claims.csv` stand there as they are. Where the file is older than the rule that gives verdicts now, its claims are judged
//! again from the samples. A folder without the file is held against all claims, and those stand there that it can test.

use crate::claims::claim::{Claim, Kind};
use crate::claims::evidence::{Evidence, recorded_counts};
use crate::claims::judge::judge;
use crate::claims::sheets::markdown;
use crate::claims::table::{ClaimRow, FILE, Kept};
use crate::claims::verdict::Verdict;
use crate::claims::written::file::embedded;
use crate::reading::Reading;
use anyhow::{Result, bail};
use c4lab_solver::search::Goal;

/// What stands in the splice, given the words that choose: `claims= kinds= goal= verdicts=`. Or why it says nothing.
pub fn splice(reading: &Reading, words: &[&str]) -> Result<String, String> {
    of_rows(rows(reading).map_err(|error| format!("{error:#}"))?, words)
}

pub fn of_rows(mut rows: Vec<ClaimRow>, words: &[&str]) -> Result<String, String> {
    for word in words {
        let (key, names) = word.split_once('=').unwrap_or((word, ""));
        let names: Vec<&str> = names.split(',').collect();
        let known: Vec<&str> = match key {
            "claims" => names.iter().copied().filter(|name| rows.iter().any(|row| row.is_meant_by(name))).collect(),
            "kinds" => Kind::names(),
            "goal" => Goal::NAMES.to_vec(),
            "verdicts" => Verdict::ALL.map(Verdict::name).to_vec(),
            _ => return Err(format!("{word:?} is none of claims=, kinds=, goal=, verdicts=")),
        };
        if let Some(name) = names.iter().find(|name| !known.contains(name)) {
            return Err(format!("{key}= does not know {name:?}"));
        }
        rows.retain(|row| match key {
            "claims" => names.iter().any(|name| row.is_meant_by(name)),
            "kinds" => names.contains(&row.kind.name()),
            "goal" => row.goal.is_none_or(|goal| names.contains(&goal.name())),
            _ => names.contains(&row.verdict.name()),
        });
    }
    if rows.is_empty() {
        Err("the folder has no claim that the marker asks for".to_string())
    } else {
        Ok(markdown(&rows))
    }
}

/// The claims of a folder, with the verdicts that are given now.
fn rows(reading: &Reading) -> Result<Vec<ClaimRow>> {
    let all = match Kept::read(&reading.folder)? {
        Kept::Rows(rows) => return Ok(rows),
        Kept::Nothing => {
            let tested = |row: &ClaimRow| row.measured.is_some();
            return Ok(judged(reading, embedded()?)?.into_iter().filter(tested).collect());
        }
        Kept::Older(names) => named(embedded()?, &names, reading)?,
    };
    judged(reading, all)
}

fn named(claims: Vec<Claim>, names: &[String], reading: &Reading) -> Result<Vec<Claim>> {
    if let Some(name) = names.iter().find(|name| !claims.iter().any(|claim| claim.id == **name)) {
        bail!(
            "{}: its verdicts were given by an older rule, and {name:?} is no claim that c4lab carries: judge it with \
             `c4lab reproduce --claims FILE --from {}`",
            reading.folder.join(FILE).display(),
            reading.folder.display()
        );
    }
    Ok(claims.into_iter().filter(|claim| names.contains(&claim.id)).collect())
}

fn judged(reading: &Reading, claims: Vec<Claim>) -> Result<Vec<ClaimRow>> {
    let evidence = Evidence::of(reading, recorded_counts().as_deref())?;
    Ok(claims.iter().map(|claim| ClaimRow::from(&judge(claim, &evidence, None))).collect())
}
