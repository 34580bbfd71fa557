//! `c4lab solve`, and how every command ends, driven as people and scripts drive it. No test asserts a time.

use crate::support::late::{LATE, oracle};
use crate::support::process::{BINARY, run, run_with};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

const WON: &str = "1212121";
const FULL_COLUMNS: &str = "121212212121343434434343";

fn fields(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_string).collect()
}

#[test]
fn positions_are_arguments_or_lines() {
    let (status, stdout, stderr) = run(&[&["solve"], &LATE[..]].concat());
    assert_eq!((status, stderr.as_str()), (0, ""));
    let lines: Vec<_> = stdout.lines().map(fields).collect();
    assert_eq!(lines.len(), LATE.len());
    for (line, moves) in lines.iter().zip(LATE) {
        assert_eq!(line.len(), 4, "{line:?}");
        assert_eq!((&line[0][..], line[1].parse()), (moves, Ok(oracle(moves))));
        assert!(line[2].parse::<u64>().is_ok() && line[3].parse::<u64>().is_ok());
    }
    // CRLF, blanks around, no final newline: the same positions, the same nodes.
    let input = format!("{}\r\n {} \n{}", LATE[0], LATE[1], LATE[2]);
    let (status, stdout, _) = run_with(&["solve"], input.as_bytes());
    let again: Vec<_> = stdout.lines().map(fields).collect();
    assert_eq!(status, 0);
    assert!(lines.iter().zip(&again).all(|(a, b)| a[..3] == b[..3]) && again.len() == 3);
}

#[test]
fn nothing_in_nothing_out() {
    assert_eq!(run(&["solve"]), (0, String::new(), String::new()));
}

#[test]
fn the_empty_board_is_a_dash_and_a_blank_line_is_nothing() {
    for (arguments, input) in [(&["solve", ""][..], ""), (&["solve", "-"], ""), (&["solve"], "-\n")] {
        let (status, stdout, stderr) = run_with(&[arguments, &["--node-limit", "100"]].concat(), input.as_bytes());
        assert_eq!((status, stdout.as_str()), (5, "- ? node limit reached after 100 nodes\n"));
        assert!(stderr.ends_with(" 1: node limit reached after 100 nodes\n"), "{stderr}");
    }
    assert_eq!(run_with(&["solve"], b"\n \r\n\n"), (0, String::new(), String::new()));
}

/// Lines of test sets and the command's own lines are read; a score that they hold is compared with the answer.
#[test]
fn what_is_printed_is_read_again() {
    let scored: String = LATE.iter().map(|moves| format!("{moves} {}\n", oracle(moves))).collect();
    let (status, stdout, stderr) = run_with(&["solve", "--analyze"], scored.as_bytes());
    assert_eq!((status, stderr.as_str(), stdout.lines().count()), (0, "", LATE.len()));
    for goal in ["strong", "weak"] {
        let (status, again, stderr) = run_with(&["solve", "--goal", goal], stdout.as_bytes());
        assert_eq!((status, stderr.as_str(), again.lines().count()), (0, "", LATE.len()));
    }
    let wrong = format!("{} {}\n{}\n", LATE[0], oracle(LATE[0]) - 1, LATE[1]);
    let (status, stdout, stderr) = run_with(&["solve"], wrong.as_bytes());
    let expected = format!("c4lab: line 1: the score is {}, not {}\n", oracle(LATE[0]), oracle(LATE[0]) - 1);
    assert_eq!((status, stderr, stdout.lines().count()), (4, expected, 2));
    let (status, _, stderr) = run_with(&["solve"], format!("{} x\n44 99\n", LATE[0]).as_bytes());
    assert_eq!(status, 1);
    assert_eq!(
        stderr,
        "c4lab: line 1: \"x\" is not a score\nc4lab: line 2: 99 is not a score of this board (-18 to 18)\n"
    );
}

#[test]
fn no_line_of_the_output_is_missing() {
    let input = format!("{}\n448\n-\n{}\n", LATE[0], LATE[1]);
    let solve = |format: &str| {
        let arguments = ["solve", "--node-limit", "100000", "--pv", "--format", format];
        let (status, stdout, _) = run_with(&arguments, input.as_bytes());
        assert_eq!(status, 1);
        stdout
    };
    let text: Vec<Vec<String>> = solve("text").lines().map(fields).collect();
    let moves: Vec<&str> = text.iter().map(|line| line[0].as_str()).collect();
    assert_eq!(moves, [LATE[0], "448", "-", LATE[1]]);
    assert_eq!(text[1][1..].join(" "), "? ply 3: '8' is not a column (1 to 7)");
    let json: Vec<Value> = solve("json").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(json[1]["score"].is_null() && json[1]["error"] == "ply 3: '8' is not a column (1 to 7)", "{:?}", json[1]);
    assert_eq!(json[2]["error"], "node limit reached after 100000 nodes");
    assert!(json[3]["error"].is_null() && json[3]["score"] == oracle(LATE[1]));
    let csv = solve("csv");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let last = reader.headers().unwrap().len() - 1;
    assert_eq!(reader.headers().unwrap().get(last), Some("error"));
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    let errors: Vec<bool> = rows.iter().map(|row| !row[last].is_empty()).collect();
    assert_eq!(errors, [false, true, true, false]);
    assert_eq!((&rows[1][0], &rows[1][1]), ("448", ""));
}

