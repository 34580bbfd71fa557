//! The bot in plain CPython (examples/bots/bots.py) against the variants that stand for it.

use crate::support::process::run;
use std::process::Command;

/// What it answers: moves, score, nodes; `None` where there is no CPython.
fn python(form: &str, moves: &str) -> Option<Vec<String>> {
    let output = Command::new("python3").args(["examples/bots/bots.py", form, moves]).output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    Some(text.split_whitespace().map(str::to_string).collect())
}

fn ours(variant: &str, moves: &str, goal: &str) -> Vec<String> {
    let (status, stdout, stderr) = run(&["solve", moves, "--variant", variant, "--goal", goal]);
    assert_eq!(status, 0, "{stderr}");
    stdout.split_whitespace().take(3).map(str::to_string).collect()
}

#[test]
fn the_first_form_takes_the_nodes_of_its_variant_and_the_last_one_agrees() {
    for moves in ["2252576253462244111563365343671351441", "2553315117217641126654773776646"] {
        let Some(first) = python("baseline", moves) else {
            println!("skipped: no python3 here");
            return;
        };
        assert_eq!(first, ours("bot-baseline", moves, "strong"));
        let last = python("final", moves).expect("it ran before");
        let variant = ours("bot-final", moves, "weak");
        assert_eq!(last, variant, "so few nodes that no slot is written twice");
    }
}

#[test]
fn a_form_that_there_is_not_is_told() {
    let Ok(output) = Command::new("python3").args(["examples/bots/bots.py", "best", "44"]).output() else {
        println!("skipped: no python3 here");
        return;
    };
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("python3 bots.py --rate"));
}
