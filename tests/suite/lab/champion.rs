//! The champion on whole test sets, and the file of random positions that the solver's own suite holds it against.
//!
//! What takes minutes is done by sample; `C4LAB_FULL_CHAMPION=1` does all of it.

use crate::support::random;
use c4lab_measure::sets::protocol::SETS;
use c4lab_measure::sets::test_set::{Item, ORIGINAL_SETS, TestSet};
use c4lab_solver::game::Position;
use c4lab_solver::search::registry::{DEFAULT, find};
use c4lab_solver::search::{Goal, Limits, Options, Solve};

const NONE: Limits<'static> = Limits { nodes: None, time: None, interrupt: None };

fn full() -> bool {
    std::env::var_os("C4LAB_FULL_CHAMPION").is_some_and(|value| value == "1")
}

fn build(name: &str) -> Box<dyn Solve> {
    let entry = find(name).expect("registered");
    entry.build(&Options::default()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Writes the file: `cargo test --release --test suite -- --ignored by_hand_write`, some ten minutes.
#[test]
#[ignore = "writes a file that is there"]
fn by_hand_write_random_positions() {
    let mut pons_12 = build("pons-12");
    let mut line = |position: Position| {
        let solved = pons_12.solve(&position, Goal::Strong, &NONE).expect("no limit");
        format!("{position} {}\n", solved.score)
    };
    let lines: String = random::drawn().into_iter().map(&mut line).collect();
    std::fs::write(random::FILE, lines).expect("a file");
}

#[test]
#[ignore = "all of them"]
fn the_file_holds_what_its_seed_draws() {
    let held = TestSet::open(random::FILE).unwrap_or_else(|error| panic!("{error}"));
    let held = held.items.into_iter().map(|item| item.position);
    assert!(held.eq(random::drawn()), "the positions of {} are not those of its seed", random::FILE);
}

/// Both goals of every so many of the items, the table warm.
fn agrees_with(solver: &mut dyn Solve, name: &str, items: &[Item], step: usize) {
    for (item, goal) in items.iter().step_by(step).flat_map(|item| Goal::ALL.map(|goal| (item, goal))) {
        let solved = solver.solve(&item.position, goal, &NONE).expect("no limit");
        assert_eq!(solved.score, goal.of(item.score), "{name}, {}, {}", goal.name(), item.position);
    }
}

#[test]
#[ignore = "whole sets"]
fn right_on_the_shipped_sets() {
    // The sets in their order: what is left out by default takes a minute or more.
    let steps = [1, 1, 1, 1, 10, 50];
    let mut solver = build(DEFAULT);
    for (set, step) in SETS.iter().zip(steps) {
        let set = TestSet::open(set.name).unwrap_or_else(|error| panic!("{error}"));
        solver.reset();
        agrees_with(&mut *solver, &set.name, &set.items, if full() { 1 } else { step });
    }
}

#[test]
#[ignore = "whole sets"]
fn right_on_the_original_sets() {
    if std::env::var_os(ORIGINAL_SETS).is_none() {
        println!("skipped: ${ORIGINAL_SETS} names no folder with the original test sets");
        return;
    }
    let steps = [1, 1, 1, 1, 10, 100];
    let mut solver = build(DEFAULT);
    for (set, step) in SETS.iter().zip(steps) {
        let original = TestSet::open(&format!("original/{}", set.name)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(original.sha256, set.original_sha256, "{} is not the original file", set.original);
        solver.reset();
        agrees_with(&mut *solver, &original.name, &original.items, if full() { 1 } else { step });
    }
}
