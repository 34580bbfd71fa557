//! `c4lab measure` into a folder that was measured: passes, processes and positions are added, and nothing is lost.

use crate::cmd::measure::{distinct, long, small};
use crate::support::output::{run, text};
use crate::support::place::{place, shown};
use c4lab_measure::files::folder::read_samples;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

fn ids(folder: &Path) -> BTreeSet<String> {
    read_samples(folder).unwrap().into_iter().map(|row| format!("{:?}", row.cell())).collect()
}

fn manifest(folder: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(folder.join("manifest.json")).unwrap()).unwrap()
}

#[test]
fn passes_positions_and_processes_are_added_to_what_is_there() {
    let (place, out) = place();
    let at_once = place.path().join("at-once");
    let grown = ["--repetitions", "2", "--processes", "2"];
    assert_eq!(small(&at_once, "6", &grown).status.code(), Some(0));
    small(&out, "3", &[]);
    let old = fs::read_to_string(out.join("samples.csv")).unwrap();
    let copy = place.path().join("copy");
    fs::create_dir(&copy).unwrap();
    for file in ["samples.csv", "processes.csv", "variants.csv", "positions.csv", "manifest.json"] {
        fs::copy(out.join(file), copy.join(file)).unwrap();
    }
    for (limit, more) in [("3", &["--repetitions", "2"][..]), ("6", &["--repetitions", "2"]), ("6", &grown)] {
        let output = small(&out, limit, more);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    assert!(fs::read_to_string(out.join("samples.csv")).unwrap().starts_with(&old), "rows stay as they were");
    let rows = read_samples(&out).unwrap();
    assert_eq!((rows.len(), distinct(&rows)), (2 * 6 * 2 * 2, 2 * 6 * 2 * 2));
    assert_eq!(ids(&out), ids(&at_once));
    let [ours, theirs] = [&out, &at_once].map(|folder| manifest(folder));
    assert_eq!(ours["experiment"], theirs["experiment"]);
    assert_eq!((ours["history"].as_array().unwrap().len(), theirs.get("history")), (3, None));
    assert_eq!(ours["history"][0]["experiment"]["limit"], 3);
    assert_eq!(ours["history"][1]["last_run"], ours["runs"][1]["id"]);
    // The same command again adds nothing.
    let before = fs::read(out.join("samples.csv")).unwrap();
    assert_eq!(small(&out, "6", &grown).status.code(), Some(0));
    assert_eq!(
        (fs::read(out.join("samples.csv")).unwrap(), manifest(&out)["history"].clone()),
        (before, ours["history"].clone())
    );
    // A folder from before and the folder that grew are of one experiment.
    let merged = place.path().join("merged");
    let output = run(&["merge", shown(&merged), shown(&copy), shown(&out)]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let merged = (manifest(&merged), read_samples(&merged).unwrap().len());
    assert_eq!(merged.0["history"].as_array().unwrap().len(), 3);
    assert_eq!((merged.0["merged"]["experiments"].as_array().unwrap().len(), merged.1), (1, rows.len()));
}

#[test]
fn what_is_added_is_said_and_what_cannot_be_is_refused() {
    let (_place, out) = place();
    small(&out, "2", &["--repetitions", "2"]);
    let before = fs::read(out.join("samples.csv")).unwrap();
    let base = ["measure", "--test-sets", "end-easy", "--out", shown(&out)];
    let refused = |more: &[&str]| {
        let output = run(&[&base[..], more].concat());
        assert_eq!(output.status.code(), Some(1), "{more:?}");
        text(&output.stderr)
    };
    let two = ["--variants", "pons-10,pons-12", "--limit"];
    let less = refused(&[&two[..], &["2"]].concat());
    assert!(less.contains("holds more than this (repetitions: 2 there, 1 here)"), "{less}");
    let limit = refused(&[&two[..], &["2", "--repetitions", "2", "--time-limit", "9s"]].concat());
    assert!(limit.contains("is no row of another limit"), "{limit}");
    let three = refused(&["--variants", "pons-10,pons-11,pons-12", "--limit", "2", "--repetitions", "2"]);
    assert!(three.contains("would not run in the same blocks"), "{three}");
    assert_eq!(fs::read(out.join("samples.csv")).unwrap(), before);
    let output = run(&[&base[..], &two, &["4", "--repetitions", "2"]].concat());
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("limit from 2 to 4\n"), "{}", text(&output.stderr));
}

#[test]
fn a_kill_while_it_grows_loses_nothing() {
    let (_place, out) = place();
    let shorter = ["measure", "--variants", "pons-10,pons-12", "--test-sets", "middle-medium", "--out", shown(&out)];
    assert_eq!(run(&[&shorter[..], &["--limit", "2", "--quiet"]].concat()).status.code(), Some(0));
    let mut child = long(&out).spawn().unwrap();
    let lines = || fs::read_to_string(out.join("samples.csv")).unwrap_or_default().lines().count();
    while lines() < 8 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be stopped");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = ids(&out);
    assert!(kept.len() >= 6);
    let output = long(&out).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    assert_eq!((rows.len(), distinct(&rows)), (80, 80));
    assert!(kept.is_subset(&ids(&out)));
    assert_eq!(manifest(&out)["history"].as_array().unwrap().len(), 1);
}
