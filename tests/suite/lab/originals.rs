//! The original test sets. The tests need a folder with the original files `Test_L*_R*`, named by `C4LAB_TEST_SETS`, and
//! pass without it. `c4lab reproduce pons` compares the nodes on these sets with the published ones.

use crate::support::positions;
use c4lab_measure::sets::originals;
use c4lab_measure::sets::protocol::{Protocol, SETS};
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{Options, registry};

/// The original set, with a checked digest; `None` without `C4LAB_TEST_SETS`.
fn open(set: &Protocol) -> Option<TestSet> {
    std::env::var_os(originals::FOLDER)?;
    let original = TestSet::open(&format!("original/{}", set.name)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(original.sha256, set.original_sha256, "{} is not the original file", set.original);
    assert_eq!(original.items.len(), 1000, "{}", set.original);
    Some(original)
}

#[test]
fn no_development_set_has_a_position_of_an_original() {
    for set in &SETS {
        let Some(original) = open(set) else { continue };
        let development = TestSet::open(&format!("development/{}", set.name)).unwrap_or_else(|error| panic!("{error}"));
        assert!(development.boards().is_disjoint(&original.boards()), "{}", set.name);
    }
}

/// Checks every registered variant. The experiments `exact-original` and `exact-champion` check more positions.
#[test]
#[ignore = "every variant on the original sets"]
fn every_variant_gives_the_original_scores() {
    let sets: Vec<TestSet> = SETS.iter().filter_map(open).collect();
    if sets.is_empty() {
        println!("skipped: ${} names no folder with the original test sets", originals::FOLDER);
    }
    for entry in registry::compiled_on(BoardSize::STANDARD).filter(|entry| entry.runs()) {
        let mut solver = entry.build(&Options::default()).expect("a table");
        for (set, goal) in sets.iter().flat_map(|set| entry.spec.goals().iter().map(move |&goal| (set, goal))) {
            positions::check(&mut *solver, entry.name, set, goal, 25, 20_000);
        }
    }
}
