//! Every position that play can reach on a small board.

use c4lab_solver::game::{Board, Geometry, Position};
use std::collections::HashSet;

/// Shows every position to `visit`, each once, by one way to reach it; says how many there are.
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
