//! Anatomy: the ends of the nodes of a search, by the number of stones on their boards.

use crate::game::score::Score;
use std::ops::AddAssign;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeEnd {
    /// A win or a loss found without a search, or a full board.
    Win,
    /// Forced replies were played: to the end of the game, or to a bound of the board after them.
    Forced,
    /// Squares that one side is sure to get.
    Zugzwang,
    /// The number of stones alone: a score beyond the window is out of reach.
    Bound,
    /// A bound in the table, of the node or of one of its children.
    Table,
    /// Its moves were searched: one caused a cutoff, or none was left.
    Search,
}

impl NodeEnd {
    /// All ends, from the cheapest to the dearest.
    pub const ALL: [NodeEnd; 6] =
        [NodeEnd::Win, NodeEnd::Forced, NodeEnd::Zugzwang, NodeEnd::Bound, NodeEnd::Table, NodeEnd::Search];

    pub fn name(self) -> &'static str {
        const NAMES: [&str; NodeEnd::ALL.len()] = ["win", "forced", "zugzwang", "bound", "table", "search"];
        NAMES[self as usize]
    }
}

/// A window that the root searched, and its result. Scores are from the side to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootWindow {
    /// The lower end of the window.
    pub alpha: Score,
    /// The upper end: `alpha + 1` for a null window.
    pub beta: Score,
    /// The score if it lies within the window, else a bound of it. `None` if the search was put off.
    pub value: Option<Score>,
    /// Nodes of the search so far.
    pub nodes: u64,
    /// The end of the root's node; `None` if it is not known.
    pub end: Option<NodeEnd>,
}

/// Entries of `cutoffs`; the last one also counts all later moves.
pub const MOVES_APART: usize = 7;

/// Counts of the nodes with one number of stones. A node whose search was stopped or put off has no end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyCounts {
    pub nodes: u64,
    /// Number of probes of the table.
    pub probes: u64,
    /// Number of probes that found a bound.
    pub hits: u64,
    /// Number of nodes by end, in the order of [`NodeEnd::ALL`].
    pub ends: [u64; NodeEnd::ALL.len()],
    /// Nodes that searched a child.
    pub parents: u64,
    pub children: u64,
    /// Nodes that a move cut off, by the place of that move in the move order. A cutoff by a child's bound in the table
    /// counts for that child's move if it was probed in its turn.
    pub cutoffs: [u64; MOVES_APART],
}

impl PlyCounts {
    #[inline]
    pub(super) fn end(&mut self, end: NodeEnd) {
        self.ends[end as usize] += 1;
    }

    /// Counts a child that is searched after `others` others.
    #[inline]
    pub(super) fn child(&mut self, others: usize) {
        self.parents += u64::from(others == 0);
        self.children += 1;
    }

    /// Counts a cutoff by a move after `others` others.
    #[inline]
    pub(super) fn cutoff(&mut self, others: usize) {
        self.cutoffs[others.min(MOVES_APART - 1)] += 1;
    }

    fn numbers(&mut self) -> Vec<&mut u64> {
        let PlyCounts { nodes, probes, hits, ends, parents, children, cutoffs } = self;
        let single = [nodes, probes, hits, parents, children];
        single.into_iter().chain(ends).chain(cutoffs).collect()
    }
}

impl AddAssign for PlyCounts {
    fn add_assign(&mut self, other: Self) {
        for (ours, theirs) in self.numbers().into_iter().zip(other.clone().numbers()) {
            *ours += *theirs;
        }
    }
}
