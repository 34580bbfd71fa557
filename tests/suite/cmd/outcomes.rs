//! `c4lab outcomes`: empty boards of many sizes, rows that are resumed, and what was published beside them.

use crate::support::place::{place, shown};
use crate::support::process::run;
use std::fs;
use std::path::Path;

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
