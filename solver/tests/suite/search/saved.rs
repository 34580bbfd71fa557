//! Saved searches: one that goes on has the score of one that was never stopped; what is not what was written is refused.

use c4lab_solver::game::Position;
use c4lab_solver::search::{Goal, Limits, Name, Options, Progress, SaveError, Solver, Stopped};

/// A position that takes some ten thousand nodes.
const MOVES: &str = "4444443265";

fn build(name: &str, board: &str) -> Box<dyn Solver> {
    let options = Options { tt_bytes: 1 << 20, board: board.parse().expect("a board") };
    Name::parse(name).expect("a name").build(&options).expect("a solver")
}

fn progress(nodes: u64) -> Progress {
    Progress { moves: MOVES.to_string(), goal: Goal::Strong, nodes, wall_ns: 5, cpu_ns: Some(6) }
}

/// A search that was stopped, saved.
fn stopped(position: &Position) -> Vec<u8> {
    let mut solver = build("champion", "7x6");
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let stopped = solver.solve(position, Goal::Strong, &limits).expect_err("it takes more nodes");
    assert_eq!(stopped, Stopped::Nodes(20_000));
    let mut bytes = Vec::new();
    solver.save(&progress(20_000), &mut bytes).expect("saved");
    assert!(bytes.len() as u64 <= solver.saved_bytes().expect("it can be saved"));
    bytes
}

#[test]
fn a_search_goes_on_where_it_was_stopped() {
    let position = Position::parse(MOVES).expect("moves");
    let mut fresh = build("champion", "7x6");
    let whole = fresh.solve(&position, Goal::Strong, &Limits::default()).expect("solved");
    let bytes = stopped(&position);
    let mut solver = build("champion", "7x6");
    let resumed = solver.load(&mut &bytes[..]).expect("gone on with");
    assert_eq!(resumed.progress, progress(20_000));
    assert!(resumed.slots > 1000, "{resumed:?}");
    let rest = solver.solve(&position, Goal::Strong, &Limits::default()).expect("solved");
    assert_eq!(rest.score, whole.score);
    assert!(rest.nodes < whole.nodes - 10_000, "{rest:?}, not {whole:?}");
    // The run-time copy of the choice reads it too.
    let mut at_run_time = build("champion[]", "7x6");
    at_run_time.load(&mut &bytes[..]).expect("the same choice");
    assert_eq!(at_run_time.solve(&position, Goal::Strong, &Limits::default()), Ok(rest));
}

#[test]
fn what_is_not_what_was_written_is_refused() {
    let position = Position::parse(MOVES).expect("moves");
    let bytes = stopped(&position);
    let mut solver = build("champion", "7x6");
    let fresh = solver.solve(&position, Goal::Strong, &Limits::default());
    let mut refuse = |bytes: &[u8]| {
        let error = solver.load(&mut &bytes[..]).expect_err("refused");
        // It is cleared: what it read is not believed.
        assert_eq!(solver.solve(&position, Goal::Strong, &Limits::default()), fresh, "{error}");
        solver.reset();
        error
    };
    for length in [0, 7, 8, 11, 12, 30, 200, bytes.len() / 2, bytes.len() - 4, bytes.len() - 1] {
        let error = refuse(&bytes[..length]);
        assert!(
            matches!(error, SaveError::CutOff | SaveError::Foreign)
                && (length > 7) == matches!(error, SaveError::CutOff)
        );
    }
    let mut bits = 0;
    for at in (0..bytes.len()).step_by((bytes.len() / 30) | 1).chain([0, 8, 13, bytes.len() - 1]) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        let error = refuse(&flipped);
        assert_eq!(matches!(error, SaveError::Foreign), at < 8, "{at}: {error}");
        assert_eq!(matches!(error, SaveError::Version(..)), (8..12).contains(&at), "{at}: {error}");
        bits += 1;
    }
    assert!(bits > 10);
    assert!(matches!(refuse(&[&bytes[..], b"x"].concat()), SaveError::Damaged));
}

#[test]
fn another_search_is_refused_with_what_differs() {
    let bytes = stopped(&Position::parse(MOVES).expect("moves"));
    let refused = |name: &str, board: &str| build(name, board).load(&mut &bytes[..]).expect_err("refused").to_string();
    assert_eq!(refused("champion", "6x5"), "saved by a search with the board 7x6/7, not 6x5/6");
    let other = refused("champion[order=centre]", "7x6");
    assert_eq!(other, "saved by a search with the choice order=sides, not order=centre");
    for name in ["pons-12", "pons-12-table-wide", "champion-table-none"] {
        let mut solver = build(name, "7x6");
        assert!(matches!(solver.save(&progress(0), &mut Vec::new()), Err(SaveError::Unsupported)), "{name}");
        assert_eq!(solver.saved_bytes(), None, "{name}");
        assert!(solver.load(&mut &bytes[..]).is_err());
    }
}
