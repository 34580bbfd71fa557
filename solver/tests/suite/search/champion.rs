//! The champion against all known scores: the oracle on small boards, pons-12 on random positions, the columns of the
//! empty board; and choices near to it with every kind of table.
//!
//! Tests that take minutes run on a sample; `C4LAB_FULL_CHAMPION=1` runs them whole.

use crate::support::positions::{self, Case, random_positions};
use c4lab_solver::axes::{Axis, Enhanced, Key, Order, TableBounds, TableKind};
use c4lab_solver::game::any_board::Narrow;
use c4lab_solver::game::{BoardSize, Geometry, Position};
use c4lab_solver::search::oracle::Oracle;
use c4lab_solver::search::registry::{self, CHAMPION_SCALAR, Entry, find, without_table};
use c4lab_solver::search::{Goal, Limits, Options, Solve, Spec};

const NONE: Limits<'static> = Limits { nodes: None, time: None, interrupt: None };

fn full() -> bool {
    std::env::var_os("C4LAB_FULL_CHAMPION").is_some_and(|value| value == "1")
}

/// The champion, the champion with the vectors of `wide`, and without vectors: those that this build runs.
fn champions() -> Vec<&'static Entry> {
    let names = ["champion", "champion-threats-children", "champion-threats-halves"];
    let entries = names.map(|name| find(name).expect("registered"));
    entries.into_iter().filter(|entry| entry.runs()).collect()
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
    let seen = positions::every(g, |position| {
        let score = oracle.score(position.columns());
        for goal in Goal::ALL {
            let solved = solver.solve(position, goal, &NONE).expect("no limit");
            assert_eq!(solved.score, goal.of(score), "{}, {}, {position}", g.size(), goal.name());
        }
    });
    // M. Boeck, arXiv 2507.05267.
    assert_eq!(seen, positions);
}

/// A late search writes nothing that a second one could read, unless it is long: only learned orders stay. With a stone
/// less it is not late.
#[test]
fn a_late_search_uses_no_table_unless_it_is_long() {
    for (size, moves, writes) in [
        ("7x6", "16776514327241245513747652173", false),
        ("7x6", "1677651432724124551374765217", true),
        ("9x5", "36878953683331991655916827241252", true),
    ] {
        let position = Position::parse_on(size.parse().expect("a board"), moves).expect("moves");
        let options = Options::on(position.size());
        let [mut solver, mut other] =
            ["champion", "pons-12"].map(|name| find(name).expect("named").build(&options).expect("a table"));
        for goal in Goal::ALL {
            solver.reset();
            let [first, second] = [(); 2].map(|()| solver.solve(&position, goal, &NONE).expect("no limit"));
            assert_eq!(first.score, other.solve(&position, goal, &NONE).expect("no limit").score, "{moves}");
            assert!(first.nodes > 100 && (first.nodes > 500) == (size == "9x5"), "{moves}: {first:?}");
            assert!((2 * second.nodes < first.nodes) == writes, "{moves}: {first:?}, {second:?}");
        }
    }
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

fn agrees_with(solver: &mut dyn Solve, name: &str, items: &[Case], step: usize) {
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
    let mut solver = build(champions()[0]);
    for (column, score) in (1..=7).zip([-2, -1, 0, 1, 0, -1, -2]) {
        let position = Position::parse(&column.to_string()).expect("a column");
        assert_eq!(solver.solve(&position, Goal::Strong, &NONE).map(|solved| -solved.score), Ok(score), "{column}");
        assert_eq!(solver.exceeds(&position, -score, &NONE), Ok(false), "{column}");
        assert_eq!(solver.exceeds(&position, -score - 1, &NONE), Ok(true), "{column}");
    }
    assert_eq!(solver.solve(&Position::start(), Goal::Strong, &NONE).map(|solved| solved.score), Ok(1));
    assert_eq!(solver.solve(&Position::start(), Goal::Weak, &NONE).map(|solved| solved.score), Ok(1));
}

/// A choice with every table, bounds and key that go with it.
fn with_every_table(spec: Spec) -> Vec<Spec> {
    let mut specs = vec![without_table(spec)];
    for &table in TableKind::ALL {
        for &table_bounds in TableBounds::ALL {
            specs.extend(Key::ALL.iter().map(|&key| Spec { table, table_bounds, key, ..spec }));
        }
    }
    specs.retain(|spec| spec.validate().is_ok());
    specs
}

/// Replies are looked up at nodes with few stones.
#[test]
fn a_closer_look_agrees_with_every_table() {
    let [_, mut few] = random_positions();
    few.retain(|known| (17..20).contains(&known.position.ply()));
    let few: Vec<Case> = few.into_iter().step_by(211).take(3).collect();
    for order in [Order::Lines, Order::Replies, Order::Sides, Order::Learned] {
        for enhanced in [Enhanced::None, Enhanced::All, Enhanced::Together] {
            for spec in with_every_table(Spec { order, enhanced, ..CHAMPION_SCALAR }) {
                let mut solver = registry::build(spec, &Options::with_tt(4 << 20)).expect("a table");
                agrees_with(&mut *solver, &spec.to_string(), &few, 1);
            }
        }
    }
}
