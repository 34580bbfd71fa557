//! The ladder of P. Pons, "Solving Connect Four", parts 3 to 12: one technique a step.

use crate::axes::{
    Anticipation, Enhanced, Key, Layout, Order, Pruning, Root, Search, StaticBounds, Storage, TableBounds, TableKind,
    TableSize, Threats, Wins, Zugzwang,
};
use crate::search::Spec;

/// Pons, part 3.
pub const PONS_03: Spec = Spec {
    search: Search::Moves,
    storage: Storage::Array,
    layout: Layout::Tight,
    wins: Wins::TwoShifts,
    threats: Threats::Pairs,
    pruning: Pruning::Minimax,
    anticipation: Anticipation::Wins,
    order: Order::LeftToRight,
    bounds: StaticBounds::None,
    zugzwang: Zugzwang::None,
    enhanced: Enhanced::None,
    key: Key::Exact,
    table: TableKind::None,
    table_bounds: TableBounds::None,
    table_size: TableSize::Chosen,
    root: Root::Window,
};
/// Pons, part 4.
pub const PONS_04: Spec = Spec { pruning: Pruning::AlphaBeta, bounds: StaticBounds::Upper, ..PONS_03 };
/// Pons, part 5.
pub const PONS_05: Spec = Spec { order: Order::Centre, ..PONS_04 };
/// Pons, part 6.
pub const PONS_06: Spec = Spec { storage: Storage::Bitboard, ..PONS_05 };
/// Pons, part 7.
pub const PONS_07: Spec =
    Spec { table: TableKind::Full, table_bounds: TableBounds::Upper, table_size: TableSize::Published, ..PONS_06 };
/// Pons, part 8.
pub const PONS_08: Spec = Spec { root: Root::Bisect, ..PONS_07 };
/// Pons, part 9.
pub const PONS_09: Spec = Spec { anticipation: Anticipation::Losses, bounds: StaticBounds::Both, ..PONS_08 };
/// Pons, part 10.
pub const PONS_10: Spec = Spec { order: Order::Threats, ..PONS_09 };
/// Pons, part 11.
pub const PONS_11: Spec = Spec { table: TableKind::Partial, ..PONS_10 };
/// Pons, part 12.
pub const PONS_12: Spec = Spec { table_bounds: TableBounds::Either, ..PONS_11 };
