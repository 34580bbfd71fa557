//! Every registered variant against the recorded scores of the shipped sets.

use crate::support::sample;
use c4lab_measure::sets::protocol::SETS;
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::axes::{Anticipation, Pruning, Root, StaticBounds, TableKind};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::registry::{self, Entry, compiled_on};
use c4lab_solver::search::{Goal, Options, Spec};

/// Positions of each set, in the order of the protocol.
const COUNTS: [usize; 6] = [200, 50, 20, 50, 20, 20];
const NODES: u64 = 50_000;

/// Percent of all asked that a variant answers, at least: by the techniques that it lacks.
fn least(spec: Spec) -> usize {
    let sees_losses = matches!(spec.anticipation, Anticipation::Losses | Anticipation::Both);
    let (has_table, looks_ahead) = (spec.table != TableKind::None, spec.anticipation != Anticipation::None);
    if spec.pruning == Pruning::Minimax || !(has_table || looks_ahead) {
        55
    } else if !(has_table && looks_ahead) {
        60
    } else if spec.root == Root::Window || spec.bounds == StaticBounds::None {
        70
    } else if !spec.order.sorts() || !sees_losses {
        75
    } else {
        80
    }
}

/// Percent answered under all goals that it answers, over all sets.
fn percent_answered(entry: &Entry, sets: &[TestSet]) -> usize {
    let mut solver = entry.build(&Options::default()).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
    let (mut asked, mut answered) = (0, 0);
    for &goal in entry.spec.goals() {
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
#[ignore = "whole sets"]
fn every_variant_gives_the_recorded_scores() {
    let sets: Vec<TestSet> = SETS.iter().map(|set| open(set.name)).collect();
    let mut short = Vec::new();
    for entry in compiled_on(BoardSize::STANDARD).filter(|entry| entry.runs()) {
        let (percent, least) = (percent_answered(entry, &sets), least(entry.spec));
        if percent < least {
            short.push(format!("{}: only {percent} % answered, not {least}", entry.name));
        }
    }
    assert!(short.is_empty(), "{short:#?}");
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
