//! `c4lab report` and `c4lab compare` through real processes: tables, gates, and folders that are not as they should be.

use crate::support::process::{Outcome, run};
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

/// A copy of a run, its rows changed; the header is the first line.
fn changed(place: &TempDir, from: &Path, change: impl Fn(Vec<String>) -> Vec<String>) -> PathBuf {
    let to = place.path().join(format!("copy-{}", fs::read_dir(place.path()).unwrap().count()));
    fs::create_dir(&to).unwrap();
    fs::copy(from.join("manifest.json"), to.join("manifest.json")).unwrap();
    let rows = fs::read_to_string(from.join("samples.csv")).unwrap();
    let rows = change(rows.lines().map(str::to_string).collect());
    fs::write(to.join("samples.csv"), rows.join("\n") + "\n").unwrap();
    to
}

/// The fields of a row.
fn fields(row: &str) -> Vec<&str> {
    // The spec is the only field that holds commas.
    let (before, rest) = row.split_once('"').unwrap();
    let (spec, after) = rest.split_once('"').unwrap();
    let mut fields: Vec<&str> = before.trim_end_matches(',').split(',').collect();
    fields.push(spec);
    fields.extend(after.trim_start_matches(',').split(','));
    fields
}

fn place_of(header: &str, column: &str) -> usize {
    header.split(',').position(|name| name == column).unwrap()
}

fn field(header: &str, row: &str, column: &str) -> String {
    fields(row)[place_of(header, column)].to_string()
}

/// The row with one field changed, found by its column.
fn with(header: &str, row: &str, column: &str, value: &str) -> String {
    let mut fields = fields(row);
    fields[place_of(header, column)] = value;
    let quoted = |field: &&str| if field.contains(',') { format!("\"{field}\"") } else { field.to_string() };
    fields.iter().map(quoted).collect::<Vec<_>>().join(",")
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
        let moved = rows[1..].iter().map(|row| with(&rows[0], row, "machine_id", "0123456789ab"));
        [rows[0].clone()].into_iter().chain(moved).collect()
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
    let newer = changed(&place, &out, |rows| rows.iter().map(|row| row.replacen("2,", "3,", 1)).collect());
    let (status, _, message) = report(&newer);
    assert!(status == 1 && message.contains("line 2") && message.contains("reads up to 2"), "{message}");
    let other_build = changed(&place, &out, |rows| {
        let row = with(&rows[0], rows.last().unwrap(), "binary_sha256", &"0".repeat(64));
        [rows, vec![row]].concat()
    });
    let (status, _, message) = report(&other_build);
    assert!(status == 1 && message.contains("rows of the build 000000000000"), "{message}");
    let broken = changed(&place, &out, |mut rows| {
        rows[3] = "1,half".to_string();
        rows
    });
    let (status, _, message) = report(&broken);
    assert!(status == 1 && message.contains("samples.csv, line 4"), "{message}");
    let empty = changed(&place, &out, |rows| rows[..1].to_vec());
    assert!(report(&empty).2.contains("no row is there yet"));
    fs::remove_file(newer.join("manifest.json")).unwrap();
    assert!(report(&newer).2.contains("no manifest.json"));
    // Columns that an older schema did not have are empty.
    let older = changed(&place, &out, |rows| {
        rows.iter().map(|row| row.rsplit_once(',').unwrap().0.replacen("2,", "0,", 1)).collect()
    });
    assert_eq!(report(&older).0, 0, "{}", report(&older).2);
    // A torn last line is passed over.
    let file = out.join("samples.csv");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..whole.len() - 20]).unwrap();
    assert_eq!(report(&out).0, 0);
}

