//! `c4lab solve --explain`.

use crate::support::process::{run, run_with};
use serde_json::Value;
use std::collections::BTreeSet;

const LATE: &str = "415473535241177673643117467523";

#[test]
fn the_nodes_that_are_explained_are_those_of_the_search() {
    for variant in ["pons-05", "pons-12", "herzberg", "blog-full", "champion", "champion[order=centre]", "bot-final"] {
        let goal = if variant == "bot-final" { "weak" } else { "strong" };
        let (status, stdout, _) = run(&["solve", LATE, "--explain", "--variant", variant, "--goal", goal]);
        assert_eq!(status, 0, "{variant}");
        let nodes = stdout.split(' ').nth(2).unwrap().to_string();
        let all = stdout.lines().find(|line| line.trim_start().starts_with("all ")).expect("a sum");
        let sum = all.split_whitespace().nth(1).unwrap().replace(',', "");
        assert_eq!(sum, nodes, "{variant}: {stdout}");
        // What the questions took is the same.
        let took = |line: &str| {
            let line = line.strip_suffix(" nodes").or(line.strip_suffix(" node"))?;
            line.split(' ').next_back()?.replace(',', "").parse::<u64>().ok()
        };
        let asked: u64 = stdout.lines().filter(|line| line.contains("  question ")).filter_map(took).sum();
        assert_eq!(asked.to_string(), nodes, "{variant}: {stdout}");
    }
}

#[test]
fn what_needs_no_node_is_explained_by_the_board() {
    for (moves, reason) in [
        ("121212", "Column 1 wins at once."),
        ("1212121", "The first player (X) has four in a row."),
        (
            "64222121231157157277431364454466337",
            "Every other move loses at once, so 5 is played; then every move lets the other side win at once.",
        ),
        (
            "5351676453744627361567435677125214212",
            "Every other move loses at once, so 3 3 are played; then the second player (O) can complete no four any more, which leaves one score.",
        ),
    ] {
        let (_, stdout, _) = run(&["solve", moves, "--explain"]);
        assert!(stdout.contains(&format!("\n  {reason}\n")), "{moves}: {stdout}");
    }
}

#[test]
fn explanations_fit_no_table_and_limits_hold_for_them() {
    let (status, _, stderr) = run(&["solve", LATE, "--explain", "--format", "csv"]);
    assert!(status == 2 && stderr.contains("measure --counters"), "{stderr}");
    let (_, board, _) = run(&["solve", LATE, "--explain", "--format", "board"]);
    assert!(board.contains("\nHow champion found the score 2:\n") && board.contains("\nNext: "), "{board}");
    let (_, looked_up, _) = run(&["solve", "44", "--explain", "--variant", "champion@book=8"]);
    assert!(looked_up.ends_with("\n  It stands in the book.\n"), "{looked_up}");
    let (status, stdout, _) = run(&["solve", LATE, "--explain", "--node-limit", "10"]);
    assert!(status == 5 && !stdout.contains("How champion"), "{stdout}");
}

fn explained(positions: &[&str], variant: &str) -> Vec<Value> {
    let arguments = ["solve", "--explain", "--variant", variant, "--format", "json"];
    let (status, stdout, stderr) = run_with(&arguments, positions.join("\n").as_bytes());
    assert_eq!((status, stderr.as_str()), (0, ""), "{variant}");
    let told: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect();
    assert_eq!(told.len(), positions.len());
    told.into_iter().map(|told| told["explanation"].clone()).collect()
}

/// The signs of a drawing, by the square: column and row, from 1.
fn signs(drawing: &Value) -> Vec<(usize, usize, &str)> {
    let number = |mark: &Value, key: &str| mark[key].as_u64().unwrap() as usize;
    let marks = drawing["marks"].as_array().expect("a list").iter();
    let mut signs: Vec<_> =
        marks.map(|mark| (number(mark, "column"), number(mark, "row"), mark["sign"].as_str().unwrap())).collect();
    signs.sort_unstable();
    signs
}

fn texts<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
    let text = |it: &'a Value| if key.is_empty() { it } else { &it[key] }.as_str().expect("text");
    list.as_array().expect("a list").iter().map(text).collect()
}

/// A question that squares ended: the drawing is of the board that they lie on, and names their rule.
#[test]
fn claimed_squares_are_drawn() {
    let told = &explained(&[LATE], "champion")[0];
    assert_eq!(texts(&told["questions"], "ended_by"), ["zugzwang", "zugzwang", "search"]);
    let drawing = &told["drawings"][0];
    assert_eq!(drawing["moves"], format!("{LATE}2"));
    assert!(drawing["title"].as_str().unwrap().contains("Rule odd-threat"), "{drawing}");
    assert_eq!(signs(drawing), [(2, 5, "T"), (2, 6, "-"), (5, 6, "T"), (6, 6, "c")]);
    // Without the rules there is nothing to draw of them.
    let without = &explained(&[LATE], "champion[zugzwang=none]")[0];
    assert!(!without["drawings"].to_string().contains("Rule"), "{without}");
}

/// Every sign of every drawing lies on an empty square of its board and stands in its legend.
#[test]
fn signs_lie_on_empty_squares_and_are_explained() {
    let text = std::fs::read_to_string("solver/tests/data/random-positions.txt").unwrap();
    let positions: Vec<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    let positions: Vec<&str> = positions.into_iter().filter(|moves| moves.len() >= 24).step_by(50).collect();
    let (mut drawn, mut rules) = (0, BTreeSet::new());
    for variant in ["champion", "pons-09", "pons-12[zugzwang=sums]"] {
        for drawing in explained(&positions, variant).iter().flat_map(|told| told["drawings"].as_array().unwrap()) {
            drawn += 1;
            let rule = drawing["title"].as_str().unwrap().split_once("Rule ");
            rules.extend(rule.map(|(_, rest)| rest.split(':').next().unwrap().to_string()));
            let (rows, legend) = (texts(&drawing["rows"], ""), texts(&drawing["legend"], "sign"));
            for (column, row, sign) in signs(drawing) {
                assert_eq!(rows[rows.len() - row].as_bytes()[column - 1], b'.', "{variant}: {drawing}");
                let range = |it: &&str| it.len() == 3 && (&it[..1]..=&it[2..]).contains(&sign);
                assert!(legend.iter().any(|it| *it == sign || range(it)), "{variant}: {drawing}");
            }
        }
    }
    assert!(drawn > 400 && rules.len() >= 5, "{drawn} drawings of {rules:?}");
}
