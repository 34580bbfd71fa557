//! A wrong score that comes of an overflow would not be seen otherwise: the suite runs with every check on, in the solver too.

use std::hint::black_box;

#[test]
#[should_panic(expected = "attempt to add with overflow")]
fn tests_run_with_overflow_checks() {
    black_box(black_box(i32::MAX) + black_box(1));
}

#[test]
#[should_panic(expected = "the checks are on")]
fn tests_run_with_debug_assertions() {
    debug_assert!(black_box(false), "the checks are on");
}

/// What the profile says of the suite, it says of the solver: no table of a package takes a check away.
#[test]
fn no_package_is_tested_without_its_checks() {
    let manifest = super::table("Cargo.toml");
    let test = manifest["profile"]["test"].as_table().unwrap();
    assert_eq!((test["overflow-checks"].as_bool(), test["debug-assertions"].as_bool()), (Some(true), Some(true)));
    for (name, package) in test["package"].as_table().unwrap() {
        for check in ["overflow-checks", "debug-assertions"] {
            assert!(package.get(check).is_none_or(|check| check.as_bool() == Some(true)), "{name}: {check}");
        }
    }
}
