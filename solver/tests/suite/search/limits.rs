//! Limits: a stopped search reports the nodes that it entered, and its solver stays right.

use crate::support::space::solver;
use crate::support::{positions, space};
use c4lab_solver::axes::TableSize;
use c4lab_solver::game::{BoardSize, Position};
use c4lab_solver::search::{Goal, Limits, Options, Solve, Solved, Spec, Stopped, registry};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const NONE: Limits<'static> = Limits { nodes: None, time: None, interrupt: None };

fn nodes(most: u64) -> Limits<'static> {
    Limits { nodes: Some(most), ..NONE }
}

/// Positions without an immediate win whose search is not short on 4x4; the earlier, the longer.
fn slow() -> [positions::Case; 3] {
    let drawn = |case: &positions::Case| case.score == 0 && !case.position.is_over();
    [5, 3, 0].map(|ply| positions::cases::<4, 4>(ply..=ply, 20).into_iter().find(drawn).expect("a drawn position"))
}

/// The points whose tables have the size that the test chooses. Counts the points that each limit stopped.
#[test]
fn a_stopped_search_leaves_every_point_right() {
    let slow = slow();
    let points: Vec<Spec> = space::points().filter(|spec| spec.table_size == TableSize::Chosen).step_by(20).collect();
    let mut bit = [0; 3];
    for &spec in &points {
        let mut solver = solver("4x4".parse().expect("a board"), spec, 4 << 10).expect("both layouts");
        let goal = spec.goals()[0];
        let (position, free) = search_a_while(&mut *solver, goal, &slow);
        assert_eq!(free.score, 0, "{spec}");
        for (most, bit) in [1, 10, 1000].into_iter().zip(&mut bit) {
            solver.reset();
            let limited = solver.solve(position, goal, &nodes(most));
            let expected = if most < free.nodes { Err(Stopped::Nodes(most)) } else { Ok(free) };
            assert_eq!(limited, expected, "{spec}");
            *bit += usize::from(limited.is_err());
            let after = solver.solve(position, goal, &NONE).expect("no limit");
            assert_eq!(after.score, 0, "{spec}, stopped at {most} before");
        }
        check_edges(&mut *solver, goal, position, free, &spec.to_string());
    }
    assert_eq!(bit[..2], [points.len(); 2]);
}

/// The latest of the positions that takes more than ten nodes from a cleared table, and its result.
fn search_a_while<'c>(solver: &mut dyn Solve, goal: Goal, slow: &'c [positions::Case]) -> (&'c Position, Solved) {
    let answers = slow.iter().map(|case| {
        solver.reset();
        (&case.position, solver.solve(&case.position, goal, &NONE).expect("no limit"))
    });
    let mut long = answers.filter(|(_, solved)| solved.nodes > 10);
    long.next().expect("a position that takes a while")
}

/// One node more or less, no time, an interrupt; and limits so wide that they change nothing.
fn check_edges(solver: &mut dyn Solve, goal: Goal, position: &Position, free: Solved, spec: &str) {
    let (unset, set) = (AtomicBool::new(false), AtomicBool::new(true));
    let hour = Some(Duration::from_secs(3600));
    let wide = Limits { nodes: Some(free.nodes), time: hour, interrupt: Some(&unset) };
    let cases = [
        (nodes(free.nodes), Ok(free)),
        (nodes(u64::MAX), Ok(free)),
        (wide, Ok(free)),
        (nodes(free.nodes - 1), Err(Stopped::Nodes(free.nodes - 1))),
        (Limits { time: Some(Duration::ZERO), ..NONE }, Err(Stopped::Time(0))),
        (Limits { interrupt: Some(&set), ..NONE }, Err(Stopped::Interrupted(0))),
    ];
    for (limits, expected) in cases {
        solver.reset();
        assert_eq!(solver.solve(position, goal, &limits), expected, "{spec}, {limits:?}");
        let after = solver.solve(position, goal, &NONE).expect("no limit");
        assert_eq!(after.score, free.score, "{spec}, after {limits:?}");
    }
}

/// Every rung needs more than 1,000 nodes for the first position, and few for the second.
#[test]
fn a_stopped_search_leaves_every_variant_right() {
    let slow = Position::parse("32316").expect("a position");
    let quick = Position::parse("5351676453744627361567435677125214212").expect("a position");
    for entry in registry::compiled_on(BoardSize::STANDARD).filter(|entry| entry.runs()) {
        let mut solver = entry.build(&Options::default()).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        let goal = entry.spec.goals()[0];
        for most in [1, 10, 1000] {
            assert_eq!(solver.solve(&slow, goal, &nodes(most)), Err(Stopped::Nodes(most)), "{}", entry.name);
            assert_eq!(solver.exceeds(&slow, 0, &nodes(most)), Err(Stopped::Nodes(most)), "{}", entry.name);
            assert_eq!(solver.solve(&quick, goal, &NONE).map(|solved| solved.score), Ok(0), "{}", entry.name);
        }
    }
}

/// Positions that are over, or won with the next stone, need no search, so no limit stops them.
#[test]
fn what_needs_no_search_is_answered_under_any_limit() {
    for entry in registry::compiled_on(BoardSize::STANDARD).filter(|entry| entry.runs()) {
        let mut solver = entry.build(&Options::default()).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        let over = Position::parse("1212121").expect("a position");
        let solved = solver.solve(&over, Goal::Strong, &nodes(0));
        let answers = entry.spec.goals().contains(&Goal::Strong);
        let expected = if answers { Ok(Solved { score: -18, nodes: 0 }) } else { Err(Stopped::OtherGoal) };
        assert_eq!(solved, expected, "{}", entry.name);
        let solved = solver.solve(&over, Goal::Weak, &nodes(0)).expect("the game is over");
        assert_eq!(solved, Solved { score: -1, nodes: 0 }, "{}", entry.name);
    }
}
