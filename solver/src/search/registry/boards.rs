//! The search of each board. The standard board has searches of its own. Every other board is an [`AnyBoard`], of one
//! of four types. For each type the champion and pons-12 are compiled, and for the type of most boards the dynamic
//! variants' search, which takes any choice.

use crate::axes::Layout;
use crate::axes::lines::laned::Laned;
use crate::axes::table::buckets::Buckets;
use crate::axes::table::buckets::layout::{AnyWord, TwoWords};
use crate::axes::table::slots::{Partial, Slots, Wide};
use crate::axes::table::{Contents, SharedTable};
use crate::game::any_board::{Broad, LEAST, LongBroad, LongNarrow, MOST_ROWS, Narrow};
use crate::game::perft;
use crate::game::score::Score;
use crate::game::{BoardSize, Geometry, MOST_COLUMNS, Position, Standard};
#[cfg(not(feature = "ablations"))]
use crate::search::registry::WITHOUT_STRIDE_9;
use crate::search::registry::{CHAMPION, Champion, PONS_12, PONS_12_WIDE, Pons12, Pons12TableWide, boxed};
use crate::search::solver::{BuildError, Options, Solve};
use crate::search::spec::Spec;
use crate::search::variant::{AtRunTime, Variant};
use crate::search::view::{self, Proven, View};
use std::marker::PhantomData;

/// Evaluates an expression with the geometry of a board, of any type; `None` for a board that is not searched.
macro_rules! with_geometry {
    ($board:expr, $g:ident => $answer:expr) => {{
        let board: BoardSize = $board;
        if board == BoardSize::STANDARD {
            let $g = Standard::NEW;
            Some($answer)
        } else if let Some($g) = Narrow::of(board) {
            Some($answer)
        } else if let Some($g) = Broad::of(board) {
            Some($answer)
        } else if let Some($g) = LongNarrow::of(board) {
            Some($answer)
        } else if let Some($g) = LongBroad::of(board) {
            Some($answer)
        } else {
            None
        }
    }};
}

/// True if there is a search for boards of this size: 4 columns and rows or more, in 128 bits.
pub fn is_searched(board: BoardSize) -> bool {
    with_geometry!(board, _g => ()).is_some()
}

/// Every board that is searched: the standard one, then the others by number of squares.
pub fn boards() -> Vec<BoardSize> {
    let sizes = (LEAST..=MOST_COLUMNS).flat_map(|width| (LEAST..=MOST_ROWS).map(move |height| (width, height)));
    let sizes = sizes.filter_map(|(width, height)| BoardSize::new(width, height).ok());
    let mut boards: Vec<BoardSize> = sizes.filter(|&board| is_searched(board)).collect();
    boards.sort_by_key(|board| (*board != BoardSize::STANDARD, board.cells(), board.width()));
    boards
}

/// True if dynamic variants run on `board`, so that any choice does.
pub fn takes_any_choice(board: BoardSize) -> bool {
    board == BoardSize::STANDARD || Narrow::of(board).is_some()
}

/// A named variant on the boards of a geometry, with the table of its choice there.
#[derive(Debug)]
struct On<V, G, T> {
    variant: V,
    geometry: G,
    table: PhantomData<fn() -> T>,
}

impl<V: Copy, G: Copy, T> Clone for On<V, G, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: Copy, G: Copy, T> Copy for On<V, G, T> {}

impl<V: Variant, G: Geometry<Word: Laned>, T: SharedTable + 'static> Variant for On<V, G, T> {
    type Geometry = G;
    type Table = T;
    const FIXED: Option<Spec> = V::FIXED;

    #[inline(always)]
    fn geometry(self) -> G {
        self.geometry
    }

    #[inline(always)]
    fn spec(self) -> Spec {
        self.variant.spec()
    }
}

/// Builds the search of a named variant for the boards of `geometry`, with a table of its kind.
pub fn build_on<V: Variant, T: SharedTable + 'static>(
    variant: V,
    geometry: impl Geometry<Word: Laned>,
    options: &Options,
) -> Result<Box<dyn Solve>, BuildError> {
    boxed(On { variant, geometry, table: PhantomData::<fn() -> T> }, options)
}

