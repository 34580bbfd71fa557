//! Fhourstones (J. Tromp): the benchmark's own search, and its parts.

use crate::axes::{Anticipation, Key, Order, Root, Search, StaticBounds, TableBounds, TableKind, TableSize, Threats};
use crate::search::Spec;
use crate::search::registry::PONS_12;

/// Fhourstones 3.2, node by node.
pub const FHOURSTONES: Spec = Spec {
    search: Search::Fhourstones,
    threats: Threats::Halves,
    anticipation: Anticipation::Losses,
    order: Order::Squares,
    bounds: StaticBounds::None,
    key: Key::MirrorTen,
    table: TableKind::TwoLevel,
    table_bounds: TableBounds::Either,
    table_size: TableSize::Published,
    root: Root::Window,
    ..PONS_12
};
