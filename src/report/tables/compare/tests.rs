//! Two variants side by side, by hand.

use super::*;
use crate::reading::tests::reading;
use crate::table::Cell;
use c4lab_measure::files::sample::Sample;
use c4lab_measure::fixtures::sample;

fn on(machine: &str, sample: Sample) -> Sample {
    Sample { machine_id: machine.to_string(), ..sample }
}

fn rows(machine: &str, variant: &str, ns: u64, nodes: u64) -> Vec<Sample> {
    (1..=5).map(|id| on(machine, sample(variant, id, ns * id, nodes))).collect()
}

#[test]
fn two_folders_of_one_machine() {
    let (old, new) = (reading(&rows("m", "a", 100, 10)), reading(&rows("m", "a", 50, 5)[..4]));
    let compared = Compared::of((&old, "a"), (&new, "a"), false).unwrap();
    let time = compared.pooled(Goal::Strong, Quantity::Time);
    assert_eq!((time.positions, time.geometric_mean.map(|mean| mean.value)), (4, Some(2.0)));
    assert_eq!(compared.table(String::new()).rows.len(), 2);
    assert_eq!(compared.left_out, ["s, strong: 1 position only of a"]);
}

#[test]
fn times_of_two_machines_are_refused_and_nodes_are_not() {
    let (one, other) = (reading(&rows("m", "a", 100, 10)), reading(&rows("n", "b", 50, 5)));
    let error = Compared::of((&one, "a"), (&other, "b"), false).unwrap_err().to_string();
    assert!(error.contains("times of two machines are not compared: a was measured on m, b on n"), "{error}");
    let compared = Compared::of((&one, "a"), (&other, "b"), true).unwrap();
    assert_eq!(compared.pooled(Goal::Strong, Quantity::Nodes).geometric_mean.unwrap().value, 2.0);
    assert_eq!(compared.table(String::new()).rows.len(), 1);
    // Shards: each machine has positions of its own.
    let [shard, rest] = [("m", 0..2), ("n", 2..5)]
        .map(|(machine, part)| [&rows(machine, "a", 100, 10)[part.clone()], &rows(machine, "b", 50, 5)[part]].concat());
    let shards = reading(&[shard, rest].concat());
    let compared = Compared::of((&shards, "a"), (&shards, "b"), true).unwrap();
    assert_eq!(compared.pooled(Goal::Strong, Quantity::Nodes).positions, 5);
    let error = Compared::of((&one, "a"), (&other, "c"), false).unwrap_err().to_string();
    assert!(error.contains("no row of \"c\""), "{error}");
}

#[test]
fn within_machine_ratios_are_pooled() {
    let all = [rows("m", "a", 100, 10), rows("m", "b", 50, 5), rows("n", "a", 1000, 10), rows("n", "b", 250, 5)];
    let both = reading(&all.concat());
    let compared = Compared::of((&both, "a"), (&both, "b"), false).unwrap();
    let time = compared.pooled(Goal::Strong, Quantity::Time);
    assert_eq!((time.positions, time.ratio_of_sums), (5, None), "a position counts once");
    assert!(compared.left_out.is_empty());
    assert_eq!(compared.pooled(Goal::Strong, Quantity::Nodes).positions, 5);
    assert!((time.geometric_mean.unwrap().value - 8f64.sqrt()).abs() < 1e-9);
    let table = compared.table(String::new());
    let names: Vec<String> = table.rows.iter().map(|row| row[0].shown()).collect();
    assert_eq!(names, ["s on m", "s on m", "s on n", "s on n", "pooled on m", "pooled on n", "pooled", "pooled"]);
    assert_eq!([4, 5].map(|row: usize| table.rows[row][7].shown()), ["2.00x", "4.00x"]);
    assert!(table.conclusion.ends_with("Over 2 machines or builds it is 2.00x to 4.00x."), "{}", table.conclusion);
    // Worst and its line: of one set, and of several.
    assert_eq!((&table.rows[3][14], &table.rows[7][14]), (&Cell::number(Some(1.0), |_| "1".to_string()), &Cell::Empty));
    assert_eq!(compared.pooled(Goal::Strong, Quantity::Nodes).ratio_of_sums.unwrap().value, 2.0);
}

