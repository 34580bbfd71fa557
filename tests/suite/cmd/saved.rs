//! Searches that are saved, stopped, killed, and gone on with. The one that is stopped takes seconds: the empty board.

use crate::support::place::{place, shown};
use crate::support::process::{BINARY, run};
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// A search that takes seconds, and is saved often.
fn started(arguments: &[&str]) -> Child {
    let mut command = Command::new(BINARY);
    command.args(arguments).args(["--save-every", "100ms"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Waits for a file, then ends the process by a signal.
fn ended(child: Child, file: &Path, signal: &str) -> Output {
    for _ in 0..3000 {
        if file.exists() {
            break;
        }
        sleep(Duration::from_millis(10));
    }
    assert!(file.exists(), "{}", file.display());
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

/// Nodes of a sentence that has them before `behind`.
fn nodes_before(text: &str, behind: &str) -> u64 {
    let text = &text[..text.find(behind).expect(text)];
    text.rsplit(' ').next().unwrap().replace(',', "").parse().unwrap()
}

/// A saved search of the empty board, which was interrupted.
fn saved(file: &Path) -> String {
    let output = ended(started(&["solve", "-", "--save", shown(file)]), file, "-INT");
    assert_eq!(output.status.code(), Some(5));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_search_that_was_interrupted_says_how_it_goes_on_and_goes_on() {
    let (_place, out) = place();
    fs::create_dir_all(&out).unwrap();
    let file = out.join("empty.saved");
    let told = saved(&file);
    assert!(told.contains(&format!("the same command goes on with --resume {}", shown(&file))), "{told}");
    // Killed, it goes on with what was saved last.
    let again = ["solve", "--resume", shown(&file), "--save", shown(&file)];
    let before = fs::read(&file).unwrap();
    let mut child = started(&again);
    for _ in 0..3000 {
        if fs::read(&file).unwrap() != before || child.try_wait().unwrap().is_some() {
            break;
        }
        sleep(Duration::from_millis(10));
    }
    ended(child, &file, "-KILL");
    let (status, stdout, stderr) = run(&again);
    assert_eq!((status, &stdout[..4]), (0, "- 1 "), "{stderr}");
    let (so_far, all) = (nodes_before(&stderr, " nodes so far"), nodes_before(&stderr, " nodes in all"));
    assert!(stderr.contains("7x6, position -") && so_far > 0, "{stderr}");
    assert_eq!(all, so_far + stdout.split(' ').nth(2).unwrap().parse::<u64>().unwrap());
    let names: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["empty.saved"], "nothing unfinished is left");
}

#[test]
fn what_cannot_be_gone_on_with_is_refused_with_the_reason() {
    let (_place, out) = place();
    fs::create_dir_all(&out).unwrap();
    let (file, other) = (out.join("good.saved"), out.join("bad.saved"));
    saved(&file);
    let good = fs::read(&file).unwrap();
    let refused = |bytes: &[u8], more: &[&str], reason: &str| {
        fs::write(&other, bytes).unwrap();
        let (status, stdout, stderr) =
            run(&[&["solve", "--resume", shown(&other), "--save", shown(&other)], more].concat());
        assert!(status == 1 && stdout.is_empty() && stderr.contains(reason), "{status} {stderr}");
        assert_eq!(fs::read(&other).unwrap(), bytes, "what was there stays");
    };
    refused(&good[..good.len() / 2], &[], "cut off");
    refused(&good[..good.len() - 1], &[], "cut off");
    refused(b"moves", &[], "not a saved search");
    let flipped = |at: usize| {
        let mut bytes = good.clone();
        bytes[at] ^= 4;
        bytes
    };
    refused(&flipped(good.len() - 1), &[], "damaged");
    refused(&flipped(good.len() / 2), &[], "damaged");
    refused(&flipped(8), &[], "saved in version 5 of the layout");
    refused(&good, &["--board", "6x5"], "saved by a search with the board 7x6/7, not 6x5/6");
    refused(&good, &["--spec", "order=centre"], "the choice order=sides, not order=centre");
    refused(&good, &["44"], "saved by a search of - with the goal strong, not of 44 with the goal strong");
    refused(&good, &["--goal", "weak"], "with the goal strong, not of - with the goal weak");
    refused(&good, &["--variant", "pons-12"], "only a search with table=buckets can be saved");
    let (status, _, stderr) = run(&["solve", "44", "--resume", shown(&out.join("none"))]);
    assert!(status == 1 && stderr.contains("cannot read"), "{stderr}");
    let file = shown(&file);
    for arguments in [&["solve", "--save", file][..], &["solve", "4", "5", "--save", file]] {
        assert_eq!(run(arguments).0, 2);
    }
}

/// A write beyond a limit is like a full disk: the search goes on to its answer, and what was saved before stays.
#[test]
fn a_save_that_fails_leaves_the_old_file() {
    let (_place, out) = place();
    fs::create_dir_all(&out).unwrap();
    let file = out.join("old.saved");
    saved(&file);
    let before = fs::read(&file).unwrap();
    let script = format!("ulimit -f 8; exec {BINARY} solve --resume {0} --save {0} --time-limit 300ms", shown(&file));
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("File too large") && output.status.code() == Some(5), "{stderr}");
    assert_eq!(fs::read(&file).unwrap(), before);
    assert_eq!(fs::read_dir(&out).unwrap().count(), 1, "nothing unfinished is left");
}

/// An answer of `outcomes` that was killed goes on, and its saved search goes away with the answer.
#[test]
fn outcomes_go_on_in_the_middle_of_a_board() {
    let (_place, out) = place();
    let command = ["outcomes", "--boards", "7x6", "--goal", "strong", "--out", shown(&out)];
    let file = out.join("7x6-strong-champion.saved");
    ended(started(&command), &file, "-KILL");
    let (status, text, stderr) = run(&command);
    assert!(status == 0 && text.contains("+41"), "{stderr}");
    assert!(stderr.contains("goes on after") && !file.exists(), "{stderr}");
    let rows = fs::read_to_string(out.join("outcomes.csv")).unwrap();
    assert_eq!(rows.lines().count(), 2, "{rows}");
}
