//! A solver of a point of the option space, in the layout of the point.

use c4lab_solver::axes::Layout;
use c4lab_solver::game::{BoardSize, Grid, Spaced};
use c4lab_solver::search::{AtRunTime, Options, Searcher, Solve, Spec, registry};

/// The solver of `spec` with a table of `tt_bytes` bytes; `None` for a layout that `board` has no search for.
pub(crate) fn solver(board: BoardSize, spec: Spec, tt_bytes: u64) -> Option<Box<dyn Solve>> {
    let options = Options { board, ..Options::with_tt(tt_bytes) };
    let solver: Result<Box<dyn Solve>, _> = match (spec.layout, (board.width(), board.height())) {
        (Layout::Tight, _) => registry::build(spec, &options),
        (Layout::Spaced, (4, 4)) => {
            Searcher::new(AtRunTime::on(Grid::<4, 4, 7>::NEW, spec), &options).map(|solver| Box::new(solver) as _)
        }
        (Layout::Spaced, (7, 6)) => {
            Searcher::new(AtRunTime::on(Spaced::NEW, spec), &options).map(|solver| Box::new(solver) as _)
        }
        (Layout::Spaced, _) => return None,
    };
    Some(solver.unwrap_or_else(|error| panic!("{spec}: {error}")))
}
