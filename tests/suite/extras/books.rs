//! Books, stores, bots and outcomes of boards: built in parts, resumed, packed, checked against published results.

use crate::support::{Place, good, place, read, refused, run, table};
use std::fs;
use std::process::{Command, Output};

fn torn(file: &str) {
    let bytes = fs::read(file).unwrap();
    fs::write(file, &bytes[..bytes.len() - 20]).unwrap();
}

#[test]
fn a_book_is_built_resumed_and_checked() {
    let place = place();
    let build = format!("book build --board 6x5 --plies 2 --out {}", place.name("whole"));
    good(&build);
    let (book, rows) = (place.path("whole/6x5-2.book.gz"), place.name("whole/book.csv"));
    let (bytes, count) = (fs::read(&book).unwrap(), read(&rows).lines().count());
    fs::remove_file(&book).unwrap();
    torn(&rows);
    good(&format!("{build} --threads 1"));
    assert_eq!((&fs::read(&book).unwrap(), read(&rows).lines().count()), (&bytes, count));
    good(&format!("book check {}", book.display()));
    // Rows of another book, a position out of its place, and one with two scores.
    let text = read(&rows);
    let line = text.lines().nth(3).unwrap();
    let fields: Vec<&str> = line.split(',').collect();
    let with = |at: usize, value: &str| {
        let changed: Vec<&str> =
            fields.iter().enumerate().map(|(it, field)| if it == at { value } else { field }).collect();
        changed.join(",")
    };
    for (changed, part) in [
        (text.replacen(line, &with(4, "66"), 1), "line 4"),
        (text.replacen(",2,", ",7,", 1), "line 2"),
        (format!("{text}{}\n", with(5, "14")), "scores"),
    ] {
        fs::write(&rows, changed).unwrap();
        refused(1, &[(&build, part)]);
    }
}

#[test]
fn what_cannot_be_built_or_opened_says_why() {
    let place = place();
    let file = place.file("no.book.gz", "hello, this is no book");
    refused(
        1,
        &[
            (&format!("book check {file}"), "no.book.gz"),
            ("book check nowhere.book.gz", "nowhere.book.gz"),
            ("book build --plies 4 --out /dev/null", "/dev/null"),
            ("book build --plies 4 --board 5x3 --out x", ""),
        ],
    );
    refused(2, &[("book build --plies 4 --variant fhourstones --out x", "fhourstones")]);
}

fn build(place: &Place, name: &str, more: &str) {
    good(&format!("store build --out {} {more}", place.name(name)));
}

fn pack(place: &Place, folder: &str, out: &str, more: &str) -> String {
    format!("store pack --out {} {} {more}", place.name(out), place.name(folder))
}

