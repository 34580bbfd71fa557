//! Every variant against the recorded scores of the shipped sets, and the file of random positions for the champion's
//! test in the solver's own suite. `totals` has the champion's scores on whole sets.

use crate::support::positions;
use c4lab_measure::sets::protocol::SETS;
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::Options;
use c4lab_solver::search::registry::{Entry, compiled_on};

/// The number of positions of each set, in the order of the protocol.
const COUNTS: [usize; 6] = [200, 50, 20, 50, 20, 20];
const NODES: u64 = 50_000;

const LEAST: usize = 50;

/// The percentage of positions of all sets that a variant answers under its goals.
fn percent_answered(entry: &Entry, sets: &[TestSet]) -> usize {
    let mut solver = entry.build(&Options::default()).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
    let (mut asked, mut answered) = (0, 0);
    for &goal in entry.spec.goals() {
        for (set, count) in sets.iter().zip(COUNTS) {
            let share = positions::check(&mut *solver, entry.name, set, goal, count, NODES);
            asked += share.asked;
            answered += share.answered;
        }
    }
    100 * answered / asked
}

fn open(name: &str) -> TestSet {
    TestSet::open(name).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
#[ignore = "whole sets"]
fn every_variant_gives_the_recorded_scores() {
    let sets: Vec<TestSet> = SETS.iter().map(|set| open(set.name)).collect();
    let mut short = Vec::new();
    for entry in compiled_on(BoardSize::STANDARD).filter(|entry| entry.runs()) {
        let percent = percent_answered(entry, &sets);
        if percent < LEAST {
            short.push(format!("{}: only {percent} % answered", entry.name));
        }
    }
    assert!(short.is_empty(), "{short:#?}");
}

#[test]
fn the_random_positions_are_those_of_their_record() {
    let held = TestSet::open("solver/tests/data/random-positions.txt").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(held.sha256, "17981e1fe0313cb5cd80e41bffa23f5cea91e36523880291b97fac04e243b572");
}
