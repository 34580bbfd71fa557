//! One table under several searches: they write and ask it at the same time, and every score stays right.

use crate::support::known::random_positions;
use c4lab_solver::axes::{Axis, Enhanced, Order, Search, TableBounds, TableKind};
use c4lab_solver::game::BoardSize;
use c4lab_solver::search::registry::{ALL, CHAMPION_SCALAR, PONS_12};
use c4lab_solver::search::{AtRunTime, Goal, Limits, Options, Searcher, Solve, Spec, registry};

/// Choices with tables of atomic words.
fn shared() -> [Spec; 3] {
    let with = |changes| Spec::parse(changes, PONS_12).expect(changes);
    [CHAMPION_SCALAR, with("table=full,table-size=chosen"), with("table=hashed,table-size=chosen,key=mirror")]
}

fn searcher(spec: Spec) -> Searcher<AtRunTime> {
    Searcher::new(AtRunTime::new(spec), &Options::with_tt(1 << 20)).expect("a table")
}

#[test]
fn searches_that_share_a_table_agree() {
    let [_, late] = random_positions();
    let late: Vec<_> = late.into_iter().filter(|known| known.position.ply() >= 20).step_by(23).take(300).collect();
    for spec in shared() {
        let mut one = searcher(spec);
        let mut other = one.sharing_table().expect("slots of atomic words");
        // Nothing is ever reset: each profits by what the other found out.
        let solve = |searcher: &mut Searcher<AtRunTime>, backwards: bool| {
            let mut nodes = 0;
            for index in 0..late.len() {
                let known = &late[if backwards { late.len() - 1 - index } else { index }];
                let solved = searcher.solve(&known.position, Goal::Strong, &Limits::default()).expect("no limit");
                assert_eq!(solved.score, known.score, "{spec}: {}", known.position);
                nodes += solved.nodes;
            }
            nodes
        };
        std::thread::scope(|scope| {
            scope.spawn(|| solve(&mut other, true));
            solve(&mut one, false);
        });
        let alone: u64 = solve(&mut searcher(spec), false);
        let known = solve(&mut one, false);
        assert!(known < alone, "{spec}: {known} nodes with what both found out, {alone} alone");
    }
}

/// A reset of one, while the other searches, changes no score of either.
#[test]
fn resets_of_a_shared_table_change_no_score() {
    let [_, late] = random_positions();
    let late: Vec<_> = late.into_iter().filter(|known| known.position.ply() >= 22).step_by(31).take(200).collect();
    for spec in shared() {
        let mut one = searcher(spec);
        let mut other = one.sharing_table().expect("slots of atomic words");
        let solve = |searcher: &mut Searcher<AtRunTime>, every: usize| {
            for (index, known) in late.iter().enumerate() {
                if index % every == 0 {
                    searcher.reset();
                }
                let solved = searcher.solve(&known.position, Goal::Strong, &Limits::default()).expect("no limit");
                assert_eq!(solved.score, known.score, "{spec}: {}", known.position);
            }
        };
        std::thread::scope(|scope| {
            scope.spawn(|| solve(&mut other, 3));
            // Often enough to count its generations once around.
            (0..3).for_each(|_| solve(&mut one, 2));
        });
    }
}

#[test]
fn only_slots_of_atomic_words_are_shared() {
    for entry in ALL
        .iter()
        .filter(|entry| entry.name.starts_with("pons-12") && entry.is_compiled(BoardSize::STANDARD) && entry.runs())
    {
        if entry.spec.layout != c4lab_solver::axes::Layout::Tight {
            continue;
        }
        let mut searcher = searcher(entry.spec);
        assert_eq!(searcher.sharing_table().is_some(), entry.spec.table.is_atomic(), "{}", entry.name);
        let mut solver = entry.build(&Options::with_tt(1 << 20)).expect("a table");
        assert_eq!(solver.sharing_table().is_some(), entry.spec.table.is_atomic(), "{}", entry.name);
    }
}

/// The champion without vectors, by either recursion, with every table and every choice of bounds that go together.
fn tables() -> Vec<Spec> {
    let mut specs = Vec::new();
    let moves = Spec { search: Search::Moves, order: Order::Weighted, enhanced: Enhanced::All, ..CHAMPION_SCALAR };
    for spec in [moves, CHAMPION_SCALAR] {
        specs.push(registry::without_table(spec));
        for (&table, &table_bounds) in
            TableKind::ALL.iter().flat_map(|kind| TableBounds::ALL.iter().map(move |bounds| (kind, bounds)))
        {
            specs.push(Spec { table, table_bounds, ..spec });
        }
    }
    specs.retain(|spec| spec.validate().is_ok());
    for (kind, search) in TableKind::ALL.iter().flat_map(|kind| [(kind, Search::Moves), (kind, Search::Children)]) {
        assert!(specs.iter().any(|spec| (spec.table, spec.search) == (*kind, search)), "{kind:?}, {search:?}");
    }
    specs
}

/// Every kind of table stands under either recursion: the same scores, cold and warm.
#[test]
fn every_table_serves_both_recursions() {
    let [_, late] = random_positions();
    let late: Vec<_> = late.into_iter().filter(|known| known.position.ply() >= 24).step_by(97).take(40).collect();
    for spec in tables() {
        let mut solver = registry::build(spec, &Options::with_tt(4 << 20)).expect("a table");
        for (known, goal) in late.iter().flat_map(|known| Goal::ALL.map(|goal| (known, goal))) {
            let solved = solver.solve(&known.position, goal, &Limits::default()).expect("no limit");
            assert_eq!(solved.score, goal.of(known.score), "{spec}: {}", known.position);
        }
    }
}
