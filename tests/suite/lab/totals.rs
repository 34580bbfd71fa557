//! Pinned nodes over the shipped sets, which show a changed search without the original sets.
//!
//! The totals are in tests/data/node-totals.csv. A row has the number of positions, from the first line of its set.
//! Rows that take long are for the ignored test.

use c4lab_measure::files::sample::read_samples;
use c4lab_measure::sets::protocol::SETS;
use c4lab_measure::sets::test_set::TestSet;
use c4lab_solver::search::registry;
use c4lab_solver::search::{Goal, Limits, Options};
use std::path::Path;
use std::sync::Mutex;

const FILE: &str = "tests/data/node-totals.csv";
const RENEW: &str = "C4LAB_PIN=1 cargo test --test suite totals_of -- --include-ignored";

static WRITING: Mutex<()> = Mutex::new(());

struct Total {
    key: String,
    variant: String,
    set: String,
    goal: Goal,
    positions: usize,
    is_long: bool,
    nodes: Option<u64>,
}

fn totals() -> Vec<Total> {
    let text = std::fs::read_to_string(FILE).expect(FILE);
    let total = |line: &str| {
        let (key, nodes) = line.rsplit_once(',').expect(FILE);
        let [variant, set, goal, positions, when] = key.split(',').collect::<Vec<_>>().try_into().expect(FILE);
        assert!(["always", "long"].contains(&when), "{FILE}: {line}");
        Total {
            key: key.to_string(),
            variant: variant.to_string(),
            set: set.to_string(),
            goal: Goal::ALL.into_iter().find(|known| known.name() == goal).expect(FILE),
            positions: positions.parse().expect(FILE),
            is_long: when == "long",
            nodes: (!nodes.is_empty()).then(|| nodes.parse().expect(FILE)),
        }
    };
    text.lines().skip(1).map(total).collect()
}

/// Searches every position with an empty table, checks its score, and adds up the nodes.
fn count(total: &Total, set: &TestSet) -> u64 {
    // In a build without vectors another variant takes the champion's nodes.
    let name = match total.variant.as_str() {
        "champion-2026-11" if !cfg!(feature = "simd") => "champion-step-7-children",
        other => other,
    };
    let mut solver = registry::find(name).expect("registered").build(&Options::default()).expect("a table");
    let mut nodes = 0;
    for item in &set.items[..total.positions] {
        solver.reset();
        let solved = solver.solve(&item.position, total.goal, &Limits::default()).expect("no limit");
        assert_eq!(solved.score, total.goal.of(item.score), "{}: {}", total.key, item.position);
        nodes += solved.nodes;
    }
    nodes
}

/// Counts the nodes of the rows that `of` chooses, and compares them with the pinned ones.
fn compare(of: impl Fn(&Total) -> bool) {
    let (mut moved, mut counted) = (Vec::new(), 0);
    for total in totals().into_iter().filter(of) {
        let set = TestSet::open(&total.set).unwrap_or_else(|error| panic!("{error}"));
        let nodes = count(&total, &set);
        counted += 1;
        if total.nodes != Some(nodes) {
            moved.push((total, nodes));
        }
    }
    assert!(counted > 0, "{FILE}: no row");
    if std::env::var_os("C4LAB_PIN").is_some_and(|value| value == "1") {
        return moved.iter().for_each(|(total, nodes)| renew(&total.key, *nodes));
    }
    let pinned = |total: &Total| total.nodes.map_or("none".to_string(), |nodes| nodes.to_string());
    let told = moved.iter().map(|(total, nodes)| format!("{}: {} pinned, {nodes} now\n", total.key, pinned(total)));
    let told: String = told.collect();
    assert!(
        told.is_empty(),
        "if this is meant, renew {FILE} by `{RENEW}`, and say so in the commit (Nodes: ...):\n{told}"
    );
}

fn renew(key: &str, nodes: u64) {
    let _writing = WRITING.lock();
    let text = std::fs::read_to_string(FILE).expect(FILE);
    let line = |line: &str| match line.rsplit_once(',') {
        Some((other, _)) if other == key => format!("{key},{nodes}\n"),
        _ => format!("{line}\n"),
    };
    std::fs::write(FILE, text.lines().map(line).collect::<String>()).expect(FILE);
}

/// The weak goal must not take more nodes than the strong goal, whose score includes the winner.
#[test]
fn the_weak_goal_costs_the_champion_no_more_than_the_strong_goal() {
    let (mut compared, totals) = (0, totals());
    for weak in totals.iter().filter(|total| total.variant == "champion" && total.goal == Goal::Weak) {
        let is_strong = |other: &&Total| {
            (other.variant.as_str(), &other.set, other.positions) == ("champion", &weak.set, weak.positions)
                && other.goal == Goal::Strong
        };
        let strong =
            totals.iter().find(is_strong).unwrap_or_else(|| panic!("{FILE}: no strong row beside {}", weak.key));
        assert!(weak.nodes <= strong.nodes, "{}: {:?} nodes, {:?} for the score", weak.key, weak.nodes, strong.nodes);
        compared += 1;
    }
    assert!(compared >= 6, "{FILE}: {compared} rows");
}

#[test]
fn totals_of_the_champion() {
    compare(|total| total.variant == "champion" && !total.is_long);
}

#[test]
fn totals_of_the_champion_of_2026_11() {
    compare(|total| total.variant == "champion-2026-11" && !total.is_long);
}

#[test]
fn totals_of_pons_12() {
    compare(|total| total.variant == "pons-12" && !total.is_long);
}

/// The record of all four positions, with the empty board.
#[test]
fn the_record_holds_the_totals_of_fhourstones() {
    let rows = read_samples(Path::new("results/2026-11-24-fhourstones")).expect("the record");
    let ours = rows.into_iter().filter(|row| row.set == "fhourstones" && row.variant == "fhourstones");
    // All passes took equal nodes.
    let mut totals: Vec<(String, u64)> =
        ours.map(|row| (row.moves.expect("moves"), row.nodes.expect("nodes"))).collect();
    totals.sort_by_key(|(_, nodes)| *nodes);
    totals.dedup();
    let published = [("45461667", 51_596), ("35333571", 8_716_732), ("13333111", 169_704_432), ("-", 1_479_113_766)];
    assert_eq!(totals, published.map(|(moves, nodes)| (moves.to_string(), nodes)));
}

/// 51,596 and 8,716,732; the long row has 169,704,432 more.
#[test]
fn totals_of_fhourstones() {
    compare(|total| total.variant == "fhourstones" && !total.is_long);
}

#[test]
#[ignore = "minutes"]
fn totals_of_more_positions() {
    compare(|total| total.is_long);
}

#[test]
fn variants_are_pinned_on_every_set_and_goal() {
    let totals = totals();
    for (variant, set, goal) in ["champion", "champion-2026-11", "pons-12"]
        .into_iter()
        .flat_map(|variant| SETS.iter().map(move |set| (variant, set)))
        .flat_map(|(variant, set)| Goal::ALL.map(|goal| (variant, set, goal)))
    {
        let of = |total: &&Total| (total.variant.as_str(), total.set.as_str(), total.goal) == (variant, set.name, goal);
        assert!(totals.iter().any(|total| of(&total)), "{FILE}: no row of {variant}, {}, {}", set.name, goal.name());
    }
    assert!(totals.iter().all(|total| total.nodes.is_some()), "{FILE}: a row without nodes; `{RENEW}` counts them");
}
