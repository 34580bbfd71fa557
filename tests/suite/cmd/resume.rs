//! `c4lab measure` into a folder of an earlier run: no cell is measured twice, lost or mixed up, after any end of that
//! run.

use super::measure::small;
use crate::support::{
    BINARY, Place, cells, command, ended, good, lines, manifest, of, place, place_of_run, read, refused, run, samples,
    signal, started, under_way, with_status,
};
use c4lab_measure::files::sample::{Sample, Status, VOID, read_samples};
use c4lab_measure::fixtures;
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A measurement long enough to be stopped in the middle: 80 rows.
fn long(out: &str) -> String {
    format!("measure --variants pons-10,pons-12 --test-sets middle-medium --limit 40 --out {out}")
}

fn cell_names(folder: &str) -> BTreeSet<String> {
    samples(folder).iter().map(|row| format!("{:?}", row.cell())).collect()
}

fn files(place: &Place, names: &[&str]) -> Vec<Vec<u8>> {
    names.iter().map(|name| fs::read(place.path("run").join(name)).unwrap()).collect()
}

const WRITTEN: [&str; 6] =
    ["samples.csv", "processes.csv", "variants.csv", "positions.csv", "summary.csv", "manifest.json"];

#[test]
fn the_same_command_measures_nothing_twice_and_another_is_refused() {
    let (place, out) = place_of_run();
    good(&small(&out, 4));
    let before = files(&place, &["samples.csv"]);
    good(&small(&out, 4));
    assert_eq!(files(&place, &["samples.csv"]), before);
    let all = files(&place, &WRITTEN);
    let three = small(&out, 4).replace("pons-10,", "pons-10,pons-11,");
    for (other, part) in [
        (format!("{} --seed 2", small(&out, 4)), "seed"),
        (format!("{} --seed 2 --processes 2", small(&out, 4)), "seed"),
        (format!("{} --time-limit 9s", small(&out, 4)), "limit"),
        (small(&out, 2), "limit"),
        (three, "variants"),
    ] {
        refused(1, &[(&other, part)]);
        assert_eq!(files(&place, &WRITTEN), all, "{other}");
    }
}

/// A program that is stopped for a while takes much wall time and no processor time. An engine is not asked again.
#[test]
fn the_block_of_a_paused_search_is_measured_again() {
    let (place, out) = place_of_run();
    let measure = format!(
        "measure --variants pons-11,pons-12 --test-sets begin-medium --limit 6 --repetitions 2 --out {out} \
         --engine 'mine={BINARY} engine serve'"
    );
    let mut child = started(&mut command(&measure));
    for rows in [2, 8, 14] {
        under_way(&mut child, &place.name("run/samples.csv"), rows);
        signal(&child, "-STOP");
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, "-CONT");
    }
    let printed = ended(child).ok();
    let rows = read_samples(Path::new(&out)).unwrap();
    let void: Vec<&Sample> = rows.iter().filter(|row| row.is_void()).collect();
    assert!(void.iter().any(|row| row.marks.as_deref() == Some(VOID[0])), "{rows:?}");
    assert_eq!((cells(&out), rows.len()), (6 * 3 * 2, 6 * 3 * 2 + void.len()));
    assert!(
        void.iter().all(|row| row.variant != "mine" && rows.iter().any(|of| of.cell() == row.cell() && !of.is_void()))
    );
    let said = format!("Measured again after a pause: {} rows.", void.len());
    assert!(printed.contains(&said) && good(&format!("report {out}")).contains(&said), "{printed}");
    let merged = place.name("merged");
    good(&format!("merge {merged} {out}"));
    assert_eq!(read_samples(Path::new(&merged)).unwrap().len(), rows.len());
    assert_eq!(run(&measure).ok(), printed, "nothing is missing");
}

#[test]
fn a_test_set_that_changed_is_refused() {
    let place = place();
    let (out, lines) = (place.name("run"), lines("end-easy"));
    let measure =
        format!("measure --variants pons-12 --test-sets {} --out {out}", place.file("set.txt", &lines[..2].join("\n")));
    good(&measure);
    place.file("set.txt", &lines[2..5].join("\n"));
    refused(1, &[(&measure, "test set")]);
    assert_eq!(cells(&out), 2);
}

