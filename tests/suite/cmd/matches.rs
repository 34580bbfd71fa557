//! Matches and the judge: games of variants, chance and programs of all kinds.

use crate::support::place::{place, shown};
use crate::support::process::run;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

type Rows = Vec<HashMap<String, String>>;

fn rows(folder: &Path, file: &str) -> Rows {
    let mut reader = csv::Reader::from_path(folder.join(file)).expect("rows");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

/// A match, which must come to an end with that status.
fn played(out: &Path, arguments: &[&str], status: i32) -> (Rows, String, String) {
    let (found, stdout, stderr) = run(&[&["match"], arguments, &["--quiet", "--out", shown(out)]].concat());
    assert_eq!(found, status, "{arguments:?}: {stderr}");
    (rows(out, "games.csv"), stdout, stderr)
}

#[test]
fn a_perfect_player_gives_nothing_away_and_a_match_goes_on_where_it_was() {
    let (_place, out) = place();
    let arguments = ["champion", "random", "--openings", "random:16", "--referee"];
    let (first, ..) = played(&out, &[&arguments[..], &["--games", "2"]].concat(), 0);
    let (games, table, _) = played(&out, &[&arguments[..], &["--games", "6"]].concat(), 0);
    assert_eq!((first.len(), &games[..2]), (2, &first[..]), "nothing is played again");
    for (game, row) in games.iter().enumerate() {
        let (ours, theirs) = if game % 2 == 0 { ("first", "second") } else { ("second", "first") };
        assert_eq!((&*row[ours], &*row[theirs]), ("champion", "random"));
        assert_eq!((&*row[&format!("slips_{ours}")], &*row[&format!("guesses_{ours}")]), ("0", "0"));
        assert!(row["moves"].starts_with(&row["opening"]) && ["four", "full"].contains(&&*row["end"]), "{row:?}");
        assert_eq!(row["opening"], games[game / 2 * 2]["opening"], "each opening twice");
    }
    assert!(table.contains("slips") && table.contains("champion"), "{table}");
    // The same players under another limit are another match.
    let (_, _, stderr) = played(&out, &[&arguments[..], &["--games", "6", "--node-limit", "9"]].concat(), 1);
    assert!(stderr.contains("games.csv, line 2: a game of another match"), "{stderr}");
    // So are the same under another goal, and games that nobody looked at.
    let (_, _, stderr) = played(&out, &[&arguments[..], &["--games", "6", "--goal", "weak"]].concat(), 1);
    assert!(stderr.contains("games.csv, line 2: a game of another match"), "{stderr}");
    let (_, _, stderr) = played(&out, &[&arguments[..4], &["--games", "6"]].concat(), 1);
    assert!(stderr.contains("games.csv, line 2: a game with a referee"), "{stderr}");
}

#[test]
fn moves_of_a_search_that_was_stopped_are_guesses() {
    let (_place, out) = place();
    let (games, ..) =
        played(&out, &["champion", "champion[]", "--games", "2", "--node-limit", "1", "--openings", "random:2"], 0);
    assert!(games.iter().all(|row| row["guesses_first"] != "0" && row["reason"].is_empty()), "{games:?}");
}

/// A program in `sh` that reads moves, and does something.
fn program(place: &Path, name: &str, every: &str) -> String {
    let path = place.join(name);
    fs::write(&path, format!("while read -r moves; do\n{every}\ndone\n")).expect("a script");
    format!("{name}=sh {}", shown(&path))
}

#[test]
fn whoever_does_not_play_loses_with_a_reason() {
    let (place, out) = place();
    for (name, every, end, reason) in [
        // It has been played six times by then.
        ("stubborn", "echo \"$moves 1\"", "illegal", "column 1 is full"),
        ("nine", "echo \"$moves 9\"", "garbled", "is no column"),
        ("mute", "sleep 60", "late", "no move within 300ms"),
        ("mad", "kill -9 $$", "crashed", "signal 9"),
        ("gone", "exit 3", "garbled", "exited with status 3"),
    ] {
        let engine = program(place.path(), name, every);
        let out = out.join(name);
        let arguments =
            [name, "random", "--games", "2", "--engine", &engine, "--move-time", "300ms", "--openings", "random:0"];
        let (games, _, stderr) = played(&out, &arguments, 0);
        let lost: Vec<_> = games.iter().filter(|row| !row["reason"].is_empty()).collect();
        assert!(!lost.is_empty() && stderr.contains(&format!("lost by {name}: {end}: ")), "{name}: {games:?} {stderr}");
        for row in lost {
            let own = if row["first"] == name { "0-1" } else { "1-0" };
            assert!(row["end"] == end && row["reason"].contains(reason) && row["result"] == own, "{row:?}");
        }
    }
}

/// This program itself, asked as a foreign one in three ways, plays what the variant plays.
#[test]
fn programs_answer_moves_or_scores() {
    let (_place, out) = place();
    for (name, command, answer) in [
        ("columns", "{c4lab} solve --analyze", "{moves} {_} {_} {_} {scores}"),
        ("position", "{c4lab} solve", "{moves} {score} ..."),
    ] {
        let engine = format!("{name}={command}");
        let arguments = [
            name,
            "champion",
            "--games",
            "2",
            "--openings",
            "random:24",
            "--engine",
            &engine,
            "--answer",
            answer,
            "--referee",
        ];
        let (games, _, stderr) = played(&out.join(name), &arguments, 0);
        let good = |row: &HashMap<String, String>| {
            row["reason"].is_empty() && row["slips_first"] == "0" && row["slips_second"] == "0"
        };
        assert!(games.iter().all(good), "{games:?} {stderr}");
    }
}

#[test]
fn what_is_no_match_is_refused() {
    for (arguments, status, reason) in [
        (&["match", "champion", "random", "--games", "3"][..], 2, "an even number"),
        (&["match", "champion", "random", "--games", "0"], 2, "an even number"),
        (&["match", "champion", "randon"], 2, "players are variants, random"),
        (&["match", "champion", "random", "--openings", "four"], 2, "write random:N"),
        (&["match", "champion", "random", "--openings", "random:42"], 2, "7x6 has 42 squares"),
        (&["match", "mine", "random", "--engine", "mine=cat", "--answer", "{moves}"], 2, "an answer needs"),
        (
            &["match", "mine", "random", "--engine", "mine=cat", "--answer", "{move} {score}"],
            2,
            "one of {score}, {move}",
        ),
        (&["match", "champion", "random", "--games", "2", "--out", "/dev/null"], 1, "/dev/null"),
        (&["judge", "nobody"], 2, "no variant \"nobody\""),
        (&["judge", "random", "--per-ply", "0"], 2, "at least one"),
        (&["judge", "random", "--set", "nowhere.txt"], 1, "nowhere.txt"),
    ] {
        let (found, _, stderr) = run(arguments);
        assert!(found == status && stderr.contains(reason), "{arguments:?}: {found} {stderr}");
    }
}

#[test]
fn the_judge_tells_why_there_is_no_move() {
    let (place, out) = place();
    let engine = program(place.path(), "mad", "echo it is late >&2; exit 3");
    let arguments = ["judge", "mad", "--engine", &engine, "--set", "by-ply/40", "--per-ply", "2", "--out", shown(&out)];
    let (status, _, stderr) = run(&arguments);
    assert!(status == 0 && stderr.contains("2 positions without a move of mad: garbled: "), "{status} {stderr}");
    let log = stderr.lines().find_map(|line| line.strip_prefix("c4lab: mad wrote to stderr: ")).expect("a log");
    assert!(fs::read_to_string(log).expect("a log").contains("it is late"), "{log}");
}

#[test]
fn the_judge_finds_no_fault_with_the_champion_and_some_with_chance() {
    let (_place, out) = place();
    let judged = |player: &str, per_ply: &str| {
        let folder = out.join(player);
        let arguments =
            ["judge", player, "--set", "by-ply/26", "--per-ply", per_ply, "--quiet", "--out", shown(&folder)];
        let (status, stdout, stderr) = run(&arguments);
        assert_eq!(status, 0, "{stderr}");
        (rows(&folder, "judged.csv"), stdout)
    };
    let (rows, said) = judged("champion", "4");
    assert!(rows.iter().all(|row| row["keeps"] == "true" && row["fastest"] == "true"), "{rows:?}");
    assert!(rows.iter().any(|row| row["matters"] == "true") && said.contains("No move gave the value away"), "{said}");
    // It goes on: four are there.
    let (more, _) = judged("champion", "6");
    assert_eq!((more.len(), &more[..4]), (6, &rows[..]));
    let (rows, said) = judged("random", "40");
    assert!(rows.iter().any(|row| row["keeps"] == "false") && said.contains("First mistake with 26 stones"), "{said}");
}
