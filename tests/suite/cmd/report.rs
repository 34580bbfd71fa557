//! `c4lab report` and `c4lab compare` through real processes: tables, gates, and folders that are not as they should be.

use crate::support::process::{Outcome, run};
use c4lab_measure::files::folder::read_samples;
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::fixtures;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder with a small run: pons-10 and pons-12 on four positions, twice, both goals, counted.
fn measured() -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("run");
    let what = ["measure", "--variants", "pons-10,pons-12", "--test-sets", "end-easy,middle-easy", "--quiet"];
    let how = ["--limit", "4", "--repetitions", "2", "--goal", "strong,weak", "--counters", "--out", shown(&out)];
    let (status, _, messages) = run(&[&what[..], &how].concat());
    assert_eq!(status, 0, "{messages}");
    (place, out)
}

fn shown(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn changed(place: &TempDir, from: &Path, change: impl Fn(Vec<Sample>) -> Vec<Sample>) -> PathBuf {
    let to = place.path().join(format!("copy-{}", fs::read_dir(place.path()).unwrap().count()));
    fixtures::write(&to, &change(read_samples(from).unwrap()));
    fs::copy(from.join("manifest.json"), to.join("manifest.json")).unwrap();
    to
}

fn compare(folder: &Path, more: &[&str]) -> Outcome {
    run(&[&["compare", shown(folder)], more].concat())
}

#[test]
fn every_table_is_printed_in_every_format() {
    let (_place, out) = measured();
    for name in
        ["summary", "speed-ups", "steps", "ablation", "by-ply", "anatomy", "anatomy-by-ply", "budgets", "profiles"]
    {
        let text = run(&["report", shown(&out), "--tables", name]);
        let markdown = run(&["report", shown(&out), "--tables", name, "--format", "markdown"]);
        let csv = run(&["report", shown(&out), "--tables", name, "--format", "csv"]);
        assert_eq!((text.0, markdown.0, csv.0), (0, 0, 0), "{name}: {}", text.2);
        if name != "ablation" {
            assert!(text.1.contains("pons-12") && markdown.1.contains("| pons-12"), "{name}: {}", text.1);
            assert!(csv.1.starts_with("set,goal,") && csv.1.lines().count() > 4, "{name}: {}", csv.1);
        }
        let columns = csv.1.lines().next().map_or(0, |header| header.split(',').count());
        assert!(csv::Reader::from_reader(csv.1.as_bytes()).records().all(|row| row.unwrap().len() == columns));
    }
    let hits = run(&["report", shown(&out), "--tables", "by-ply", "--format", "csv"]).1;
    let counted = |row: &str| row.starts_with("middle-easy,") && !row.ends_with(',');
    assert!(hits.lines().any(counted), "counted tables have a share of hits: {hits}");
    let all = run(&["report", shown(&out), "--format", "markdown"]).1;
    assert!(all.contains("each compared with the one before it") && all.contains("share solved within a time"));
    let (status, _, message) = run(&["report", shown(&out), "--format", "csv", "--tables", "summary,steps"]);
    assert!(status == 2 && message.contains("holds one table"), "{message}");
    let (status, _, message) = run(&["report", shown(&out), "--tables", "speed-ups", "--base", "pons-1"]);
    assert!(status == 2 && message.contains("nearest: \"pons-1"), "{message}");
}

#[test]
fn a_gate_fails_with_its_own_status() {
    let (_place, out) = measured();
    let pair = ["--base", "pons-10", "--to", "pons-12"];
    let (status, table, _) = compare(&out, &pair);
    assert_eq!(status, 0);
    assert!(table.contains("end-easy") && table.contains("pooled") && table.contains("nodes"), "{table}");
    let csv = compare(&out, &[&pair[..], &["--format", "csv"]].concat()).1;
    let mut names: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    assert!(names.starts_with(&["set", "goal", "of"]) && csv.contains("\nend-easy,strong,nodes,"), "{csv}");
    names.sort_unstable();
    assert!(names.windows(2).all(|two| two[0] != two[1]), "every column has its own name: {names:?}");
    // Nodes have no noise: pons-12 never takes a third of those of pons-10 here, nor three times as many.
    assert_eq!(compare(&out, &[&pair[..], &["--gate-nodes", "0.3"]].concat()).0, 0);
    let (status, _, message) = compare(&out, &[&pair[..], &["--gate-nodes", "1000"]].concat());
    assert!(status == 3 && message.contains("gate failed: strong nodes"), "{message}");
    assert_eq!(compare(&out, &[&pair[..], &["--gate", "1000000", "--goal", "weak"]].concat()).0, 3);
    let (status, _, message) = compare(&out, &["--base", "pons-12", "--to", "pons-12"]);
    assert!(status == 2 && message.contains("compared with itself"), "{message}");
    let (status, _, message) = compare(&out, &["--base", "pons-12", "--to", "pons-11"]);
    assert!(status == 1 && message.contains("no row of \"pons-11\""), "{message}");
    assert_eq!(compare(&out, &["--base", "pons-12", "--to", "pons-10", "--gate", "x"]).0, 2);
}

#[test]
fn two_folders_are_compared_on_one_machine_only() {
    let (place, out) = measured();
    let copy = changed(&place, &out, |rows| rows);
    let (status, _, message) = compare(&out, &[shown(&out), "--base", "pons-12"]);
    assert!(status == 2 && message.contains("compared with itself"), "{message}");
    let same = compare(&out, &[shown(&copy), "--base", "pons-12", "--format", "csv"]);
    assert_eq!(same.0, 0, "{}", same.2);
    assert!(same.1.lines().skip(1).all(|row| row.contains(",1,")), "{}", same.1);
    assert!(same.2.contains("one after the other"), "{}", same.2);
    let titled = compare(&out, &[shown(&copy), "--base", "pons-12"]);
    let title = format!("pons-12 in {} : pons-12 in {}", shown(&out), shown(&copy));
    assert!(titled.1.starts_with(&title), "{}", titled.1);
    let other = changed(&place, &out, |rows| {
        rows.into_iter().map(|row| Sample { machine_id: "0123456789ab".to_string(), ..row }).collect()
    });
    let (status, _, message) = compare(&out, &[shown(&other), "--base", "pons-10", "--to", "pons-12"]);
    assert!(status == 1 && message.contains("times of two machines are not compared"), "{message}");
    let (status, table, _) = compare(&out, &[shown(&other), "--base", "pons-10", "--to", "pons-12", "--nodes-only"]);
    assert!(status == 0 && table.contains("nodes") && !table.contains("time"), "{table}");
}

#[test]
fn folders_that_are_not_as_they_should_be() {
    let (place, out) = measured();
    let report = |folder: &Path| run(&["report", shown(folder), "--format", "markdown"]);
    let newer = changed(&place, &out, |rows| rows);
    let processes = fs::read_to_string(newer.join("processes.csv")).unwrap();
    fs::write(newer.join("processes.csv"), processes.replacen("\n3,", "\n4,", 1)).unwrap();
    let (status, _, message) = report(&newer);
    assert!(status == 1 && message.contains("line 2") && message.contains("reads up to 3"), "{message}");
    let other_build = changed(&place, &out, |rows| {
        let last = rows.last().unwrap().clone();
        let row = Sample { binary_sha256: "0".repeat(64), run_id: "other".to_string(), ..last };
        [rows, vec![row]].concat()
    });
    let (status, _, message) = report(&other_build);
    assert!(status == 1 && message.contains("rows of the build 000000000000"), "{message}");
    let broken = changed(&place, &out, |rows| rows);
    let rows = fs::read_to_string(broken.join("samples.csv")).unwrap();
    let line = rows.lines().nth(3).unwrap();
    fs::write(broken.join("samples.csv"), rows.replacen(line, "1,half", 1)).unwrap();
    let (status, _, message) = report(&broken);
    assert!(status == 1 && message.contains("samples.csv, line 4"), "{message}");
    let empty = changed(&place, &out, |_| Vec::new());
    assert!(report(&empty).2.contains("no row is there yet"));
    fs::remove_file(newer.join("manifest.json")).unwrap();
    assert!(report(&newer).2.contains("no manifest.json"));
    // Rows of older schemas are refused with the revision that reads them.
    let older = changed(&place, &out, |rows| rows);
    fs::write(older.join("samples.csv"), "schema_version,cell_id,process\n2,1,1\n").unwrap();
    let (status, _, message) = report(&older);
    assert!(status == 1 && message.contains("rows of schema 2") && message.contains("cf8c828"), "{message}");
    // A torn last line is passed over.
    let file = out.join("samples.csv");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() - 20]).unwrap();
    assert_eq!(report(&out).0, 0);
}