#[test]
fn a_killed_run_loses_no_row_and_goes_on() {
    let place = place();
    let (out, file) = (place.name("run"), place.name("run/samples.csv"));
    // A folder that was begun with a smaller experiment grows, and is killed meanwhile.
    good(&long(&out).replace("--limit 40", "--limit 2"));
    let mut child = started(&mut command(&long(&out)));
    under_way(&mut child, &file, 9);
    child.kill().unwrap();
    child.wait().unwrap();
    let all = || read_samples(Path::new(&out)).unwrap();
    let kept = all();
    assert!(kept.len() >= 8 && kept.len() < 80, "{} rows", kept.len());
    // The last row is torn, as by a full disk or a power cut.
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 20]).unwrap();
    good(&long(&out));
    assert_eq!(cells(&out), 80);
    assert_eq!(all()[..kept.len() - 1], kept[..kept.len() - 1], "rows that were there are as they were");
    let manifest = manifest(&out);
    assert_eq!(manifest["runs"].as_array().unwrap().len(), 3);
    assert_eq!(manifest["history"].as_array().unwrap().len(), 1);
}

/// A signal to the parent ends the running child, whichever process of several it is, and the same command resumes.
#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_its_rows_and_goes_on() {
    let many = |out: &str| {
        format!("measure --variants pons-06,pons-12 --test-sets end-easy --limit 200 --repetitions 20 --out {out}")
    };
    let two = |out: &str| format!("{} --processes 2", long(out));
    for (line, name) in [(long as fn(&str) -> String, "-INT"), (many, "-TERM"), (two, "-INT")] {
        let (place, out) = place_of_run();
        let mut child = started(&mut command(&line(&out)));
        under_way(&mut child, &place.name("run/samples.csv"), 5);
        signal(&child, name);
        let ended = ended(child);
        assert!(ended.status == 5 && ended.stderr.contains("--out"), "{}", ended.stderr);
        let rows = samples(&out);
        assert!(rows.len() >= 4 && with_status(&rows, Status::Ok) == rows.len(), "an interrupted cell is no row");
        assert!(place.path("run/summary.csv").exists());
        if line(&out) == two(&out) {
            good(&line(&out));
            assert_eq!(cells(&out), 2 * 2 * 40);
        }
    }
}

/// A full disk, simulated by a limit on the size of files.
#[cfg(unix)]
#[test]
fn a_full_disk_stops_the_run_and_keeps_what_was_written() {
    let (_place, out) = place_of_run();
    let script = format!("ulimit -f 8; exec {BINARY} {} --repetitions 1", small(&out, 100));
    let stopped = ended(started(Command::new("bash").args(["-c", &script])));
    assert!(stopped.status == 1 && stopped.stderr.contains("samples.csv"), "{}", stopped.stderr);
    let kept = cells(&out);
    assert!(kept > 0 && kept < 200, "{kept} rows");
    good(&small(&out, 100));
    assert_eq!(cells(&out), 200);
}

#[test]
fn every_process_makes_all_passes() {
    let (place, out) = place_of_run();
    let measure = format!("{} --repetitions 2 --processes 3", small(&out, 4));
    let printed = good(&measure);
    let report = good(&format!("report {out}"));
    assert!(report.starts_with(&printed), "one table, from the process that began: {printed}");
    let rows = samples(&out);
    assert_eq!(cells(&out), 3 * 2 * 4 * 2);
    let runs: Vec<HashSet<&str>> = (1..=3)
        .map(|process| rows.iter().filter(|row| row.process == process).map(|row| row.run_id.as_str()).collect())
        .collect();
    assert!(runs.iter().all(|run| run.len() == 1) && runs[0] != runs[1] && runs[1] != runs[2] && runs[0] != runs[2]);
    // The resumed run completes the folder, and measures no cell again.
    let kept: Vec<Sample> = rows.into_iter().filter(|row| (row.process, row.position_id) != (2, 3)).collect();
    fixtures::write(&place.path("run"), &kept);
    good(&measure);
    assert_eq!(cells(&out), 48);
    assert_eq!(samples(&out)[..kept.len()], kept);
}

