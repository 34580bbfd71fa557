//! `c4lab attribute` through real processes: rows, resuming, tables, paths, times, faults.

use crate::support::place::{place, shown};
use crate::support::process;
use crate::support::process::{BINARY, run};
use c4lab_measure::files::node_row::{NodeRow, read};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn small(out: &Path, more: &[&str]) -> process::Outcome {
    run(&[&["attribute", "attribution-small", "--limit", "6", "--quiet", "--out", shown(out)][..], more].concat())
}

/// The rows in an order that does not hang on threads.
fn sorted(folder: &Path) -> Vec<NodeRow> {
    let mut rows = read(folder).unwrap();
    rows.sort_by_key(|row| (row.spec.clone(), row.position_id));
    rows
}

#[test]
fn all_combinations_are_counted_and_the_tables_follow() {
    let (_place, out) = place();
    let (status, table, stderr) = small(&out, &[]);
    assert_eq!(status, 0, "{stderr}");
    let rows = sorted(&out);
    assert_eq!(rows.len(), 8 * 6);
    assert!(rows.iter().all(|row| row.score == row.expected_score && row.techniques.as_ref().unwrap().len() == 3));
    for name in ["end-easy, strong: 6 positions", "losses", "threat-order", "either-bound", "interactions"] {
        assert!(table.contains(name), "{name}: {table}");
    }
    let csv = fs::read_to_string(out.join("attribution.csv")).unwrap();
    assert!(csv.starts_with("set,goal,technique,changes,shapley,shapley_low,shapley_high,share,first"), "{csv}");
    let shares: Vec<f64> = csv.lines().skip(1).map(|line| line.rsplit(',').nth(6).unwrap().parse().unwrap()).collect();
    assert!(shares.len() == 4 && (shares[..3].iter().sum::<f64>() - 1.0).abs() < 1e-9 && shares[3] == 1.0, "{csv}");
    assert!(fs::read_to_string(out.join("attribution.svg")).unwrap().contains(">threat-order</text>"));
    assert_eq!(fs::read_to_string(out.join("interactions.csv")).unwrap().lines().count(), 1 + 3);
    assert_eq!(run(&["report", shown(&out)]).1, table, "report prints the same table");
    assert_eq!(small(&out, &["--format", "csv"]).1.trim_end(), csv.trim_end());
    assert!(small(&out, &["--format", "markdown"]).1.contains("| losses"));
    assert_eq!(sorted(&out), rows, "nothing was counted twice");
}

#[test]
fn an_attribution_has_a_page() {
    let (_place, out) = place();
    small(&out, &[]);
    let file = out.join("page.html");
    let (status, text, errors) = run(&["report", shown(&out), "--html", shown(&file)]);
    assert_eq!((status, text.as_str()), (0, ""), "{errors}");
    let page = fs::read_to_string(&file).unwrap();
    assert_eq!(page.matches("<svg class=\"plot\"").count(), 1, "bars");
    for part in ["What each technique is worth", "<h2>end-easy, strong</h2>", "id=\"manifest\""] {
        assert!(page.contains(part), "{part}");
    }
    let (status, _, errors) = run(&["report", shown(&out), "--plots", shown(&out)]);
    assert!(status == 1 && errors.contains("choose --html"), "{status}: {errors}");
}

/// The factors of the table multiply to what all techniques do together, and are means of logarithms of the rows.
#[test]
fn the_values_are_those_of_the_rows() {
    let (_place, out) = place();
    small(&out, &[]);
    let mean_log = |digits: &str| {
        let rows = sorted(&out);
        let logs: Vec<f64> = rows
            .iter()
            .filter(|row| row.techniques.as_deref() == Some(digits))
            .map(|row| (row.nodes.max(1) as f64).ln())
            .collect();
        assert_eq!(logs.len(), 6);
        logs.iter().sum::<f64>() / 6.0
    };
    let mut reader = csv::Reader::from_path(out.join("attribution.csv")).unwrap();
    let records: Vec<std::collections::HashMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    let number = |row: usize, name: &str| records[row][name].parse::<f64>().unwrap();
    let all = (mean_log("000") - mean_log("111")).exp();
    assert!((number(3, "shapley") - all).abs() < 1e-9);
    assert!(((0..3).map(|row| number(row, "shapley")).product::<f64>() - all).abs() < 1e-9);
    assert!((number(1, "first") - (mean_log("000") - mean_log("010")).exp()).abs() < 1e-9);
    assert!((number(1, "last") - (mean_log("101") - mean_log("111")).exp()).abs() < 1e-9);
}

