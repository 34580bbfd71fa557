//! `c4lab outcomes`: empty boards of many sizes, rows that are resumed, boards that are split, and what was published beside them.

use crate::support::place::{place, shown};
use crate::support::process::{BINARY, run};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

fn rows(out: &Path) -> Vec<String> {
    fs::read_to_string(out.join("outcomes.csv")).unwrap().lines().map(str::to_owned).collect()
}

/// Small boards are solved once, both goals; what was published agrees, and so do claims that are held against the folder.
#[test]
fn boards_are_solved_once_and_agree_with_what_was_published() {
    let (_place, out) = place();
    let command = ["outcomes", "--boards", "4x4,5x4,6x4", "--out", shown(&out)];
    let (status, text, stderr) = run(&command);
    assert_eq!(status, 0, "{stderr}");
    let line = |text: &str, board: &str, goal: &str| {
        let mut lines = text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        lines.find(|words| words.len() > 4 && words[0] == board && words[2] == goal).expect(board)
    };
    assert_eq!(line(&text, "4x4", "weak")[3..5], ["=", "="]);
    assert_eq!(line(&text, "6x4", "weak")[3..5], ["-", "-"]);
    let strong = line(&text, "6x4", "strong");
    assert!(strong[3].starts_with('-') && strong[3][1..].parse::<u32>().unwrap() % 2 == 0, "{strong:?}");
    assert!(text.contains("6 answers agree with what was published."), "{text}");
    let once = rows(&out);
    assert_eq!(once.len(), 7);
    let (status, again, _) = run(&command);
    assert_eq!((status, &again, rows(&out)), (0, &text, once));

    let (status, report, stderr) = run(&["report", shown(&out)]);
    assert!(status == 0 && report.contains("Who wins on empty boards"), "{stderr}");
    let (status, told, stderr) = run(&["reproduce", "tromp-4x4", "tromp-6x4", "tromp-7x7", "--from", shown(&out)]);
    assert_eq!(status, 0, "{stderr}");
    assert!(told.contains("3 claims: 2 reproduced; 1 not tested"), "{told}");
    assert!(told.contains("c4lab outcomes --boards 7x7"), "{told}");
}

/// A board that reached its limit says so, and is solved again under a longer one; a torn line is dropped.
#[test]
fn a_board_that_reached_its_limit_is_solved_again() {
    let (_place, out) = place();
    let of = |more: &[&str]| {
        run(&[&["outcomes", "--boards", "6x5", "--goal", "strong", "--out", shown(&out)], more].concat())
    };
    let (status, text, _) = of(&["--time-limit", "1us"]);
    assert!(status == 5 && text.contains("limit"), "{text}");
    assert_eq!(of(&["--time-limit", "1us"]).0, 5);
    assert_eq!(rows(&out).len(), 2, "the same limit is not tried twice");
    let file = out.join("outcomes.csv");
    let torn = fs::read_to_string(&file).unwrap() + "1,6x5,str";
    fs::write(&file, torn).unwrap();
    let (status, text, stderr) = of(&["--time-limit", "10m"]);
    assert_eq!(status, 0, "{stderr}");
    assert!(text.contains('=') && rows(&out).len() == 3, "{text}");
}

/// An answer that is not what was published is exit status 4.
#[test]
fn a_contradiction_is_told() {
    let (_place, out) = place();
    let command = ["outcomes", "--boards", "4x4", "--goal", "weak", "--out", shown(&out)];
    assert_eq!(run(&command).0, 0);
    let file = out.join("outcomes.csv");
    let wrong = fs::read_to_string(&file).unwrap().replace(",ok,0,=,", ",ok,1,+,");
    fs::write(&file, wrong).unwrap();
    let (status, text, _) = run(&command);
    assert!(status == 4 && text.contains("1 of them contradict it"), "{status} {text}");
    let (_, told, _) = run(&["reproduce", "tromp-4x4", "--from", shown(&out)]);
    assert!(told.contains("another number") && told.contains("champion finds + on 4x4"), "{told}");
}

