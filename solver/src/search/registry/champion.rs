//! The champion, and the steps that lead to it from [`PONS_12`].
//!
//! Each step adds one technique to the one before. The first is the variant `pons-12-threats-halves`, then come
//! `champion-step-1-...` to `champion-step-5-...`. The next is `champion-search-moves`, then
//! `champion-step-7-children`, and with vectors `champion-2026-11`, which was the champion until then.

use crate::axes::{Enhanced, Key, Order, Root, Search, TableBounds, TableKind, TableSize, Threats, Zugzwang};
use crate::search::Spec;
use crate::search::registry::PONS_12;

/// The champion.
pub const CHAMPION: Spec = Spec {
    threats: Threats::Dispatched,
    order: Order::Sides,
    zugzwang: Zugzwang::Horizon,
    enhanced: Enhanced::Together,
    root: Root::Extremes,
    ..CHAMPION_2026_11
};
/// What was the champion until November 2026. It stays as it is, so that later ones are measured beside it.
pub const CHAMPION_2026_11: Spec = Spec {
    search: Search::Children,
    threats: Threats::Children,
    order: Order::Weighted,
    key: Key::MirrorEarly,
    zugzwang: Zugzwang::Sums,
    enhanced: Enhanced::Deep,
    table: TableKind::Buckets,
    table_bounds: TableBounds::Both,
    table_size: TableSize::Chosen,
    root: Root::Ends,
    ..PONS_12
};
/// The champion without vectors.
pub const CHAMPION_SCALAR: Spec = Spec { threats: Threats::Halves, ..CHAMPION };
/// What was the champion, without vectors.
pub const STEP_7: Spec = Spec { threats: Threats::Halves, ..CHAMPION_2026_11 };
/// The same, one move at a time.
pub const CHAMPION_MOVES: Spec = Spec { search: Search::Moves, ..STEP_7 };

/// A spec with the champion's table.
pub const fn with_buckets(spec: Spec) -> Spec {
    Spec { table: CHAMPION.table, table_bounds: CHAMPION.table_bounds, table_size: CHAMPION.table_size, ..spec }
}

/// A spec without a table, and without what needs one.
pub const fn without_table(spec: Spec) -> Spec {
    let order = if spec.order.looks_replies_up() { Order::Lines } else { spec.order };
    Spec {
        order,
        key: Key::Exact,
        table: TableKind::None,
        table_bounds: TableBounds::None,
        table_size: TableSize::Chosen,
        enhanced: Enhanced::None,
        ..spec
    }
}

/// Buckets that grow.
pub const STEP_1: Spec = with_buckets(Spec { threats: STEP_7.threats, ..PONS_12 });
/// The root asks as the champion's does.
pub const STEP_2: Spec = Spec { root: STEP_7.root, ..STEP_1 };
/// Enhanced cutoffs.
pub const STEP_3: Spec = Spec { enhanced: STEP_7.enhanced, ..STEP_2 };
/// Weighted order.
pub const STEP_4: Spec = Spec { order: STEP_7.order, ..STEP_3 };
/// Mirror images early. The next has zugzwang bounds too ([`CHAMPION_MOVES`]).
pub const STEP_5: Spec = Spec { key: STEP_7.key, ..STEP_4 };
