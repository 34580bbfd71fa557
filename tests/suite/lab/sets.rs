//! Every variant against the recorded scores of the shipped sets, and the file of random positions for the champion's
//! test in the solver's own suite. `totals` has the champion's scores on whole sets.

use crate::support::positions::{self, FILE};
use c4lab_measure::sets::protocol::SETS;
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::registry::{Entry, compiled_on, find};
use c4lab_solver::search::{Goal, Limits, Options};

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

/// Writes the file of random positions: `cargo test --release --test suite -- --ignored by_hand_write`, about ten
/// minutes.
#[test]
#[ignore = "writes a file that is there"]
fn by_hand_write_random_positions() {
    let mut pons_12 = find("pons-12").expect("registered").build(&Options::default()).expect("a table");
    let mut line = |position: Position| {
        let solved = pons_12.solve(&position, Goal::Strong, &Limits::default()).expect("no limit");
        format!("{position} {}\n", solved.score)
    };
    let lines: String = positions::drawn().into_iter().map(&mut line).collect();
    std::fs::write(FILE, lines).expect("a file");
}

#[test]
#[ignore = "all of them"]
fn the_file_holds_what_its_seed_draws() {
    let held = TestSet::open(FILE).unwrap_or_else(|error| panic!("{error}"));
    let held = held.items.into_iter().map(|item| item.position);
    assert!(held.eq(positions::drawn()), "the positions of {} are not those of its seed", FILE);
}
