//! The champion, and the steps that lead to it from [`PONS_12`].
//!
//! Each step adds one technique to the one before, as it stands in the champion. The first is the variant
//! `pons-12-threats-halves`, then come `champion-step-1-...` to `champion-step-5-...`. The next is
//! `champion-search-moves`, which has all but the champion's search, then `champion-threats-halves`, which has all but
//! its vectors.

use crate::axes::{Enhanced, Key, Order, Root, Search, TableBounds, TableKind, TableSize, Threats, Zugzwang};
use crate::search::Spec;
use crate::search::registry::PONS_12;

/// The champion.
pub const CHAMPION: Spec = Spec {
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
/// The champion, one move at a time; [`CHAMPION_SCALAR`] is one step further.
pub const CHAMPION_MOVES: Spec = Spec { search: Search::Moves, ..CHAMPION_SCALAR };

/// A spec with the champion's table.
pub const fn with_buckets(spec: Spec) -> Spec {
    Spec { table: CHAMPION.table, table_bounds: CHAMPION.table_bounds, table_size: CHAMPION.table_size, ..spec }
}

/// A spec without a table, and without what needs one.
pub const fn without_table(spec: Spec) -> Spec {
    Spec {
        key: Key::Exact,
        table: TableKind::None,
        table_bounds: TableBounds::None,
        table_size: TableSize::Chosen,
        enhanced: Enhanced::None,
        ..spec
    }
}

/// Buckets that grow.
pub const STEP_1: Spec = with_buckets(Spec { threats: CHAMPION_SCALAR.threats, ..PONS_12 });
/// The root asks as the champion's does.
pub const STEP_2: Spec = Spec { root: CHAMPION.root, ..STEP_1 };
/// Enhanced cutoffs.
pub const STEP_3: Spec = Spec { enhanced: CHAMPION.enhanced, ..STEP_2 };
/// Weighted order.
pub const STEP_4: Spec = Spec { order: CHAMPION.order, ..STEP_3 };
/// Mirror images early. After it only zugzwang bounds are missing ([`CHAMPION_MOVES`]).
pub const STEP_5: Spec = Spec { key: CHAMPION.key, ..STEP_4 };
