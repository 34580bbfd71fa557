//! `c4lab check`: it finds the protocol of programs of every kind, and those in `examples/engines/` are right.

use crate::support::{Ended, place, refused, run};
use c4lab_measure::plan::experiment::Experiment;
use std::process::Command;

/// Checks the program `odd.sh`, which looks up its answers, with the oddity `way`.
fn odd(way: &str, more: &str) -> Ended {
    run(&format!("check 'sh tests/engines/odd.sh test-sets/end-easy.txt {way}' {more}"))
}

fn keys(stdout: &str) -> Vec<&str> {
    let table = stdout.lines().skip_while(|line| *line != "[engines.mine]");
    table.skip(2).take_while(|line| line.contains(" = ")).collect()
}

#[test]
fn the_protocol_of_a_program_becomes_its_table() {
    for (way, expected) in [
        ("usual", &[][..]),
        ("zero", &["first-column = 0"]),
        ("plies", &["first-column = 0", "score = \"plies\""]),
        ("first", &["side = \"first\""]),
        ("words", &["score = \"sign\""]),
        ("bare", &["answer = \"{score}\""]),
        ("spaced", &["answer = \"result: {score} [visited] [{nodes}n]\""]),
        ("greeting", &["greeting = true"]),
        ("once", &["protocol = \"input\""]),
        ("unflushed", &["protocol = \"input\""]),
        ("arguments", &["protocol = \"arguments\""]),
    ] {
        let stdout = odd(way, "--ask-only --patience 500ms").ok();
        assert_eq!(keys(&stdout), expected, "{way}: {stdout}");
        assert!(stdout.contains("20 of 20") && stdout.contains("odd 1.0"), "{way}: {stdout}");
    }
    let known = odd("bare", "--ask-only --engine-key 'answer={score} ...' --engine-key 'version=echo 3'").ok();
    assert_eq!(keys(&known), ["answer = \"{score} ...\"", "version = \"echo 3\""], "keys that are known stay");
}

#[test]
fn a_program_that_is_not_understood_is_a_status() {
    for (way, status) in [
        ("nonsense", 1),
        ("move", 1),
        ("silent", 1),
        ("crash", 1),
        ("fifth", 1),
        ("endless", 1),
        ("chatty", 0),
        ("wrong", 4),
    ] {
        let ended = odd(way, "--ask-only --patience 300ms");
        assert_eq!((ended.status, ended.stderr.as_str()), (status, ""), "{way}: {}", ended.stdout);
        assert_eq!(ended.stdout.contains("[engines.mine]"), status != 1, "{way}: {}", ended.stdout);
    }
    refused(
        2,
        &[
            ("check", ""),
            ("check cat --engine-key anser=x", "\"answer\""),
            ("check cat --engine-key first-column=3", "0 or 1"),
            ("check \"'\"", "quote"),
        ],
    );
    assert_eq!(run("check ./no-such-program --patience 1s").status, 1);
}

/// Of a program that no explanation fits, the two best explanations are shown, each with the answers against it.
#[test]
fn explanations_are_weighed() {
    let stdout = odd("wrong", "--ask-only --patience 300ms").stdout;
    let right = stdout.lines().filter(|line| line.starts_with("Explanation ")).count();
    let against = stdout.lines().filter(|line| line.contains("against it: asked ")).count();
    assert!(right == 2 && (2..=10).contains(&against) && !stdout.contains("c4lab measure"), "{stdout}");
    // A program that answers all lines is not taken for one that is started for every position.
    let ended = odd("stateful", "--ask-only --patience 300ms");
    assert!(ended.status == 4 && ended.stdout.contains("one line for each position"), "{}", ended.stdout);
    let stdout = odd("fifth", "--ask-only").stdout;
    assert!(stdout.contains("ended by signal 11") && stdout.contains("4 answers"), "{stdout}");
    assert!(odd("endless", "--ask-only").stdout.contains("100 lines"));
}

/// A program is measured beside the champion and the ladder, and its experiment can be measured again.
#[test]
fn a_program_is_measured() {
    let place = place();
    let (toml, out) = (place.name("mine.toml"), place.name("run"));
    odd("spaced", &format!("--set end-easy --limit 12 --out {out} --write {toml}")).ok();
    assert!(place.path("run/samples.csv").is_file());
    let experiment = Experiment::open(&toml).unwrap();
    assert_eq!((experiment.order(), experiment.engines.len()), (vec!["champion".to_string(), "mine".to_string()], 1));
    assert_eq!(odd("wrong", &format!("--set end-easy --limit 60 --out {}", place.name("w"))).status, 4);
}

/// The arguments that build the program of a language, if it must be built, and its command.
fn adapter(language: &str, folder: &str) -> (String, String) {
    match language {
        "c++" => (format!("-O1 -std=c++17 -o {folder}/solver examples/engines/solver.cpp"), format!("{folder}/solver")),
        "javac" => (format!("-d {folder} examples/engines/Solver.java"), format!("java -cp {folder} Solver")),
        "node" => (String::new(), "node examples/engines/solver.js".to_string()),
        _ => (String::new(), "python3 examples/engines/solver.py".to_string()),
    }
}

#[test]
fn adapters_are_right() {
    for language in ["python3", "node", "c++", "javac"] {
        if !Command::new(language).arg("--version").output().is_ok_and(|output| output.status.success()) {
            println!("skipped: no {language} here");
            continue;
        }
        let place = place();
        let (build, command) = adapter(language, &place.name(""));
        if !build.is_empty() {
            assert!(Command::new(language).args(build.split(' ')).status().unwrap().success(), "{language}");
        }
        let stdout = run(&format!("check '{command}' --set end-easy --limit 20 --out {}", place.name("run"))).ok();
        assert!(keys(&stdout).is_empty(), "{language} is asked in the usual way: {stdout}");
    }
}
