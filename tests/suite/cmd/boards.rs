//! Boards other than the standard one, from the command line to the row: `solve`, `perft`, `test-sets`, `measure`, `engine serve`.

use crate::support::place::{place, shown};
use crate::support::process::{run, run_with};
use c4lab_measure::files::folder::read_samples;
use c4lab_measure::files::sample::Status;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::oracle::Oracle;

/// Boards of each type.
const BOARDS: [&str; 8] = ["4x4", "6x5", "7x7", "8x7", "9x6", "12x4", "8x8", "10x7"];

/// Those of them that take any choice.
const OF_ANY_CHOICE: [&str; 4] = ["4x4", "6x5", "7x7", "8x7"];

/// A search that shares little with the champion; its slots hold the keys of all of these boards.
const OTHER: &str = "pons-12[order=centre,table=full,table-size=chosen]";

/// Distinct positions after so many plies, by playing every game on a board that is a list of columns.
fn counted(board: BoardSize, plies: usize) -> Vec<usize> {
    let mut level = std::collections::HashSet::from([vec![String::new(); board.width() as usize]]);
    let mut counts = vec![1];
    for ply in 0..plies {
        let stone = if ply % 2 == 0 { 'x' } else { 'o' };
        level = level
            .iter()
            .flat_map(|columns| (0..columns.len()).map(move |column| (columns, column)))
            .filter(|(columns, column)| columns[*column].len() < board.height() as usize)
            .map(|(columns, column)| {
                let mut columns = columns.clone();
                columns[column].push(stone);
                columns
            })
            .collect();
        counts.push(level.len());
    }
    counts
}

/// No game ends within six plies, so that every way to play counts.
#[test]
fn positions_are_counted() {
    for name in BOARDS {
        let (status, text, stderr) = run(&["perft", "6", "--board", name]);
        assert_eq!(status, 0, "{stderr}");
        let found: Vec<usize> =
            text.lines().skip(1).map(|line| line.split_whitespace().nth(1).unwrap().parse().unwrap()).collect();
        assert_eq!(found, counted(name.parse().unwrap(), 6), "{name}");
    }
}

/// A set of the board is made, verified by another search, measured; rows name the board, and every score is right.
#[test]
fn sets_are_made_verified_and_measured() {
    let (place, out) = place();
    let folder = shown(place.path());
    for name in OF_ANY_CHOICE {
        let generate = ["test-sets", "generate", "--board", name, "--set", "end-easy", "--count", "6", "--out", folder];
        let (status, _, stderr) = run(&[&generate[..], &["--threads", "1", "--tt", "16MiB"]].concat());
        assert_eq!(status, 0, "{name}: {stderr}");
        let set = place.path().join(format!("set-{name}.txt"));
        std::fs::rename(place.path().join("end-easy.txt"), &set).unwrap();
        let set = shown(&set);
        let (status, text, stderr) = run(&["test-sets", "verify", set, "--board", name, "--scores", OTHER]);
        assert_eq!((status, text.contains("6 scores checked")), (0, true), "{name}: {text}{stderr}");

        let out = out.join(name);
        let variants = format!("champion-threats-halves,{OTHER}");
        let measure = ["measure", "--board", name, "--variants", &variants, "--test-sets", set, "--out", shown(&out)];
        let (status, _, stderr) = run(&[&measure[..], &["--quiet", "--counters"]].concat());
        assert_eq!(status, 0, "{name}: {stderr}");
        let rows = read_samples(&out).unwrap();
        assert!(rows.len() >= 12 && rows.iter().all(|row| row.status == Status::Ok), "{name}: {}", rows.len());
        let height: u32 = name.split_once('x').unwrap().1.parse().unwrap();
        assert!(rows.iter().all(|row| row.geometry == format!("{name}/{}", height + 1)), "{name}");
        let (status, report, stderr) = run(&["report", shown(&out)]);
        assert!(status == 0 && report.contains(OTHER), "{name}: {stderr}");
        // Every cell of a variant with a table was counted.
        let counters = std::fs::read_to_string(out.join("counters.csv")).unwrap();
        assert_eq!(counters.lines().count(), 1 + rows.len(), "{name}");
        let page = place.path().join("page.html");
        assert_eq!(run(&["report", shown(&out), "--html", shown(&page)]).0, 0);
        assert!(std::fs::read_to_string(&page).unwrap().contains(&format!("data-board=\"{name}\"")));
    }
}

