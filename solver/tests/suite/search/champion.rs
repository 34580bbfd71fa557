//! The champion against all known scores: the oracle on small boards and late positions, pons-12 on random positions,
//! the columns of the empty board.
//!
//! Tests that take minutes run on a sample; `C4LAB_FULL_CHAMPION=1` runs them whole.

use crate::support::cases::cases;
use crate::support::every;
use crate::support::known::{Known, random_positions};
use c4lab_solver::axes::{Axis, Root};
use c4lab_solver::game::any_board::Narrow;
use c4lab_solver::game::{BoardSize, Geometry, Position};
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::registry::{CHAMPION, Entry, find};
use c4lab_solver::search::{Goal, Limits, Options, Solve, Spec, Stopped};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const NONE: Limits<'static> = Limits { nodes: None, time: None, interrupt: None };

/// True if every test is to run whole.
fn full() -> bool {
    std::env::var_os("C4LAB_FULL_CHAMPION").is_some_and(|value| value == "1")
}

/// The champion, the champion with the vectors of `wide`, and without vectors: those that this build runs.
fn champions() -> Vec<&'static Entry> {
    let names = ["champion", "champion-threats-children", "champion-threats-halves"];
    let entries = names.map(|name| find(name).expect("registered"));
    entries.into_iter().filter(|entry| entry.runs()).collect()
}

/// The first of [`champions`].
fn champion() -> Box<dyn Solve> {
    build(champions()[0])
}

fn build(entry: &Entry) -> Box<dyn Solve> {
    entry.build(&Options::default()).unwrap_or_else(|error| panic!("{}: {error}", entry.name))
}

/// The champion on a board, with a table that fills up.
fn small(board: BoardSize) -> Box<dyn Solve> {
    champions()[0].build(&Options { board, ..Options::with_tt(1 << 20) }).expect("a table")
}

/// Every position under both goals, the table warm.
fn agrees_on_all<const W: usize, const H: usize>(positions: usize) {
    let g = Narrow::sized(W as u32, H as u32);
    let (mut solver, mut oracle) = (small(g.size()), Oracle::<W, H>::default());
    let seen = every::every(g, |position| {
        let score = oracle.score(position.columns());
        for goal in Goal::ALL {
            let solved = solver.solve(position, goal, &NONE).expect("no limit");
            assert_eq!(solved.score, goal.of(score), "{}, {}, {position}", g.size(), goal.name());
        }
    });
    // M. Boeck, arXiv 2507.05267.
    assert_eq!(seen, positions);
}

#[test]
fn right_on_all_of_4x4() {
    agrees_on_all::<4, 4>(161_029);
}

#[test]
#[ignore = "every position of 5x4 takes long"]
fn right_on_all_of_5x4() {
    agrees_on_all::<5, 4>(3_945_711);
}

/// Late positions by the oracle, first cold, then warm.
fn agrees_late<const W: usize, const H: usize>(plies: std::ops::RangeInclusive<u32>, count: usize) {
    let board = BoardSize::new(W as u32, H as u32).expect("a board");
    let mut solver = small(board);
    let cases = cases::<W, H>(plies, count);
    for (case, goal, cold) in cases
        .iter()
        .flat_map(|case| Goal::ALL.map(|goal| (case, goal)))
        .flat_map(|(case, goal)| [(case, goal, true), (case, goal, false)])
    {
        if cold {
            solver.reset();
        }
        let solved = solver.solve(&case.position, goal, &NONE).expect("no limit");
        assert_eq!(solved.score, goal.of(case.score), "{}, {}, {}", board, goal.name(), case.position);
    }
}

#[test]
fn right_on_late_positions() {
    agrees_late::<5, 5>(11..=25, 30);
    agrees_late::<6, 5>(16..=30, 30);
    agrees_late::<7, 6>(28..=42, 30);
}

/// Both goals of every `step`-th item, with a warm table.
fn agrees_with(solver: &mut dyn Solve, name: &str, items: &[Known], step: usize) {
    for (item, goal) in items.iter().step_by(step).flat_map(|item| Goal::ALL.map(|goal| (item, goal))) {
        let solved = solver.solve(&item.position, goal, &NONE).expect("no limit");
        assert_eq!(solved.score, goal.of(item.score), "{name}, {}, {}", goal.name(), item.position);
    }
}

#[test]
fn agrees_with_pons_12_on_random_positions() {
    let [early, late] = random_positions();
    for entry in champions() {
        let mut solver = build(entry);
        agrees_with(&mut *solver, entry.name, &late, if full() { 1 } else { 20 });
        agrees_with(&mut *solver, entry.name, &early, if full() { 1 } else { 401 });
    }
}

