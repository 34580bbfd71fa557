//! A guide: a second search of a position that looks first where the first search ended its nodes.

use crate::support::known::random_positions;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::guide::Guide;
use c4lab_solver::search::registry::CHAMPION_SCALAR;
use c4lab_solver::search::{AtRunTime, Goal, Limits, Options, Searcher, Solve, Solved};

/// A search with an empty table.
fn solved(engine: &mut Searcher<AtRunTime>, position: &Position) -> Solved {
    engine.reset();
    engine.solve(position, Goal::Strong, &Limits::default()).expect("no limit")
}

#[test]
fn a_guide_leads_to_the_same_scores_with_fewer_nodes() {
    let mut engine = Searcher::new(AtRunTime::new(CHAMPION_SCALAR), &Options::with_tt(1 << 20)).unwrap();
    let (mut alone, mut led, mut unled) = (0, 0, 0);
    for known in random_positions().iter().flatten().take(20) {
        let mut search = |guide: Option<Guide>| {
            *engine.guide() = guide;
            let found = solved(&mut engine, &known.position);
            assert_eq!(found.score, known.score, "{}", known.position);
            (found.nodes, engine.guide().take())
        };
        let (nodes, _) = search(None);
        alone += nodes;
        // Taking note changes nothing.
        let (noting, guide) = search(Some(Guide::noting(BoardSize::STANDARD.cells())));
        assert_eq!(noting, nodes, "{}", known.position);
        led += search(guide.map(Guide::leading)).0;
        // A guide of no node leads nowhere.
        let (_, guide) = search(Some(Guide::noting(0)));
        unled += search(guide.map(Guide::leading)).0;
    }
    assert_eq!(unled, alone);
    assert!(led < alone, "{led} of {alone}");
}
