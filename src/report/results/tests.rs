//! Results by hand, and the rows that other tests are made of.

use super::*;
pub(crate) use c4lab_measure::files::sample::{Sample, Status};
pub(crate) use c4lab_measure::fixtures::sample;

/// The results of rows, variants in the order of `order`.
pub(crate) fn results(rows: &[Sample], order: &[&str]) -> Results {
    at_run_time(rows, order, &[])
}

/// The only group of rows, or the first.
pub(crate) fn group_of(rows: &[Sample], order: &[&str]) -> Group {
    results(rows, order).groups.remove(0)
}

/// The results of rows. The variants in `run_time` are dynamic.
pub(crate) fn at_run_time(rows: &[Sample], order: &[&str], run_time: &[&str]) -> Results {
    let order: Vec<String> = order.iter().map(|name| name.to_string()).collect();
    let rows = rows.iter().cloned().map(|row| Sample { dynamic: run_time.contains(&row.variant.as_str()), ..row });
    Results::of(rows.map(Ok), &order).unwrap()
}

/// The two values of each pair of two variants.
fn values(group: &Group, base: &str, variant: &str, quantity: Quantity) -> Vec<(f64, f64)> {
    let pairs = group.pairs(group.named(base).unwrap(), group.named(variant).unwrap(), quantity);
    pairs.iter().map(|pair| (pair.base, pair.variant)).collect()
}

#[test]
fn times_are_compared_with_their_own_kind() {
    let of = |variant: &str, spec: &str, ns: u64| Sample { spec: spec.to_string(), ..sample(variant, 1, ns, 10) };
    let rows = [of("a", "x=1", 100), of("a[]", "x=1", 200), of("a[x=2]", "x=2", 50), of("b", "x=3", 70)];
    let results = at_run_time(&rows, &["a"], &["a[]", "a[x=2]"]);
    let group = &results.groups[0];
    let series = |name| group.named(name).unwrap();
    let base = |base, variant| group.timed_base(series(base), series(variant)).map(|base| base.variant.as_str());
    assert_eq!((base("a", "b"), base("a", "a[x=2]"), base("a", "a[]")), (Some("a"), Some("a[]"), None));
    assert_eq!((base("b", "a[x=2]"), base("a[x=2]", "a"), base("a[]", "b")), (None, None, Some("a")));
    assert_eq!(values(group, "a", "a[x=2]", Quantity::Time), []);
    assert_eq!(values(group, "a[]", "a[x=2]", Quantity::Time), [(200.0, 50.0)]);
    assert_eq!(values(group, "a", "a[x=2]", Quantity::Nodes), [(10.0, 10.0)]);
    assert!(group.said_of_times().ends_with("with each other: a[], a[x=2].") && group.said_of_limits().is_empty());
}

