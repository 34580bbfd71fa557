//! Positions as people write them, through real processes: what is read in one form is written in another.

use crate::support::{good, refused, run_with};

/// The board of "The Wondrous World of Connect Four Bit Boards", and with its stones without colour marked.
const POST: &str = "OOXO...\nXOXX.OX\nOOXO.OX\nXXOO.XO\nOOOXXOO\nXXXOXXX\n";
const MARKED: &str = "**XO...\n***X.O*\n**XO.O*\n*XOO.XO\n*OO*X**\n****X**\n";

fn solved(input: &str, more: &str) -> Vec<String> {
    let ended = run_with(&format!("solve --format text {more}"), input.as_bytes());
    assert_eq!(ended.status, 0, "{input}: {}", ended.stderr);
    ended.stdout.lines().map(str::to_string).collect()
}

fn scores(lines: &[String]) -> Vec<&str> {
    lines.iter().map(|line| line.split(' ').nth(1).unwrap()).collect()
}

#[test]
fn every_form_of_a_position_is_solved() {
    let expected = &solved("4444443265", "")[0].split(' ').nth(1).unwrap().to_string();
    for text in ["4,4,4,4,4,4,3,2,6,5", "4 4 4 4 4 4 3 2 6 5", "ddddddcbfe", "# a remark\n4444443265"] {
        assert_eq!(scores(&solved(text, "")), [expected], "{text}");
    }
    assert_eq!(scores(&solved("3333332154", "--first-column 0")), [expected]);
    let drawings = good("solve 4444443265 4444443265 --format drawing");
    assert!(drawings.starts_with("# 4444443265 "), "{drawings}");
    assert_eq!(scores(&solved(&drawings, "")), [expected; 2]);
    assert_eq!(scores(&solved(&drawings, "--threads 2")), [expected; 2]);
    for layout in ["tight", "spaced"] {
        let words = good(&format!("solve 4444443265 --format words --layout {layout}"));
        let (position, rest) = words.split_once(' ').unwrap();
        assert!(rest.starts_with(expected), "{words}");
        assert_eq!(scores(&solved(position, &format!("--layout {layout}"))), [expected], "{words}");
    }
    // What `solve` draws for people, without its words.
    let board = good("solve 4444443265 --format board");
    let drawn: String = board.lines().take(8).map(|line| format!("{line}\n")).collect();
    assert_eq!(scores(&solved(&drawn, "")), [expected], "{drawn}");
    assert_eq!(scores(&solved(&format!("{POST}\n{MARKED}"), "")), ["-2", "-2"]);
    assert!(good(&format!("solve '{POST}'")).contains(" -2 "), "a drawing is one argument");
    assert!(run_with("play 833e --first-column 0", b"quit\n").stderr.contains("(0 to 6)"));
    assert!(run_with(&format!("play '{POST}'"), b"quit\n").stdout.contains("O   O   X   O"));
}

#[test]
fn what_is_no_position_is_told_with_its_line() {
    let bad = |input: &str, part: &str| {
        let ended = run_with("solve --format text", input.as_bytes());
        assert_eq!(ended.status, 1, "{input}");
        assert!(ended.stderr.contains(part), "{input}: {part}: {}", ended.stderr);
    };
    bad(&format!("44\n{}", &POST[8..]), "line 2: a drawing of 5 rows; the board has 6");
    bad("330", "--first-column 0");
    bad("2:1", "bits of no board");
    refused(2, &[("solve 4 --first-column 2", "0..=1"), ("solve 4 --layout wide", "tight")]);
    // Tabs and blanks at the end of a row are passed over; twelve columns have letters.
    let spread: String =
        POST.lines().map(|row| row.chars().map(|c| format!("{c}\t")).collect::<String>() + "  \n").collect();
    assert_eq!(scores(&solved(&spread, "")), ["-2"]);
    let wide = format!("{}{}", "............\n".repeat(3), "..........X.\n");
    let ended = run_with("solve --format text --board 12x4 --node-limit 10", wide.as_bytes());
    assert!(ended.status == 5 && ended.stdout.starts_with("b ? "), "{}", ended.stdout);
}
