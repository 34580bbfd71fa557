//! Guide: which child ended each node of a search. Another search of the same position that looks there first shows how
//! far an order is from one that knows.

use crate::game::score::Score;
use crate::game::{Board, Geometry, Word};
use std::collections::HashMap;

/// The children that ended nodes, by the node and what was asked of it.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    lanes: HashMap<(u128, u128, Score), u8>,
    /// Nodes with more stones are not in it.
    most_stones: u32,
    /// Whether a search looks there first; otherwise it takes note.
    leads: bool,
}

impl Guide {
    /// One that takes note of the nodes with so many stones at most.
    #[must_use]
    pub fn noting(most_stones: u32) -> Self {
        Guide { most_stones, ..Guide::default() }
    }

    /// The same guide, leading.
    #[must_use]
    pub fn leading(self) -> Self {
        Guide { leads: true, ..self }
    }

    /// The child to look at first, where it leads.
    pub(super) fn lane<G: Geometry>(&self, board: Board<G>, alpha: Score) -> Option<usize> {
        let lane = || self.lanes.get(&(board.mover().wide(), board.stones().wide(), alpha));
        if self.leads { lane().map(|&lane| lane.into()) } else { None }
    }

    /// Notes the child that ended a node, unless it leads.
    pub(super) fn note<G: Geometry>(&mut self, board: Board<G>, alpha: Score, lane: usize) {
        if !self.leads && board.ply() <= self.most_stones {
            self.lanes.insert((board.mover().wide(), board.stones().wide(), alpha), lane as u8);
        }
    }
}