/// Schema 1 took its times in another way: they stand in no ratio with those of today. Nodes may.
#[test]
fn times_of_two_schemas_are_not_compared() {
    let (place, out) = measured();
    let older = changed(&place, &out, |rows| {
        [rows[0].clone()].into_iter().chain(rows[1..].iter().map(|row| row.replacen("2,", "1,", 1))).collect()
    });
    let manifest = older.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let first = "\"schema_version\": 2";
    assert!(text.contains(first));
    fs::write(&manifest, text.replacen(first, "\"schema_version\": 1", 1)).unwrap();
    let names = ["--base", "pons-10", "--to", "pons-12"];
    for (one, other) in [(&out, &older), (&older, &out)] {
        let (status, _, message) = compare(one, &[&[shown(other)], &names[..]].concat());
        assert!(status == 1 && message.contains("schema 1") && message.contains("--nodes-only"), "{message}");
        let (status, table, message) = compare(one, &[&[shown(other), "--nodes-only"], &names[..]].concat());
        assert!(status == 0 && table.contains("nodes"), "{message}");
    }
    assert_eq!(compare(&older, &names).0, 0, "schema 1 beside itself");
    let record = place.path().join("record");
    let (status, _, message) = run(&["report", shown(&older), "--record", shown(&record)]);
    assert!(status == 1 && message.contains("rows of schema 1: a record would lose columns"), "{message}");
    assert!(!record.exists());
}

#[test]
fn variants_that_are_no_more_and_positions_that_are_few() {
    let (place, out) = measured();
    let report = |folder: &Path| run(&["report", shown(folder), "--format", "markdown"]);
    let gone = changed(&place, &out, |rows| {
        let renamed = rows[1..].iter().map(|row| row.replace("pons-10,", "pons-ten,"));
        [rows[0].clone()].into_iter().chain(renamed).collect()
    });
    let (status, text, message) = report(&gone);
    assert!(status == 0 && text.contains("| pons-ten"), "{message}");
    assert_eq!(compare(&gone, &["--base", "pons-ten", "--to", "pons-12"]).0, 0);
    let one = changed(&place, &out, |rows| {
        let line = |row: &String| field(&rows[0], row, "position_id");
        let first = line(&rows[1]);
        let of_first = rows[1..].iter().filter(|row| line(row) == first);
        [rows[0].clone()].into_iter().chain(of_first.cloned()).collect()
    });
    assert_eq!(report(&one).0, 0);
    let (status, _, message) = compare(&one, &["--base", "pons-10", "--to", "pons-12", "--gate", "0.97"]);
    assert!(status == 1 && message.contains("too few for a gate"), "{message}");
    let limited = changed(&place, &out, |rows| {
        let row = |row: &String| {
            let row = with(&rows[0], row, "status", "timeout");
            with(&rows[0], &row, "limit_ns", "1000")
        };
        [rows[0].clone()].into_iter().chain(rows[1..].iter().map(row)).collect()
    });
    let (status, text, message) = report(&limited);
    assert!(status == 0 && text.contains("wrong, failed, limited"), "{message}");
    let (status, table, message) = compare(&limited, &["--base", "pons-10", "--to", "pons-12"]);
    assert!(status == 0 && message.contains("pons-12: 16 positions reached a limit"), "{message}{table}");
}

#[test]
fn a_wrong_row_is_shown_and_is_the_exit_status() {
    let (place, out) = measured();
    let wrong = changed(&place, &out, |rows| {
        let row = with(&rows[0], &rows[1], "status", "wrong");
        [vec![rows[0].clone(), row], rows[2..].to_vec()].concat()
    });
    let (status, text, message) = run(&["report", shown(&wrong)]);
    assert!(
        status == 4 && message.contains("1 wrong score,") && text.contains("wrong, failed, limited"),
        "{message}{text}"
    );
    assert_eq!(compare(&wrong, &["--base", "pons-10", "--to", "pons-12"]).0, 4);
    let moved = changed(&place, &out, |rows| {
        let row = with(&rows[0], &rows[1], "nodes", "1000000");
        [vec![rows[0].clone(), row], rows[2..].to_vec()].concat()
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
