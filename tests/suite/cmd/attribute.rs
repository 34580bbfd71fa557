//! `c4lab attribute` through real processes: rows, resuming, tables, paths, times, faults.

use crate::support::{
    command, ended, good, manifest, place, place_of_run, read, refused, run, signal, spliced, started, table,
    under_way, wrong_set,
};
use c4lab_measure::files::node_row::{self, NodeRow};
use std::fs;
use std::path::Path;

fn small(out: &str) -> String {
    format!("attribute attribution-small --limit 6 --quiet --out {out}")
}

fn sorted(folder: &str) -> Vec<NodeRow> {
    let mut rows = node_row::read(Path::new(folder)).unwrap();
    rows.sort_by_key(|row| (row.spec.clone(), row.position_id));
    rows
}

/// The factors of the table multiply to the factor of all techniques together, and are means of logarithms of the rows.
#[test]
fn all_combinations_are_counted_and_the_tables_are_those_of_the_rows() {
    let (place, out) = place_of_run();
    let printed = good(&small(&out));
    let rows = sorted(&out);
    assert_eq!(rows.len(), 8 * 6);
    assert!(rows.iter().all(|row| row.score == row.expected_score && row.techniques.as_ref().unwrap().len() == 3));
    let mean_log = |digits: &str| {
        let of = rows.iter().filter(|row| row.techniques.as_deref() == Some(digits));
        let logs: Vec<f64> = of.map(|row| (row.nodes.max(1) as f64).ln()).collect();
        assert_eq!(logs.len(), 6);
        logs.iter().sum::<f64>() / 6.0
    };
    let values = table(&read(&format!("{out}/attribution.csv")));
    let number = |row: usize, name: &str| values[row][name].parse::<f64>().unwrap();
    let all = (mean_log("000") - mean_log("111")).exp();
    for (found, expected) in [
        (number(3, "shapley"), all),
        ((0..3).map(|row| number(row, "shapley")).product(), all),
        ((0..3).map(|row| number(row, "share")).sum(), 1.0),
        (number(1, "first"), (mean_log("000") - mean_log("010")).exp()),
        (number(1, "last"), (mean_log("101") - mean_log("111")).exp()),
    ] {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
    let square = table(&read(&format!("{out}/interactions.csv")));
    let of_pair = |one: usize, other: usize| square[one][&square[other]["technique"]].as_str();
    assert_eq!((square.len(), of_pair(0, 0), of_pair(0, 1)), (3, "", of_pair(1, 0)));
    assert!(of_pair(1, 2).parse::<f64>().unwrap() > 0.0);
    assert_eq!(good(&format!("report {out}")), printed, "report prints the same table");
    good(&format!("report {out} --html {}", place.name("page.html")));
    refused(1, &[(&format!("report {out} --plots {out}"), "--html")]);
    good(&format!("{} --format csv", small(&out)));
    assert_eq!(sorted(&out), rows, "nothing was counted twice");
}

#[test]
fn a_run_that_was_cut_off_goes_on_to_the_same_rows() {
    let (place, out) = place_of_run();
    good(&format!("{} --threads 1", small(&out)));
    let (whole, bytes) = (sorted(&out), fs::read(place.path("run/nodes.csv")).unwrap());
    // The file ends in the middle of a row, as after a power cut.
    fs::write(place.path("run/nodes.csv"), &bytes[..bytes.len() / 2]).unwrap();
    assert_ne!(bytes[bytes.len() / 2 - 1], b'\n');
    let kept = node_row::read(&place.path("run")).unwrap();
    assert!(kept.len() > 10 && kept.len() < 40, "{}", kept.len());
    let page = format!("report {out} --html {}", place.name("page.html"));
    refused(5, &[(&format!("report {out}"), ""), (&page, "rows are missing")]);
    // A row whose position is not of the set would be compared with other positions.
    let text = String::from_utf8(bytes).unwrap();
    place.file("run/nodes.csv", &text.replacen(",1,", ",9999,", 1));
    refused(1, &[(&page, "more positions")]);
    fs::write(place.path("run/nodes.csv"), &text[..text.len() / 2]).unwrap();
    good(&format!("{} --threads 3", small(&out)));
    assert_eq!(sorted(&out), whole);
    assert_eq!(
        node_row::read(&place.path("run")).unwrap()[..kept.len()],
        kept,
        "rows that were there are as they were"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_its_rows() {
    let (place, out) = place_of_run();
    let mut child = started(&mut command(&format!("attribute attribution --limit 30 --out {out}")));
    under_way(&mut child, &place.name("run/nodes.csv"), 5);
    signal(&child, "-INT");
    let ended = ended(child);
    assert!(ended.status == 5 && ended.stderr.contains("--out"), "{}", ended.stderr);
    let rows = node_row::read(&place.path("run")).unwrap();
    assert!(rows.len() >= 4 && rows.iter().all(|row| row.score == row.expected_score), "{}", rows.len());
    assert!(manifest(&out)["runs"][0]["ended_at"].is_string());
}

#[test]
fn another_attribution_does_not_get_into_the_folder() {
    let place = place();
    let (out, measured) = (place.name("run"), place.name("measured"));
    good(&small(&out));
    let before = read(&format!("{out}/nodes.csv"));
    refused(1, &[(&small(&out).replace("--limit 6", "--limit 5"), "")]);
    assert_eq!(read(&format!("{out}/nodes.csv")), before);
    let mut other = manifest(&out);
    other["binary"]["sha256"] = "0".into();
    place.file("run/manifest.json", &other.to_string());
    refused(1, &[(&small(&out), "build")]);
    fs::remove_file(place.path("run/manifest.json")).unwrap();
    refused(1, &[(&small(&out), "manifest")]);
    good(&format!("measure --variants pons-12 --test-sets end-easy --limit 1 --out {measured}"));
    refused(1, &[(&small(&measured), "samples")]);
}

const HEAD: &str = "name = \"a\"\nbase = \"pons-12\"\nlimit = 2\n";

fn technique(name: &str, changes: &str) -> String {
    format!("[[techniques]]\nname = \"{name}\"\nchanges = \"{changes}\"\n")
}

#[test]
fn bad_requests_are_refused_before_anything_is_written() {
    let (place, out) = place_of_run();
    let file = place.file("a.toml", &format!("{HEAD}tecniques = 1\n"));
    refused(1, &[(&format!("attribute {file} --out {out}"), "a.toml, line 4")]);
    assert_ne!(run("attribute atribution").status, 0);
    for bad in ["--limit 0", "--threads 0", "--path pons-12", "--path pons-12 pons-13"] {
        refused(2, &[(&format!("attribute attribution-small --out {out} {bad}"), "")]);
    }
    assert!(!place.path("run").exists());
}

#[test]
fn a_wrong_score_is_exit_status_4_and_a_limit_leaves_positions_out() {
    let place = place();
    let (out, record) = (place.name("run"), place.name("record"));
    let sets = format!("test-sets = [{:?}]\n", wrong_set(&place));
    let file = place.file("a.toml", &[HEAD, &sets, &technique("centre", "order=centre")].concat());
    for line in
        [format!("attribute {file} --out {out}"), format!("report {out}"), format!("report {out} --record {record}")]
    {
        refused(4, &[(&line, "")]);
    }
    assert_eq!(sorted(&out).len(), 4, "the rows are kept");
    assert!(!place.path("record").exists(), "no record is made of wrong scores");
    let limited = place.name("limited");
    good(&format!("{} --node-limit 17", small(&limited)));
    assert!(sorted(&limited).iter().any(|row| row.nodes == 17 && row.score.is_none()));
}

#[test]
fn a_path_takes_one_change_after_another_and_resumes() {
    let (_place, out) = place_of_run();
    let path = format!("{} --path pons-06 pons-12", small(&out));
    let printed = good(&path);
    let steps = table(&read(&format!("{out}/path.csv")));
    // A table and its bounds change together. Other axes change one by one.
    assert!(steps.len() == 7 && steps.iter().any(|step| step["change"] == "table=partial table-bounds=either"));
    assert_eq!([&steps[0]["variant"], &steps[6]["variant"]], ["pons-06", "pons-12"]);
    let rows = sorted(&out);
    assert_eq!((good(&path), good(&format!("report {out}"))), (printed.clone(), printed));
    assert_eq!(sorted(&out), rows, "nothing was counted twice");
}

/// Some specs of a path have no name: they and their bases are timed as dynamic variants.
#[test]
fn paths_and_values_are_recorded() {
    let place = place();
    let (out, record) = (place.name("run"), place.name("record"));
    good(&format!("{} --path pons-09 pons-10", small(&out)));
    good(&format!("{} --path pons-12 key=mirror,root=window,bounds=upper", small(&out)));
    good(&small(&out));
    good(&format!("report {out} --record {record}"));
    assert_eq!(good(&format!("report {record}")), good(&format!("report {out}")));
    assert_eq!(sorted(&record), sorted(&out));
    assert!(spliced(&place, &format!("attribution {record} parts=values"), &record).contains("| threat-order"));
}
