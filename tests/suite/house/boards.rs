//! No file outside `game/` writes down the measures of the standard board: a board tells its own.

use super::{hold_to, sources};

/// Ranges, types and arrays over columns, rows or squares of a board of 7 columns and 6 rows; and what knows no other board.
const MEASURES: [&str; 13] = [
    "0..7",
    "0..6",
    "0..42",
    "0..=6",
    "0..=7",
    "0..=42",
    "1..=6",
    "1..=7",
    "1..=42",
    "..=42",
    "; 7]",
    "<7, 6",
    "Oracle::<{",
];

/// Files that still do, or may.
const WRITTEN: [&str; 2] = [
    // The oracle judges positions of the standard board; for others it is refused.
    "src/lab/sets/generate.rs",
    // The published sets are of the standard board, with so many plies to play.
    "src/lab/sets/protocol.rs",
];

/// Whether a line writes one of them down: no digit or point beside it.
fn measures(line: &str) -> bool {
    let digit = |c: char| c.is_ascii_digit() || c == '.' || c == '_';
    MEASURES.iter().any(|measure| {
        line.match_indices(measure).any(|(at, _)| {
            !line[..at].ends_with(|c| digit(c) && measure.starts_with(|c: char| c.is_ascii_digit()))
                && !line[at + measure.len()..].starts_with(digit)
        })
    })
}

#[test]
fn only_the_game_knows_the_measures_of_its_board() {
    let mut sources = sources(&["src", "solver/src/axes", "solver/src/search"]);
    sources.retain(|source| source.code().any(|(_, line)| measures(line)));
    let found: Vec<String> = sources.into_iter().map(|source| source.path).collect();
    hold_to(&WRITTEN, &found, "only game/ knows the measures of a board");
}

#[test]
fn measures_are_found() {
    for line in ["(0..7).any(|column| full)", "for ply in 0..42 {", "[u32; 7]", "Oracle::<7, 6>::default()", "29..=42"]
    {
        assert!(measures(line), "{line}");
    }
    for line in ["0..70", "10..7", "[u8; 70]", "Grid<G>", "0..7.5"] {
        assert!(!measures(line), "{line}");
    }
}