#[test]
fn bad_lines_are_named_and_the_others_answered() {
    let mut input = b"44x\n448\n4444444\n12121213\n44\xff\n".to_vec();
    input.extend(b"1".repeat(1_000_000));
    input.extend(format!("\n{}\n\u{a0}\n4 four\n", LATE[0]).as_bytes());
    input.extend(LATE[1].as_bytes());
    let (status, stdout, stderr) = run_with(&["solve", "--node-limit", "1000000"], &input);
    assert_eq!(status, 1);
    let answered = stdout.lines().map(fields).filter(|line| line[1] != "?").map(|mut line| line.remove(0));
    assert_eq!(answered.collect::<Vec<_>>(), &LATE[..2]);
    assert_eq!(stdout.lines().count(), 10, "{stdout}");
    let expected = "\
        c4lab: line 1: ply 3: 'x' is not a column (1 to 7)\n\
        c4lab: line 2: ply 3: '8' is not a column (1 to 7)\n\
        c4lab: line 3: ply 7: column 4 is full\n\
        c4lab: line 4: ply 8: the game is already won\n\
        c4lab: line 5: not text\n\
        c4lab: line 6: ply 7: column 1 is full\n\
        c4lab: line 8: ply 1: '\\u{a0}' is not a column (1 to 7)\n\
        c4lab: line 9: \"four\" is not a score\n";
    assert_eq!(stderr, expected);
}

#[test]
fn bad_arguments_are_named_by_their_number() {
    let (status, stdout, stderr) = run(&["solve", LATE[0], "9", LATE[1]]);
    assert_eq!((status, stdout.lines().count()), (1, 3));
    assert_eq!(stderr, "c4lab: argument 2: ply 1: '9' is not a column (1 to 7)\n");
}

#[test]
fn a_finished_game_is_answered() {
    let (status, stdout, _) = run(&["solve", WON, "--analyze", "--pv"]);
    assert_eq!(status, 0);
    let line = fields(stdout.trim_end());
    assert_eq!((&line[..3], &line[4..]), (&fields("1212121 -18 0")[..], &fields(". . . . . . . -")[..]));
    let (_, stdout, _) = run(&["solve", WON, "--goal", "weak"]);
    assert!(stdout.starts_with("1212121 -1 0 "), "{stdout}");
}

#[test]
fn columns_and_best_line_agree_with_the_score() {
    let (status, stdout, _) = run(&["solve", "--analyze", "--pv", FULL_COLUMNS, LATE[1]]);
    assert_eq!(status, 0);
    for line in stdout.lines().map(fields) {
        assert_eq!(line.len(), 4 + 7 + 1);
        let best = line[4..11].iter().filter(|score| *score != ".").map(|score| score.parse::<i32>().unwrap()).max();
        assert_eq!(best, line[1].parse().ok());
        let end = oracle(&format!("{}{}", line[0], line[11]));
        assert_eq!(if line[11].len() % 2 == 0 { end } else { -end }.to_string(), line[1]);
    }
    assert!(stdout.starts_with(FULL_COLUMNS) && fields(stdout.lines().next().unwrap())[4..8] == [".", ".", ".", "."]);
}

/// Whoever writes a program begins with the examples: their scores are those of the solver.
#[test]
fn examples_have_the_right_score() {
    let score = run(&["solve", "44455554221"]).1.split(' ').nth(1).map(str::to_string).unwrap();
    let mut found = 0;
    for file in ["docs/REFERENCE.md", "docs/TUTORIAL.md", "README.md", "src/cmd/engine.rs", "tests/engines/by-heart.sh"]
    {
        let text = std::fs::read_to_string(file).unwrap();
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

#[test]
fn weak_is_the_sign() {
    for moves in LATE {
        let (_, stdout, _) = run(&["solve", moves, "--goal", "weak"]);
        assert_eq!(fields(&stdout)[1], oracle(moves).signum().to_string());
    }
}

#[test]
fn json_and_csv_are_read_back() {
    let arguments = ["solve", "--analyze", "--pv", LATE[0], FULL_COLUMNS, WON, "--format"];
    let (_, text, _) = run(&[&arguments[..], &["text"]].concat());
    let text: Vec<_> = text.lines().map(fields).collect();
    let (_, json, _) = run(&[&arguments[..], &["json"]].concat());
    for (line, text) in json.lines().zip(&text) {
        let object: Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["moves"], text[0]);
        assert_eq!(object["score"].to_string(), text[1]);
        assert_eq!(object["nodes"].to_string(), text[2]);
        let columns = object["columns"].as_array().unwrap().iter();
        let columns: Vec<_> =
            columns.map(|score| score.as_i64().map_or(".".into(), |score| score.to_string())).collect();
        assert_eq!(columns, text[4..11]);
        assert_eq!(object["pv"], text[11].trim_matches('-'));
    }
    assert_eq!(json.lines().count(), 3);
    let (_, csv, _) = run(&[&arguments[..], &["csv"]].concat());
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().unwrap().iter().map(str::to_string).collect::<Vec<_>>();
    assert_eq!(header[..5], ["moves", "score", "nodes", "microseconds", "column_1"]);
    assert_eq!(header[11], "pv");
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().zip(&text).all(|(row, text)| row[0] == text[0] && row[1] == text[1] && row[2] == text[2]));
    assert_eq!((&rows[1][4], &rows[2][11]), ("", ""));
}

