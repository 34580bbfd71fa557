//! The named variants: one line of documentation, a type, a name and a spec each.
//!
//! The documentation is the rustdoc of the type, the line that `c4lab list variants` prints and the one in reports.

use boards::compiled_for;

use crate::axes::table::Contents;
use crate::axes::table::any::{Compiled, HasTable, compiled};
use crate::axes::{
    Anticipation, Enhanced, Key, Layout, Order, Root, StaticBounds, Storage, TableBounds, TableKind, TableSize,
    Threats, Wins, Zugzwang,
};
use crate::game::{BoardSize, Geometry, Spaced, Standard};
use crate::search::name_error::Unknown;
use crate::search::searcher::Searcher;
use crate::search::solver::{BuildError, Options, Solver};
use crate::search::spec::Spec;
use crate::search::variant::Variant;

mod blog;
mod boards;
mod bots;
mod champion;
mod fhourstones;
mod pons;

pub use blog::*;
pub(in crate::search) use boards::plies;
pub use boards::{BOARDS, RARE_BOARDS, build, build_counted, perft, proven, sample, takes_any_choice, view};
pub use bots::*;
pub use champion::*;
pub use fhourstones::*;
pub use pons::*;

/// A named variant.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name on the command line and in tables.
    pub name: &'static str,
    /// What it is, in one line.
    pub about: &'static str,
    /// Its choice on every axis.
    pub spec: Spec,
    build: fn(&Options) -> Result<Box<dyn Solver>, BuildError>,
}

impl Entry {
    /// Builds its solver: compiled for this variant alone on the standard board, and on any other that it is compiled for
    /// ([`is_compiled`](Self::is_compiled)); else the search at run time.
    pub fn build(&self, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
        match options.board {
            BoardSize::STANDARD => (self.build)(options),
            _ => boards::compiled(self.spec, options).unwrap_or_else(|| self.build_at_run_time(options)),
        }
    }

    /// Whether a search is compiled for this variant alone on a board.
    pub fn is_compiled(&self, board: BoardSize) -> bool {
        board == BoardSize::STANDARD || compiled_for(board).contains(&self.spec)
    }

    /// Whether it can be built for a board, in either way.
    pub fn is_built_for(&self, board: BoardSize) -> bool {
        self.is_compiled(board) || takes_any_choice(board)
    }

    /// Builds the same choice with the branches left in: it must agree with [`build`](Self::build) in score and nodes.
    pub fn build_at_run_time(&self, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
        build(self.spec, options)
    }

    /// Builds the same choice counting what its table does: for passes that are not timed.
    pub fn build_counted(&self, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
        build_counted(self.spec, options)
    }

    /// The geometry that it searches in on a board of that size, as rows name it.
    pub fn geometry(&self, board: BoardSize) -> String {
        self.spec.layout.geometry(board)
    }
}

/// The named variants that a search is compiled for on a board.
pub fn compiled_on(board: BoardSize) -> impl Iterator<Item = &'static Entry> {
    ALL.iter().filter(move |entry| entry.is_compiled(board))
}

/// The number of the table that a choice has on the boards of a geometry.
const fn table_of<G: Geometry>(spec: Spec) -> usize {
    compiled(spec.table, spec.table_size, Contents::of::<G>(spec.key))
}

