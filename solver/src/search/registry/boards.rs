//! The boards that a search at run time is compiled for. Named variants are compiled for the standard board.

use crate::axes::Layout;
use crate::game::perft::Perft;
use crate::game::score::Score;
use crate::game::{Board, BoardSize, Grid, Position, Spaced, Standard};
use crate::search::Limits;
use crate::search::book::plies::{Plies, PliesOf};
use crate::search::searcher::Searcher;
use crate::search::solver::{BuildError, Goal, Options, Solver};
use crate::search::spec::Spec;
use crate::search::variant::{AtRunTime, Watch};
use crate::search::view::{Proven, View};

/// Lists the boards, the standard one first, and what is done for each.
macro_rules! boards {
    ($( $geometry:ty, )+) => {
        /// The boards that searches are compiled for, the standard one first.
        pub const BOARDS: &[BoardSize] = &[$( BoardSize::of::<$geometry>(), )+];

        /// A search of the tight layout.
        fn tight(spec: Spec, watch: Watch, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
            $( if options.board == BoardSize::of::<$geometry>() {
                return Ok(Box::new(Searcher::new(AtRunTime::<$geometry>::new(spec).watching(watch), options)?));
            } )+
            Err(BuildError::Board(options.board))
        }

        /// The number of distinct positions of a board, ply by ply, or `None` for a board that is not one of [`BOARDS`].
        pub fn perft(board: BoardSize) -> Option<Box<dyn Iterator<Item = u64>>> {
            $( if board == BoardSize::of::<$geometry>() {
                return Some(Box::new(Perft::<$geometry>::new()));
            } )+
            None
        }

        /// What a choice sees of a position without a search, or `None` for a position of no board of [`BOARDS`].
        pub fn view(spec: Spec, position: &Position) -> Option<View> {
            $( if let Some(board) = position.board_in::<$geometry>() {
                return Some(View::of(spec, board));
            } )+
            None
        }

        /// The zugzwang bound of a choice by which the score of a position, which is not over, is above `alpha`, or not above it; `None`
        /// where no such bound is seen at once.
        pub fn proven(spec: Spec, position: &Position, alpha: Score, is_above: bool) -> Option<Proven> {
            $( if let Some(board) = position.board_in::<$geometry>() {
                return Proven::of(spec, board, alpha, is_above);
            } )+
            None
        }

        /// The boards of every ply of a board's games, or `None` for a board that is not one of [`BOARDS`].
        pub(in crate::search) fn plies(board: BoardSize) -> Option<&'static dyn Plies> {
            $( if board == BoardSize::of::<$geometry>() {
                return Some(&PliesOf::<$geometry>::NEW);
            } )+
            None
        }
    };
}

boards! {
    Standard,
    Grid<6, 5, 6>,
    Grid<7, 7, 8>,
    Grid<8, 6, 7>,
}

/// A solver of any choice, named or not, with the branches left in.
pub fn build(spec: Spec, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
    build_watching(spec, Watch::NOTHING, options)
}

/// The same, counting what its table does: for passes that are not timed.
pub fn build_counted(spec: Spec, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
    build_watching(spec, Watch::COUNTS, options)
}

/// The same, taking note of that.
fn build_watching(spec: Spec, watch: Watch, options: &Options) -> Result<Box<dyn Solver>, BuildError> {
    match spec.layout {
        Layout::Tight => tight(spec, watch, options),
        Layout::Spaced if options.board == BoardSize::STANDARD => {
            Ok(Box::new(Searcher::new(AtRunTime::<Spaced>::new(spec).watching(watch), options)?))
        }
        Layout::Spaced => Err(BuildError::Spec(format!("layout=spaced is for {}", BoardSize::STANDARD))),
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
