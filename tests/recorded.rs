//! Every registered variant against the recorded scores of the shipped sets.

#[path = "common/sample.rs"]
mod sample;

use c4lab::lab::protocol::SETS;
use c4lab::lab::test_set::TestSet;
use c4lab::solve::registry::{self, ALL, Entry};
use c4lab::solve::{Goal, Options};

/// Positions of each set, in the order of the protocol.
const COUNTS: [usize; 6] = [200, 50, 20, 50, 20, 20];
/// Nodes for each position.
const NODES: u64 = 50_000;

/// Percent of all asked that a rung answers, at least; a variant that is not here is held to the last line.
const LEAST: [(&str, usize); 8] = [
    ("pons-03", 55),
    ("pons-04", 65),
    ("pons-05", 70),
    ("pons-06", 70),
    ("pons-07", 70),
    ("pons-08", 75),
    ("pons-09", 75),
    ("pons-10", 80),
];

fn least(name: &str) -> usize {
    let line = LEAST.iter().find(|(variant, _)| *variant == name);
    line.unwrap_or(&LEAST[LEAST.len() - 1]).1
}

/// Percent answered under both goals, over all sets.
fn percent_answered(entry: &Entry, sets: &[TestSet]) -> usize {
    let mut solver = entry.build(&Options::default()).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
    let (mut asked, mut answered) = (0, 0);
    for goal in Goal::ALL {
        for (set, count) in sets.iter().zip(COUNTS) {
            let share = sample::check(&mut *solver, entry.name, set, goal, count, NODES);
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
fn every_variant_gives_the_recorded_scores() {
    let sets: Vec<TestSet> = SETS.iter().map(|set| open(set.name)).collect();
    for entry in ALL.iter().filter(|entry| entry.spec.runs().is_ok()) {
        let (percent, least) = (percent_answered(entry, &sets), least(entry.name));
        assert!(percent >= least, "{}: only {percent} % answered, not {least}", entry.name);
    }
}

/// The hard sets are out of reach of most rungs: the default variant answers what it can in a few seconds.
#[test]
fn the_default_variant_gives_the_recorded_scores_of_hard_positions() {
    let default = registry::find(registry::DEFAULT).expect("a default");
    let mut solver = default.build(&Options::default()).expect("a table");
    for (name, nodes) in [("begin-medium", 3_000_000), ("begin-hard", 20_000_000)] {
        let set = sample::latest(&open(name), 4);
        for goal in Goal::ALL {
            let share = sample::check(&mut *solver, default.name, &set, goal, 4, nodes);
            assert!(share.answered >= 2, "{name}, {}: {} of {} answered", goal.name(), share.answered, share.asked);
        }
    }
}
