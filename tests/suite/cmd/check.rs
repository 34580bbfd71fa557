//! `c4lab check`: programs of every kind are found out, and those in `examples/engines/` are right.

use crate::support::place::{place, shown};
use crate::support::process::{Outcome, run};
use c4lab_measure::plan::experiment::Experiment;
use std::process::Command;

/// Asks a program that knows its answers by heart, in some way.
fn odd(way: &str, more: &[&str]) -> Outcome {
    let command = format!("sh tests/engines/odd.sh test-sets/end-easy.txt {way}");
    run(&[&["check", &command, "--ask-only"], more].concat())
}

fn table(stdout: &str) -> Vec<&str> {
    let table = stdout.lines().skip_while(|line| *line != "[engines.mine]");
    table.skip(2).take_while(|line| line.contains(" = ")).collect()
}

#[test]
fn what_is_odd_about_a_program_becomes_its_table() {
    for (way, expected) in [
        ("usual", &[][..]),
        ("zero", &["first-column = \"0\""]),
        ("plies", &["first-column = \"0\"", "score = \"plies\""]),
        ("first", &["side = \"first\""]),
        ("words", &["score = \"sign\""]),
        ("bare", &["answer = \"{score}\""]),
        ("spaced", &["answer = \"result: {score} [visited] [{nodes}n]\""]),
        ("greeting", &["greeting = true"]),
        ("once", &["protocol = \"input\""]),
        ("unflushed", &["protocol = \"input\""]),
        ("arguments", &["protocol = \"arguments\""]),
    ] {
        let (status, stdout, stderr) = odd(way, &["--patience", "500ms"]);
        assert_eq!(status, 0, "{way}: {stdout}{stderr}");
        let expected: Vec<String> = expected.iter().map(|line| line.replace("\"0\"", "0")).collect();
        assert_eq!(table(&stdout), expected, "{stdout}");
        assert!(stdout.contains("  right        20 of 20 answers\n") && stdout.contains("\n  version      odd 1.0\n"));
        assert_eq!(stdout.contains("flush the output"), way == "unflushed", "{stdout}");
        let next = stdout.lines().last().unwrap();
        assert!(next.starts_with("Next: c4lab measure --variants champion"), "{next}");
        assert_eq!(next.contains("--goal weak"), way == "words", "{next}");
    }
}

#[test]
fn a_program_that_is_not_understood_is_quoted() {
    for (way, hint) in [
        ("nonsense", "in no sense that is known"),
        ("move", "they look like moves"),
        ("silent", "none in time; does it read a line, and flush"),
        ("crash", "none: exited with status 3"),
    ] {
        let (status, stdout, stderr) = odd(way, &["--patience", "300ms"]);
        assert_eq!((status, stderr.as_str()), (1, ""), "{way}: {stdout}");
        assert!(stdout.contains(hint) && stdout.contains("; the score is "), "{way}: {stdout}");
        assert!(stdout.lines().last().unwrap().starts_with("Next: answer a line of moves"), "{stdout}");
    }
    let (status, stdout, _) = odd("chatty", &[]);
    assert!(status == 0 && stdout.contains("says more than one line"), "{stdout}");
    let (status, stdout, stderr) = odd("wrong", &[]);
    assert_eq!((status, stderr.as_str()), (4, ""), "{stdout}");
    assert!(!stdout.contains("20 of 20") && stdout.contains("[engines.mine]"), "{stdout}");
}

#[test]
fn keys_that_are_known_stay_and_what_cannot_be_is_a_usage_error() {
    let (status, stdout, _) = odd("bare", &["--engine-key", "answer={score} ...", "--engine-key", "version=echo 3"]);
    assert_eq!((status, table(&stdout)), (0, vec!["answer = \"{score} ...\"", "version = \"echo 3\""]));
    for (arguments, hint) in [
        (&["check"][..], "<COMMAND>"),
        (&["check", "cat", "--engine-key", "anser=x"], "nearest: \"answer\""),
        (&["check", "cat", "--engine-key", "first-column=3"], "0 or 1"),
        (&["check", "'"], "missing closing quote"),
    ] {
        let (status, _, stderr) = run(arguments);
        assert!(status == 2 && stderr.contains(hint), "{arguments:?}: {stderr}");
    }
    let (status, stdout, _) = run(&["check", "./no-such-program", "--patience", "1s"]);
    assert!(status == 1 && stdout.contains("cannot start ./no-such-program"), "{stdout}");
    assert!(stdout.contains("Next: is the path right") && !stdout.contains("asked \""), "{stdout}");
}

