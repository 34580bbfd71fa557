//! `c4lab list`, `bench`, `completions` and every table for terminals and programs. No test asserts a time.

use crate::support::{Place, ROOT, command, ended, good, json, place, read, refused, run, started, table};
use c4lab_measure::sets::by_board;
use serde_json::Value;
use std::collections::BTreeSet;

fn records(what: &str) -> Vec<Value> {
    let Value::Array(records) = json(&good(&format!("list {what} --format json"))) else { panic!("{what}") };
    let rows = table(&good(&format!("list {what} --format csv")));
    assert_eq!(rows.len(), records.len());
    for (row, record) in rows.iter().zip(&records) {
        assert_eq!(record.as_object().unwrap().len(), row.len());
        for (field, value) in row {
            let same = match &record[field] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            assert_eq!(&same, value, "{field}");
        }
    }
    records
}

fn named<'a>(records: &'a [Value], name: &str) -> &'a Value {
    records.iter().find(|record| record["name"] == name).unwrap_or_else(|| panic!("{name}"))
}

#[test]
fn lists_are_for_people_and_programs() {
    let variants = records("variants");
    assert!(variants.len() >= 10);
    let pons_12 = named(&variants, "pons-12");
    assert_eq!(
        (&pons_12["order"], &pons_12["available"], &pons_12["exact"]),
        (&"threats".into(), &true.into(), &true.into())
    );
    assert_eq!((&named(&variants, "blog-base")["geometry"], &pons_12["geometry"]), (&"7x6/9".into(), &"7x6/7".into()));
    let axes = records("axes");
    assert!(axes.iter().any(|record| record["axis"] == "root" && record["value"] == "bisect"));
    assert!(axes.iter().all(|record| !record["about"].as_str().unwrap().is_empty()));
    let attributions = records("attributions");
    let techniques = named(&attributions, "attribution")["techniques"].as_str().unwrap();
    assert!(techniques.split(' ').count() == 8 && techniques.contains("null-windows"), "{techniques}");
    assert_eq!(good("list words").trim_end(), read("docs/GLOSSARY.md").trim_end());
    let claims = records("claims");
    let step = claims.iter().find(|claim| claim["id"] == "pons-09-middle-medium-strong-time").unwrap();
    assert_eq!((&step["published"], &step["tested_by"]), (&"1.49x".into(), &"pons-08 : pons-09".into()));
    // The verdicts of the records of `results`.
    let same = claims.iter().find(|claim| claim["id"] == "pons-06-end-easy-strong-nodes").unwrap();
    assert_eq!(same["verdict"], "agrees");
    refused(1, &[("list claims --records nowhere", "nowhere")]);
    refused(2, &[("list axes --records results", "--records")]);
    // A part of a name selects entries.
    let some = json(&good("list variants PONS-1 --format json"));
    let some = some.as_array().unwrap();
    assert!(some.len() >= 3 && some.iter().all(|record| record["name"].as_str().unwrap().contains("pons-1")));
    assert_eq!(good("list variants pons-1").lines().count(), some.len() + 1);
    refused(2, &[("list test-sets nope", "nope")]);
}

/// Variants with vectors that this build lacks or emulates are listed with the reason, and never measured.
#[test]
fn variants_that_this_build_cannot_measure_are_named() {
    let real = cfg!(all(feature = "simd", target_feature = "avx2"));
    let (variants, place) = (records("variants"), place());
    for (name, available) in [("pons-12", true), ("blog-simd", real)] {
        let record = named(&variants, name);
        assert_eq!((&record["available"], record["reason"].is_null()), (&available.into(), available), "{name}");
    }
    let measure =
        format!("measure --variants pons-12,blog-simd --test-sets end-easy --limit 2 --out {}", place.name("run"));
    assert_eq!(run(&measure).status, i32::from(!real));
    assert_eq!(place.path("run").exists(), real);
    if !real {
        refused(1, &[("bench --variant blog-simd", "blog-simd")]);
    }
}