/// Declares the named variants and [`ALL`].
macro_rules! variants {
    ($( $(#[doc = $about:literal])+ $type:ident on $geometry:ident = $name:literal: $spec:expr, )+) => {
        $(
            $(#[doc = $about])+
            #[derive(Clone, Copy, Debug)]
            pub struct $type;

            impl $type {
                /// Its choice.
                pub const SPEC: Spec = $spec;
            }

            impl Variant for $type {
                type Geometry = $geometry;
                type Table = <Compiled<{ table_of::<$geometry>($spec) }> as HasTable>::Table;
                const FIXED: Option<Spec> = Some($spec);
                #[inline(always)]
                fn spec(self) -> Spec {
                    const { $spec }
                }
            }
        )+

        /// Every named variant, in the order of `list`.
        pub static ALL: &[Entry] = &[$(
            Entry {
                name: $name,
                about: concat!($($about),+).trim_ascii(),
                spec: $spec,
                build: |options| Ok(Box::new(Searcher::new($type, options)?)),
            },
        )+];
    };
}

/// Pons, part 12, with a table that holds any key.
pub const PONS_12_WIDE: Spec = Spec { table: TableKind::Wide, table_size: TableSize::Chosen, ..PONS_12 };

/// One of the fastest choices of the search by moves before it had zugzwang bounds: pons-12, winning squares of two boards in a vector. The variants `best-...` are around it.
pub const BEST: Spec = Spec { threats: Threats::Players, ..PONS_12 };
/// The same with a table that holds any key.
pub const BEST_WIDE: Spec = Spec { threats: Threats::Players, ..PONS_12_WIDE };

/// The variant that `solve` uses unless told otherwise, and whose signature every manifest holds. It has the vectors of the
/// processor that it runs on, or none. Scores and nodes are the same.
pub const DEFAULT: &str = "champion";

variants! {
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
    /// Connect Four Bit Boards: the opponent's almost-wins instead of the mover's
    BlogLosses on Spaced = "blog-losses": BLOG_LOSSES,
    /// Connect Four Bit Boards: and the four directions in the lanes of a vector
    BlogSimd on Spaced = "blog-simd": BLOG_SIMD,
    /// Connect Four Bit Boards: blog-losses and keys without the colours of stones that can be part of no four
    BlogColorless on Spaced = "blog-colorless": BLOG_COLORLESS,
    /// Connect Four Bit Boards: all of it: colorless, mirrored, vectors
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
    /// fhourstones, columns from the centre out
    FhourstonesOrderCentre on Standard = "fhourstones-order-centre": Spec { order: Order::Centre, ..FHOURSTONES },
    /// fhourstones, one slot a place: the last bound replaces any other
    FhourstonesTableFull on Standard = "fhourstones-table-full": Spec { table: TableKind::Full, ..FHOURSTONES },
    /// Nearly perfect bot: alpha-beta on bit strings, columns from left to right (Vandewiele)
    BotBaseline on Standard = "bot-baseline": BOT_BASELINE,
    /// Nearly perfect bot: and a table with bounds
    BotCache on Standard = "bot-cache": BOT_CACHE,
    /// Nearly perfect bot: and a win is seen a move before
    BotEarlyWin on Standard = "bot-early-win": BOT_EARLY_WIN,
    /// Nearly perfect bot: and only who wins, by the first path that is found
    BotAnyWin on Standard = "bot-any-win": BOT_ANY_WIN,
    /// Nearly perfect bot: and moves that lose at once are left out, the centre comes first
    BotFinal on Standard = "bot-final": BOT_FINAL,
    /// pons-06, fours by three shifts a direction
    Pons06WinsThreeShifts on Standard = "pons-06-wins-three-shifts": Spec { wins: Wins::ThreeShifts, ..PONS_06 },
    /// pons-06, fours by directions in a loop, left at the first four
    Pons06WinsEarlyExit on Standard = "pons-06-wins-early-exit": Spec { wins: Wins::EarlyExit, ..PONS_06 },
    /// pons-06, fours by the squares that belong to a four
    Pons06WinsSquares on Standard = "pons-06-wins-squares": Spec { wins: Wins::Squares, ..PONS_06 },
    /// pons-06, fours by four directions in the lanes of a vector
    Pons06WinsDirections on Standard = "pons-06-wins-directions": Spec { wins: Wins::Directions, ..PONS_06 },
    /// pons-06 on a board with make and undo (Herzberg)
    Pons06StorageMakeUndo on Standard = "pons-06-storage-make-undo": Spec { storage: Storage::MakeUndo, ..PONS_06 },
    /// pons-06, the stone just played looked at instead of the next
    Pons06AnticipationNone on Standard = "pons-06-anticipation-none": Spec { anticipation: Anticipation::None, ..PONS_06 },
    /// pons-06, the stone just played looked at, make and undo, a loop over the directions: Herzberg's board as it stands
    Herzberg on Standard = "herzberg": Spec { storage: Storage::MakeUndo, anticipation: Anticipation::None, wins: Wins::EarlyExit, ..PONS_06 },
    /// pons-06, the mover's winning squares at once
    Pons06AnticipationWinningSquares on Standard = "pons-06-anticipation-winning-squares": Spec { anticipation: Anticipation::WinningSquares, ..PONS_06 },
    /// pons-12, without bitboards
    Pons12StorageArray on Standard = "pons-12-storage-array": Spec { storage: Storage::Array, ..PONS_12 },
    /// pons-12, on a board with make and undo
    Pons12StorageMakeUndo on Standard = "pons-12-storage-make-undo": Spec { storage: Storage::MakeUndo, ..PONS_12 },
    /// pons-12, winning squares by three of four and spread
    Pons12ThreatsAlmostWins on Standard = "pons-12-threats-almost-wins": Spec { threats: Threats::AlmostWins, ..PONS_12 },
    /// pons-12, winning squares by halves of lines: four shifts a direction
    Pons12ThreatsHalves on Standard = "pons-12-threats-halves": Spec { threats: Threats::Halves, ..PONS_12 },
    /// pons-12, winning squares with four directions in a vector
    Pons12ThreatsDirections on Standard = "pons-12-threats-directions": Spec { threats: Threats::Directions, ..PONS_12 },
    /// pons-12, winning squares of four children in a vector
    Pons12ThreatsMoves on Standard = "pons-12-threats-moves": Spec { threats: Threats::Moves, ..PONS_12 },
    /// pons-12, winning squares of all children in a vector
    Pons12ThreatsChildren on Standard = "pons-12-threats-children": Spec { threats: Threats::Children, ..PONS_12 },
    /// pons-12, winning squares of two boards in a vector
    Pons12ThreatsPlayers on Standard = "pons-12-threats-players": BEST,
    /// pons-12, without looking ahead
    Pons12AnticipationNone on Standard = "pons-12-anticipation-none": Spec { anticipation: Anticipation::None, ..PONS_12 },
    /// pons-12, every column tried for a win, losses not seen
    Pons12AnticipationWins on Standard = "pons-12-anticipation-wins": Spec { anticipation: Anticipation::Wins, ..PONS_12 },
    /// pons-12, the mover's winning squares, losses not seen
    Pons12AnticipationWinningSquares on Standard = "pons-12-anticipation-winning-squares": Spec { anticipation: Anticipation::WinningSquares, ..PONS_12 },
    /// pons-12, the mover's winning squares looked at too
    Pons12AnticipationBoth on Standard = "pons-12-anticipation-both": Spec { anticipation: Anticipation::Both, ..PONS_12 },
    /// pons-12, columns from left to right
    Pons12OrderLeftToRight on Standard = "pons-12-order-left-to-right": Spec { order: Order::LeftToRight, ..PONS_12 },
    /// pons-12, columns from the centre out
    Pons12OrderCentre on Standard = "pons-12-order-centre": Spec { order: Order::Centre, ..PONS_12 },
    /// pons-12, moves by the account of squares of Fhourstones
    Pons12OrderSquares on Standard = "pons-12-order-squares": Spec { order: Order::Squares, ..PONS_12 },
    /// pons-12, without static bounds
    Pons12BoundsNone on Standard = "pons-12-bounds-none": Spec { bounds: StaticBounds::None, ..PONS_12 },
    /// pons-12, without the lower static bound
    Pons12BoundsUpper on Standard = "pons-12-bounds-upper": Spec { bounds: StaticBounds::Upper, ..PONS_12 },
    /// pons-12, without a table
    Pons12TableNone on Standard = "pons-12-table-none": Spec { table: TableKind::None, table_bounds: TableBounds::None, table_size: TableSize::Chosen, ..PONS_12 },
    /// pons-12, keys of up to 56 bits kept whole, 64 MB
    Pons12TableFull on Standard = "pons-12-table-full": Spec { table: TableKind::Full, ..PONS_12 },
    /// pons-12, two slots a place as in Fhourstones, 133 MB
    Pons12TableTwoLevel on Standard = "pons-12-table-two-level": Spec { table: TableKind::TwoLevel, ..PONS_12 },
    /// pons-12, as many slots as fit --tt
    Pons12TableSizeChosen on Standard = "pons-12-table-size-chosen": Spec { table_size: TableSize::Chosen, ..PONS_12 },
    /// pons-12, a hash instead of the key, in slots of 8 bytes: not exact
    Pons12TableHashed on Standard = "pons-12-table-hashed": Spec { table: TableKind::Hashed, table_size: TableSize::Chosen, ..PONS_12 },
    /// pons-12, one search with the full window
    Pons12RootWindow on Standard = "pons-12-root-window": Spec { root: Root::Window, ..PONS_12 },
    /// pons-12, a position and its mirror image share a slot
    Pons12KeyMirror on Standard = "pons-12-key-mirror": Spec { key: Key::Mirror, ..PONS_12 },
    /// pons-12, slots of 16 bytes with the whole key: what the wider keys below are compared with
    Pons12TableWide on Standard = "pons-12-table-wide": PONS_12_WIDE,
    /// pons-12-table-wide, a position and its mirror image share a slot
    Pons12WideKeyMirror on Standard = "pons-12-wide-key-mirror": Spec { key: Key::Mirror, ..PONS_12_WIDE },
    /// pons-12-table-wide, without the colours of dead stones in the key
    Pons12WideKeyColorless on Standard = "pons-12-wide-key-colorless": Spec { key: Key::Colorless, ..PONS_12_WIDE },
    /// pons-12-table-wide, both
    Pons12WideKeyColorlessMirror on Standard = "pons-12-wide-key-colorless-mirror": Spec { key: Key::ColorlessMirror, ..PONS_12_WIDE },
    /// pons-12-table-wide, colorless, a hash of the key in slots of 8 bytes: not exact
    Pons12WideKeyColorlessHashed on Standard = "pons-12-wide-key-colorless-hashed": Spec { key: Key::Colorless, table: TableKind::Hashed, ..PONS_12_WIDE },
    /// pons-12-table-wide, in a layout of stride 9
    Pons12WideLayoutSpaced on Spaced = "pons-12-wide-layout-spaced": Spec { layout: Layout::Spaced, ..PONS_12_WIDE },
    /// pons-12-table-wide, columns from the centre out
    Pons12WideOrderCentre on Standard = "pons-12-wide-order-centre": Spec { order: Order::Centre, ..PONS_12_WIDE },
    /// pons-12-wide-order-centre with colorless keys
    Pons12WideOrderCentreColorless on Standard = "pons-12-wide-order-centre-colorless": Spec {
        order: Order::Centre,
        key: Key::Colorless,
        ..PONS_12_WIDE
    },
    /// pons-12-wide-key-colorless, lines found in vectors
    Pons12WideKeyColorlessVector on Standard = "pons-12-wide-key-colorless-vector": Spec {
        key: Key::Colorless,
        wins: Wins::Directions,
        ..PONS_12_WIDE
    },
    /// pons-12, every child looked up before one is searched
    Pons12EnhancedCutoffs on Standard = "pons-12-enhanced-cutoffs": Spec { enhanced: Enhanced::All, ..PONS_12 },
    /// pons-12, zugzwang: dead lines and follow-up
    Pons12ZugzwangFollowUp on Standard = "pons-12-zugzwang-follow-up": Spec { zugzwang: Zugzwang::FollowUp, ..PONS_12 },
    /// pons-12, zugzwang: all but sums
    Pons12ZugzwangOddThreat on Standard = "pons-12-zugzwang-odd-threat": Spec { zugzwang: Zugzwang::OddThreat, ..PONS_12 },
    /// pons-12, zugzwang: all but the horizon and rules
    Pons12ZugzwangSums on Standard = "pons-12-zugzwang-sums": Spec { zugzwang: Zugzwang::Sums, ..PONS_12 },
    /// pons-12, zugzwang: all but rules
    Pons12ZugzwangHorizon on Standard = "pons-12-zugzwang-horizon": Spec { zugzwang: Zugzwang::Horizon, ..PONS_12 },
    /// pons-12, all zugzwang bounds
    Pons12ZugzwangRules on Standard = "pons-12-zugzwang-rules": Spec { zugzwang: Zugzwang::Rules, ..PONS_12 },
    /// pons-12, moves by weighted winning squares
    Pons12OrderWeighted on Standard = "pons-12-order-weighted": Spec { order: Order::Weighted, ..PONS_12 },
    /// pons-12, a table of buckets with both bounds that grows
    Pons12TableBuckets on Standard = "pons-12-table-buckets": with_buckets(PONS_12),
    /// pons-12, a position and its mirror image share a slot while there are few stones
    Pons12KeyMirrorEarly on Standard = "pons-12-key-mirror-early": Spec { key: Key::MirrorEarly, ..PONS_12 },
    /// pons-12, null windows from both ends
    Pons12RootEnds on Standard = "pons-12-root-ends": Spec { root: Root::Ends, ..PONS_12 },
    /// pons-12, null windows at what the last one returned
    Pons12RootStep on Standard = "pons-12-root-step": Spec { root: Root::Step, ..PONS_12 },
    /// pons-12-threats-players, on a board with make and undo
    BestStorageMakeUndo on Standard = "best-storage-make-undo": Spec { storage: Storage::MakeUndo, ..BEST },
    /// pons-12-threats-players, without looking ahead
    BestAnticipationNone on Standard = "best-anticipation-none": Spec { anticipation: Anticipation::None, ..BEST },
    /// pons-12-threats-players, the mover's winning squares, losses not seen
    BestAnticipationWinningSquares on Standard = "best-anticipation-winning-squares": Spec { anticipation: Anticipation::WinningSquares, ..BEST },
    /// pons-12-threats-players, the mover's winning squares looked at too
    BestAnticipationBoth on Standard = "best-anticipation-both": Spec { anticipation: Anticipation::Both, ..BEST },
    /// pons-12-threats-players, columns from the centre out; one board is left to look at, in a vector
    BestOrderCentre on Standard = "best-order-centre": Spec {
        order: Order::Centre,
        threats: Threats::Directions,
        ..BEST
    },
    /// pons-12-threats-players, without static bounds
    BestBoundsNone on Standard = "best-bounds-none": Spec { bounds: StaticBounds::None, ..BEST },
    /// pons-12-threats-players, without a table
    BestTableNone on Standard = "best-table-none": Spec { table: TableKind::None, table_bounds: TableBounds::None, table_size: TableSize::Chosen, ..BEST },
    /// pons-12-threats-players, keys of up to 56 bits kept whole, 64 MB
    BestTableFull on Standard = "best-table-full": Spec { table: TableKind::Full, ..BEST },
    /// pons-12-threats-players, upper bounds only
    BestTableBoundsUpper on Standard = "best-table-bounds-upper": Spec { table_bounds: TableBounds::Upper, ..BEST },
    /// pons-12-threats-players, as many slots as fit --tt
    BestTableSizeChosen on Standard = "best-table-size-chosen": Spec { table_size: TableSize::Chosen, ..BEST },
    /// pons-12-threats-players, one search with the full window
    BestRootWindow on Standard = "best-root-window": Spec { root: Root::Window, ..BEST },
    /// pons-12-threats-players, a position and its mirror image share a slot
    BestKeyMirror on Standard = "best-key-mirror": Spec { key: Key::Mirror, ..BEST },
    /// pons-12-threats-players, slots of 16 bytes with the whole key
    BestTableWide on Standard = "best-table-wide": BEST_WIDE,
    /// best-table-wide, without the colours of dead stones in the key
    BestWideKeyColorless on Standard = "best-wide-key-colorless": Spec { key: Key::Colorless, ..BEST_WIDE },
    /// best-table-wide, in a layout of stride 9
    BestWideLayoutSpaced on Spaced = "best-wide-layout-spaced": Spec { layout: Layout::Spaced, ..BEST_WIDE },
    /// The fastest: children expanded together in vectors, forced moves played out, zugzwang bounds, enhanced cutoffs, a table that grows
    Champion on Standard = "champion": CHAMPION,
    /// The champion until November 2026, kept as it was: moves are ordered by what they threaten alone
    Champion202611 on Standard = "champion-2026-11": CHAMPION_2026_11,
    /// champion in the vectors of the crate `wide`, which are those of the build: the same nodes
    ChampionThreatsChildren on Standard = "champion-threats-children": Spec { threats: Threats::Children, ..CHAMPION },
    /// champion without vectors: the same nodes
    ChampionThreatsHalves on Standard = "champion-threats-halves": CHAMPION_SCALAR,
    /// champion without vectors, winning squares by pairs: the same nodes
    ChampionThreatsPairs on Standard = "champion-threats-pairs": Spec { threats: Threats::Pairs, ..CHAMPION },
    /// champion-step-7-children, one move at a time: forced moves are nodes
    ChampionSearchMoves on Standard = "champion-search-moves": CHAMPION_MOVES,
    /// champion without zugzwang bounds
    ChampionZugzwangNone on Standard = "champion-zugzwang-none": Spec { zugzwang: Zugzwang::None, ..CHAMPION },
    /// champion, zugzwang: dead lines
    ChampionZugzwangDeadLines on Standard = "champion-zugzwang-dead-lines": Spec { zugzwang: Zugzwang::DeadLines, ..CHAMPION },
    /// champion, zugzwang: dead lines and follow-up
    ChampionZugzwangFollowUp on Standard = "champion-zugzwang-follow-up": Spec { zugzwang: Zugzwang::FollowUp, ..CHAMPION },
    /// champion, zugzwang: dead lines, follow-up, and when its four is done
    ChampionZugzwangDistance on Standard = "champion-zugzwang-distance": Spec { zugzwang: Zugzwang::Distance, ..CHAMPION },
    /// champion, zugzwang: all but odd threats, sums and the horizon
    ChampionZugzwangBlocked on Standard = "champion-zugzwang-blocked": Spec { zugzwang: Zugzwang::Blocked, ..CHAMPION },
    /// champion, zugzwang: all but sums and the horizon
    ChampionZugzwangOddThreat on Standard = "champion-zugzwang-odd-threat": Spec { zugzwang: Zugzwang::OddThreat, ..CHAMPION },
    /// champion, zugzwang: all but the horizon and rules
    ChampionZugzwangSums on Standard = "champion-zugzwang-sums": Spec { zugzwang: Zugzwang::Sums, ..CHAMPION },
    /// champion, zugzwang: rules, too
    ChampionZugzwangRules on Standard = "champion-zugzwang-rules": Spec { zugzwang: Zugzwang::Rules, ..CHAMPION },
    /// champion, a child is looked up when it is searched
    ChampionEnhancedNone on Standard = "champion-enhanced-none": Spec { enhanced: Enhanced::None, ..CHAMPION },
    /// champion, children are looked up first only where at least five later wins would still be above the window
    ChampionEnhancedDeep on Standard = "champion-enhanced-deep": Spec { enhanced: Enhanced::Deep, ..CHAMPION },
    /// champion, children are looked up one after the other: the same nodes
    ChampionEnhancedAll on Standard = "champion-enhanced-all": Spec { enhanced: Enhanced::All, ..CHAMPION },
    /// champion, columns from the centre out
    ChampionOrderCentre on Standard = "champion-order-centre": Spec { order: Order::Centre, ..CHAMPION },
    /// champion, most winning squares first
    ChampionOrderThreats on Standard = "champion-order-threats": Spec { order: Order::Threats, ..CHAMPION },
    /// champion, moves by weighted winning squares, ties by what ended most nodes
    ChampionOrderHistory on Standard = "champion-order-history": Spec { order: Order::History, ..CHAMPION },
    /// champion, moves by weighted winning squares, ties by what ended the last node with as many stones
    ChampionOrderKillers on Standard = "champion-order-killers": Spec { order: Order::Killers, ..CHAMPION },
    /// champion, moves by weighted winning squares alone
    ChampionOrderWeighted on Standard = "champion-order-weighted": Spec { order: Order::Weighted, ..CHAMPION },
    /// champion, with few stones only lines and the centre count besides what moves threaten
    ChampionOrderLines on Standard = "champion-order-lines": Spec { order: Order::Lines, ..CHAMPION },
    /// champion, with few stones the replies that the table answers count, too; both sides have the same weights
    ChampionOrderReplies on Standard = "champion-order-replies": Spec { order: Order::Replies, ..CHAMPION },
    /// champion, null windows from both ends, with more scores that count as early
    ChampionRootEnds on Standard = "champion-root-ends": Spec { root: Root::Ends, ..CHAMPION },
    /// champion, null windows that bisect the range
    ChampionRootBisect on Standard = "champion-root-bisect": Spec { root: Root::Bisect, ..CHAMPION },
    /// champion, null windows at what the last one returned
    ChampionRootStep on Standard = "champion-root-step": Spec { root: Root::Step, ..CHAMPION },
    /// champion, a position and its mirror image never share a slot
    ChampionKeyExact on Standard = "champion-key-exact": Spec { key: Key::Exact, ..CHAMPION },
    /// champion, a position and its mirror image share a slot, however many stones there are
    ChampionKeyMirror on Standard = "champion-key-mirror": Spec { key: Key::Mirror, ..CHAMPION },
    /// champion without a table, and so without enhanced cutoffs
    ChampionTableNone on Standard = "champion-table-none": without_table(CHAMPION),
    /// pons-12-threats-halves, a table of buckets that grow: the first step from there to the champion
    ChampionStep1Buckets on Standard = "champion-step-1-buckets": STEP_1,
    /// champion-step-1-buckets, null windows from both ends
    ChampionStep2Ends on Standard = "champion-step-2-ends": STEP_2,
    /// champion-step-2-ends and enhanced cutoffs
    ChampionStep3Enhanced on Standard = "champion-step-3-enhanced": STEP_3,
    /// champion-step-3-enhanced, moves by weighted winning squares
    ChampionStep4Weighted on Standard = "champion-step-4-weighted": STEP_4,
    /// champion-step-4-weighted, mirror images share a slot early; champion-search-moves adds zugzwang bounds to it
    ChampionStep5Mirror on Standard = "champion-step-5-mirror": STEP_5,
    /// champion-search-moves, children looked at together, forced moves played out; champion-2026-11 adds vectors to it
    ChampionStep7Children on Standard = "champion-step-7-children": STEP_7,
}

/// The named variant that a choice is, if it is one.
pub fn named(spec: Spec) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.spec == spec)
}

/// The variant of that name.
///
/// # Errors
/// There is none; the names that there are.
pub fn find(name: &str) -> Result<&'static Entry, Unknown> {
    let unknown = || Unknown::new("variant", name, ALL.iter().map(|entry| entry.name));
    ALL.iter().find(|entry| entry.name == name).ok_or_else(unknown)
}
