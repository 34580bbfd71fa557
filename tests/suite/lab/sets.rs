//! Every variant against the recorded scores of the shipped sets, and the file of random positions for the champion's
//! test in the solver's own suite.
//!
//! Sets that take minutes are sampled. `C4LAB_FULL_CHAMPION=1` searches all positions.

use crate::support::positions::{self, FILE};
use c4lab_measure::sets::protocol::SETS;
use c4lab_measure::sets::test_set::{Item, TestSet};
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::registry::{self, DEFAULT, Entry, compiled_on, find};
use c4lab_solver::search::{Goal, Limits, Options, Solve};

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

/// Most rungs cannot solve the hard sets. The default variant answers as many positions as it can in a few seconds.
#[test]
fn the_default_variant_gives_the_recorded_scores_of_hard_positions() {
    let default = registry::find(registry::DEFAULT).expect("a default");
    let mut solver = default.build(&Options::default()).expect("a table");
    for (name, nodes) in [("begin-medium", 3_000_000), ("begin-hard", 20_000_000)] {
        let set = positions::latest(&open(name), 4);
        for goal in Goal::ALL {
            let share = positions::check(&mut *solver, default.name, &set, goal, 4, nodes);
            assert!(share.answered >= 2, "{name}, {}: {} of {} answered", goal.name(), share.answered, share.asked);
        }
    }
}

const NONE: Limits<'static> = Limits { nodes: None, time: None, interrupt: None };

fn full() -> bool {
    std::env::var_os("C4LAB_FULL_CHAMPION").is_some_and(|value| value == "1")
}

fn build(name: &str) -> Box<dyn Solve> {
    let entry = find(name).expect("registered");
    entry.build(&Options::default()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Writes the file of random positions: `cargo test --release --test suite -- --ignored by_hand_write`, about ten
/// minutes.
#[test]
#[ignore = "writes a file that is there"]
fn by_hand_write_random_positions() {
    let mut pons_12 = build("pons-12");
    let mut line = |position: Position| {
        let solved = pons_12.solve(&position, Goal::Strong, &NONE).expect("no limit");
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

/// Searches every `step`-th item under both goals, with a warm table.
fn agrees_with(solver: &mut dyn Solve, name: &str, items: &[Item], step: usize) {
    for (item, goal) in items.iter().step_by(step).flat_map(|item| Goal::ALL.map(|goal| (item, goal))) {
        let solved = solver.solve(&item.position, goal, &NONE).expect("no limit");
        assert_eq!(solved.score, goal.of(item.score), "{name}, {}, {}", goal.name(), item.position);
    }
}

#[test]
#[ignore = "whole sets"]
fn right_on_the_shipped_sets() {
    // In the order of the sets. Those that are sampled by default take a minute or more.
    let steps = [1, 1, 1, 1, 10, 50];
    let mut solver = build(DEFAULT);
    for (set, step) in SETS.iter().zip(steps) {
        let set = TestSet::open(set.name).unwrap_or_else(|error| panic!("{error}"));
        solver.reset();
        agrees_with(&mut *solver, &set.name, &set.items, if full() { 1 } else { step });
    }
}
