//! Campaigns through real processes: shards, the script that measures them, merging, and how much is there.

use crate::support::place::{place, shown};
use crate::support::process::{BINARY, run};
use c4lab_measure::files::folder::read_samples;
use c4lab_measure::files::manifest::Manifest;
use c4lab_measure::files::sample::Sample;
use c4lab_measure::fixtures;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A place with a small experiment in a file whose name has a blank: 40 cells.
fn planned() -> (TempDir, PathBuf) {
    let (place, _) = place();
    let file = place.path().join("my plan.toml");
    let text = "name = \"mine\"\nrepetitions = 2\n\n[[runs]]\nvariants = [\"pons-10\", \"pons-12\"]\n\
                test-sets = [\"end-easy\"]\n";
    fs::write(&file, text).unwrap();
    (place, file)
}

const LIMIT: [&str; 2] = ["--limit", "10"];

/// The rows without what hangs on moment, run and machine's speed, in one order.
fn timeless(folder: &Path) -> Vec<String> {
    let bare = |row: Sample| Sample {
        run_id: String::new(),
        batch: 0,
        block_order: 0,
        wall_ns: None,
        cpu_ns: None,
        started_at: String::new(),
        ..row
    };
    let mut rows: Vec<String> =
        read_samples(folder).unwrap().into_iter().map(|row| format!("{:?}", bare(row))).collect();
    rows.sort();
    rows
}

fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    for part in ["ID", "COUNT", "MIN", "MAX", "STEP"] {
        command.env_remove(format!("SLURM_ARRAY_TASK_{part}"));
    }
    command
}