/// Whoever is slow is not sent to a set that takes hours, and no position takes for ever.
#[test]
fn the_command_to_try_next_ends() {
    let (_folder, out) = place();
    let command = "sh tests/engines/odd.sh test-sets/end-easy.txt spaced";
    for how in [&["--ask-only"][..], &["--set", "end-easy", "--limit", "2", "--out", shown(&out)]] {
        let (status, stdout, stderr) = run(&[&["check", command][..], how].concat());
        assert_eq!(status, 0, "{stdout}{stderr}");
        let next = stdout.lines().last().unwrap();
        let set = if how.len() == 1 { "middle-easy" } else { "end-easy" };
        let said = format!("Next: c4lab measure --variants champion --test-sets {set} --limit 200 --time-limit 10s");
        assert!(next.starts_with(&said), "{next}");
    }
}

/// It is measured beside the champion and the ladder, and its experiment can be measured again.
#[test]
fn a_program_is_measured_and_summed_up_in_a_sentence() {
    let (folder, out) = place();
    let (toml, command) = (folder.path().join("mine.toml"), "sh tests/engines/odd.sh test-sets/end-easy.txt spaced");
    let how = ["--set", "end-easy", "--limit", "12", "--out", shown(&out), "--write", shown(&toml)];
    let (status, stdout, stderr) = run(&[&["check", command][..], &how].concat());
    assert_eq!(status, 0, "{stdout}{stderr}");
    let said = stdout.lines().find(|line| line.starts_with("All 12 right, ")).expect("a sentence");
    for part in ["times slower than the champion", "than pons-", "; its nodes are ", "(strong, end-easy; c4lab report "]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(out.join("samples.csv").is_file());
    assert!(stdout.ends_with(&format!("Next: c4lab measure {}\n", toml.display())), "{stdout}");
    let experiment = Experiment::open(shown(&toml)).unwrap();
    assert_eq!((experiment.order(), experiment.engines.len()), (vec!["champion".to_string(), "mine".to_string()], 1));
    let wrong = "sh tests/engines/odd.sh test-sets/end-easy.txt wrong";
    let (status, stdout, _) =
        run(&["check", wrong, "--set", "end-easy", "--limit", "60", "--out", shown(&folder.path().join("w"))]);
    assert!(status == 4 && stdout.contains(" wrong: a program is compared when"), "{stdout}");
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// What builds a program, if anything must be built, and its command.
fn adapter(language: &str, folder: &str) -> (Vec<String>, String) {
    let words = |text: String| text.split(' ').map(str::to_string).collect();
    match language {
        "c++" => {
            let built = format!("{folder}/solver");
            (words(format!("c++ -O1 -std=c++17 -o {built} examples/engines/solver.cpp")), built)
        }
        "javac" => {
            (words(format!("javac -d {folder} examples/engines/Solve.java")), format!("java -cp {folder} Solve"))
        }
        interpreter => {
            let ending = if interpreter == "node" { "js" } else { "py" };
            (Vec::new(), format!("{interpreter} examples/engines/solver.{ending}"))
        }
    }
}

#[test]
fn adapters_are_right() {
    for language in ["python3", "node", "c++", "javac"] {
        if !is_there(language) {
            println!("skipped: no {language} here");
            continue;
        }
        let (folder, out) = place();
        let (build, command) = adapter(language, shown(folder.path()));
        if let Some((program, arguments)) = build.split_first() {
            assert!(Command::new(program).args(arguments).status().unwrap().success(), "{language}");
        }
        let how = ["--set", "end-easy", "--limit", "20", "--out", shown(&out)];
        let (status, stdout, stderr) = run(&[&["check", &command][..], &how].concat());
        assert_eq!(status, 0, "{language}: {stdout}{stderr}");
        assert!(stdout.contains("All 20 right, "), "{language}: {stdout}");
        assert!(table(&stdout).is_empty(), "it is asked in the usual way: {stdout}");
    }
}
