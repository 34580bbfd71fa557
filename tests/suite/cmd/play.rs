//! `c4lab play`, driven through its pipes.

use crate::support::process::{BINARY, Outcome, run_with};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

fn play(arguments: &[&str], typed: &str) -> Outcome {
    run_with(&[&["play"], arguments].concat(), typed.as_bytes())
}

fn count(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn a_game_is_played_and_taken_back() {
    let (status, stdout, stderr) = play(&["121212"], "hint\n7\nback\n1\nback\nscores\n1\n4\nquit\n");
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    assert!(stdout.starts_with("You play first, X; champion plays second, O.\n\n  1   2"), "{stdout}");
    assert!(stdout.contains("Column 1 wins in 1 ply.\n"), "{stdout}");
    // The champion takes the win that it is left; that is taken back, too.
    assert!(stdout.contains("champion plays 2.\n"), "{stdout}");
    assert!(stdout.contains("The second player (O) has four in a row: you lose.\n"), "{stdout}");
    assert_eq!(count(&stdout, "The first player (X) has four in a row: you win.\n"), 2);
    assert!(stdout.contains("\n 18 "), "the scores of the columns: {stdout}");
    assert!(stdout.contains("the game is already won\n"), "{stdout}");
    assert!(!stdout.contains("To go on"), "it is over: {stdout}");
}

#[test]
fn whatever_is_typed_is_answered() {
    let typed = "\n9\nfoo\n?\nback\n\u{e4}\n1\nside\nline\n";
    let (status, stdout, stderr) = play(&["444444", "--against", "champion", "--board", "7x6"], typed);
    assert_eq!((status, stderr.as_str()), (0, ""));
    for said in [
        "9 is not a column (1 to 7)\n",
        "no word \"foo\"",
        "hint     a best column",
        "There is no move of yours to take back.\n",
        "If both play best, ",
        "To go on from here: c4lab play 4444441",
    ] {
        assert!(stdout.contains(said), "{said}: {stdout}");
    }
    assert!(stdout.ends_with(" --second\n"), "sides were changed: {stdout}");
    let long = "4".repeat(1_000_000) + "\n";
    let (status, stdout, _) = play(&["1212121"], &long);
    assert!(status == 0 && count(&stdout, "back, new or quit") == 2, "{stdout}");
    let full = play(&["444444"], "4\n").1;
    assert!(full.contains("column 4 is full\n") && full.contains("To go on from here: c4lab play 444444\n"), "{full}");
}

#[test]
fn a_new_game_begins_where_the_first_one_did() {
    let (status, stdout, _) = play(&["121212"], "1\nnew\nquit\n");
    assert_eq!((status, count(&stdout, "  X  (O)  .   .   .   .   .\n")), (0, 2), "{stdout}");
    assert!(stdout.ends_with("To go on from here: c4lab play 121212\n"), "{stdout}");
}

/// The opponent is a program, and its strength is what it is said to be.
#[test]
fn any_player_is_an_opponent() {
    let fourth = "mine=sh -c 'while read m; do echo \"$m 4\"; done'";
    let (status, stdout, _) = play(&["--against", "mine", "--engine", fourth], "4\n4\n");
    assert!(status == 0 && count(&stdout, "mine plays 4.") == 2, "{stdout}");
    // Its columns count from 0.
    let keys = ["--against", "mine", "--engine", fourth, "--engine-key", "mine.first-column=0"];
    let (_, stdout, _) = play(&keys, "1\n");
    assert!(stdout.contains("mine plays 5."), "{stdout}");
    let (status, stdout, stderr) = play(&["44444", "--against", "mine", "--engine", fourth], "1\n");
    assert_eq!(status, 1, "{stdout}");
    assert!(stderr.contains("mine plays no move: 4: column 4 is full"), "{stderr}");
    let weak = ["444444", "--second", "--sees", "8", "--own-moves", "50", "--seed", "7"];
    let one = play(&weak, "1\n2\n3\n").1;
    assert!(one.contains("it sees the last 8 stones") && one.contains("50 of 100 moves are its best"), "{one}");
    assert_eq!(one, play(&weak, "1\n2\n3\n").1, "a seed is a game");
}

#[test]
fn what_cannot_be_played_is_a_usage_error() {
    for (arguments, hint) in [
        (&["448"][..], "ply 3: '8' is not a column"),
        (&["--against", "champoin"], "nearest: \"champion\""),
        (&["--own-moves", "101"], "101 is not in 0..=100"),
        (&["--against", "mine", "--engine", "mine=cat", "--engine-key", "mine.anser=x"], "nearest: \"answer\""),
        (&["--engine-key", "score=plies"], "--engine"),
    ] {
        let (status, stdout, stderr) = play(arguments, "");
        assert!((status, stdout.as_str()) == (2, "") && stderr.contains(hint), "{arguments:?}: {stderr}");
    }
}

fn started(arguments: &[&str], last: &str) -> Child {
    let mut command = Command::new(BINARY);
    let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let stdout = child.stdout.as_mut().unwrap();
    let mut lines = BufReader::new(stdout).lines();
    assert!(lines.by_ref().map(Result::unwrap).any(|line| line.starts_with(last)), "{arguments:?}");
    child
}

#[test]
fn a_signal_ends_it_wherever_it_is() {
    use std::os::unix::process::ExitStatusExt;
    let interrupt = |child: &Child| Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let mut waiting = started(&["play"], "Your move");
    // It is about to wait for a line, and then a signal ends it at once; before, it does so as soon as it looks.
    interrupt(&waiting);
    let _ = waiting.stdin.as_mut().unwrap().write_all(b"\n");
    let ended = waiting.wait().unwrap();
    assert!(ended.signal() == Some(2) || ended.code() == Some(5), "{ended:?}");
    let mut searching = started(&["play", "--second", "--against", "pons-05"], "  .   .   .   .   .   .   .");
    interrupt(&searching);
    assert_eq!(searching.wait().unwrap().code(), Some(5));
}
