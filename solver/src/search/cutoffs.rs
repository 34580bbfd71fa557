//! Cutoffs: which child ended its parent, and what was searched for nothing before it.

use std::ops::AddAssign;

/// Nodes that were ended by a child that was searched, or looked up in its turn. Nodes that end before any child is
/// searched do not count: those end by wins, zugzwang bounds, forced moves or enhanced cutoffs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cutoffs {
    /// How many.
    pub count: u64,
    /// Of these, the ones where other children were searched before.
    pub late: u64,
    /// All nodes below them.
    pub nodes: u64,
    /// Of these, the nodes of children that were searched before the one that ended the node.
    pub before: u64,
}

impl Cutoffs {
    /// Takes note of a cutoff: `nodes` below its node, `before` of them before the last child, `others` children before
    /// it.
    pub(super) fn add(&mut self, others: usize, nodes: u64, before: u64) {
        *self += Cutoffs { count: 1, late: u64::from(others > 0), nodes, before: if others > 0 { before } else { 0 } };
    }
}

impl AddAssign for Cutoffs {
    fn add_assign(&mut self, other: Self) {
        self.count += other.count;
        self.late += other.late;
        self.nodes += other.nodes;
        self.before += other.before;
    }
}
