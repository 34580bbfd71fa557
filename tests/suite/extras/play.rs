//! `c4lab play`, `match` and `judge`: games of people, variants, random players and engines of all kinds.

use crate::support::{
    Place, Rows, command, ended, good, json, place, place_of_run, read, refused, run, run_with, signal, started, table,
    under_way,
};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

const FOURTH: &str = "--engine 'mine=sh -c \"while read m; do echo \\$m 4; done\"'";

fn played(arguments: &str, typed: &str) -> String {
    run_with(&format!("play {arguments}"), typed.as_bytes()).ok()
}

#[test]
fn a_game_is_played_and_taken_back() {
    // The champion takes a win that the person overlooks. The person takes that back, and the game is won twice.
    let stdout = played("121212", "hint\n7\nback\n1\nback\nscores\n1\n4\nquit\n");
    assert_eq!(stdout.matches("you lose").count(), 1, "{stdout}");
    assert_eq!(stdout.matches("you win").count(), 2, "{stdout}");
    assert!(stdout.contains("champion plays 2.\n") && stdout.contains("\n 18 "), "{stdout}");
    // Every line of input has an answer, and an unfinished game can be resumed.
    let stdout = played("444444 --against champion", "\n9\nfoo\n?\nback\n\u{e4}\n4\n1\n");
    assert!(stdout.contains("c4lab play 4444441"), "{stdout}");
    played("1212121", &("4".repeat(1_000_000) + "\n"));
    assert!(played("121212", "1\nnew\nquit\n").ends_with("c4lab play 121212\n"), "anew from where it began");
}

/// The opponent is an engine, with the strength of its options.
#[test]
fn any_player_is_an_opponent() {
    assert_eq!(played(&format!("--against mine {FOURTH}"), "4\n4\n").matches("mine plays 4.").count(), 2);
    let keys = "--engine-key mine.first-column=0";
    assert!(played(&format!("--against mine {FOURTH} {keys}"), "1\n").contains("mine plays 5."));
    let full = run_with(&format!("play 44444 --against mine {FOURTH}"), b"1\n");
    assert!(full.status == 1 && full.stderr.contains("column 4"), "{}", full.stderr);
    let weak = "444444 --second --against random --seed 7";
    assert_eq!(played(weak, "1\n2\n3\n"), played(weak, "1\n2\n3\n"), "a seed is a game");
    assert!(played("121212 --second --against negamax:1", "").contains("negamax:1 plays 1."), "it sees a win");
    refused(
        2,
        &[
            ("play 448", "ply 3"),
            ("play --against champoin", "\"champion\""),
            ("play --against negamax:0", "negamax:4"),
            ("play --against mine --engine mine=cat --engine-key mine.anser=x", "\"answer\""),
            ("play --engine-key score=plies", "--engine"),
        ],
    );
}

fn waiting(line: &str, last: &str) -> Child {
    let mut child = started(command(line).stdin(Stdio::piped()));
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    assert!(lines.by_ref().map(Result::unwrap).any(|line| line.starts_with(last)), "{line}");
    child
}

#[test]
fn a_signal_ends_it_wherever_it_is() {
    use std::os::unix::process::ExitStatusExt;
    let mut child = waiting("play", "Your move");
    // A signal ends the process at once while it waits for a line, and otherwise at its next look at the interrupt.
    signal(&child, "-INT");
    let _ = child.stdin.as_mut().unwrap().write_all(b"\n");
    let ended = child.wait().unwrap();
    assert!(ended.signal() == Some(2) || ended.code() == Some(5), "{ended:?}");
    let mut searching = waiting("play --second --against pons-05", "  .   .   .   .   .   .   .");
    signal(&searching, "-INT");
    assert_eq!(searching.wait().unwrap().code(), Some(5));
}

fn games(place: &Place, name: &str, arguments: &str, status: i32) -> Rows {
    let ended = run(&format!("match {arguments} --quiet --out {}", place.name(name)));
    assert_eq!(ended.status, status, "{arguments}: {}", ended.stderr);
    table(&read(&format!("{}/games.csv", place.name(name))))
}

