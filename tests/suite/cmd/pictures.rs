//! `c4lab solve` for people: a board on a terminal, lines everywhere else.

use crate::support::process::run;
use crate::support::terminal::OnTerminal;
use std::process::Stdio;

/// The middle columns are filled; the first player wins with the last stone.
const NARROW: &str = "4444443265";

fn shown(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let (status, shown) = OnTerminal::start(arguments, environment, None).ends();
    assert_eq!(status, 0, "{shown}");
    shown
}

#[test]
fn the_board_is_drawn_with_the_score_in_words() {
    let (status, stdout, stderr) = run(&["solve", NARROW, "--format", "board", "--pv"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let expected = "  \
  1   2   3   4   5   6   7
  .   .   .   O   .   .   .
  .   .   .   X   .   .   .
  .   .   .   O   .   .   .
  .   .   .   X   .   .   .
  .   .   .   O   .   .   .
  .   O   X   X  (O)  X   .
 -2  -2  -2   .   1  -2  -4

The first player (X) is to move. Score 1: the first player (X) wins with its 21st stone, in 31 plies.
Best column: 5.
Best play: 5";
    assert!(stdout.starts_with(expected), "{stdout}");
    assert!(stdout.contains(". Then the first player (X) has four in a row:\n\n"), "{stdout}");
    assert!(stdout.ends_with(&format!("\nNext: --explain (what the search did), c4lab play {NARROW}\n\n")), "{stdout}");
    let (_, weak, _) = run(&["solve", NARROW, "--format", "board", "--goal", "weak"]);
    assert!(weak.contains("Score 1: the first player (X) wins.\nBest column: 5.\n"), "{weak}");
}

/// What a search of its own would take long for is left out, unless it is asked for.
#[test]
fn scores_of_columns_are_shown_where_they_are_cheap() {
    let (_, cheap, _) = run(&["solve", NARROW, "--format", "board"]);
    assert!(cheap.contains("\n -2  -2  -2   .   1  -2  -4\n") && !cheap.contains("--analyze"), "{cheap}");
    let (_, dear, _) = run(&["solve", "44", "--format", "board", "--book"]);
    assert!(dear.contains("\n -3  -3  -2   1  -2  -3  -3\n"), "a book knows them: {dear}");
    let (_, long, _) = run(&["solve", "575627", "--format", "board"]);
    assert!(long.contains("Score 11: ") && long.contains("Best column: "), "{long}");
    assert!(long.contains("\nNext: --analyze (the score of every column), --explain"), "{long}");
}

#[test]
fn a_finished_game_and_a_bad_line_are_said_to_be_so() {
    let (status, stdout, _) = run(&["solve", "1212121", "448", "--format", "board"]);
    assert_eq!(status, 1);
    assert!(
        stdout.contains("\nThe first player (X) has four in a row.\n\n448 ? ply 3: '8' is not a column"),
        "{stdout}"
    );
}

/// Positions that are given or typed are drawn, in colours unless nobody wants them; a file of positions is answered in lines.
#[test]
fn a_terminal_gets_boards_and_a_file_gets_lines() {
    let (plain, painted) = (shown(&["solve", NARROW], &[("NO_COLOR", "1")]), shown(&["solve", NARROW], &[]));
    assert!(plain.contains("  .   O   X   X  (O)  X   .\n") && !plain.contains('\x1b'), "{plain}");
    assert!(painted.contains("\x1b[31mX"), "{painted}");
    let dumb = shown(&["solve", NARROW], &[("TERM", "dumb")]);
    assert!(!dumb.contains('\x1b'), "{dumb}");
    assert!(shown(&["solve", NARROW, "--format", "text"], &[]).starts_with("4444443265 1 "));
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), format!("{NARROW}\n")).unwrap();
    let stdin = Stdio::from(std::fs::File::open(file.path()).unwrap());
    let (status, lines) = OnTerminal::start(&["solve"], &[], Some(stdin)).ends();
    assert!(status == 0 && lines.starts_with("4444443265 1 "), "{lines}");
    assert!(run(&["solve", NARROW]).1.starts_with("4444443265 1 "), "a pipe");
}

#[test]
fn positions_are_typed() {
    let mut solve = OnTerminal::start(&["solve"], &[("NO_COLOR", "1")], None);
    let said = solve.reads_until("c4lab play");
    assert!(said.starts_with("c4lab: type a position"), "{said}");
    solve.types(&format!("{NARROW}\n"));
    let answer = solve.reads_until("Next: ");
    assert!(answer.contains("Best column: 5."), "{answer}");
    solve.types("\x04");
    assert_eq!(solve.ends().0, 0);
}
