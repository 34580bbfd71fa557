//! The exported bot, in CPython: games that give nothing away, boards that no game leads to, files that are damaged.

use crate::support::place::{place, shown};
use crate::support::process::run;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The moves of both players on boards with fewer than 18 stones.
const STORE: &str = "tests/data/moves-18.store";

fn export(out: &Path, more: &[&str]) -> (i32, String, String) {
    run(&[&["bot", "export", "--quiet", "--out", shown(out)], more].concat())
}

fn python(place: &Path, arguments: &[&str], stdin: &str) -> Option<Output> {
    let file = place.join("lines");
    fs::write(&file, stdin).expect("a file");
    let lines = fs::File::open(&file).expect("a file");
    let output = Command::new("python3").args(arguments).current_dir(place).stdin(lines).output();
    if output.is_err() {
        println!("skipped: no python3 here");
    }
    output.ok()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The games of a match between the bot and another player.
fn games(place: &Path, opponent: &str, count: &str, nodes: &str) -> Vec<HashMap<String, String>> {
    let engine = format!("bot=python3 {} --nodes {nodes}", shown(&place.join("bot.py")));
    let folder = place.join(opponent);
    let openings = ["--openings", "random:0", "--answer", "{move}", "--quiet", "--referee"];
    let (status, _, stderr) = run(&[
        &["match", "bot", opponent, "--games", count, "--engine", &engine, "--out", shown(&folder)],
        &openings[..],
    ]
    .concat());
    assert_eq!(status, 0, "{stderr}");
    let mut reader = csv::Reader::from_path(folder.join("games.csv")).expect("rows");
    reader.deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn six_games_limited_by_nodes_give_nothing_away() {
    let (_place, folder) = place();
    let (status, stdout, stderr) = export(&folder.join("bot.py"), &["--store", STORE]);
    assert!(status == 0 && stdout.contains("moves with fewer than 18 stones"), "{stdout}{stderr}");
    if python(&folder, &["--version"], "").is_none() {
        return;
    }
    for (opponent, count) in [("champion", "2"), ("random", "2"), ("random-best", "2")] {
        for game in games(&folder, opponent, count, "100000") {
            let seat = if game["first"] == "bot" { "first" } else { "second" };
            assert_eq!(game[&format!("slips_{seat}")], "0", "{game:?}");
            assert!(seat == "second" || game["result"] == "1-0", "who begins wins: {game:?}");
        }
    }
}

/// A board of the article: rows from the top, 0, 1 or 2 in each square.
const ASK: &str = "
import bot, sys
board = [[0] * 7 for _ in range(6)]
state, turn = None, 1
def drop(column, stone):
    row = max(row for row in range(6) if not board[row][column])
    board[row][column] = stone
";

#[test]
fn the_function_of_the_article_plays_a_game_and_refuses_boards_that_no_game_leads_to() {
    let (_place, folder) = place();
    assert_eq!(export(&folder.join("bot.py"), &["--store", STORE]).0, 0);
    let game = format!(
        "{ASK}
for move in range(12):
    if turn == 1:
        column, state = bot.generate_move(board, 1, state, nodes=50000)
    else:
        column = next(column for column in range(7) if not board[0][column])
    drop(column, turn)
    mine = sum(1 << c * 7 + r for c in range(7) for r in range(6) if board[5 - r][c] == turn)
    if bot.fours(mine):
        print('won by', turn)
        break
    turn = 3 - turn
"
    );
    let Some(output) = python(&folder, &["-c", &game], "") else { return };
    assert_eq!(text(&output.stdout), "won by 1\n", "{}", text(&output.stderr));
    for (change, reason) in [
        ("board[0][3] = 1", "a stone has nothing below it"),
        ("board[5][3] = 1", "1 stones of 1 are the player's: it is not this player's turn"),
        ("board[5][3] = 3", "a square is 0, 1 or 2, not 3"),
        ("board.pop()", "the board has 6 rows of 7 squares"),
        ("board[5] = [1, 1, 1, 1, 2, 2, 2]; board[4] = [0, 0, 0, 0, 0, 0, 2]", "the game is over"),
        ("board[:] = [[1 + (row // 2 + column) % 2 for column in range(7)] for row in range(6)]", "the game is over"),
    ] {
        let ask = format!("{ASK}{change}\nbot.generate_move(board, 1, state)");
        let output = python(&folder, &["-c", &ask], "").expect("it ran before");
        assert!(
            text(&output.stderr).ends_with(&format!("ValueError: {reason}\n")),
            "{change}: {}",
            text(&output.stderr)
        );
    }
    let ask = format!("{ASK}bot.generate_move(board, 3, state)");
    let output = python(&folder, &["-c", &ask], "").expect("it ran before");
    assert!(text(&output.stderr).ends_with("ValueError: the player is 1 or 2\n"), "{}", text(&output.stderr));
}

#[test]
fn the_program_reads_lines_and_says_what_is_wrong() {
    let (_place, folder) = place();
    assert_eq!(export(&folder.join("bot.py"), &["--store", STORE]).0, 0);
    // The empty board; a win; a block; a position that the store's moves do not lead to.
    let lines = "\n121212\n12121\n4444443\n";
    let Some(output) = python(&folder, &["bot.py", "--nodes", "2000"], lines) else { return };
    let moves = text(&output.stdout);
    let moves: Vec<&str> = moves.lines().collect();
    assert_eq!((moves.len(), &moves[..3]), (4, &["4", "1", "1"][..]), "{}", text(&output.stderr));
    for (line, reason) in [("4448", "8: no move here"), ("1212121", "the game is over"), ("4444444", "4: no move here")]
    {
        let output = python(&folder, &["bot.py"], line).expect("it ran before");
        assert!(!output.status.success() && text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
    let output = python(&folder, &["bot.py", "--seconds"], "").expect("it ran before");
    assert!(!output.status.success() && text(&output.stderr).contains("python3 bot.py --nodes"));
    // A letter of the store is another one: the file says so before it plays.
    let file = folder.join("bot.py");
    let whole = fs::read_to_string(&file).expect("a bot");
    let begin = whole.find("STORE = [").expect("a store") + 200;
    let other = if &whole[begin..=begin] == "A" { "B" } else { "A" };
    fs::write(&file, [&whole[..begin], other, &whole[begin + 1..]].concat()).expect("a bot");
    let output = python(&folder, &["bot.py"], "4\n").expect("it ran before");
    assert!(text(&output.stderr).contains("its store has another checksum"), "{}", text(&output.stderr));
    // Cut off where what is left is a program: it says so, and so does the function of tournaments.
    for (at, arguments) in [("if __name__", &["bot.py"][..]), ("def position", &["-c", "import bot"])] {
        let end = whole.find(at).expect("a line");
        fs::write(&file, &whole[..end]).expect("a bot");
        let output = python(&folder, arguments, "4\n").expect("it ran before");
        let reason = "this bot is damaged: it is cut off";
        assert!(!output.status.success() && text(&output.stderr).contains(reason), "{}", text(&output.stderr));
    }
}

#[test]
fn bytes_that_do_not_suffice_and_stores_of_other_forms_are_refused() {
    let (_place, folder) = place();
    let out = folder.join("bot.py");
    let (status, _, stderr) = export(&out, &["--store", STORE, "--max-bytes", "20kB"]);
    assert!(status == 1 && stderr.contains("more than 20000; --plies 7 fits") && !out.exists(), "{stderr}");
    let (status, _, stderr) = export(&out, &["--plies", "4", "--max-bytes", "9"]);
    assert!(status == 1 && stderr.contains("nothing fits") && !out.exists(), "{stderr}");
    // The rows are there: the same command goes on, with more bytes.
    assert_eq!(export(&out, &["--plies", "4"]).0, 0);
    let store = folder.join("positions.store");
    let rows = folder.join("bot.rows");
    let pack = ["store", "pack", shown(&rows), "--plies", "4", "--form", "positions", "--out"];
    assert_eq!(run(&[&pack[..], &[shown(&store)]].concat()).0, 0);
    let (status, _, stderr) = export(&out, &["--store", shown(&store)]);
    assert!(status == 1 && stderr.contains("a store as positions; a bot reads one as retrieval"), "{stderr}");
    let (status, _, stderr) = export(&out, &["--store", "Cargo.toml"]);
    assert!(status == 1 && stderr.contains("Cargo.toml: no store"), "{stderr}");
    let (status, _, stderr) = export(&out, &["--store", STORE, "--move-time", "1ms"]);
    assert!(status == 1 && stderr.contains("10ms at least"), "{stderr}");
}

#[test]
fn every_reply_is_walked_and_programs_that_fail_are_told_why() {
    let (_place, folder) = place();
    assert_eq!(export(&folder.join("bot.py"), &["--store", STORE]).0, 0);
    if python(&folder, &["--version"], "").is_none() {
        return;
    }
    let verify = |command: &str, out: &str, more: &[&str]| {
        run(&[&["bot", "verify", command, "--quiet", "--out", shown(&folder.join(out))], more].concat())
    };
    let bot = format!("python3 {} --nodes 100000", shown(&folder.join("bot.py")));
    // To the store's horizon for a few stones, and beyond it by lot.
    let (status, stdout, stderr) = verify(&bot, "all", &["--plies", "9"]);
    assert!(
        status == 0 && stdout.contains("To boards with 8 stones every reply was walked: all of "),
        "{stdout}{stderr}"
    );
    let (status, stdout, stderr) = verify(&bot, "lots", &["--plies", "26", "--sample", "20", "--for", "first"]);
    assert!(status == 0 && stdout.contains("none of ") && stdout.contains("gives the value away"), "{stdout}{stderr}");
    let rows = fs::read_to_string(folder.join("lots/verified.csv")).expect("rows");
    assert!(rows.lines().count() == 14 && rows.lines().skip(1).all(|row| row.contains(",first,")), "{rows}");
    // A walk begins anew.
    let (status, _, stderr) = verify(&bot, "lots", &["--plies", "4"]);
    assert!(status == 1 && stderr.contains("choose another --out"), "{stderr}");
    // The first column in every position: the win is gone at once, and no position follows.
    let first = "sh -c 'while read line; do echo 1; done'";
    let (status, stdout, stderr) = verify(first, "first", &["--plies", "4", "--for", "first"]);
    assert!(status == 4 && stderr.contains("-: column 1 gives the value away"), "{stderr}");
    assert!(stdout.contains("failed moves: 1 of 1"), "{stdout}");
    let (status, _, stderr) = verify("cat", "cat", &["--plies", "3", "--for", "second", "--answer", "{moves}"]);
    assert!(status == 2 && stderr.contains("an answer needs"), "{stderr}");
    let (status, _, stderr) = verify("true", "true", &["--plies", "3", "--for", "second"]);
    assert!(status == 4 && stderr.contains("c4lab: 1: "), "{stderr}");
}
