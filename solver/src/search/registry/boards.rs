//! The boards that searches are compiled for. Each has the named variants that people solve boards with. A few have the search at run time
//! too, which takes any choice, and costs some seconds to compile. Every named variant is compiled for the standard board. Boards that are
//! rarely asked for need the feature `every-board`: they would double the time of a build.

use crate::axes::Layout;
use crate::axes::lines::laned::Laned;
use crate::axes::table::Table;
use crate::axes::table::any::{Compiled, HasTable};
use crate::game::perft::Perft;
use crate::game::score::Score;
use crate::game::{Board, BoardSize, Geometry, Grid, LongGrid, LongWideGrid, Position, Standard, WideGrid};
use crate::search::Limits;
#[cfg(not(feature = "ablations"))]
use crate::search::registry::WITHOUT_STRIDE_9;
use crate::search::registry::{Champion, Pons12, Pons12TableWide, table_of};
use crate::search::searcher::Searcher;
use crate::search::solver::{BuildError, Goal, Options, Solve};
use crate::search::spec::Spec;
use crate::search::variant::{AtRunTime, Variant, Watch};
use crate::search::view::{Proven, View};
use std::marker::PhantomData;

/// A named variant on another board than the standard one, with the table that its choice has there.
#[derive(Debug)]
struct On<V, G, T> {
    variant: V,
    place: PhantomData<fn() -> (G, T)>,
}

impl<V: Copy, G, T> Clone for On<V, G, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Copy, G, T> Copy for On<V, G, T> {}

impl<V: Variant, G: Geometry<Word: Laned>, T: Table + 'static> Variant for On<V, G, T> {
    type Geometry = G;
    type Table = T;
    const FIXED: Option<Spec> = V::FIXED;

    #[inline(always)]
    fn spec(self) -> Spec {
        self.variant.spec()
    }
}

/// Lists the boards, the standard one first, what is done for each, and the named variants that are compiled for it. The second list needs
/// the feature `every-board`.
macro_rules! boards {
    (often { $( $geometry:ty: $choices:ident [$( $variant:ident ),*], )+ } rarely { $( $rare:ty: [$( $of_rare:ident ),*], )+ }) => {
        /// The boards that searches are compiled for, the standard one first.
        pub const BOARDS: &[BoardSize] = &[
            $( BoardSize::of::<$geometry>(), )+
            $( #[cfg(feature = "every-board")] BoardSize::of::<$rare>(), )+
        ];

        /// The boards that searches are compiled for with the feature `every-board` alone.
        pub const RARE_BOARDS: &[BoardSize] = &[$( BoardSize::of::<$rare>(), )+];

        /// A search of the tight layout.
        fn tight(spec: Spec, watch: Watch, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
            $( if options.board == BoardSize::of::<$geometry>() {
                return of_choices!($choices: $geometry, spec, watch, options);
            } )+
            Err(if BOARDS.contains(&options.board) {
                BuildError::Choice(options.board)
            } else {
                BuildError::Board(options.board)
            })
        }

        /// Whether the search at run time is compiled for a board: it takes any choice.
        pub fn takes_any_choice(board: BoardSize) -> bool {
            $( if board == BoardSize::of::<$geometry>() {
                return takes_any!($choices);
            } )+
            false
        }

        /// The solver of a choice that is compiled for that board alone, which is not the standard one; `None` where there is none.
        pub(super) fn compiled(spec: Spec, options: &Options) -> Option<Result<Box<dyn Solve>, BuildError>> {
            $( $( if options.board == BoardSize::of::<$geometry>() && spec == $variant.spec() {
                return Some(build_on::<_, $geometry, TableOn!($variant, $geometry)>($variant, options));
            } )* )+
            $( $( #[cfg(feature = "every-board")] {
                if options.board == BoardSize::of::<$rare>() && spec == $of_rare.spec() {
                    return Some(build_on::<_, $rare, TableOn!($of_rare, $rare)>($of_rare, options));
                }
            } )* )+
            None
        }

        /// The choices that are compiled for a board alone; of the standard one, that is all that have a name.
        pub(super) fn compiled_for(board: BoardSize) -> Vec<Spec> {
            $( if board == BoardSize::of::<$geometry>() {
                return vec![$( $variant.spec() ),*];
            } )+
            $( #[cfg(feature = "every-board")] {
                if board == BoardSize::of::<$rare>() {
                    return vec![$( $of_rare.spec() ),*];
                }
            } )+
            Vec::new()
        }

        /// The number of distinct positions of a board, ply by ply, or `None` for a board that is not one of [`BOARDS`].
        pub fn perft(board: BoardSize) -> Option<Box<dyn Iterator<Item = u64>>> {
            $( if board == BoardSize::of::<$geometry>() {
                return Some(Box::new(Perft::<$geometry>::new()));
            } )+
            $( #[cfg(feature = "every-board")] {
                if board == BoardSize::of::<$rare>() {
                    return Some(Box::new(Perft::<$rare>::new()));
                }
            } )+
            None
        }

        /// What a choice sees of a position without a search, or `None` for a position of no board of [`BOARDS`].
        pub fn view(spec: Spec, position: &Position) -> Option<View> {
            $( if let Some(board) = position.board_in::<$geometry>() {
                return Some(View::of(spec, board));
            } )+
            $( #[cfg(feature = "every-board")] {
                if let Some(board) = position.board_in::<$rare>() {
                    return Some(View::of(spec, board));
                }
            } )+
            None
        }

        /// The zugzwang bound of a choice by which the score of a position, which is not over, is above `alpha`, or not above it; `None`
        /// where no such bound is seen at once.
        pub fn proven(spec: Spec, position: &Position, alpha: Score, is_above: bool) -> Option<Proven> {
            $( if let Some(board) = position.board_in::<$geometry>() {
                return Proven::of(spec, board, alpha, is_above);
            } )+
            $( #[cfg(feature = "every-board")] {
                if let Some(board) = position.board_in::<$rare>() {
                    return Proven::of(spec, board, alpha, is_above);
                }
            } )+
            None
        }
    };
}

