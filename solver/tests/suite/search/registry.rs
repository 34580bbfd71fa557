//! The registry: names, and what they stand for.

use c4lab_solver::search::Spec;
use c4lab_solver::search::registry::{ALL, DEFAULT, find};
use std::collections::HashSet;

#[test]
fn names_are_distinct_and_specs_valid() {
    for (index, entry) in ALL.iter().enumerate() {
        assert!(entry.spec.validate().is_ok(), "{}", entry.name);
        assert!(!entry.about.is_empty());
        assert!(ALL[..index].iter().all(|other| other.name != entry.name && other.spec != entry.spec));
    }
    assert!(find(DEFAULT).is_ok());
}

#[test]
fn an_unknown_name_says_which_there_are() {
    let error = find("pons12").err().unwrap();
    assert_eq!((error.what.as_str(), error.name.as_str(), error.known.len()), ("variant", "pons12", ALL.len()));
}

#[test]
fn every_variant_is_a_point_of_the_space() {
    let all: HashSet<Spec> = Spec::all().into_iter().collect();
    assert!(ALL.iter().all(|entry| all.contains(&entry.spec)));
}
