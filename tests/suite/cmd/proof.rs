//! `c4lab proof` over folders that were measured before, through real processes. What the proofs say is up to the machine.

use crate::support::output::{run, text};
use crate::support::place::{place, shown};
use std::fs;
use std::path::Path;

/// Measures a little of each experiment, and writes chains of which each takes so many per cent of what is expected.
fn folder(place: &Path, percent: u64) {
    for (name, experiment) in [("same", "proof-same"), ("pair", "proof-pair"), ("block", "proof-block")] {
        let out = place.join(name);
        let mut arguments = vec!["measure", experiment, "--test-sets", "end-easy", "--limit", "4", "--processes", "2"];
        arguments.extend(["--repetitions", "2", "--quiet", "--out", shown(&out)]);
        if name == "block" {
            arguments.extend(["--variants", "pons-12,champion,pons-11"]);
        }
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    let header = "schema_version,round,length_ns,steps,expected_ns,wall_ns,cost_ns,resolution_ns,counter_khz";
    let row = |length: u64| format!("1,0,{length},{length},{length},{},30,1,2000000", length * percent / 100);
    let rows: Vec<String> = [500, 1000, 2000].map(row).to_vec();
    fs::write(place.join("chain.csv"), format!("{header}\n{}\n", rows.join("\n"))).unwrap();
}

#[test]
fn four_tables_and_a_verdict_from_a_folder_and_its_record() {
    let (_place, out) = place();
    folder(&out, 101);
    let output = run(&["proof", "--from", shown(&out)]);
    let said = text(&output.stdout);
    for part in [
        "the clock: a search of known length",
        "From 200 ns on, times and their ratios lie at most 1.0 % off.",
        "the same under two names: champion and champion@64MiB",
        "the first turn of a block beside the others",
        "a pair alone and among 3 variants: pons-12 : champion",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let holds = said.contains("All proofs hold on this machine");
    assert_eq!(output.status.code(), Some(i32::from(!holds)), "{said}{}", text(&output.stderr));
    let record = out.join("record");
    assert_eq!(run(&["proof", "--from", shown(&out), "--record", shown(&record)]).stdout, output.stdout);
    assert_eq!(run(&["proof", "--from", shown(&record)]).stdout, output.stdout, "a record is read like a folder");
    assert!(fs::read_to_string(record.join("report.md")).unwrap().contains("| samples |"));
    let again = run(&["proof", "--from", shown(&out), "--record", shown(&record)]);
    assert!(text(&again.stderr).contains("a record is never edited"), "{}", text(&again.stderr));
    // Four per cent are too many.
    let chains = fs::read_to_string(out.join("chain.csv")).unwrap();
    fs::write(out.join("chain.csv"), chains.replace(",505,", ",520,").replace(",1010,", ",1040,")).unwrap();
    let output = run(&["proof", "--from", shown(&out)]);
    assert!(output.status.code() == Some(1) && text(&output.stdout).contains("do not hold on this machine: chain"));
}

#[test]
fn what_is_missing_or_broken_is_named() {
    let (_place, out) = place();
    let error = |from: &Path| {
        let output = run(&["proof", "--from", shown(from)]);
        assert_eq!(output.status.code(), Some(1));
        text(&output.stderr).to_string()
    };
    assert!(error(&out).contains("not a whole proof"), "{}", error(&out));
    folder(&out, 100);
    let chains = fs::read_to_string(out.join("chain.csv")).unwrap();
    fs::write(out.join("chain.csv"), chains.replace(",1000,1000,1000,", ",x,1000,1000,")).unwrap();
    assert!(error(&out).contains("chain.csv, line 3"), "{}", error(&out));
    fs::remove_file(out.join("chain.csv")).unwrap();
    assert!(error(&out).contains("chain.csv"), "{}", error(&out));
    let output = run(&["proof", "--from", shown(&out), "--quick"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}