/// Means of many searches stand in no ratio with times of single ones. Nodes may.
#[test]
fn times_of_two_regimes_are_not_compared() {
    let (place, out) = measured();
    let means = changed(&place, &out, |rows| rows.into_iter().map(|row| Sample { resolution_ns: 0, ..row }).collect());
    let names = ["--base", "pons-10", "--to", "pons-12"];
    for (one, other) in [(&out, &means), (&means, &out)] {
        let (status, _, message) = compare(one, &[&[shown(other)], &names[..]].concat());
        assert!(status == 1 && message.contains("means of many") && message.contains("--nodes-only"), "{message}");
        let (status, table, message) = compare(one, &[&[shown(other), "--nodes-only"], &names[..]].concat());
        assert!(status == 0 && table.contains("nodes"), "{message}");
    }
    assert_eq!(compare(&means, &names).0, 0, "beside itself");
}

#[test]
fn variants_that_are_no_more_and_positions_that_are_few() {
    let (place, out) = measured();
    let report = |folder: &Path| run(&["report", shown(folder), "--format", "markdown"]);
    let gone = changed(&place, &out, |rows| {
        let renamed = |row: Sample| Sample { variant: row.variant.replace("pons-10", "pons-ten"), ..row };
        rows.into_iter().map(renamed).collect()
    });
    let (status, text, message) = report(&gone);
    assert!(status == 0 && text.contains("| pons-ten"), "{message}");
    assert_eq!(compare(&gone, &["--base", "pons-ten", "--to", "pons-12"]).0, 0);
    let one = changed(&place, &out, |rows| {
        let first = rows[0].position_id;
        rows.into_iter().filter(|row| row.position_id == first).collect()
    });
    assert_eq!(report(&one).0, 0);
    let (status, _, message) = compare(&one, &["--base", "pons-10", "--to", "pons-12", "--gate", "0.97"]);
    assert!(status == 1 && message.contains("too few for a gate"), "{message}");
    let limited = changed(&place, &out, |rows| {
        let row = |row| Sample { status: Status::Timeout, limit_ns: Some(1000), ..row };
        rows.into_iter().map(row).collect()
    });
    let (status, text, message) = report(&limited);
    assert!(status == 0 && text.contains("wrong, failed, limited"), "{message}");
    let (status, table, message) = compare(&limited, &["--base", "pons-10", "--to", "pons-12"]);
    assert!(status == 0 && message.contains("pons-12: 16 positions reached a limit"), "{message}{table}");
}

