//! `c4lab measure` and `c4lab report` through real processes: rows, resuming, limits, faults.

use crate::support::output::{c4lab, run, text};
use crate::support::place::{place, shown};
use c4lab_measure::files::folder::read_samples;
use c4lab_measure::files::sample::{Sample, Status};
use c4lab_measure::fixtures;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A small measurement: two variants, `positions` positions of end-easy.
pub(crate) fn small(out: &Path, positions: &str, more: &[&str]) -> Output {
    let base = ["measure", "--variants", "pons-10,pons-12", "--test-sets", "end-easy", "--limit", positions, "--quiet"];
    run(&[&base[..], &["--out", shown(out)], more].concat())
}

pub(crate) fn distinct(rows: &[Sample]) -> usize {
    rows.iter().map(Sample::cell).collect::<HashSet<_>>().len()
}

#[test]
fn every_cell_is_a_checked_row_and_the_summary_follows() {
    let (_place, out) = place();
    let output = small(&out, "5", &["--repetitions", "2", "--goal", "strong,weak"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    assert_eq!((rows.len(), distinct(&rows)), (2 * 5 * 2 * 2, 2 * 5 * 2 * 2));
    assert!(rows.iter().all(|row| row.status == Status::Ok && row.nodes.is_some() && row.wall_ns > Some(0)));
    // In a block one variant runs a batch, then the other the same.
    let of_block = |row: &Sample| (row.goal, row.repetition, row.batch);
    for block in rows.chunk_by(|one, other| of_block(one) == of_block(other)) {
        let (first, second) = block.split_at(block.len() / 2);
        let lines = |rows: &[Sample]| rows.iter().map(|row| row.position_id).collect::<Vec<_>>();
        assert_eq!(lines(first), lines(second));
        assert!(lines(first).is_sorted());
        for (turn, rows) in [first, second].into_iter().enumerate() {
            assert!(rows.iter().all(|row| row.block_order == turn as u32 && row.variant == rows[0].variant));
        }
        assert_ne!(first[0].variant, second[0].variant);
    }
    let summary = fs::read_to_string(out.join("summary.csv")).unwrap();
    assert_eq!(summary.lines().count(), 1 + 2 * 2);
    let table = text(&output.stdout);
    assert!(table.contains("end-easy, strong") && table.contains("end-easy, weak"), "{table}");
    let report = run(&["report", shown(&out)]);
    assert_eq!(text(&report.stdout), table, "report prints the table that measure printed");
}

#[test]
fn the_manifest_says_what_ran_where_and_names_no_folder() {
    let (place, out) = place();
    let set = place.path().join("own.txt");
    fs::write(&set, fs::read_to_string("test-sets/end-easy.txt").unwrap().lines().next().unwrap()).unwrap();
    let sets = format!("--test-sets=middle-easy,{}", shown(&set));
    run(&["measure", "--variants=pons-12", &sets, "--limit", "1", &format!("--out={}", shown(&out))]);
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(json["experiment"]["name"], "custom");
    assert_eq!(json["experiment"]["runs"][0]["test-sets"][1], "own.txt");
    assert_eq!(json["test_sets"][0]["shipped"], true);
    assert_eq!(json["test_sets"][1]["shipped"], false);
    assert_eq!(json["runs"][0]["signature_before"]["nodes"], json["runs"][0]["signature_after"]["nodes"]);
    assert!(json["runs"][0]["signature_before"]["nodes"].as_u64() > Some(0));
    assert_eq!(json["runs"][0]["command"][2], "--variants=pons-12");
    for file in ["manifest.json", "samples.csv", "summary.csv"] {
        let written = fs::read_to_string(out.join(file)).unwrap();
        assert!(written.contains("own.txt") && !written.contains(shown(place.path())), "{file}: {written}");
    }
}

#[test]
fn the_same_command_measures_nothing_twice() {
    let (_place, out) = place();
    small(&out, "4", &[]);
    let before = fs::read(out.join("samples.csv")).unwrap();
    let output = small(&out, "4", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(fs::read(out.join("samples.csv")).unwrap(), before);
}

#[test]
fn another_experiment_does_not_get_into_the_folder() {
    let (_place, out) = place();
    small(&out, "2", &[]);
    let before = fs::read(out.join("samples.csv")).unwrap();
    let output = small(&out, "2", &["--seed", "2"]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(
        message
            .contains("another experiment or other settings of this one (seed: 1 there, 2 here); choose another --out"),
        "{message}"
    );
    assert_eq!(fs::read(out.join("samples.csv")).unwrap(), before);
}

fn many(out: &Path) -> Command {
    let sets = ["--test-sets", "end-easy", "--repetitions", "50", "--out", shown(out)];
    let mut command = c4lab(&[&["measure", "--variants", "pons-06,pons-10,pons-12"], &sets[..]].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A measurement long enough to be stopped in the middle.
pub(crate) fn long(out: &Path) -> Command {
    let arguments = [
        "measure",
        "--variants",
        "pons-10,pons-12",
        "--test-sets",
        "middle-medium",
        "--limit",
        "40",
        "--out",
        shown(out),
    ];
    let mut command = c4lab(&arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits until some rows are there, and more are missing.
pub(crate) fn under_way(child: &mut Child, out: &Path) {
    for _ in 0..6000 {
        let rows = fs::read_to_string(out.join("samples.csv")).unwrap_or_default().lines().count();
        if rows > 4 {
            return;
        }
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be stopped");
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("no row after a minute");
}

#[test]
fn a_killed_run_loses_no_row_and_goes_on() {
    let (_place, out) = place();
    let mut child = long(&out).spawn().unwrap();
    under_way(&mut child, &out);
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = read_samples(&out).unwrap();
    assert!(kept.len() >= 4 && kept.len() < 80, "{} rows", kept.len());
    // And the last row is torn, as a full disk or a power cut may leave it.
    let file = out.join("samples.csv");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 20]).unwrap();
    let output = long(&out).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    assert_eq!((rows.len(), distinct(&rows)), (80, 80));
    assert_eq!(rows[..kept.len() - 1], kept[..kept.len() - 1], "rows that were there are as they were");
    let manifest = fs::read_to_string(out.join("manifest.json")).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&manifest).unwrap()["runs"].as_array().unwrap().len(), 2);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_its_rows_and_says_how_to_go_on() {
    for (command, signal) in [(long as fn(&Path) -> Command, "-INT"), (long, "-TERM"), (many, "-INT"), (many, "-TERM")]
    {
        let (_place, out) = place();
        let mut child = command(&out).spawn().unwrap();
        under_way(&mut child, &out);
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(5), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("--out"), "{}", text(&output.stderr));
        let rows = read_samples(&out).unwrap();
        assert!(rows.len() >= 4, "{} rows", rows.len());
        assert!(rows.iter().all(|row| row.status == Status::Ok), "an interrupted cell is no row");
        assert!(out.join("summary.csv").exists());
    }
}

#[test]
fn a_wrong_score_is_a_failed_row_and_exit_status_4() {
    let (place, out) = place();
    let set = place.path().join("set.txt");
    let good = fs::read_to_string("test-sets/end-easy.txt").unwrap();
    let (moves, _) = good.lines().next().unwrap().split_once(' ').unwrap();
    fs::write(&set, format!("{}\n{moves} 7\n", good.lines().nth(1).unwrap())).unwrap();
    let arguments = ["measure", "--variants", "pons-10,pons-12", "--test-sets", shown(&set), "--out", shown(&out)];
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("set.txt, line 2, pons-1"), "{}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    assert_eq!(rows.iter().filter(|row| row.status == Status::Wrong).count(), 2);
    let summary = fs::read_to_string(out.join("summary.csv")).unwrap();
    assert!(summary.lines().nth(1).unwrap().contains("pons-10,strong,2,1,1,0"), "{summary}");
    assert_eq!(run(&arguments).status.code(), Some(4), "it stays wrong when there is nothing left to measure");
    let report = run(&["report", shown(&out)]);
    assert_eq!(report.status.code(), Some(4), "and in the report");
    let record = place.path().join("record");
    assert_eq!(run(&["report", shown(&out), "--record", shown(&record)]).status.code(), Some(1));
    assert!(!record.exists(), "no record is made of wrong scores");
    // A reader that goes away changes nothing about it.
    let mut child = c4lab(&arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(4));
}

#[test]
fn a_node_count_that_moves_is_exit_status_4() {
    let (_place, out) = place();
    small(&out, "2", &["--repetitions", "2"]);
    let mut rows = read_samples(&out).unwrap();
    rows[0].nodes = rows[0].nodes.map(|nodes| nodes + 1);
    fixtures::write(&out, &rows);
    let output = small(&out, "2", &["--repetitions", "2"]);
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("nodes"), "{}", text(&output.stderr));
}

#[test]
fn cells_that_reach_a_limit_are_rows() {
    let (_place, out) = place();
    let base =
        ["measure", "--variants", "pons-06", "--test-sets", "middle-medium", "--limit", "3", "--out", shown(&out)];
    let output = run(&[&base[..], &["--node-limit", "1000"]].concat());
    assert_eq!(output.status.code(), Some(0), "limits alone do not fail: {}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    let limited: Vec<_> = rows.iter().filter(|row| row.status == Status::NodeLimit).collect();
    assert!(!limited.is_empty() && limited.iter().all(|row| row.nodes == Some(1000) && row.score.is_none()));
    let second = out.with_file_name("second");
    let base =
        ["measure", "--variants", "pons-06", "--test-sets", "middle-medium", "--limit", "3", "--out", shown(&second)];
    let output = run(&[&base[..], &["--time-limit", "1ms"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let timed_out = read_samples(&second).unwrap().into_iter().filter(|row| row.status == Status::Timeout).count();
    assert!(timed_out > 0);
    assert!(fs::read_to_string(second.join("summary.csv")).unwrap().contains(&format!(",0,{timed_out},")));
}

#[test]
fn counters_come_from_a_pass_of_their_own() {
    let (_place, out) = place();
    let output = small(&out, "3", &["--counters"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let mut reader = csv::Reader::from_path(out.join("counters.csv")).unwrap();
    let rows: Vec<std::collections::HashMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 6);
    let number = |row: &std::collections::HashMap<String, String>, name: &str| row[name].parse::<u64>().unwrap();
    assert!(rows.iter().all(|row| number(row, "hits") <= number(row, "probes")));
    assert!(rows.iter().any(|row| number(row, "stores") > 0));
    let sum = |file: &str, column: &str| -> u64 {
        let mut reader = csv::Reader::from_path(out.join(file)).unwrap();
        let rows: Vec<std::collections::HashMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
        rows.iter().map(|row| number(row, column)).sum()
    };
    assert!(sum("anatomy.csv", "nodes") > 0);
    for column in ["nodes", "probes", "hits"] {
        assert_eq!(sum("anatomy.csv", column), sum("counters.csv", column), "{column}");
    }
    // A folder that is whole already is counted again, and compared.
    fs::remove_file(out.join("counters.csv")).unwrap();
    assert_eq!(small(&out, "3", &["--counters"]).status.code(), Some(0));
    assert!(out.join("counters.csv").exists());
}

#[test]
fn bad_requests_are_refused_before_anything_is_written() {
    let (place, out) = place();
    let file = place.path().join("e.toml");
    let cases = [
        ("name = \"e\"\nseeed = 1\n", "line 2: no key \"seeed\"; nearest: \"seed\""),
        (
            "name = \"e\"\n[[runs]]\nvariants = [\"pons-1\"]\ntest-sets = [\"end-easy\"]\n",
            "no variant \"pons-1\"; nearest",
        ),
        ("name = \"e\"\n[[runs]]\nvariants = [\"pons-12\"]\ntest-sets = [\"end-esay\"]\n", "nearest: \"end-easy\""),
        ("name = \"e\"\n[[runs]]\nvariants = [\"pons-12\"]\ntest-sets = [\"original/end\"]\n", "nearest: \"end-easy\""),
        ("name = \"e\"\n[[runs]\n", "line 2"),
        ("", "name"),
    ];
    for (toml, reason) in cases {
        fs::write(&file, toml).unwrap();
        let output = run(&["measure", shown(&file), "--out", shown(&out)]);
        assert_eq!(output.status.code(), Some(1), "{toml}");
        assert!(text(&output.stderr).contains(reason), "{toml}: {}", text(&output.stderr));
        assert!(!out.exists(), "{toml}");
    }
    fs::write(&file, [0xff, 0xfe, 0]).unwrap();
    assert!(text(&run(&["measure", shown(&file)]).stderr).contains("not text"));
    assert!(text(&run(&["measure", "quik"]).stderr).contains("nearest: \"quick\""));
    let twice = run(&["measure", "--variants", "pons-12,pons-12", "--out", shown(&out)]);
    assert!(text(&twice.stderr).contains("named twice"), "{}", text(&twice.stderr));
    assert_eq!(twice.status.code(), Some(2));
    let stranger = run(&["measure", "--variants", "champion", "--out", shown(&out)]);
    let message = text(&stranger.stderr);
    assert!(stranger.status.code() == Some(2) && message.contains("quick has no variant \"champion\""), "{message}");
    assert!(message.contains("name test sets too"), "{message}");
    for bad in [
        ["--limit", "x"],
        ["--limit", "0"],
        ["--goal", "string"],
        ["--repetitions", "-1"],
        ["--repetitions", "0"],
        ["--tt", "64M"],
        ["--time-limit", "10"],
        ["--variants", "pons-13"],
    ] {
        assert_eq!(small(&out, "1", &bad).status.code(), Some(2), "{bad:?}");
    }
    assert!(!out.exists());
}

#[test]
fn a_place_that_cannot_be_written_is_a_clear_error() {
    let (place, _) = place();
    let file = place.path().join("file");
    fs::write(&file, "good").unwrap();
    for out in [file.clone(), file.join("below")] {
        let output = small(&out, "1", &[]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("cannot make the folder"), "{}", text(&output.stderr));
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "good");
    let folder = place.path().join("run");
    fs::create_dir_all(folder.join("samples.csv")).unwrap();
    assert!(text(&small(&folder, "1", &[]).stderr).contains("not a file"));
}

/// A disk that fills up, played by a limit on the size of files.
#[cfg(unix)]
#[test]
fn a_full_disk_stops_the_run_and_keeps_what_was_written() {
    let (_place, out) = place();
    let script = format!(
        "ulimit -f 16; exec {} measure --variants pons-10,pons-12 --test-sets end-easy --limit 100 --quiet --out {}",
        env!("CARGO_BIN_EXE_c4lab"),
        shown(&out)
    );
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let message = text(&output.stderr);
    assert!(message.contains("cannot write") && message.contains("samples.csv"), "{message}");
    let kept = read_samples(&out).unwrap();
    assert!(!kept.is_empty() && kept.len() < 200, "{} rows", kept.len());
    let output = small(&out, "100", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    assert_eq!((rows.len(), distinct(&rows)), (200, 200));
}

/// The reader goes away before the table is printed.
#[test]
fn a_closed_stdout_is_no_panic() {
    let (_place, out) = place();
    let arguments =
        ["measure", "--variants", "pons-12", "--test-sets", "end-easy", "--limit", "3", "--out", shown(&out)];
    let mut child = c4lab(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!text(&output.stderr).contains("panicked"), "{}", text(&output.stderr));
    assert_eq!((output.status.code(), read_samples(&out).unwrap().len()), (Some(0), 3));
}

/// Nobody can be told anything any more: the rows are what counts.
#[cfg(target_os = "linux")]
#[test]
fn a_full_stderr_is_no_panic() {
    let (_place, out) = place();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let arguments =
        ["measure", "--variants", "pons-12", "--test-sets", "end-easy", "--limit", "3", "--out", shown(&out)];
    let output = c4lab(&[&arguments[..], &["--tt", "1MiB"]].concat()).stderr(full).output().unwrap();
    assert_eq!((output.status.code(), read_samples(&out).unwrap().len()), (Some(0), 3));
}

#[test]
fn a_test_set_that_changed_is_refused() {
    let (place, out) = place();
    let set = place.path().join("set.txt");
    let shipped = fs::read_to_string("test-sets/end-easy.txt").unwrap();
    let lines: Vec<&str> = shipped.lines().collect();
    let arguments = ["measure", "--variants", "pons-12", "--test-sets", shown(&set), "--out", shown(&out)];
    fs::write(&set, lines[..2].join("\n")).unwrap();
    assert_eq!(run(&arguments).status.code(), Some(0));
    fs::write(&set, lines[2..5].join("\n")).unwrap();
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("a test set has changed since"), "{}", text(&output.stderr));
    assert_eq!(read_samples(&out).unwrap().len(), 2);
    // The same positions under two names are one set, not two.
    let copy = place.path().join("copy.txt");
    fs::copy(&set, &copy).unwrap();
    let both = format!("{},{}", shown(&set), shown(&copy));
    let output = run(&["measure", "--variants", "pons-12", "--test-sets", &both, "--out", shown(&out)]);
    assert!(text(&output.stderr).contains("are the same"), "{}", text(&output.stderr));
}

#[test]
fn limits_of_the_command_line_only_narrow() {
    let (place, out) = place();
    let file = place.path().join("e.toml");
    let run_of = |set: &str, limit: u32| {
        format!("[[runs]]\nvariants = [\"pons-12\"]\ntest-sets = [\"{set}\"]\nlimit = {limit}\n")
    };
    fs::write(&file, format!("name = \"e\"\n{}{}", run_of("end-easy", 2), run_of("middle-easy", 6))).unwrap();
    let output = run(&["measure", shown(&file), "--limit", "4", "--goal", "weak", "--out", shown(&out)]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let rows = read_samples(&out).unwrap();
    let count = |set: &str| rows.iter().filter(|row| row.set == set && row.goal.name() == "weak").count();
    assert_eq!((count("end-easy"), count("middle-easy"), rows.len()), (2, 4, 6));
}

#[test]
fn a_record_keeps_the_rows_and_is_spliced() {
    let (place, out) = place();
    let set = place.path().join("own.txt");
    fs::write(&set, fs::read_to_string("test-sets/end-easy.txt").unwrap().lines().next().unwrap()).unwrap();
    let sets = format!("end-easy,{}", shown(&set));
    run(&["measure", "--variants", "pons-12", "--test-sets", &sets, "--limit", "2", "--out", shown(&out)]);
    let record = place.path().join("record");
    let output = run(&["report", shown(&out), "--record", shown(&record)]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let (rows, kept) = (read_samples(&out).unwrap(), read_samples(&record).unwrap());
    assert_eq!(rows.len(), kept.len());
    assert!(record.join("pictures/end-easy-strong-speedup.svg").is_file());
    for (row, kept) in rows.iter().zip(&kept) {
        let private = row.set != "end-easy";
        assert_eq!(kept.moves.is_none(), private, "moves of a set that is not shipped are not kept");
        assert_eq!(kept.expected_score.is_none(), private);
        assert_eq!((kept.wall_ns, kept.nodes), (row.wall_ns, row.nodes));
    }
    assert_eq!(run(&["report", shown(&out), "--record", shown(&record)]).status.code(), Some(1), "never edited");
    let page = place.path().join("page.md");
    let marker = format!("<!-- c4lab:begin ladder {} goal=strong -->", shown(&record));
    fs::write(&page, format!("top\n{marker}\nold\n<!-- c4lab:end -->\nend\n")).unwrap();
    let check = ["report", shown(&record), "--splice", shown(&page), "--check"];
    assert_eq!(run(&check).status.code(), Some(1), "stale");
    assert_eq!(run(&check[..4]).status.code(), Some(0));
    assert_eq!(run(&check).status.code(), Some(0), "up to date");
    let text_now = fs::read_to_string(&page).unwrap();
    assert!(text_now.contains("| pons-12") && !text_now.contains("old") && text_now.ends_with("end\n"), "{text_now}");
}

#[test]
fn a_folder_without_samples_is_an_error() {
    let (place, out) = place();
    assert!(text(&run(&["report", shown(&out)]).stderr).contains("no samples in"));
    assert!(text(&run(&["report", shown(place.path())]).stderr).contains("no samples in"));
}
