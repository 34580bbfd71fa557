//! The summary by hand.

use super::*;
use crate::results::tests::results;
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::fixtures::sample;

fn terminal(lines: &[Line]) -> String {
    tables(lines).iter().map(|table| table.terminal(None)).collect()
}

#[test]
fn means_and_ratios_by_hand() {
    let rows = [sample("b", 1, 100, 10), sample("a", 1, 400, 20), sample("a", 2, 800, 60), sample("b", 2, 300, 30)];
    let lines = summarise(&results(&rows, &["a", "b"]), 1);
    assert_eq!(lines.iter().map(|line| line.variant.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!((lines[0].mean_ns, lines[0].mean_nodes), (Some(600.0), Some(40.0)));
    assert_eq!((lines[0].speedup, lines[0].node_ratio), (Some(1.0), Some(1.0)));
    assert_eq!((lines[1].speedup, lines[1].node_ratio), (Some(3.0), Some(2.0)));
    assert_eq!(lines[1].nodes_per_s, Some(40.0 / 400.0 * 1e9));
    assert_eq!((lines[1].positions, lines[1].ok, lines[1].wrong, lines[1].limited), (2, 2, 0, 0));
}

#[test]
fn repetitions_count_by_their_median() {
    let rows: Vec<Sample> = [100, 900, 200]
        .into_iter()
        .enumerate()
        .map(|(pass, ns)| Sample { repetition: pass as u32, ..sample("a", 1, ns, 10) })
        .collect();
    let lines = summarise(&results(&rows, &[]), 1);
    assert_eq!((lines[0].positions, lines[0].mean_ns, lines[0].mean_nodes), (1, Some(200.0), Some(10.0)));
}

#[test]
fn a_limit_costs_twice_the_limit_and_leaves_node_statistics() {
    let limited = Sample { status: Status::Timeout, limit_ns: Some(1000), score: None, ..sample("b", 2, 1003, 99) };
    let rows = [sample("a", 1, 100, 10), sample("a", 2, 100, 10), sample("b", 1, 100, 10), limited];
    let lines = summarise(&results(&rows, &["a", "b"]), 1);
    assert_eq!((lines[1].positions, lines[1].ok, lines[1].limited), (2, 1, 1));
    assert_eq!((lines[1].mean_ns, lines[1].mean_nodes), (Some(1050.0), Some(10.0)));
    assert_eq!(lines[1].speedup, Some(200.0 / 2100.0));
    assert_eq!(lines[1].node_ratio, Some(1.0));
}

#[test]
fn a_wrong_score_is_never_a_time() {
    let wrong = Sample { status: Status::Wrong, score: Some(2), ..sample("b", 2, 1, 1) };
    let rows = [sample("a", 1, 100, 10), sample("a", 2, 100, 10), sample("b", 1, 100, 10), wrong];
    let lines = summarise(&results(&rows, &["a", "b"]), 1);
    assert_eq!((lines[1].positions, lines[1].ok, lines[1].wrong), (2, 1, 1));
    assert_eq!((lines[1].mean_ns, lines[1].speedup), (Some(100.0), Some(1.0)));
}

/// A wrong answer is never a fast time, in no sentence either.
#[test]
fn who_is_wrong_is_in_no_conclusion() {
    let of = |wrong: &str| {
        let row = |variant: &str, id: u64, ns: u64| {
            let status = if variant == wrong && id == 3 { Status::Wrong } else { Status::Ok };
            Sample { status, ..sample(variant, id, ns + id, 10) }
        };
        let rows: Vec<Sample> =
            (1..=20).flat_map(|id| [row("a", id, 400), row("b", id, 100), row("c", id, 200)]).collect();
        let results = results(&rows, &["a", "b", "c"]);
        let group = &results.groups[0];
        let beside = crate::tables::comparison::beside(group, &group.columns[0], 1);
        [tables(&summarise(&results, 1)).remove(0).conclusion, beside.conclusion]
    };
    assert!(of("").iter().all(|said| said.contains("Of 2 variants") && said.contains("is b: ")), "{:?}", of(""));
    let [summary, beside] = of("b");
    assert!(beside.contains("c is 1.95 times faster") && !beside.contains("b is"), "{beside}");
    assert_eq!(summary, format!("{beside} Left out, since not all of its answers are right: b."));
    let [summary, beside] = of("a");
    assert_eq!((summary.as_str(), beside.as_str()), ("Left out, since not all of its answers are right: a.", ""));
}

/// Two of twenty positions are short: sums have them, geometric means do not.
#[test]
fn short_times_stand_in_sums_alone() {
    let rows: Vec<Sample> = (1..=20)
        .flat_map(|id| {
            let (base, variant) = if id <= 2 { (90, 900) } else { (2000 + 10 * id, 1000) };
            [sample("a", id, base, 10), sample("b", id, variant, 10)]
        })
        .collect();
    let of = |resolution_ns| {
        let rows: Vec<Sample> = rows.iter().map(|row| Sample { resolution_ns, ..row.clone() }).collect();
        summarise(&results(&rows, &[]), 1).remove(1)
    };
    let (line, all) = (of(10), of(0));
    assert_eq!((line.short, line.positions, all.short), (2, 20, 0));
    assert_eq!(line.speedup, all.speedup);
    assert!(line.geometric_mean.unwrap() > 2.0 && all.geometric_mean.unwrap() < 1.8);
    assert!(terminal(&[line]).contains("clock ticks") && !terminal(&[all]).contains("short"));
}

#[test]
fn what_failed_otherwise_is_not_wrong() {
    use c4lab_measure::files::sample::Status::{Error, Ok, Signal, Wrong};
    let of = |statuses: &[Status]| {
        let row = |(index, &status)| Sample { status, ..sample("a", 1 + index as u64, 100, 10) };
        summarise(&results(&statuses.iter().enumerate().map(row).collect::<Vec<_>>(), &[]), 1)
    };
    let lines = of(&[Ok, Wrong, Signal, Error]);
    assert_eq!((lines[0].ok, lines[0].wrong, lines[0].failed), (1, 1, 2));
    assert!(terminal(&lines).contains("failed") && !terminal(&of(&[Ok, Wrong])).contains("failed"));
    let said = |statuses: &[Status]| tables(&of(statuses)).remove(0).conclusion;
    assert_eq!(said(&[Ok, Error]), "Left out, since it failed on some positions: a.");
    assert_eq!(said(&[Ok, Error, Wrong]), "Left out, since not all of its answers are right: a.");
}

#[test]
fn csv_leaves_empty_what_is_not_there() {
    let lines = summarise(&results(&[sample("a", 1, 100, 10)], &[]), 1);
    let text = String::from_utf8(csv(&lines).unwrap()).unwrap();
    assert_eq!(text.lines().nth(1).unwrap(), "s,a,strong,1,1,0,0,100.0,10.0,100000000.0,1.0,,,1.0,0,1.0,,,0,");
}

#[test]
fn an_answer_without_nodes_is_an_answer() {
    let row = Sample { nodes: None, ..sample("a", 1, 100, 10) };
    let line = &summarise(&results(&[row], &[]), 1)[0];
    assert_eq!((line.positions, line.ok, line.wrong, line.mean_ns), (1, 1, 0, Some(100.0)));
    assert_eq!((line.mean_nodes, line.nodes_per_s, line.node_ratio), (None, None, None));
}

#[test]
fn lines_of_two_machines_can_be_told_apart() {
    let row = sample("a", 1, 100, 10);
    let lines = summarise(&results(&[row.clone(), Sample { machine_id: "n".into(), ..row }], &[]), 1);
    let text = String::from_utf8(csv(&lines).unwrap()).unwrap();
    let ends: Vec<&str> = text.lines().filter_map(|line| line.splitn(14, ',').last()).collect();
    assert_eq!(
        ends,
        [
            "node_ratio,failed,geometric_mean,geometric_mean_low,geometric_mean_high,short,engine_nodes,apart",
            "1.0,0,1.0,,,0,,\"machine m, cold\"",
            "1.0,0,1.0,,,0,,\"machine n, cold\""
        ]
    );
}

#[test]
fn a_ladder_has_a_column_a_set() {
    let rows = [sample("a", 1, 4420, 51), sample("b", 1, 2210, 25)];
    let lines = summarise(&results(&rows, &["a", "b"]), 1);
    let text = ladder(&lines, Goal::Strong, &[]);
    assert!(text.lines().count() == 4 && text.contains("4.42 us / 51.00"), "{text}");
    assert_eq!(ladder(&lines, Goal::Weak, &[]).lines().count(), 2);
    let second = ladder(&lines, Goal::Strong, &["b", "a"].map(str::to_string));
    assert!(second.lines().nth(2).unwrap().starts_with("| b"), "{second}");
}

fn on(machine: &str, sample: Sample) -> Sample {
    Sample { machine_id: machine.to_string(), ..sample }
}

#[test]
fn positions_of_all_machines_count_once() {
    let limited = |sample: Sample| Sample { status: Status::Timeout, limit_ns: Some(5), score: None, ..sample };
    let rows = [
        on("m", sample("a", 1, 10, 100)),
        on("m", sample("b", 1, 10, 50)),
        // The same position again, and one that the other machine did not come to the end of.
        on("n", sample("a", 1, 99, 100)),
        on("n", sample("b", 1, 99, 50)),
        on("n", sample("a", 2, 99, 300)),
        on("n", sample("b", 2, 99, 50)),
        on("m", limited(sample("b", 2, 5, 7))),
    ];
    let tables = pooled(&results(&rows, &["a", "b"]).groups);
    assert_eq!(tables.len(), 1);
    assert_eq!(
        tables[0].shown(),
        [["a", "2", "2", "0", "0", "200", "1.00x"], ["b", "2", "2", "0", "0", "50.0", "4.00x"]]
    );
    assert!(pooled(&results(&rows[..2], &[]).groups).is_empty(), "one machine has nothing to pool");
    let builds = [rows[0].clone(), Sample { binary_sha256: "c".to_string(), ..rows[0].clone() }];
    assert_eq!(pooled(&results(&builds, &[]).groups).len(), 1, "builds are groups of their own");
}