#[test]
fn specs_run_and_agree_in_nodes_with_the_named_variant() {
    let line = |arguments: &[&str]| fields(&run(&[&["solve", LATE[2]], arguments].concat()).1)[..3].to_vec();
    assert_eq!(
        line(&["--variant", "pons-10"]),
        line(&["--variant", "pons-12", "--spec", "table=full,table-bounds=upper"])
    );
    assert_ne!(line(&["--variant", "pons-10"])[2], line(&["--variant", "pons-04"])[2]);
    assert_eq!(line(&["--variant", "pons-10"])[1], line(&["--variant", "pons-04"])[1]);
}

#[test]
fn unknown_names_suggest_the_nearest_and_are_usage_errors() {
    for (arguments, hint) in [
        (["--variant", "pons12"], "no variant \"pons12\"; nearest: \"pons-12\""),
        (["--goal", "week"], "no goal \"week\"; nearest: \"weak\""),
        (["--spec", "ordr=centre"], "no axis \"ordr\"; nearest: \"order\""),
        (["--spec", "order=center"], "no value of order \"center\"; nearest: \"centre\""),
        (["--spec", "table=none"], "table=none and table-bounds=none go together"),
        (["--spec", "order"], "\"order\" is not key=value"),
        (["--tt", "64M"], "not a size"),
        (["--tt", "-1"], "not a size"),
        (["--time-limit", "10"], "time unit needed"),
        (["--node-limit", "many"], "invalid digit"),
        (["--format", "xml"], "possible values: text, csv, json"),
    ] {
        let (status, stdout, stderr) = run(&["solve", "44", &format!("{}={}", arguments[0], arguments[1])]);
        assert_eq!((status, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.contains(hint), "{arguments:?}: {stderr}");
    }
}

#[test]
fn table_sizes_that_cannot_be_had_are_errors() {
    for (size, hint) in [
        ("0", "a table of 0 bytes is too small"),
        ("1", "a table of 1 bytes is too small"),
        ("1TiB", "no memory for a table of 1099511627776 bytes"),
        ("1EiB", "no memory for a table of 1152921504606846976 bytes"),
    ] {
        let (status, stdout, stderr) = run(&["solve", LATE[0], "--spec", "table-size=chosen", "--tt", size]);
        assert_eq!((status, stdout.as_str()), (1, ""), "{size}: {stderr}");
        assert!(stderr.starts_with("c4lab: ") && stderr.contains(hint), "{size}: {stderr}");
    }
}

#[test]
fn a_table_size_without_use_is_a_warning() {
    for (variant, hint) in [("pons-12", "published size"), ("pons-06", "has no table")] {
        let (status, stdout, stderr) = run(&["solve", LATE[0], "--variant", variant, "--tt", "1GiB"]);
        assert_eq!((status, stdout.lines().count()), (0, 1));
        assert!(stderr.starts_with("c4lab: warning: ") && stderr.contains(hint), "{stderr}");
    }
}

#[test]
fn limits_end_a_search_and_not_the_run() {
    let (status, stdout, stderr) = run(&["solve", LATE[0], "-", LATE[1], "--node-limit", "1000000"]);
    assert_eq!((status, stdout.lines().count()), (5, 3));
    assert_eq!(stderr, "c4lab: argument 2: node limit reached after 1000000 nodes\n");
    let (status, _, stderr) = run(&["solve", "-", "--time-limit", "1ms"]);
    assert_eq!(status, 5);
    assert!(stderr.starts_with("c4lab: argument 1: time limit reached after "), "{stderr}");
    // A bad line is worse.
    assert_eq!(run(&["solve", "-", "x", "--time-limit", "1ms"]).0, 1);
}

#[cfg(unix)]
#[test]
fn a_signal_ends_a_search_cleanly() {
    for signal in ["-INT", "-TERM"] {
        let mut child = Command::new(BINARY)
            .args(["solve", LATE[0], "-", LATE[1]])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        // It has answered once, so it listens, and is about to spend seconds at least on the empty board.
        assert!(line.starts_with(LATE[0]));
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        line.clear();
        assert_eq!(stdout.read_line(&mut line).unwrap(), 0, "{line}");
        assert_eq!(child.wait().unwrap().code(), Some(5), "{signal}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for arguments in [&["perft", "9"][..], &["list", "axes"], &["solve", LATE[0], LATE[1]], &["completions", "bash"]] {
        for format in ["text", "csv", "json"] {
            let takes_format = ["list", "solve"].contains(&arguments[0]);
            let format = if takes_format { vec!["--format", format] } else { vec![] };
            let mut command = Command::new(BINARY);
            command.args(arguments).args(format).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            drop(child.stdout.take());
            let mut stderr = String::new();
            child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
            assert_eq!((child.wait().unwrap().code(), stderr.as_str()), (Some(0), ""), "{arguments:?}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    for arguments in [&["perft", "3"][..], &["list", "axes", "--format", "json"], &["solve", LATE[0]]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let child = Command::new(BINARY).args(arguments).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(stderr.starts_with("c4lab: ") && stderr.contains("No space left"), "{stderr}");
    }
}

#[test]
fn every_command_has_help_with_examples() {
    let commands: [&[&str]; 10] = [
        &[],
        &["solve"],
        &["list"],
        &["measure"],
        &["report"],
        &["bench"],
        &["perft"],
        &["test-sets", "generate"],
        &["test-sets", "verify"],
        &["completions"],
    ];
    // Only `test-sets` by itself has nothing to show: its two commands have.
    for command in commands {
        let (status, stdout, _) = run(&[command, &["--help"]].concat());
        assert!(status == 0 && stdout.contains("Examples:\n"), "{command:?}: {stdout}");
    }
    assert!(run(&["--help"]).1.contains("c4lab list words"), "the words of the tables are explained");
    assert_eq!(run(&[]).0, 2);
    assert_eq!(run(&["test-sets"]).0, 2);
    assert_eq!(run(&["slove"]).0, 2);
}

#[test]
fn the_version_says_what_it_was_built_from() {
    let (status, stdout, _) = run(&["--version"]);
    assert_eq!(status, 0);
    assert!(stdout.starts_with(concat!("c4lab ", env!("CARGO_PKG_VERSION"), " (")), "{stdout}");
    assert!(stdout.contains("(git ") || stdout.contains("(not built in git)"), "{stdout}");
}

#[test]
fn completions_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (status, stdout, _) = run(&["completions", shell]);
        assert_eq!(status, 0);
        for word in
            ["solve", "list", "measure", "report", "bench", "perft", "test-sets", "completions", "--variant", "pons-12"]
        {
            let word = if shell == "fish" { word.trim_start_matches('-') } else { word };
            // Elvish and PowerShell complete options, not their values.
            let values = !["elvish", "powershell"].contains(&shell);
            assert!(stdout.contains(word) || word == "pons-12" && !values, "{shell}: {word}");
        }
    }
    assert_eq!(run(&["completions", "tcsh"]).0, 2);
}

/// A search of more nodes than one thread enters alone.
#[test]
fn threads_change_no_score() {
    let solved = |threads: &str| {
        let (status, stdout, stderr) = run(&["solve", "444442", "--goal", "weak", "--threads", threads]);
        assert_eq!((status, stderr.as_str()), (0, ""), "{threads}");
        let fields: Vec<i64> = stdout.split_whitespace().map(|field| field.parse().unwrap()).collect();
        (fields[1], fields[2])
    };
    let (score, nodes) = solved("1");
    assert!(nodes > 100_000 && solved("1") == (score, nodes));
    for threads in ["2", "3", "64"] {
        let (found, entered) = solved(threads);
        assert_eq!(found, score);
        assert_ne!(entered, nodes, "{threads} threads: it was put to a team");
    }
}

#[test]
fn threads_that_cannot_be_are_refused_with_the_reason() {
    for (arguments, reason) in [
        (&["--threads", "0"][..], "--threads 0: 0 threads: there may be 1 to 256"),
        (&["--threads", "1000"], "--threads 1000: 1000 threads: there may be 1 to 256"),
        (&["--threads", "2", "--variant", "pons-12"], "--threads 2: threads are for search=children"),
        (&["--threads", "2", "--variant", "champion-table-none"], "--threads 2: threads need table=buckets"),
    ] {
        let (status, stdout, stderr) = run(&[&["solve", "12"][..], arguments].concat());
        assert_eq!((status, stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(stderr.contains(reason), "{stderr}");
    }
}