/// The table of a named variant on the boards of a geometry. The layout follows from the bits of the geometry's keys.
macro_rules! TableOn {
    ($variant:ident, $geometry:ty) => {
        <Compiled<{ table_of::<$geometry>($variant::SPEC) }> as HasTable>::Table
    };
}

/// A search at run time, where it is compiled.
macro_rules! of_choices {
    (any: $geometry:ty, $spec:ident, $watch:ident, $options:ident) => {
        Ok(Box::new(Searcher::new(AtRunTime::<$geometry>::new($spec).watching($watch), $options)?))
    };
    (named: $geometry:ty, $spec:ident, $watch:ident, $options:ident) => {
        Err(BuildError::Choice($options.board))
    };
}

macro_rules! takes_any {
    (any) => {
        true
    };
    (named) => {
        false
    };
}

// Of any choice, or of named ones alone. The published table of pons-12 cannot tell keys of 56 bits and more apart.
boards! {
    often {
        Standard: any [],
        Grid<4, 4, 5>: named [Champion, Pons12],
        Grid<5, 4, 5>: named [Champion, Pons12],
        Grid<6, 4, 5>: named [Champion, Pons12],
        Grid<4, 5, 6>: named [Champion, Pons12],
        Grid<5, 5, 6>: named [Champion, Pons12],
        Grid<6, 5, 6>: any [Champion, Pons12],
        Grid<6, 6, 7>: named [Champion, Pons12],
        Grid<8, 6, 7>: any [Champion, Pons12TableWide],
        WideGrid<9, 6, 7>: named [Champion, Pons12TableWide],
        Grid<6, 7, 8>: named [Champion, Pons12],
        Grid<7, 7, 8>: any [Champion, Pons12TableWide],
        Grid<8, 7, 8>: named [Champion, Pons12TableWide],
        Grid<7, 8, 9>: named [Champion, Pons12TableWide],
        LongGrid<8, 8, 9>: named [Champion, Pons12TableWide],
    }
    rarely {
        Grid<7, 4, 5>: [Champion, Pons12],
        Grid<8, 4, 5>: [Champion, Pons12],
        WideGrid<9, 4, 5>: [Champion, Pons12],
        WideGrid<10, 4, 5>: [Champion, Pons12],
        WideGrid<11, 4, 5>: [Champion, Pons12],
        WideGrid<12, 4, 5>: [Champion, Pons12TableWide],
        Grid<7, 5, 6>: [Champion, Pons12],
        Grid<8, 5, 6>: [Champion, Pons12],
        WideGrid<9, 5, 6>: [Champion, Pons12],
        WideGrid<10, 5, 6>: [Champion, Pons12TableWide],
        Grid<4, 6, 7>: [Champion, Pons12],
        Grid<5, 6, 7>: [Champion, Pons12],
        Grid<4, 7, 8>: [Champion, Pons12],
        Grid<5, 7, 8>: [Champion, Pons12],
        Grid<4, 8, 9>: [Champion, Pons12],
        Grid<5, 8, 9>: [Champion, Pons12],
        Grid<6, 8, 9>: [Champion, Pons12],
        Grid<4, 9, 10>: [Champion, Pons12],
        Grid<5, 9, 10>: [Champion, Pons12],
        Grid<6, 9, 10>: [Champion, Pons12TableWide],
        Grid<4, 10, 11>: [Champion, Pons12],
        Grid<5, 10, 11>: [Champion, Pons12],
        Grid<4, 11, 12>: [Champion, Pons12],
        Grid<5, 11, 12>: [Champion, Pons12TableWide],
        Grid<4, 12, 13>: [Champion, Pons12],
        Grid<4, 13, 14>: [Champion, Pons12TableWide],
        LongGrid<5, 12, 13>: [Champion, Pons12TableWide],
        LongGrid<6, 11, 12>: [Champion, Pons12TableWide],
        LongGrid<6, 12, 13>: [Champion, Pons12TableWide],
        LongGrid<5, 13, 14>: [Champion, Pons12TableWide],
        LongGrid<7, 9, 10>: [Champion, Pons12TableWide],
        LongWideGrid<9, 7, 8>: [Champion, Pons12TableWide],
        LongWideGrid<10, 6, 7>: [Champion, Pons12TableWide],
        LongWideGrid<11, 5, 6>: [Champion, Pons12TableWide],
        LongGrid<6, 10, 11>: [Champion, Pons12TableWide],
        LongGrid<8, 9, 10>: [Champion, Pons12TableWide],
        LongWideGrid<9, 8, 9>: [Champion, Pons12TableWide],
        LongWideGrid<10, 7, 8>: [Champion, Pons12TableWide],
        LongWideGrid<11, 6, 7>: [Champion, Pons12TableWide],
        LongWideGrid<12, 5, 6>: [Champion, Pons12TableWide],
        LongGrid<7, 10, 11>: [Champion, Pons12TableWide],
    }
}