#[test]
fn a_run_that_was_cut_off_goes_on_to_the_same_rows() {
    let (_place, out) = place();
    small(&out, &["--threads", "1"]);
    let whole = sorted(&out);
    let file = out.join("nodes.csv");
    let bytes = fs::read(&file).unwrap();
    // In the middle of a row, as a power cut may leave it.
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    assert_ne!(bytes[bytes.len() / 2 - 1], b'\n');
    let kept = read(&out).unwrap();
    assert!(kept.len() > 10 && kept.len() < 40, "{}", kept.len());
    let (status, text, stderr) = run(&["report", shown(&out)]);
    assert!((status, text.as_str()) == (5, ""), "{status} {text} {stderr}");
    let (status, _, stderr) = small(&out, &["--threads", "3"]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(sorted(&out), whole);
    assert_eq!(read(&out).unwrap()[..kept.len()], kept, "rows that were there are as they were");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_its_rows_and_says_how_to_go_on() {
    let (_place, out) = place();
    let arguments = ["attribute", "attribution", "--limit", "30", "--out", shown(&out)];
    let mut command = Command::new(BINARY);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    for _ in 0..6000 {
        if fs::read_to_string(out.join("nodes.csv")).unwrap_or_default().lines().count() > 4 {
            break;
        }
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be stopped");
        std::thread::sleep(Duration::from_millis(10));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(5) && stderr.contains("--out"), "{stderr}");
    let rows = read(&out).unwrap();
    assert!(rows.len() >= 4 && rows.iter().all(|row| row.score == row.expected_score), "{}", rows.len());
    let manifest: serde_json::Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    assert!(manifest["runs"][0]["ended_at"].is_string(), "{manifest}");
}

#[test]
fn another_attribution_does_not_get_into_the_folder() {
    let (place, out) = place();
    small(&out, &[]);
    let before = fs::read(out.join("nodes.csv")).unwrap();
    let (status, _, stderr) = small(&out, &["--limit", "5"]);
    assert!(status == 2, "an option given twice: {stderr}");
    let (status, _, stderr) = run(&["attribute", "attribution-small", "--limit", "5", "--out", shown(&out)]);
    assert!(status == 1 && stderr.contains("another attribution or other settings"), "{stderr}");
    assert_eq!(fs::read(out.join("nodes.csv")).unwrap(), before);
    let manifest = out.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json["binary"]["sha256"] = "0".into();
    fs::write(&manifest, json.to_string()).unwrap();
    assert!(small(&out, &[]).2.contains("another build of c4lab"));
    fs::remove_file(&manifest).unwrap();
    assert!(small(&out, &[]).2.contains("rows without a manifest"));
    let measured = place.path().join("measured");
    run(&["measure", "--variants", "pons-12", "--test-sets", "end-easy", "--limit", "1", "--out", shown(&measured)]);
    assert!(small(&measured, &[]).2.contains("samples of `measure`"));
}

const HEAD: &str = "name = \"a\"\nbase = \"pons-12\"\nlimit = 2\n";

fn technique(name: &str, changes: &str) -> String {
    format!("[[techniques]]\nname = \"{name}\"\nchanges = \"{changes}\"\n")
}

#[test]
fn bad_requests_are_refused_before_anything_is_written() {
    let (place, out) = place();
    let file = place.path().join("a.toml");
    let (sets, centre) = ("test-sets = [\"end-easy\"]\n", technique("centre", "order=centre"));
    let nine: String = (0..9).map(|index| technique(&format!("t{index}"), "")).collect();
    for (toml, reason) in [
        (format!("{HEAD}tecniques = 1\n"), "a.toml, line 4: no key \"tecniques\"; nearest: \"techniques\""),
        (format!("{HEAD}[[techniques]\n"), "a.toml, line 4"),
        ([HEAD, sets, &nine].concat(), "9 techniques: at most 8"),
        (
            [HEAD, sets, &centre, &technique("bare", "table=none")].concat(),
            "the base with bare: table=none and table-bounds=none go together",
        ),
        ([HEAD, sets, &technique("idle", "order=threats")].concat(), "changes nothing in any combination"),
        ([HEAD, "test-sets = [\"end-esay\"]\n", &centre].concat(), "nearest: \"end-easy\""),
        ([HEAD, sets, "tt = \"1XB\"\n", &centre].concat(), "not a size"),
    ] {
        fs::write(&file, &toml).unwrap();
        let (status, stdout, stderr) = run(&["attribute", shown(&file), "--out", shown(&out)]);
        assert!(status == 1 && stdout.is_empty() && stderr.contains(reason), "{toml}: {stderr}");
        assert!(!out.exists(), "{toml}");
    }
    assert!(run(&["attribute", "atribution"]).2.contains("nearest: \"attribution\""));
    for bad in [&["--limit", "0"][..], &["--threads", "0"], &["--path", "pons-12"], &["--path", "pons-12", "pons-13"]] {
        let (status, _, stderr) = run(&[&["attribute", "attribution-small", "--out", shown(&out)][..], bad].concat());
        assert!(status == 2 && !out.exists(), "{bad:?}: {stderr}");
    }
}

#[test]
fn a_wrong_score_is_exit_status_4_and_no_table() {
    let (place, out) = place();
    let (set, file) = (place.path().join("set.txt"), place.path().join("a.toml"));
    let good = fs::read_to_string("test-sets/end-easy.txt").unwrap();
    let (moves, _) = good.lines().next().unwrap().split_once(' ').unwrap();
    fs::write(&set, format!("{}\n{moves} 7\n", good.lines().nth(1).unwrap())).unwrap();
    let sets = format!("test-sets = [{:?}]\n", shown(&set));
    fs::write(&file, [HEAD, &sets, &technique("centre", "order=centre")].concat()).unwrap();
    for command in [&["attribute", shown(&file), "--out", shown(&out)][..], &["report", shown(&out)]] {
        let (status, stdout, stderr) = run(command);
        assert_eq!((status, stdout.as_str()), (4, ""), "{stderr}");
        assert!(stderr.contains("2 wrong scores"), "{stderr}");
    }
    assert_eq!(read(&out).unwrap().len(), 4, "the rows are kept");
    let record = place.path().join("record");
    assert_eq!(run(&["report", shown(&out), "--record", shown(&record)]).0, 4);
    assert!(!record.exists(), "no record is made of wrong scores");
}

#[test]
fn positions_that_reach_the_limit_are_left_out() {
    let (_place, out) = place();
    let (status, table, stderr) = small(&out, &["--node-limit", "17"]);
    assert_eq!(status, 0, "{stderr}");
    let limited = sorted(&out).iter().filter(|row| row.nodes == 17 && row.score.is_none()).count();
    assert!(limited > 0 && table.contains("left out"), "{limited} {table}");
}

#[test]
fn a_path_takes_one_change_after_another_and_resumes() {
    let (_place, out) = place();
    let (status, table, stderr) = small(&out, &["--path", "pons-06", "pons-12"]);
    assert_eq!(status, 0, "{stderr}");
    let csv = fs::read_to_string(out.join("path.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    // A table comes with its bounds; what else differs comes one by one.
    assert!(lines[0].starts_with("set,goal,step,change,variant,mean_nodes,limited,gain"), "{csv}");
    assert!(csv.contains("table=partial table-bounds=either,"), "{csv}");
    assert_eq!(lines.len(), 1 + 1 + 6, "{csv}");
    assert!(lines[1].contains(",0,,pons-06,") && lines[7].contains(",pons-12,"), "{csv}");
    let rows = sorted(&out);
    assert_eq!(small(&out, &["--path", "pons-06", "pons-12"]).1, table);
    assert_eq!(sorted(&out), rows, "nothing was counted twice");
    assert_eq!(run(&["report", shown(&out)]).1, table);
    let (_, to_itself, _) = small(&out, &["--path", "pons-12", "pons-12"]);
    assert!(to_itself.contains("path from pons-12 to pons-12"), "{to_itself}");
}

#[test]
fn what_is_compared_is_timed_and_what_has_no_name_at_run_time() {
    let (place, out) = place();
    let (status, table, stderr) = small(&out, &["--path", "pons-09", "pons-10", "--time", "--repetitions", "1"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(table.contains("nodes and times") && table.contains("order=threats"), "{table}");
    let samples = c4lab_measure::files::folder::read_samples(&out.join("time-path-1")).unwrap();
    assert_eq!(samples.len(), 2 * 6);
    // Of the specs on the way some have no name: they are timed at run time, and what they are compared with too.
    let (status, table, stderr) =
        small(&out, &["--path", "pons-12", "key=mirror,root=window,bounds=upper", "--time", "--repetitions", "1"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(table.contains("path from pons-12 to search=") && table.contains("[]"), "{table}");
    let (status, table, stderr) = small(&out, &["--time", "--repetitions", "1"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(table.contains("either-bound") && !table.contains("path from"), "{table}");
    let record = place.path().join("record");
    let (status, _, stderr) = run(&["report", shown(&out), "--record", shown(&record)]);
    assert_eq!(status, 0, "{stderr}");
    assert_eq!(run(&["report", shown(&record)]).1, run(&["report", shown(&out)]).1);
    assert_eq!(sorted(&record), sorted(&out));
    assert!(record.join("time-path-1/samples.csv.gz").exists() && record.join("report.md").exists());
    let page = place.path().join("page.md");
    let block =
        |words: &str| format!("<!-- c4lab:begin attribution {}{words} -->\nold\n<!-- c4lab:end -->\n", shown(&record));
    fs::write(&page, block(" parts=values")).unwrap();
    let check = ["report", shown(&record), "--splice", shown(&page), "--check"];
    assert_eq!(run(&check).0, 1, "stale");
    assert_eq!(run(&check[..4]).0, 0);
    assert_eq!(run(&check).0, 0, "up to date");
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.contains("| threat-order") && !text.contains("path from") && !text.contains("old"), "{text}");
    fs::write(&page, block(" parts=shapley")).unwrap();
    assert!(run(&check).2.contains("parts= are of values, interactions, paths, times"));
}