/// Failed cells are rows of every process, and give the exit status after all processes have run.
#[test]
fn a_program_that_fails_does_so_in_every_process() {
    let place = place();
    let solver = place.file("solver.sh", "[ \"$1\" = --version ] && { echo 1; exit; }\nread -r moves; exit 1\n");
    let out = place.name("run");
    assert_eq!(run(&format!("{} --processes 2 --engine 'broken=sh {solver}'", small(&out, 2))).status, 1);
    let rows = samples(&out);
    let failed = |process| of(&rows, "broken").iter().filter(|row| row.process == process).count();
    assert_eq!((failed(1), failed(2), rows.len()), (2, 2, 12));
}

/// The interval is over processes with all positions. A process that was cut off is left out, with a message.
#[test]
fn a_process_that_was_cut_off_is_left_out() {
    let (place, out) = place_of_run();
    good(&format!("{} --processes 3", small(&out, 20)));
    let kept: Vec<Sample> = samples(&out).into_iter().filter(|row| row.process < 3 || row.position_id < 4).collect();
    fixtures::write(&place.path("run"), &kept);
    let mut cut = manifest(&out);
    cut["runs"][2]["signature_after"] = Value::Null;
    place.file("run/manifest.json", &cut.to_string());
    let report = run(&format!("report {out} --tables processes --format csv"));
    assert!(report.stderr.contains("2 of 3 processes"), "{}", report.stderr);
    assert_eq!(report.status, 5, "cells are missing");
    let processes: Vec<String> =
        crate::support::table(&report.stdout).iter().map(|row| row["process"].clone()).collect();
    assert_eq!(processes, ["1", "2"]);
}

#[test]
fn passes_positions_and_processes_are_added_to_what_is_there() {
    let place = place();
    let (out, at_once, copy) = (place.name("run"), place.name("at-once"), place.name("copy"));
    let grown = |out: &str| format!("{} --repetitions 2 --processes 2", small(out, 6));
    good(&grown(&at_once));
    good(&small(&out, 3));
    let old = read(&format!("{out}/samples.csv"));
    fs::create_dir(&copy).unwrap();
    for file in WRITTEN.iter().filter(|file| **file != "summary.csv") {
        fs::copy(format!("{out}/{file}"), format!("{copy}/{file}")).unwrap();
    }
    for line in [small(&out, 3) + " --repetitions 2", small(&out, 6) + " --repetitions 2", grown(&out)] {
        good(&line);
    }
    assert!(read(&format!("{out}/samples.csv")).starts_with(&old), "rows stay as they were");
    assert_eq!(cells(&out), 2 * 6 * 2 * 2);
    assert_eq!(cell_names(&out), cell_names(&at_once));
    let [ours, theirs] = [&out, &at_once].map(|folder| manifest(folder));
    assert_eq!(ours["experiment"], theirs["experiment"]);
    assert_eq!((ours["history"].as_array().unwrap().len(), theirs.get("history")), (3, None));
    assert_eq!(ours["history"][0]["experiment"]["limit"], 3);
    assert_eq!(ours["history"][1]["last_run"], ours["runs"][1]["id"]);
    // An older copy of a folder and the grown folder are of one experiment.
    let merged = place.name("merged");
    good(&format!("merge {merged} {copy} {out}"));
    assert_eq!((cells(&merged), manifest(&merged)["history"].as_array().unwrap().len()), (48, 3));
    assert_eq!(manifest(&merged)["merged"]["experiments"].as_array().unwrap().len(), 1);
}

/// Another program replaces the rows during the run, as `sed -i` does: the run ends as incomplete, and goes on.
#[test]
fn rows_that_were_replaced_meanwhile_are_missed() {
    let (place, out) = place_of_run();
    let file = place.name("run/samples.csv");
    let mut child = started(&mut command(&long(&out)));
    under_way(&mut child, &file, 9);
    fs::rename(place.file("run/copy", &read(&file)), &file).unwrap();
    let ended = ended(child);
    assert!(ended.status == 5 && ended.stderr.contains("of 80 cells have no row"), "{}", ended.stderr);
    good(&long(&out));
    assert_eq!(cells(&out), 80);
}
