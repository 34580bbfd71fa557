//! Moves and diagrams: what is read is printed as it was, and an error names the first move that cannot be played.

use c4lab_measure::sets::test_set::{parse_moves_on, print_moves};
use c4lab_solver::game::notation::Reason;
use c4lab_solver::game::{Board, BoardSize, Geometry, Grid, Position, Standard, WideGrid};

/// Reads text as moves on boards of several sizes, and as a diagram.
pub fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    moves::<Standard>(text);
    moves::<Grid<4, 4, 5>>(text);
    moves::<WideGrid<9, 6, 7>>(text);
    if let Ok(position) = parse_moves_on(BoardSize::STANDARD, text) {
        assert_eq!(parse_moves_on(BoardSize::STANDARD, &print_moves(&position)), Ok(position));
    }
    match Board::<Standard>::parse_diagram(text) {
        Ok(board) => assert_eq!(Board::parse_diagram(&board.to_string()), Ok(board)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn moves<G: Geometry>(text: &str) {
    let error = match Position::parse_on(BoardSize::of::<G>(), text) {
        Ok(position) => return whole::<G>(&position, text),
        Err(error) => error,
    };
    let before: String = text.chars().take(error.ply - 1).collect();
    let position = Position::parse_on(BoardSize::of::<G>(), &before)
        .unwrap_or_else(|_| panic!("{text:?}: not the first bad move: {error}"));
    let bad = text.chars().nth(error.ply - 1).unwrap_or_else(|| panic!("{text:?}: no such move: {error}"));
    let is_column = ('1'..).take(G::WIDTH as usize).any(|digit| digit == bad);
    match error.reason {
        Reason::NotAColumn(named, width) => {
            assert!(!is_column && (named, width) == (bad, G::WIDTH), "{text:?}: {error}")
        }
        Reason::ColumnFull(column) => {
            let stones = before.chars().filter(|&digit| digit == bad).count();
            assert!(is_column && stones == G::HEIGHT as usize && bad.to_digit(10) == Some(column), "{text:?}: {error}");
        }
        Reason::GameWon => assert!(is_column && position.is_won(), "{text:?}: {error}"),
    }
}

/// Checks a position against the text that it was read from.
fn whole<G: Geometry>(position: &Position, text: &str) {
    assert_eq!(position.to_string(), text);
    assert_eq!((position.ply() as usize, position.board::<G>().ply()), (text.len(), position.ply()));
    assert_eq!(position.mirror().mirror(), *position);
    assert_eq!(position.mirror().board::<G>(), position.board().mirror());
    assert_eq!(Board::<G>::parse_diagram(&position.diagram()), Ok(position.board()));
}
