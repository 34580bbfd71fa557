//! A choice at run time: what is remembered.

use c4lab_solver::axes::Order;
use c4lab_solver::game::Position;
use c4lab_solver::search::registry::{CHAMPION_SCALAR, without_table};
use c4lab_solver::search::{AtRunTime, Goal, Limits, Options, Searcher, Solve, Spec};

#[test]
fn a_reset_forgets_what_ended_other_nodes() {
    for order in [Order::History, Order::Killers] {
        // Without a table, nothing else is remembered.
        let spec = Spec { order, ..without_table(CHAMPION_SCALAR) };
        let mut solver = Searcher::new(AtRunTime::new(spec), &Options::default()).expect("no table");
        let position = Position::parse("41357411232772432666").expect("a position");
        let mut solve = |reset: bool| {
            if reset {
                solver.reset();
            }
            solver.solve(&position, Goal::Strong, &Limits::default()).expect("no limit")
        };
        let [first, warm, again] = [true, false, true].map(&mut solve);
        assert_eq!((first.score, warm.score, first.nodes), (again.score, again.score, again.nodes), "{order:?}");
        assert_ne!(first.nodes, warm.nodes, "{order:?}");
    }
}
