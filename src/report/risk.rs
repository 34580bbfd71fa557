//! Risk: what samples of inexact variants may be wrong with. A checked score is right; this says what the variant
//! could have done.

use crate::report::results::Results;
use c4lab_solver::search::Spec;
use c4lab_solver::search::registry::PONS_12;
use std::collections::BTreeMap;

/// One line for each variant whose table hashes its keys: the chance, at most, that some search here was told of another
/// position than it asked for.
pub fn warnings(results: &Results) -> Vec<String> {
    let mut nodes: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for column in results.grounds.iter().flat_map(|ground| &ground.columns) {
        let all = nodes.entry((&column.variant, &column.spec)).or_default();
        *all = all.saturating_add(column.all_nodes);
    }
    let line = |((variant, spec), nodes): ((&str, &str), u64)| {
        let risk = Spec::parse(spec, PONS_12).ok()?.table.risk(nodes);
        let text = format!(
            "{variant} hashes its keys: of its {nodes} nodes here, one was wrong with a chance of at most {risk:.1e}"
        );
        (risk > 0.0).then_some(text)
    };
    nodes.into_iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::files::folder::tests::sample;
    use crate::lab::files::sample::Sample;
    use crate::report::results::tests::results;

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
}