#[test]
fn what_is_no_board_of_the_plan_is_refused() {
    let (place, out) = place();
    let reason = |arguments: &[&str]| {
        let (status, _, stderr) = run(&[arguments, &["--out", shown(&out)]].concat());
        assert_ne!(status, 0, "{arguments:?}");
        stderr
    };
    assert!(reason(&["outcomes", "--boards", "4x4,9"]).contains("is no size of a board"));
    assert!(reason(&["outcomes", "--boards", "8x5,5x3"]).contains("the plan boards has no such board"));
    assert!(reason(&["outcomes", "bords"]).contains("boards"));
    assert!(reason(&["outcomes", "--boards", "4x4", "--variant", "pons-08"]).contains("no search of this choice"));
    assert!(reason(&["outcomes", "--boards", "4x4", "--tt", "12"]).contains("4x4"));
    let plan = place.path().join("plan.toml");
    fs::write(&plan, "name = \"x\"\n[[runs]]\nboards = [\"4x4\"]\ngoals = [\"week\"]\n").unwrap();
    assert!(reason(&["outcomes", shown(&plan)]).contains("plan.toml, line 4"));
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join("outcomes.csv"), "a,b\n1,2\n").unwrap();
    assert!(reason(&["outcomes", "--boards", "4x4"]).contains("not a header of outcomes of boards"));
}

/// The positions of the rows of a folder, and the line of its board, if it has one.
fn positions(out: &Path) -> (Vec<String>, Option<String>) {
    let lines: Vec<String> = rows(out).into_iter().skip(1).collect();
    let moves = |line: &String| line.split(',').nth(2).unwrap().to_string();
    let board = lines.iter().find(|line| moves(line) == "-").cloned();
    (lines.iter().map(moves).filter(|moves| moves != "-").collect(), board)
}

/// Two machines solve their parts of a board, and know each other's rows. What they found makes the score of the board, with nothing left.
#[test]
fn a_board_that_is_split_has_the_score_that_it_has_at_once() {
    for (board, goal, found) in [("5x5", "weak", "="), ("6x4", "strong", "-24"), ("6x5", "weak", "=")] {
        let (_place, all) = place();
        let folder = |name: &str| all.join(name);
        let split = |name: &str, more: &[&str]| {
            let plan = all.with_file_name("plan.toml");
            fs::write(&plan, format!("name = \"p\"\n[[runs]]\nboards = [\"{board}\"]\ngoals = [\"{goal}\"]\n"))
                .unwrap();
            let plies: &[&str] = if more.contains(&"--plies") { &[] } else { &["--plies", "3"] };
            let command = [&["outcomes", shown(&plan)][..], plies, &["--out"]].concat().into_iter().map(str::to_string);
            let words: Vec<String> = command.chain([shown(&folder(name)).to_string()]).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).chain(more.iter().copied()).collect();
            run(&words)
        };
        let (status, text, stderr) = split("a", &["--shard", "1/2"]);
        assert!(status == 0 && text.contains("can still matter"), "{stderr} {text}");
        let (status, _, stderr) = split("b", &["--shard", "2/2", "--with", shown(&all)]);
        assert_eq!(status, 0, "{stderr}");
        let (a, b) = (positions(&folder("a")).0, positions(&folder("b")).0);
        assert!(!a.is_empty() && a.iter().all(|moves| !b.contains(moves)), "{a:?} {b:?}");
        // Some that the first one could not know to be needless were left out by the second.
        let (status, told, _) = split("none", &["--with", shown(&all), "--status"]);
        assert!(!folder("none").exists(), "a look leaves nothing behind");
        let (whole, text, stderr) = split("whole", &["--with", shown(&all)]);
        assert!(whole == 0 && text.contains(found), "{stderr} {text}");
        let (more, line) = positions(&folder("whole"));
        let line = line.expect("the row of the board");
        assert_eq!(
            (status, told.contains("Every score is known")),
            if more.is_empty() { (0, true) } else { (5, false) }
        );
        let once: HashSet<&String> = a.iter().chain(&b).chain(&more).collect();
        assert_eq!(once.len(), a.len() + b.len() + more.len());
        assert!(line.contains(&format!(",{found},")) && line.contains(",-,3,"), "{line}");
        // Nodes are the sum of all rows.
        let nodes = |line: &str| line.split(',').nth(11).unwrap().parse::<u64>().unwrap();
        let of_rows = ["a", "b", "whole"].iter().flat_map(|name| rows(&folder(name)).into_iter().skip(1));
        assert_eq!(of_rows.filter(|row| !row.contains(",-,3,")).map(|row| nodes(&row)).sum::<u64>(), nodes(&line));
        // Once more nothing is solved, and reports know the board alone.
        assert_eq!(split("whole", &["--with", shown(&all)]).0, 0);
        assert_eq!(positions(&folder("whole")), (more, Some(line)));
        // What others say of the board is enough, by whatever plies they split it.
        let (status, text, stderr) = split("later", &["--with", shown(&folder("whole")), "--plies", "2"]);
        assert!(status == 0 && text.contains(found), "{stderr} {text}");
        let told = format!("0 answers in {}/outcomes.csv, 1 by others (--with)", shown(&folder("later")));
        assert!(stderr.contains(&told), "{stderr}");
        assert_eq!(positions(&folder("later")), (vec![], None));
        let (_, report, _) = run(&["report", shown(&folder("whole"))]);
        assert!(report.contains("1 boards are solved"), "{report}");
    }
}

