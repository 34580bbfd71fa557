//! The list of named variants. Those marked `(ablation)`, and neighbours not marked `(always)`, are compiled with the
//! feature `ablations`; without it they run as dynamic variants, with the same scores and nodes.
//!
//! A single variant is a paragraph below: a line of documentation, which `c4lab list variants` prints, a type, a name
//! and a choice. A variant that differs from a base on one axis is a value in the list of that base.

#![allow(unreachable_pub, reason = "three of the types are named outside of the registry")]
#![cfg_attr(not(feature = "ablations"), allow(dead_code, reason = "the types of variants that are not compiled"))]

use crate::axes::table::any::{AnyTable, HasTable};
use crate::axes::{
    Anticipation, Axis, Enhanced, Key, Late, Layout, Order, Root, StaticBounds, Storage, TableBounds, TableKind,
    TableSize, Threats, Waiting, Wins, Zugzwang,
};
use crate::game::{Spaced, Standard};
use crate::search::registry::specs::*;
use crate::search::registry::{Build, Entry, boxed, table_of};
use crate::search::spec::Spec;
use crate::search::variant::Variant;
use std::sync::LazyLock;

/// Declares a variant whose search is compiled for one choice.
macro_rules! fixed {
    ($(#[$about:meta])* $vis:vis $type:ident on $geometry:ident: $spec:expr) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        $vis struct $type;

        impl $type {
            $vis const SPEC: Spec = $spec;
        }

        impl Variant for $type {
            type Geometry = $geometry;
            type Table = <AnyTable as HasTable<{ table_of($spec, <$geometry>::STRIDE) }>>::Table;
            const FIXED: Option<Spec> = Some(Self::SPEC);
            #[inline(always)]
            fn geometry(self) -> $geometry {
                <$geometry>::NEW
            }
            #[inline(always)]
            fn spec(self) -> Spec {
                const { Self::SPEC }
            }
        }
    };
}

/// The function that builds a variant: `None` if it is not compiled.
macro_rules! built {
    ($variant:expr) => {
        Some((|options| boxed($variant, options)) as Build)
    };
    ($variant:expr, ablation) => {{
        #[cfg(feature = "ablations")]
        let built = built!($variant);
        #[cfg(not(feature = "ablations"))]
        let built = None;
        built
    }};
}

macro_rules! neighbour {
    ($variant:expr) => {
        built!($variant, ablation)
    };
    ($variant:expr, always) => {
        built!($variant)
    };
}

/// Declares single variants, and a function that lists them.
macro_rules! variants {
    ($list:ident: $( $(#[doc = $about:literal])+ $type:ident on $geometry:ident = $name:literal $(($ablation:ident))?: $spec:expr, )+) => {
        $( fixed! { $(#[doc = $about])+ pub $type on $geometry: $spec } )+

        fn $list() -> Vec<Entry> {
            vec![$(
                Entry {
                    name: $name,
                    about: concat!($($about),+).trim_ascii(),
                    spec: $type::SPEC,
                    build: built!($type $(, $ablation)?),
                },
            )+]
        }
    };
}

/// Declares the variants that differ from a base on one axis: `PREFIX-AXIS-VALUE`. Every build has those with `always`.
macro_rules! neighbours {
    ($module:ident of $base:ident $name:literal as $prefix:literal: $( $field:ident: $axis:ident = [$( $value:ident $(($always:ident))? ),+], )+) => {
        mod $module {
            use super::*;

            $( mod $field {
                use super::*;
                $( fixed! { pub(super) $value on Standard: Spec { $field: $axis::$value, ..$base } } )+
            } )+

            pub(super) fn list() -> Vec<Entry> {
                vec![$( $( {
                    let (axis, value) = ($axis::KEY, $axis::$value);
                    let (prefix, field) = ($prefix, stringify!($field).replace('_', "-"));
                    Entry {
                        name: format!("{prefix}-{field}-{}", value.value()).leak(),
                        about: format!("{}, {axis}={}: {}", $name, value.value(), value.about()).leak(),
                        spec: $field::$value::SPEC,
                        build: neighbour!($field::$value $(, $always)?),
                    }
                }, )+ )+]
            }
        }
    };
}

/// Every named variant, in the order of `list`.
pub static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    [
        published(),
        fhourstones::list(),
        bots(),
        pons_06::list(),
        herzberg(),
        pons_12::list(),
        around_pons_12(),
        pons_12_wide::list(),
        around_pons_12_wide(),
        best::list(),
        around_best(),
        best_wide::list(),
        champions(),
        champion::list(),
        steps(),
    ]
    .concat()
});

variants! { published:
    /// Pons, part 3: minimax on an array board, immediate wins tested first
    Pons03 on Standard = "pons-03": PONS_03,
    /// Pons, part 4: alpha-beta, and the upper bound of a mover without an immediate win
    Pons04 on Standard = "pons-04": PONS_04,
    /// Pons, part 5: columns from the centre out
    Pons05 on Standard = "pons-05": PONS_05,
    /// Pons, part 6: bitboards instead of the array; the same nodes
    Pons06 on Standard = "pons-06": PONS_06,
    /// Pons, part 7: a transposition table of upper bounds, full keys, 64 MB
    Pons07 on Standard = "pons-07": PONS_07,
    /// Pons, part 8: null windows that bisect the range of scores
    Pons08 on Standard = "pons-08": PONS_08,
    /// Pons, part 9: moves that lose at once are skipped; the lower bound that follows
    Pons09 on Standard = "pons-09": PONS_09,
    /// Pons, part 10: moves that create most winning squares first
    Pons10 on Standard = "pons-10": PONS_10,
    /// Pons, part 11: partial keys and a prime number of slots, 40 MB
    Pons11 on Standard = "pons-11": PONS_11,
    /// Pons, part 12: lower bounds kept in the same slots
    Pons12 on Standard = "pons-12": PONS_12,
    /// Connect Four Bit Boards: minimax with caching: every child in full, exact scores kept, stride 9
    BlogBase on Spaced = "blog-base": BLOG_BASE,
    /// Connect Four Bit Boards: a window, and a bound of either kind in a slot
    BlogAlphaBeta on Spaced = "blog-alpha-beta": BLOG_ALPHA_BETA,
    /// Connect Four Bit Boards: columns from the centre out
    BlogOrder on Spaced = "blog-order": BLOG_ORDER,
    /// Connect Four Bit Boards: a position and its mirror image share a slot
    BlogMirror on Spaced = "blog-mirror": BLOG_MIRROR,
    /// Connect Four Bit Boards: the mover's win is seen one move ahead, for all columns at once
    BlogAlmostWins on Spaced = "blog-almost-wins": BLOG_ALMOST_WINS,
    /// Connect Four Bit Boards: blog-almost-wins, with the opponent's wins instead of the mover's
    BlogLosses on Spaced = "blog-losses": BLOG_LOSSES,
    /// Connect Four Bit Boards: blog-losses, the four directions in the lanes of a vector
    BlogSimd on Spaced = "blog-simd": BLOG_SIMD,
    /// Connect Four Bit Boards: blog-losses and keys without the colours of stones that can be part of no four
    BlogColorless on Spaced = "blog-colorless": BLOG_COLORLESS,
    /// Connect Four Bit Boards: all its ideas: colorless, mirrored, vectors
    BlogFull on Spaced = "blog-full": BLOG_FULL,
    /// blog-base with colorless keys
    BlogBaseColorless on Spaced = "blog-base-colorless": blog_colorless(BLOG_BASE),
    /// blog-alpha-beta with colorless keys
    BlogAlphaBetaColorless on Spaced = "blog-alpha-beta-colorless": blog_colorless(BLOG_ALPHA_BETA),
    /// blog-order with colorless keys
    BlogOrderColorless on Spaced = "blog-order-colorless": blog_colorless(BLOG_ORDER),
    /// blog-almost-wins with colorless keys
    BlogAlmostWinsColorless on Spaced = "blog-almost-wins-colorless": blog_colorless(BLOG_ALMOST_WINS),
    /// Fhourstones: who wins, by five values; forced moves, an account of squares, two slots a place (Tromp)
    Fhourstones on Standard = "fhourstones": FHOURSTONES,
}

neighbours! { fhourstones of FHOURSTONES "fhourstones" as "fhourstones":
    order: Order = [Centre],
    table: TableKind = [Full],
}

variants! { bots:
    /// Nearly perfect bot: alpha-beta on bit strings, columns from left to right (Vandewiele)
    BotBaseline on Standard = "bot-baseline": BOT_BASELINE,
    /// Nearly perfect bot: bot-baseline and a table with bounds
    BotCache on Standard = "bot-cache": BOT_CACHE,
    /// Nearly perfect bot: bot-cache, and a win is seen one move ahead
    BotEarlyWin on Standard = "bot-early-win": BOT_EARLY_WIN,
    /// Nearly perfect bot: bot-early-win, asked only who wins: the first winning path will do
    BotAnyWin on Standard = "bot-any-win": BOT_ANY_WIN,
    /// Nearly perfect bot: bot-any-win, moves that lose at once are left out, the centre comes first
    BotFinal on Standard = "bot-final": BOT_FINAL,
}

neighbours! { pons_06 of PONS_06 "pons-06" as "pons-06":
    wins: Wins = [ThreeShifts, ThreeShiftsEarlyExit, EarlyExit, Lines, Squares, Directions],
    storage: Storage = [TwoPlayers, MakeUndo],
    anticipation: Anticipation = [None, WinningSquares],
}

variants! { herzberg:
    /// pons-06 on Herzberg's board: make and undo, and after each stone a loop over the directions looks for a four
    Herzberg on Standard = "herzberg": Spec { storage: Storage::MakeUndo, anticipation: Anticipation::None, wins: Wins::EarlyExit, ..PONS_06 },
}

neighbours! { pons_12 of PONS_12 "pons-12" as "pons-12":
    storage: Storage = [Array, MakeUndo],
    threats: Threats = [AlmostWins, Halves (always), Directions, Moves, Children, Players (always)],
    anticipation: Anticipation = [None, Wins, WinningSquares, Both],
    order: Order = [LeftToRight, Centre, Squares, Weighted],
    bounds: StaticBounds = [None, Upper],
    table: TableKind = [Full, TwoLevel],
    table_size: TableSize = [Chosen],
    root: Root = [Window, Ends, Step],
    key: Key = [Mirror, MirrorEarly],
    zugzwang: Zugzwang = [FollowUp, OddThreat, Sums, Horizon, Rules],
}

variants! { around_pons_12:
    /// pons-12, without a table
    Pons12TableNone on Standard = "pons-12-table-none" (ablation): Spec { table: TableKind::None, table_bounds: TableBounds::None, table_size: TableSize::Chosen, ..PONS_12 },
    /// pons-12, a hash instead of the key, in slots of 8 bytes: not exact
    Pons12TableHashed on Standard = "pons-12-table-hashed" (ablation): Spec { table: TableKind::Hashed, table_size: TableSize::Chosen, ..PONS_12 },
    /// pons-12, slots of 16 bytes with the whole key: the base of the pons-12-wide variants
    Pons12TableWide on Standard = "pons-12-table-wide": PONS_12_WIDE,
    /// pons-12, every child looked up before one is searched
    Pons12EnhancedCutoffs on Standard = "pons-12-enhanced-cutoffs" (ablation): Spec { enhanced: Enhanced::All, ..PONS_12 },
    /// pons-12, a table of buckets with both bounds that grows
    Pons12TableBuckets on Standard = "pons-12-table-buckets" (ablation): with_buckets(PONS_12),
}

neighbours! { pons_12_wide of PONS_12_WIDE "pons-12-table-wide" as "pons-12-wide":
    key: Key = [Mirror, Colorless (always), ColorlessMirror],
    order: Order = [Centre],
}

variants! { around_pons_12_wide:
    /// pons-12-table-wide, colorless, a hash of the key in slots of 8 bytes: not exact
    Pons12WideKeyColorlessHashed on Standard = "pons-12-wide-key-colorless-hashed" (ablation): Spec { key: Key::Colorless, table: TableKind::Hashed, ..PONS_12_WIDE },
    /// pons-12-table-wide, in a layout of stride 9
    Pons12WideLayoutSpaced on Spaced = "pons-12-wide-layout-spaced" (ablation): Spec { layout: Layout::Spaced, ..PONS_12_WIDE },
    /// pons-12-wide-order-centre with colorless keys
    Pons12WideOrderCentreColorless on Standard = "pons-12-wide-order-centre-colorless" (ablation): Spec { order: Order::Centre, key: Key::Colorless, ..PONS_12_WIDE },
    /// pons-12-wide-key-colorless, lines found in vectors
    Pons12WideKeyColorlessVector on Standard = "pons-12-wide-key-colorless-vector" (ablation): Spec { key: Key::Colorless, wins: Wins::Directions, ..PONS_12_WIDE },
}

neighbours! { best of BEST "pons-12-threats-players" as "best":
    storage: Storage = [MakeUndo],
    anticipation: Anticipation = [None, WinningSquares, Both],
    bounds: StaticBounds = [None],
    table: TableKind = [Full],
    table_bounds: TableBounds = [Upper],
    table_size: TableSize = [Chosen],
    root: Root = [Window],
    key: Key = [Mirror],
}

variants! { around_best:
    /// pons-12-threats-players, columns from the centre out; one board is left to look at, in a vector
    BestOrderCentre on Standard = "best-order-centre" (ablation): Spec { order: Order::Centre, threats: Threats::Directions, ..BEST },
    /// pons-12-threats-players, without a table
    BestTableNone on Standard = "best-table-none" (ablation): Spec { table: TableKind::None, table_bounds: TableBounds::None, table_size: TableSize::Chosen, ..BEST },
    /// pons-12-threats-players, slots of 16 bytes with the whole key
    BestTableWide on Standard = "best-table-wide" (ablation): BEST_WIDE,
    /// best-table-wide, in a layout of stride 9
    BestWideLayoutSpaced on Spaced = "best-wide-layout-spaced" (ablation): Spec { layout: Layout::Spaced, ..BEST_WIDE },
}

neighbours! { best_wide of BEST_WIDE "best-table-wide" as "best-wide":
    key: Key = [Colorless],
}

variants! { champions:
    /// The fastest: children expanded together in vectors, forced moves played out, zugzwang bounds, enhanced cutoffs, a table that grows
    Champion on Standard = "champion": CHAMPION,
    /// The champion until November 2026, kept as it was: moves are ordered by their threats alone
    Champion202611 on Standard = "champion-2026-11": CHAMPION_2026_11,
}

neighbours! { champion of CHAMPION "champion" as "champion":
    threats: Threats = [Children, Halves (always), Pairs],
    zugzwang: Zugzwang = [None, DeadLines, FollowUp, Distance, Blocked, OddThreat, Sums, Rules],
    waiting: Waiting = [Needed],
    enhanced: Enhanced = [None, Deep, All],
    late: Late = [Table],
    order: Order = [Centre, Threats, History, Killers, Weighted, Lines, Replies, Sides],
    root: Root = [Ends, Bisect, Step],
    key: Key = [Exact, Mirror],
}

variants! { steps:
    /// champion-step-7-children, one move at a time: forced moves are nodes
    ChampionSearchMoves on Standard = "champion-search-moves" (ablation): CHAMPION_MOVES,
    /// champion without a table, and so without enhanced cutoffs
    ChampionTableNone on Standard = "champion-table-none" (ablation): without_table(CHAMPION),
    /// pons-12-threats-halves, a table of buckets that grow: the first step from there to the champion
    ChampionStep1Buckets on Standard = "champion-step-1-buckets" (ablation): STEP_1,
    /// champion-step-1-buckets, null windows from both ends
    ChampionStep2Ends on Standard = "champion-step-2-ends" (ablation): STEP_2,
    /// champion-step-2-ends and enhanced cutoffs
    ChampionStep3Enhanced on Standard = "champion-step-3-enhanced" (ablation): STEP_3,
    /// champion-step-3-enhanced, moves by weighted winning squares
    ChampionStep4Weighted on Standard = "champion-step-4-weighted" (ablation): STEP_4,
    /// champion-step-4-weighted, mirror images share a slot early; champion-search-moves adds zugzwang bounds to it
    ChampionStep5Mirror on Standard = "champion-step-5-mirror" (ablation): STEP_5,
    /// champion-search-moves, children looked at together, forced moves played out; champion-2026-11 adds vectors to it
    ChampionStep7Children on Standard = "champion-step-7-children" (ablation): STEP_7,
    /// champion, moves ordered by fixed weights alone, and every search with a table
    ChampionStep8Sides on Standard = "champion-step-8-sides" (ablation): STEP_8,
}