#[test]
fn a_perfect_player_gives_nothing_away_and_a_match_goes_on_where_it_was() {
    let place = place();
    let arguments = "champion random --openings random:16";
    let first = games(&place, "run", &format!("{arguments} --referee --games 2"), 0);
    let all = games(&place, "run", &format!("{arguments} --referee --games 6"), 0);
    assert_eq!((first.len(), all.len(), &all[..2]), (2, 6, &first[..]), "nothing is played again");
    for (game, row) in all.iter().enumerate() {
        let (ours, theirs) = if game % 2 == 0 { ("first", "second") } else { ("second", "first") };
        assert_eq!([&row[ours], &row[theirs]], ["champion", "random"]);
        assert_eq!([&row[&format!("slips_{ours}")], &row[&format!("guesses_{ours}")]], ["0", "0"]);
        assert!(row["moves"].starts_with(&row["opening"]) && ["four", "full"].contains(&&*row["end"]), "{row:?}");
        assert_eq!(row["opening"], all[game / 2 * 2]["opening"], "each opening twice");
    }
    // With another limit or goal, or without a referee, it is another match.
    for more in ["--referee --node-limit 9", "--referee --goal weak", ""] {
        assert_eq!(games(&place, "run", &format!("{arguments} --games 6 {more}"), 1), all, "{more}");
    }
    assert_eq!(
        run(&format!("match {arguments} --games 2 --board 6x5 --out {}", place.name("run"))).status,
        1,
        "another board"
    );
    let stopped = games(&place, "guesses", "champion champion[] --games 2 --node-limit 1 --openings random:2", 0);
    assert!(stopped.iter().all(|row| row["guesses_first"] != "0" && row["reason"].is_empty()), "{stopped:?}");
}

fn program(place: &Place, name: &str, every: &str) -> String {
    let script = place.file(&format!("{name}.sh"), &format!("while read -r moves; do\n{every}\ndone\n"));
    format!("--engine '{name}=sh {script}'")
}

#[test]
fn whoever_does_not_play_loses_with_a_reason() {
    let place = place();
    for (name, every, end, status) in [
        // Column 1 is full before.
        ("stubborn", "echo \"$moves 1\"", "illegal", 0),
        ("nine", "echo \"$moves 9\"", "garbled", 4),
        ("mute", "sleep 60", "late", 4),
        ("mad", "kill -9 $$", "crashed", 4),
        ("gone", "exit 3", "garbled", 4),
    ] {
        let engine = program(&place, name, every);
        let key = "--engine-key first-question=false";
        let arguments = format!("{name} random --games 2 {engine} {key} --move-time 300ms --openings random:0");
        let games = games(&place, name, &arguments, status);
        let lost: Vec<_> = games.iter().filter(|row| !row["reason"].is_empty()).collect();
        assert!(!lost.is_empty(), "{name}: {games:?}");
        for row in lost {
            let own = if row["first"] == name { "0-1" } else { "1-0" };
            assert_eq!([&row["end"], &row["result"]], [end, own], "{name}: {row:?}");
        }
    }
}

/// Files with `generate_move` are players as they are. Each failure loses the game and has its reason; the others play.
#[test]
fn files_of_python_play_each_with_each() {
    if Command::new("python3").arg("--version").output().is_err() {
        return println!("skipped: no python3 here");
    }
    let place = place();
    let bot = |name: &str, body: &str| {
        let text = format!("def generate_move(board, player, saved_state):\n    {}\n", body.replace('\n', "\n    "));
        place.file(&format!("{name}.py"), &text)
    };
    // The state goes on within a game and no further. The board is a copy, and stdout is no answer.
    let whole = "assert (saved_state or 0) == sum(cell == player for row in board for cell in row), saved_state\n\
                 print('thinking')\nstones = sum(cell == player for row in board for cell in row)\n\
                 column = max(column for column in range(7) if board[0][column] == 0)\nboard[5][0] = 2\n\
                 return column, stones + 1";
    let loses = [("raises", "raise RuntimeError('no idea')", "no idea"), ("none", "return None", "None")];
    let players = [bot("whole", whole), bot("real", "return 6.0 if board[0][6] == 0 else 0.0")];
    let players: Vec<String> = players.into_iter().chain(loses.map(|(name, body, _)| bot(name, body))).collect();
    let out = place.name("run");
    let line = |games: u32| format!("match {} --openings random:0 --games {games} --out {out}", players.join(" "));
    let first = run(&line(2));
    assert_eq!(first.status, 4, "{}", first.stderr);
    for (name, _, reason) in loses {
        let has = |line: &str| line.contains(&format!("{name}.py wrote to stderr")) && line.contains(reason);
        assert!(first.stderr.lines().any(has), "{name}: {}", first.stderr);
    }
    let games = |out: &str| table(&read(&format!("{out}/games.csv")));
    let rows = games(&out);
    assert_eq!(rows.len(), 12, "six pairs, each from either side");
    for row in &rows {
        let failed = |name: &String| ["raises.py", "none.py"].contains(&&**name);
        assert_eq!(
            row["reason"].is_empty(),
            !(failed(&row["first"]) || failed(&row["second"]) && row["moves"] != "-"),
            "{row:?}"
        );
    }
    let standings = good(&format!("report {out}"));
    assert!(standings.contains("4 players, 12 games") && standings.contains("Elo"), "{standings}");
    assert_eq!(run(&line(4)).status, 4);
    assert_eq!(games(&out)[..12], rows[..], "more games go on from there");
    // The whole game of the two that play: each fills columns from the right.
    let game = rows.iter().find(|row| row["reason"].is_empty()).expect("a game to its end");
    let shown = good(&format!("match --replay {out} --game {}", game["game"]));
    assert!(shown.contains(&format!("moves={}", game["moves"])) && shown.contains(&game["result"]), "{shown}");
    assert_eq!(shown.matches("  1   2   3").count(), game["moves"].len(), "a board for each move");
    let (first, last) = (shown.find(".py: 7").unwrap(), shown.rfind(".py: ").unwrap());
    assert!(first < last && !shown.contains("opening"), "{shown}");
    let by_article = run(&format!("{} --article-points --format csv", line(4))).stdout;
    assert!(table(&by_article).iter().any(|row| row["points"].parse::<f64>().unwrap() >= 5.0), "{by_article}");
    let big = place.file("big.py", &"#".repeat(1_000_001));
    refused(
        1,
        &[(&format!("match {big} random"), "1000001 bytes"), (&format!("match --replay {out} --game 99"), "24 games")],
    );
    let hangs = bot("hangs", "while True: pass");
    let ended = run(&format!("match {hangs} random --games 2 --move-time 300ms --out {}", place.name("late")));
    assert_eq!((ended.status, ended.stderr.contains("late")), (4, true), "{}", ended.stderr);
}

