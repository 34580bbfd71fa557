//! The points of the option space that the suite runs, and their solvers.

use crate::support::draw::Draw;
use c4lab_solver::axes::{Layout, TableKind};
use c4lab_solver::game::{BoardSize, Grid, Spaced};
use c4lab_solver::search::{AtRunTime, Options, Searcher, Solve, Spec, registry};
use std::collections::HashMap;
use std::mem::replace;
use std::sync::LazyLock;

/// Random points in the selection, besides those that cover all pairs of options.
const RANDOM: usize = 150;

/// The points to run: of those that this build runs, some that cover every pair of options, and random others.
pub(crate) fn points() -> impl Iterator<Item = Spec> {
    static POINTS: LazyLock<Vec<Spec>> = LazyLock::new(|| {
        let mut all: Vec<Spec> = Spec::all().into_iter().filter(|spec| spec.runs().is_ok()).collect();
        Draw::new(1, "space").shuffle(&mut all);
        // Options are numbered, because comparing their names would take a minute.
        let axes = Spec::axes();
        let options = axes.iter().flat_map(|(key, values)| values.iter().map(|(value, _)| (*key, *value)));
        let numbers: HashMap<_, usize> = options.zip(0..).collect();
        let mut held = vec![false; numbers.len() * numbers.len()];
        // A pair is new to the first point that holds it, and that point is taken.
        let brings_a_pair = |spec: &Spec| {
            let options: Vec<usize> = spec.fields().iter().map(|field| numbers[field]).collect();
            let pairs = options.iter().flat_map(|one| options.iter().map(move |other| (*one, *other)));
            pairs.filter(|&(one, other)| !replace(&mut held[one * numbers.len() + other], true)).count() > 0
        };
        let (mut chosen, rest): (Vec<Spec>, Vec<Spec>) = all.into_iter().partition(brings_a_pair);
        chosen.extend(rest.into_iter().take(RANDOM));
        chosen
    });
    POINTS.iter().copied()
}

/// The solver of `spec` with a table of `tt_bytes` bytes; `None` for a layout that `board` has no search for.
pub(crate) fn solver(board: BoardSize, spec: Spec, tt_bytes: u64) -> Option<Box<dyn Solve>> {
    // Colorless keys of 5x4 need 2^11 buckets.
    let least = if spec.table == TableKind::Buckets && spec.key.is_colorless() { 64 << 10 } else { 0 };
    let options = Options { board, ..Options::with_tt(tt_bytes.max(least)) };
    let solver: Result<Box<dyn Solve>, _> = match (spec.layout, (board.width(), board.height())) {
        (Layout::Tight, _) => registry::build(spec, &options),
        (Layout::Spaced, (4, 4)) => {
            Searcher::new(AtRunTime { geometry: Grid::<4, 4, 7>::NEW, spec, counts: false }, &options)
                .map(|solver| Box::new(solver) as _)
        }
        (Layout::Spaced, (7, 6)) => Searcher::new(AtRunTime { geometry: Spaced::NEW, spec, counts: false }, &options)
            .map(|solver| Box::new(solver) as _),
        (Layout::Spaced, _) => return None,
    };
    Some(solver.unwrap_or_else(|error| panic!("{spec}: {error}")))
}
