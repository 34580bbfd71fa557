//! Ladder: whether the variants of a ground are rungs, each the one before it with something changed.
//!
//! No experiment says so, but specs do: a rung differs in fewer choices from the rung before it than from the base. The variants of
//! an ablation are each as near to the base, and a step between two of them would say nothing.

use crate::results::{Ground, Series};
use crate::tables::ablation::changes;

/// Whether each variant of a ground is nearer to the one before it than to the first. Two variants are one step.
pub fn is_ladder(ground: &Ground) -> bool {
    let Some(base) = ground.columns.first() else { return false };
    ground.columns.windows(2).skip(1).all(|pair| distance(&pair[0], &pair[1]) < distance(base, &pair[1]))
}

/// In how many choices two variants differ.
fn distance(one: &Series, other: &Series) -> usize {
    changes(&one.spec, &other.spec).len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::tests::results;
    use crate::tables::list::{Choice, sheets};
    use c4lab_measure::files::sample::Sample;
    use c4lab_measure::fixtures::sample;

    fn is_ladder_of(specs: &[&str]) -> bool {
        let row = |(index, spec): (usize, &&str)| Sample {
            spec: spec.to_string(),
            ..sample(&format!("v{index}"), 1, 100 - index as u64, 10)
        };
        let rows: Vec<Sample> = specs.iter().enumerate().map(row).collect();
        let results = results(&rows, &[]);
        let is_ladder = is_ladder(&results.grounds[0]);
        assert_eq!(sheets(&results, 1, &[], "steps", &Choice::default()).len(), usize::from(is_ladder));
        is_ladder
    }

    #[test]
    fn rungs_go_on_and_an_ablation_goes_back() {
        assert!(is_ladder_of(&["a=0,b=0,c=0", "a=1,b=0,c=0", "a=1,b=1,c=0", "a=1,b=1,c=1"]));
        assert!(!is_ladder_of(&["a=0,b=0,c=0", "a=1,b=0,c=0", "a=0,b=1,c=0", "a=0,b=0,c=1"]));
        assert!(is_ladder_of(&["a=0", "b=1"]), "two variants are one step");
        assert!(!is_ladder_of(&["a=0", "a=0", "a=0"]), "one choice with several tables");
    }
}
