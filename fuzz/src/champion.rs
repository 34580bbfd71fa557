//! The champion on late positions: it finds the oracle's score with a cold and a warm table, under both goals and for
//! any null window, and takes equal nodes in every run, with vectors and without.

use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::registry::{DEFAULT, find};
use c4lab_solver::search::{Goal, Limits, Options, Solve};
use std::cell::RefCell;

/// The most empty squares of a position, because the oracle plays out every game.
pub const MOST_EMPTY: u32 = 14;
/// A table that these searches do not fill.
const SMALL: Options = Options::with_tt(1 << 20);

thread_local! {
    /// The champion, and the variant with equal nodes and without vectors.
    static SOLVERS: RefCell<[Box<dyn Solve>; 2]> = RefCell::new([DEFAULT, "champion-threats-halves"].map(build));
}

fn build(name: &str) -> Box<dyn Solve> {
    find(name).expect("it is registered").build(&SMALL).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Solves the position of some bytes.
pub fn check(bytes: &[u8]) {
    let Some(position) = late(bytes) else { return };
    let expected = Oracle::<7, 6>::default().score(position.columns());
    SOLVERS.with_borrow_mut(|solvers| {
        for goal in Goal::ALL {
            let nodes = solvers.each_mut().map(|solver| {
                solver.reset();
                let cold = solve(solver, &position, goal, expected);
                let warm = solve(solver, &position, goal, expected);
                // Without a table, only the learned order stays.
                assert!(warm <= cold || position.ply() > 28, "{position}: {warm} nodes warm, {cold} cold");
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

/// The nodes of a search, whose score must be right.
fn solve(solver: &mut Box<dyn Solve>, position: &Position, goal: Goal, expected: i32) -> u64 {
    let solved = solver.solve(position, goal, &Limits::default()).expect("no limit");
    assert_eq!(solved.score, goal.of(expected), "{position}, {}", goal.name());
    solved.nodes
}

/// The position of some bytes. The first byte gives the number of empty squares. The others, repeated, choose among the
/// columns that do not end the game; only the last stone may end it. `None` if every column ends the game.
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
