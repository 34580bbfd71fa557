//! The champion on late positions: the score of the oracle, cold and warm, under both goals and about any bound, in the same nodes
//! each time, with lanes and without.

use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::registry::{DEFAULT, find};
use c4lab_solver::search::{Goal, Limits, Options, Solve};
use std::cell::RefCell;

/// Empty squares of a position, at most: the oracle looks at every way to fill them.
pub const MOST_EMPTY: u32 = 14;
/// A table that few searches fill.
const SMALL: Options = Options::with_tt(1 << 20);

thread_local! {
    /// The champion, and the variant of it that takes the same nodes without vectors.
    static SOLVERS: RefCell<[Box<dyn Solve>; 2]> = RefCell::new([DEFAULT, "champion-threats-halves"].map(build));
}

fn build(name: &str) -> Box<dyn Solve> {
    find(name).expect("it is registered").build(&SMALL).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Solves the position that bytes lead to.
pub fn check(bytes: &[u8]) {
    let Some(position) = late(bytes) else { return };
    let expected = Oracle::<7, 6>::default().score(position.columns());
    SOLVERS.with_borrow_mut(|solvers| {
        for goal in Goal::ALL {
            let nodes = solvers.each_mut().map(|solver| {
                solver.reset();
                let cold = solve(solver, &position, goal, expected);
                let warm = solve(solver, &position, goal, expected);
                assert!(warm <= cold, "{position}: {warm} nodes warm, {cold} cold");
                solver.reset();
                assert_eq!(solve(solver, &position, goal, expected), cold, "{position}: nodes of a cold table");
                cold
            });
            assert_eq!(nodes[0], nodes[1], "{position}: nodes of the champion, and without vectors");
        }
        let limit = BoardSize::STANDARD.limit() + 1;
        for bound in [-limit, expected - 1, expected, expected + 1, limit] {
            let exceeds = solvers[0].exceeds(&position, bound, &Limits::default()).expect("no limit");
            assert_eq!(exceeds, expected > bound, "{position}: whether {expected} exceeds {bound}");
        }
    });
}

/// The nodes of a search whose score is right.
fn solve(solver: &mut Box<dyn Solve>, position: &Position, goal: Goal, expected: i32) -> u64 {
    let solved = solver.solve(position, goal, &Limits::default()).expect("no limit");
    assert_eq!(solved.score, goal.of(expected), "{position}, {}", goal.name());
    solved.nodes
}

/// The position that bytes lead to: the first says how many squares stay empty, the others choose, over and over, among the columns
/// that do not end the game; the last stone may. `None` where every column would.
pub fn late(bytes: &[u8]) -> Option<Position> {
    let (&first, choices) = bytes.split_first()?;
    let stones = BoardSize::STANDARD.cells() - u32::from(first) % (MOST_EMPTY + 1);
    let mut choices = choices.iter().cycle();
    let mut position = Position::start();
    while position.ply() < stones {
        let last = position.ply() + 1 == stones;
        let fits = |&column: &u32| position.can_play(column) && (last || !position.wins_by(column));
        let columns: Vec<u32> = (0..BoardSize::STANDARD.width()).filter(fits).collect();
        let choice = usize::from(*choices.next()?) % columns.len().max(1);
        position.play(*columns.get(choice)?).ok()?;
    }
    Some(position)
}
