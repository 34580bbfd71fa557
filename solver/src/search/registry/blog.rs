//! The solver that "The Wondrous World of Connect Four Bit Boards" describes, from minimax with caching to all its
//! ideas. The post gives them no order. Here each step adds one to the step before, down to [`BLOG_LOSSES`]. The two
//! claims of the post, vectors and colorless keys, each start from there. [`BLOG_FULL`] has both.
//!
//! What the post leaves open is as plain as can be: one full window (for the weak goal [-1, 1]), always replace,
//! columns from the centre out. Slots hold whole keys: 61 bits and more at stride 9.

use crate::axes::{
    Anticipation, Key, Layout, Order, Pruning, StaticBounds, Storage, TableBounds, TableKind, TableSize, Threats, Wins,
};
use crate::search::Spec;
use crate::search::registry::PONS_03;

/// Minimax with caching.
pub const BLOG_BASE: Spec = Spec {
    storage: Storage::Bitboard,
    layout: Layout::Spaced,
    pruning: Pruning::Minimax,
    anticipation: Anticipation::None,
    order: Order::LeftToRight,
    bounds: StaticBounds::None,
    table: TableKind::Wide,
    table_bounds: TableBounds::Score,
    table_size: TableSize::Chosen,
    ..PONS_03
};
/// Alpha-beta.
pub const BLOG_ALPHA_BETA: Spec = Spec { pruning: Pruning::AlphaBeta, table_bounds: TableBounds::Either, ..BLOG_BASE };
/// The centre first.
pub const BLOG_ORDER: Spec = Spec { order: Order::Centre, ..BLOG_ALPHA_BETA };
/// Mirrored keys.
pub const BLOG_MIRROR: Spec = Spec { key: Key::Mirror, ..BLOG_ORDER };
/// The mover's almost-wins.
pub const BLOG_ALMOST_WINS: Spec =
    Spec { anticipation: Anticipation::WinningSquares, threats: Threats::AlmostWins, ..BLOG_MIRROR };
/// The opponent's almost-wins only.
pub const BLOG_LOSSES: Spec = Spec { anticipation: Anticipation::Losses, ..BLOG_ALMOST_WINS };
/// Vectors.
pub const BLOG_SIMD: Spec = Spec { threats: Threats::Directions, ..BLOG_LOSSES };
/// Colorless keys.
pub const BLOG_COLORLESS: Spec = blog_colorless(BLOG_LOSSES);
/// All of it.
pub const BLOG_FULL: Spec = Spec { wins: Wins::Directions, threats: Threats::Directions, ..BLOG_COLORLESS };

/// A step of the ladder with colorless keys instead. It shows what they are worth there.
pub const fn blog_colorless(step: Spec) -> Spec {
    let key = match step.key {
        Key::Mirror => Key::ColorlessMirror,
        _ => Key::Colorless,
    };
    Spec { key, ..step }
}
