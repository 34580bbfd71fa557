//! Any point of the option space by its name, through the command line: changes in brackets, settings, old names.

use crate::support::place::{place, shown};
use crate::support::process::{run, run_with};
use c4lab_measure::files::folder::read_samples;
use c4lab_measure::files::manifest::Manifest;
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::fixtures;
use std::path::Path;

const POSITION: &str = "41357411232772432666";
/// A choice that is no named variant's, and needs no vectors.
const CHANGED: &str = "champion-threats-halves[order=centre,root=step]";

fn nodes(rows: &[Sample], variant: &str) -> Vec<u64> {
    rows.iter().filter(|row| row.variant == variant).filter_map(|row| row.nodes).collect()
}

fn solved(options: &[&str]) -> String {
    let (status, stdout, stderr) = run(&[&["solve", POSITION][..], options].concat());
    assert_eq!((status, stderr.as_str()), (0, ""), "{options:?}");
    stdout.split(' ').nth(2).unwrap_or_default().to_string()
}

#[test]
fn a_changed_variant_is_solved_with() {
    let centre = solved(&["--variant", "champion-threats-halves[order=centre]"]);
    assert_eq!(solved(&["--variant", "champion-threats-halves", "--spec", "order=centre"]), centre);
    assert_ne!(solved(&["--variant", "champion-threats-halves"]), centre);
    // Changes start from the variant before them, changed or not.
    let both = solved(&["--variant", CHANGED]);
    assert_eq!(solved(&["--variant", "champion-threats-halves[root=step]", "--spec", "order=centre"]), both);
    assert_eq!(solved(&["--variant", "champion-threats-halves[]"]), solved(&["--variant", "champion-threats-halves"]));
    // The names of before.
    let old = ["--variant", "pons-12-claims-sums"];
    assert_eq!(solved(&old), solved(&["--variant", "pons-12[zugzwang=sums]"]));
    assert_eq!(solved(&old), solved(&["--variant", "pons-12", "--spec", "claims=sums"]));
}

#[test]
fn what_is_no_name_is_a_usage_error_with_its_reason() {
    for (name, reason) in [
        ("champoin[order=centre]", "no variant \"champoin\"; nearest: \"champion\""),
        ("champion[ordr=centre]", "no axis \"ordr\"; nearest: \"order\""),
        ("champion[order=center]", "no value of order \"center\"; nearest: \"centre\""),
        ("champion[table=none]", "this goes: "),
        ("champion[order=centre", "\"[\" without \"]\""),
        ("champion@cores=4", "no setting \"cores\""),
        ("champion@book=x", "book=x: not a number of stones"),
        ("champion@book=1,book=2", "book= twice"),
        ("pons-12@1GiB", "no size to choose"),
        ("nope", "no variant \"nope\"; known: \"pons-03\""),
    ] {
        let (status, _, stderr) = run(&["solve", "44", "--variant", name]);
        assert!(status == 2 && stderr.contains(reason), "{name}: {stderr}");
        let (status, _, stderr) = run(&["measure", "--variants", name, "--test-sets", "end-easy"]);
        assert!(status == 2 && stderr.contains(reason), "{name}: {stderr}");
    }
}

fn measured(out: &Path, variants: &str, more: &[&str]) -> (i32, String, String) {
    let base = ["measure", "--variants", variants, "--test-sets", "middle-medium", "--limit", "4", "--out", shown(out)];
    run(&[&base[..], more].concat())
}

