//! A choice at run time: other weights, what is counted, what is remembered.

use c4lab_solver::axes::order::{self, Order};
use c4lab_solver::game::{Position, Standard};
use c4lab_solver::search::registry::{CHAMPION_SCALAR, Champion, without_table};
use c4lab_solver::search::variant::{AtRunTime, Variant, Watch};
use c4lab_solver::search::{Cutoffs, Goal, Limits, Options, Searcher, Solve, Spec};

fn nodes(variant: impl Variant<Geometry = Standard>) -> (i32, u64) {
    let mut solver = Searcher::new(variant, &Options::with_tt(1 << 20)).expect("a table");
    let position = Position::parse("5116116347241757466521647").expect("a position");
    let solved = solver.solve(&position, Goal::Strong, &Limits::default()).expect("no limit");
    (solved.score, solved.nodes)
}

#[test]
fn other_weights_change_nodes_alone() {
    let spec = Spec { order: Order::Replies, ..CHAMPION_SCALAR };
    let fitted = |weights| nodes(AtRunTime::new(spec).weighing(weights));
    let [own, none] = [order::WEIGHTS, [0; order::FEATURES.len()]].map(fitted);
    assert_eq!(own, nodes(AtRunTime::new(spec)));
    assert_eq!(own.0, none.0);
    assert_ne!(own.1, none.1);
}

#[test]
fn counting_changes_nothing_and_counts_what_others_were_searched_before() {
    let counted = AtRunTime::new(CHAMPION_SCALAR).watching(Watch::COUNTS);
    assert_eq!(nodes(counted), nodes(Champion));
    let mut solver = Searcher::new(counted, &Options::with_tt(1 << 20)).expect("a table");
    let position = Position::parse("113541175777156").expect("a position");
    let solved = solver.solve(&position, Goal::Strong, &Limits::default()).expect("no limit");
    let mut all = Cutoffs::default();
    for (stones, &cutoffs) in solver.cutoffs().iter().enumerate() {
        assert!(cutoffs.count == 0 || (15..42).contains(&stones), "{stones}: {cutoffs:?}");
        assert!(cutoffs.late <= cutoffs.count && cutoffs.before <= cutoffs.nodes, "{stones}: {cutoffs:?}");
        assert!(cutoffs.late <= cutoffs.before, "a late cutoff comes after a node at least");
        all += cutoffs;
    }
    assert!(all.late > 0 && all.count < solved.nodes, "{all:?} of {} nodes", solved.nodes);
    solver.reset();
    assert!(solver.cutoffs().iter().all(|&cutoffs| cutoffs == Default::default()));
}

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

#[test]
#[should_panic(expected = "[32, 0")]
fn a_weight_too_large_is_refused() {
    let mut weights = [0; order::FEATURES.len()];
    weights[0] = order::MOST_WEIGHT + 1;
    let _ = AtRunTime::new(CHAMPION_SCALAR).weighing(weights);
}