/// Rows that say different things of one position are exit status 4, and no score is made of them.
#[test]
fn split_boards_do_not_believe_rows_that_contradict_each_other() {
    let (_place, all) = place();
    let split = |name: &str, more: &[&str]| {
        let folder = all.join(name);
        run(&[&["outcomes", "--boards", "4x4", "--goal", "weak", "--plies", "1", "--out", shown(&folder)], more]
            .concat())
    };
    assert_eq!(split("a", &[]).0, 0);
    fs::create_dir_all(all.join("b")).unwrap();
    let text = fs::read_to_string(all.join("a/outcomes.csv")).unwrap();
    let wrong: Vec<String> =
        text.lines().filter(|line| !line.contains(",-,1,")).map(|line| line.replace(",ok,0,=,", ",ok,1,-,")).collect();
    fs::write(all.join("b/outcomes.csv"), wrong.join("\n") + "\n").unwrap();
    let (status, _, stderr) = split("c", &["--with", shown(&all)]);
    assert!(status == 4 && stderr.contains("rows contradict each other: the score after"), "{status} {stderr}");
    assert!(stderr.contains("b/outcomes.csv, line 2"), "{stderr}");
    assert_eq!(positions(&all.join("c")), (vec![], None));
    let (status, _, stderr) = split("c", &["--with", shown(&all), "--status"]);
    assert!(status == 4 && stderr.contains("contradict"), "{status} {stderr}");
}

/// A position whose search was stopped is gone on with, and its row says so.
#[test]
fn a_position_of_a_split_board_is_saved() {
    let (_place, out) = place();
    let arguments =
        ["outcomes", "large-boards", "--boards", "8x8", "--plies", "1", "--tt", "16MiB", "--save-every", "100ms"];
    let command = || {
        let mut command = Command::new(BINARY);
        command.args(arguments).args(["--out", shown(&out)]).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let saved = || -> Vec<PathBuf> {
        let entries = fs::read_dir(&out).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "saved")).collect()
    };
    for round in 0..2 {
        let child = command().spawn().unwrap();
        for _ in 0..3000 {
            if !saved().is_empty() {
                break;
            }
            sleep(Duration::from_millis(10));
        }
        // The second process has to have read it.
        sleep(Duration::from_millis(1500));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(5), "{stderr}");
        assert_eq!(stderr.contains("8x8-weak-champion-after-5.saved: goes on after"), round == 1, "{stderr}");
    }
    assert_eq!(saved(), [out.join("8x8-weak-champion-after-5.saved")]);
}

/// A campaign solves a board by its script, and the lines behind it put the score together.
#[test]
fn a_campaign_solves_a_board_by_its_positions() {
    let (_place, out) = place();
    let emit =
        ["campaign", "emit", "--scheduler", "local", "--shards", "3", "--outcomes", "boards", "--out", shown(&out)];
    let options = ["--", "--boards", "5x4", "--goal", "weak", "--plies", "2"];
    let (status, script, stderr) = run(&[&emit[..], &options].concat());
    assert_eq!(status, 0, "{stderr}");
    let shell = |text: &str| Command::new("bash").args(["-c", text]).output().unwrap();
    let output = shell(&script);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for line in script.lines().filter_map(|line| line.strip_prefix("#   ")) {
        let output = shell(line);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let is_status = line.ends_with("--status");
        assert!(text.contains(if is_status { "Boards that are split" } else { "1 answers agree" }), "{line}: {text}");
    }
    assert!(positions(&out.join("whole")).1.unwrap().contains(",=,"));
    for options in [&["--boards", "5x4"][..], &["--plies", "2", "--shard", "1/2"], &["--plies", "9"], &["--nonsense"]] {
        let (status, _, stderr) = run(&[&emit[..], &["--"], options].concat());
        assert_eq!(status, 2, "{options:?} {stderr}");
    }
}