#[test]
fn test_sets_show_whether_they_can_be_opened() {
    let place = place();
    place.file("Test_L3_R1", "24655214173274156744623427266133 0\n");
    let mut list = command("list test-sets --format json");
    let records = json(&ended(started(list.env("C4LAB_TEST_SETS", place.path("")))).ok());
    let records = records.as_array().unwrap();
    assert_eq!(records.len(), 21 + by_board::ALL.len());
    assert_eq!(named(records, "original/end-easy")["positions"], 1);
    assert_eq!(named(records, "original/begin-hard")["available"], false);
    let empty = named(records, "empty-board");
    assert_eq!((&empty["positions"], &empty["distance_most"]), (&1.into(), &41.into()));
    assert_eq!(named(records, "end-easy")["ply_least"], 29);
    self::records("test-sets");
    let mut verify = command("test-sets verify original/end-easy");
    let ended = ended(started(verify.env("C4LAB_TEST_SETS", place.path(""))));
    assert_eq!(ended.status, 1, "an original must be the published file");
}

#[test]
fn bench_prints_a_signature() {
    assert!(good("bench --variant pons-12").contains("\nNodes: 9671863\n"));
    assert!(good("bench --variant fhourstones").contains("\nNodes: 31102060\n"));
    // The default is the champion.
    assert_eq!(good("bench").lines().next(), good("bench --variant champion").lines().next());
}

#[test]
fn every_command_has_help_and_completions() {
    let commands =
        ["solve", "list", "measure", "report", "bench", "test-sets generate", "test-sets verify", "completions"];
    for command in commands {
        assert!(good(&format!("{command} --help")).contains("Examples:\n"), "{command}");
    }
    assert!(good("--version").starts_with(concat!("c4lab ", env!("CARGO_PKG_VERSION"), " (")));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let stdout = good(&format!("completions {shell}"));
        assert!(["solve", "measure", "test-sets", "variant"].iter().all(|word| stdout.contains(word)), "{shell}");
    }
}

fn printed(line: &str, width: usize) -> String {
    let ended = ended(started(command(line).env("COLUMNS", width.to_string())));
    // The engine of `wide` fails on some cells.
    let is_failed = line.contains("--tables") && ended.status == 1;
    assert!(is_failed || [0, 5].contains(&ended.status), "{line}: {}", ended.stderr);
    ended.stdout
}

/// On a terminal of any width no line is too long, and no word is lost.
fn fits(line: &str) {
    let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<BTreeSet<_>>();
    let whole = printed(line, 10_000);
    for width in [80, 100, 120] {
        let text = printed(line, width);
        let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > width).collect();
        assert!(long.is_empty(), "{line} at {width}: {long:#?}");
        let lost: Vec<String> = words(&whole).difference(&words(&text)).cloned().collect();
        // The heading of an empty column is not repeated in the paragraphs of a narrow list.
        let first = whole.lines().next().unwrap_or_default();
        let lost: Vec<_> = lost.into_iter().filter(|word| !line.starts_with("list") || !first.contains(word)).collect();
        assert!(lost.is_empty(), "{line} at {width}: {lost:?}\n{text}");
    }
}

/// Long names, a dynamic variant, two processes, limits and an engine: every table has a row.
fn wide(place: &Place) -> String {
    let out = place.name("run");
    let variants = "pons-12-table-wide,champion-threats-halves,champion[order=centre],pons-12";
    let engine = format!("by-heart=sh {ROOT}/tests/engines/by-heart.sh {ROOT}/test-sets/end-easy.txt");
    let ended = run(&format!(
        "measure --variants '{variants}' --test-sets end-easy,middle-easy --limit 4 --counters --goal strong,weak \
         --processes 2 --repetitions 2 --node-limit 50 --engine '{engine}' --out {out} --quiet"
    ));
    assert!([0, 1].contains(&ended.status), "{}", ended.stderr);
    out
}

#[test]
fn lists_and_tables_fit_every_terminal() {
    for what in ["variants", "axes", "test-sets", "experiments", "attributions", "claims"] {
        fits(&format!("list {what}"));
    }
    let place = place();
    let out = wide(&place);
    let tables = "matrix,summary,nodes,speed-ups,steps,ablation,by-ply,anatomy,anatomy-by-ply,budgets,profiles,\
                  engines,processes,failures";
    fits(&format!("compare {out} --base pons-12 --to pons-12-table-wide"));
    fits(&format!("report {out} --tables {tables}"));
    let attribution = place.name("attribution");
    good(&format!("attribute attribution-small --out {attribution} --quiet"));
    fits(&format!("report {attribution}"));
}
