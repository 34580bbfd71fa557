//! Parting: where the threads of a team go different ways.

use super::{MOST_WITH_OWN_TABLES, Threads};
use crate::axes::Split;
use crate::game::Geometry;

/// Which nodes a team searches together, and at which of them a move is left to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parting {
    /// Nodes with so many stones or more are searched by one thread.
    pub(super) alone_from: u32,
    /// With fewer stones no move is left to others: all threads go into the same move, and part further down. A move nearer to the root is a
    /// large search; if it turns out not to matter, all of it is lost.
    pub(super) leaves_from: u32,
    /// A thread that goes to a node with so many stones or more does not mark it, and asks for nobody there. Threads with tables of their
    /// own mark no node that one of them searches: it is small, and rarely searched twice at once.
    pub(super) unmarked_from: u32,
    /// A move is left to others where at least so many nodes in a hundred need all moves; 0: whatever they need.
    pub(super) percent: u32,
}

/// By how many squares are empty.
struct Empty {
    least: u32,
    most: u32,
    percent: u32,
}

/// Two threads. They have tables of their own below: the more nodes they share, the more they wait for each other. With 18 in the place of 20
/// they take fewer nodes, and more time (`trials.txt` in `results/2026-11-27-threads`). Without marks at nodes that one thread searches they
/// take as many nodes, and have fewer lines to wait for (`marks.txt` there).
const TWO: Empty = Empty { least: 20, most: 38, percent: 0 };
/// More threads. They have one table for all nodes.
const MORE: Empty = Empty { least: 18, most: 32, percent: 55 };
/// Other ways to divide a search than [`Split::Abdada`].
const OTHER: Empty = Empty { least: 22, most: 38, percent: 0 };

impl Parting {
    /// Where so many threads part on the boards of a geometry. By simulation they take the fewest nodes so on begin-hard (`partings.txt` and
    /// `partings-many.txt` in `results/2026-11-26-threads`).
    pub(super) fn of<G: Geometry>(threads: Threads) -> Self {
        let Empty { least, most, percent } = match (threads.split, threads.count) {
            (Split::Abdada, ..=MOST_WITH_OWN_TABLES) => TWO,
            (Split::Abdada, _) => MORE,
            _ => OTHER,
        };
        let alone_from = (G::CELLS + 1).saturating_sub(least);
        Parting {
            alone_from,
            leaves_from: G::CELLS.saturating_sub(most),
            unmarked_from: if threads.count <= MOST_WITH_OWN_TABLES { alone_from } else { u32::MAX },
            percent,
        }
    }
}
