//! The registry: names, old names, and what they stand for.

use c4lab_solver::search::Spec;
use c4lab_solver::search::registry::{ALL, DEFAULT, alias, find};
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
    assert_eq!(find("champion-claims-none").unwrap().name, "champion-zugzwang-none");
}

#[test]
fn every_variant_is_a_point_of_the_space() {
    let all: HashSet<Spec> = Spec::all().into_iter().collect();
    assert!(ALL.iter().all(|entry| all.contains(&entry.spec)));
}

#[test]
fn old_names_lead_to_names_that_there_are() {
    for (old, now) in alias::VARIANTS {
        assert!(ALL.iter().any(|entry| entry.name == now) && ALL.iter().all(|entry| entry.name != old), "{old}");
    }
    for (old, now) in alias::AXES {
        let axes = Spec::axes();
        assert!(axes.iter().any(|(name, _)| *name == now) && axes.iter().all(|(name, _)| *name != old), "{old}");
    }
}