#[test]
fn a_changed_variant_is_measured_beside_a_twin_of_its_base() {
    let (_place, out) = place();
    let base = "champion-threats-halves";
    let (status, table, stderr) =
        measured(&out, &format!("{base},{CHANGED}@2MiB,pons-12"), &["--tt", "1MiB", "--counters"]);
    assert_eq!(status, 0, "{stderr}");
    let (twin, changed) = (format!("{base}[]"), format!("{CHANGED}@2MiB"));
    assert!(stderr.contains(&format!("compared in time only with each other: {twin}, {changed}")), "{stderr}");
    let rows = read_samples(&out).unwrap();
    assert!(rows.len() == 4 * 4 && rows.iter().all(|row| row.status == Status::Ok), "{stderr}");
    assert_eq!(nodes(&rows, base), nodes(&rows, &twin), "named and run-time agree in nodes");
    assert!(nodes(&rows, &changed).len() == 4 && nodes(&rows, &changed) != nodes(&rows, base));
    let row = rows.iter().find(|row| row.variant == changed).unwrap();
    assert!(row.spec.contains("order=centre") && row.spec.contains("root=step") && row.tt_bytes == 2 << 20, "{row:?}");
    let manifest = Manifest::read(&out).unwrap().unwrap();
    assert_eq!(
        (manifest.run_time, manifest.experiment.runs[0].variants.len()),
        (vec![twin.clone(), changed.clone()], 4)
    );
    // Times: the twin has no speed-up beside the base, the changed one has one beside the twin, and the table says so.
    assert!(
        table.contains(&format!(
            "Run at run time, with times that are compared only with each other: {twin}, {changed}."
        ))
    );
    let summary = std::fs::read_to_string(out.join("summary.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(summary.as_bytes());
    let lines: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let speedup = |name: &str| lines.iter().find(|line| &line[1] == name).map(|line| line[10].is_empty());
    assert_eq!([base, &twin, &changed, "pons-12"].map(speedup), [Some(false), Some(true), Some(false), Some(false)]);
    // Nothing is measured twice.
    let (status, ..) = measured(&out, &format!("{base},{changed},pons-12"), &["--tt", "1MiB", "--counters"]);
    assert_eq!((status, read_samples(&out).unwrap().len()), (0, 16));
    beside(&out, base, &twin, &changed);
}

/// How `compare`, `report` and `campaign status` show it.
fn beside(out: &Path, base: &str, twin: &str, changed: &str) {
    let (status, table, stderr) = run(&["compare", shown(out), "--base", base, "--to", changed]);
    assert!(status == 0 && table.contains("time"), "{stderr}");
    assert!(stderr.contains(&format!("{twin} stands for {base}")), "{stderr}");
    let (_, nodes, stderr) = run(&["compare", shown(out), "--base", base, "--to", changed, "--nodes-only"]);
    assert!(!nodes.contains("time") && !stderr.contains("stands for"), "{nodes}{stderr}");
    let (status, _, stderr) = run(&["compare", shown(out), "--base", "pons-12", "--to", changed]);
    assert!(status == 1 && stderr.contains("pons-12[]") && stderr.contains("--nodes-only"), "{stderr}");
    let (_, sheet, _) = run(&["report", shown(out), "--tables", "speed-ups", "--format", "csv"]);
    let has = |of: &str, base: &str| {
        sheet.lines().any(|line| line.contains(of) && line.contains(base) && line.contains(changed))
    };
    assert!(has("time", &format!("\"{base}[]")) || has("time", &format!("{base}[]")), "{sheet}");
    assert!(!sheet.lines().any(|line| line.contains(&format!("{base},{twin},time"))), "{sheet}");
    let options = [
        "--variants",
        &format!("{base},{changed},pons-12"),
        "--test-sets",
        "middle-medium",
        "--limit",
        "4",
        "--tt",
        "1MiB",
        "--counters",
    ];
    let (status, _, stderr) = run(&["campaign", "status", shown(out), shown(out)]);
    assert_eq!(status, 0, "{options:?}: {stderr}");
}

#[test]
fn changes_that_make_a_named_variant_run_as_it() {
    let (_place, out) = place();
    let (status, table, stderr) = measured(&out, "pons-12,pons-12[order=centre]", &[]);
    assert!(
        status == 0 && stderr.contains("pons-12[order=centre] is the variant pons-12-order-centre, and runs as it"),
        "{stderr}"
    );
    let rows = read_samples(&out).unwrap();
    assert_eq!((rows.len(), nodes(&rows, "pons-12[order=centre]").len()), (8, 4), "no twin is needed");
    assert!(!table.contains("run time"), "{table}");
}

#[test]
fn every_command_takes_a_changed_variant() {
    let (status, bench, _) = run(&["bench", "--variant", "champion-threats-halves[]"]);
    assert!(status == 0 && bench.contains("Variant: champion-threats-halves[] (run at run time)"), "{bench}");
    assert!(bench.contains("Nodes: 979077"), "{bench}");
    let (status, answer, _) = run_with(&["engine", "serve", "--variant", CHANGED], b"4444444\n44444415\n");
    assert!(status == 0 && answer.lines().count() == 2, "{answer}");
    let (status, verdict, _) =
        run(&["test-sets", "verify", "end-easy", "--scores", "pons-12[root=step,key=mirror]", "--sample", "20"]);
    assert!(status == 0 && verdict.contains("20 scores checked"), "{verdict}");
}

#[test]
fn a_spec_that_cannot_be_read_is_said_and_is_no_risk_of_nothing() {
    let (_place, out) = place();
    assert_eq!(measured(&out, "pons-10,pons-12", &[]).0, 0);
    let mut rows = read_samples(&out).unwrap();
    let first = rows.iter().position(|row| row.variant == "pons-12").unwrap() + 2;
    for row in rows.iter_mut().filter(|row| row.variant == "pons-12") {
        row.spec = row.spec.replace("order=threats", "order=sideways");
    }
    fixtures::write(&out, &rows);
    let (status, table, stderr) = run(&["report", shown(&out)]);
    assert!(status == 0 && table.contains("pons-12"), "{stderr}");
    let said: Vec<&str> = stderr.lines().filter(|line| line.contains("cannot read")).collect();
    let [said] = said.as_slice() else { panic!("once: {stderr}") };
    assert!(said.contains(&format!("samples.csv, line {first}: ")), "{said}");
    assert!(said.contains("no value of order \"sideways\"") && said.contains("4 rows have it"), "{said}");
}
