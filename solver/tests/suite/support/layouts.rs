//! A solver of any point of the option space, in the layout that the point asks for.

use c4lab_solver::axes::Layout;
use c4lab_solver::axes::lines::laned::Laned;
use c4lab_solver::game::{Geometry, Grid, Spaced, Standard};
use c4lab_solver::search::{AtRunTime, Options, Searcher, Solve, Spec};

/// Four columns, four rows.
pub(crate) type Four = Grid<4, 4, 5>;
/// Five columns, four rows.
pub(crate) type Five = Grid<5, 4, 5>;

/// A board, and the same board in the other layout.
pub(crate) trait Layouts: Geometry<Word: Laned> {
    type Spaced: Geometry<Word: Laned>;
}
impl Layouts for Four {
    type Spaced = Grid<4, 4, 7>;
}
impl Layouts for Five {
    type Spaced = Grid<5, 4, 7>;
}
impl Layouts for Standard {
    type Spaced = Spaced;
}

/// The solver.
pub(crate) fn solver<G: Layouts>(spec: Spec, options: &Options) -> Box<dyn Solve> {
    fn built<T, E: std::fmt::Display>(spec: Spec, solver: Result<T, E>) -> T {
        solver.unwrap_or_else(|error| panic!("{spec}: {error}"))
    }
    match spec.layout {
        Layout::Tight => Box::new(built(spec, Searcher::new(AtRunTime::<G>::new(spec), options))),
        Layout::Spaced => Box::new(built(spec, Searcher::new(AtRunTime::<G::Spaced>::new(spec), options))),
    }
}