/// The solver of a named variant on a board.
fn build_on<V, G, T>(variant: V, options: &Options) -> Result<Box<dyn Solve>, BuildError>
where
    V: Variant + 'static,
    G: Geometry<Word: Laned>,
    T: Table + 'static,
{
    Ok(Box::new(Searcher::new(On { variant, place: PhantomData::<fn() -> (G, T)> }, options)?))
}

/// A solver of any choice, named or not, with the branches left in.
pub fn build(spec: Spec, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
    build_watching(spec, Watch::NOTHING, options)
}

/// The same, counting what its table does: for passes that are not timed.
pub fn build_counted(spec: Spec, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
    build_watching(spec, Watch::COUNTS, options)
}

/// The same, taking note of that.
fn build_watching(spec: Spec, watch: Watch, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
    match spec.layout {
        Layout::Tight => tight(spec, watch, options),
        Layout::Spaced if options.board != BoardSize::STANDARD => {
            Err(BuildError::Spec(format!("layout=spaced is for {}", BoardSize::STANDARD)))
        }
        #[cfg(feature = "ablations")]
        Layout::Spaced => {
            Ok(Box::new(Searcher::new(AtRunTime::<crate::game::Spaced>::new(spec).watching(watch), options)?))
        }
        #[cfg(not(feature = "ablations"))]
        Layout::Spaced => Err(BuildError::Spec(WITHOUT_STRIDE_9.to_string())),
    }
}

/// For benchmarks of what a node does: the board of one node in every so many, from searches of positions on the
/// standard board, each with a cold table.
pub fn sample(spec: Spec, every: u64, positions: &[Position], limits: &Limits<'_>) -> Result<Vec<Board>, BuildError> {
    let watch = Watch { counts: false, sample_every: every };
    let mut searcher = Searcher::new(AtRunTime::<Standard>::new(spec).watching(watch), &Options::default())?;
    let mut boards = Vec::new();
    for position in positions {
        searcher.reset();
        // A search that stops at its limit has sampled too.
        let _ = searcher.solve(position, Goal::Strong, limits);
        boards.extend_from_slice(searcher.sampled());
    }
    Ok(boards)
}
