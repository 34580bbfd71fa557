//! `c4lab rank`, and tables as JSON, through real processes.

use crate::support::output::{run, text};
use crate::support::place::{place, shown};
use c4lab_measure::files::folder::read_samples;
use c4lab_measure::files::sample::Status;
use c4lab_measure::fixtures;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Three variants on two sets; the third on one of them, and on fewer positions.
fn measured(out: &Path) {
    let experiment = "name = \"e\"\n\
        [[runs]]\nvariants = [\"pons-10\", \"pons-12\"]\ntest-sets = [\"middle-medium\", \"begin-easy\"]\nlimit = 6\n\
        [[runs]]\nvariants = [\"pons-11\"]\ntest-sets = [\"middle-medium\"]\nlimit = 4\n";
    let file = out.with_extension("toml");
    fs::write(&file, experiment).unwrap();
    let output = run(&["measure", shown(&file), "--quiet", "--out", shown(out)]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

fn json(arguments: &[&str]) -> Value {
    let output = run(&[arguments, &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_str(&text(&output.stdout)).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stdout)))
}

#[test]
fn all_variants_are_ranked_on_the_positions_that_all_have() {
    let (_place, out) = place();
    measured(&out);
    let ranked = run(&["rank", shown(&out)]);
    assert_eq!(ranked.status.code(), Some(0), "{}", text(&ranked.stderr));
    let table = text(&ranked.stdout);
    assert!(table.starts_with("middle-medium, strong: all variants by their times\n"), "{table}");
    assert!(table.contains("over the 4 positions that all 3 ranked variants have (middle-medium 4)"), "{table}");
    assert!(table.contains("8 positions that not all of them have: pons-11 has 4."), "{table}");
    let page = out.with_extension("html");
    assert_eq!(run(&["report", shown(&out), "--html", shown(&page)]).status.code(), Some(0));
    let page = fs::read_to_string(page).unwrap();
    let [matrix, ranking, first] = ["id=\"matrix\"", "all variants by their times</h3>", "id=\"g0\""]
        .map(|part| page.find(part).unwrap_or_else(|| panic!("{part}")));
    assert!(matrix < ranking && ranking < first, "the page has it between the matrix and the sets");
    let markdown = text(&run(&["rank", shown(&out), "--format", "markdown"]).stdout);
    assert!(markdown.contains("| pons-12") && markdown.contains("| ---: |"), "{markdown}");
    let two = ["rank", shown(&out), "--variants", "pons-10,pons-12", "--base", "pons-12"];
    let csv = text(&run(&[&two[..], &["--format", "csv"]].concat()).stdout);
    let header = "set,goal,rank,variant,geometric_mean_ns,geometric_mean,geometric_mean_low,geometric_mean_high,node_ratio,\
                  held_against,ratio,ratio_low,ratio_high";
    assert_eq!((csv.lines().next(), csv.lines().count()), (Some(header), 3), "{csv}");
    let json = json(&two);
    let table = &json["tables"][0];
    assert_eq!((table["name"].as_str(), table["set"].as_str()), (Some("rank"), None), "{table}");
    assert!(table["note"].as_str().unwrap().contains("over the 12 positions"), "{table}");
    let base = table["rows"].as_array().unwrap().iter().find(|row| row["variant"] == "pons-12").unwrap();
    assert_eq!((&base["geometric_mean"], &base["node_ratio"]), (&Value::from(1), &Value::from(1)));
}

#[test]
fn a_wrong_row_is_no_rank_and_the_exit_status() {
    let (_place, out) = place();
    measured(&out);
    let mut rows = read_samples(&out).unwrap();
    rows.iter_mut().find(|row| row.variant == "pons-12" && row.set == "begin-easy").unwrap().status = Status::Wrong;
    fixtures::write(&out, &rows);
    let ranked = run(&["rank", shown(&out)]);
    assert_eq!(ranked.status.code(), Some(4), "{}", text(&ranked.stderr));
    assert!(text(&ranked.stdout).contains("1 wrong and 0 failed of 12 positions"), "{}", text(&ranked.stdout));
    assert!(text(&ranked.stdout).contains("Without a rank: pons-12."), "{}", text(&ranked.stdout));
    let refused = run(&["rank", shown(&out), "--base", "pons-12"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("pons-12 cannot be the base"), "{}", text(&refused.stderr));
    let refused = run(&["rank", shown(&out), "--base", "pons-13"]);
    assert!(text(&refused.stderr).contains("nearest"), "{}", text(&refused.stderr));
}

#[test]
fn tables_are_json_with_their_columns() {
    let (_place, out) = place();
    measured(&out);
    let report = json(&["report", shown(&out)]);
    let tables = report["tables"].as_array().unwrap();
    for name in ["summary", "speed-ups", "steps", "by-ply", "budgets", "profiles"] {
        assert!(tables.iter().any(|table| table["name"] == name), "{name}");
    }
    for table in tables {
        let columns = table["columns"].as_array().unwrap();
        for row in table["rows"].as_array().unwrap() {
            // Two columns of one name would be one key.
            assert_eq!(row.as_object().unwrap().len(), columns.len(), "{table}");
            for column in columns {
                let value = &row[column["name"].as_str().unwrap()];
                let fits = match column["kind"].as_str().unwrap() {
                    "text" => value.is_string() || value.is_null(),
                    "number" => value.is_number() || value.is_null(),
                    _ => value.is_null() || value == "too few" || value.as_array().is_some_and(|ends| ends.len() == 2),
                };
                assert!(fits, "{column}: {value}");
            }
        }
    }
    let summary = tables.iter().find(|table| table["name"] == "summary").unwrap();
    assert_eq!(summary["columns"].as_array().unwrap().iter().find(|it| it["name"] == "mean_ns").unwrap()["unit"], "ns");
    let compared = json(&["compare", shown(&out), "--base", "pons-10", "--to", "pons-12"]);
    assert_eq!(compared["tables"][0]["rows"].as_array().unwrap().len(), 6);
    assert!(report["note"].is_string() || report["note"].is_null());
}
