//! Every board that the build has: two searches that share little, on random positions near the end.

use crate::support::draw::Draw;
use crate::support::draws;
use c4lab_solver::axes::{Axis, TableBounds, TableKind, TableSize, Zugzwang};
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::registry::{BOARDS, CHAMPION, PONS_12, build};
use c4lab_solver::search::{Goal, Limits, Options, Solver, Spec};

/// A choice with slots that hold the keys of every board.
fn with_wide_slots(spec: Spec, board: BoardSize) -> Box<dyn Solver> {
    let spec =
        Spec { table: TableKind::Wide, table_size: TableSize::Chosen, table_bounds: TableBounds::Either, ..spec };
    build(spec, &Options { board, ..Options::with_tt(16 << 20) }).expect("a table")
}

/// Positions with this many empty squares or fewer are over soon.
const MOST_EMPTY: u32 = 16;

/// So many random positions of a board get the same scores from the champion and from pons-12, and the same sign where the champion is
/// asked who wins.
fn agree(board: BoardSize, count: usize) {
    let mut other = with_wide_slots(PONS_12, board);
    let mut champion = with_wide_slots(CHAMPION, board);
    let mut draw = Draw::new(17, "boards");
    let mut seen = [0; 3];
    for _ in 0..count {
        let empty = draw.below(MOST_EMPTY.min(board.cells() - 1) as usize) as u32;
        let position = draws::on(board, &mut draw, board.cells() - empty);
        let mut score = |goal| champion.solve(&position, goal, &Limits::default()).expect("no limit").score;
        let (strong, weak) = (score(Goal::Strong), score(Goal::Weak));
        let expected = other.solve(&position, Goal::Strong, &Limits::default()).expect("no limit").score;
        assert_eq!((strong, weak), (expected, expected.signum()), "{board}: {position}");
        seen[(expected.signum() + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 0), "{board}: losses, draws and wins {seen:?}");
}

#[test]
fn champion_and_pons_12_agree_on_every_board() {
    for &board in BOARDS {
        agree(board, 400);
    }
}

/// What each value of the axis takes on boards of odd height, for one score from all values: nodes on the empty board of 6x5, whose last
/// player is the second, and on random positions of 7x7, whose last player is the first.
#[test]
#[ignore = "a table of nodes for a record"]
fn nodes_by_zugzwang_on_boards_of_odd_height() {
    let size = |text: &str| text.parse::<BoardSize>().expect("a size");
    let mut draw = Draw::new(17, "odd heights");
    let late: Vec<_> = (0..100).map(|_| draws::on(size("7x7"), &mut draw, 22)).collect();
    for (what, positions) in [("6x5, empty", vec![Position::start_on(size("6x5"))]), ("7x7, 22 stones", late)] {
        for goal in Goal::ALL {
            let mut scores: Option<Vec<i32>> = None;
            for &zugzwang in Zugzwang::ALL {
                let options = Options { board: positions[0].size(), ..Options::with_tt(256 << 20) };
                let mut solver = build(Spec { zugzwang, ..CHAMPION }, &options).expect("a table");
                let (mut nodes, mut found) = (0, Vec::new());
                for position in &positions {
                    solver.reset();
                    let solved = solver.solve(position, goal, &Limits::default()).expect("no limit");
                    (nodes, found) = (nodes + solved.nodes, [found, vec![solved.score]].concat());
                }
                let expected = scores.get_or_insert_with(|| found.clone());
                assert_eq!(*expected, found, "{what}, {goal:?}, {zugzwang:?}");
                println!("{what} {:<6} {:<11} {nodes:>12} nodes", goal.name(), zugzwang.value());
            }
        }
    }
}
