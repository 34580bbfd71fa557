//! Claims: every claim has an id of its own, a statement, a source, and a range that a number can lie in.

use super::complaint::FILE;
use super::experiment::complain;
use c4lab_report::claims::claim::Claim;
use c4lab_report::claims::written::file;
use std::collections::HashSet;

/// Reads bytes as a file of claims.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let claims = match file::parse(FILE, text) {
        Ok(claims) => claims,
        Err(error) => return complain(&format!("{error:#}"), text),
    };
    assert!(!claims.is_empty());
    let ids: HashSet<&str> = claims.iter().map(|claim| claim.id.as_str()).collect();
    assert_eq!(ids.len(), claims.len());
    claims.iter().for_each(one);
    let first = std::slice::from_ref(&claims[0].id);
    let chosen = file::choose(claims.clone(), first).expect("it has its own first claim");
    assert!(chosen.contains(&claims[0]));
    assert_eq!(file::parse(FILE, text).expect("the same again"), claims);
}

fn one(claim: &Claim) {
    let (low, high) = claim.published.range;
    assert!(low <= high && !claim.published.shown.is_empty(), "{claim:?}");
    assert!(claim.is_statement || claim.published.cannot_fail().is_none(), "{claim:?}");
    assert!(claim.is_statement || !claim.kind.is_of_machine(), "{claim:?}");
    assert!(claim.published.digits.is_none_or(|(low, high)| low <= high), "{claim:?}");
    assert!(!claim.statement.trim().is_empty() && !claim.variant.contains('\0'), "{claim:?}");
    assert_eq!(claim.kind.is_of_samples(), claim.place.is_some(), "{claim:?}");
    assert!(!claim.kind.is_ratio() || claim.base.is_some(), "{claim:?}");
}
