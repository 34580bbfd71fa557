//! The choices of named variants: the ladder of P. Pons, the steps of the post about bit boards, Fhourstones, the bot,
//! and the champion. Each is written as the changes to the one before.

use crate::axes::{
    Anticipation, Enhanced, Key, Late, Layout, Order, Pruning, Root, Search, StaticBounds, Storage, TableBounds,
    TableKind, TableSize, Threats, Waiting, Wins, Zugzwang,
};
use crate::search::Spec;

// The ladder of P. Pons, "Solving Connect Four", parts 3 to 12: one technique a step.

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
    waiting: Waiting::All,
    enhanced: Enhanced::None,
    late: Late::Table,
    key: Key::Exact,
    table: TableKind::None,
    table_bounds: TableBounds::None,
    table_size: TableSize::Chosen,
    root: Root::Window,
};
pub const PONS_04: Spec = Spec { pruning: Pruning::AlphaBeta, bounds: StaticBounds::Upper, ..PONS_03 };
pub const PONS_05: Spec = Spec { order: Order::Centre, ..PONS_04 };
pub const PONS_06: Spec = Spec { storage: Storage::Bitboard, ..PONS_05 };
pub const PONS_07: Spec =
    Spec { table: TableKind::Full, table_bounds: TableBounds::Upper, table_size: TableSize::Published, ..PONS_06 };
pub const PONS_08: Spec = Spec { root: Root::Bisect, ..PONS_07 };
pub const PONS_09: Spec = Spec { anticipation: Anticipation::Losses, bounds: StaticBounds::Both, ..PONS_08 };
pub const PONS_10: Spec = Spec { order: Order::Threats, ..PONS_09 };
pub const PONS_11: Spec = Spec { table: TableKind::Partial, ..PONS_10 };
pub const PONS_12: Spec = Spec { table_bounds: TableBounds::Either, ..PONS_11 };
/// Pons, part 12, with a table that holds any key.
pub const PONS_12_WIDE: Spec = Spec { table: TableKind::Wide, table_size: TableSize::Chosen, ..PONS_12 };
/// pons-12 with the winning squares of two boards in a vector: the base of the variants `best-...`.
pub const BEST: Spec = Spec { threats: Threats::Players, ..PONS_12 };
pub const BEST_WIDE: Spec = Spec { threats: Threats::Players, ..PONS_12_WIDE };

// The solver that "The Wondrous World of Connect Four Bit Boards" describes, from minimax with caching to all its
// ideas. The post gives them no order. Here each step adds one to the step before, down to `BLOG_LOSSES`. The two
// claims of the post, vectors and colorless keys, each start from there. `BLOG_FULL` has both.
//
// Choices that the post leaves open are as plain as can be: one full window (for the weak goal [-1, 1]), always
// replace, columns from the centre out. Slots hold whole keys: 61 bits and more at stride 9.

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
pub const BLOG_ALPHA_BETA: Spec = Spec { pruning: Pruning::AlphaBeta, table_bounds: TableBounds::Either, ..BLOG_BASE };
pub const BLOG_ORDER: Spec = Spec { order: Order::Centre, ..BLOG_ALPHA_BETA };
pub const BLOG_MIRROR: Spec = Spec { key: Key::Mirror, ..BLOG_ORDER };
pub const BLOG_ALMOST_WINS: Spec =
    Spec { anticipation: Anticipation::WinningSquares, threats: Threats::AlmostWins, ..BLOG_MIRROR };
pub const BLOG_LOSSES: Spec = Spec { anticipation: Anticipation::Losses, ..BLOG_ALMOST_WINS };
pub const BLOG_SIMD: Spec = Spec { threats: Threats::Directions, ..BLOG_LOSSES };
pub const BLOG_COLORLESS: Spec = blog_colorless(BLOG_LOSSES);
pub const BLOG_FULL: Spec = Spec { wins: Wins::Directions, threats: Threats::Directions, ..BLOG_COLORLESS };