/// The choices compiled for a board other than the standard one: the champion, and pons-12 with its published table, or
/// with slots of 16 bytes if that table cannot tell the keys apart.
pub(super) fn compiled_for(board: BoardSize) -> Vec<Spec> {
    let holds = |spec: Spec| Contents::of(spec.key, board, board.stride()).are_held_by(spec.table);
    // The published table of pons-12 tells keys of 55 bits apart: 23 bits by the place.
    let published = Contents::of(PONS_12.key, board, board.stride()).key_bits <= 55;
    match (is_searched(board), published) {
        (false, _) => Vec::new(),
        (true, true) => vec![PONS_12, CHAMPION],
        (true, false) if holds(PONS_12_WIDE) => vec![PONS_12_WIDE, CHAMPION],
        (true, false) => vec![CHAMPION],
    }
}

/// The solver of a choice that is compiled for a board other than the standard one; `None` if it is not compiled.
pub(super) fn compiled(spec: Spec, options: &Options) -> Option<Result<Box<dyn Solve>, BuildError>> {
    let board = options.board;
    if !compiled_for(board).contains(&spec) {
        return None;
    }
    Some(if let Some(g) = Narrow::of(board) {
        of_64_bits(spec, g, options)
    } else if let Some(g) = Broad::of(board) {
        of_64_bits(spec, g, options)
    } else if let Some(g) = LongNarrow::of(board) {
        of_128_bits(spec, g, options)
    } else {
        of_128_bits(spec, LongBroad::of(board)?, options)
    })
}

fn of_64_bits(spec: Spec, g: impl Geometry<Word = u64>, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
    match spec {
        CHAMPION => build_on::<_, Buckets<AnyWord>>(Champion, g, options),
        PONS_12 => build_on::<_, Slots<Partial<true>>>(Pons12, g, options),
        _ => build_on::<_, Slots<Wide<u8>>>(Pons12TableWide, g, options),
    }
}

fn of_128_bits(spec: Spec, g: impl Geometry<Word = u128>, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
    match spec {
        CHAMPION => build_on::<_, Buckets<TwoWords>>(Champion, g, options),
        _ => build_on::<_, Slots<Wide<u16>>>(Pons12TableWide, g, options),
    }
}

/// A solver of any choice, as a dynamic variant.
pub fn build(spec: Spec, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
    build_at_run_time(spec, false, options)
}

/// [`build`] with counters: for passes that are not timed.
pub fn build_counted(spec: Spec, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
    build_at_run_time(spec, true, options)
}

fn build_at_run_time(spec: Spec, counts: bool, options: &Options) -> Result<Box<dyn Solve>, BuildError> {
    let board = options.board;
    match spec.layout {
        Layout::Tight if board == BoardSize::STANDARD => {
            boxed(AtRunTime { geometry: Standard::NEW, spec, counts }, options)
        }
        Layout::Tight => match Narrow::of(board) {
            Some(geometry) => boxed(AtRunTime { geometry, spec, counts }, options),
            None if is_searched(board) => Err(BuildError::Choice(board)),
            None => Err(BuildError::Board(board)),
        },
        Layout::Spaced if board != BoardSize::STANDARD => {
            Err(BuildError::Spec(format!("layout=spaced is for {}", BoardSize::STANDARD)))
        }
        #[cfg(feature = "ablations")]
        Layout::Spaced => boxed(AtRunTime { geometry: crate::game::Spaced::NEW, spec, counts }, options),
        #[cfg(not(feature = "ablations"))]
        Layout::Spaced => Err(BuildError::Spec(WITHOUT_STRIDE_9.to_string())),
    }
}

/// The number of distinct positions of a board, ply by ply, or `None` for a board that is not searched.
pub fn perft(board: BoardSize) -> Option<Box<dyn Iterator<Item = u64>>> {
    with_geometry!(board, g => Box::new(perft::perft(g)) as Box<dyn Iterator<Item = u64>>)
}

/// The view of a position without a search, or `None` if its board is not searched.
pub fn view(spec: Spec, position: &Position) -> Option<View> {
    with_geometry!(position.size(), g => View::of(spec, position.board(g)))
}

/// A zugzwang bound that proves the score of a position above `alpha`, or not above it. The game is not over. `None` if
/// no such bound is found at once.
pub fn proven(spec: Spec, position: &Position, alpha: Score, is_above: bool) -> Option<Proven> {
    with_geometry!(position.size(), g => view::proven(spec, position.board(g), alpha, is_above)).flatten()
}
