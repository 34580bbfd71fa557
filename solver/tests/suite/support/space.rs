//! The points of the option space that the suite runs, and their solvers.

use crate::support::draw::Draw;
use c4lab_solver::axes::Layout;
use c4lab_solver::game::{BoardSize, Grid, Spaced};
use c4lab_solver::search::{AtRunTime, Options, Searcher, Solve, Spec, registry};
use std::collections::HashSet;
use std::sync::LazyLock;

/// Random points in the selection, besides those that cover all pairs of options.
const RANDOM: usize = 150;

/// The points to run: of those that this build runs, some that cover every pair of options, and random others.
pub(crate) fn points() -> impl Iterator<Item = Spec> {
    static POINTS: LazyLock<Vec<Spec>> = LazyLock::new(|| {
        let mut all: Vec<Spec> = Spec::all().into_iter().filter(|spec| spec.runs().is_ok()).collect();
        Draw::new(1, "space").shuffle(&mut all);
        let mut held = HashSet::new();
        // A pair is new to the first point that holds it, and that point is taken.
        let brings_a_pair = |spec: &Spec| pairs(*spec).into_iter().filter(|pair| held.insert(*pair)).count() > 0;
        let (mut chosen, rest): (Vec<Spec>, Vec<Spec>) = all.into_iter().partition(brings_a_pair);
        chosen.extend(rest.into_iter().take(RANDOM));
        chosen
    });
    POINTS.iter().copied()
}

/// Every pair of options of a point.
fn pairs(spec: Spec) -> Vec<[(&'static str, &'static str); 2]> {
    let fields = spec.fields();
    let later = |index: usize| fields[index + 1..].iter();
    fields.iter().enumerate().flat_map(|(index, one)| later(index).map(|other| [*one, *other])).collect()
}

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
