//! A board that is split: its score, its leaves, and rows that cannot be believed.

use super::*;
use c4lab_solver::search::registry::DEFAULT;
use c4lab_solver::search::{Limits, Name, Options, Solver};

fn task(board: &str, goal: Goal) -> BoardTask {
    let (board, variant) = (board.parse().unwrap(), Name::parse(DEFAULT).unwrap());
    BoardTask { board, goal, variant, tt_bytes: 1 << 24, time: None }
}

fn solver(task: &BoardTask) -> Box<dyn Solver> {
    task.variant.build(&Options { tt_bytes: task.tt_bytes, board: task.board }).unwrap()
}

fn score(solver: &mut dyn Solver, position: &Position, goal: Goal) -> Score {
    solver.solve(position, goal, &Limits::default()).unwrap().score
}

/// A row of 4x4, weak, of seven nodes.
fn row(moves: &str, score: Option<Score>) -> OutcomeRow {
    OutcomeRow { moves: moves.to_string(), score, nodes: 7, ..OutcomeRow::example("4x4") }
}

/// The score of a board that is split is its own, whichever of the needed leaves is solved next, and not all of them are needed.
#[test]
fn the_score_of_a_board_is_put_together() {
    for board in ["4x4", "5x4", "6x4"] {
        for goal in Goal::ALL {
            let task = task(board, goal);
            let mut solver = solver(&task);
            let own = score(&mut *solver, &Position::start_on(task.board), goal);
            for plies in [0, 1, 2, 4, 5] {
                let split = Split::of(task.board, plies, goal);
                for order in 0..3 {
                    let mut known = KnownScores::default();
                    while split.bounds(&known).0 < split.bounds(&known).1 {
                        let needed = split.needed(&known);
                        let leaf = needed[match order {
                            0 => 0,
                            1 => needed.len() - 1,
                            _ => needed.len() / 2,
                        }];
                        let found = score(&mut *solver, split.position(leaf), goal);
                        assert_eq!(known.scores.insert(split.leaves[leaf], found), None, "solved twice");
                    }
                    assert_eq!(split.bounds(&known), (own, own), "{board} {goal:?} {plies}");
                    assert!(split.needed(&known).is_empty());
                    // A win for sure ends the search: nothing is better under this goal.
                    assert!(goal == Goal::Strong || split.bounds(&KnownScores::default()) == (-1, 1));
                    assert!(plies < 4 || known.scores.len() < split.leaves(), "{board} {plies}");
                }
            }
        }
    }
}

/// The leaves are the positions after so many plies, up to mirror images.
#[test]
fn leaves_are_positions_up_to_mirror_images() {
    let leaves = |board: &str, plies| Split::of(board.parse().unwrap(), plies, Goal::Weak).leaves();
    assert_eq!([0, 1, 2].map(|plies| leaves("7x6", plies)), [1, 4, 25]);
    for board in ["7x6", "8x6", "4x4"] {
        for plies in 0..=6 {
            let split = Split::of(board.parse().unwrap(), plies, Goal::Weak);
            let keys: std::collections::HashSet<_> =
                split.leaves.iter().map(|&place| split.nodes[place].position.up_to_mirror()).collect();
            assert_eq!(keys.len(), split.leaves());
            for leaf in 0..split.leaves() {
                let position = split.position(leaf);
                let ends = (0..position.size().width()).any(|column| position.wins_by(column));
                assert!(position.ply() == plies || ends && position.ply() < plies, "{board} {position}");
                assert!(plies == 0 || split.leaf(&moves_of(&split, leaf)) == Some(leaf));
            }
        }
    }
}

#[test]
fn rows_that_contradict_each_other_are_found() {
    let task = task("4x4", Goal::Weak);
    let (split, mut known) = (Split::of(task.board, 2, Goal::Weak), KnownScores::default());
    split.enter(&mut known, &row("12", Some(0)), &task).unwrap();
    // Its mirror image, once more; a position below the leaves; one without a score; another board's, goal's, variant's.
    let other = |change: fn(&mut OutcomeRow)| {
        let mut row = row("12", Some(1));
        change(&mut row);
        row
    };
    let others = [
        other(|row| row.board = "5x4".to_string()),
        other(|row| row.goal = Goal::Strong),
        other(|row| row.variant = "pons-12".to_string()),
    ];
    for same in [row("43", Some(0)), row("123", Some(1)), row("11", None)].into_iter().chain(others) {
        split.enter(&mut known, &same, &task).unwrap();
    }
    assert_eq!((known.scores.len(), known.took.nodes), (1, 7));
    let error = split.enter(&mut known, &row("43", Some(1)), &task).unwrap_err().to_string();
    assert_eq!(error, "rows contradict each other: the score after 43 is 0 in one, and 1 in another");
    let mut error = |row: OutcomeRow| split.enter(&mut known, &row, &task).unwrap_err().to_string();
    for score in [99, i32::MAX, i32::MIN] {
        assert!(error(row("11", Some(score))).contains("it lies between -1 and 1"), "{score}");
    }
    assert!(error(row("88", Some(1))).contains("are no moves of 4x4"));
}

/// Rows of earlier positions, and of the board, say as much as those of the positions after them, and are held against them.
#[test]
fn rows_of_earlier_positions_are_used_and_checked() {
    let task = task("4x4", Goal::Weak);
    let split = Split::of(task.board, 3, Goal::Weak);
    let all = split.leaves();
    // Both first moves give a draw; so nothing else is needed.
    let mut known = KnownScores::default();
    for moves in ["1", "3"] {
        split.enter(&mut known, &row(moves, Some(0)), &task).unwrap();
    }
    split.check(&known).unwrap();
    assert_eq!((split.bounds(&known), split.needed(&known).len()), ((0, 0), 0));
    let status = SplitStatus::of(&task, 3, &split, &known);
    assert_eq!((status.positions, status.solved, status.nodes), (all, 0, 14));
    assert!(known.whole.is_none());
    // The board, put together from what others have solved: nothing of it is counted twice.
    let whole = OutcomeRow { plies: 2, nodes: 99, ..row("-", Some(0)) };
    split.enter(&mut known, &whole, &task).unwrap();
    assert_eq!((known.whole.as_ref(), known.took.nodes), (Some(&whole), 14));
    split.check(&known).unwrap();
    let error = split.enter(&mut known, &row("-", Some(1)), &task).unwrap_err().to_string();
    assert_eq!(error, "rows contradict each other: the score of the board is 0 in one, and 1 in another");
    // By the first moves the board is a draw.
    let mut known = KnownScores::default();
    for (moves, score) in [("-", 1), ("1", 0), ("2", 0)] {
        split.enter(&mut known, &row(moves, Some(score)), &task).unwrap();
    }
    let error = split.check(&known).unwrap_err().to_string();
    assert_eq!(
        error,
        "rows contradict each other: the score of the board is 1 in one, and by those of the positions after it 0"
    );
    // A move that is no worse than a draw: the board is one, at least.
    let mut known = KnownScores::default();
    for (moves, score) in [("-", -1), ("1", 0)] {
        split.enter(&mut known, &row(moves, Some(score)), &task).unwrap();
    }
    assert!(split.check(&known).unwrap_err().to_string().ends_with("by those of the positions after it 0 to 1"));
}
