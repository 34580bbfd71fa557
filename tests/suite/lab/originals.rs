//! The published ladder: on the original test sets every rung takes the published number of nodes
//! (experiments/claims/pons.toml).
//!
//! The tests need a folder with the original files `Test_L*_R*`, named by `C4LAB_TEST_SETS`, and pass without it.
//! The default takes minutes. `C4LAB_FULL_LADDER=1` searches all sets that a rung can finish, which takes an hour.

use crate::support::positions;
use c4lab_measure::sets::originals;
use c4lab_measure::sets::protocol::{Protocol, SETS};
use c4lab_measure::sets::test_set::TestSet;
use c4lab_report::claims::claim::{self, Claim, Kind};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::{Goal, Limits, Options, Solve, registry};
use std::sync::LazyLock;

/// A published mean with a misprint: 74.40. Its line of the tutorial has 5.255 us and 14,170 K positions a second,
/// which give 74.43 to 74.50 positions; 74.40 would give 14,160.
const MISPRINT: &str = "pons-08-end-easy-weak-mean";

/// For each rung, numbers of sets in the order of [`SETS`]: searched in full by default, in full with
/// `C4LAB_FULL_LADDER=1`, and by a sample. Further sets would take too long.
const RUNGS: [(&str, usize, usize, usize); 11] = [
    ("fhourstones", 3, 5, 6),
    ("pons-03", 1, 1, 4),
    ("pons-04", 1, 1, 4),
    ("pons-05", 1, 2, 4),
    ("pons-06", 1, 2, 4),
    ("pons-07", 1, 3, 5),
    ("pons-08", 2, 3, 5),
    ("pons-09", 2, 3, 5),
    ("pons-10", 4, 5, 6),
    ("pons-11", 4, 5, 6),
    ("pons-12", 4, 5, 6),
];

#[derive(PartialEq)]
enum Extent {
    Full,
    Sample,
    Nothing,
}

/// The mode of a rung on a set under a goal. Parts 8 and 9 also finish Begin-Easy under the strong goal.
fn extent(rung: &str, goal: Goal, set: usize) -> Extent {
    let (_, cheap, full, sample) = RUNGS.into_iter().find(|(name, ..)| *name == rung).expect("a published rung");
    let all = std::env::var_os("C4LAB_FULL_LADDER").is_some_and(|value| value == "1");
    let strong_begin_easy = set == 3 && goal == Goal::Strong && ["pons-08", "pons-09"].contains(&rung);
    if set < if all { full } else { cheap } || all && strong_begin_easy {
        Extent::Full
    } else if set < sample {
        Extent::Sample
    } else {
        Extent::Nothing
    }
}

fn asked() -> impl Iterator<Item = (&'static str, Goal)> {
    let goals = |rung| registry::find(rung).expect("a published rung").spec.goals();
    RUNGS.into_iter().flat_map(move |(rung, ..)| goals(rung).iter().map(move |&goal| (rung, goal)))
}

/// The range of numbers that round to the published mean of a rung on an original set, if one was published.
fn mean(rung: &str, goal: Goal, set: usize) -> Option<(f64, f64)> {
    static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(|| claim::embedded().expect("claims"));
    let is_meant = |claim: &&Claim| {
        claim.kind == Kind::NodeMean
            && claim.original
            && claim.variant == rung
            && (claim.set.as_deref(), claim.goal) == (Some(SETS[set].name), goal)
    };
    let claim = CLAIMS.iter().find(is_meant)?;
    if claim.id == MISPRINT { Some((74.47, 74.49)) } else { claim.published.digits }
}

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

/// Every position is searched with a cleared table. The scores are right, and the mean of nodes is the published one.
fn solve_in_full(solver: &mut dyn Solve, what: &str, set: &TestSet, goal: Goal, (low, high): (f64, f64)) {
    let mut nodes = 0;
    for item in &set.items {
        solver.reset();
        let solved = solver.solve(&item.position, goal, &Limits::default()).expect("no limit");
        assert_eq!(solved.score, goal.of(item.score), "{what}: {}", item.position);
        nodes += solved.nodes;
    }
    let mean = nodes as f64 / set.items.len() as f64;
    println!("{what}: {mean} nodes on average, published {low} to {high}");
    assert!((low..=high).contains(&mean), "{what}: {mean} nodes on average, published {low} to {high}");
}

fn climb(set: usize) {
    let Some(original) = open(&SETS[set]) else {
        println!("skipped: ${} names no folder with the original test sets", originals::FOLDER);
        return;
    };
    let latest = positions::latest(&original, 5);
    for (rung, goal) in asked() {
        let what = format!("{rung}, {}, {}", goal.name(), original.name);
        let build = || registry::find(rung).expect(rung).build(&Options::default()).expect("a table");
        match (extent(rung, goal, set), mean(rung, goal, set)) {
            (Extent::Nothing, _) => {}
            (Extent::Full, Some(mean)) => solve_in_full(&mut *build(), &what, &original, goal, mean),
            // No weak figures of part 3 were published.
            _ => {
                let share = positions::check(&mut *build(), rung, &latest, goal, 5, 500_000);
                println!("{what}: {} of {} in a sample", share.answered, share.asked);
                assert!(share.answered > 0, "{what}: nothing answered");
            }
        }
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

#[test]
fn the_record_holds_the_published_means() {
    let mut reader = csv::Reader::from_path("results/2026-11-20-ladder-original/summary.csv").expect("the record");
    let mut compared = 0;
    for row in reader.deserialize() {
        let row: std::collections::HashMap<String, String> = row.expect("a row");
        let set = SETS.iter().position(|set| row["set"] == format!("original/{}", set.name)).expect("an original set");
        let goal = Goal::ALL.into_iter().find(|goal| goal.name() == row["goal"]).expect("a goal");
        let Some((low, high)) = mean(&row["variant"], goal, set).filter(|_| row["ok"] == "1000") else { continue };
        let measured: f64 = row["mean_nodes"].parse().expect("a mean");
        assert!((low..=high).contains(&measured), "{row:?}: published {low} to {high}");
        compared += 1;
    }
    assert_eq!(compared, 61);
}

#[test]
#[ignore = "whole sets"]
fn every_rung_takes_the_published_nodes() {
    (0..SETS.len()).for_each(climb);
}

/// Every set that runs in full has a published mean, except those of part 3 under the weak goal.
#[test]
fn sets_that_are_run_in_full_have_published_means() {
    for (rung, goal) in asked() {
        for set in (0..SETS.len()).filter(|&set| extent(rung, goal, set) == Extent::Full) {
            let missing = mean(rung, goal, set).is_none();
            assert_eq!(missing, (rung, goal) == ("pons-03", Goal::Weak), "{rung}, {}, set {set}", goal.name());
        }
    }
    assert_eq!(mean("pons-08", Goal::Weak, 0), Some((74.47, 74.49)), "the misprint is one of them");
}
