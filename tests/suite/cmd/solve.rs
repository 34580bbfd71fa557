//! `c4lab solve`, and the ends of every command, by the command line. No test asserts a time.

use crate::support::positions::{LATE, oracle};
use crate::support::{command, good, json, place, read, refused, run, run_with, signal, started, table, unread};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};

const WON: &str = "1212121";
const FULL_COLUMNS: &str = "121212212121343434434343";
const OPEN: &str = "415473535241177673643117467523";

#[test]
fn positions_are_arguments_or_lines() {
    let lines = run(&format!("solve {}", LATE.join(" "))).words();
    assert_eq!(lines.len(), LATE.len());
    for (line, moves) in lines.iter().zip(LATE) {
        assert_eq!((line.len(), &line[0][..], line[1].parse()), (4, moves, Ok(oracle(moves))));
        assert!(line[2].parse::<u64>().is_ok() && line[3].parse::<u64>().is_ok());
    }
    // CRLF, surrounding blanks and a missing final newline change neither positions nor nodes.
    let again = run_with("solve", format!("{}\r\n {} \n{}", LATE[0], LATE[1], LATE[2]).as_bytes()).words();
    assert!(lines.iter().zip(&again).all(|(a, b)| a[..3] == b[..3]) && again.len() == 3);
    // A dash is the empty board. A blank line is skipped.
    for (line, input) in [("solve ''", ""), ("solve -", ""), ("solve", "-\n")] {
        let ended = run_with(&format!("{line} --node-limit 100"), input.as_bytes());
        assert!(ended.status == 5 && ended.stdout.starts_with("- ? "), "{}", ended.stdout);
    }
    for input in ["", "\n \r\n\n"] {
        assert_eq!(run_with("solve", input.as_bytes()).ok(), "");
    }
}

/// Lines of test sets and the first words of the command's own output are read, and their scores are compared with the answers.
#[test]
fn printed_lines_are_read_again() {
    let scored: String = LATE.iter().map(|moves| format!("{moves} {}\n", oracle(moves))).collect();
    let printed = run_with("solve --analyze", scored.as_bytes()).words();
    let printed: String = printed.iter().map(|words| format!("{} {}\n", words[0], words[1])).collect();
    for goal in ["strong", "weak"] {
        let again = run_with(&format!("solve --goal {goal}"), printed.as_bytes()).ok();
        let scores: Vec<i32> = again.lines().map(|line| line.split(' ').nth(1).unwrap().parse().unwrap()).collect();
        let expected = |moves: &&str| if goal == "weak" { oracle(moves).signum() } else { oracle(moves) };
        assert_eq!(scores, LATE.iter().map(expected).collect::<Vec<_>>());
    }
    let wrong = format!("{} {}\n{}\n", LATE[0], oracle(LATE[0]) - 1, LATE[1]);
    let ended = run_with("solve", wrong.as_bytes());
    assert_eq!((ended.status, ended.stdout.lines().count()), (4, 2));
    assert_eq!(run_with("solve", format!("{} x\n44 99\n", LATE[0]).as_bytes()).status, 1);
}

/// Every line of the input has a line of the output, in every format. Messages name bad lines by number.
#[test]
fn no_line_of_the_output_is_missing() {
    let input = format!("{}\n448\n-\n{}\n", LATE[0], LATE[1]);
    let solve = |format: &str| {
        let ended = run_with(&format!("solve --node-limit 100000 --pv --format {format}"), input.as_bytes());
        assert_eq!(ended.status, 1);
        ended.stdout
    };
    let firsts = |text: &str| text.lines().map(|line| line.split(' ').next().unwrap().to_string()).collect::<Vec<_>>();
    assert_eq!(firsts(&solve("text")), [LATE[0], "448", "-", LATE[1]]);
    let objects: Vec<Value> = solve("json").lines().map(json).collect();
    assert_eq!(objects.iter().map(|it| it["error"].is_null()).collect::<Vec<_>>(), [true, false, false, true]);
    assert_eq!(objects[3]["score"], oracle(LATE[1]));
    let rows = table(&solve("csv"));
    assert_eq!(rows.iter().map(|row| row["error"].is_empty()).collect::<Vec<_>>(), [true, false, false, true]);

    let mut input = b"44x\n448\n4444444\n12121213\n44\xff\n".to_vec();
    input.extend(b"1".repeat(1_000_000));
    input.extend(format!("\n{}\n\u{a0}\n4 four\n{}", LATE[0], LATE[1]).as_bytes());
    let ended = run_with("solve --node-limit 1000000", &input);
    assert_eq!((ended.status, ended.stdout.lines().count()), (1, 10));
    let named: Vec<&str> = ended.stderr.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(named, ["line 1", "line 2", "line 3", "line 4", "line 5", "line 6", "line 8", "line 9"]);
    let ended = run(&format!("solve {} 9 {}", LATE[0], LATE[1]));
    assert!((ended.status, ended.stdout.lines().count()) == (1, 3) && ended.stderr.contains("argument 2"));
}