/// The empty board is a win for the first player with its last stone but one, in the centre, and nowhere else.
#[test]
fn columns_of_the_empty_board() {
    if !full() {
        println!("skipped: C4LAB_FULL_CHAMPION is not 1");
        return;
    }
    let mut solver = champion();
    for (column, score) in (1..=7).zip([-2, -1, 0, 1, 0, -1, -2]) {
        let position = Position::parse(&column.to_string()).expect("a column");
        assert_eq!(solver.solve(&position, Goal::Strong, &NONE).map(|solved| -solved.score), Ok(score), "{column}");
        assert_eq!(solver.exceeds(&position, -score, &NONE), Ok(false), "{column}");
        assert_eq!(solver.exceeds(&position, -score - 1, &NONE), Ok(true), "{column}");
    }
    assert_eq!(solver.solve(&Position::start(), Goal::Strong, &NONE).map(|solved| solved.score), Ok(1));
    assert_eq!(solver.solve(&Position::start(), Goal::Weak, &NONE).map(|solved| solved.score), Ok(1));
}

/// A test of any bound has the result that the score gives, with the table of all earlier tests.
#[test]
fn exceeding_a_bound_is_having_a_higher_score() {
    let [_, late] = random_positions();
    let reach = BoardSize::STANDARD.limit() + 2;
    for entry in champions() {
        let mut solver = build(entry);
        for item in late.iter().step_by(371) {
            for bound in (-reach..=reach).chain([i32::MIN, -100, 100, i32::MAX]) {
                let exceeds = solver.exceeds(&item.position, bound, &NONE);
                assert_eq!(exceeds, Ok(item.score > bound), "{}, {}, {bound}", entry.name, item.position);
            }
        }
    }
}

#[test]
fn every_root_finds_the_same_score() {
    let [_, late] = random_positions();
    let specs = Root::ALL.iter().map(|&root| Spec { root, ..champions()[0].spec });
    let specs: Vec<Spec> = specs.filter(|spec| spec.validate().is_ok()).collect();
    assert!(specs.len() > 2 && specs.contains(&champions()[0].spec));
    for spec in specs {
        let mut solver = c4lab_solver::search::registry::build(spec, &Options::default()).expect("a table");
        agrees_with(&mut *solver, &spec.to_string(), &late, 111);
    }
}

/// After a stop by nodes, by time or by a flag, it is right about the next position.
#[test]
fn a_stopped_champion_is_fit_for_the_next_position() {
    let [early, late] = random_positions();
    let raised = AtomicBool::new(true);
    for entry in champions() {
        let mut solver = build(entry);
        for (index, (slow, next)) in early.iter().step_by(37).zip(late.iter().step_by(296)).enumerate() {
            let nodes = Limits { nodes: Some(1 + 37 * index as u64), ..NONE };
            match solver.solve(&slow.position, Goal::Strong, &nodes) {
                Ok(solved) => assert_eq!(solved.score, slow.score, "{}, {}", entry.name, slow.position),
                Err(stopped) => assert_eq!(stopped, Stopped::Nodes(1 + 37 * index as u64), "{}", entry.name),
            }
            let time = Limits { time: Some(Duration::from_micros(1)), ..NONE };
            let flag = Limits { interrupt: Some(&raised), ..NONE };
            for limits in [time, flag] {
                if let Ok(solved) = solver.solve(&slow.position, Goal::Weak, &limits) {
                    assert_eq!(solved.score, slow.score.signum(), "{}, {}", entry.name, slow.position);
                }
            }
            agrees_with(&mut *solver, entry.name, std::slice::from_ref(next), 1);
        }
    }
}

/// A limit of exactly the nodes of a search changes nothing, one node less stops it.
#[test]
fn a_node_limit_is_exact() {
    let [_, late] = random_positions();
    for entry in champions() {
        let (mut solver, mut stopped) = (build(entry), 0);
        for item in late.iter().step_by(101) {
            solver.reset();
            let free = solver.solve(&item.position, Goal::Strong, &NONE).expect("no limit");
            let mut within = |nodes: u64| {
                solver.reset();
                solver.solve(&item.position, Goal::Strong, &Limits { nodes: Some(nodes), ..NONE })
            };
            assert_eq!(within(free.nodes), Ok(free), "{}, {}", entry.name, item.position);
            if let Some(less) = free.nodes.checked_sub(1) {
                assert_eq!(within(less), Err(Stopped::Nodes(less)), "{}, {}", entry.name, item.position);
                stopped += 1;
            }
        }
        assert!(stopped > 50, "{stopped}");
    }
}

/// A table that cannot tell a board's keys apart is refused with the reason; other variants are not affected.
#[test]
fn tables_that_are_too_small_for_a_board_are_refused() {
    let wide = |tt| {
        let board = BoardSize::new(8, 7).expect("a board");
        champions()[0].build(&Options { board, ..Options::with_tt(tt) }).map(|solver| solver.table_bytes())
    };
    assert_eq!(wide(16 << 20), Ok(16 << 20));
    let refused = wide((16 << 20) - 1).expect_err("keys of 64 bits need a table of 16 MiB");
    assert!(refused.to_string().contains("too small"), "{refused}");
    assert_eq!(CHAMPION.validate(), Ok(()));
}