/// The end of every game of a 6x5 board, drawn at random: the oracle's score, by the default and by a search at run time.
#[test]
fn scores_are_those_of_the_oracle() {
    let board: BoardSize = "6x5".parse().unwrap();
    let mut oracle = Oracle::<6, 5>::default();
    let (mut state, mut lines, mut expected) = (1u64, String::new(), Vec::new());
    while expected.len() < 12 {
        let mut position = Position::start_on(board);
        while position.ply() < 19 && !position.is_over() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let _ = position.play((state >> 33) as u32 % board.width());
        }
        if !position.is_over() {
            expected.push(oracle.score(position.columns()).to_string());
            lines += &format!("{position}\n");
        }
    }
    for variant in ["champion-threats-halves", "pons-10", "champion-threats-halves[table=full,table-bounds=either]"] {
        let arguments = ["solve", "--board", "6x5", "--variant", variant, "--analyze"];
        let (status, text, stderr) = run_with(&arguments, lines.as_bytes());
        assert_eq!(status, 0, "{stderr}");
        let scores: Vec<&str> = text.lines().map(|line| line.split_whitespace().nth(1).unwrap()).collect();
        assert_eq!(scores, expected, "{variant}");
        assert!(text.lines().all(|line| line.split_whitespace().count() == 4 + 6), "a score for each column: {text}");
    }
    let (status, served, _) = run_with(&["engine", "serve", "--board", "6x5"], lines.as_bytes());
    let scores: Vec<&str> = served.lines().map(|line| line.split_whitespace().nth(1).unwrap()).collect();
    assert_eq!((status, scores), (0, expected.iter().map(String::as_str).collect()));
}

#[test]
fn what_is_no_board_and_what_is_of_another_is_refused() {
    let reason = |arguments: &[&str]| {
        let (status, _, stderr) = run(arguments);
        assert_ne!(status, 0, "{arguments:?}");
        stderr
    };
    assert!(reason(&["solve", "1", "--board", "7"]).contains("is no size of a board"));
    assert!(reason(&["solve", "1", "--board", "12x10"]).contains("128 bits"));
    assert!(reason(&["solve", "1", "--board", "4x30"]).contains("no search was built for 4x30"));
    assert!(reason(&["solve", "1", "--board", "5x3"]).contains("no search was built for 5x3"));
    assert!(reason(&["perft", "3", "--board", "5x3"]).contains("no search was built for 5x3"));
    let choice = reason(&["solve", "1", "--board", "9x6", "--variant", "pons-10"]);
    assert!(choice.contains("no search of this choice was built for 9x6: there are pons-12-table-wide and champion"));
    for command in [
        &["book", "build", "--plies", "2", "--out"][..],
        &["store", "build", "--for", "both", "--plies", "2", "--out"],
        &["bot", "verify", "cat", "--plies", "2", "--out"],
    ] {
        let place = tempfile::TempDir::new().unwrap();
        let out = place.path().join("out");
        let refused = reason(&[command, &[out.to_str().unwrap(), "--board", "8x8"]].concat());
        assert!(
            refused.contains("are for boards of up to 64 bits; 8x8 has 72") && !out.exists(),
            "{command:?}: {refused}"
        );
    }
    assert!(reason(&["solve", "7", "--board", "6x5"]).contains("'7' is not a column (1 to 6)"));
    assert!(reason(&["test-sets", "verify", "end-easy", "--board", "6x5"]).contains("a set of 7x6, not of 6x5"));
    let oracle = ["test-sets", "generate", "--board", "8x6", "--set", "end-easy", "--count", "1", "--judge", "oracle"];
    assert!(reason(&[&oracle[..], &["--out", "/tmp"]].concat()).contains("the oracle knows 7x6 alone, not 8x6"));
    assert!(reason(&["bench", "--board", "6x5"]).contains("the positions of bench are of 7x6"));
    let published = reason(&["solve", "1", "--board", "7x7", "--variant", "pons-12"]);
    assert!(published.contains("cannot tell keys of 56 bits apart: choose table-size=chosen"), "{published}");
    let measure = ["measure", "--variants", "pons-12", "--test-sets", "end-easy", "--limit", "1"];
    assert!(reason(&[&measure[..], &["--board", "8x6"]].concat()).contains("a set of 7x6, not of 8x6"));
}
