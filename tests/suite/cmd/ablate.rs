//! `c4lab ablate` and `c4lab compare` of names, which measure: their tables are those of the rows.

use crate::support::{command, ended, good, place_of_run, read, refused, run, samples, started, table};
use c4lab_solver::search::Spec;
use c4lab_solver::search::registry::{PONS_11, PONS_12};
use std::collections::{HashMap, HashSet};

const SMALL: &str = "--test-sets end-easy,middle-easy --limit 6 --repetitions 1 --quiet";

/// The nodes of each choice in a folder.
fn nodes(out: &str) -> HashMap<String, f64> {
    let mut nodes = HashMap::new();
    for row in samples(out).into_iter().filter(|row| !row.variant.ends_with("[]")) {
        *nodes.entry(row.spec).or_default() += row.nodes.unwrap() as f64;
    }
    nodes
}

#[test]
fn every_choice_that_can_be_changed_alone_is_measured() {
    let (_place, out) = place_of_run();
    let printed = table(&good(&format!("ablate pons-12 {SMALL} --out {out} --format csv")));
    let (nodes, mut seen) = (nodes(&out), HashSet::new());
    for row in &printed {
        let (axis, values) = row["changes"].split_once(": ").unwrap();
        let (_, value) = values.split_once(" -> ").unwrap();
        assert!(seen.insert((axis, value)));
        let changed = Spec::parse(&format!("{axis}={value}"), PONS_12).unwrap();
        let ratio = nodes[&PONS_12.to_string()] / nodes[&changed.to_string()];
        assert_eq!(row["node_ratio"].parse(), Ok(ratio), "{row:?}");
        assert_eq!(row["positions"], "12");
    }
    assert!(seen.len() > 20 && seen.contains(&("order", "centre")) && !seen.contains(&("table", "none")), "{seen:?}");
    let worth: Vec<f64> = printed.iter().filter_map(|row| row["time_geometric_mean"].parse().ok()).collect();
    assert!(worth.is_sorted() && worth.len() > 20, "{worth:?}");
    assert!(read(&format!("{out}/ablation.svg")).contains("order: threats -&gt; centre"));
    // Only what a recursion of twenty times as many nodes, or other choices, exclude is left out, and is named.
    let said = run(&format!("ablate pons-12 --test-sets end-easy --limit 2 --verbose --out {out}-2")).stderr;
    let left_out = ["pruning=minimax", "search=children", "key=colorless"];
    assert!(left_out.iter().all(|change| said.contains(change)), "{said}");
    refused(2, &[("ablate bot-final", "--goal weak"), ("ablate nobody", "nobody"), ("ablate --limit 0", "limit = 0")]);
}

#[test]
fn names_are_measured_and_compared() {
    let (place, out) = place_of_run();
    let compared = table(&good(&format!("compare pons-11 pons-12 {SMALL} --out {out} --format csv")));
    let (nodes, pooled) = (nodes(&out), compared.iter().find(|row| row["set"] == "pooled" && row["of"] == "nodes"));
    let said: f64 = pooled.unwrap()["ratio_of_sums"].parse().unwrap();
    assert_eq!(said, nodes[&PONS_11.to_string()] / nodes[&PONS_12.to_string()]);
    assert_eq!(
        table(&good(&format!("compare {out} --format csv"))),
        compared,
        "a folder of two variants needs no names"
    );
    let short = format!("--quiet --limit 2 --repetitions 1 --out {}", place.name("program"));
    let program =
        table(&good(&format!("compare '{} engine serve' champion {short} --format csv", crate::support::BINARY)));
    assert!(program.iter().any(|row| row["set"] == "middle-medium"), "{program:?}");
    // The name of a variant wins over that of a folder, which has a slash then.
    std::fs::create_dir(place.path("champion")).unwrap();
    let beside = |line: &str| ended(started(command(line).current_dir(place.path(""))));
    let (name, folder) = (beside("compare champion"), beside("compare ./champion"));
    assert!(name.status == 2 && name.stderr.contains("./champion is a folder"), "{}", name.stderr);
    assert!(folder.status == 1 && folder.stderr.contains("no samples in ./champion"), "{}", folder.stderr);
    refused(
        2,
        &[
            (&format!("compare champion {out}"), "two folders"),
            (&format!("compare {out} --limit 3"), "no option of a measurement"),
            (&format!("compare {out} {out}"), "--base"),
            ("compare pons-11 pons-12 --base pons-11", "of a folder"),
            ("compare pons-11 pons-11", "pons-11"),
            ("compare pons-11 nobody", "program"),
        ],
    );
    refused(1, &[("compare 'sh -c true' champion", "c4lab check")]);
}
