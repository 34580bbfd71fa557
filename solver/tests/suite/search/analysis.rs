//! Lines of best play, compared with the oracle.

use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::analysis::best_line;
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::{Limits, Options, registry};

const LATE: [&str; 3] =
    ["24655214173274156744623427266133", "111566655246531642367221572524", "4323654732313364622722765766457"];

fn positions() -> Vec<Position> {
    LATE.iter().map(|moves| Position::parse(moves).unwrap()).collect()
}

#[test]
fn a_line_of_best_play_ends_as_the_score_says() {
    for entry in registry::ALL
        .iter()
        .filter(|entry| entry.name >= "pons-06" && entry.is_compiled(BoardSize::STANDARD) && entry.runs())
    {
        for (position, goal) in positions().iter().flat_map(|p| entry.spec.goals().iter().map(move |&goal| (p, goal))) {
            let mut solver = entry.build(&Options::default()).unwrap();
            let score = solver.solve(position, goal, &Limits::default()).unwrap().score;
            let line = best_line(&mut *solver, position, goal, score, &Limits::default()).unwrap();
            let mut end = position.clone();
            line.iter().for_each(|&column| end.play(u32::from(column)).unwrap());
            assert!(end.is_over());
            let last = Oracle::<7, 6>::default().score(end.columns());
            let last = if line.len().is_multiple_of(2) { last } else { -last };
            assert_eq!(goal.of(last), score, "{}: {position} {goal:?}", entry.name);
        }
    }
}
