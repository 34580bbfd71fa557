//! Every kind of table works with replies looked up at nodes with few stones.

use crate::support::positions::{Case, random_positions};
use c4lab_solver::axes::{Axis, Enhanced, Key, Order, TableBounds, TableKind};
use c4lab_solver::search::registry::{self, CHAMPION_SCALAR, without_table};
use c4lab_solver::search::{Goal, Limits, Options, Spec};

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

/// Both goals give the right score, cold and warm.
fn agree(spec: Spec, positions: &[Case]) {
    let mut solver = registry::build(spec, &Options::with_tt(4 << 20)).expect("a table");
    for (known, goal) in positions.iter().flat_map(|known| Goal::ALL.map(|goal| (known, goal))) {
        let solved = solver.solve(&known.position, goal, &Limits::default()).expect("no limit");
        assert_eq!(solved.score, goal.of(known.score), "{spec}: {}", known.position);
    }
}

/// Every `step`-th of the random positions with `plies` stones, up to `most`.
fn positions(plies: std::ops::Range<u32>, step: usize, most: usize) -> Vec<Case> {
    let [_, late] = random_positions();
    late.into_iter().filter(|known| plies.contains(&known.position.ply())).step_by(step).take(most).collect()
}

#[test]
fn a_closer_look_agrees_with_every_table() {
    let few = positions(17..20, 211, 3);
    for order in [Order::Lines, Order::Replies, Order::Sides] {
        for enhanced in [Enhanced::None, Enhanced::All, Enhanced::Together] {
            let specs = with_every_table(Spec { order, enhanced, ..CHAMPION_SCALAR });
            specs.into_iter().for_each(|spec| agree(spec, &few));
        }
    }
}