/// A step of the ladder with colorless keys, to measure their gain there.
pub const fn blog_colorless(step: Spec) -> Spec {
    let key = match step.key {
        Key::Mirror => Key::ColorlessMirror,
        _ => Key::Colorless,
    };
    Spec { key, ..step }
}

// Fhourstones (J. Tromp): the benchmark's own search, and its parts.

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

// The bot of "Creating the (nearly) perfect connect-four bot with limited move time and file size" (G. Vandewiele), as
// it grows in that article. The article describes its last step in one sentence. Here its order by heuristics is the
// centre, and its subtrees that lead to a loss are those that lose at once.

pub const BOT_BASELINE: Spec =
    Spec { anticipation: Anticipation::None, order: Order::LeftToRight, bounds: StaticBounds::None, ..PONS_06 };
pub const BOT_CACHE: Spec = Spec { table: TableKind::Full, table_bounds: TableBounds::Either, ..BOT_BASELINE };
pub const BOT_EARLY_WIN: Spec = Spec { anticipation: Anticipation::Wins, ..BOT_CACHE };
pub const BOT_ANY_WIN: Spec = Spec { root: Root::Sign, ..BOT_EARLY_WIN };
pub const BOT_FINAL: Spec = Spec { anticipation: Anticipation::Losses, order: Order::Centre, ..BOT_ANY_WIN };

// The champion, and the steps that lead to it from `PONS_12`.
//
// Each step adds one technique to the one before. The first is the variant `pons-12-threats-halves`, then come
// `champion-step-1-...` to `champion-step-5-...`. The next is `champion-search-moves`, then
// `champion-step-7-children`, and with vectors `champion-2026-11`, which was the champion until then.

pub const CHAMPION: Spec = Spec {
    threats: Threats::Dispatched,
    order: Order::Learned,
    zugzwang: Zugzwang::Horizon,
    enhanced: Enhanced::Together,
    late: Late::Bare,
    root: Root::Extremes,
    ..CHAMPION_2026_11
};
/// The champion until November 2026, kept unchanged as a reference for later ones.
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
/// The champion of 2026-11-28.
pub const STEP_8: Spec = Spec { order: Order::Sides, late: Late::Table, ..CHAMPION };
pub const CHAMPION_SCALAR: Spec = Spec { threats: Threats::Halves, ..CHAMPION };
/// The champion of November 2026, without vectors.
pub const STEP_7: Spec = Spec { threats: Threats::Halves, ..CHAMPION_2026_11 };
/// [`STEP_7`], one move at a time.
pub const CHAMPION_MOVES: Spec = Spec { search: Search::Moves, ..STEP_7 };

/// `spec` with the champion's table.
pub const fn with_buckets(spec: Spec) -> Spec {
    Spec { table: CHAMPION.table, table_bounds: CHAMPION.table_bounds, table_size: CHAMPION.table_size, ..spec }
}

/// `spec` without a table, and without the techniques that need one.
pub const fn without_table(spec: Spec) -> Spec {
    let order = if spec.order.looks_replies_up() { Order::Lines } else { spec.order };
    Spec {
        order,
        key: Key::Exact,
        table: TableKind::None,
        table_bounds: TableBounds::None,
        table_size: TableSize::Chosen,
        enhanced: Enhanced::None,
        late: Late::Table,
        ..spec
    }
}

pub const STEP_1: Spec = with_buckets(Spec { threats: STEP_7.threats, ..PONS_12 });
pub const STEP_2: Spec = Spec { root: STEP_7.root, ..STEP_1 };
pub const STEP_3: Spec = Spec { enhanced: STEP_7.enhanced, ..STEP_2 };
pub const STEP_4: Spec = Spec { order: STEP_7.order, ..STEP_3 };
/// Adds keys of early mirror images. The next step adds zugzwang bounds ([`CHAMPION_MOVES`]).
pub const STEP_5: Spec = Spec { key: STEP_7.key, ..STEP_4 };
