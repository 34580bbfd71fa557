//! The closer look at nodes with few stones, at every node: what the table knows of all replies never makes a score wrong.

use crate::support::cases::cases;
use crate::support::geometries::narrow;
use c4lab_solver::axes::order::{OPENING, Opening};
use c4lab_solver::axes::{Axis, Enhanced, Key, Order, Search, TableBounds, TableKind};
use c4lab_solver::search::registry::CHAMPION_SCALAR;
use c4lab_solver::search::{AtRunTime, Limits, Options, Searcher, Solve, Spec};

/// Every node is looked at, and all replies are looked up.
const ALL: Opening = Opening { least_ahead: i32::MIN / 2, most_stones: 16, most_stones_of_replies: 16, ..OPENING };

/// The champion without vectors, in these orders, with every table, bounds and key that go together.
fn specs() -> Vec<Spec> {
    let mut specs = Vec::new();
    for order in [Order::Lines, Order::Replies, Order::Sides] {
        for (&table, &table_bounds, &key) in TableKind::ALL
            .iter()
            .flat_map(|table| TableBounds::ALL.iter().map(move |bounds| (table, bounds)))
            .flat_map(|(table, bounds)| Key::ALL.iter().map(move |key| (table, bounds, key)))
        {
            let enhanced = [Enhanced::None, Enhanced::All, Enhanced::Together];
            specs.extend(enhanced.map(|enhanced| Spec {
                order,
                table,
                table_bounds,
                key,
                enhanced,
                ..CHAMPION_SCALAR
            }));
        }
    }
    specs.retain(|spec| spec.search == Search::Children && spec.validate().is_ok());
    specs
}

#[test]
fn a_closer_look_at_every_node_agrees_with_the_oracle() {
    let cases = cases::<4, 4>(0..=16, 2);
    let specs = specs();
    for key in [Key::Exact, Key::Mirror, Key::MirrorEarly] {
        assert!(specs.iter().any(|spec| spec.key == key && spec.order == Order::Sides), "{key:?}");
    }
    for spec in specs {
        let variant = AtRunTime::on(narrow(4, 4), spec).opening_with(ALL);
        let mut searcher = Searcher::new(variant, &Options::with_tt(16 << 10)).expect("a table");
        // Cold, then warm: with what searches of other positions left in the table.
        for is_cold in [true, false] {
            for (case, &goal) in cases.iter().flat_map(|case| spec.goals().iter().map(move |goal| (case, goal))) {
                if is_cold {
                    searcher.reset();
                }
                let solved = searcher.solve(&case.position, goal, &Limits::default()).expect("no limit");
                assert_eq!(solved.score, goal.of(case.score), "{spec}, {}, cold: {is_cold}", case.position);
            }
        }
    }
}