#[test]
fn columns_and_best_line_agree_with_the_score() {
    let lines = run(&format!("solve --analyze --pv {FULL_COLUMNS} {}", LATE[1])).words();
    for line in &lines {
        assert_eq!(line.len(), 4 + 7 + 1);
        let best = line[4..11].iter().filter(|score| *score != ".").map(|score| score.parse::<i32>().unwrap()).max();
        assert_eq!(best, line[1].parse().ok());
        let end = oracle(&format!("{}{}", line[0], line[11]));
        assert_eq!(if line[11].len() % 2 == 0 { end } else { -end }.to_string(), line[1]);
    }
    assert_eq!(lines[0][4..8], [".", ".", ".", "."]);
    // A finished game is answered.
    let line = &run(&format!("solve {WON} --analyze --pv")).words()[0];
    assert_eq!((line[1..3].join(" "), line[4..].join(" ")), ("-18 0".into(), ". . . . . . . -".into()));
}

#[test]
fn json_and_csv_are_read_back() {
    let solve = format!("solve --analyze --pv {} {FULL_COLUMNS} {WON} --format", LATE[0]);
    let text = run(&format!("{solve} text")).words();
    let objects: Vec<Value> = good(&format!("{solve} json")).lines().map(json).collect();
    let rows = table(&good(&format!("{solve} csv")));
    assert_eq!((objects.len(), rows.len()), (3, 3));
    for ((object, row), text) in objects.iter().zip(&rows).zip(&text) {
        assert_eq!(object["moves"], text[0]);
        assert_eq!([&object["score"], &object["nodes"]].map(Value::to_string), text[1..3]);
        let columns = object["columns"].as_array().unwrap().iter();
        let columns: Vec<_> =
            columns.map(|score| score.as_i64().map_or(".".into(), |score| score.to_string())).collect();
        assert_eq!(columns, text[4..11]);
        assert_eq!(object["pv"], text[11].trim_matches('-'));
        assert_eq!(["moves", "score", "nodes"].map(|name| &row[name]), [&text[0], &text[1], &text[2]]);
    }
}

#[test]
fn examples_have_the_right_score() {
    let score = run("solve 44455554221").words()[0][1].clone();
    let mut found = 0;
    for file in ["docs/REFERENCE.md", "docs/TUTORIAL.md", "README.md", "src/cmd/engine.rs", "tests/engines/by-heart.sh"]
    {
        let text = read(file);
        for line in text.lines().filter(|line| !line.contains(" weak ") && !line.contains("--goal")) {
            // An answer repeats the moves; its score comes next.
            let answers = line.match_indices("44455554221 ").map(|(at, moves)| &line[at + moves.len()..]);
            for word in answers.filter_map(|rest| rest.split_whitespace().next()) {
                if word.parse::<i32>().is_ok() {
                    assert_eq!(word, score, "{file}: {line}");
                    found += 1;
                }
            }
        }
    }
    assert!(found >= 3, "{found}");
}

/// A named variant and the same search written as changes have equal nodes.
#[test]
fn choices_run_as_the_variants_that_they_make() {
    let solved = |more: &str| run(&format!("solve 76674224447455771667336 {more}")).words()[0][..3].to_vec();
    for (one, other) in [
        ("--variant pons-10", "--variant pons-12 --spec table=full,table-bounds=upper"),
        ("--variant champion-threats-halves[order=centre]", "--variant champion-threats-halves --spec order=centre"),
        ("--variant champion-threats-halves[]", "--variant champion-threats-halves"),
        (
            "--variant champion-threats-halves[order=centre,root=step]",
            "--variant champion-threats-halves[root=step] --spec order=centre",
        ),
    ] {
        assert_eq!(solved(one), solved(other), "{one}");
    }
    let (four, ten) = (solved("--variant pons-04"), solved("--variant pons-10"));
    assert!(four[1] == ten[1] && four[2] != ten[2]);
    // Other commands take these names, too: `bench`, `engine serve`.
    assert!(good("bench --variant champion-threats-halves[]").contains("Nodes: 872751"));
    assert_eq!(
        run_with("engine serve --variant champion-threats-halves[order=centre]", b"44444415\n").words().len(),
        1
    );
}

