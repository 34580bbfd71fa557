//! `c4lab list`, `bench`, `perft` and `completions`, driven as people and scripts drive them. No test asserts a time.

use crate::support::place::{place, shown};
use crate::support::process::{BINARY, run};
use assert_cmd::Command;
use c4lab_measure::sets::by_board;
use serde_json::Value;
use std::fs;

fn records(what: &str) -> Vec<Value> {
    let (status, json, _) = run(&["list", what, "--format", "json"]);
    assert_eq!(status, 0);
    let Value::Array(records) = serde_json::from_str(&json).unwrap() else { panic!("{json}") };
    let (_, csv, _) = run(&["list", what, "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().clone();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), records.len());
    for (row, record) in rows.iter().zip(&records) {
        for (field, value) in header.iter().zip(row) {
            let same = match &record[field] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(same, value, "{field}");
        }
        assert_eq!(record.as_object().unwrap().len(), header.len());
    }
    records
}

#[test]
fn variants_show_every_axis() {
    let records = records("variants");
    assert!(records.len() >= 10);
    let pons_12 = records.iter().find(|record| record["name"] == "pons-12").unwrap();
    assert_eq!((&pons_12["order"], &pons_12["available"]), (&"threats".into(), &true.into()));
    let (_, text, _) = run(&["list", "variants"]);
    let line = text.lines().find(|line| line.starts_with(" pons-08") || line.starts_with("pons-08")).unwrap();
    assert!(line.trim_end().ends_with("root=bisect"), "{text}");
}

/// A name picks some of what there is, in every form.
#[test]
fn what_is_named_is_listed_alone() {
    let (status, json, _) = run(&["list", "variants", "Champion-Root", "--format", "json"]);
    let Value::Array(records) = serde_json::from_str(&json).unwrap() else { panic!("{json}") };
    assert!(status == 0 && records.len() >= 3);
    assert!(records.iter().all(|record| record["name"].as_str().unwrap().contains("champion-root")), "{json}");
    let (_, text, _) = run(&["list", "variants", "champion-root"]);
    assert_eq!(text.lines().count(), records.len() + 1, "{text}");
    for (what, name, count) in [("axes", "root", 6), ("test-sets", "empty-board", 1), ("boards", "8x6", 1)] {
        let (status, text, _) = run(&["list", what, name]);
        assert!(status == 0 && text.lines().count() > count, "{what}: {text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with(' ')), "{what}: {text}");
    }
    let (status, stdout, stderr) = run(&["list", "test-sets", "nope"]);
    assert!(status == 2 && stdout.is_empty(), "{stdout}");
    assert!(stderr.contains("none of the test-sets has nope in its name; all: c4lab list test-sets"), "{stderr}");
}

/// Vectors that this build does not have, or would only emulate, are listed with the reason, and never measured.
#[test]
fn what_this_build_cannot_measure_is_said() {
    let real = cfg!(all(feature = "simd", target_feature = "avx2"));
    let reason = if cfg!(feature = "simd") { "no AVX2" } else { "without the feature simd" };
    let records = records("variants");
    let record = |name: &str| records.iter().find(|record| record["name"] == name).unwrap();
    for (name, available) in [("pons-12", true), ("pons-12-threats-children", real), ("blog-simd", real)] {
        assert_eq!(record(name)["available"], available, "{name}");
        assert_eq!(record(name)["reason"].is_null(), available, "{name}");
    }
    assert_eq!((&record("blog-base")["geometry"], &record("pons-12")["geometry"]), (&"7x6/9".into(), &"7x6/7".into()));
    assert_eq!((&record("pons-12")["exact"], &record("pons-12-table-hashed")["exact"]), (&true.into(), &false.into()));
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let limits = ["--test-sets", "end-easy", "--limit", "2", "--out", &out];
    let (status, _, stderr) =
        run(&[&["measure", "--variants", "pons-12,pons-12-threats-children"], &limits[..]].concat());
    if real {
        assert_eq!(status, 0, "{stderr}");
    } else {
        assert!(record("blog-simd")["reason"].as_str().unwrap().contains(reason));
        assert_eq!(status, 1);
        assert!(
            stderr.contains("pons-12-threats-children is not measured here") && stderr.contains(reason),
            "{stderr}"
        );
        assert!(!folder.path().join("out").exists(), "nothing is written");
        assert_eq!(run(&["bench", "--variant", "pons-12-threats-children"]).0, 1);
    }
    let (status, stdout, stderr) = run(&["solve", "44455554221", "--variant", "pons-12-threats-children"]);
    if cfg!(feature = "simd") {
        assert!(status == 0 && stdout.starts_with("44455554221 ") && stderr.is_empty() == real, "{stderr}");
    } else {
        assert!(status == 1 && stderr.contains(reason), "{stderr}");
    }
}

#[test]
fn hashed_keys_say_what_they_risk() {
    let (status, _, stderr) = run(&["solve", "44455554221", "--variant", "pons-12-table-hashed"]);
    assert_eq!(status, 0);
    assert!(stderr.contains("a search of n nodes is wrong with a chance of at most n / 2^56"), "{stderr}");
    assert_eq!(run(&["solve", "44455554221"]).2, "");
}

#[test]
fn axes_show_every_value() {
    let records = records("axes");
    assert!(records.iter().any(|record| record["axis"] == "root" && record["value"] == "bisect"));
    assert!(records.iter().all(|record| !record["about"].as_str().unwrap().is_empty()));
    assert!(run(&["list", "axes"]).1.contains("left-to-right"));
}

#[test]
fn test_sets_show_whether_they_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Test_L3_R1"), format!("{} 0\n", "24655214173274156744623427266133")).unwrap();
    let command = |format: &str| {
        let mut command = Command::new(BINARY);
        command.args(["list", "test-sets", "--format", format]).env("C4LAB_ORIGINAL_SETS", folder.path());
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let records: Vec<Value> = serde_json::from_str(&command("json")).unwrap();
    assert_eq!(records.len(), 21 + by_board::ALL.len());
    let record = |name: &str| records.iter().find(|record| record["name"] == name).unwrap();
    assert_eq!(record("original/end-easy")["positions"], 1);
    assert_eq!((&record("empty-board")["positions"], &record("empty-board")["distance_most"]), (&1.into(), &41.into()));
    assert_eq!(record("development/begin-hard")["positions"], 20);
    assert_eq!(record("original/end-easy")["ply_least"], 29);
    assert_eq!(record("original/begin-hard")["available"], false);
    assert!(record("original/begin-hard")["reason"].as_str().unwrap().contains("Test_L1_R3"));
    assert!(command("text").contains("no: no file Test_L1_R3"));
    self::records("test-sets");
}

#[test]
fn attributions_show_what_they_take_apart() {
    let records = records("attributions");
    let record = records.iter().find(|record| record["name"] == "attribution").unwrap();
    let techniques: Vec<&str> = record["techniques"].as_str().unwrap().split(' ').collect();
    assert!(techniques.len() == 8 && techniques.contains(&"null-windows"), "{techniques:?}");
    assert!(run(&["list", "attributions"]).1.contains("attribution-small"));
}

#[test]
fn bench_prints_a_signature() {
    let (status, stdout, stderr) = run(&["bench", "--variant", "pons-12"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.contains("\nNodes: 9671863\n"), "{stdout}");
    // Without a name it is the champion's. `signature` pins the nodes.
    let (status, stdout, stderr) = run(&["bench"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stdout.starts_with("Variant: champion\n") && stdout.contains("\nNodes: "), "{stdout}");
}

#[test]
fn perft_stands_beside_the_published_terms() {
    let (status, stdout, _) = run(&["perft", "10"]);
    assert_eq!((status, stdout.lines().count()), (0, 12));
    let last: Vec<_> = stdout.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last, ["10", "1662623", "1662623", "equal"]);
    assert!(stdout.lines().skip(1).all(|line| line.ends_with(" equal")));
    assert_eq!(run(&["perft", "0"]).1.lines().count(), 2);
}

/// All positions of a small board are as many as were published; what is kept is not counted again, and a wrong number is found.
#[test]
fn all_positions_of_small_boards_are_as_many_as_were_published() {
    let (_place, out) = place();
    for (board, total) in [("4x4", "161,029"), ("4x5", "1,706,255"), ("5x4", "3,945,711")] {
        let (status, text, stderr) = run(&["perft", "--check", "--board", board, "--out", shown(&out)]);
        assert_eq!(status, 0, "{stderr}");
        assert!(text.matches(total).count() == 2 && text.contains("equal"), "{text}");
    }
    let file = out.join("positions.csv");
    let rows = fs::read_to_string(&file).unwrap();
    assert_eq!(rows.lines().count(), 1 + 17 + 21 + 21);
    assert!(run(&["report", shown(&out)]).1.contains("3 of 3 boards have the published number."));
    fs::write(&file, rows.replace("1,4x4,1,4,", "1,4x4,1,5,")).unwrap();
    let (status, text, _) = run(&["perft", "--check", "--board", "4x4", "--out", shown(&out)]);
    assert!(status == 4 && text.contains("161,030") && text.contains("DIFFERS"), "{text}");
}

#[test]
fn perft_says_what_it_cannot_do() {
    for ply in ["43", "-1", "x", ""] {
        assert_eq!(run(&["perft", "--", ply]).0, 2, "{ply}");
    }
    let (status, _, stderr) = run(&["perft", "--check"]);
    assert!(status == 1 && stderr.contains(" GB of memory"), "{stderr}");
    assert!(run(&["perft", "--check", "3"]).0 == 2 && run(&["perft", "3", "--out", "x"]).0 == 2);
    let (status, stdout, stderr) = run(&["perft", "42"]);
    assert_eq!((status, stdout.as_str()), (1, ""));
    assert!(stderr.starts_with("c4lab: perft 42 needs about ") && stderr.contains("are available"), "{stderr}");
}

#[test]
fn words_are_the_glossary() {
    let glossary = std::fs::read_to_string("docs/GLOSSARY.md").unwrap();
    assert_eq!(run(&["list", "words"]).1.trim_end(), glossary.trim_end());
}
