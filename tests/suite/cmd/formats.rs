//! Every table is there for programs, too: as JSON and as CSV, with the same rows; and a manual page for every command.

use crate::support::place::{place, shown};
use crate::support::process::{BINARY, run};
use serde_json::Value;
use std::process::{Command, Stdio};

/// What a command prints as JSON: rows as objects, and as CSV: a header and rows.
fn formats(arguments: &[&str]) -> (Vec<Value>, Vec<Vec<String>>) {
    // docs/FORMAT.md, "Tables as JSON": which commands print a list, and which an object with tables.
    let is_list = arguments[0] == "perft";
    let print = |format: &str, out: &str| {
        let (_folder, place) = place();
        let out = if out.is_empty() { vec![] } else { vec![out, shown(&place)] };
        let (status, stdout, stderr) = run(&[arguments, &out, &["--format", format]].concat());
        assert_eq!(status, 0, "{arguments:?} {format}: {stderr}");
        stdout
    };
    let out = if ["match", "judge", "bot"].contains(&arguments[0]) { "--out" } else { "" };
    let json = match serde_json::from_str(&print("json", out)).expect("JSON") {
        Value::Array(rows) if is_list => rows,
        tables if !is_list => tables["tables"][0]["rows"].as_array().expect("rows").clone(),
        other => panic!("{arguments:?}: {other}"),
    };
    let csv = print("csv", out);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_string).collect());
    (json, rows.collect())
}

#[test]
fn tables_are_printed_for_programs() {
    let player = "sh -c 'while read m; do echo 4; done'";
    let tables: [(&[&str], usize, &str); 5] = [
        (&["perft", "4"], 5, "positions"),
        (&["perft", "3", "--board", "6x5"], 4, "positions"),
        (&["match", "random", "random-best", "--games", "2", "--openings", "random:30", "--seed", "1"], 6, "forfeits"),
        (&["judge", "random", "--set", "by-ply/40", "--per-ply", "2"], 2, "failed"),
        (&["bot", "verify", player, "--plies", "2", "--for", "first"], 1, "failed"),
    ];
    for (arguments, count, field) in tables {
        let (json, csv) = formats(arguments);
        assert_eq!((json.len(), csv.len()), (count, count + 1), "{arguments:?}");
        let object = json[0].as_object().unwrap();
        assert!(object[field].is_number(), "{arguments:?}: {object:?}");
        let place = csv[0].iter().position(|name| name == field).expect("the field is in the header");
        for (row, object) in csv[1..].iter().zip(&json) {
            // A program's times differ from run to run; what it counts does not.
            assert_eq!(row[place], object[field].to_string(), "{arguments:?}");
            assert!(
                object.as_object().unwrap().keys().all(|name| csv[0].contains(name)),
                "{arguments:?}: {:?}",
                csv[0]
            );
        }
    }
    let (json, _) = formats(&["perft", "4"]);
    assert!(json.iter().all(|row| row["positions"] == row["published"]), "{json:?}");
}

/// The summary of a measurement is the table that `report` prints.
#[test]
fn a_summary_is_printed_for_programs() {
    let (_folder, out) = place();
    let what = ["measure", "--variants", "pons-10,pons-12", "--test-sets", "end-easy", "--limit", "3", "--quiet"];
    let (status, stdout, stderr) = run(&[&what[..], &["--out", shown(&out), "--format", "json"]].concat());
    assert_eq!(status, 0, "{stderr}");
    let summary: Value = serde_json::from_str(&stdout).unwrap();
    let report = run(&["report", shown(&out), "--tables", "summary", "--format", "json"]).1;
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(summary["tables"][0], report["tables"][0]);
    assert_eq!(summary["tables"][0]["name"], "summary");
}

/// Whatever ends tells what may be done next, in words that can be typed as they stand.
#[test]
fn what_ends_says_what_to_try_next() {
    let (_folder, out) = place();
    let fourth = "mine=sh -c 'while read m; do echo \"$m 4\"; done'";
    let judged = ["judge", "mine", "--engine", fourth, "--set", "by-ply/40", "--per-ply", "1", "--out", shown(&out)];
    let (status, _, stderr) = run(&judged);
    assert_eq!(status, 0, "{stderr}");
    let next = stderr.lines().find_map(|line| line.strip_prefix("Next: c4lab ")).expect("a command");
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("\"$0\" {next}"), BINARY]).stdin(Stdio::null());
    assert_eq!(shell.output().unwrap().status.code(), Some(0), "{next}");
}

/// What a program was told goes on to the next command.
#[test]
fn what_is_next_says_what_a_program_answers() {
    let (_folder, out) = place();
    let fourth = "mine=sh -c 'while read m; do echo 4; done'";
    let judged = ["judge", "mine", "--engine", fourth, "--set", "by-ply/40", "--per-ply", "1", "--out", shown(&out)];
    let told = ["--answer", "{move}", "--move-time", "1m 30s", "--goal", "weak"];
    let (status, _, stderr) = run(&[&judged[..], &told].concat());
    assert_eq!(status, 0, "{stderr}");
    let next = stderr.lines().find_map(|line| line.strip_prefix("Next: ")).expect("a command");
    assert!(next.ends_with("--answer {move} --move-time 1m30s --goal weak"), "{next}");
}

#[test]
fn every_command_has_a_manual_page() {
    let (folder, place) = place();
    let (status, page, stderr) = run(&["man"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(page.starts_with(".ie") || page.contains(".TH c4lab 1"), "{page}");
    for command in ["solve", "play", "measure", "check", "test\\-sets", "man"] {
        assert!(page.contains(&format!("c4lab\\-{command}")), "{command}: {page}");
    }
    let (status, _, stderr) = run(&["man", "--out", shown(&place)]);
    assert_eq!(status, 0, "{stderr}");
    let solve = std::fs::read_to_string(place.join("c4lab-solve.1")).unwrap();
    assert!(solve.contains("Examples:") && solve.contains("\\-\\-analyze"), "{solve}");
    assert!(place.join("c4lab-test-sets-verify.1").is_file());
    // A file stands where the folder should.
    std::fs::write(folder.path().join("file"), "").unwrap();
    let (status, _, stderr) = run(&["man", "--out", shown(&folder.path().join("file"))]);
    assert!(status == 1 && stderr.contains("cannot make the folder"), "{stderr}");
}
