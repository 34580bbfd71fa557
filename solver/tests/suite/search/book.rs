//! A book in front of a solver.

use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::book::{WithBook, positions};
use c4lab_solver::search::{Book, Goal, Limits, Options, Solve, Stopped, registry};
use std::sync::Arc;

#[test]
fn a_solver_looks_up_what_the_book_knows_and_searches_the_rest() {
    let options = Options::with_tt(1 << 20);
    let solver = || registry::find("pons-12").unwrap().build(&options).unwrap();
    // Made-up scores, which those of the plies before follow from.
    let made_up = (0..positions(BoardSize::STANDARD, 4).unwrap().len()).map(|place| (place % 7) as i8 - 3).collect();
    let book = Arc::new(Book::of(BoardSize::STANDARD, 4, made_up).unwrap());
    let mut with_book = WithBook::new(solver(), Arc::clone(&book));
    let (limits, position) = (Limits::default(), Position::parse("4455").unwrap());
    let known = book.score(&position).unwrap();
    for goal in Goal::ALL {
        let solved = with_book.solve(&position, goal, &limits).unwrap();
        assert_eq!((solved.score, solved.nodes), (goal.of(known), 0));
    }
    assert!(
        with_book.exceeds(&position, known - 1, &limits).unwrap()
            && !with_book.exceeds(&position, known, &limits).unwrap()
    );
    let late = Position::parse("3642756176227637211322113551637574556").unwrap();
    assert_eq!(with_book.solve(&late, Goal::Strong, &limits), solver().solve(&late, Goal::Strong, &limits));
    let small = Position::start_on(BoardSize::new(6, 5).unwrap());
    assert!(matches!(with_book.solve(&small, Goal::Strong, &limits), Err(Stopped::OtherBoard)));
}