/// c4lab as an engine, by two protocols, plays the moves of the variant.
#[test]
fn programs_answer_moves_or_scores() {
    let place = place();
    for (name, command, answer) in [
        ("columns", "{c4lab} solve --analyze", "{moves} {_} {_} {_} {scores}"),
        ("position", "{c4lab} solve", "{moves} {score} ..."),
    ] {
        let engine = format!("--engine '{name}={command}' --answer '{answer}'");
        let arguments = format!("{name} champion --games 2 --openings random:24 --referee {engine}");
        for row in games(&place, name, &arguments, 0) {
            assert_eq!([&row["reason"], &row["slips_first"], &row["slips_second"]], ["", "0", "0"], "{row:?}");
        }
    }
    refused(
        2,
        &[
            ("match champion random --games 3", ""),
            ("match champion random --games 0", ""),
            ("match champion randon", "random"),
            ("match champion", "two"),
            ("match champion random --replay runs", "--replay"),
            ("match champion random --openings four", "random:N"),
            ("match champion random --openings random:42", "42"),
            ("match mine random --engine mine=cat --answer '{moves}'", "{score}"),
            ("match mine random --engine mine=cat --answer '{move} {score}'", "{move}"),
            ("judge nobody", "\"nobody\""),
            ("judge random --per-ply 0", ""),
        ],
    );
    refused(
        1,
        &[
            ("match champion random --games 2 --out /dev/null", "/dev/null"),
            ("judge random --set nowhere.txt", "nowhere.txt"),
            ("match nowhere.py random", "nowhere.py"),
            ("match --replay nowhere", "nowhere"),
        ],
    );
}

#[test]
fn the_judge_finds_no_fault_with_the_champion_and_some_with_chance() {
    let place = place();
    let judged = |player: &str, per_ply: u32| {
        let out = place.name(player);
        good(&format!("judge {player} --set by-ply/26 --per-ply {per_ply} --quiet --out {out}"));
        table(&read(&format!("{out}/judged.csv")))
    };
    let rows = judged("champion", 4);
    assert!(rows.iter().all(|row| row["keeps"] == "true" && row["fastest"] == "true"), "{rows:?}");
    // The resumed run has four rows already.
    let more = judged("champion", 6);
    assert_eq!((more.len(), &more[..4]), (6, &rows[..]));
    assert!(judged("random", 40).iter().any(|row| row["keeps"] == "false"));
    let engine = program(&place, "mad", "echo it is late >&2; exit 3");
    let mad = format!("judge mad {engine} --set by-ply/40 --per-ply 2 --out {}", place.name("mad"));
    assert_eq!(run(&mad).status, 4, "it never played a move");
}

#[test]
fn games_are_printed_for_programs() {
    for (line, count) in [
        ("match random random-best --games 2 --openings random:30 --seed 1", 6),
        ("judge random --set by-ply/40 --per-ply 2", 2),
    ] {
        let place = place();
        let print = |format: &str| good(&format!("{line} --format {format} --out {}", place.name(format)));
        let object = json(&print("json"));
        let objects = object["tables"][0]["rows"].as_array().expect("rows").clone();
        let rows = table(&print("csv"));
        assert_eq!((objects.len(), rows.len()), (count, count), "{line}");
        assert!(objects[0].as_object().unwrap().keys().all(|name| rows[0].contains_key(name)), "{line}");
    }
}

/// Players that do not search ask for no signal; the match does.
#[test]
fn a_match_ends_by_a_signal_and_goes_on() {
    let (place, out) = place_of_run();
    let line = |games: u32| format!("match random random --games {games} --openings random:2 --quiet --out {out}");
    let mut child = started(&mut command(&line(1_000_000)));
    under_way(&mut child, &place.name("run/games.csv"), 5);
    signal(&child, "-TERM");
    assert_eq!(ended(child).status, 5);
}
