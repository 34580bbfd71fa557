//! Rankings by hand.

use super::*;
use crate::reading::tests::reading;
use crate::results::tests::at_run_time;
use crate::table::Cell;
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::fixtures::sample;

fn ranked(readings: &[Reading], choice: &RankChoice) -> Vec<Ranking> {
    Ranking::of(readings, choice).unwrap()
}

fn error(readings: &[Reading], choice: &RankChoice) -> String {
    format!("{:#}", Ranking::of(readings, choice).unwrap_err())
}

fn on(set: &str, sample: Sample) -> Sample {
    Sample { set: set.to_string(), set_sha256: set.to_string(), ..sample }
}

/// So many positions of a set, with a time that scatters a little about the mean, the same way for every variant but for
/// `noise`.
fn rows(set: &str, variant: &str, count: u64, ns: u64, noise: u64) -> Vec<Sample> {
    (1..=count).map(|id| on(set, sample(variant, id, ns * (10 + id % 3) + noise * (id * 7 % 11), 10))).collect()
}

fn places(ranking: &Ranking) -> Vec<(usize, &str)> {
    ranking.ranked.iter().map(|ranked| (ranked.rank, ranked.variant.as_str())).collect()
}

fn close(one: f64, other: f64) -> bool {
    (one / other - 1.0).abs() < 1e-9
}

#[test]
fn means_and_ratios_by_hand() {
    // Set s: a 100, 400; b 50, 50. Set t: a 1000; b 1000. Ratios 2, 8, 1: the cube root of 16.
    let of = |set, variant, id, ns, nodes| on(set, sample(variant, id, ns, nodes));
    let rows = [
        of("s", "a", 1, 100, 30),
        of("s", "b", 1, 50, 10),
        of("s", "a", 2, 400, 30),
        of("s", "b", 2, 50, 30),
        of("t", "a", 1, 1000, 9),
        of("t", "b", 1, 1000, 1),
        // Only one has it.
        of("t", "a", 2, 7, 9),
    ];
    let rankings = ranked(&[reading(&rows)], &RankChoice::default());
    let [ranking] = rankings.as_slice() else { panic!("{rankings:?}") };
    let [b, a] = ranking.ranked.as_slice() else { panic!("{ranking:?}") };
    assert_eq!((b.variant.as_str(), a.variant.as_str(), ranking.base.as_str()), ("b", "a", "a"));
    assert!(close(b.beside_base.unwrap().value, 16_f64.cbrt()) && close(b.mean_ns, 2_500_000_f64.cbrt()));
    assert!(close(a.mean_ns, 40_000_000_f64.cbrt()), "{}", a.mean_ns);
    assert!(close(b.node_ratio.unwrap(), 69.0 / 41.0), "the sums");
    // Three positions say nothing for sure: both are first.
    assert_eq!(places(ranking), [(1, "b"), (1, "a")]);
    assert_eq!((ranking.common.positions(), ranking.common.left_out), (3, 1));
    assert_eq!(ranking.common.sets, [("s".to_string(), 2), ("t".to_string(), 1)]);
    assert_eq!(ranking.common.fewest, Some(("b".to_string(), 3)));
}

#[test]
fn who_cannot_be_told_from_the_first_of_a_rank_shares_it() {
    let all = [
        rows("s", "slow", 60, 300, 0),
        rows("s", "b", 60, 100, 5),
        rows("s", "a", 60, 100, 0),
        // As long as b on the whole, for what is known: once more, once less.
        (1..=60).map(|id| on("s", sample("c", id, if id % 2 == 0 { 700 } else { 1900 }, 10))).collect(),
        rows("s", "slower", 60, 900, 3),
    ];
    let rankings =
        ranked(&[reading(&all.concat())], &RankChoice { base: Some("slow".to_string()), ..Default::default() });
    let ranking = &rankings[0];
    assert_eq!(places(ranking), [(1, "a"), (2, "b"), (2, "c"), (4, "slow"), (5, "slower")]);
    let held = |name: &str| {
        let ranked = ranking.ranked.iter().find(|ranked| ranked.variant == name).unwrap();
        ranked
            .beside_first
            .as_ref()
            .map(|(first, ratio)| (first.clone(), ratio.unwrap().interval.is_some_and(|of| of.1 < 1.0)))
    };
    assert_eq!(held("a"), None);
    assert_eq!(held("c"), Some(("b".to_string(), false)));
    assert_eq!(held("slow"), Some(("b".to_string(), true)));
    assert!(close(ranking.ranked[0].beside_base.unwrap().value, 3.0));
}

