//! Anatomy: what became of the nodes of a search, by the number of stones on their boards.

use crate::game::score::Score;
use std::ops::AddAssign;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeEnd {
    /// A win or a loss that is seen without a search, or a full board.
    Win,
    /// Forced replies that were played out: the game's end, or a bound of the board that they lead to.
    Forced,
    /// Squares that one side is sure to get.
    Zugzwang,
    /// The number of stones alone: a score so high or so low is out of reach.
    Bound,
    /// A bound that the table knew, of the node or of one of its children.
    Table,
    /// Its moves were searched: one was good enough, or none was left.
    Search,
}

impl NodeEnd {
    /// All of them, from the cheapest to the dearest.
    pub const ALL: [NodeEnd; 6] =
        [NodeEnd::Win, NodeEnd::Forced, NodeEnd::Zugzwang, NodeEnd::Bound, NodeEnd::Table, NodeEnd::Search];

    pub fn name(self) -> &'static str {
        match self {
            NodeEnd::Win => "win",
            NodeEnd::Forced => "forced",
            NodeEnd::Zugzwang => "zugzwang",
            NodeEnd::Bound => "bound",
            NodeEnd::Table => "table",
            NodeEnd::Search => "search",
        }
    }
}

/// A question of the root, and what came of it. Scores are from the side to move at the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootWindow {
    /// The score was asked for between this bound ...
    pub alpha: Score,
    /// ... and this one; a question with one answer or the other where it is one more.
    pub beta: Score,
    /// The answer: the score where it lies between them, else a bound of it. `None` where the question was put off.
    pub value: Option<Score>,
    /// Nodes of the search by then.
    pub nodes: u64,
    /// What ended the root's node; `None` where that is not told.
    pub end: Option<NodeEnd>,
}

/// Moves whose cutoffs are told apart; the last one stands for all later ones, too.
pub const MOVES_APART: usize = 7;

/// What became of the nodes with one number of stones. A node whose search was stopped, or put off, has no end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlyCounts {
    pub nodes: u64,
    /// Times that they asked the table.
    pub probes: u64,
    /// Times that it knew a bound.
    pub hits: u64,
    /// What ended them, in the order of [`NodeEnd::ALL`].
    pub ends: [u64; NodeEnd::ALL.len()],
    /// Nodes that searched a child.
    pub parents: u64,
    pub children: u64,
    /// Nodes that were ended by a move that was good enough: the first one that was tried, the second one, ... What the table knew of a
    /// child in its turn counts as that child's move.
    pub cutoffs: [u64; MOVES_APART],
}

impl PlyCounts {
    #[inline]
    pub(super) fn end(&mut self, end: NodeEnd) {
        self.ends[end as usize] += 1;
    }

    /// Takes note of a child that is searched, after so many others.
    #[inline]
    pub(super) fn child(&mut self, others: usize) {
        self.parents += u64::from(others == 0);
        self.children += 1;
    }

    /// Takes note of a node that a move ended, after so many others.
    #[inline]
    pub(super) fn cutoff(&mut self, others: usize) {
        self.cutoffs[others.min(MOVES_APART - 1)] += 1;
    }
}

impl AddAssign for PlyCounts {
    fn add_assign(&mut self, other: Self) {
        for (ours, theirs) in self.numbers().into_iter().zip(other.clone().numbers()) {
            *ours += *theirs;
        }
    }
}

impl PlyCounts {
    fn numbers(&mut self) -> Vec<&mut u64> {
        let PlyCounts { nodes, probes, hits, ends, parents, children, cutoffs } = self;
        let single = [nodes, probes, hits, parents, children];
        single.into_iter().chain(ends).chain(cutoffs).collect()
    }
}
