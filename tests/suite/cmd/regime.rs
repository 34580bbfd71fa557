//! How `c4lab measure` takes its samples, through real processes: batches that a pilot chose, and several processes.

use crate::cmd::measure::{distinct, long, small, under_way};
use crate::support::output::{run, text};
use crate::support::place::{place, shown};
use c4lab_measure::files::folder::read_samples;
use c4lab_measure::files::sample::Sample;
use c4lab_measure::fixtures;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn a_pilot_says_how_long_batches_are() {
    let (_place, out) = place();
    let sets = ["--test-sets", "end-easy,middle-medium", "--limit", "60", "--quiet", "--out", shown(&out)];
    let output = run(&[&["measure", "--variants", "pons-10,pons-12"], &sets[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    let run = &manifest["runs"][0];
    let length = |set: &str| {
        let batches = run["batches"].as_array().unwrap();
        let of = batches.iter().find(|batch| batch["set"] == set && batch["goal"] == "strong").unwrap();
        of["positions"].as_u64().unwrap() as usize
    };
    assert!((1..=2).contains(&length("end-easy")), "a pass has thirty blocks: {run}");
    assert!(run["clock"]["cost_ns"].is_u64() && run["clock"]["resolution_ns"].as_u64() > Some(0), "{run}");
    for set in ["end-easy", "middle-medium"] {
        let rows = read_samples(&out).unwrap();
        let batches: HashSet<u32> = rows.iter().filter(|row| row.set == set).map(|row| row.batch).collect();
        assert_eq!(batches.len(), 60usize.div_ceil(length(set)), "{set}");
    }
}

#[test]
fn every_process_makes_all_passes() {
    let (_place, out) = place();
    let more = ["--repetitions", "2", "--processes", "3"];
    let output = small(&out, "4", &more);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    assert_eq!((rows.len(), distinct(&rows)), (3 * 2 * 4 * 2, 3 * 2 * 4 * 2));
    for process in 1..=3 {
        let of: Vec<&Sample> = rows.iter().filter(|row| row.process == process).collect();
        assert_eq!(of.len(), 2 * 4 * 2);
        assert_eq!(of.iter().map(|row| row.run_id.as_str()).collect::<HashSet<_>>().len(), 1);
    }
    assert_eq!(rows.iter().map(|row| row.run_id.as_str()).collect::<HashSet<_>>().len(), 3);
    assert!(text(&output.stdout).contains("end-easy, strong"), "one table, from the process that began");
    // It is resumed as a whole, and what is there is not measured again.
    let kept: Vec<Sample> = rows.into_iter().filter(|row| (row.process, row.position_id) != (2, 3)).collect();
    fixtures::write(&out, &kept);
    let output = small(&out, "4", &more);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    assert_eq!((rows.len(), distinct(&rows)), (48, 48));
    assert_eq!(rows[..kept.len()], kept);
}

/// Whichever process runs, a signal to the one that began ends it, and the same command goes on.
#[test]
fn an_interrupt_ends_the_process_that_runs() {
    let (_place, out) = place();
    let with = |out: &Path| {
        let mut command = long(out);
        command.args(["--processes", "2"]);
        command
    };
    let mut child = with(&out).spawn().unwrap();
    under_way(&mut child, &out);
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(5), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("nothing is lost"), "{}", text(&output.stderr));
    let output = with(&out).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(!text(&output.stderr).contains("was ended before"), "{}", text(&output.stderr));
    assert_eq!(read_samples(&out).unwrap().len(), 2 * 2 * 40);
}

/// What is refused is said once, and the folder stays as it is.
#[test]
fn a_folder_of_something_else_is_refused_by_the_first_process() {
    let (_place, out) = place();
    assert_eq!(small(&out, "2", &["--processes", "2"]).status.code(), Some(0));
    let before = ["samples.csv", "summary.csv", "manifest.json"].map(|file| fs::read(out.join(file)).unwrap());
    let output = small(&out, "2", &["--processes", "2", "--seed", "2"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), String::new()));
    assert_eq!(text(&output.stderr).matches("another experiment").count(), 1, "{}", text(&output.stderr));
    assert_eq!(before, ["samples.csv", "summary.csv", "manifest.json"].map(|file| fs::read(out.join(file)).unwrap()));
}

/// Cells that fail are rows of every process; the status says so once all have run.
#[test]
fn a_program_that_fails_does_so_in_every_process() {
    let (place, out) = place();
    let solver = place.path().join("solver.sh");
    fs::write(&solver, "[ \"$1\" = --version ] && { echo 1; exit; }\nwhile read -r moves; do exit 1; done\n").unwrap();
    let engine = format!("broken=sh {}", shown(&solver));
    let output = small(&out, "2", &["--processes", "2", "--engine", &engine]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    let failed = |process| rows.iter().filter(|row| row.process == process && row.variant == "broken").count();
    assert_eq!((failed(1), failed(2), rows.len()), (2, 2, 12));
    assert!(text(&output.stdout).contains("end-easy, strong"));
}

/// Processes that have all positions make the interval; one that was cut off is left out, and that is said.
#[test]
fn a_process_that_was_cut_off_is_told() {
    let (_place, out) = place();
    assert_eq!(small(&out, "20", &["--processes", "3"]).status.code(), Some(0));
    let rows = read_samples(&out).unwrap();
    let kept: Vec<Sample> = rows.into_iter().filter(|row| row.process < 3 || row.position_id < 4).collect();
    fixtures::write(&out, &kept);
    let file = out.join("manifest.json");
    let mut manifest: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    manifest["runs"][2]["signature_after"] = serde_json::Value::Null;
    fs::write(&file, manifest.to_string()).unwrap();
    let report = run(&["report", shown(&out), "--tables", "processes", "--format", "csv"]);
    assert_eq!(report.status.code(), Some(0), "{}", text(&report.stderr));
    let processes: Vec<String> = csv::Reader::from_reader(report.stdout.as_slice())
        .deserialize::<std::collections::HashMap<String, String>>()
        .map(|row| row.unwrap()["process"].clone())
        .collect();
    assert_eq!(processes, ["1", "2"]);
    assert!(text(&report.stderr).contains("2 of 3 processes measured everything"), "{}", text(&report.stderr));
}