#[test]
fn bad_command_lines_are_refused_with_their_status() {
    refused(
        2,
        &[
            ("solve 44 --goal=week", "weak"),
            ("solve 44 --spec=ordr=centre", "\"order\""),
            ("solve 44 --tt=64M", "--tt"),
            ("solve 44 --time-limit=10", "--time-limit"),
            ("solve 44 --node-limit=many", "--node-limit"),
            ("solve 44 --format=xml", "csv"),
            ("solve 44 --explain --format csv", ""),
            ("", ""),
            ("test-sets", ""),
            ("slove", "solve"),
            ("completions tcsh", "bash"),
        ],
    );
    for size in ["0", "1", "1TiB", "1EiB"] {
        refused(1, &[(&format!("solve {} --spec table-size=chosen --tt {size}", LATE[0]), "table")]);
    }
    for variant in ["pons-12", "pons-06"] {
        let ended = run(&format!("solve {} --variant {variant} --tt 1GiB", LATE[0]));
        assert!(ended.status == 0 && ended.stderr.lines().count() == 1, "a size without use: {}", ended.stderr);
    }
}

#[test]
fn limits_and_signals_end_a_search_cleanly() {
    let ended = run(&format!("solve {} - {} --node-limit 1000000", LATE[0], LATE[1]));
    assert_eq!((ended.status, ended.stdout.lines().count(), ended.stderr.lines().count()), (5, 3, 1));
    assert_eq!(run("solve - --time-limit 1ms").status, 5);
    assert_eq!(run("solve - x --time-limit 1ms").status, 1, "a bad line is worse");
    for name in if cfg!(unix) { &["-INT", "-TERM"][..] } else { &[] } {
        let mut child = started(&mut command(&format!("solve {} - {}", LATE[0], LATE[1])));
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        // After its first answer it listens to signals, and now searches the empty board for seconds at least.
        assert!(line.starts_with(LATE[0]));
        signal(&child, name);
        line.clear();
        assert_eq!(stdout.read_line(&mut line).unwrap(), 0, "{line}");
        assert_eq!(child.wait().unwrap().code(), Some(5), "{name}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly_and_a_full_disk_is_an_error() {
    for line in [
        "perft 9",
        "list axes",
        "list axes --format json",
        "solve 24655214173274156744623427266133",
        "completions bash",
    ] {
        let ended = unread(&mut command(line));
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{line}");
        if cfg!(target_os = "linux") {
            let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            assert_eq!(command(line).stdout(full).output().unwrap().status.code(), Some(1), "{line}");
        }
    }
}

/// The explained nodes are those of the search, and those of its questions add up to them.
#[test]
fn the_nodes_that_are_explained_are_those_of_the_search() {
    for variant in ["pons-05", "pons-12", "champion", "champion[order=centre]", "bot-final"] {
        let goal = if variant == "bot-final" { "weak" } else { "strong" };
        let stdout = good(&format!("solve {OPEN} --explain --variant {variant} --goal {goal}"));
        let nodes = stdout.split(' ').nth(2).unwrap();
        let all = stdout.lines().find(|line| line.trim_start().starts_with("all ")).expect("a sum");
        assert_eq!(all.split_whitespace().nth(1).unwrap().replace(',', ""), nodes, "{variant}: {stdout}");
    }
    assert_eq!(run(&format!("solve {OPEN} --explain --node-limit 10")).status, 5);
}

fn explained(positions: &[&str], variant: &str) -> Vec<Value> {
    let line = format!("solve --explain --variant {variant} --format json");
    let told: Vec<Value> = run_with(&line, positions.join("\n").as_bytes()).ok().lines().map(json).collect();
    assert_eq!(told.len(), positions.len());
    told.into_iter().map(|told| told["explanation"].clone()).collect()
}

/// The signs of a drawing, by the square: column and row, from 1.
fn signs(drawing: &Value) -> BTreeSet<(u64, u64, &str)> {
    let square = |mark: &Value, key: &str| mark[key].as_u64().unwrap();
    let marks = drawing["marks"].as_array().expect("a list").iter();
    marks.map(|mark| (square(mark, "column"), square(mark, "row"), mark["sign"].as_str().unwrap())).collect()
}

/// Claimed squares are drawn on their board. Every sign is on an empty square and in the legend.
#[test]
fn explanations_are_drawn() {
    let drawing = &explained(&[OPEN], "champion")[0]["drawings"][0];
    assert_eq!(drawing["moves"], format!("{OPEN}2"));
    assert_eq!(signs(drawing), [(2, 5, "T"), (2, 6, "-"), (5, 6, "T"), (6, 6, "c")].into());
    let text = read("solver/tests/data/random-positions.txt");
    let positions: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    let positions: Vec<&str> = positions.into_iter().filter(|moves| moves.len() >= 24).step_by(300).collect();
    let mut drawn = 0;
    for variant in ["champion", "pons-09", "pons-12[zugzwang=sums]"] {
        for drawing in explained(&positions, variant).iter().flat_map(|told| told["drawings"].as_array().unwrap()) {
            drawn += 1;
            let rows: Vec<&str> = drawing["rows"].as_array().unwrap().iter().map(|row| row.as_str().unwrap()).collect();
            let legend: Vec<&str> =
                drawing["legend"].as_array().unwrap().iter().map(|it| it["sign"].as_str().unwrap()).collect();
            for (column, row, sign) in signs(drawing) {
                assert_eq!(rows[rows.len() - row as usize].as_bytes()[column as usize - 1], b'.', "{drawing}");
                let range = |it: &&str| it.len() == 3 && (&it[..1]..=&it[2..]).contains(&sign);
                assert!(legend.iter().any(|it| *it == sign || range(it)), "{variant}: {drawing}");
            }
        }
    }
    assert!(drawn > 100, "{drawn} drawings");
}

/// The moves of a position with filled middle columns. The first player wins with the last stone.
const NARROW: &str = "4444443265";
/// The drawing of this position, with the scores of the columns.
const DRAWN: &str = "  \
  1   2   3   4   5   6   7
  .   .   .   O   .   .   .
  .   .   .   X   .   .   .
  .   .   .   O   .   .   .
  .   .   .   X   .   .   .
  .   .   .   O   .   .   .
  .   O   X   X  (O)  X   .
 -2  -2  -2   .   1  -2  -4
";

/// Positions from arguments or a terminal are drawn, in colours unless NO_COLOR is set; a file gets lines.
#[cfg(unix)]
#[test]
fn a_terminal_gets_boards_and_a_file_gets_lines() {
    use crate::support::terminal::OnTerminal;
    assert!(good(&format!("solve {NARROW} --format board --pv")).starts_with(DRAWN));
    let shown = |arguments: &[&str], environment: &[(&str, &str)]| {
        let (status, shown) = OnTerminal::start(arguments, environment, None).ends();
        assert_eq!(status, 0, "{shown}");
        shown
    };
    assert!(shown(&["solve", NARROW], &[("NO_COLOR", "1")]).starts_with(DRAWN));
    assert!(!shown(&["solve", NARROW], &[("TERM", "dumb")]).contains('\x1b'));
    assert!(shown(&["solve", NARROW], &[]).contains("\x1b[31mX"));
    let lines = format!("{NARROW} 1 ");
    assert!(shown(&["solve", NARROW, "--format", "text"], &[]).starts_with(&lines));
    assert!(good(&format!("solve {NARROW}")).starts_with(&lines), "a pipe");
    let file = fs::File::open(place().file("file", &format!("{NARROW}\n"))).unwrap();
    let (status, shown) = OnTerminal::start(&["solve"], &[], Some(file.into())).ends();
    assert!(status == 0 && shown.starts_with(&lines), "{shown}");
    let mut typed = OnTerminal::start(&["solve"], &[("NO_COLOR", "1")], None);
    typed.reads_until("c4lab play");
    typed.types(&format!("{NARROW}\n"));
    typed.reads_until("Score 1");
    typed.types("\x04");
    assert_eq!(typed.ends().0, 0);
}