#[test]
fn times_of_two_builds_in_one_folder_are_not_compared() {
    let by = |build: &str, rows: Vec<Sample>| -> Vec<Sample> {
        rows.into_iter().map(|row| Sample { binary_sha256: build.to_string(), ..row }).collect()
    };
    let old = by("old", [rows("m", "a", 100, 10), rows("m", "b", 50, 5)].concat());
    let both = reading(&[old, by("new", rows("m", "b", 10, 5))].concat());
    let compared = Compared::of((&both, "a"), (&both, "b"), false).unwrap();
    assert_eq!((compared.groups.len(), compared.left_out.len()), (1, 1));
    let time = compared.pooled(Goal::Strong, Quantity::Time);
    assert_eq!((time.positions, time.geometric_mean.map(|mean| mean.value)), (5, Some(2.0)));
    // Of two folders the builds are what is compared.
    let (old, new) = (reading(&by("old", rows("m", "a", 100, 10))), reading(&by("new", rows("m", "a", 50, 10))));
    assert!(Compared::of((&old, "a"), (&new, "a"), false).is_ok());
}

#[test]
fn a_gate_asks_the_upper_end() {
    let all = [rows("m", "a", 90, 9), rows("m", "b", 100, 10)].concat();
    let both = reading(&all);
    let compared = Compared::of((&both, "a"), (&both, "b"), false).unwrap();
    assert_eq!(compared.below(0.97, Quantity::Nodes).unwrap()[0].1.value, 0.9);
    assert_eq!(compared.below(0.97, Quantity::Time).unwrap().len(), 1);
    assert!(compared.below(0.89, Quantity::Time).unwrap().is_empty());
    // The upper end, not the mean.
    let scattered = |variant: &str, by: fn(u64) -> u64| -> Vec<Sample> {
        (1..=40).map(|id| on("m", sample(variant, id, by(id), 10))).collect()
    };
    let both = reading(&[scattered("a", |_| 100), scattered("b", |id| 80 + 10 * (id % 5))].concat());
    let compared = Compared::of((&both, "a"), (&both, "b"), false).unwrap();
    let mean = compared.pooled(Goal::Strong, Quantity::Time).geometric_mean.unwrap();
    let (low, high) = mean.interval.unwrap();
    assert!(low < mean.value && mean.value < high);
    for (gate, fails) in [((mean.value + high) / 2.0, false), (high * 0.999, false), (high * 1.001, true)] {
        assert_eq!(!compared.below(gate, Quantity::Time).unwrap().is_empty(), fails, "{gate} {mean:?}");
    }
    // Three positions that differ have no interval: nothing is sure.
    let both = reading(&[&scattered("a", |_| 100)[..3], &scattered("b", |id| 50 * id)[..3]].concat());
    let compared = Compared::of((&both, "a"), (&both, "b"), false).unwrap();
    assert_eq!(compared.pooled(Goal::Strong, Quantity::Time).geometric_mean.unwrap().interval, None);
    assert!(compared.below(1.9, Quantity::Time).unwrap().is_empty());
    assert_eq!(compared.below(2.1, Quantity::Time).unwrap().len(), 1);
    let few = reading(&[rows("m", "a", 9, 9)[0].clone(), rows("m", "b", 9, 9)[0].clone()]);
    let compared = Compared::of((&few, "a"), (&few, "b"), false).unwrap();
    assert!(compared.below(0.97, Quantity::Time).unwrap_err().to_string().contains("too few"));
}

/// Twenty positions whose ratios scatter a little about so many times as fast.
fn scattered(machine: &str, process: u32, faster: u64) -> Vec<Sample> {
    let with = |sample: Sample| Sample { process, ..on(machine, sample) };
    let pair = |id| [with(sample("a", id, 100 * faster * (90 + id % 7), 5)), with(sample("b", id, 9000, 5))];
    (1..=20).flat_map(pair).collect()
}

fn width(rows: &[Vec<Sample>]) -> Option<f64> {
    let both = reading(&rows.concat());
    let compared = Compared::of((&both, "a"), (&both, "b"), false).unwrap();
    let (low, high) = compared.pooled(Goal::Strong, Quantity::Time).geometric_mean.unwrap().interval?;
    Some((high / low).ln())
}

#[test]
fn a_pooled_interval_covers_processes() {
    let alone = width(&[scattered("m", 1, 2)]).unwrap();
    let alike = width(&[1, 2, 3].map(|process| scattered("m", process, 2))).unwrap();
    let apart = width(&[(1, 2), (2, 3), (3, 2)].map(|(process, faster)| scattered("m", process, faster))).unwrap();
    assert!((alike / alone - 1.0).abs() < 1e-9 && apart > 10.0 * alone, "{alone} {alike} {apart}");
}

#[test]
fn two_machines_say_nothing_of_a_third_and_three_do() {
    let (m, n, o) = (scattered("m", 1, 2), scattered("n", 1, 3), scattered("o", 1, 2));
    let alone = width(std::slice::from_ref(&m)).unwrap();
    assert_eq!(width(&[m.clone(), n.clone()]), None);
    assert!(width(&[m, n, o]).unwrap() > 10.0 * alone);
}
