//! The champion, and the steps that lead to it from [`PONS_12`].

use super::PONS_12;
use crate::axes::{Claims, Enhanced, Key, Order, Root, Search, Table, TableBounds, TableSize, Threats};
use crate::solve::Spec;

/// The champion.
pub const CHAMPION: Spec = Spec {
    search: Search::Children,
    threats: Threats::Children,
    order: Order::Weighted,
    key: Key::MirrorEarly,
    claims: Claims::Sums,
    enhanced: Enhanced::Deep,
    table: Table::Buckets,
    table_bounds: TableBounds::Both,
    table_size: TableSize::Chosen,
    root: Root::Ends,
    ..PONS_12
};
