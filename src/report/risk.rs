//! Risk: how likely samples of inexact variants are wrong. A checked score is right; this says what the variant could
//! have done.

use crate::results::{Results, Series};
use c4lab_measure::files::node_row::UnreadSpec;
use std::collections::BTreeMap;

/// One line for each variant whose table hashes its keys: the chance, at most, that the table answered some search here
/// for another position than it asked about. Of specs that are not read, [`unread`] warns.
pub fn warnings(results: &Results) -> Vec<String> {
    let mut nodes: BTreeMap<(&str, &str), (&Series, u64)> = BTreeMap::new();
    for column in columns(results) {
        let (_, all) = nodes.entry((&column.variant, &column.spec)).or_insert((column, 0));
        *all = all.saturating_add(column.all_nodes);
    }
    let line = |(Series { variant, read, .. }, nodes): (&Series, u64)| {
        let risk = read.as_ref().ok()?.risk(nodes);
        let text = format!(
            "{variant} hashes its keys: of its {nodes} nodes here, one was wrong with a chance of at most {risk:.1e}"
        );
        (risk > 0.0).then_some(text)
    };
    nodes.into_values().filter_map(line).collect()
}

/// The specs of rows of one file that are not read, each once, in the order of their first lines. Those that `engines`
/// name are left out: they have no spec of ours.
pub fn unread(results: &Results, engines: &[&str]) -> Vec<UnreadSpec> {
    let mut found: Vec<UnreadSpec> = Vec::new();
    for column in columns(results).filter(|column| !engines.contains(&column.name.as_str())) {
        match found.iter_mut().find(|known| known.spec == column.spec) {
            Some(known) => {
                known.rows += column.rows;
                known.line = known.line.min(column.line);
            }
            None => found.extend(column.read.clone().err().map(|reason| UnreadSpec {
                spec: column.spec.clone(),
                reason,
                line: column.line,
                rows: column.rows,
            })),
        }
    }
    found.sort_by_key(|unread| unread.line);
    found
}

fn columns(results: &Results) -> impl Iterator<Item = &Series> {
    results.groups.iter().flat_map(|group| &group.columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use c4lab_measure::files::sample::Sample;
    use c4lab_measure::fixtures::sample;
    use c4lab_solver::search::Spec;
    use c4lab_solver::search::registry::PONS_12;

    #[test]
    fn only_hashed_keys_are_a_risk() {
        let of =
            |spec: &str| warnings(&results(&[Sample { spec: spec.to_string(), ..sample("a", 1, 100, 1 << 30) }], &[]));
        assert!(of(&PONS_12.to_string()).is_empty());
        let hashed = Spec::parse("table=hashed,table-size=chosen", PONS_12).unwrap();
        let warnings = of(&hashed.to_string());
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].contains("1073741824 nodes") && warnings[0].ends_with("at most 1.5e-8"), "{warnings:?}");
    }

    #[test]
    fn a_spec_that_is_not_read_is_no_risk_of_nothing() {
        let of = |variant: &str, id: u64, spec: &str| Sample { spec: spec.to_string(), ..sample(variant, id, 100, 10) };
        let good = PONS_12.to_string();
        let (odd, none) = ("order=sideways", "walls=4");
        let specs = [
            ("p", 1, good.as_str()),
            ("b", 1, none),
            ("a", 1, odd),
            ("b", 2, none),
            ("b", 3, none),
            ("e", 1, "version=1"),
        ];
        let rows = specs.map(|(variant, id, spec)| of(variant, id, spec));
        let found = unread(&results(&rows, &[]), &["e"]);
        let shown: Vec<(&str, usize, usize)> = found.iter().map(|it| (it.spec.as_str(), it.line, it.rows)).collect();
        assert_eq!(shown, [(none, 3, 3), (odd, 4, 1)]);
        assert!(found[0].reason.starts_with("no axis \"walls\"") && found[1].reason.starts_with("no value of order"));
        assert_eq!(unread(&results(&rows, &[]), &[]).len(), 3);
    }
}