#[test]
fn what_is_no_split_is_refused() {
    let (_place, out) = place();
    let reason = |more: &[&str]| {
        let (status, _, stderr) = run(&[&["outcomes", "--boards", "4x4", "--out", shown(&out)], more].concat());
        assert_ne!(status, 0, "{more:?}");
        stderr
    };
    assert!(reason(&["--shard", "1/2"]).contains("--plies"));
    assert!(reason(&["--plies", "9"]).contains("1..=8") && reason(&["--plies", "0"]).contains("1..=8"));
    assert!(reason(&["--plies", "2", "--shard", "3/2"]).contains("there is no shard 3 of 2"));
    assert!(reason(&["--plies", "2", "--with", "nowhere"]).contains("nowhere: no folder"));
    assert!(reason(&["--plies", "2", "--shard", "1/2", "--status"]).contains("cannot be used with"));
}

/// Rows with other columns are read, and nothing is added below them that could not be read again.
#[test]
fn a_folder_of_an_older_version_is_left_as_it_is() {
    let (_place, out) = place();
    fs::create_dir_all(&out).unwrap();
    let old = "schema_version,board,goal,variant,compiled,tt_bytes,status,score,outcome,nodes,wall_ns,cpu_ns,limit_ns,machine,cpu,git_rev\n\
               1,4x4,weak,champion,true,16777216,ok,0,=,784,104701,89247,,m,,\n";
    fs::write(out.join("outcomes.csv"), old).unwrap();
    let (status, _, stderr) = run(&["outcomes", "--boards", "4x4,5x4", "--out", shown(&out)]);
    assert!(status == 1 && stderr.contains("outcomes.csv, line 1: other columns"), "{status} {stderr}");
    assert_eq!(fs::read_to_string(out.join("outcomes.csv")).unwrap(), old);
    let (status, text, _) = run(&["report", shown(&out)]);
    assert!(status == 0 && text.contains("1 boards are solved"), "{text}");
}

/// A split prints one table, whatever the form; a limit of the whole board is none of its positions.
#[test]
fn a_split_prints_one_table() {
    let (_place, out) = place();
    let of = |more: &[&str]| {
        run(&[
            &["outcomes", "--boards", "5x4", "--goal", "weak", "--format", "csv", "--quiet", "--out", shown(&out)],
            more,
        ]
        .concat())
    };
    assert_eq!(of(&["--time-limit", "1us"]).0, 5);
    let (_, part, stderr) = of(&["--plies", "2", "--shard", "1/2"]);
    let (status, whole, _) = of(&["--plies", "2"]);
    assert_eq!(status, 0, "{stderr}");
    for (text, column) in [(&part, "needed"), (&whole, "published")] {
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() == 2 && lines[0].contains(column), "{text}");
        assert_eq!(lines[0].split(',').count(), lines[1].split(',').count(), "{text}");
    }
}

/// Where the rows are must be said before anybody counts them.
#[test]
fn the_status_of_a_split_needs_a_folder() {
    let (status, _, stderr) = run(&["outcomes", "--boards", "4x4", "--plies", "2", "--status"]);
    assert!(status == 2 && stderr.contains("--with or --out"), "{status} {stderr}");
}

/// The script of a split board on one machine: positions that reach a limit do not keep the others from theirs, and a later run without
/// the limit has the board.
#[test]
#[cfg(unix)]
fn a_local_script_goes_on_after_a_limit() {
    let place = tempfile::tempdir().unwrap();
    let (out, script) = (place.path().join("campaign"), place.path().join("script"));
    let emit = |limit: &[&str]| {
        let emit =
            ["campaign", "emit", "--scheduler", "local", "--shards", "2", "--outcomes", "boards", "--out", shown(&out)];
        let options = ["--", "--boards", "4x5", "--goal", "weak", "--plies", "2", "--quiet"];
        let (status, text, stderr) = run(&[&emit[..], &options, limit].concat());
        assert_eq!(status, 0, "{stderr}");
        std::fs::write(&script, text).unwrap();
        let ran = std::process::Command::new("bash")
            .arg(&script)
            .env("C4LAB", env!("CARGO_BIN_EXE_c4lab"))
            .output()
            .expect("bash");
        let shards = (1..=2).filter(|shard| out.join(format!("shard-{shard}-of-2/outcomes.csv")).is_file()).count();
        (ran.status.code(), shards)
    };
    assert_eq!(emit(&["--time-limit", "1ns"]), (Some(5), 2), "both shards have their turn");
    assert_eq!(emit(&["--time-limit", "10m"]), (Some(0), 2));
}