#[test]
fn who_answered_wrongly_has_no_rank() {
    let wrong = Sample { status: Status::Wrong, score: Some(-1), ..sample("b", 3, 1, 1) };
    let crashed = Sample { status: Status::Error, score: None, nodes: None, ..sample("c", 4, 1, 1) };
    let mut all =
        [rows("s", "b", 20, 1, 0), rows("s", "c", 20, 1, 0), rows("s", "a", 20, 9, 1), rows("s", "d", 20, 5, 1)]
            .concat();
    all.extend([on("s", wrong), on("s", crashed)]);
    let folder = [reading(&all)];
    let ranking = &ranked(&folder, &RankChoice::default())[0];
    assert_eq!(places(ranking), [(1, "d"), (2, "a")]);
    assert_eq!(ranking.base, "a", "the first that is right");
    let reasons: Vec<&str> = ranking.unranked.iter().map(|(_, reason)| reason.as_str()).collect();
    assert_eq!(reasons, ["1 wrong and 0 failed of 20 positions", "0 wrong and 1 failed of 20 positions"]);
    let table = ranking.table();
    assert_eq!((table.rows.len(), &table.rows[2][0], table.shown()[2][1].as_str()), (4, &Cell::Empty, "b"));
    let base = |name: &str| RankChoice { base: Some(name.to_string()), ..Default::default() };
    assert!(error(&folder, &base("b")).contains("b cannot be the base: 1 wrong and 0 failed of 20 positions"));
    assert!(error(&folder, &base("e")).contains("no variant in the folder \"e\""));
}

#[test]
fn what_ran_at_run_time_is_ranked_by_itself() {
    let of = |variant: &str, spec: &str, ns: u64| -> Vec<Sample> {
        let row = |row: Sample| Sample { spec: spec.to_string(), ..row };
        rows("s", variant, 20, ns, ns / 40).into_iter().map(row).collect()
    };
    let all = [of("a", "x=1", 100), of("b", "x=3", 30), of("a[]", "x=1", 210), of("a[x=2]", "x=2", 20)].concat();
    let mut folder = reading(&[]);
    folder.results = at_run_time(&all, &["a", "b"], &["a[]", "a[x=2]"]);
    let rankings = ranked(&[folder], &RankChoice::default());
    let shown: Vec<_> =
        rankings.iter().map(|ranking| (ranking.run_time, ranking.base.as_str(), places(ranking))).collect();
    assert_eq!(shown, [(false, "a", vec![(1, "b"), (2, "a")]), (true, "a[]", vec![(1, "a[x=2]"), (2, "a[]")])]);
}

#[test]
fn nodes_of_two_recursions_are_not_compared() {
    let of = |variant: &str, spec: &str| -> Vec<Sample> {
        let row = |row: Sample| Sample { spec: spec.to_string(), ..row };
        rows("s", variant, 20, 9, 1).into_iter().map(row).collect()
    };
    let all = [of("old", "x=1"), of("moves", "search=moves,x=1"), of("children", "search=children,x=1")].concat();
    let ranking = &ranked(&[reading(&all)], &RankChoice { base: Some("old".to_string()), ..Default::default() })[0];
    let nodes = |name: &str| ranking.ranked.iter().find(|ranked| ranked.variant == name).unwrap().node_ratio;
    assert_eq!((nodes("moves"), nodes("children")), (Some(1.0), None));
}

#[test]
fn a_position_of_two_machines_counts_once() {
    let at = |machine: &str, rows: Vec<Sample>| -> Vec<Sample> {
        rows.into_iter().map(|row| Sample { machine_id: machine.to_string(), ..row }).collect()
    };
    let one = at("m", [rows("s", "a", 5, 100, 0), rows("s", "b", 5, 50, 0)].concat());
    let other = at("n", [rows("s", "a", 5, 1000, 0), rows("s", "b", 5, 125, 0)].concat());
    let ranking = &ranked(&[reading(&one), reading(&other)], &RankChoice::default())[0];
    assert_eq!(ranking.common.positions(), 5);
    assert!(close(ranking.ranked[0].beside_base.unwrap().value, 4.0), "of 2 and 8");
}