#[test]
fn a_wrong_row_is_shown_and_is_the_exit_status() {
    let (place, out) = measured();
    let wrong = changed(&place, &out, |mut rows| {
        rows[0].status = Status::Wrong;
        rows
    });
    let (status, text, message) = run(&["report", shown(&wrong)]);
    assert!(
        status == 4 && message.contains("1 wrong score,") && text.contains("wrong, failed, limited"),
        "{message}{text}"
    );
    assert_eq!(compare(&wrong, &["--base", "pons-10", "--to", "pons-12"]).0, 4);
    let moved = changed(&place, &out, |mut rows| {
        rows[0].nodes = Some(1_000_000);
        rows
    });
    let (status, _, message) = compare(&moved, &["--base", "pons-10", "--to", "pons-12"]);
    assert!(status == 4 && message.contains("1 differing node count"), "{message}");
}

#[test]
fn a_goal_that_was_not_asked_for_is_named() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("run");
    let what = ["measure", "--variants", "pons-10,pons-12", "--test-sets", "end-easy", "--limit", "3", "--quiet"];
    assert_eq!(run(&[&what[..], &["--goal", "strong", "--out", shown(&out)]].concat()).0, 0);
    let (status, _, message) = compare(&out, &["--base", "pons-10", "--to", "pons-12", "--goal", "weak"]);
    assert!(status == 1 && message.contains("no row of the goal weak"), "{message}");
}