fn measure(file: &Path, out: &Path, more: &[&str], slurm: &[(&str, &str)]) -> Output {
    let mut command = command(BINARY);
    command.args(["measure", shown(file), "--out", shown(out), "--quiet"]).args(LIMIT).args(more);
    command.envs(slurm.iter().map(|(part, value)| (format!("SLURM_ARRAY_TASK_{part}"), value)));
    command.output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn shards_are_the_whole_and_share_its_digest() {
    let (place, file) = planned();
    let folder = |name: &str| place.path().join(name);
    assert_eq!(measure(&file, &folder("whole"), &[], &[]).status.code(), Some(0));
    let manifest = |name: &str| Manifest::read(&folder(name)).unwrap().unwrap();
    assert_eq!(manifest("whole").shard, None);
    let mut parts = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let name = shard.replace('/', "-");
        let output = measure(&file, &folder(&name), &["--shard", shard], &[]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(manifest(&name).shard.map(|shard| shard.to_string()).as_deref(), Some(shard));
        assert_eq!(manifest(&name).experiment_sha256, manifest("whole").experiment_sha256);
        let rows = read_samples(&folder(&name)).unwrap();
        for id in rows.iter().map(|row| row.position_id).collect::<HashSet<_>>() {
            let of = rows.iter().filter(|row| row.position_id == id).count();
            assert_eq!(of, 4, "both variants and both passes of a position");
        }
        parts.extend(timeless(&folder(&name)));
    }
    parts.sort();
    assert_eq!(parts, timeless(&folder("whole")));
    // A folder keeps its shard.
    for (name, more) in [("1-3", &["--shard", "2/3"][..]), ("1-3", &[]), ("whole", &["--shard", "1/3"])] {
        let before = fs::read(folder(name).join("samples.csv")).unwrap();
        let output = measure(&file, &folder(name), more, &[]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stderr(&output).contains("holds the shard "), "{}", stderr(&output));
        assert_eq!(fs::read(folder(name).join("samples.csv")).unwrap(), before);
    }
    // More shards than positions: some have none.
    let output = measure(&file, &folder("none"), &["--shard", "400/1000"], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for wrong in ["0/3", "4/3", "x"] {
        assert_eq!(measure(&file, &folder("wrong"), &["--shard", wrong], &[]).status.code(), Some(2), "{wrong}");
    }
    assert!(!folder("wrong").exists());
}

#[test]
fn counters_of_shards_are_those_of_the_whole() {
    let (place, file) = planned();
    let folder = |name: &str| place.path().join(name);
    for (name, shard) in [("whole", "1/1"), ("one", "1/2"), ("two", "2/2")] {
        let output = measure(&file, &folder(name), &["--counters", "--shard", shard], &[]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let (out, one, two) = (folder("out"), folder("one"), folder("two"));
    assert_eq!(run(&["merge", shown(&out), shown(&one), shown(&two), "--quiet"]), (0, String::new(), String::new()));
    let lines = |name: &str| {
        let text = fs::read_to_string(folder(name).join("counters.csv")).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines("out"), lines("whole"));
    assert_eq!(lines("out").len(), 1 + 20);
}

#[test]
fn a_task_of_a_slurm_array_measures_its_shard_and_says_so() {
    let (place, file) = planned();
    let folder = |name: &str| place.path().join(name);
    let shard = |name: &str| Manifest::read(&folder(name)).unwrap().unwrap().shard.map(|shard| shard.to_string());
    let slurm = [("ID", "12"), ("COUNT", "3"), ("MIN", "10"), ("MAX", "14"), ("STEP", "2")];
    let output = measure(&file, &folder("task"), &[], &slurm);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("shard 2/3, as the Slurm job array says"), "{}", stderr(&output));
    assert_eq!(shard("task").as_deref(), Some("2/3"));
    let output = measure(&file, &folder("named"), &["--shard", "1/2"], &slurm);
    assert!(output.status.success() && !stderr(&output).contains("Slurm"), "{}", stderr(&output));
    assert_eq!(shard("named").as_deref(), Some("1/2"));
    assert!(measure(&file, &folder("off"), &["--shard", "1/1"], &slurm).status.success());
    assert_eq!((shard("off"), read_samples(&folder("off")).unwrap().len()), (None, 40));
    let output = measure(&file, &folder("odd"), &[], &[("ID", "5"), ("COUNT", "3"), ("MIN", "1"), ("MAX", "7")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--shard K/N") && !folder("odd").exists(), "{}", stderr(&output));
}

/// A script of experiments/scheduler/, in shards of three.
fn script(name: &str, file: &Path, out: &Path) -> Output {
    let mut command = command("bash");
    command.args([&format!("experiments/scheduler/{name}"), "3", shown(out), shown(file)]).args(LIMIT).arg("--quiet");
    command.env("C4LAB", BINARY).output().unwrap()
}

/// The shards that a script has measured, merged, are the rows of one process.
fn merged_is_the_whole(place: &Path, file: &Path, out: &Path) {
    let shards: Vec<String> = (1..=3).map(|shard| format!("{}/shard-{shard}-of-3", shown(out))).collect();
    let (merged, whole) = (out.join("merged"), place.join("whole"));
    let merge: Vec<&str> = ["merge", shown(&merged)].into_iter().chain(shards.iter().map(String::as_str)).collect();
    let (code, _, said) = run(&merge);
    assert_eq!(code, 0, "{said}");
    assert_eq!(measure(file, &whole, &[], &[]).status.code(), Some(0));
    assert_eq!(timeless(&merged), timeless(&whole));
}

#[test]
fn the_local_script_measures_what_one_process_does() {
    let (place, file) = planned();
    let out = place.path().join("the campaign");
    let shards: Vec<String> = (1..=3).map(|shard| shown(&out).to_string() + &format!("/shard-{shard}-of-3")).collect();
    let status = |folders: &[String]| {
        let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
        run(&[&["campaign", "status", shown(&file)], &folders[..], &["--format", "csv", "--"], &LIMIT].concat())
    };
    let (code, table, said) = status(&shards);
    assert_eq!(code, 5, "nothing is there: {said}");
    assert!(said.contains("nothing is there yet") && said.contains("40 cells missing"), "{said}");
    assert_eq!(table.lines().last(), Some("total,,,40,0,0,0,40,0,0"), "{table}");
    // And again: what is there is not measured twice.
    for _ in 0..2 {
        let output = script("local.sh", &file, &out);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let (code, table, said) = status(&shards);
    assert_eq!((code, said.as_str()), (0, ""));
    let header = "set,goal,variant,expected,answered,limited,failed,missing,duplicate,unplanned";
    let line = |variant: &str| format!("end-easy,strong,{variant},20,20,0,0,0,0,0");
    let expected = [header, &line("pons-10"), &line("pons-12"), "total,,,40,40,0,0,0,0,0"];
    assert_eq!(table.lines().collect::<Vec<_>>(), expected);
    assert_eq!(status(&shards[1..]).0, 5, "a shard is missing");
    merged_is_the_whole(place.path(), &file, &out);
}

#[test]
fn status_tells_what_is_there_twice_and_what_no_plan_asked_for() {
    let (place, file) = planned();
    let folder = |name: &str| place.path().join(name);
    for name in ["one", "two"] {
        assert!(measure(&file, &folder(name), &["--shard", "1/2"], &[]).status.success());
    }
    let (one, two) = (folder("one"), folder("two"));
    let rows = read_samples(&one).unwrap().len();
    let (code, text, said) = run(&["campaign", "status", shown(&one), shown(&one), shown(&two)]);
    assert_eq!(code, 5, "{said}");
    assert!(text.starts_with(&format!("mine: {rows} of 40 cells\nShards begun: 1/2; not begun: 2/2.\n")), "{text}");
    let (_, csv, _) = run(&["campaign", "status", shown(&one), shown(&one), shown(&two), "--format", "csv"]);
    assert_eq!(csv.lines().last(), Some(format!("total,,,40,{rows},0,0,{},{rows},0", 40 - rows).as_str()), "{csv}");
    // The same folder twice is no second observation. Other settings are said.
    let plan = ["campaign", "status", shown(&file), shown(&one), shown(&one), "--format", "csv", "--", "--limit", "1"];
    let (_, csv, said) = run(&plan);
    assert!(said.contains("with other settings, than the plan's"), "{said}");
    let total: Vec<usize> =
        csv.lines().last().unwrap().split(',').skip(3).map(|count| count.parse().unwrap()).collect();
    assert_eq!((total[0], total[1] + total[4], total[5], total[1] + total[6]), (4, 4, 0, rows), "{csv}");
    // A wrong score, and nodes that contradict each other.
    let change = |folder: &Path, change: &dyn Fn(&mut Sample)| {
        let mut rows = read_samples(folder).unwrap();
        change(&mut rows[0]);
        fixtures::write(folder, &rows);
    };
    change(&two, &|row| row.nodes = row.nodes.map(|nodes| nodes + 1));
    let (code, _, said) = run(&["campaign", "status", shown(&one), shown(&one), shown(&two)]);
    assert!(code == 4 && said.contains("nodes"), "{code}: {said}");
    assert_eq!(run(&["campaign", "status", shown(&one), shown(&one)]).0, 5);
    for (arguments, reason) in [
        (&["campaign", "status", shown(&one), shown(&one), "--", "--limit", "2"][..], "no options after it"),
        (&["campaign", "status", shown(&file), shown(&one), "--", "--shard", "1/2"], "the campaign's to choose"),
        (&["campaign", "status", "nothing.toml", shown(&one)], "no experiment or file \"nothing.toml\""),
    ] {
        let (code, _, said) = run(arguments);
        assert!((code == 1 || code == 2) && said.contains(reason), "{said}");
    }
}

/// Where GNU parallel is installed, it runs its script; what is there is not run again.
#[test]
fn the_script_of_parallel_measures_what_one_process_does() {
    let version = command("parallel").arg("--version").output();
    if !version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).starts_with("GNU parallel")) {
        return;
    }
    let (place, file) = planned();
    let out = place.path().join("the campaign");
    for _ in 0..2 {
        let output = script("parallel.sh", &file, &out);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(
            fs::read_to_string(out.join("jobs-3.log")).unwrap().lines().count(),
            4,
            "a heading and three shards"
        );
    }
    merged_is_the_whole(place.path(), &file, &out);
}