#[test]
fn sets_goals_and_variants_are_chosen() {
    let all = [
        rows("s", "a", 12, 9, 1),
        rows("s", "b", 12, 5, 0),
        rows("t", "a", 12, 3, 1),
        rows("t", "b", 12, 5, 0),
        rows("s", "c", 1, 5, 0),
    ];
    let folder = [reading(&all.concat())];
    let ranking = |choice: RankChoice| ranked(&folder, &choice).remove(0);
    assert_eq!(ranking(RankChoice::default()).common.positions(), 1, "c has one");
    let names = |names: &[&str]| names.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let two = ranking(RankChoice { variants: names(&["a", "b"]), ..Default::default() });
    assert_eq!((two.common.positions(), two.ranked.len()), (24, 2));
    let one = ranking(RankChoice { test_sets: names(&["t"]), ..Default::default() });
    assert_eq!((places(&one), one.table().subject.set.as_deref()), (vec![(1, "a"), (2, "b")], Some("t")));
    assert!(
        error(&folder, &RankChoice { test_sets: names(&["tt"]), ..Default::default() })
            .contains("test set in the folder")
    );
    assert!(
        error(&folder, &RankChoice { goal: Some(Goal::Weak), ..Default::default() })
            .contains("no row of the goal weak")
    );
    let apart = [rows("s", "a", 12, 9, 1), rows("s", "b", 3, 5, 0), rows("s", "c", 12, 5, 0)[6..].to_vec()];
    let folder = [reading(&apart.concat())];
    assert!(error(&folder, &RankChoice::default()).contains("(b has 3); choose some of them with --variants"));
}

#[test]
fn processes_widen_an_interval() {
    let in_process = |process: u32, scale: u64| -> Vec<Sample> {
        let of = |variant: &str, ns: u64, noise| rows("s", variant, 30, ns, noise);
        let all = [of("a", 100, 3), of("b", 50 * scale, 0)].concat();
        all.into_iter().map(|row| Sample { process, ..row }).collect()
    };
    let width = |rows: &[Sample]| {
        let rankings = ranked(&[reading(rows)], &RankChoice { base: Some("a".to_string()), ..Default::default() });
        let b = rankings[0].ranked.iter().find(|ranked| ranked.variant == "b").unwrap();
        let (low, high) = b.beside_base.unwrap().interval.unwrap();
        high / low
    };
    let three = [in_process(1, 1), in_process(2, 2), in_process(3, 1)].concat();
    assert!(width(&three) > 2.0 * width(&in_process(1, 1)));
}

#[test]
fn folders_that_do_not_fit_are_refused() {
    let one = reading(&rows("s", "a", 5, 100, 0));
    let other =
        |row: fn(Sample) -> Sample| reading(&rows("s", "a", 5, 100, 0).into_iter().map(row).collect::<Vec<_>>());
    let choice = other(|row| Sample { spec: "x=9".to_string(), ..row });
    assert!(error(&[one, choice], &RankChoice::default()).contains("a is another choice than in"));
    let (means, single) = (other(|row| row), other(|row| Sample { resolution_ns: 5, ..row }));
    assert!(error(&[means, single], &RankChoice::default()).contains("means of many"));
}

#[test]
fn a_base_that_a_goal_does_not_have_is_listed_there() {
    let weak = |rows: Vec<Sample>| rows.into_iter().map(|row| Sample { goal: Goal::Weak, ..row }).collect::<Vec<_>>();
    let strong = [rows("s", "a", 12, 9, 1), rows("s", "b", 12, 5, 0), rows("s", "c", 12, 7, 0)].concat();
    let folder = [reading(&[strong, weak(rows("s", "a", 12, 9, 1)), weak(rows("s", "b", 12, 5, 0))].concat())];
    let rankings = ranked(&folder, &RankChoice { base: Some("c".to_string()), ..Default::default() });
    let bases: Vec<(Goal, &str)> = rankings.iter().map(|ranking| (ranking.goal, ranking.base.as_str())).collect();
    assert_eq!(bases, [(Goal::Strong, "c"), (Goal::Weak, "a")]);
    assert_eq!(rankings[1].unranked, [("c".to_string(), "not measured under this goal and on these sets".to_string())]);
}