#[test]
fn positions_are_sorted_and_variants_ordered() {
    let rows = [sample("b", 2, 40, 4), sample("a", 2, 20, 2), sample("a", 1, 10, 1), sample("c", 1, 30, 3)];
    let results = results(&rows, &["c", "b"]);
    let group = &results.groups[0];
    assert_eq!(group.places.iter().map(|place| place.position_id).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(group.series.iter().map(|series| series.variant.as_str()).collect::<Vec<_>>(), ["c", "b", "a"]);
    assert_eq!(values(group, "a", "b", Quantity::Time), [(20.0, 40.0)]);
    assert_eq!(values(group, "a", "c", Quantity::Nodes), [(1.0, 3.0)]);
    assert_eq!(values(group, "b", "c", Quantity::Time), []);
    let second = group.keep(|_, place| place.position_id == 2);
    assert_eq!((second.places.len(), second.named("c").unwrap().cells[0].as_ref()), (1, None));
}

#[test]
fn the_worst_of_a_positions_repetitions_is_its_outcome() {
    let rows = |statuses: &[Status]| -> Vec<Sample> {
        let row = |(pass, &status)| Sample {
            status,
            repetition: pass as u32,
            limit_ns: Some(50),
            ..sample("a", 1, 10 + pass as u64, 4)
        };
        statuses.iter().enumerate().map(row).collect()
    };
    let cell = |statuses: &[Status]| results(&rows(statuses), &[]).groups[0].series[0].cells[0].clone().unwrap();
    let (ok, limited, wrong) = (Status::Ok, Status::Timeout, Status::Wrong);
    let times: Vec<f64> = cell(&[ok, limited, ok]).passes.iter().map(|pass| pass.ns).collect();
    assert_eq!(times, [10.0, 100.0, 12.0]);
    for (statuses, expected) in [
        ([ok, ok, ok], (Outcome::Answered, Some(11.0), Some(4.0))),
        ([ok, limited, ok], (Outcome::Limited, Some(12.0), None)),
        ([wrong, ok, limited], (Outcome::Wrong, None, None)),
        ([limited, wrong, ok], (Outcome::Wrong, None, None)),
        ([ok, limited, wrong], (Outcome::Wrong, None, None)),
    ] {
        let cell = cell(&statuses);
        assert_eq!((cell.outcome, cell.ns(), cell.nodes), expected, "{statuses:?}");
    }
}

/// A choice may be written in several ways. Its table counts, and whether it is dynamic.
#[test]
fn a_column_is_found_by_its_choice() {
    let of = |variant: &str| {
        let spec = Name::parse(variant).unwrap().spec().to_string();
        Sample { variant: variant.to_string(), spec, ..sample("a", 1, 10, 1) }
    };
    let recorded = ["champion[root=step,zugzwang=none]", "champion-zugzwang-none", "champion[order=centre]@1MiB"];
    let results = at_run_time(&recorded.map(of), &[], &[recorded[0], recorded[2]]);
    let found = |name: &str| results.groups[0].named(name).map(|series| series.variant.as_str());
    assert_eq!(found("champion[zugzwang=none,root=step]"), Some(recorded[0]));
    assert_eq!(found("champion[zugzwang=none]"), Some(recorded[1]), "it is compiled under a name");
    assert_eq!((found("champion[order=centre]"), found("champion[order=centre]@1MiB")), (None, Some(recorded[2])));
}

#[test]
fn values_that_were_not_measured_are_neither_zero_nor_overflow() {
    let whole = sample("a", 1, 10, 4);
    let none = Sample { nodes: None, wall_ns: None, repetition: 1, ..whole.clone() };
    let no_nodes = Sample { nodes: None, ..whole.clone() };
    let limited = Sample { status: Status::Timeout, limit_ns: Some(u64::MAX), ..sample("a", 1, 10, u64::MAX) };
    for (rows, expected) in [
        (vec![none.clone()], (None, None)),
        (vec![whole.clone(), none], (Some(10.0), None)),
        (vec![no_nodes, whole.clone()], (Some(10.0), None)),
        (vec![limited, whole], (Some((u64::MAX as f64 + 10.0) / 2.0), None)),
    ] {
        let results = results(&rows, &[]);
        let cell = results.groups[0].series[0].cells[0].as_ref().unwrap();
        assert_eq!((cell.ns(), cell.nodes), expected, "{rows:?}");
    }
}

#[test]
fn machines_and_goals_are_groups_of_their_own() {
    let row = sample("a", 1, 10, 1);
    let rows = [row.clone(), Sample { machine_id: "n".into(), ..row.clone() }, Sample { goal: Goal::Weak, ..row }];
    let results = results(&rows, &[]);
    assert_eq!((results.groups.len(), results.machines.len(), results.rows), (3, 2, 3));
    let titles: Vec<String> = results.groups.iter().map(Group::title).collect();
    assert_eq!(titles, ["s, strong, machine m, cold", "s, strong, machine n, cold", "s, weak"]);
    for other in [Sample { spec: "a=c".into(), ..sample("a", 2, 1, 1) }, Sample { tt_bytes: 8, ..sample("a", 2, 1, 1) }]
    {
        let error = Results::of([sample("a", 1, 1, 1), other].map(Ok), &[]).unwrap_err().to_string();
        assert!(error.contains("two specs, two tables"), "{error}");
    }
}

#[test]
fn a_program_s_own_times_are_as_coarse_as_its_figures() {
    let theirs = |id, own: Option<u64>| Sample {
        nodes: None,
        engine_ns: own,
        clock: EngineClock::Own,
        ..sample("p", id, 900_000, 0)
    };
    let limited = Sample { status: Status::Timeout, limit_ns: Some(1_000_000), ..theirs(4, None) };
    let ours = Sample { resolution_ns: 10, ..sample("a", 1, 300, 5) };
    let rows = [ours, theirs(1, Some(3000)), theirs(2, Some(41_000)), theirs(3, None), limited];
    let group = results(&rows, &["p", "a"]).groups.remove(0);
    let [series, ours] = [0, 1].map(|index| &group.series[index]);
    assert_eq!((series.variant.as_str(), ours.variant.as_str()), ("p (own clock)", "a"));
    assert!(series.is_called("p") && group.named("p").is_some() && group.named("p (own clock)").is_some());
    let times: Vec<Option<f64>> = series.cells.iter().map(|cell| cell.as_ref()?.ns()).collect();
    assert_eq!(times, [Some(3000.0), Some(41_000.0), None, Some(2e6)], "a limit is on our clock");
    assert_eq!((group.short_ns, series.short_ns, ours.short_ns), (200.0, 20_000.0, 0.0), "it counts microseconds");
    let is_short = |other| group.pairs(other, ours, Quantity::Time)[0].is_short();
    assert!(is_short(series) && !is_short(ours));
    assert!(group.said_of_times().contains("Own clock (p)") && group.said_of_times().contains("1 of p."));
}

/// One search in a hundred takes 60 times the usual time of searches of its size.
#[test]
fn a_pause_is_a_doubt_about_times() {
    let rows = |ns: u64, marks: Option<&str>| {
        let usual = (1..100).map(|id| sample("a", id, 1000 + id, 100));
        let other = Sample { marks: marks.map(str::to_string), ..sample("a", 100, ns, 110) };
        usual.chain([other]).collect::<Vec<_>>()
    };
    let remark = |ns, marks| results(&rows(ns, marks), &[]).remark(true);
    assert_eq!((remark(1000, None), remark(15_000, None)), (String::new(), String::new()));
    assert_eq!(remark(60_000, None), "Times are in doubt (paused searches of a: 1).");
    assert_eq!(remark(15_000, Some("paused")), "Times are in doubt (paused searches of a: 1).");
    assert_eq!(results(&rows(60_000, None), &[]).remark(false), "", "nodes are exact");
}
