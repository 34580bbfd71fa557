//! By source: how many claims of each source are reproduced, are not, or are open, by the verdicts of records.

use crate::claims::claim::Claim;
use crate::claims::table::{ClaimRow, Kept};
use crate::claims::verdict::Verdict;
use anyhow::{Context, Result};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceCount {
    pub source: String,
    pub claims: usize,
    pub reproduced: usize,
    pub not: usize,
    pub open: usize,
    pub statements: usize,
}

fn rank(verdict: Verdict) -> u32 {
    match verdict {
        Verdict::Reproduced => 0,
        verdict if verdict.contradicts() => 0,
        Verdict::Undecided => 1,
        _ => 2,
    }
}

/// Of two findings of one claim, whether the second is to be believed: it decides as much, and is later.
fn replaces(later: Verdict, earlier: Verdict) -> bool {
    rank(later) <= rank(earlier)
}

/// The verdicts of all records in a folder, by the ids of claims. Of several the latest counts, by the records' names; but one that
/// decides nothing does not undo one that does. Records whose verdicts were given by an older rule are passed over.
pub fn verdicts(records: &Path) -> Result<HashMap<String, Verdict>> {
    let entries = std::fs::read_dir(records).with_context(|| {
        format!(
            "no records in {0}: name a folder of records with --records, as {0}/ of a checkout is",
            records.display()
        )
    })?;
    let mut folders: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    let mut known: HashMap<String, Verdict> = HashMap::new();
    for folder in folders {
        let Kept::Rows(rows) = Kept::read(&folder)? else { continue };
        for row in rows {
            let earlier = known.get(&row.claim).copied().unwrap_or(Verdict::Waiting);
            if replaces(row.verdict, earlier) {
                known.insert(row.claim, row.verdict);
            }
        }
    }
    Ok(known)
}

pub fn best(rows: Vec<ClaimRow>) -> Option<ClaimRow> {
    let says = |row: &ClaimRow| (rank(row.verdict), row.measured.is_none());
    rows.into_iter().reduce(|best, row| if says(&row) < says(&best) { row } else { best })
}

fn title(source: &str) -> &str {
    source.split_once("\", part ").map_or(source, |(title, _)| &source[..=title.len()])
}

/// What became of each source, in the order of first mention.
pub fn count(claims: &[Claim], verdicts: &HashMap<String, Verdict>) -> Vec<SourceCount> {
    let mut counts: Vec<SourceCount> = Vec::new();
    for claim in claims {
        let source = title(&claim.source);
        let place = counts.iter().position(|count| count.source == source).unwrap_or_else(|| {
            counts.push(SourceCount { source: source.to_string(), ..SourceCount::default() });
            counts.len() - 1
        });
        let count = &mut counts[place];
        let verdict = verdicts.get(&claim.id).copied().unwrap_or(Verdict::NotTested);
        if claim.is_statement {
            count.statements += 1;
            continue;
        }
        count.claims += 1;
        match verdict {
            Verdict::Reproduced => count.reproduced += 1,
            verdict if verdict.contradicts() => count.not += 1,
            _ => count.open += 1,
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::finding::Finding;
    use crate::claims::table::csv;
    use crate::claims::written::tests::{CLAIM, claims};
    use tempfile::TempDir;

    #[test]
    fn the_latest_verdict_counts_unless_it_decides_nothing() {
        let place = TempDir::new().unwrap();
        let three =
            (1..=3).map(|number| CLAIM.replace("twice\"", &format!("twice-{number}\"")).replace("source = 's'\n", ""));
        let text = format!("source = 's'\n{}", three.collect::<String>());
        let claims = claims(&text);
        let keep = |name: &str, verdicts: [Verdict; 3]| {
            let rows: Vec<ClaimRow> = (claims.iter().zip(verdicts))
                .map(|(claim, verdict)| ClaimRow::from(&Finding::untested(claim, verdict, String::new())))
                .collect();
            std::fs::create_dir_all(place.path().join(name)).unwrap();
            std::fs::write(place.path().join(name).join("claims.csv"), csv(&rows).unwrap()).unwrap();
        };
        keep("2026-01-01-a", [Verdict::Reproduced, Verdict::Reproduced, Verdict::NotTested]);
        keep("2026-01-02-b", [Verdict::Opposite, Verdict::Undecided, Verdict::Undecided]);
        let known = verdicts(place.path()).unwrap();
        let of = |name: &str| known[name];
        assert_eq!(
            ["twice-1", "twice-2", "twice-3"].map(of),
            [Verdict::Opposite, Verdict::Reproduced, Verdict::Undecided]
        );
        let counts = count(&claims, &known);
        assert_eq!(
            counts,
            [SourceCount { source: "s".to_string(), claims: 3, reproduced: 1, not: 1, open: 1, statements: 0 }]
        );
        assert_eq!(count(&claims, &HashMap::new())[0].open, 3, "without records all is open");
        assert!(verdicts(&place.path().join("none")).is_err());
    }

    #[test]
    fn parts_of_a_source_are_one_source() {
        assert_eq!(title("P. Pons, \"Solving Connect Four\", part 2"), "P. Pons, \"Solving Connect Four\"");
        assert_eq!(title("Kite"), "Kite");
    }
}
