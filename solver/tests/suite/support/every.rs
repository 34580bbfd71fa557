//! Every position that play can reach on a small board.

use c4lab_solver::game::{Board, Geometry, Position};
use std::collections::HashSet;

/// Calls `visit` on every position once, with one sequence of moves to it. Returns the number of positions.
pub(crate) fn every<G: Geometry>(g: G, mut visit: impl FnMut(&Position)) -> usize {
    let mut seen = HashSet::new();
    below(g, Position::start_on(g.size()), &mut seen, &mut visit);
    seen.len()
}

fn below<G: Geometry>(g: G, position: Position, seen: &mut HashSet<Board<G>>, visit: &mut impl FnMut(&Position)) {
    if !seen.insert(position.board(g)) {
        return;
    }
    visit(&position);
    for column in 0..g.width() {
        let mut child = position.clone();
        if child.play(column).is_ok() {
            below(g, child, seen, visit);
        }
    }
}