#[test]
fn a_store_is_built_resumed_and_written_and_every_move_keeps_the_value() {
    let place = place();
    let (rows, both) = (place.name("whole/store.csv"), "--for both --plies 7");
    let sorted = || {
        let mut lines: Vec<String> = read(&rows).lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    build(&place, "whole", both);
    let lines = sorted();
    torn(&rows);
    build(&place, "whole", &format!("{both} --threads 1"));
    assert_eq!(sorted(), lines);
    good(&pack(&place, "whole", "a.store", "--plies 7"));
    // On a board of even width the first move is not in the middle.
    build(&place, "even", "--for both --plies 5 --board 4x4");
    good(&pack(&place, "even", "even.store", "--plies 5"));
    good(&format!("store verify {} --quiet", place.name("even.store")));
    good(&format!("store sizes {} --lines 6 --out {}", place.name("whole"), place.name("kept")));
    // All forms for six stones, and `retrieval`, which holds no lines, for seven.
    assert_eq!(table(&read(&place.name("kept/sizes.csv"))).len(), 5 * 7 + 1);
    let verify = format!("store verify {} --quiet --out {}", place.name("a.store"), place.name("kept"));
    good(&verify);
    assert_eq!(run(&verify).status, 1, "a walk begins anew");
    refused(
        1,
        &[
            (&pack(&place, "whole", "none", "--plies 7 --max-bytes 200B"), "--plies"),
            (&pack(&place, "whole", "none", "--plies 7 --max-bytes 3"), ""),
        ],
    );
    assert!(!place.path("none").exists());
}

#[test]
fn rows_that_lie_are_found() {
    let place = place();
    build(&place, "whole", "--for second --plies 8 --board 6x5");
    good(&pack(&place, "whole", "one.store", "--plies 8"));
    good(&format!("store verify {} --variant pons-12", place.name("one.store")));
    refused(
        1,
        &[
            (&pack(&place, "whole", "part.store", "--plies 10"), "second"),
            (&format!("store verify {}", place.file("hello.store", "hello\n")), "hello.store"),
            (&format!("store build --out {} --for second --plies 2", place.name("whole")), "store.csv, line 2"),
        ],
    );
    build(&place, "first", "--for first --plies 3");
    let text = read(&place.name("first/store.csv"));
    // The first move becomes the third column, second in the order of the rule, which only draws.
    let lie = text.replacen(",first,0,-,1,0,4,", ",first,0,-,1,1,3,", 1);
    assert_ne!(lie, text);
    place.file("first/store.csv", &lie);
    good(&pack(&place, "first", "lie.store", "--plies 1"));
    assert_eq!(run(&format!("store verify {}", place.name("lie.store"))).status, 4);
    // A row whose column is not that of its rank.
    place.file("first/store.csv", &text.replacen(",first,0,-,1,0,4,", ",first,0,-,1,0,3,", 1));
    refused(1, &[(&pack(&place, "first", "lie.store", "--plies 1"), "store.csv, line 2")]);
}

/// The moves of both players on boards with fewer than 18 stones.
const STORE: &str = "tests/data/moves-18.store";

fn exported() -> Option<Place> {
    let place = place();
    good(&format!("bot export --quiet --out {} --store {STORE}", place.name("bot.py")));
    let there = Command::new("python3").arg("--version").output().is_ok();
    if !there {
        println!("skipped: no python3 here");
    }
    there.then_some(place)
}

fn python(place: &Place, arguments: &[&str], stdin: &str) -> (bool, String, String) {
    let lines = fs::File::open(place.file("lines", stdin)).unwrap();
    let output: Output =
        Command::new("python3").args(arguments).current_dir(place.path("")).stdin(lines).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_bot_gives_nothing_away() {
    let Some(place) = exported() else { return };
    let bot = format!("python3 {} --nodes 100000", place.name("bot.py"));
    for opponent in ["champion", "random", "random-best"] {
        let out = place.name(opponent);
        good(&format!(
            "match bot {opponent} --games 2 --engine 'bot={bot}' --out {out} --openings random:0 --answer '{{move}}' \
             --quiet --referee"
        ));
        for game in table(&read(&format!("{out}/games.csv"))) {
            let seat = if game["first"] == "bot" { "first" } else { "second" };
            assert_eq!(game[&format!("slips_{seat}")], "0", "{game:?}");
            assert!(seat == "second" || game["result"] == "1-0", "who begins wins: {game:?}");
        }
    }
    // All replies are verified for a few stones, and random positions for more than the store has. Failures have a
    // status.
    let verify = |name: &str, command: &str, more: &str| {
        run(&format!("bot verify \"{command}\" --quiet --out {} {more}", place.name(name))).status
    };
    assert_eq!(verify("all", &bot, "--plies 7"), 0);
    assert_eq!(verify("lots", &bot, "--plies 26 --sample 8 --for first"), 0);
    assert_eq!(table(&read(&place.name("lots/verified.csv"))).len(), 13);
    assert_eq!(verify("lots", &bot, "--plies 4"), 1, "a walk begins anew");
    assert_eq!(verify("first", "sh -c 'while read line; do echo 1; done'", "--plies 4 --for first"), 4);
    assert_eq!(verify("true", "true", "--plies 3 --for second"), 4);
    assert_eq!(verify("cat", "cat", "--plies 3 --for second --answer {moves}"), 2);
}

const ASK: &str = "
import bot
board = [[0] * 7 for _ in range(6)]
state = None
";

#[test]
fn a_bot_reads_lines_and_boards_and_says_what_is_wrong() {
    let Some(place) = exported() else { return };
    // The empty board, a win, a block, and a position that the store's moves do not lead to.
    let (_, moves, error) = python(&place, &["bot.py", "--nodes", "2000"], "\n121212\n12121\n4444443\n");
    let moves: Vec<&str> = moves.lines().collect();
    assert_eq!((moves.len(), &moves[..3]), (4, &["4", "1", "1"][..]), "{error}");
    for line in ["4448", "1212121", "4444444"] {
        assert!(!python(&place, &["bot.py"], line).0, "{line}");
    }
    let asked = |change: &str, player: u32| {
        python(&place, &["-c", &format!("{ASK}{change}\nprint(bot.generate_move(board, {player}, state)[0])")], "")
    };
    assert_eq!(asked("", 1).1, "3\n");
    for change in [
        "board[0][3] = 1",
        "board[5][3] = 1",
        "board[5][3] = 3",
        "board.pop()",
        "board[5] = [1, 1, 1, 1, 2, 2, 2]; board[4] = [0, 0, 0, 0, 0, 0, 2]",
        "board[:] = [[1 + (row // 2 + column) % 2 for column in range(7)] for row in range(6)]",
    ] {
        assert!(asked(change, 1).2.contains("\nValueError: "), "{change}");
    }
    assert!(asked("", 3).2.contains("\nValueError: "));
    // A bot with a changed letter in its store, or cut off where the rest is valid Python, refuses to play.
    let whole = read(&place.name("bot.py"));
    let begin = whole.find("STORE = [").unwrap() + 200;
    let other = if &whole[begin..=begin] == "A" { "B" } else { "A" };
    let cut = |at: &str| whole[..whole.find(at).unwrap()].to_string();
    for damaged in [[&whole[..begin], other, &whole[begin + 1..]].concat(), cut("if __name__"), cut("def position")] {
        place.file("bot.py", &damaged);
        assert!(!python(&place, &["bot.py"], "4\n").0);
    }
}

#[test]
fn bytes_that_do_not_suffice_are_refused() {
    let place = place();
    let (file, store) = (place.name("bot.py"), place.name("a.store"));
    let export = format!("bot export --quiet --out {file}");
    refused(
        1,
        &[
            (&format!("{export} --plies 7 --max-bytes 9"), ""),
            (&format!("{export} --store Cargo.toml"), "Cargo.toml"),
            (&format!("{export} --store {STORE} --move-time 1ms"), "10ms"),
        ],
    );
    assert!(!place.path("bot.py").exists());
    // The rows are kept, so that the command with more bytes resumes.
    good(&format!("{export} --plies 7"));
    let bytes = fs::metadata(&file).unwrap().len();
    good(&format!("store pack {} --plies 7 --out {store}", place.name("bot.rows")));
    refused(1, &[(&format!("{export} --store {store} --max-bytes {}", bytes - 1), "--plies")]);
}

/// The bots in plain CPython (examples/bots/bots.py) take the nodes of the variants of the same search.
#[test]
fn bots_of_the_article_are_their_variants() {
    for moves in ["2252576253462244111563365343671351441", "2553315117217641126654773776646"] {
        for (form, goal) in [
            ("baseline", "strong"),
            ("cache", "strong"),
            ("early-win", "strong"),
            ("any-win", "weak"),
            ("final", "weak"),
        ] {
            let output = Command::new("python3").args(["examples/bots/bots.py", form, moves]).output();
            let Ok(output) = output else { return println!("skipped: no python3 here") };
            let text = String::from_utf8(output.stdout).unwrap();
            let ours = run(&format!("solve {moves} --variant bot-{form} --goal {goal}")).words();
            assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ours[0][..3], "{form}");
        }
    }
}

/// Small boards are solved once under both goals and agree with published outcomes. A contradiction has exit status 4.
#[test]
fn boards_are_solved_once_and_agree_with_what_was_published() {
    let place = place();
    let (out, file) = (place.name("run"), place.name("run/outcomes.csv"));
    let solve = format!("outcomes --boards 4x4,5x4,6x4 --out {out}");
    let printed = good(&solve);
    let once = read(&file);
    assert_eq!(table(&once).len(), 6);
    assert_eq!((good(&solve), read(&file)), (printed, once.clone()));
    good(&format!("report {out}"));
    let judge = format!("reproduce tromp-4x4 tromp-6x4 tromp-7x7 --from {out} --format csv --quiet");
    let verdicts: Vec<String> = table(&good(&judge)).iter().map(|row| row["verdict"].clone()).collect();
    assert_eq!(verdicts, ["reproduced", "reproduced", "not-tested"]);
    fs::write(&file, once.replace(",ok,0,=,", ",ok,1,+,")).unwrap();
    assert_eq!(run(&solve).status, 4);
    // A board that reached its limit is solved again under a longer one; a torn line is dropped.
    let limited = |limit: &str| {
        run(&format!("outcomes --boards 6x5 --goal strong --time-limit {limit} --out {}", place.name("l"))).status
    };
    assert_eq!((limited("1us"), limited("1us")), (5, 5));
    let rows = read(&place.name("l/outcomes.csv"));
    assert_eq!(table(&rows).len(), 1, "the same limit is not tried twice");
    place.file("l/outcomes.csv", &(rows + "1,6x5,str"));
    assert_eq!((limited("10m"), table(&read(&place.name("l/outcomes.csv"))).len()), (0, 2));
    // Faulty boards are refused, and a file with other columns is not changed.
    place.file("run/outcomes.csv", "a,b\n1,2\n");
    for line in ["--boards 4x4,9", "--boards 5x3", "--boards 4x4 --tt 12", "--boards 4x4"] {
        assert_ne!(run(&format!("outcomes {line} --out {out}")).status, 0, "{line}");
    }
    assert_eq!(read(&file), "a,b\n1,2\n");
}
